"""How a payout is paid in chips, with what the payers should be holding."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.chips import count, payout
from ledger.services.hands import record
from ledger.services.money import currency
from ledger.words.problems import Invalid
from tests.ledger import cash, table
from tests.ledger.table import ask, dry


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann, Bob, Cyd and Dee with 150 each."""
    return table.start(database, club, table.FOUR, starting_stack=150)


def test_a_payout_says_how_it_is_paid_before_it_is_saved(
    database: Database, club: Access, tonight: int
) -> None:
    """Ann is owed 50 by each: two 20s and two 5s of six and six."""
    verdict = ask(database, club, dry(record.record), tonight, cash.ANN_WINS).verdict
    assert verdict is not None
    transfers = [(paid.payer, paid.payee, paid.amount) for paid in verdict.transfers]
    proposed = ask(database, club, payout.in_chips, tonight, transfers)
    assert [(pay.payer, pay.payee, pay.amount) for pay in proposed] == [
        (name, "Ann", 50) for name in ("Bob", "Cyd", "Dee")
    ]
    assert [dict(pay.pieces) for pay in proposed] == [{5: 2, 20: 2}] * 3


def test_a_payout_is_paid_the_same_after_it_was_saved(
    database: Database, club: Access, tonight: int
) -> None:
    """The books are ahead of the table by just this hand."""
    count.record(table.write(database, club), tonight, {"Bob": {30: 5}})
    transfers = [("Bob", "Ann", 50), ("Cyd", "Ann", 50), ("Dee", "Ann", 50)]
    before = ask(database, club, payout.in_chips, tonight, transfers)
    table.record(database, club, tonight, cash.ANN_WINS)
    assert ask(database, club, payout.in_chips, tonight, transfers, booked=True) == before


def test_what_was_counted_is_what_is_held(database: Database, club: Access, tonight: int) -> None:
    """As long as the ledger says the same; after the next payout it is worked out again."""
    count.record(table.write(database, club), tonight, {"Bob": {30: 5}})
    assert ask(database, club, payout.holdings, tonight)["Bob"] == {30: 5}
    (pay,) = ask(database, club, payout.in_chips, tonight, [("Bob", "Ann", 50)])
    assert (dict(pay.gives), dict(pay.gets)) == ({30: 1}, {5: 2, 20: 1})
    table.record(database, club, tonight, cash.ANN_WINS)
    assert ask(database, club, payout.holdings, tonight)["Bob"] == {5: 8, 20: 3}


def test_a_count_that_differed_is_no_holding(
    database: Database, club: Access, tonight: int
) -> None:
    """Unless the ledger followed it."""
    count.record(table.write(database, club), tonight, {"Bob": {30: 4}})
    assert ask(database, club, payout.holdings, tonight)["Bob"] == {5: 6, 20: 6}
    count.record(table.write(database, club), tonight, {"Bob": {30: 4}}, post=True)
    assert ask(database, club, payout.holdings, tonight)["Bob"] == {30: 4}


def test_a_club_pays_in_its_own_chips(database: Database, club: Access, tonight: int) -> None:
    """Here of 1, 10 and 50."""
    currency.change(table.write(database, club), denominations=[1, 10, 50])
    (pay,) = ask(database, club, payout.in_chips, tonight, [("Bob", "Ann", 54)])
    assert dict(pay.pieces) == {1: 4, 50: 1}


def test_only_those_at_the_table_pay(database: Database, club: Access, tonight: int) -> None:
    """Who left has no chips."""
    cash.leave(database, club, tonight, "Dee")
    with pytest.raises(Invalid, match="Dee has no seat"):
        ask(database, club, payout.in_chips, tonight, [("Dee", "Ann", 50)])


POTS = {"pots": {"stake": 5, "solo_factor": 1}}
SPADES_70 = {"contract": {"bidder": "Ann", "bid": "spade-solo"}, "points": 70}
"""Ann is paid 20 by Bob and Cyd, and takes the solo pot."""


def transfers_of(database: Database, club: Access, session: int) -> list[tuple[str, str, int]]:
    """What Ann's spade solo moves."""
    verdict = ask(database, club, dry(record.record), session, SPADES_70).verdict
    assert verdict is not None
    return [(paid.payer, paid.payee, paid.amount) for paid in verdict.transfers]


def test_what_goes_into_the_pots_and_out_of_them_is_paid_in_chips(
    database: Database, club: Access
) -> None:
    """Three 5s each lie in both pots from a hand that all passed; each antes another to both."""
    tonight = table.start(
        database, club, table.FOUR[:3], "progressive", options=POTS, starting_stack=150
    )
    table.record(database, club, tonight, table.ALL_PASS)
    transfers = transfers_of(database, club, tonight)
    proposed = ask(database, club, payout.in_chips, tonight, transfers)
    by_way = {(pay.payer, pay.payee): dict(pay.pieces) for pay in proposed}
    assert by_way["Bob", "frog pot"] == by_way["Ann", "solo pot"] == {5: 1}
    assert by_way["solo pot", "Ann"] == {5: 6}
    assert len(proposed) == len(transfers) == 2 + 6 + 1
    table.record(database, club, tonight, SPADES_70)
    assert ask(database, club, payout.in_chips, tonight, transfers, booked=True) == proposed


def test_nobody_lends_to_a_pot(database: Database, club: Access) -> None:
    """Antes of 1 that no chip can pay are remembered, and so is the pot of them."""
    options = {"pots": {"stake": 1, "solo_factor": 1}}
    tonight = table.start(
        database, club, table.FOUR[:3], "progressive", options=options, starting_stack=150
    )
    for _ in range(2):
        table.record(database, club, tonight, table.ALL_PASS)
    currency.change(table.write(database, club), denominations=[7])
    *_, taken = ask(database, club, payout.in_chips, tonight, transfers_of(database, club, tonight))
    assert (taken.payer, taken.amount, taken.rest, dict(taken.borrows)) == ("solo pot", 9, 9, {})
