"""Two at a time: one must pass before the next player speaks."""

from dataclasses import dataclass

from engine.cards.cards import Suit
from engine.phases.bidding.auction import HOLD, NOBODY, OVER, Auction, Ladder, Procedure
from engine.record import PASS, Call


@dataclass(frozen=True, slots=True)
class Duel(Procedure):
    """Two bid against each other until one passes; then the next speaks against the survivor.

    Each bid is strictly higher; who passed is out (six-bid: 002, 000). With `hold` the earlier of the
    two may hold the later one's bid, who must then go higher or pass (german-solo: 003). A
    `preferred` suit outranks the others: each bid may say that it is in it, or go over itself once, and is
    then played in it. Where there is an `opening`, eldest hand's first call is that bid or a pass.
    """

    hold: bool = False
    preferred: Suit | None = None
    opening: str | None = None

    def ladder(self, bids: tuple[str, ...]) -> Ladder:
        """Order the bids."""
        repeats = dict.fromkeys(bids, 2) if self.preferred else {}
        return Ladder.of(bids, repeats, self.preferred)

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """After a pass the next player speaks; after a bid, whoever it overcalled."""
        _, seats, ladder, turn, rung, bidder, asked, out, _, _, made = auction
        overcalled, said = NOBODY, call.call
        if said == PASS:
            out |= 1 << turn
        else:
            if said != HOLD:
                rung = ladder.above[rung].get(said, 0)
                if not rung or (made == 0 and self.opening not in (None, ladder.rungs[rung])):
                    return None
            # Seats are reached in order, so the earlier of the two is the one with the lower number.
            elif not self.hold or turn >= bidder:
                return None
            overcalled, bidder = bidder, turn
        if overcalled != NOBODY:
            turn = overcalled
        elif asked < len(seats):
            turn, asked = asked, asked + 1
        else:
            turn = OVER
        return Auction(self, seats, ladder, turn, rung, bidder, asked, out, 0, 0, made + 1)
