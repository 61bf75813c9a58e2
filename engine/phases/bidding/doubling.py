"""Progressive's auction: round the table, with doubles and redoubles."""

from dataclasses import dataclass

from engine.phases.bidding.auction import DOUBLE, NOBODY, OVER, REDOUBLE, Auction
from engine.phases.bidding.rounds import InTurn, onward
from engine.record import PASS, Call


@dataclass(frozen=True, slots=True)
class Doubling(InTurn):
    """Before any bid: pass or bid. After it: pass, double or overcall, until all others have passed.

    A pass is final, an overcall cancels every double. When the turn comes back to the doubled bidder,
    they redouble each doubler they name, one or several, and then stand, which is a pass that does not put
    them out; who has redoubled may leave it unsaid. A doubler passes last (000; the order decided in the
    rules sheet).
    """

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """Others may double once, the bidder redoubles a doubler; the turn goes to the next still in."""
        turn, seats, doubled = auction.turn, auction.seats, auction.doubled
        if call.call == DOUBLE:
            if auction.bidder in (NOBODY, turn) or doubled >> turn & 1:
                return None
            return onward(auction._replace(doubled=doubled | 1 << turn))
        if call.call == REDOUBLE:
            bit = 1 << seats.index(call.doubler) if call.doubler in seats else 0
            if turn != auction.bidder or not bit & doubled & ~auction.redoubled:
                return None
            return auction._replace(redoubled=auction.redoubled | bit, made=auction.made + 1)
        return InTurn.after(self, auction, call)

    def aside(self, auction: Auction, call: Call) -> Auction | None:
        """The bidder's closing pass (000: "when all have passed"), or the next call after a redouble."""
        seats, bidder, turn = auction.seats, auction.bidder, auction.turn
        if turn == OVER:
            closing = bidder != NOBODY and call == Call(seats[bidder], PASS)
            if not closing or auction.out >> bidder & 1:
                return None
            return auction._replace(out=auction.out | 1 << bidder, made=auction.made + 1)
        if turn != bidder or not auction.redoubled:
            return None
        stood = self.after(auction, Call(seats[bidder], PASS))
        if stood is None or stood.to_act != call.seat:
            return None
        return self.after(stood._replace(made=auction.made), call)
