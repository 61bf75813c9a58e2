"""The parts of a hand record that are tables or lists of their own, as frozen values.

Each has `read`, which takes the raw value, its dotted path and the list of problems, and
`to_mapping` (or `to_list`), which writes what was read, cards as one string.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

from engine.cards.cards import Card, Suit, write_cards
from engine.record import reading
from engine.record.reading import At, Problems, Reader
from engine.record.shaping import build, of_result, present, rows_of

HEARTLESS = 3
"""So many deals in a row without a heart, and the player under is passed over (002)."""

PASS = "pass"  # noqa: S105 - the call, no secret


class Contract(NamedTuple):
    """What was played: whatever follows from the rest may be left out.

    `bid` is a slug or `pass` where all passed. `alone` is true when the caller called a card of their
    own. `doubled`, `redoubled` and `announced_tout` belong to progressive and german-solo.
    """

    bidder: str | None = None
    bid: str | None = None
    trump: Suit | None = None
    called: Card | None = None
    partner: str | None = None
    alone: bool | None = None
    doubled: tuple[str, ...] | None = None
    redoubled: tuple[str, ...] | None = None
    announced_tout: bool | None = None

    @classmethod
    def read(cls, value: object, at: At, problems: Problems) -> Self | None:
        """Read a contract."""
        return build(cls, value, at, CONTRACT, problems)

    def to_mapping(self) -> dict[str, object]:
        """Write the keys that are there."""
        return present(
            bidder=self.bidder,
            bid=self.bid,
            trump=self.trump and self.trump.value,
            called=None if self.called is None else str(self.called),
            partner=self.partner,
            alone=self.alone,
            doubled=None if self.doubled is None else list(self.doubled),
            redoubled=None if self.redoubled is None else list(self.redoubled),
            announced_tout=self.announced_tout,
        )


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands as dealt, and the widow; `None` stands for a card that nobody noted."""

    hands: Mapping[str, tuple[Card | None, ...]] | None = None
    widow: tuple[Card | None, ...] | None = None

    @classmethod
    def read(cls, value: object, at: At, problems: Problems) -> Self | None:
        """Read a deal."""
        return build(cls, value, at, DEAL, problems)

    def to_mapping(self) -> dict[str, object]:
        """Write the keys that are there."""
        hands = self.hands
        return present(
            hands=None if hands is None else {seat: _dealt(held) for seat, held in hands.items()},
            widow=None if self.widow is None else _dealt(self.widow),
        )


@dataclass(frozen=True, slots=True)
class Spit:
    """Crazy-solo's first deal: the order of the cards, and who showed and drew which."""

    order: tuple[tuple[str, Card], ...] | None = None
    drawn: tuple[tuple[str, Card, Card], ...] | None = None

    @classmethod
    def read(cls, value: object, at: At, problems: Problems) -> Self | None:
        """Read a spit deal."""
        return build(cls, value, at, SPIT, problems)

    def to_mapping(self) -> dict[str, object]:
        """Write the keys that are there."""
        return present(
            order=None if self.order is None else [[seat, str(card)] for seat, card in self.order],
            drawn=None
            if self.drawn is None
            else [[seat, str(shown), str(drawn)] for seat, shown, drawn in self.drawn],
        )


class Call(NamedTuple):
    """One call of the auction; `doubler` names the seat that a `redouble` answers."""

    seat: str
    call: str
    doubler: str | None = None

    def to_list(self) -> list[object]:
        """Write `[seat, call]`, or `[seat, "redouble", doubler]`."""
        doubler = () if self.doubler is None else (self.doubler,)
        return [self.seat, self.call, *doubler]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Cards that changed hands: frog's `took` and `discarded`; call solo's giver and returned card.

    `giver` is the record's `from`: a seat, or `widow` when the called card lay there.
    """

    took: tuple[Card, ...] | None = None
    discarded: tuple[Card, ...] | None = None
    giver: str | None = None
    returned: Card | None = None

    @classmethod
    def read(cls, value: object, at: At, problems: Problems) -> Self | None:
        """Read an exchange."""
        return build(cls, value, at, EXCHANGE, problems)

    def to_mapping(self) -> dict[str, object]:
        """Write the keys that are there."""
        written = present(
            took=None if self.took is None else write_cards(self.took),
            discarded=None if self.discarded is None else write_cards(self.discarded),
            returned=None if self.returned is None else str(self.returned),
        )
        return written if self.giver is None else {"from": self.giver, **written}


class Trick(NamedTuple):
    """The cards of one trick in the order played."""

    cards: tuple[Card, ...]
    leader: str | None = None

    @classmethod
    def read(cls, value: object, at: At, problems: Problems) -> Self | None:
        """Read a trick."""
        return build(cls, value, at, TRICK, problems, ("cards",))

    def to_mapping(self) -> dict[str, object]:
        """Write the cards, and the leader if noted."""
        cards = {"cards": write_cards(self.cards)}
        return dict(cards) if self.leader is None else {"leader": self.leader, **cards}


@dataclass(frozen=True, slots=True)
class Pots:
    """What progressive's two pots hold: in a record before the antes, in a verdict after the hand."""

    frog: int
    solo: int

    @classmethod
    def read(cls, value: object, at: At, problems: Problems) -> Self | None:
        """Read the pots."""
        return build(cls, value, at, POTS, problems, ("frog", "solo"))

    def to_mapping(self) -> dict[str, object]:
        """Write both pots."""
        return {"frog": self.frog, "solo": self.solo}


class BlindRound(NamedTuple):
    """The blind round that a hand of crazy-solo is part of: whoever leads it is under (002).

    `done` have been under in it or were passed over. `heartless` deals in a row whoever is under has had
    without a heart.
    """

    done: tuple[str, ...] = ()
    heartless: int = 0

    @classmethod
    def read(cls, value: object, at: At, problems: Problems) -> Self | None:
        """Read a blind round; `false` says that there is none."""
        return None if value is False else build(cls, value, at, BLIND_ROUND, problems)

    def to_mapping(self) -> dict[str, object]:
        """Write who is done, and the deals without a heart, where there are any."""
        return {
            **({"done": list(self.done)} if self.done else {}),
            **({"heartless": self.heartless} if self.heartless else {}),
        }


def _dealt(cards: tuple[Card | None, ...]) -> str:
    return " ".join("?" if card is None else str(card) for card in cards)


def _hands(
    value: object, at: At, problems: Problems
) -> dict[str, tuple[Card | None, ...] | None] | None:
    table = reading.mapping(value, at, problems)
    if table is None:
        return None
    return {seat: reading.dealt_cards(held, (at, seat), problems) for seat, held in table.items()}


CONTRACT: Mapping[str, tuple[str, Reader]] = {
    "bidder": ("bidder", reading.text),
    "bid": ("bid", reading.bid),
    "trump": ("trump", reading.suit),
    "called": ("called", reading.card),
    "partner": ("partner", reading.text),
    "alone": ("alone", reading.flag),
    "doubled": ("doubled", reading.names),
    "redoubled": ("redoubled", reading.names),
    **of_result(in_contract=True),
}
DEAL: Mapping[str, tuple[str, Reader]] = {
    "hands": ("hands", _hands),
    "widow": ("widow", reading.dealt_cards),
}
SPIT: Mapping[str, tuple[str, Reader]] = {
    "order": ("order", rows_of(reading.text, reading.card)),
    "drawn": ("drawn", rows_of(reading.text, reading.card, reading.card)),
}
EXCHANGE: Mapping[str, tuple[str, Reader]] = {
    "took": ("took", reading.cards),
    "discarded": ("discarded", reading.cards),
    "from": ("giver", reading.text),
    "returned": ("returned", reading.card),
}
TRICK: Mapping[str, tuple[str, Reader]] = {
    "leader": ("leader", reading.text),
    "cards": ("cards", reading.cards),
}


def _heartless(value: object, at: At, problems: Problems) -> int | None:
    count = reading.whole(value, at, problems)
    if count is None or 0 <= count < HEARTLESS:
        return count
    reading.wrong(problems, at, count, "0, 1 or 2: at the third such deal a player is passed over")
    return None


BLIND_ROUND: Mapping[str, tuple[str, Reader]] = {
    "done": ("done", reading.names),
    "heartless": ("heartless", _heartless),
}
POTS: Mapping[str, tuple[str, Reader]] = {
    "frog": ("frog", reading.whole),
    "solo": ("solo", reading.whole),
}
