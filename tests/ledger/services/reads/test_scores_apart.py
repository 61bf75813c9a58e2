"""An evening that mixes chips and scores: each has its own sums wherever something is added up."""

from typing import Any

import pytest
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.money import convert
from ledger.services.reads import (
    accounts,
    head_to_head,
    highlights,
    running_totals,
    session,
    sessions,
    statistics,
)
from ledger.services.session.load import load
from ledger.services.table import same_table, start
from tests.ledger import cash, table
from tests.ledger.table import ask

CHIPS = {"Ann": 150, "Bob": -50, "Cyd": -50, "Dee": -50}
SCORES = {"Ann": -6, "Bob": 12, "Cyd": 0, "Dee": 0}


def play(db: Database, access: Access, evening: int, game: str, *hands: Any) -> None:
    """Play hands of a game from now on."""
    rules: dict[str, Any] = {"game": game, "variant": None, "options": {}}
    start.change_rules(table.write(db, access), evening, **rules)
    for hand in hands:
        table.record(db, access, evening, hand)


@pytest.fixture
def mixed(database: Database, club: Access) -> int:
    """German Solo, once void and once corrected, around hands of Crazy Solo; Ann leaves and comes back."""
    made, lost = table.german_solo("Bob"), table.german_solo("Ann", made=False)
    evening = table.start(database, club, table.FOUR, "german-solo")
    table.record(database, club, evening, made)
    table.record(database, club, evening, lost)
    play(database, club, evening, "crazy-solo", cash.ANN_WINS)
    play(database, club, evening, "german-solo", made, made)
    table.void(database, club, evening, 4)
    table.correct(database, club, evening, 5, {**made, "note": "counted again"})
    return evening


def by_name(names: tuple[str, ...], figures: tuple[int, ...]) -> dict[str, int]:
    """Say whose each figure is."""
    return dict(zip(names, figures, strict=True))


def test_each_seat_has_chips_and_a_score(database: Database, club: Access, mixed: int) -> None:
    """The scoreboard ranks by chips, and never shows both as one."""
    board = ask(database, club, session.board, mixed)
    assert (board.view.unit, board.view.scores_apart) == ("chips", True)
    assert {line.name: line.balance for line in board.standings} == CHIPS
    assert {line.name: line.scored for line in board.standings} == SCORES
    assert board.standings[0].name == "Ann"
    assert sum(CHIPS.values()) == 0
    books = ask(database, club, accounts.books, mixed).accounts
    assert {each.seat: each.scored for each in books if each.seat} == SCORES
    assert [each.balance for each in books if each.kind == "world"] == [-sum(SCORES.values())]


def test_a_hands_running_total_is_of_what_it_was_played_for(
    database: Database, club: Access, mixed: int
) -> None:
    """However the history is cut into pages; each hand says its unit."""
    whole = ask(database, club, session.summary, mixed)
    lines = whole.hands
    assert [line.unit for line in lines] == ["score", "score", "chips", "score", "score"]
    bobs = whole.seats.index("Bob")
    assert [line.balances[bobs] for line in lines] == [6, 6, -50, 6, 12]
    for first, last in ((1, 2), (2, 3), (4, 5)):
        assert ask(database, club, session.hands, mixed, first=first, last=last) == list(
            lines[first - 1 : last]
        )


def test_chips_and_scores_are_drawn_apart(database: Database, club: Access, mixed: int) -> None:
    """A line stays where it was while the other is played for."""
    view = ask(database, club, load, mixed)
    found = ask(database, club, lambda db, _: running_totals.of_evening(db, view), mixed)
    assert [each.unit for each in found] == ["chips", "score"]
    ends = [{line.name: line.totals[-1] for line in each.lines} for each in found]
    assert ends == [CHIPS, SCORES]
    bob = [next(line for line in each.lines if line.name == "Bob") for each in found]
    assert [line.totals for line in bob] == [(0, 0, 0, -50, -50, -50), (0, 6, 6, 6, 6, 12)]


def test_the_result_names_who_won_and_who_scored_most(
    database: Database, club: Access, mixed: int
) -> None:
    """The largest hands are of chips; only chips are settled."""
    whole = ask(database, club, session.summary, mixed)
    told = highlights.of_evening(whole)
    assert told.winners == highlights.Feat(("Ann",), 150)
    assert told.scorers == highlights.Feat(("Bob",), 12)
    assert told.gain is not None
    assert (told.gain.amount, told.changes) == (150, 0)
    assert whole.units == ("chips", "score")
    assert {(each.payer, each.payee, each.amount) for each in whole.payments} == {
        (name, "Ann", 50) for name in ("Bob", "Cyd", "Dee")
    }


def test_a_player_has_records_of_both(database: Database, club: Access, mixed: int) -> None:
    """Best and worst hands, evenings and running totals: of chips and of scores, with a second evening."""
    only = table.start(database, club, table.FOUR, "german-solo")
    table.record(database, club, only, table.german_solo("Bob", made=False))
    view = ask(database, club, load, mixed)
    bob = next(seat.player_id for seat in view.seats if seat.name == "Bob")
    found = ask(database, club, statistics.of_player, bob)
    assert (found.played.total, found.scored.total) == (-50, 6)
    extremes = (found.best, found.worst, found.best_scored, found.worst_scored)
    assert [(each.amount, each.unit) for each in extremes if each] == [
        *((-50, "chips"), (-50, "chips")),
        *((6, "score"), (-6, "score")),
    ]
    assert [
        (each.unit, each.won, each.total, each.scored, each.total_scored) for each in found.evenings
    ] == [("score", -6, 6, -6, 6), ("chips", -50, -50, 12, 12)]
    newest, first = ask(database, club, sessions.of_club)
    assert (newest.unit, newest.scores_apart) == ("score", False)
    assert (first.unit, first.scores_apart) == ("chips", True)
    assert {seat.player: (seat.won, seat.scored) for seat in first.seats} == {
        name: (CHIPS[name], SCORES[name]) for name in CHIPS
    }
    pairs = ask(database, club, head_to_head.head_to_head)
    assert {pair.other: pair.net for pair in pairs if pair.player == "Ann"} == dict.fromkeys(
        ("Bob", "Cyd", "Dee"), 50
    )


def test_the_same_table_begins_a_game_of_scores_without_chips(
    database: Database, club: Access
) -> None:
    """Though the evening before had a stack and a rate."""
    evening = table.start(
        database, club, table.FOUR, "crazy-solo", starting_stack=150, rate=cash.TEN_FOR_ONE
    )
    play(database, club, evening, "german-solo", table.german_solo("Ann"))
    begun = same_table.start_again(table.write(database, club), evening)["id"]
    view = ask(database, club, load, begun)
    assert (view.game, view.in_chips, view.starting_stack) == ("german-solo", False, 0)


def test_who_left_older_books_with_a_score_has_it_still(database: Database, club: Access) -> None:
    """Leaving gave it to the bank with the chips; there are none here, so the score is what they have."""
    evening = table.start(database, club, table.FOUR, "german-solo")
    table.record(database, club, evening, table.german_solo("Ann"))
    cash.leave(database, club, evening, "Ann")
    now = cash.seat(database, club, evening, "Ann")
    with database.engine.begin() as books:
        books.execute(text("UPDATE account SET balance = 0 WHERE seat_id = 1"))
        books.execute(text("UPDATE seat SET advanced = -6 WHERE id = 1"))
    assert cash.seat(database, club, evening, "Ann") == now
    assert (now.balance, now.advanced, now.net, now.scored) == (6, 0, 6, 6)


def test_the_history_and_the_evening_itself_agree_on_what_was_played_for(
    database: Database, club: Access
) -> None:
    """One asks the database of many, the other looks at one: whatever was played, lent, left or removed."""
    made = table.german_solo("Ann")

    def begun(*hands: Any, players: int = 4, **said: Any) -> int:
        evening = table.start(database, club, table.SEVEN[:players], **said)
        for hand in hands:
            table.record(database, club, evening, hand)
        return evening

    def left(evening: int, player: str) -> int:
        cash.leave(database, club, evening, player)
        return evening

    def then_scores(evening: int) -> int:
        play(database, club, evening, "german-solo", made)
        return evening

    def without_rate(evening: int) -> int:
        convert.set_rate(table.write(database, club), evening, rate=None)
        return evening

    def lent(evening: int, player: str) -> int:
        cash.lend(database, club, evening, player, 5)
        return evening

    def void(evening: int) -> int:
        table.void(database, club, evening, 1)
        return evening

    chips = {
        "chips alone": begun(cash.ANN_WINS),
        "mixed": then_scores(begun(cash.ANN_WINS)),
        "who left had won chips": then_scores(left(begun(cash.ANN_WINS, players=5), "Eve")),
        "a rate": then_scores(begun(rate=cash.TEN_FOR_ONE)),
        "a stack": then_scores(begun(starting_stack=100)),
        "lent": then_scores(lent(begun(), "Bob")),
    }
    older = left(begun(made, game="german-solo"), "Ann")
    scores = {
        "nothing yet": begun(game="german-solo"),
        "scores alone": begun(made, game="german-solo"),
        "a rate that was removed": then_scores(without_rate(begun(rate=cash.TEN_FOR_ONE))),
        "chips that were void": then_scores(void(begun(cash.ANN_WINS))),
        "lent to one who left": then_scores(left(lent(begun(players=5), "Eve"), "Eve")),
        "a score that was left": left(begun(made, game="german-solo"), "Ann"),
        "an older book's": older,
    }
    of_ann = f"(SELECT min(id) FROM seat WHERE session_id = {older})"
    with database.engine.begin() as books:
        books.execute(text(f"UPDATE account SET balance = 0 WHERE seat_id = {of_ann}"))
        books.execute(text(f"UPDATE seat SET advanced = -6 WHERE id = {of_ann}"))
    told = {each.session_id: each.unit for each in ask(database, club, sessions.of_club, limit=99)}
    for unit, evenings in (("chips", chips), ("score", scores)):
        for what, evening in evenings.items():
            assert (told[evening], ask(database, club, load, evening).unit) == (unit, unit), what


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("UPDATE seat SET scored = scored + 1 WHERE id = 2", "it says 13 points scored"),
        ("UPDATE result SET unit = 'chips' WHERE seat_id = 2", "its results are not"),
    ],
)
def test_verify_sees_a_score_that_no_hand_brought(
    database: Database, mixed: int, done: str, said: str
) -> None:
    """The sums are added up again from the hands."""
    assert mixed
    assert list(verify(database)) == []
    with database.engine.begin() as connection:
        connection.execute(text(done))
    assert said in " ".join(each.message for each in verify(database))
