"""The play of the tricks, card by card: the seat to play, its legal cards, and the winners."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards.card_sets import BITS, cards_of
from engine.cards.cards import Card
from engine.cards.ranking import CardOrder
from engine.errors import Refused, Violation
from engine.words.language import Sentence
from engine.words.sentences import later, say


class Play(NamedTuple):
    """The play in progress, as a frozen value. Seats are counted from eldest hand; cards are sets.

    `hands` are the known cards of each seat. `leaders` holds the leader of each trick, also of the one in
    progress, so each trick was won by the leader of the next. `won_cards` are the cards each seat has won,
    `trick` the cards of the trick in progress (`pile` as a set), which `best` is winning with `power`.
    """

    order: CardOrder
    seats: tuple[str, ...]
    hands: tuple[int, ...]
    turn: int
    leaders: tuple[int, ...]
    won_cards: tuple[int, ...]
    trick: tuple[Card, ...] = ()
    pile: int = 0
    best: int = 0
    power: int = -1

    @classmethod
    def begin(
        cls, order: CardOrder, seats: tuple[str, ...], hands: tuple[int, ...], leader: int
    ) -> "Play":
        """Return the play before its first card; `leader` is the place that leads to the first trick.

        `hands` are the known cards of each seat (bits), from eldest hand.
        """
        return cls(order, seats, hands, leader, (leader,), (0,) * len(seats))

    @property
    def over(self) -> bool:
        """Whether the seat in turn has no known card left, as after the last trick."""
        return not self.hands[self.turn]

    @property
    def to_act(self) -> str | None:
        """The name of the seat in turn; `None` if it has no known card left."""
        return None if self.over else self.seats[self.turn]

    @property
    def choices(self) -> int:
        """The set (bits) of cards in the hand of the seat to play that it may play; 0 for an empty hand."""
        hand, leads = self.hands[self.turn], self.order.leads
        if not self.trick:
            return sum(bit for bit, must in zip(BITS, leads, strict=True) if hand & must == bit)
        law = self.order.laws[self.trick[0]]
        return sum(bit for bit, must, _ in law if hand & must == bit)

    @property
    def legal(self) -> tuple[Card, ...]:
        """Every card that the seat to play may play now, by suit, each from high to low."""
        return cards_of(self.choices)

    @property
    def tricks(self) -> int:
        """The number of complete tricks."""
        return len(self.leaders) - 1

    def after(self, *cards: Card) -> "Play":
        """Return the play after one or several cards. Raises `Refused` with the first that is not allowed.

        A card must be in the hand of the seat in turn. A seat follows suit; if it cannot, it plays a trump if
        that is a duty; otherwise any card. The highest trump wins the trick, else the highest card of the
        suit led, and its winner leads to the next (002).
        """
        result = self._through(cards)
        if isinstance(result, int):
            raise Refused([self.after(*cards[:result]).problem(cards[result])])
        return result

    def _through(self, cards: Sequence[Card]) -> "Play | int":
        """Return the play after the cards, or the number of cards before the first that is not allowed."""
        order, seats, old_hands, turn, old_leaders, old_won, trick, pile, best, power = self
        hands, leaders, won_cards = list(old_hands), list(old_leaders), list(old_won)
        last, laid = len(seats) - 1, len(trick)
        laws, leads = order.laws, order.leads
        law = laws[trick[0]] if trick else ()
        for card in cards:
            if laid:
                bit, must, strength = law[card]
            else:
                law = laws[card]
                bit, _, strength = law[card]
                must, pile, power = leads[card], 0, -1
            hand = hands[turn]
            if hand & must != bit:
                return (len(leaders) - len(old_leaders)) * len(seats) + laid - len(trick)
            hands[turn] = hand ^ bit
            pile |= bit
            if strength > power:
                best, power = turn, strength
            if laid < last:
                laid += 1
                turn = turn + 1 if turn < last else 0
            else:
                won_cards[best] |= pile
                leaders.append(best)
                turn, laid = best, 0
        # As `Play(...)`, which takes twice as long; and a guided hand makes one for each card.
        return tuple.__new__(
            Play,
            (
                order,
                seats,
                tuple(hands),
                turn,
                tuple(leaders),
                tuple(won_cards),
                (*trick, *cards)[-laid:] if laid else (),
                pile,
                best,
                power,
            ),
        )

    def problem(self, card: Card) -> Violation:
        """Return the violation of playing a card next; call it only for a card that is not allowed.

        It was played before, is not held, or breaks a duty; its valid values are the legal cards.
        """
        seat, bit, number = self.seats[self.turn], BITS[card], len(self.leaders)
        position = len(self.trick) + 1
        where: dict[str, str | int] = {
            "trick": number,
            "position": position,
            "seat": seat,
            "card": str(card),
        }
        hand = self.hands[self.turn]
        legal = tuple(map(str, self.legal))
        place = place_of(number, position, capital=True)
        values: dict[str, object] = {"place": place, "seat": seat, "card": card}
        if card in self.trick or any(pile & bit for pile in self.won_cards):
            message = say("{place}: {seat} played {card}, which had already been played.", **values)
            return Violation("card-played-twice", message, where, legal)
        if not hand & bit:
            return Violation("card-not-held", self._not_held(card, values), where, legal)
        if not self.trick:
            values["called"] = cards_of(self.order.called & hand)
            return Violation("must-play-called-card", say(_LED, **values), where, legal)
        led = self.trick[0]
        values |= {"held": self.legal, "led": self.order.words[led]}
        if self.choices & self.order.called:
            code, reason = "must-play-called-card", _CALLED
        elif self.choices & self.order.follows[led]:
            code, reason = "must-follow-suit", _FOLLOW
        else:
            code, reason = "must-trump", _TRUMP
        return Violation(code, say(reason, **values), where, legal)

    def _not_held(self, card: Card, values: dict[str, object]) -> str:
        """Return the message for a card that the seat does not hold; it names another known holder."""
        hands = zip(self.seats, self.hands, strict=True)
        holder = next((seat for seat, hand in hands if hand & BITS[card]), None)
        if holder is None:
            return say("{place}: {seat} played {card}, but did not hold it.", **values)
        return say("{place}: {seat} played {card}, which {holder} held.", holder=holder, **values)


def place_of(trick: int, position: int, *, capital: bool = False) -> Sentence:
    """Return the text `trick 3` for a message, whose translation on pages also names the position, from 1.

    With `capital`, for the start of a message, it is `Trick 3`.

    >>> place_of(3, 2, capital=True), place_of(3, 2).template
    ('Trick 3', 'trick {number}, card {position}')
    """
    text = f"{'Trick' if capital else 'trick'} {trick}"
    return Sentence(text, _PLACE, {"number": trick, "position": position})


_PLACE = later("trick {number}, card {position}")


_CALLED = later(
    "{place}: {seat} played {card}, but held {held:and}, the called card, which must be played when its suit"
    " is led."
)
_LED = later(
    "{place}: {seat} led {card}, but held {called:and}, the called card, which must be led by a holder who"
    " leads its suit."
)
_FOLLOW = later("{place}: {seat} played {card}, but held {held:and} and had to follow {led:term}.")
_TRUMP = later(
    "{place}: {seat} played {card}, but had no {led:term}, held {held:and} and had to play a trump."
)
"""The messages for a seat that had to play another card."""
