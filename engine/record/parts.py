"""The nested parts of a hand record, as frozen values; `engine.record.fields` parses and writes them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from engine.cards.cards import Card, Suit

HEARTLESS = 3
"""The number of deals in a row without a heart after which the player under is passed over (002)."""

PASS = "pass"  # noqa: S105 - the call, no secret


class Contract(NamedTuple):
    """The contract of a hand; keys that follow from others may be left out.

    `bid` is a slug, or `pass` if all passed. `alone` means that the caller called an own card. `doubled`,
    `redoubled` and `announced_tout` belong to progressive and german-solo.
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


class Deal(NamedTuple):
    """The dealt hands and the widow; `None` stands for an unknown card."""

    hands: Mapping[str, tuple[Card | None, ...]] | None = None
    widow: tuple[Card | None, ...] | None = None


class Spit(NamedTuple):
    """Crazy-solo's first deal: `order` has each card dealt with its place, a seat or `spit`.

    `drawn` has, in order, a seat, the card that it showed, and the one that it drew instead.
    """

    order: tuple[tuple[str, Card], ...] | None = None
    drawn: tuple[tuple[str, Card, Card], ...] | None = None


class Call(NamedTuple):
    """One call of the auction; `doubler` names the seat that a `redouble` answers."""

    seat: str
    call: str
    doubler: str | None = None


class Exchange(NamedTuple):
    """Exchanged cards: frog's `took` and `discarded`; call solo's giver and returned card.

    `giver` is the record's `from`: a seat, or `widow` if the called card was there.
    """

    took: tuple[Card, ...] | None = None
    discarded: tuple[Card, ...] | None = None
    giver: str | None = None
    returned: Card | None = None


class Trick(NamedTuple):
    """The cards of one trick in the order played, `None` for an unknown one, and its leader, if recorded."""

    cards: tuple[Card | None, ...]
    leader: str | None = None


@dataclass(frozen=True, slots=True)
class Tricks(Sequence[Trick]):
    """The tricks of a hand: all cards in the order played, and the size and leader of each trick.

    `gap` is the number of cards before the first unknown one; `None` if all are known. `excused` are cards
    that broke a rule and that the table let stand, each with the seat that led it out of turn, or `None`.

    >>> six, seven, ace = map(Card.parse, ("6S", "7S", "AS"))
    >>> tricks = Tricks.of([Trick((six, ace), "Ann"), Trick((seven,))])
    >>> tricks.cards, tricks.sizes, tricks[1]
    ((6S, AS, 7S), (2, 1), Trick(cards=(7S,), leader=None))
    """

    cards: tuple[Card | None, ...]
    sizes: tuple[int, ...]
    leaders: tuple[str | None, ...]
    gap: int | None = None
    excused: tuple[tuple[Card, str | None], ...] = ()

    @classmethod
    def of(cls, tricks: Sequence[Trick]) -> "Tricks":
        """Build from a sequence of tricks; `Tricks` themselves are returned unchanged."""
        if isinstance(tricks, cls):
            return tricks
        cards = tuple([card for trick in tricks for card in trick.cards])
        sizes = tuple([len(trick.cards) for trick in tricks])
        gap = cards.index(None) if None in cards else None
        return cls(cards, sizes, tuple([trick.leader for trick in tricks]), gap)

    @property
    def played(self) -> tuple[Card, ...]:
        """The cards of all tricks in the order played, up to the first unknown one, if any."""
        return self.cards[: self.gap]  # type: ignore[return-value]  # as `gap` is before the first None

    def __len__(self) -> int:
        return len(self.sizes)

    def __iter__(self) -> Iterator[Trick]:
        rest = iter(self.cards)
        for size, leader in zip(self.sizes, self.leaders, strict=True):
            yield Trick(tuple(islice(rest, size)), leader)

    def __getitem__(self, place: Any) -> Any:
        return tuple(self)[place]


class Pots(NamedTuple):
    """The contents of progressive's two pots: in a record before the antes, in a verdict after the hand."""

    frog: int
    solo: int


class BlindRound(NamedTuple):
    """The blind round of a crazy-solo hand, whose lead is under (002).

    `done` are the players who have been under or were passed over, `heartless` the number of deals in a row
    without a heart for the player who is under.
    """

    done: tuple[str, ...] = ()
    heartless: int = 0
