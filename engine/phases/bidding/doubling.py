"""Progressive's auction: round the table, with doubles and redoubles."""

from collections.abc import Iterator
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

    def calls(self, auction: Auction) -> Iterator[Call]:
        """For the bidder: stand or redouble. For others: pass, double once, or overcall."""
        turn = auction.turn
        seat = auction.seats[turn]
        yield Call(seat, PASS)
        if turn == auction.bidder:
            for place, doubler in enumerate(auction.seats):
                if auction.doubled & ~auction.redoubled & 1 << place:
                    yield Call(seat, REDOUBLE, doubler)
            return
        if auction.bidder != NOBODY and not auction.doubled & 1 << turn:
            yield Call(seat, DOUBLE)
        yield from auction.bids()

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """The turn goes to the next who has not passed."""
        if call.call not in (DOUBLE, REDOUBLE):
            return InTurn.after(self, auction, call)
        if call not in self.calls(auction):
            return None
        auction = _doubled(auction, call)
        return onward(auction) if call.call == DOUBLE else auction._replace(made=auction.made + 1)

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


def _doubled(auction: Auction, call: Call) -> Auction:
    if call.doubler is None:
        return auction._replace(doubled=auction.doubled | 1 << auction.turn)
    doubler = auction.seats.index(call.doubler)
    return auction._replace(redoubled=auction.redoubled | 1 << doubler)
