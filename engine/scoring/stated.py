"""Compares the result that was announced at the table with the verdict."""

from collections.abc import Iterator

from engine.errors import Violation, show
from engine.record.remarks import StatedVerdict
from engine.rules.verdict import Verdict
from engine.words.sentences import say


def stated_problems(stated: StatedVerdict, verdict: Verdict) -> Iterator[Violation]:
    """Yield a violation for each announced number that differs from the verdict's; none for missing ones."""
    for key, number, right in (
        ("points", stated.points, verdict.points),
        ("amount", stated.amount, verdict.amount),
    ):
        if number is not None and number != right:
            message = say(
                "stated.{key}: {number} was announced, but the verdict is {right}.",
                key=key,
                number=number,
                right=show(right),
            )
            legal = () if right is None else (str(right),)
            yield Violation("stated-differs", message, {"field": f"stated.{key}"}, legal)
    for seat, number in (stated.deltas or {}).items():
        gain = verdict.deltas[seat]
        if number != gain:
            message = say(
                "stated.deltas: for {seat} {number} was announced, but the verdict is {right}.",
                seat=seat,
                number=number,
                right=gain,
            )
            where = {"field": "stated.deltas", "seat": seat}
            yield Violation("stated-differs", message, where, (str(gain),))
