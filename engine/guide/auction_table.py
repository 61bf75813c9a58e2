"""The auction at one table as a list of states, so that a page offers the legal calls without the engine.

It is built by making every legal call of an `Auction` and contains no rule of its own.
"""

from typing import Any, NamedTuple

from engine.phases.bidding.auction import Auction
from engine.replay.auction import outcome_of
from engine.replay.deal import nothing_known
from engine.rules.sheet import Rules


class AuctionState(NamedTuple):
    """The auction after some calls. Places are counted from eldest hand, `0`.

    `turn` is the place to call, `None` if the auction is over. `calls` maps each legal call to the index of
    the state that follows it, in the order in which they are offered; a redouble names the doubler's place:
    `redouble 2`. `contract` is what a finished auction shows, with places instead of names.
    """

    turn: str | None
    calls: dict[str, int]
    contract: dict[str, Any]


def auction_table(rules: Rules) -> list[AuctionState]:
    """Return every state that the auction at a table can reach, the one before the first call at index 0.

    Cards are not considered. States that continue alike are one.

    >>> from engine.games import find
    >>> table = auction_table(find("frog").rules(None, {}, 3))
    >>> table[0].calls
    {'pass': 1, 'frog': 2, 'chico': 3, 'grand': 4}
    >>> [state.contract for state in table if state.turn is None][0]
    {'bid': 'pass'}
    """
    seats = tuple(map(str, range(rules.seating.count or rules.seats)))
    reached = [rules.auction(seats)]
    indices = {_key(rules, reached[0]): 0}
    table = []
    for auction in reached:  # grows while it is read
        calls = {}
        for call, following in auction.following.items():
            index = indices.setdefault(_key(rules, following), len(reached))
            if index == len(reached):
                reached.append(following)
            calls[" ".join(filter(None, call[1:]))] = index
        table.append(AuctionState(auction.to_act, calls, shown_contract(rules, auction)))
    return table


def shown_contract(rules: Rules, auction: Auction) -> dict[str, Any]:
    """Return the keys of the contract that a finished auction shows, while no card is known.

    An auction that is not over shows none. If all passed, `bid` is `pass`, or the bid that is then forced on
    the holder of a certain card (003), without a bidder.
    """
    if not auction.over:
        return {}
    outcome = outcome_of(rules, auction.seats, auction.outcome, nothing_known(len(auction.seats)))
    keys = outcome._asdict() | {"trump": outcome.trump and outcome.trump.value}
    return {key: value for key, value in keys.items() if value}


def _key(rules: Rules, auction: Auction) -> object:
    """Return a value that is equal for two auctions which continue alike.

    Of the number of calls only whether it is 0 matters: the first call may be restricted.
    """
    if auction.over:
        return repr(shown_contract(rules, auction))
    _, _, _, turn, high, bidder, reached, out, doubled, redoubled, calls_made = auction
    return turn, high, bidder, reached, out, doubled, redoubled, calls_made > 0
