"""What a bidder undertakes, judged by the card points counted at the end."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from engine.cards.cards import FULL, Suit
from engine.errors import Violation
from engine.record import Contract, HandRecord
from engine.record.results import RESULT
from engine.rules.tariffs import ByTrump, Judgement
from engine.rules.verdict import Outcome, Step
from engine.words.language import Sentence
from engine.words.sentences import say


class Result(NamedTuple):
    """How a hand ended, a value for each key of `engine.record.results`: as stated, or told by the cards.

    The ace-ten games judge by `points`, and by `tricks_won` where a misère is one by tricks; `points_against`
    matter only where a hand is given up early. Of a contract that has one price it is enough that it was
    `made` or not. German Solo judges by the rest.
    """

    announced_tout: bool | None = None
    points: int | None = None
    points_against: int | None = None
    tricks_won: int | None = None
    first_tricks_won: bool | None = None
    stopped: bool | None = None
    matadors: str | None = None
    asked_partner: bool | None = None
    made: bool | None = None
    conceded: str | None = None

    @classmethod
    def of(cls, record: HandRecord) -> "Result":
        """Take the result as the record states it."""
        contract = record.contract or _NO_CONTRACT
        return cls(*[getattr(contract, name) for name in _IN_CONTRACT], *_in_record(record))


_NO_CONTRACT = Contract()
_IN_CONTRACT = tuple(name for name, key in RESULT.items() if key.in_contract)
_in_record = attrgetter(*(name for name, key in RESULT.items() if not key.in_contract))


_NOTHING = frozenset({0})


class Counting(NamedTuple):
    """Which card points a bid counts.

    `words` names them for a page; `outside` holds every worth that the cards counted for neither
    side may have: nothing, or what a widow left out can be worth.
    """

    words: str
    outside: frozenset[int] = _NOTHING

    @property
    def whole(self) -> bool:
        """Whether every card counts for one side or the other."""
        return self.outside == _NOTHING


def missing(name: str, message: str) -> Violation:
    """Refuse a hand without a key that it is judged by; the words it may hold are the legal ones."""
    key = RESULT[name]
    return Violation(key.missing or name, message, {"field": key.path}, key.words)


class Aim(ABC):
    """Judges a result. `counting` says which card points it counts."""

    __slots__ = ()
    counting: Counting

    @property
    def asks(self) -> tuple[str, ...]:
        """The keys of the hand record that it judges by: the card points alone, unless it says more."""
        return ("points",)

    def problems(self, result: Result) -> list[Violation]:  # noqa: ARG002
        """Name what is missing from a result, or contradictory in it; card points alone can be judged."""
        return []

    def decided(self, result: Result, trump: Suit | None) -> Outcome | None:  # noqa: ARG002
        """Give the outcome that a result so far fixes before the end, if any: it only grows."""
        return None

    @abstractmethod
    def judge(self, result: Result, trump: Suit | None) -> Judgement:
        """Won or lost."""

    @property
    @abstractmethod
    def goal(self) -> Sentence:
        """Say what has to be done, as a tariff card does."""

    @abstractmethod
    def example(self, *, made: bool, trump: Suit | None) -> Result:
        """Give a result that makes it, or misses it, such as a rule book shows."""


def judged(
    off: int,
    steps: tuple[str, str],
    values: Mapping[str, object],
    source: str,
    feats: tuple[str, ...] = (),
) -> Judgement:
    """Call a hand won by so much over the mark, or lost by so much under it; ``steps`` tell of either."""
    outcome = Outcome.LOST if off < 0 else Outcome.WON
    return Judgement(outcome, abs(off), Step(steps[off < 0], values, source), feats)


_OVER, _SHORT = 14, 13
"""How far an example is off the mark: 74 is the one that the source works out (002)."""


@dataclass(frozen=True, slots=True)
class AtLeast(Aim):
    """Take a number of card points that depends on the trump suit, or all; ``steps`` tell of either end."""

    target: ByTrump
    counting: Counting
    source: str
    total: int = FULL.total
    steps: tuple[str, str] = ("target-made", "target-missed")

    def decided(self, result: Result, trump: Suit | None) -> Outcome | None:
        """Reach the target, or find that the others have left too little for it."""
        target = self.target.of(trump)
        if target <= (result.points or 0) <= self.total:
            return Outcome.WON
        return Outcome.LOST if (result.points_against or 0) > self.total - target else None

    def judge(self, result: Result, trump: Suit | None) -> Judgement:
        """Won from the target upwards."""
        points, target = result.points or 0, self.target.of(trump)
        off = points - target
        values = {"points": points, "target": target, "off": abs(off)}
        return judged(off, self.steps, {**values, "trump": self.target.named(trump)}, self.source)

    @property
    def goal(self) -> Sentence:
        """Say from which number of card points on it is won."""
        target = self.target
        if target.hearts is not None:
            return say(
                "{points} card points or more, {hearts} in hearts",
                points=target.plain,
                hearts=target.hearts,
            )
        if target.plain == self.total:
            return say("all {points} card points", points=self.total)
        return say("{points} card points or more", points=target.plain)

    def example(self, *, made: bool, trump: Suit | None) -> Result:
        """A few points more than needed, as far as there are more; or some less."""
        target = self.target.of(trump)
        return Result(points=min(target + _OVER, self.total) if made else target - _SHORT)


@dataclass(frozen=True, slots=True)
class Half(AtLeast):
    """Take half the card points or more; the distance from it is what is paid for (002)."""

    def judge(self, result: Result, trump: Suit | None) -> Judgement:
        """Won from half upwards."""
        points, half = result.points or 0, self.target.of(trump)
        off = points - half
        made = "over-half" if off else "exactly-half"
        values = {"points": points, "half": half, "off": abs(off)}
        return judged(off, (made, "under-half"), values, self.source)


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

    def problems(self, result: Result) -> list[Violation]:
        """Points need a trick to lie in; and by tricks no points is not yet no trick."""
        if result.points and result.tricks_won == 0:
            message = say(
                "The bidder has {points} card points in tricks, so the tricks won cannot be 0.",
                points=result.points,
            )
            return [Violation("tricks-against-points", message, {"field": "tricks_won"})]
        if self.by_tricks and not result.points and result.tricks_won is None:
            message = say(
                "A trick worth nothing breaks a misère at this table: say how many were won."
            )
            return [missing("tricks_won", message)]
        return []

    def decided(self, result: Result, trump: Suit | None) -> Outcome | None:  # noqa: ARG002
        """One point is one too many, and by tricks one trick."""
        return Outcome.LOST if result.points or (self.by_tricks and result.tricks_won) else None

    def judge(self, result: Result, trump: Suit | None) -> Judgement:  # noqa: ARG002
        """Won with nothing."""
        points, tricks = result.points or 0, result.tricks_won or 0
        if points or not self.by_tricks:
            steps = ("no-points-made", "no-points-broken")
            return judged(-points, steps, {"points": points}, self.source)
        return judged(-tricks, ("no-tricks-made", "no-tricks-broken"), {"tricks": tricks}, "sheet")

    @property
    def goal(self) -> Sentence:
        """Say of what there must be none."""
        return say("no trick") if self.by_tricks else say("no card points in tricks")

    def example(self, *, made: bool, trump: Suit | None) -> Result:  # noqa: ARG002
        """Nothing; or a trick with an ace and a queen in it."""
        points, tricks = (0, 0) if made else (14, 1)
        return Result(points=points, tricks_won=tricks if self.by_tricks else None)
