"""The model of a session: its seats, hands and other entries."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from ledger.services.chips.bank import ScoresNotChips
from ledger.words.problems import Problem
from tests.ledger.model.games import Game
from tests.ledger.model.paying import Paid, Pots, Said

Key = tuple[str, int | str]
"""The key of an account: ("seat", 3), ("pot", "frog"), ("player", "Ann"), ("session", "bank")."""

BANK, TILL, DIFFERENCES = ("session", "bank"), ("session", "till"), ("session", "differences")
SCORES = "german-solo"
"""The game whose hands nobody pays."""
NO_POTS = {"frog": 0, "solo": 0}


@dataclass
class Seat:
    """A seat: its player, position and state."""

    id: int
    player: str
    position: int
    state: str = "playing"


class Blind(NamedTuple):
    """A blind round before a hand: its seats that were under, and other players, by their names then."""

    seats: frozenset[int] = frozenset()
    others: frozenset[str] = frozenset()
    heartless: int = 0


class Turn(NamedTuple):
    """The dealer, the lead and the player under in the next hand."""

    dealer: str
    lead: str
    blind: tuple[frozenset[str], int] | None = None

    @property
    def under(self) -> str | None:
        """The player on the lead, in a blind round."""
        return None if self.blind is None else self.lead


@dataclass
class Hand:
    """A hand: its game and seats, all its versions, and whether it counts.

    It is all in the names of today. ``blinds`` are the blind rounds stated for it.
    """

    game: Game
    seats: tuple[int, ...]
    players: tuple[str, ...]
    said: list[Said]
    blinds: list[Blind | None]
    void: bool = False

    def led(self, said: Said) -> int:
        """Return the seat on the dealer's left."""
        return self.seats[(self.players.index(said["dealer"]) + 1) % len(self.seats)]


@dataclass
class Entry:
    """An entry other than a hand's: the amounts it moved, and the chips lent or converted by it."""

    kind: str
    moved: Counter[Key]
    advanced: Counter[int] = field(default_factory=Counter)
    converted: Counter[int] = field(default_factory=Counter)
    seat: Seat | None = None
    before: tuple[str, int] | None = None
    rate: tuple[int, int] | None = None
    put_back: Callable[[], object] | None = None

    def backwards(self) -> "Entry":
        """Return the reversal of this entry."""

        def turned(count: Counter[Any]) -> Counter[Any]:
            return Counter({key: -amount for key, amount in count.items()})

        return Entry("reversal", turned(self.moved), turned(self.advanced), turned(self.converted))


class Played(NamedTuple):
    """The results of the hands: each one's pots before it and payout, the pots now, whether one ever owes."""

    before: Mapping[int, Pots]
    paid: Mapping[int, Mapping[int, int]]
    pots: Pots
    spent: bool
    hands: Mapping[int, Paid]


@dataclass
class Evening:
    """The model of one session."""

    club: int
    id: int
    game: Game
    stack: int
    rate: tuple[int, int] | None
    seats: list[Seat]
    state: str = "open"
    revision: int = 1
    first: int = 0
    heirs: dict[int, Seat | None] = field(default_factory=dict)
    hands: dict[int, Hand] = field(default_factory=dict)
    order: list[int | Entry] = field(default_factory=list)
    last: Entry | tuple[str, int] | None = None
    leavings: dict[int, Entry] = field(default_factory=dict)
    moved: Counter[Key] = field(default_factory=Counter)
    advanced: Counter[int] = field(default_factory=Counter)
    converted: Counter[int] = field(default_factory=Counter)
    paid_alone: Counter[int] = field(default_factory=Counter)
    settled: dict[int, Entry] = field(default_factory=dict)
    has_money_entries: bool = False
    currency: str = "EUR"
    on_paper: bool = False
    done: list["Evening"] = field(default_factory=list)
    undone: list["Evening"] = field(default_factory=list)

    @property
    def present(self) -> list[Seat]:
        """The seats that were not left, clockwise."""
        return sorted(
            (seat for seat in self.seats if seat.state != "left"), key=lambda seat: seat.position
        )

    @property
    def playing(self) -> list[Seat]:
        """The seats that play the next hand, clockwise."""
        return [seat for seat in self.present if seat.state == "playing"]

    @property
    def chipless(self) -> tuple[type[Problem], ...]:
        """Return the refusal of steps that need chips, in a session without any."""
        return () if self.in_chips else (ScoresNotChips,)

    @property
    def in_chips(self) -> bool:
        """Whether chips are played for, are worth money, or somebody was given or has won any."""
        if self.game.slug != SCORES or self.rate or self.stack:
            return True
        chips, given = self.chips(), self.advanced
        return any(
            chips[seat.id] != given[seat.id]
            or (seat.state != "left" and given[seat.id] + self.converted[seat.id])
            for seat in self.seats
        )

    @staticmethod
    def arrange(seats: Sequence[Seat]) -> None:
        """Number the present players again."""
        for position, seat in enumerate(seats):
            seat.position = position

    def vacate(self, seat: Seat) -> None:
        """Let a seat be left: the player on its left deals in its place."""
        here = [*self.present, self.present[0]]
        left = here[here.index(seat) + 1]
        self.heirs[seat.id] = left if left is not seat else None
        seat.state = "left"
        self.arrange(self.present)

    def enter(self, entry: Entry) -> Entry:
        """Apply the amounts of an entry."""
        self.add(entry)
        self.order.append(entry)
        self.last = entry
        return entry

    def settle(self) -> None:
        """Bring every seat that was left back to no chips: for money at the rate of its leaving.

        If the table plays at that rate no longer, or there was none, the winnings stay chips. All money
        for a seat is rounded as if it had been paid at once. ``settled`` keeps all this by seat.
        """
        for seat_id, holding in self.chips().items():
            if not holding or seat_id not in self.heirs:
                continue
            seat = next(seat for seat in self.seats if seat.id == seat_id)
            leaving = self.leavings[seat_id]
            more = Entry("settled", Counter({("seat", seat_id): -holding, BANK: holding}))
            if leaving.rate is not None and leaving.rate == self.rate:
                settled = self.settled.get(seat_id)
                cashed = leaving.converted[seat_id] + (settled.converted[seat_id] if settled else 0)
                won = self.won()[seat_id]
                amount = self.worth(cashed + won) - self.worth(cashed)
                more.moved.update({("player", seat.player): amount, TILL: -amount})
                more.converted[seat_id] = won
            more.advanced[seat_id] = -holding
            self.paid_alone.update(more.converted)
            self.add(more)
            together = self.settled.setdefault(seat_id, Entry("settled", Counter()))
            together.moved.update(more.moved)
            together.advanced.update(more.advanced)
            together.converted.update(more.converted)

    def worth(self, won: int) -> int:
        """Return the worth of chips at the rate, to the nearest unit."""
        per, worth = self.rate or (1, 0)
        return (2 * won * worth + per) // (2 * per)

    def add(self, entry: Entry) -> None:
        """Apply the amounts of an entry that is not listed as one."""
        self.moved.update(entry.moved)
        self.has_money_entries |= any(
            amount and (key == TILL or key[0] == "player") for key, amount in entry.moved.items()
        )
        self.advanced.update(entry.advanced)
        self.converted.update(entry.converted)

    def note(self, kind: str, put_back: Callable[[], object]) -> None:
        """Store the way to restore a change that moved no chip."""
        self.enter(Entry(kind, Counter(), put_back=put_back))

    def play(self, changed: Mapping[int, Said | None] | None = None) -> Played:
        """Play all hands from the first, with the ``changed`` contents (None: void)."""
        pots, spent = dict(NO_POTS), False
        before: dict[int, Pots] = {}
        paid: dict[int, Mapping[int, int]] = {}
        hands: dict[int, Paid] = {}
        for each in self.order:
            if isinstance(each, Entry):
                pots = {name: holding + each.moved["pot", name] for name, holding in pots.items()}
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
        """Return each seat's chips."""
        held = Counter({seat.id: self.moved["seat", seat.id] for seat in self.seats})
        for number, paid in (played or self.play()).paid.items():
            if self.hands[number].game.slug != SCORES:
                held.update(paid)
        return held

    def scores(self, played: Played | None = None) -> Counter[int]:
        """Return each seat's scores, which nobody pays."""
        scored = Counter[int]()
        for number, paid in (played or self.play()).paid.items():
            if self.hands[number].game.slug == SCORES:
                scored.update(paid)
        return scored

    def shown(self) -> Counter[int]:
        """Return a scoreboard's first figure of every seat: chips, or scores if there are none."""
        return self.chips() if self.in_chips else self.scores()

    def accounts(self) -> dict[Key, int]:
        """Return the balances of the session's accounts that are not 0."""
        played = self.play()
        both = Counter(self.chips(played))
        both.update(self.scores(played))
        held: dict[Key, int] = {("seat", seat): amount for seat, amount in both.items()}
        held |= {("pot", name): chips for name, chips in played.pots.items()}
        held |= {key: self.moved[key] for key in (BANK, TILL, DIFFERENCES)}
        chips = sum(amount for key, amount in held.items() if key != TILL)
        held["session", "world"] = -chips
        return {key: amount for key, amount in held.items() if amount}

    def proposal(self, dealer: str | None = None) -> Turn | None:
        """Return the next turn, or the one if ``dealer`` deals; None if that many can't play.

        A departed player's turn goes to their left neighbour of the time, that of a player sitting out to the
        present one.
        """
        if len(self.playing) not in self.game.seats:
            return None
        due, led, blind = self.first, 0, None
        standing = [number for number, hand in self.hands.items() if not hand.void]
        if standing:
            last = self.hands[max(standing)]
            said, was = last.said[-1], last.blinds[-1]
            following = last.game.next_dealer(last.players, said, was and was.heartless)
            due = last.seats[last.players.index(following)]
            led = last.led({"dealer": following})
            blind = self.round_after(last)
        here = {seat.id: seat for seat in self.present}
        while due not in here and (heir := self.heirs.get(due)) is not None:
            due = heir.id
        place = [*here].index(due) if due in here else 0
        around = [*self.present[place:], *self.present[:place]] * 2
        first, second, *_ = [seat for seat in around if seat.state == "playing"]
        turn = Turn(first.player, second.player)
        if blind is not None and self.game.slug == "crazy-solo":
            been = blind.others | {here[seat].player for seat in blind.seats if seat in here}
            if second.player not in been:
                heartless = blind.heartless if second.id == led else 0
                turn = turn._replace(blind=(frozenset(been), heartless))
        return turn if dealer is None else self.dealt_by(turn, dealer)

    def dealt_by(self, turn: Turn, dealer: str) -> Turn:
        """Let somebody else deal; deals without a heart count for the player who had them."""
        names = [seat.player for seat in self.playing]
        lead = [*names, names[0]][names.index(dealer) + 1]
        if turn.blind is None or lead in turn.blind[0]:
            return Turn(dealer, lead)
        been, heartless = turn.blind
        return Turn(dealer, lead, (been, heartless if lead == turn.lead else 0))

    @staticmethod
    def round_after(last: Hand) -> Blind | None:
        """Return the blind round after a hand, if one is played."""
        bid, blind = last.said[-1]["contract"]["bid"], last.blinds[-1]
        if blind is None and bid != "blind":
            return None
        blind = blind or Blind()
        if bid != "blind" and blind.heartless < 2:
            return blind._replace(heartless=blind.heartless + 1)
        return Blind(blind.seats | {last.led(last.said[-1])}, blind.others)

    def blind_of(self, turn: Turn | None) -> Blind | None:
        """Write down the blind round of the next hand."""
        if turn is None or turn.blind is None:
            return None
        been, heartless = turn.blind
        seats = frozenset(seat.id for seat in self.playing if seat.player in been)
        return Blind(seats, been - {seat.player for seat in self.playing}, heartless)

    @staticmethod
    def corrected_blind(hand: Hand, said: Said) -> Blind | None:
        """Return the blind round that a corrected hand is part of; another player may have led it."""
        blind, lead = hand.blinds[-1], hand.led(said)
        if blind is None or lead in blind.seats:
            return None
        return blind if lead == hand.led(hand.said[-1]) else blind._replace(heartless=0)

    def name_of(self, key: Key) -> str:
        """Return the name of one of the session's accounts in the books."""
        kind, whose = key
        if kind == "seat":
            return f"seat/{whose}"
        return f"session/{self.id}/{f'pot/{whose}' if kind == 'pot' else whose}"

    def won(self) -> dict[int, int]:
        """Return the winnings of every seat that are not money yet, clockwise with the departed."""
        chips = self.chips()
        return {
            seat.id: chips[seat.id] - self.advanced[seat.id] - self.converted[seat.id]
            for seat in sorted(self.seats, key=lambda seat: (seat.position, seat.id))
        }

    def won_by_player(self) -> Counter[str]:
        """Return the winnings of every player that are not money yet, of all their seats."""
        won, chips = self.won(), Counter[str]()
        for seat in self.seats:
            chips[seat.player] += won[seat.id]
        return chips

    def following(self, number: int, said: Said | None) -> tuple[list[int], bool]:
        """Return the effects of a change of a hand: the hands that follow, and whether a pot would owe."""
        now, then = self.play(), self.play({number: said})
        later = [each for each in self.order if isinstance(each, int) and each > number]
        followed = [
            each for each in later if each in now.before and now.before[each] != then.before[each]
        ]
        return followed, then.spent


def shared(total: int, seats: Sequence[Seat]) -> Counter[Key]:
    """Divide a total among seats equally; the first ones bear one more of the remainder each."""
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
