"""Checks the card points of a record: in range, no miscount, adding up with the other side's."""

from engine.aims import Count, Counting
from engine.cards import Pack
from engine.contracts import Bid
from engine.errors import Violation
from engine.record import HandRecord
from engine.sheet import Rules
from engine.steps import counted

Found = list[Violation]


def count(rules: Rules, bid: Bid | None, record: HandRecord, problems: Found) -> Count | None:
    """Check what was counted; `None` when it is missing or wrong, which is added to `problems`.

    A bid that is refused already is `None`: then only the numbers themselves are checked. A
    conceded hand need not be counted.
    """
    before = len(problems)
    _check_points(rules.pack, "points", record.points, problems)
    _check_points(rules.pack, "points_against", record.points_against, problems)
    tricks = record.tricks_won
    if tricks is not None and not 0 <= tricks <= rules.tricks:
        message = f"A hand has {rules.tricks} tricks, so {tricks} cannot have been won."
        problems.append(Violation("tricks-won-out-of-range", message, {"field": "tricks_won"}))
    if bid is None:
        return None
    if record.points is None:
        if record.conceded is None and bid.needs_points:
            message = f"Say how many {bid.counts} the bidding side has."
            problems.append(Violation("points-missing", message, {"field": "points"}))
        return None
    if len(problems) == before and record.points_against is not None:
        _check_sum(rules.pack, bid.aim.counting, record.points, record.points_against, problems)
    found = Count(record.points, tricks)
    if record.conceded is None and len(problems) == before:
        problems += bid.aim.problems(found)
    return found if len(problems) == before else None


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
