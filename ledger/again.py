"""Hands scored again as they are kept: texts in, texts out, so that another process can do it."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.errors import Refused
from engine.reasoning.verdict import Verdict
from engine.scoring.alike import score_mappings
from ledger import json_text
from ledger.json_text import SPOILED


class Answer(NamedTuple):
    """The engine's verdict, where it is not the one that is kept; or why there is none."""

    verdict: str | None = None
    problem: str | None = None


_THE_SAME = Answer()


def score_again(kept: Iterable[tuple[str, str]]) -> list[Answer]:
    """Score records again, and hold each answer against the verdict kept with it."""
    every = [*kept]
    try:
        again = score_mappings([json_text.read(record) for record, _ in every])
        return [_answer(scored, verdict) for scored, (_, verdict) in zip(again, every, strict=True)]
    except SPOILED as error:
        if len(every) == 1:
            return [Answer(problem=f"it can't be read ({error!r})")]
        return [answer for each in every for answer in score_again([each])]


def _answer(scored: Verdict | Refused, verdict: str) -> Answer:
    if isinstance(scored, Refused):
        return Answer(problem=f"its record is refused: {scored.violations[0].message}")
    text = json_text.text(scored.to_kept())
    return _THE_SAME if text == verdict else Answer(verdict=text)
