"""How a payout is paid in chips, with what the payers should have."""

import pytest

from ledger.services.chips import payout
from ledger.services.hands import record
from ledger.services.money import currency
from ledger.words.problems import Invalid
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening, Hand

BOB_PAYS_50 = [("Bob", "Ann", 50)]
SPADES_70 = {"contract": {"bidder": "Ann", "bid": "spade-solo"}, "points": 70}
"""Ann is paid 20 by Bob and Cyd, and takes the solo pot."""


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """Ann, Bob, Cyd and Dee with 150 each."""
    return sqlite_club.start(starting_stack=150)


def with_pots(club: CardClub, stake: int) -> Evening:
    """Start an evening of three with pots and 150 chips each."""
    options = {"pots": {"stake": stake, "solo_factor": 1}}
    return club.start(table.FOUR[:3], "progressive", options=options, starting_stack=150)


def transfers_of(evening: Evening, hand: Hand) -> list[tuple[str, str, int]]:
    """Return what a hand moves."""
    verdict = evening.preview(record.record, hand).verdict
    return [(paid.payer, paid.payee, paid.amount) for paid in verdict.transfers]


def test_a_payout_is_paid_the_same_before_and_after_it_was_saved(evening: Evening) -> None:
    """Ann is owed 50 by each: two 20s and two 5s of six and six; Bob, whose chips were counted, pays a 30."""
    transfers = transfers_of(evening, cash.ANN_WINS)
    before = evening.read(payout.in_chips, transfers)
    assert [(pay.payer, pay.payee, pay.amount) for pay in before] == [
        (name, "Ann", 50) for name in ("Bob", "Cyd", "Dee")
    ]
    assert [dict(pay.pieces) for pay in before] == [{5: 2, 20: 2}] * 3
    evening.count({"Bob": {30: 5}})
    before = evening.read(payout.in_chips, transfers)
    evening.record(cash.ANN_WINS)
    assert evening.read(payout.in_chips, transfers, booked=True) == before


def test_what_was_counted_is_what_a_player_has(evening: Evening) -> None:
    """As long as the ledger says the same; after the next payout it is worked out again."""
    evening.count({"Bob": {30: 5}})
    assert evening.read(payout.holdings)["Bob"] == {30: 5}
    (pay,) = evening.read(payout.in_chips, BOB_PAYS_50)
    assert (dict(pay.gives), dict(pay.gets)) == ({30: 1}, {5: 2, 20: 1})
    evening.record(cash.ANN_WINS)
    assert evening.read(payout.holdings)["Bob"] == {5: 8, 20: 3}


def test_a_count_that_differed_is_what_a_player_has_once_it_is_posted(evening: Evening) -> None:
    """Until then the ledger's chips are worked out as if nobody had counted."""
    evening.count({"Bob": {30: 4}})
    assert evening.read(payout.holdings)["Bob"] == {5: 6, 20: 6}
    evening.count({"Bob": {30: 4}}, post=True)
    assert evening.read(payout.holdings)["Bob"] == {30: 4}


def test_a_club_pays_in_its_own_chips(evening: Evening) -> None:
    """Here of 1, 10 and 50."""
    evening.club.do(currency.change, denominations=[1, 10, 50])
    (pay,) = evening.read(payout.in_chips, [("Bob", "Ann", 54)])
    assert dict(pay.pieces) == {1: 4, 50: 1}


def test_only_those_at_the_table_pay(evening: Evening) -> None:
    """Who left has no chips."""
    evening.leave("Dee")
    with evening.club.refuses(Invalid, "Dee has no seat"):
        evening.read(payout.in_chips, [("Dee", "Ann", 50)])


def test_what_goes_into_the_pots_and_out_of_them_is_paid_in_chips(sqlite_club: CardClub) -> None:
    """Three 5s each lie in both pots from a hand that all passed; each antes another to both.

    Ann, who had seven 20s counted, changes one.
    """
    evening = with_pots(sqlite_club, stake=5)
    evening.record(table.ALL_PASS)
    evening.count({"Ann": {20: 7}})
    transfers = transfers_of(evening, SPADES_70)
    proposed = evening.read(payout.in_chips, transfers)
    pieces = {(pay.payer, pay.payee): dict(pay.pieces) for pay in proposed}
    assert pieces["Bob", "frog pot"] == pieces["Ann", "solo pot"] == {5: 1}
    assert pieces["solo pot", "Ann"] == {5: 6}
    assert len(proposed) == len(transfers) == 2 + 6 + 1
    evening.record(SPADES_70)
    assert evening.read(payout.in_chips, transfers, booked=True) == proposed


def test_nobody_lends_to_a_pot(sqlite_club: CardClub) -> None:
    """Antes of 1 that no chip can pay are remembered, and so is the pot of them."""
    evening = with_pots(sqlite_club, stake=1)
    for _ in range(2):
        evening.record(table.ALL_PASS)
    sqlite_club.do(currency.change, denominations=[7])
    *_, last = evening.read(payout.in_chips, transfers_of(evening, SPADES_70))
    assert (last.payer, last.amount, last.rest, dict(last.borrows)) == ("solo pot", 9, 9, {})
