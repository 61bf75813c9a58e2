"""Reads what the bidding side counted at the end: in range, no miscount, both sides adding up."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from engine.aims import Count, Counting
from engine.cards import Pack
from engine.contracts import Bid
from engine.errors import Violation
from engine.record import HandRecord
from engine.steps import counted

Found = list[Violation]


class Tally(ABC):
    """Reads a record's result: what a game counts at the end of a hand."""

    @abstractmethod
    def count(self, bid: Bid | None, record: HandRecord, problems: Found) -> Count | None:
        """Check what was counted; `None` when it is missing or wrong, which is added to `problems`.

        A bid that is refused already is `None`: then only the numbers themselves are checked. A
        conceded hand need not be counted.
        """


@dataclass(frozen=True, slots=True)
class CardPoints(Tally):
    """The ace-ten count: card points of a pack that is played out in so many tricks (002)."""

    pack: Pack
    tricks: int

    def count(self, bid: Bid | None, record: HandRecord, problems: Found) -> Count | None:
        """Check `points`, `points_against` and `tricks_won`."""
        before = len(problems)
        _check_points(self.pack, "points", record.points, problems)
        _check_points(self.pack, "points_against", record.points_against, problems)
        check_tricks(self.tricks, record.tricks_won, problems)
        if bid is None:
            return None
        if record.points is None:
            if record.conceded is None and bid.needs_points:
                message = f"Say how many {bid.counts} the bidding side has."
                problems.append(Violation("points-missing", message, {"field": "points"}))
            return None
        if len(problems) == before and record.points_against is not None:
            counting = bid.aim.counting
            _check_sum(self.pack, counting, record.points, record.points_against, problems)
        found = Count(record.points, record.tricks_won)
        if record.conceded is None and len(problems) == before:
            problems += bid.aim.problems(found)
        return found if len(problems) == before else None


def check_tricks(most: int, tricks: int | None, problems: Found) -> None:
    """Check that no more tricks are said to be won than a hand has."""
    if tricks is not None and not 0 <= tricks <= most:
        message = f"A hand has {most} tricks, so {tricks} cannot have been won."
        problems.append(Violation("tricks-won-out-of-range", message, {"field": "tricks_won"}))


def _check_points(pack: Pack, key: str, points: int | None, problems: Found) -> None:
    if points is None or points in pack.countable:
        return
    if not 0 <= points <= pack.total:
        message = f"A hand holds 0 to {pack.total} card points, not {points}."
        problems.append(Violation("points-out-of-range", message, {"field": key}))
    else:
        message = f"No set of tricks can hold exactly {counted(points, 'card point')}: this is a miscount."
        problems.append(Violation("miscount", message, {"field": key}))


def _check_sum(pack: Pack, counting: Counting, ours: int, theirs: int, problems: Found) -> None:
    rest = pack.total - ours - theirs
    if rest in counting.outside:
        return
    where = {"field": "points_against"}
    if counting.outside == {0}:
        message = (
            f"{ours} and {theirs} card points make {ours + theirs}; together they must make"
            f" {pack.total}."
        )
        problems.append(
            Violation("points-do-not-add-up", message, where, (str(pack.total - ours),))
        )
        return
    message = (
        f"{ours} and {theirs} card points in tricks leave {rest} for the widow, which no"
        " three cards are worth."
    )
    problems.append(Violation("points-do-not-add-up", message, where))
