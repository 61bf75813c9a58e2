"""The procedures of bidding, of which a rule sheet chooses one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.cards.cards import Suit
from engine.phases.bidding.auction import (
    DOUBLE,
    HOLD,
    NOBODY,
    OVER,
    REDOUBLE,
    Auction,
    Ladder,
    Procedure,
)
from engine.record import PASS, Call


@dataclass(frozen=True, slots=True)
class Duel(Procedure):
    """Two seats bid against each other until one passes; then the next bids against the survivor.

    Each bid is strictly higher; a seat that passed is out (six-bid: 002, 000). With `hold` the earlier of the
    two may hold the later one's bid, and the later must go higher or pass (german-solo: 003). A `preferred`
    suit outranks the others: each bid may name it, or go over itself once, and is then played in it. With an
    `opening`, eldest hand's first call is that bid or a pass.
    """

    hold: bool = False
    preferred: Suit | None = None
    opening: str | None = None

    def ladder(self, bids: tuple[str, ...]) -> Ladder:
        """Return the ladder of the bids, from low to high; with a preferred suit each has two rungs."""
        repeats = dict.fromkeys(bids, 2) if self.preferred else {}
        return Ladder.of(bids, repeats, self.preferred)

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """Return the auction after a call; `None` if it is not allowed.

        After a pass the next seat that has not called yet has the turn, or the auction is over; after a bid
        or hold, the seat that was overcalled; a first bid is like a pass.
        """
        _, seats, ladder, turn, rung, bidder, reached, out, _, _, calls = auction
        overcalled, word = NOBODY, call.call
        if word == PASS:
            out |= 1 << turn
        else:
            if word != HOLD:
                rung = ladder.above[rung].get(word, 0)
                if not rung or (calls == 0 and self.opening not in (None, ladder.rungs[rung])):
                    return None
            # Seats are reached in order, so the earlier of the two is the one with the lower number.
            elif not self.hold or turn >= bidder:
                return None
            overcalled, bidder = bidder, turn
        if overcalled != NOBODY:
            turn = overcalled
        elif reached < len(seats):
            turn, reached = reached, reached + 1
        else:
            turn = OVER
        return Auction(self, seats, ladder, turn, rung, bidder, reached, out, 0, 0, calls + 1)


class InTurn(Procedure):
    """Round the table until all but one have passed; a pass is final, each bid strictly higher.

    Frog's way, and six-bid's house rule (decided in the rules sheet).
    """

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """Return the auction after a call; `None` if it is not allowed.

        The turn goes to the next seat that has not passed. The highest bidder may only pass, and stays in.
        """
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


IN_TURN = InTurn()


def onward(auction: Auction) -> Auction:
    """Return the auction with one more call made and the turn at the next seat to the left still in.

    The auction is over if only the bidder, or nobody, is still in.
    """
    count, left = len(auction.seats), auction.turn + 1
    places = ((left + step) % count for step in range(count))
    still_in = [place for place in places if not auction.out >> place & 1]
    turn = OVER if still_in in ([], [auction.bidder]) else still_in[0]
    return auction._replace(turn=turn, calls_made=auction.calls_made + 1)


@dataclass(frozen=True, slots=True)
class OneRound(Procedure):
    """One call each from the lead to the dealer, each bid strictly higher (002).

    `repeats` maps bids that may be bid over themselves to the number of times. `opening` is a bid that only
    the first seat may make, and that cannot be overcalled: crazy-solo's `blind`.
    """

    repeats: Mapping[str, int] = field(default_factory=dict, hash=False)
    opening: str | None = None

    def ladder(self, bids: tuple[str, ...]) -> Ladder:
        """Return the ladder of the bids, which come from low to high; the opening one is the top rung."""
        ladder = Ladder.of(bids, self.repeats)
        return Ladder((*ladder.rungs, self.opening), ladder.above) if self.opening else ladder

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """Return the auction after a call; `None` if it is not allowed.

        The turn goes to the left until the dealer has called. The `opening` bid ends the auction at once.
        """
        _, seats, ladder, turn, high, bidder, *_ = auction
        following = turn + 1 if turn + 1 < len(seats) else OVER
        if call.call == self.opening and turn == 0:
            following, high, bidder = OVER, len(ladder.rungs) - 1, turn
        elif call.call != PASS:
            high, bidder = ladder.above[high].get(call.call, 0), turn
            if not high:
                return None
        return Auction(self, seats, ladder, following, high, bidder, calls_made=turn + 1)


class Doubling(InTurn):
    """Before any bid: pass or bid. After it: pass, double or overcall, until all others have passed.

    A pass is final, an overcall cancels every double. When the turn returns to the doubled bidder, they
    redouble each doubler they name, one or several, and then pass without going out; after a redouble that
    pass may be left out. A doubler passes last (000; the order decided in the rules sheet).
    """

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """Return the auction after a call; `None` if it is not allowed.

        Others may double once; the bidder redoubles one doubler and keeps the turn. After any other call it
        goes to the next seat still in.
        """
        turn, seats, doubled = auction.turn, auction.seats, auction.doubled
        if call.call == DOUBLE:
            if auction.bidder in (NOBODY, turn) or doubled >> turn & 1:
                return None
            return onward(auction._replace(doubled=doubled | 1 << turn))
        if call.call == REDOUBLE:
            bit = 1 << seats.index(call.doubler) if call.doubler in seats else 0
            if turn != auction.bidder or not bit & doubled & ~auction.redoubled:
                return None
            return auction._replace(
                redoubled=auction.redoubled | bit, calls_made=auction.calls_made + 1
            )
        return InTurn.after(self, auction, call)

    def aside(self, auction: Auction, call: Call) -> Auction | None:
        """Return the auction after a call out of turn; `None` unless it is one of two that are accepted.

        They are the bidder's closing pass after the end, once (000: "when all have passed"), and the next
        seat's call after a redouble, which implies the bidder's pass.
        """
        seats, bidder, turn = auction.seats, auction.bidder, auction.turn
        if turn == OVER:
            closing = bidder != NOBODY and call == Call(seats[bidder], PASS)
            if not closing or auction.out >> bidder & 1:
                return None
            return auction._replace(
                out=auction.out | 1 << bidder, calls_made=auction.calls_made + 1
            )
        if turn != bidder or not auction.redoubled:
            return None
        after_pass = self.after(auction, Call(seats[bidder], PASS))
        if after_pass is None or after_pass.to_act != call.seat:
            return None
        return self.after(after_pass._replace(calls_made=auction.calls_made), call)


DOUBLING = Doubling()


class Duty(NamedTuple):
    """The duty of a player who was dealt every card of one of `hands` to bid `bid`.

    It ends when `waived_by` has been bid, or with a higher bid of their own. With `ends_when_bid` it also
    ends when any seat has bid `bid`, as in older rules.

    German Solo's grossfrage (003; the cards that require it, and that nothing else ends the duty, are decided
    in the rules sheet). `hands` are sets of cards (`engine.cards.card_sets`).
    """

    bid: str
    waived_by: str
    hands: tuple[int, ...]
    ends_when_bid: bool = False

    def owed_by(self, cards: int) -> bool:
        """Return whether a hand (bits) has every card of one of `hands`; earlier calls are not considered."""
        return any(cards & hand == hand for hand in self.hands)
