"""An evening that mixes chips and scores: each has its own sums wherever something is added up."""

from typing import Any

import pytest
from sqlalchemy import text

from ledger.services.audit import verify
from ledger.services.reads import (
    accounts,
    head_to_head,
    highlights,
    result,
    running_totals,
    session,
    sessions,
    statistics,
)
from ledger.services.table import same_table
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening

CHIPS = {"Ann": 150, "Bob": -50, "Cyd": -50, "Dee": -50}
SCORES = {"Ann": -6, "Bob": 12, "Cyd": 0, "Dee": 0}
MADE = table.german_solo("Ann")


def play(evening: Evening, game: str, *hands: Any) -> Evening:
    """Play hands of a game from now on."""
    evening.play(game)
    for hand in hands:
        evening.record(hand)
    return evening


@pytest.fixture
def mixed(sqlite_club: CardClub) -> Evening:
    """German Solo, once void and once corrected, around a hand of Crazy Solo."""
    made, lost = table.german_solo("Bob"), table.german_solo("Ann", made=False)
    evening = sqlite_club.start(game="german-solo")
    evening.record(made)
    evening.record(lost)
    play(evening, "crazy-solo", cash.ANN_WINS)
    play(evening, "german-solo", made, made)
    evening.void(4)
    evening.correct(5, {**made, "note": "counted again"})
    return evening


def test_each_seat_has_chips_and_a_score(mixed: Evening) -> None:
    """The scoreboard ranks by chips, and never shows both as one."""
    board = mixed.read(session.board)
    assert (board.view.unit, board.view.scores_apart) == ("chips", True)
    assert {line.name: line.balance for line in board.standings} == CHIPS
    assert {line.name: line.scored for line in board.standings} == SCORES
    assert board.standings[0].name == "Ann"
    listed = mixed.read(accounts.books).accounts
    assert {account.seat: account.scored for account in listed if account.seat} == SCORES
    world = [account.balance for account in listed if account.kind == "world"]
    assert world == [-sum(SCORES.values())]


def test_a_hands_running_total_is_of_what_it_was_played_for(mixed: Evening) -> None:
    """With any division of the history into pages; each hand has its unit."""
    summary = mixed.read(session.summary)
    lines = summary.hands
    assert [line.unit for line in lines] == ["score", "score", "chips", "score", "score"]
    bob = summary.seats.index("Bob")
    assert [line.balances[bob] for line in lines] == [6, 6, -50, 6, 12]
    for first, last in ((1, 2), (2, 3), (4, 5)):
        page = mixed.read(session.hands, first=first, last=last)
        assert page == list(lines[first - 1 : last])


def test_chips_and_scores_are_drawn_apart(mixed: Evening) -> None:
    """A line stays where it was while the other is played for."""
    drawings = mixed.club.read(running_totals.of_evening, mixed.view)
    assert [drawing.unit for drawing in drawings] == ["chips", "score"]
    ends = [{line.name: line.totals[-1] for line in drawing.lines} for drawing in drawings]
    assert ends == [CHIPS, SCORES]
    bob = [next(line for line in each.lines if line.name == "Bob") for each in drawings]
    assert [line.totals for line in bob] == [(0, 0, 0, -50, -50, -50), (0, 6, 6, 6, 6, 12)]


def test_the_result_names_who_won_and_who_scored_most(mixed: Evening) -> None:
    """The largest hands are of chips; only chips are settled."""
    summary = mixed.read(session.summary)
    told = mixed.read(result.of_evening).highlights
    assert mixed.read(result.of_evening).podium[0].name == "Ann"
    assert told.scorers == highlights.Feat(("Bob",), 12)
    assert told.gain is not None
    assert (told.gain.amount, told.changes) == (150, 0)
    assert summary.units == ("chips", "score")
    payments = {(payment.payer, payment.payee, payment.amount) for payment in summary.payments}
    assert payments == {(name, "Ann", 50) for name in ("Bob", "Cyd", "Dee")}


def test_a_player_has_records_of_both(mixed: Evening) -> None:
    """Best and worst hands, evenings and running totals: of chips and of scores, with a second evening."""
    club = mixed.club
    club.start(game="german-solo").record(table.german_solo("Bob", made=False))
    stats = club.read(statistics.of_player, club.player("Bob"))
    assert (stats.played.total, stats.scored.total) == (-50, 6)
    extremes = (stats.best, stats.worst, stats.best_scored, stats.worst_scored)
    assert [(hand.amount, hand.unit) for hand in extremes if hand] == [
        *((-50, "chips"), (-50, "chips")),
        *((6, "score"), (-6, "score")),
    ]
    assert [
        (own.unit, own.won, own.total, own.scored, own.total_scored) for own in stats.evenings
    ] == [("score", -6, 6, -6, 6), ("chips", -50, -50, 12, 12)]
    newest, first = club.read(sessions.of_club)
    assert (newest.unit, newest.scores_apart) == ("score", False)
    assert (first.unit, first.scores_apart) == ("chips", True)
    seats = {seat.player: (seat.won, seat.scored) for seat in first.seats}
    assert seats == {name: (CHIPS[name], SCORES[name]) for name in CHIPS}
    pairs = club.read(head_to_head.head_to_head)
    anns = {pair.other: pair.net for pair in pairs if pair.player == "Ann"}
    assert anns == dict.fromkeys(("Bob", "Cyd", "Dee"), 50)


def test_the_same_table_begins_a_game_of_scores_without_chips(sqlite_club: CardClub) -> None:
    """Though the evening before had a stack and a rate."""
    evening = sqlite_club.start(starting_stack=150, rate=cash.TEN_FOR_ONE)
    play(evening, "german-solo", MADE)
    view = sqlite_club.evening(evening.do(same_table.start_again)["id"]).view
    assert (view.game, view.in_chips, view.starting_stack) == ("german-solo", False, 0)


def as_older(evening: Evening) -> None:
    """Let the bank have the chips and the score of departed players, as earlier releases did."""
    of_ann = f"(SELECT min(id) FROM seat WHERE session_id = {evening.id})"
    with evening.club.db.engine.begin() as connection:
        connection.execute(text(f"UPDATE account SET balance = 0 WHERE seat_id = {of_ann}"))
        connection.execute(text(f"UPDATE seat SET advanced = -6 WHERE id = {of_ann}"))


def test_who_left_an_older_database_with_a_score_has_it_still(sqlite_club: CardClub) -> None:
    """Leaving gave it to the bank with the chips; without chips the score is theirs."""
    evening = sqlite_club.start(game="german-solo")
    evening.record(MADE)
    evening.leave("Ann")
    ann = evening.seat("Ann")
    as_older(evening)
    assert evening.seat("Ann") == ann
    assert (ann.balance, ann.advanced, ann.net, ann.scored) == (6, 0, 6, 6)


def test_the_history_and_the_evening_itself_agree_on_what_was_played_for(
    sqlite_club: CardClub,
) -> None:
    """The list and the page of one evening agree for any hands, loans, departures and removals."""

    def begun(*hands: Any, players: int = 4, **draft: Any) -> Evening:
        evening = sqlite_club.start(table.SEVEN[:players], **draft)
        for hand in hands:
            evening.record(hand)
        return evening

    chips = {
        "chips alone": begun(cash.ANN_WINS),
        "mixed": begun(cash.ANN_WINS),
        "who left had won chips": begun(cash.ANN_WINS, players=5),
        "a rate": begun(rate=cash.TEN_FOR_ONE),
        "a stack": begun(starting_stack=100),
        "lent": begun(),
    }
    chips["who left had won chips"].leave("Eve")
    chips["lent"].lend("Bob", 5)
    scores = {
        "nothing yet": begun(game="german-solo"),
        "scores alone": begun(MADE, game="german-solo"),
        "a rate that was removed": begun(rate=cash.TEN_FOR_ONE),
        "chips that were void": begun(cash.ANN_WINS),
        "lent to one who left": begun(players=5),
        "a score that was left": begun(MADE, game="german-solo"),
        "an older database's": begun(MADE, game="german-solo"),
    }
    scores["a rate that was removed"].set_rate(None)
    scores["chips that were void"].void(1)
    scores["lent to one who left"].lend("Eve", 5)
    scores["lent to one who left"].leave("Eve")
    for evening in (*list(chips.values())[1:], *list(scores.values())[2:5]):
        play(evening, "german-solo", MADE)
    for name in ("a score that was left", "an older database's"):
        scores[name].leave("Ann")
    as_older(scores["an older database's"])
    listed = {row.session_id: row.unit for row in sqlite_club.read(sessions.of_club, limit=99)}
    for unit, evenings in (("chips", chips), ("score", scores)):
        for name, evening in evenings.items():
            assert (listed[evening.id], evening.view.unit) == (unit, unit), name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE seat SET scored = scored + 1 WHERE id = 2", "it says 13 points scored"),
        ("UPDATE result SET unit = 'chips' WHERE seat_id = 2", "its results are not"),
    ],
)
def test_verify_sees_a_score_that_no_hand_brought(
    mixed: Evening, change: str, message: str
) -> None:
    """The sums are added up again from the hands."""
    mixed.club.must_verify()
    with mixed.club.db.engine.begin() as connection:
        connection.execute(text(change))
    assert message in " ".join(finding.message for finding in verify(mixed.club.db))
