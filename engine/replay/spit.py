"""Crazy Solo's first deal: the dealer spits cards aside, and cards to be removed are exchanged for them.

The dealer deals singly from all 36 cards, and lays a card aside whenever a player other than the dealer calls
"spit", not before everyone has a card, until as many lie there as must be removed. Holders of cards that must
be removed show them and draw from the pile, again if they draw another such card (002; the order of drawing,
and that the rest of the pile must be removable, are decided in the rules sheet).
"""

from collections.abc import Iterable
from typing import NamedTuple

from engine.cards.card_sets import BITS, cards_of
from engine.cards.cards import FULL, Card
from engine.errors import Problems, Refused, Violation
from engine.phases.actions import DealtCard, DrawnCard
from engine.record import HandRecord, Spit
from engine.replay.deal import KnownDeal, nothing_known, read_deal
from engine.rules.seating import SeatingTable
from engine.rules.sheet import Rules
from engine.words.sentences import say, word

SPIT = "spit"


class Spitting(NamedTuple):
    """Crazy Solo's first deal in progress, as a frozen value; `seats` begin at the dealer's left.

    `hands` and `pile`, the cards laid aside, are sets (bits), as is `pack`, the cards in play. `spits` is the
    number still to lay aside, `drawn` the number of cards drawn.
    """

    seats: tuple[str, ...]
    pack: int
    spits: int
    hands: tuple[int, ...]
    turn: int = 0
    pile: int = 0
    dealt_count: int = 0
    drawn: int = 0

    @classmethod
    def begin(cls, seats: tuple[str, ...], pack: int, spits: int) -> "Spitting":
        """Return the deal with no card dealt, to deal all 36, of which `spits` are laid aside.

        `seats` begin at the dealer's left; `pack` is the set of cards (bits) that stay in play.
        """
        return cls(seats, pack, spits, (0,) * len(seats))

    @property
    def left(self) -> int:
        """The set (bits) of cards that are neither in a hand nor in the pile."""
        out = self.pile
        for hand in self.hands:
            out |= hand
        return FULL.mask & ~out

    @property
    def dealing(self) -> bool:
        """Whether cards are still being dealt; afterwards they are shown and drawn."""
        return self.dealt_count < len(FULL.cards)

    @property
    def to_act(self) -> str | None:
        """The dealer while cards are dealt; then the first seat with a card to show; `None` at the end."""
        if self.dealing:
            return self.seats[-1]
        return next((seat for seat in self.seats if self.showing(seat)), None)

    @property
    def legal(self) -> tuple[DealtCard | DrawnCard, ...]:
        """Every card that may be dealt next with its place; later every way to show and draw, if any."""
        if self.dealing:
            left = cards_of(self.left)
            return tuple(DealtCard(place, card) for place in self.places for card in left)
        pile = cards_of(self.pile)
        return tuple(
            DrawnCard(seat, shown, card)
            for seat in self.seats
            for shown in self.showing(seat)
            for card in pile
        )

    def after(self, action: DealtCard | DrawnCard) -> "Spitting":
        """Return the deal after dealing a card, or showing one and drawing another from the pile.

        Raises `Refused` if that is not allowed.
        """
        return self.dealt([action]) if isinstance(action, DealtCard) else self._draw(*action)

    def dealt(self, order: Iterable[tuple[str, Card]]) -> "Spitting":
        """Return the deal after dealing cards in order, each to a seat or to `spit`.

        Raises `Refused` with the first card that may not go to its place, or was dealt before.
        """
        seats, pack, spits, before, turn, pile, dealt_count, drawn = self
        hands, left, count = list(before), self.left, len(seats)
        for place, card in order:
            bit = BITS[card]
            if left & bit and place == seats[turn] and len(FULL.cards) - dealt_count != spits:
                hands[turn] |= bit
                turn = turn + 1 if turn + 1 < count else 0
            else:
                state = Spitting(seats, pack, spits, tuple(hands), turn, pile, dealt_count, drawn)
                if place not in state.places or not left & bit:
                    raise Refused([state.problem(place, card)])
                pile |= bit
                spits -= 1
            left ^= bit
            dealt_count += 1
        return Spitting(seats, pack, spits, tuple(hands), turn, pile, dealt_count, drawn)

    @property
    def over(self) -> bool:
        """Whether all cards are dealt and no seat holds one that must be removed."""
        return not self.dealing and not any(hand & ~self.pack for hand in self.hands)

    @property
    def places(self) -> tuple[str, ...]:
        """The places to which the next card may go: the seat in turn, the pile (`spit`), or both.

        Spit may be called once every seat has a card, as long as cards must be laid aside. Empty if all is
        dealt.
        """
        if not self.dealing:
            return ()
        rest = len(FULL.cards) - self.dealt_count
        if rest == self.spits:
            return (SPIT,)
        seat = self.seats[self.turn]
        may_spit = self.spits and self.dealt_count >= len(self.seats)
        return (seat, SPIT) if may_spit else (seat,)

    def problem(self, place: str, card: Card) -> Violation:
        """Return the violation of dealing a card; call it only for a card that may not go to the place."""
        number = self.dealt_count + 1
        where: dict[str, str | int] = {"field": f"spit.order.{number}", "card": str(card)}
        legal = self.places
        if place in legal:
            message = say(
                "Card {number} of the deal is {card}, which was already dealt.",
                number=number,
                card=card,
            )
            return Violation("card-dealt-twice", message, where)
        message = say(
            "Card {number} of the deal could go to {places:or}, not {place}.",
            number=number,
            places=[_place_name(other) for other in legal],
            place=_place_name(place),
        )
        if not legal:
            message = say("All cards are dealt; {place} gets no more.", place=_place_name(place))
        return Violation("deal-order", message, where, legal)

    def showing(self, seat: str) -> tuple[Card, ...]:
        """Return the cards in a seat's hand that are not in the pack, which it must show and replace."""
        return cards_of(self.hands[self.seats.index(seat)] & ~self.pack)

    def _draw(self, seat: str, shown: Card, card: Card) -> "Spitting":
        """Return the deal after a seat shows a card that must be removed, and draws one of the pile for it.

        Raises `Refused` if cards are still dealt, or the card need not be shown, or is not in the pile.
        """
        where: dict[str, str | int] = {"field": f"spit.drawn.{self.drawn + 1}", "seat": seat}
        if self.dealing or shown not in self.showing(seat):
            legal = tuple(map(str, self.showing(seat)))
            message = say(
                "{seat} showed {card}, which is not a card that {seat} held and had to show.",
                seat=seat,
                card=shown,
            )
            where["card"] = str(shown)
            raise Refused([Violation("spit-shown", message, where, legal)])
        if not self.pile & BITS[card]:
            message = say(
                "{seat} drew {card}, which does not lie in the pile.", seat=seat, card=card
            )
            where["card"] = str(card)
            raise Refused([Violation("spit-drawn", message, where)])
        hands = list(self.hands)
        at = self.seats.index(seat)
        hands[at] = hands[at] & ~BITS[shown] | BITS[card]
        return self._replace(hands=tuple(hands), pile=self.pile & ~BITS[card], drawn=self.drawn + 1)


def _place_name(place: str) -> str:
    """Return a place that cards are dealt to for a message: a seat's name, or the pile as a word."""
    return word(SPIT) if place == SPIT else place


def read_spit(
    rules: Rules, table: SeatingTable, spit: Spit, deal: KnownDeal, problems: Problems
) -> KnownDeal | None:
    """Return the known deal after a recorded spit deal; `None` if it is refused.

    A refused one adds its violations to `problems`. The known part of `deal` must agree with it. Without an
    order of cards, `deal` is returned unchanged.
    """
    spits = rules.dealing.spit
    if not spits:
        message = say("With {n} players no card is spit; leave the spit deal out.", n=rules.seats)
        problems.append(Violation("no-spit", message, {"field": "spit"}))
        return None
    if spit.order is None:
        return deal
    state = Spitting.begin(table.active, rules.pack.mask, spits)
    try:
        state = state.dealt(spit.order)
        for seat, shown, card in spit.drawn or ():
            state = state.after(DrawnCard(seat, shown, card))
        _check_end(state)
        _check_deal(state, deal)
    except Refused as refused:
        problems += refused.violations
        return None
    return KnownDeal(state.hands, 0, (1 << len(state.seats)) - 1, True)


def deal_of(rules: Rules, table: SeatingTable, record: HandRecord) -> KnownDeal:
    """Return the cards that a record's deal and spit deal show; a part that is refused shows none."""
    deal = nothing_known(len(table.active))
    if record.deal is not None:
        deal = read_deal(rules, table.active, record.deal, []) or deal
    if record.spit is not None:
        deal = read_spit(rules, table, record.spit, deal, []) or deal
    return deal


def _check_end(state: Spitting) -> None:
    """Raise `Refused` if cards are left to deal, or a seat still holds one that must be removed."""
    if state.dealing:
        rest = len(FULL.cards) - state.dealt_count
        message = say("{n} cards of the 36 are not dealt yet.", n=rest)
        raise Refused([Violation("spit-unfinished", message, {"field": "spit.order"})])
    for seat in state.seats:
        cards = state.showing(seat)
        if cards:
            message = say(
                "{seat} still holds {card}, which must be shown and exchanged.",
                seat=seat,
                card=cards[0],
            )
            where = {"field": "spit.drawn", "seat": seat, "card": str(cards[0])}
            raise Refused([Violation("spit-unfinished", message, where)])


def _check_deal(state: Spitting, deal: KnownDeal) -> None:
    """Raise `Refused` for a card of a recorded hand that its seat did not get in the spit deal."""
    for seat, own, recorded in zip(state.seats, state.hands, deal.hands, strict=True):
        strange = recorded & ~own
        if strange:
            card = cards_of(strange)[0]
            message = say("By the spit deal {seat} did not get {card}.", seat=seat, card=card)
            where = {"field": f"deal.hands.{seat}", "seat": seat, "card": str(card)}
            raise Refused([Violation("deal-against-spit", message, where)])
