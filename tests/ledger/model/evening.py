"""The model of a session: who sits there, every hand, and whatever else moved chips or money."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from tests.ledger.model.games import Game
from tests.ledger.model.paying import Paid, Pots, Said

Key = tuple[str, int | str]
"""Whose: ("seat", 3), ("pot", "frog"), ("player", "Ann"), ("session", "bank")."""

BANK, TILL, DIFFERENCES = ("session", "bank"), ("session", "till"), ("session", "differences")
SCORES = "german-solo"
"""The game whose hands nobody pays."""
NO_POTS = {"frog": 0, "solo": 0}


@dataclass
class Seat:
    """A place: whose it is, where, and how they are there."""

    id: int
    player: str
    position: int
    state: str = "playing"


@dataclass
class Hand:
    """A hand: its game and seats, all that was ever said of it, and whether it counts.

    It is all in the names of today.
    """

    game: Game
    seats: tuple[int, ...]
    players: tuple[str, ...]
    said: list[Said]
    void: bool = False


@dataclass
class Entry:
    """What was written that is no hand's: what it moved, and what the bank gave or was converted by it."""

    kind: str
    moved: Counter[Key]
    advanced: Counter[int] = field(default_factory=Counter)
    converted: Counter[int] = field(default_factory=Counter)
    seat: Seat | None = None
    before: tuple[str, int] | None = None
    rate: tuple[int, int] | None = None
    put_back: Callable[[], object] | None = None

    def backwards(self) -> "Entry":
        """Return its opposite."""

        def turned(count: Counter[Any]) -> Counter[Any]:
            return Counter({key: -amount for key, amount in count.items()})

        return Entry("reversal", turned(self.moved), turned(self.advanced), turned(self.converted))


class Played(NamedTuple):
    """What the hands come to: each one's pots before it and payout, the pots now, whether one ever owes."""

    before: Mapping[int, Pots]
    paid: Mapping[int, Mapping[int, int]]
    pots: Pots
    spent: bool
    hands: Mapping[int, Paid]


@dataclass
class Evening:
    """A session in dictionaries."""

    club: int
    id: int
    game: Game
    stack: int
    rate: tuple[int, int] | None
    seats: list[Seat]
    state: str = "open"
    revision: int = 1
    first: int = 0
    hands: dict[int, Hand] = field(default_factory=dict)
    order: list[int | Entry] = field(default_factory=list)
    last: Entry | tuple[str, int] | None = None
    leavings: dict[int, Entry] = field(default_factory=dict)
    moved: Counter[Key] = field(default_factory=Counter)
    advanced: Counter[int] = field(default_factory=Counter)
    converted: Counter[int] = field(default_factory=Counter)
    paid_alone: Counter[int] = field(default_factory=Counter)

    @property
    def present(self) -> list[Seat]:
        """Those who are here, clockwise."""
        return sorted(
            (seat for seat in self.seats if seat.state != "left"), key=lambda seat: seat.position
        )

    @property
    def playing(self) -> list[Seat]:
        """Those who are dealt in, clockwise."""
        return [seat for seat in self.present if seat.state == "playing"]

    @property
    def scores(self) -> bool:
        """Whether the next hand, if one can be played, is for scores."""
        return self.game.slug == SCORES and len(self.playing) in self.game.seats

    @property
    def scored(self) -> bool:
        """Whether a hand stands whose score nobody pays, whatever all of them come to."""
        hands = self.play().hands.items()
        return any(self.hands[number].game.slug == SCORES and paid.got for number, paid in hands)

    def arrange(self, seats: Sequence[Seat]) -> None:
        """Number those who are here anew; if the first dealer has gone, the next on the left is it."""
        if self.first not in [seat.id for seat in seats]:
            places = {seat.id: seat.position for seat in self.seats}
            gone = places.get(self.first, 0)
            around = sorted(seats, key=lambda seat: (places[seat.id] - gone) % len(places))
            self.first = around[0].id if around else 0
        for position, seat in enumerate(seats):
            seat.position = position

    def enter(self, entry: Entry) -> Entry:
        """Move what an entry moves."""
        self.moved.update(entry.moved)
        self.advanced.update(entry.advanced)
        self.converted.update(entry.converted)
        self.order.append(entry)
        self.last = entry
        return entry

    def note(self, kind: str, put_back: Callable[[], object]) -> None:
        """Keep how what was changed without a chip moving is put back."""
        self.enter(Entry(kind, Counter(), put_back=put_back))

    def play(self, changed: Mapping[int, Said | None] | None = None) -> Played:
        """Play all hands from the first, ``changed`` as they would be said (None: void)."""
        pots, spent = dict(NO_POTS), False
        before: dict[int, Pots] = {}
        paid: dict[int, Mapping[int, int]] = {}
        hands: dict[int, Paid] = {}
        for each in self.order:
            if isinstance(each, Entry):
                pots = {name: held + each.moved["pot", name] for name, held in pots.items()}
                continue
            hand = self.hands[each]
            said = None if hand.void else hand.said[-1]
            if changed is not None and each in changed:
                said = changed[each]
            if said is None:
                continue
            if hand.game.with_pots:
                before[each] = dict(pots)
                spent = spent or min(pots.values()) < 0
            hands[each] = hand.game.pay(hand.players, said, pots)
            got, pots = hands[each].got, hands[each].pots
            paid[each] = dict(zip(hand.seats, (got[name] for name in hand.players), strict=True))
        return Played(before, paid, pots, spent or min(pots.values()) < 0, hands)

    def chips(self, played: Played | None = None) -> Counter[int]:
        """Return what every seat holds."""
        held = Counter({seat.id: self.moved["seat", seat.id] for seat in self.seats})
        for paid in (played or self.play()).paid.values():
            held.update(paid)
        return held

    def accounts(self) -> dict[Key, int]:
        """Return what every account of the session holds that holds anything."""
        played = self.play()
        held: dict[Key, int] = {("seat", seat): chips for seat, chips in self.chips(played).items()}
        held |= {("pot", name): chips for name, chips in played.pots.items()}
        held |= {key: self.moved[key] for key in (BANK, TILL, DIFFERENCES)}
        chips = sum(amount for key, amount in held.items() if key != TILL)
        held["session", "world"] = -chips
        return {key: amount for key, amount in held.items() if amount}

    def proposal(self) -> tuple[str, str] | None:
        """Say who is to deal and to lead next; None where too few or too many play.

        If who is to deal has left, the next of the last hand does; whoever sits out hands it on.
        """
        if len(self.playing) not in self.game.seats:
            return None
        ids = [seat.id for seat in self.present]
        places = [ids.index(self.first)]
        standing = [number for number, hand in self.hands.items() if not hand.void]
        if standing:
            last = self.hands[max(standing)]
            place = last.players.index(last.game.next_dealer(last.players, last.said[-1]))
            turn = [*last.seats[place:], *last.seats[:place]]
            places = [*(ids.index(seat) for seat in turn if seat in ids), 0]
        around = [*self.present[places[0] :], *self.present[: places[0]]] * 2
        dealer, lead, *_ = [seat.player for seat in around if seat.state == "playing"]
        return dealer, lead

    def name_of(self, key: Key) -> str:
        """Return what the books call an account of the session."""
        kind, whose = key
        if kind == "seat":
            return f"seat/{whose}"
        return f"session/{self.id}/{f'pot/{whose}' if kind == 'pot' else whose}"

    def won(self) -> dict[int, int]:
        """Return what every seat won and has not turned into money, clockwise with those who left."""
        chips = self.chips()
        return {
            seat.id: chips[seat.id] - self.advanced[seat.id] - self.converted[seat.id]
            for seat in sorted(self.seats, key=lambda seat: (seat.position, seat.id))
        }

    def won_by_player(self) -> Counter[str]:
        """Return what every player won and has not turned into money, of all seats they had."""
        won, chips = self.won(), Counter[str]()
        for seat in self.seats:
            chips[seat.player] += won[seat.id]
        return chips

    def following(self, number: int, said: Said | None) -> tuple[list[int], bool, bool]:
        """Say what a change of a hand brings: who follows, whether a pot would owe, or somebody left."""
        now, then = self.play(), self.play({number: said})
        later = [each for each in self.order if isinstance(each, int) and each > number]
        followed = [
            each for each in later if each in now.before and now.before[each] != then.before[each]
        ]
        left = {seat.id for seat in self.seats if seat.state == "left"}
        moved = {
            seat
            for each in (number, *followed)
            for played in (now, then)
            for seat, amount in played.paid.get(each, {}).items()
            if amount
        }
        return followed, then.spent, bool(left & moved)


def shared(total: int, seats: Sequence[Seat]) -> Counter[Key]:
    """Divide a total among seats, what is left over one each from the first."""
    each, over = divmod(total, len(seats))
    return Counter({("seat", seat.id): each + (n < over) for n, seat in enumerate(seats)})


def money_for(won: Mapping[int, int], rate: tuple[int, int], total: int) -> dict[int, int]:
    """Turn chips into money: down to whole units, the rest to those with chips, largest fractions first."""
    exact = {seat: Fraction(chips * rate[1], rate[0]) for seat, chips in won.items()}
    paid = {seat: share.__floor__() for seat, share in exact.items()}
    sharing = [seat for seat in won if won[seat]] or list(won)
    by_fraction = sorted(sharing, key=lambda seat: paid[seat] - exact[seat])
    each, over = divmod(total - sum(paid.values()), len(sharing))
    for rank, seat in enumerate(by_fraction):
        paid[seat] += each + (rank < over)
    return paid
