"""Aims of contracts, and the judgement of a result by its card points."""

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
    """The result of a hand: a value for each key of `engine.record.results`, stated or read from the cards.

    The ace-ten games judge by `points`, or by `tricks_won` in a misère by tricks; `points_against` matters
    only in a hand that is given up. A contract with one price needs only `made`. German Solo judges by the
    other keys.
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
        """Return the result that a record states, without reading its cards; `None` for each missing key."""
        contract = record.contract or _NO_CONTRACT
        return cls(*[getattr(contract, name) for name in _IN_CONTRACT], *_in_record(record))


_NO_CONTRACT = Contract()
_IN_CONTRACT = tuple(name for name, key in RESULT.items() if key.in_contract)
_in_record = attrgetter(*(name for name, key in RESULT.items() if not key.in_contract))


_NOTHING = frozenset({0})


class Counting(NamedTuple):
    """The card points that a bid counts.

    `words` names them on a page. `outside` has the possible card points of cards that count for neither side:
    0, or the values of an uncounted widow.
    """

    words: str
    outside: frozenset[int] = _NOTHING

    @property
    def counts_all(self) -> bool:
        """Whether every card counts for one of the sides: no card points are left `outside`."""
        return self.outside == _NOTHING


def missing(name: str, message: str) -> Violation:
    """Return the violation, with this message, of a record that does not state a result key.

    It has the key's path and, if the key's values are words, these as valid values.
    """
    key = RESULT[name]
    return Violation(key.missing or name, message, {"field": key.path}, key.words)


class Aim(ABC):
    """The goal of a contract: judges whether a result makes it. `counting` describes the card points."""

    __slots__ = ()
    counting: Counting

    @property
    def result_keys(self) -> tuple[str, ...]:
        """The paths of the record's keys that decide the result; by default the card points alone."""
        return ("points",)

    def problems(self, result: Result) -> list[Violation]:  # noqa: ARG002
        """Return violations for missing or contradictory keys of a stated result; by default none."""
        return []

    def decided(self, result: Result, trump: Suit | None) -> Outcome | None:  # noqa: ARG002
        """Return the outcome if the numbers so far have decided the hand, else `None`; by default `None`."""
        return None

    @abstractmethod
    def judge(self, result: Result, trump: Suit | None) -> Judgement:
        """Judge a complete result: won or lost, its distance from the target, and the step that states it."""

    @abstractmethod
    def needed_in(self, trump: Suit | None) -> int:
        """Return the card points or tricks that make the contract in a trump suit; 0 if none may be taken."""

    @property
    @abstractmethod
    def goal(self) -> Sentence:
        """The requirement of the contract as a tariff card states it, such as "80 card points or more"."""

    @abstractmethod
    def example(self, *, made: bool, trump: Suit | None) -> Result:
        """Return an example of a result that makes the contract, or misses it if `made` is false."""


def judge_margin(
    margin: int,
    steps: tuple[str, str],
    values: Mapping[str, object],
    source: str,
    feats: tuple[str, ...] = (),
) -> Judgement:
    """Return a judgement with the size of the margin: lost if it is negative, else won, also at 0.

    `steps` has the keys of the step after a win and after a loss; `values` and `source` belong to either.
    """
    outcome = Outcome.LOST if margin < 0 else Outcome.WON
    return Judgement(outcome, abs(margin), Step(steps[margin < 0], values, source), feats)


_OVER, _SHORT = 14, 13
"""The margins of examples: 74 card points are the source's own example (002)."""


@dataclass(frozen=True, slots=True)
class AtLeast(Aim):
    """The aim to take at least `target` card points, which may differ in hearts, of `total`."""

    target: ByTrump
    counting: Counting
    source: str
    total: int = FULL.total
    steps: tuple[str, str] = ("target-made", "target-missed")

    def decided(self, result: Result, trump: Suit | None) -> Outcome | None:
        """Return won from the target on, lost if the opponents' points make it impossible, else `None`."""
        target = self.target.of(trump)
        if target <= (result.points or 0) <= self.total:
            return Outcome.WON
        return Outcome.LOST if (result.points_against or 0) > self.total - target else None

    def judge(self, result: Result, trump: Suit | None) -> Judgement:
        """Return won from the target upwards, else lost, by the difference; missing points count as 0."""
        points, target = result.points or 0, self.target.of(trump)
        margin = points - target
        named = self.target.named(trump)
        values = {"points": points, "target": target, "off": abs(margin), "trump": named}
        return judge_margin(margin, self.steps, values, self.source)

    def needed_in(self, trump: Suit | None) -> int:
        """Return the card points needed under a trump suit, or without one."""
        return self.target.of(trump)

    @property
    def goal(self) -> Sentence:
        """The card points that win, as a tariff card states them, with the number in hearts if it differs."""
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
        """Return a result 14 points above the target, at most all points, or 13 below it if not `made`."""
        target = self.target.of(trump)
        return Result(points=min(target + _OVER, self.total) if made else target - _SHORT)


@dataclass(frozen=True, slots=True)
class Half(AtLeast):
    """The aim to take half the card points or more; the margin is the difference from half (002)."""

    def judge(self, result: Result, trump: Suit | None) -> Judgement:
        """Return won from half the points on, else lost, by the difference; missing points count as 0."""
        points, half = result.points or 0, self.target.of(trump)
        margin = points - half
        won = "over-half" if margin else "exactly-half"
        values = {"points": points, "half": half, "off": abs(margin)}
        return judge_margin(margin, (won, "under-half"), values, self.source)


@dataclass(frozen=True, slots=True)
class NoPoints(Aim):
    """The aim to take no card points in tricks; with `by_tricks`, no trick at all.

    Both readings of a misère are decided in the rules sheet.
    """

    counting: Counting
    source: str
    by_tricks: bool

    @property
    def result_keys(self) -> tuple[str, ...]:
        """The record's keys that decide a misère: `points` and, by tricks, `tricks_won`."""
        return ("points", "tricks_won") if self.by_tricks else ("points",)

    def problems(self, result: Result) -> list[Violation]:
        """Return a violation for card points with 0 tricks won, else an empty list.

        By tricks it also returns one if the tricks won are not stated and there are no points.
        """
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
        """Return lost from one card point or, by tricks, one trick on, else `None`; it is never won early."""
        return Outcome.LOST if result.points or (self.by_tricks and result.tricks_won) else None

    def judge(self, result: Result, trump: Suit | None) -> Judgement:  # noqa: ARG002
        """Return won without points and, by tricks, without a trick; else lost by the number of points.

        A loss by tricks without points is by the number of tricks. Missing numbers count as 0.
        """
        points, tricks = result.points or 0, result.tricks_won or 0
        if points or not self.by_tricks:
            steps = ("no-points-made", "no-points-broken")
            return judge_margin(-points, steps, {"points": points}, self.source)
        steps = ("no-tricks-made", "no-tricks-broken")
        return judge_margin(-tricks, steps, {"tricks": tricks}, "sheet")

    def needed_in(self, trump: Suit | None) -> int:  # noqa: ARG002
        """Return 0, as no points or tricks may be taken."""
        return 0

    @property
    def goal(self) -> Sentence:
        """The requirement for a tariff card: "no trick" if by tricks, else "no card points in tricks"."""
        return say("no trick") if self.by_tricks else say("no card points in tricks")

    def example(self, *, made: bool, trump: Suit | None) -> Result:  # noqa: ARG002
        """Return a result of 0 points and tricks, or if not `made` of 14 points in 1 trick.

        The tricks are `None` unless they count.
        """
        points, tricks = (0, 0) if made else (14, 1)
        return Result(points=points, tricks_won=tricks if self.by_tricks else None)
