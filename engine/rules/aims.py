"""What a bidder undertakes, judged by the card points counted at the end."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

from engine.cards.cards import FULL, Suit
from engine.errors import Violation
from engine.reasoning.steps import Step
from engine.reasoning.verdict import Outcome
from engine.results import RESULT
from engine.rules.tariffs import ByTrump, Judged


class Count(NamedTuple):
    """What the bidding side brought home and did: card points, tricks, and how they went.

    The ace-ten games judge by `points`, and by `tricks` where a misère is one by tricks. German Solo
    judges by the rest: `first_won`, whether the side won every trick up to the number it needs;
    `stopped`, whether it then stopped; `asked_partner`; `announced_tout`; and `matadors`, the side
    that was dealt all three (`declarers`, `defenders`) or `split`. `against` are the other side's card
    points, which matter only where a hand is given up early.
    """

    points: int = 0
    tricks: int | None = None
    first_won: bool | None = None
    stopped: bool = False
    asked_partner: bool = False
    announced_tout: bool = False
    matadors: str | None = None
    against: int = 0


@dataclass(frozen=True, slots=True)
class Counting:
    """Which card points a bid counts.

    `words` names them for a page; `outside` holds every worth that the cards counted for neither
    side may have: nothing, or what a widow left out can be worth.
    """

    words: str
    outside: frozenset[int] = frozenset({0})

    @property
    def whole(self) -> bool:
        """Whether every card counts for one side or the other."""
        return self.outside == {0}


def missing(name: str, message: str) -> Violation:
    """Refuse a hand without a key that it is judged by; the words it may hold are the legal ones."""
    key = RESULT[name]
    code, _ = key.missing or (name, "")
    return Violation(code, message, {"field": key.path}, key.words)


class Aim(ABC):
    """Judges a count. `counting` says which card points it counts."""

    __slots__ = ()
    counting: Counting

    @property
    def asks(self) -> tuple[str, ...]:
        """The keys of the hand record that it judges by: the card points alone, unless it says more."""
        return ("points",)

    def problems(self, count: Count) -> list[Violation]:  # noqa: ARG002
        """Name what is missing from a count, or contradictory in it; card points alone can be judged."""
        return []

    def decided(self, count: Count, trump: Suit | None) -> Outcome | None:  # noqa: ARG002
        """Give the outcome that a count so far fixes before the end, if any: it only grows."""
        return None

    @abstractmethod
    def judge(self, count: Count, trump: Suit | None) -> Judged:
        """Won or lost."""


@dataclass(frozen=True, slots=True)
class Half(Aim):
    """Take `half` the card points or more; the distance from it is what is paid for (002)."""

    half: int
    counting: Counting
    source: str

    def decided(self, count: Count, trump: Suit | None) -> Outcome | None:  # noqa: ARG002
        """Call half enough."""
        return Outcome.WON if count.points >= self.half else None

    def judge(self, count: Count, trump: Suit | None) -> Judged:  # noqa: ARG002
        """Won from half upwards."""
        points = count.points
        margin = points - self.half
        key = "exactly-half" if not margin else "over-half" if margin > 0 else "under-half"
        step = Step(key, {"points": points, "half": self.half, "off": abs(margin)}, self.source)
        return Judged(Outcome.WON if margin >= 0 else Outcome.LOST, abs(margin), step)


@dataclass(frozen=True, slots=True)
class AtLeast(Aim):
    """Take a number of card points that depends on the trump suit, or all; ``steps`` tell of either end."""

    target: ByTrump
    counting: Counting
    source: str
    total: int = FULL.total
    steps: tuple[str, str] = ("target-made", "target-missed")

    def decided(self, count: Count, trump: Suit | None) -> Outcome | None:
        """Reach the target, or find that the others have left too little for it."""
        target = self.target.of(trump)
        if target <= count.points <= self.total:
            return Outcome.WON
        return Outcome.LOST if count.against > self.total - target else None

    def judge(self, count: Count, trump: Suit | None) -> Judged:
        """Won from the target upwards."""
        target = self.target.of(trump)
        off = abs(count.points - target)
        named = self.target.named(trump)
        values = {"points": count.points, "target": target, "off": off, "trump": named}
        outcome = Outcome.WON if count.points >= target else Outcome.LOST
        key = self.steps[outcome is Outcome.LOST]
        return Judged(outcome, off, Step(key, values, self.source))


@dataclass(frozen=True, slots=True)
class NoPoints(Aim):
    """Take no card points in tricks; with `by_tricks`, not even a trick worth nothing.

    That a worthless trick does no harm, and the option that it does, are decided in the rules
    sheet.
    """

    counting: Counting
    source: str
    by_tricks: bool = False

    @property
    def asks(self) -> tuple[str, ...]:
        """Points and, by tricks, the tricks won."""
        return ("points", "tricks_won") if self.by_tricks else ("points",)

    def problems(self, count: Count) -> list[Violation]:
        """Points need a trick to lie in; and by tricks no points is not yet no trick."""
        where = {"field": "tricks_won"}
        if count.points and count.tricks == 0:
            message = (
                f"The bidder has {count.points} card points in tricks, so tricks_won cannot be 0."
            )
            return [Violation("tricks-against-points", message, where)]
        if self.by_tricks and not count.points and count.tricks is None:
            message = "A trick worth nothing breaks a misère at this table: say how many were won."
            return [missing("tricks_won", message)]
        return []

    def decided(self, count: Count, trump: Suit | None) -> Outcome | None:  # noqa: ARG002
        """One point is one too many, and by tricks one trick."""
        return Outcome.LOST if count.points or (self.by_tricks and count.tricks) else None

    def judge(self, count: Count, trump: Suit | None) -> Judged:  # noqa: ARG002
        """Won with nothing."""
        if count.points or not self.by_tricks:
            key = "no-points-broken" if count.points else "no-points-made"
            step = Step(key, {"points": count.points}, self.source)
            return Judged(Outcome.LOST if count.points else Outcome.WON, count.points, step)
        key = "no-tricks-broken" if count.tricks else "no-tricks-made"
        step = Step(key, {"tricks": count.tricks}, "sheet")
        return Judged(Outcome.LOST if count.tricks else Outcome.WON, 0, step)
