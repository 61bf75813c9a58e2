"""Two at a time: one must pass before the next player speaks."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.bidding.auction import HOLD, NOBODY, OVER, Auction, Ladder
from engine.cards import Suit
from engine.contracts import PASS
from engine.record import Call


@dataclass(frozen=True, slots=True)
class Duel:
    """Two bid against each other until one passes; then the next speaks against the survivor.

    Each bid is strictly higher; who passed is out (six-bid: 002, 000). With `hold` the earlier of the
    two may hold the later one's bid, who must then go higher or pass (german-solo: 003). A
    `preferred` suit outranks the others: each bid may go over itself once, and is then played in it.
    """

    hold: bool = False
    preferred: Suit | None = None

    def ladder(self, bids: tuple[str, ...]) -> Ladder:
        """Order the bids."""
        repeats = dict.fromkeys(bids, 2) if self.preferred else {}
        return Ladder.of(bids, repeats, self.preferred)

    def calls(self, auction: Auction) -> Iterator[Call]:
        """Pass, hold where it may be, or any higher bid."""
        yield Call(auction.seats[auction.turn], PASS)
        if self._may_hold(auction):
            yield Call(auction.seats[auction.turn], HOLD)
        yield from auction.bids()

    def _may_hold(self, auction: Auction) -> bool:
        # Seats are reached in order, so the earlier of the two is the one with the lower number.
        return self.hold and auction.turn < auction.bidder

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """After a pass the next player speaks; after a bid, whoever it overcalled."""
        seats, turn, bidder, asked = auction.seats, auction.turn, auction.bidder, auction.asked
        if call.call == PASS:
            return _reach(auction, auction.high, bidder, auction.out | 1 << turn)
        if call.call == HOLD:
            if not self._may_hold(auction):
                return None
            rung = auction.high
        else:
            higher = auction.ladder.above[auction.high].get(call.call)
            if higher is None:
                return None
            rung = higher
        if bidder == NOBODY:
            return _reach(auction, rung, turn, auction.out)
        return Auction(
            self,
            seats,
            auction.ladder,
            bidder,
            rung,
            turn,
            asked,
            auction.out,
            made=auction.made + 1,
        )


def _reach(auction: Auction, high: int, bidder: int, out: int) -> Auction:
    """Turn to the next player who has not spoken; with none left the auction is over."""
    asked = auction.asked
    turn, asked = (asked, asked + 1) if asked < len(auction.seats) else (OVER, asked)
    return Auction(
        auction.procedure,
        auction.seats,
        auction.ladder,
        turn,
        high,
        bidder,
        asked,
        out,
        made=auction.made + 1,
    )
