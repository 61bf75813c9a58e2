"""The auction table: it continues every auction as the procedures do."""

import pytest

from engine.games import find
from engine.guide.auction_table import auction_table, shown_contract
from engine.guide.random_hands import NAMES, Chance
from tests.engine.playing import HOUSES, House

AUCTIONS = 200
"""How many random auctions are followed at each table."""

MOST_STATES = 600
"""More than any table has; progressive has 440, and a dozen at Crazy Solo 546."""


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_the_table_offers_the_legal_calls_and_shows_the_contract_of_every_auction(
    house: House,
) -> None:
    """At each call of random auctions, in which the seats have the names that the table has for them."""
    rules = find(house.game).rules(house.variant, house.options, house.seats)
    table, chance = auction_table(rules), Chance.seeded(str(house))
    active = rules.table(NAMES[: house.seats], NAMES[house.seats - 1]).active
    seats = tuple(map(str, range(len(active))))
    over = 0
    for _ in range(AUCTIONS):
        auction, state = rules.auction(seats), table[0]
        while True:
            assert state.turn == auction.to_act
            assert [*state.calls] == [" ".join(filter(None, call[1:])) for call in auction.legal]
            assert state.contract == shown_contract(rules, auction)
            if auction.over:
                break
            at = chance.pick(range(len(auction.legal)))
            auction, state = auction.after(auction.legal[at]), table[[*state.calls.values()][at]]
        over += bool(state.contract)
    assert over == AUCTIONS


def test_an_auction_in_which_all_pass_shows_the_bid_that_is_then_forced_or_none() -> None:
    """In German Solo the holder of a certain card must play, whom no call names (003)."""
    shown = {
        game: [state.contract for state in auction_table(find(game).rules(None, {}, seats))]
        for game, seats in (("german-solo", 4), ("frog", 3))
    }
    assert {"bid": "force"} in shown["german-solo"]
    assert {"bid": "pass"} in shown["frog"]


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_auctions_that_continue_alike_share_a_state(house: House) -> None:
    """So that the table of any game stays small enough to be sent to a phone."""
    rules = find(house.game).rules(house.variant, house.options, house.seats)
    assert len(auction_table(rules)) <= MOST_STATES
