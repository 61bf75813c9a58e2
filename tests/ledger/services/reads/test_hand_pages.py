"""The hands of a session by the page: whichever part is read, it is as in the whole."""

from typing import Any

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.chips import adjust, count
from ledger.services.hands import correct
from ledger.services.reads import session
from tests.ledger import cash, table
from tests.ledger.table import ask

ALL_PASS: dict[str, Any] = {"contract": {"bid": "pass"}}
FROG: dict[str, Any] = {"contract": {"bidder": "Ann", "bid": "frog"}, "points": 70}
LOST: dict[str, Any] = {"contract": {"bidder": "Bob", "bid": "spade-solo"}, "points": 40}


def an_evening(db: Database, club: Access) -> int:
    """Play nine hands: corrected, void and restored ones, and chips won and lost besides in between."""
    at = table.start(db, club, ("Ann", "Bob", "Cyd"), "progressive", options={"pots": {"stake": 5}})
    for number, hand in enumerate(
        (ALL_PASS, FROG, LOST, ALL_PASS, LOST, FROG, ALL_PASS, LOST, FROG)
    ):
        table.record(db, club, at, hand)
        if number in (0, 3, 8):
            adjust.adjust(
                table.write(db, club),
                at,
                player="Cyd",
                chips=-number - 1,
                reason="a bet",
                pot="solo",
            )
        if number == 1:
            cash.lend(db, club, at, "Ann", 20)
            adjust.share_pots(table.write(db, club), at)
        if number == 6:
            count.record(table.write(db, club), at, {"Bob": {5: 3}}, post=True)
    table.void(db, club, at, 8)
    table.void(db, club, at, 3)
    correct.restore(table.write(db, club), at, 3, reason="no misdeal")
    table.correct(db, club, at, 2, LOST)
    return at


def test_any_part_of_an_evening_reads_as_it_does_in_the_whole(
    database: Database, club: Access
) -> None:
    """From either end: the running totals are those of the whole, whatever was won besides the hands."""
    at = an_evening(database, club)
    whole = ask(database, club, session.hands, at)
    assert [line.number for line in whole] == list(range(1, 10))
    for first in range(1, 10):
        for last in range(first, 10):
            part = ask(database, club, session.hands, at, first=first, last=last)
            assert part == whole[first - 1 : last], (first, last)


def test_the_newest_total_is_what_everybody_has_won_by_now(
    database: Database, club: Access
) -> None:
    """And nobody had won anything before the first hand, from whichever end it is found."""
    at = an_evening(database, club)
    board = ask(database, club, session.board, at)
    nets = {line.name: line.balance for line in board.standings}
    *_, newest = ask(database, club, session.hands, at, first=9)
    (oldest,) = ask(database, club, session.hands, at, first=1, last=1)
    bet = (0, 0, -1)
    assert dict(zip(("Ann", "Bob", "Cyd"), newest.balances, strict=True)) == nets
    assert oldest.balances == tuple(map(sum, zip(oldest.deltas, bet, strict=True)))
