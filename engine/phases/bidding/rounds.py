"""Round the table: until all but one have passed, or once only."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.phases.bidding.auction import OVER, Auction, Ladder, Procedure
from engine.record import PASS, Call


@dataclass(frozen=True, slots=True)
class InTurn(Procedure):
    """Round the table until all but one have passed; a pass is final, each bid strictly higher.

    Frog's way, and six-bid's house rule (decided in the rules sheet).
    """

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """The turn goes to the next who has not passed; whoever's bid stands may only stand by it."""
        turn = auction.turn
        if call.call == PASS:
            if turn != auction.bidder:
                auction = auction._replace(out=auction.out | 1 << turn)
        else:
            rung = auction.ladder.above[auction.high].get(call.call)
            if rung is None or turn == auction.bidder:
                return None
            auction = auction._replace(high=rung, bidder=turn, doubled=0, redoubled=0)
        return onward(auction)


def onward(auction: Auction) -> Auction:
    """Give the turn to the next seat clockwise that is still in, after a call."""
    turn = _next_in(auction, auction.out, auction.bidder)
    return auction._replace(turn=turn, made=auction.made + 1)


def _next_in(auction: Auction, out: int, bidder: int) -> int:
    """Find the next seat clockwise that is still in; `OVER` when only the bidder is, or nobody."""
    count = len(auction.seats)
    for step in range(1, count):
        seat = (auction.turn + step) % count
        if not out >> seat & 1:
            alone = seat == bidder and out | 1 << bidder == (1 << count) - 1
            return OVER if alone else seat
    return OVER


@dataclass(frozen=True, slots=True)
class OneRound(Procedure):
    """One call each from the lead to the dealer, each bid strictly higher (002).

    `repeats` says which bids may be bid over themselves how often. `opening` is a bid that only the
    first may make, and that nobody bids over: crazy-solo's `blind`.
    """

    repeats: Mapping[str, int] = field(default_factory=dict, hash=False)
    opening: str | None = None

    def ladder(self, bids: tuple[str, ...]) -> Ladder:
        """Order the bids; the opening one stands on the top rung."""
        ladder = Ladder.of(bids, self.repeats)
        return Ladder((*ladder.rungs, self.opening), ladder.above) if self.opening else ladder

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """The turn goes to the left until the dealer has spoken."""
        turn = auction.turn
        following = turn + 1 if turn + 1 < len(auction.seats) else OVER
        if call.call == PASS:
            return auction._replace(turn=following, made=auction.made + 1)
        if call.call == self.opening and turn == 0:
            top = len(auction.ladder.rungs) - 1
            return auction._replace(turn=OVER, high=top, bidder=turn, made=1)
        rung = auction.ladder.above[auction.high].get(call.call)
        if rung is None:
            return None
        return auction._replace(turn=following, high=rung, bidder=turn, made=auction.made + 1)
