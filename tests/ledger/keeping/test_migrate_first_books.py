"""Books of the first revision, evenings of every kind in them: upgraded, they verify, and go on.

A stake of 5 to each pot at a table of four, where the dealer sits out: each deal brings each pot 20.
"""

from typing import Any

import pytest
from sqlalchemy import text, update

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import SeatState, metadata
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.chips import adjust
from ledger.services.hands import correct, versions
from ledger.services.reads import session
from ledger.services.undo import last as undo_last
from tests.ledger import cash, table
from tests.ledger.first_books import EVENINGS, FirstBooks
from tests.ledger.services.audit.books import findings, replace_words, unguarded
from tests.ledger.table import ask

POTS = {"pots": {"stake": 5}}


def pots_hand(bidder: str, bid: str, points: int, frog: int, solo: int) -> dict[str, Any]:
    """Make a hand played for pots, Dee dealing; 60 points win the pot and nobody pays anything else."""
    contract = {"bidder": bidder, "bid": bid}
    return {
        "dealer": "Dee",
        "contract": contract,
        "points": points,
        "pots": {"frog": frog, "solo": solo},
    }


POTS_EVENING = (
    {"dealer": "Dee", "contract": {"bid": "pass"}, "pots": {"frog": 0, "solo": 0}},
    pots_hand("Ann", "frog", 60, 20, 20),
    pots_hand("Bob", "spade-solo", 60, 0, 40),
)
"""All pass; Ann takes the frog pot of 40; Bob takes the solo pot of 60. Antes: 30 each."""

AFTER_POTS = {"Ann": 10, "Bob": 30, "Cyd": -30, "Dee": -30}


@pytest.fixture
def first(database_url: str) -> Database:
    """Empty books of the first revision, on SQLite and on PostgreSQL."""
    database = Database(database_url)
    migrate.upgrade(database, "0001")
    return database


def with_pots(books: FirstBooks) -> int:
    """Write the evening with pots."""
    played = books.start("progressive", table.FOUR, "pennycook", POTS)
    for hand in POTS_EVENING:
        books.record(played, hand)
    return played


def pots(database: Database, access: Access, played: int) -> dict[str, int]:
    """Return the balances of a session's other accounts than its seats, if not 0."""
    at, held = f"session/{played}/", cash.held(database, access)
    return {key.removeprefix(at): sum_ for key, sum_ in held.items() if key.startswith(at) and sum_}


def sums(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return every sum stored besides the journal, without ids."""
    asked = {
        "result": "hand_id, seat_id, player_id, amount, unit, game, bid, side, outcome",
        "tally": "player_id, game, bid, side, hands, won, lost, tied, total",
        "versus": "payer_id, payee_id, hands, amount",
        "seat": "id, hands_bid, hands_won",
    }
    with database.engine.begin() as connection:
        return {
            name: sorted(map(tuple, connection.execute(text(f"SELECT {columns} FROM {name}"))))
            for name, columns in asked.items()
        }


def down_and_up(database: Database, lowest: str) -> None:
    """Go down to a revision and up again: the books verify, and no sum is another."""
    before = sums(database)
    migrate.downgrade(database, lowest)
    migrate.upgrade(database)
    assert list(verify(database)) == []
    assert sums(database) == before


def test_first_evenings_of_every_game_are_upgraded(first: Database) -> None:
    """Corrected and void hands among them; every seat keeps its balance; down and up, twice."""
    with first.engine.begin() as connection:
        books = FirstBooks(connection)
        for game, seats, variant, hands in EVENINGS:
            names = table.SEVEN[:seats]
            played = books.start(game, names, variant)
            ids = [books.record(played, {"dealer": names[-1], **hand}) for hand in hands]
            books.correct(played, ids[-1], {"dealer": names[-2], **hands[0]})
            books.void(played, books.record(played, {"dealer": names[-1], **hands[0]}))
    before = chips(first)
    migrate.upgrade(first)
    assert list(verify(first)) == []
    assert chips(first) == before
    idle = {row[:2] for row in sums(first)["tally"] if row[3] == "idle"}
    in_six_bid = {(player, "six-bid") for player in (2, 3, 4, 5)}
    assert idle == in_six_bid | {(3, "progressive"), (4, "progressive")}
    down_and_up(first, "0001")
    down_and_up(first, "0001")
    assert chips(first) == before
    first.close()


def test_the_reasoning_of_older_books_is_shown_as_it_was_told_and_never_held_against_todays_words(
    first: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They kept sentences: another wording later makes nothing of it false, another figure does."""
    with first.engine.begin() as connection:
        books = FirstBooks(connection)
        played = books.start("crazy-solo", table.SEVEN, None)
        books.record(played, {"dealer": "Gus", **table.HEARTS_74})
    migrate.upgrade(first)
    replace_words(monkeypatch)
    assert list(verify(first)) == []
    kept = ask(first, books.access, versions.of_hand, played, 1)[-1].localized_verdict
    sentences = kept["explanation"]
    assert sentences[0] == "74 card points, 14 over 60"
    table_of_versions = metadata.tables["hand_version"]
    for key, value in (("amount", 45), ("explanation", sentences[1:]), ("explanation", [1, 2, 3])):
        with unguarded(first) as connection:
            connection.execute(update(table_of_versions).values(verdict={**kept, key: value}))
            assert [each for each in findings(connection) if f"not the engine's (in {key}" in each]
    first.close()


def chips(database: Database) -> list[tuple[Any, ...]]:
    """Return the balance of every seat's account."""
    with database.engine.begin() as connection:
        query = "SELECT seat_id, balance FROM account WHERE seat_id IS NOT NULL ORDER BY seat_id"
        return list(map(tuple, connection.execute(text(query))))


def test_first_evenings_with_pots_get_their_pots(first: Database) -> None:
    """Nobody's chips change, the pots have the chips left by the hands, and a next hand is played for it."""
    with first.engine.begin() as connection:
        books = FirstBooks(connection)
        played = with_pots(books)
    migrate.upgrade(first)
    assert list(verify(first)) == []
    access = books.access
    assert table.balances(first, access, played) == AFTER_POTS
    assert pots(first, access, played) == {"pot/frog": 20}
    down_and_up(first, "0002")
    hand = {key: value for key, value in POTS_EVENING[1].items() if key != "pots"}
    answer = table.record(first, access, played, hand)  # 40 in the frog pot again
    assert answer["balances"] == {"Ann": 40, "Bob": 20, "Cyd": -40, "Dee": -40}
    assert pots(first, access, played) == {"pot/solo": 20}
    assert list(verify(first)) == []
    with pytest.raises(RuntimeError, match="revision 0001 has no place for them"):
        migrate.downgrade(first, "0001")
    first.close()


def test_hands_of_first_evenings_with_pots_are_corrected_as_any(first: Database) -> None:
    """Voided, restored, undone: later hands follow, and everything comes back."""
    with first.engine.begin() as connection:
        books = FirstBooks(connection)
        played = with_pots(books)
        last = books.record(played, pots_hand("Cyd", "frog", 90, 20, 0))
        books.correct(played, last, pots_hand("Cyd", "frog", 60, 20, 0))
        books.void(played, books.record(played, pots_hand("Ann", "frog", 60, 0, 20)))
    migrate.upgrade(first)
    access, then = books.access, {"Ann": 0, "Bob": 20, "Cyd": 0, "Dee": -40}
    assert table.balances(first, access, played) == then
    correct.restore(table.write(first, access), played, 5, reason="it was one")
    assert list(verify(first)) == []
    table.void(first, access, played, 5)
    table.void(first, access, played, 1)
    assert list(verify(first)) == []
    assert pots(first, access, played) == {"pot/solo": 20}
    correct.restore(table.write(first, access), played, 1, reason="it was one")
    assert table.balances(first, access, played) == then
    assert list(verify(first)) == []
    down_and_up(first, "0002")
    first.close()


def test_a_correction_written_before_the_upgrade_can_be_undone_after_it(first: Database) -> None:
    """The hand has its first content again, though it was entered once more since."""
    with first.engine.begin() as connection:
        books = FirstBooks(connection)
        played = books.start("progressive", table.FOUR, "pennycook", POTS)
        hand_id = books.record(played, pots_hand("Ann", "frog", 70, 0, 0))
        books.correct(played, hand_id, pots_hand("Ann", "frog", 60, 0, 0))
    migrate.upgrade(first)
    assert table.balances(first, books.access, played)["Ann"] == 10
    undo_last.undo(table.write(first, books.access), played)
    assert table.balances(first, books.access, played)["Ann"] == 30
    assert list(verify(first)) == []
    first.close()


def test_a_first_evening_that_began_with_full_pots_keeps_what_the_table_said(
    first: Database,
) -> None:
    """Chips from nobody at this table come from the differences; a void hand is restored all the same."""
    with first.engine.begin() as connection:
        books = FirstBooks(connection)
        played = books.start("progressive", table.FOUR, "pennycook", POTS)
        books.record(played, pots_hand("Ann", "frog", 60, 30, 10))
        books.record(played, pots_hand("Bob", "frog", 60, 7, 30))
        void = books.record(played, pots_hand("Bob", "frog", 60, 0, 50))
        books.void(played, void)
    migrate.upgrade(first)
    assert list(verify(first)) == []
    access = books.access
    assert table.balances(first, access, played) == {"Ann": 30, "Bob": 7, "Cyd": -20, "Dee": -20}
    assert pots(first, access, played) == {"pot/solo": 50, "differences": -47}
    table.void(first, access, played, 1)
    assert list(verify(first)) == []
    correct.restore(table.write(first, access), played, 1, reason="it was one")
    correct.restore(table.write(first, access), played, 3, reason="it was one")
    assert pots(first, access, played) == {"pot/solo": 70, "differences": -47}
    assert list(verify(first)) == []
    adjust.share_differences(table.write(first, access), played)
    assert pots(first, access, played) == {"pot/solo": 70}
    assert list(verify(first)) == []
    first.close()


def test_the_history_says_that_an_upgrade_entered_a_hand_anew(first: Database) -> None:
    """Author and reason are the upgrade's; time of play and content are as they were."""
    with first.engine.begin() as connection:
        books = FirstBooks(connection)
        played = with_pots(books)
    query = text(
        "SELECT record, verdict, seat_ids, played_at, engine_version FROM hand_version ORDER BY id"
    )
    with first.engine.begin() as connection:
        before = [tuple(map(str, row)) for row in connection.execute(query)]
    migrate.upgrade(first)
    with first.engine.begin() as connection:
        after = [tuple(map(str, row)) for row in connection.execute(query)]
    assert after == [*before, *before]
    seen = ask(first, books.access, session.hands, played)
    assert [line.number for line in seen] == [1, 2, 3]
    seats = [cash.seat(first, books.access, played, name) for name in table.FOUR]
    assert [seat.state for seat in seats] == [SeatState.PLAYING] * 4
    first.close()
