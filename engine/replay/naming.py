"""The bidder's choices after the auction: a higher contract, the trump suit, and the called card.

A higher contract may be declared first, if the rules allow it (German Solo, 003). In German Solo's grossfrage
and force the holder of the called ace names trump, which may not be the ace's suit (003).
"""

from typing import NamedTuple

from engine.cards.card_sets import cards_of
from engine.cards.cards import Card, Suit
from engine.errors import Refused, Violation
from engine.record import Call
from engine.replay.deal import KnownDeal, holder_of
from engine.rules.bids import Bid
from engine.rules.calling import Calling
from engine.rules.sheet import Rules
from engine.words.language import CallCode
from engine.words.sentences import later, say, word


class Naming(NamedTuple):
    """The choices made so far, as a frozen value. Seats are counted from eldest hand.

    `only` is the suit to which the auction has bound the trump: clubs over an equal bid.
    """

    rules: Rules
    seats: tuple[str, ...]
    hands: tuple[int, ...]
    bid: Bid
    bidder: int
    only: Suit | None = None
    trump: Suit | None = None
    called: Card | None = None

    @classmethod
    def begin(
        cls,
        rules: Rules,
        seats: tuple[str, ...],
        hands: tuple[int, ...],
        bid: Bid,
        bidder: int,
        only: Suit | None = None,
    ) -> "Naming":
        """Return the choices before the first; a bid with a single trump suit has it named already.

        `only` is the suit to which the auction has bound the trump, if any.
        """
        trump = bid.trumps[0] if len(bid.trumps) == 1 else None
        return cls(rules, seats, hands, bid, bidder, only, trump)

    @property
    def asks_trump(self) -> bool:
        """Whether the trump suit is named next, of several; after the card if the partner names it."""
        card_first = self.bid.partner_names_trump and self.called is None
        return bool(self.bid.trumps) and self.trump is None and not card_first

    @property
    def asks_card(self) -> bool:
        """Whether a card is called next: the bid calls one, and trump is named or comes afterwards."""
        return self.bid.calls is not None and self.called is None and not self.asks_trump

    @property
    def over(self) -> bool:
        """Whether nothing is left to name."""
        return not (self.asks_trump or self.asks_card)

    @property
    def to_act(self) -> str | None:
        """The seat that names next: the bidder, or the called card's holder to choose trump.

        `None` if nothing is left to name, or that holder is unknown.
        """
        if self.over:
            return None
        if self.asks_trump and self.bid.partner_names_trump and self.called is not None:
            return holder_of(self.called, self.seats, self.hands)
        return self.seats[self.bidder]

    @property
    def higher(self) -> tuple[Call, ...]:
        """The contracts above the bid that may still be declared: none once trump or a card is named."""
        started = self.called is not None or self.trump is not None
        if started or not (self.rules.may_declare_more and self.bid.biddable):
            return ()
        rungs, seat = self.rules.ladder.above[0], self.seats[self.bidder]
        offered = (bid.slug for bid in self.rules.bids if bid.biddable)
        return tuple(Call(seat, slug) for slug in offered if rungs[slug] > rungs[self.bid.slug])

    @property
    def legal(self) -> tuple[Suit, ...] | tuple[Card, ...]:
        """Every suit or every card that may be named now; empty if nothing is left to name."""
        if self.asks_trump:
            return tuple(suit for suit in self.bid.trumps if self._may_be_trump(suit))
        if self.bid.calls is None or not self.asks_card:
            return ()
        return self._cards(self.bid.calls, self.trump)

    def _may_be_trump(self, suit: Suit) -> bool:
        """Return whether a suit may be named trump; only the bound one may, if there is one.

        After the call it may not be the called card's suit; before it, it must leave the bidder a card to
        call.
        """
        if self.only is not None and suit is not self.only:
            return False
        if self.called is not None:
            return suit is not self.called.suit
        return self.bid.calls is None or bool(self._cards(self.bid.calls, suit))

    def _cards(self, calls: Calling, trump: Suit | None) -> tuple[Card, ...]:
        """Return the cards that the bidder may call in a trump suit, except of the suit bound to be trump."""
        hand = cards_of(self.hands[self.bidder])
        cards = calls.choices(self.rules.pack.cards, trump, hand)
        # Whoever is asked for trump afterwards must be able to name the suit that was bid.
        return tuple(card for card in cards if card.suit is not self.only)

    def after(self, named: Suit | Card | Call) -> "Naming":
        """Return the choices with trump or a card named, or a higher contract declared.

        A higher contract is not bound to the suit of the bid. Raises `Refused` if the choice is not allowed.
        """
        if named not in (*self.legal, *self.higher):
            raise Refused([self._problem(named)])
        if isinstance(named, Call):
            return self._replace(bid=self.rules.by_slug[named.call], only=None)
        if isinstance(named, Suit):
            return self._replace(trump=named)
        return self._replace(called=named)

    def _problem(self, named: Suit | Card | Call) -> Violation:
        """Return the violation of a choice that is not allowed."""
        if isinstance(named, Call):
            higher = tuple(call.call for call in self.higher)
            message = say(
                _MORE if higher else _NO_MORE,
                seat=named.seat,
                named=CallCode(named.call),
                bid=self.bid.title,
                choices=[*map(CallCode, higher)],
            )
            return Violation("call-not-allowed", message, {"field": "contract.bid"}, higher)
        legal = tuple(map(str, self.legal))
        name = word(named.word) if isinstance(named, Suit) else named
        if self.over:
            message = say("Nothing is left to name, but {named} was named.", named=name)
            return Violation("not-now", message, {"field": "contract"})
        if self.asks_card and self.bid.calls is not None and isinstance(named, Card):
            hand = cards_of(self.hands[self.bidder])
            problem = self.bid.calls.problem(named, self.rules.pack.cards, self.trump, hand)
            if problem is not None and named in self.rules.pack.cards:
                return problem
        key, code, why = (
            ("trump", "trump-not-allowed", _NO_TRUMP)
            if self.asks_trump
            else ("called", "called-card-not-allowed", _NO_CALL)
        )
        message = say(why, bid=self.bid.title, named=name, choices=self.legal)
        return Violation(code, message, {"field": f"contract.{key}"}, legal)


def can_name(
    rules: Rules, seats: tuple[str, ...], deal: KnownDeal, bid: Bid, place: int, trump: Suit
) -> bool:
    """Return whether the bidder at `place` has a choice left if the trump is bound to this suit.

    That is a card to call with this trump suit, if the bid calls one. False if the hand is not known in full.
    """
    naming = Naming.begin(rules, seats, deal.hands, bid, place, trump)
    return bool(deal.sure >> place & 1 and naming.legal)


_MORE = later(
    "{seat} cannot declare {named} now; whoever won the bidding may declare {choices:or} instead of"
    " {bid:term}."
)
_NO_MORE = later("{seat} cannot declare {named} now; no other contract may be declared any more.")
_NO_TRUMP = later("In {bid:term} {named} cannot be trumps now; the choices are {choices:and}.")
_NO_CALL = later(
    "In {bid:term} {named} cannot be the called card now; the choices are {choices:and}."
)
