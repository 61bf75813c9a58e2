"""Hands scored again as they are kept: texts in, texts out, so that another process can do it."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.errors import Refused
from engine.scoring.alike import score_mapping
from ledger import json_text
from ledger.json_text import SPOILED


class Answer(NamedTuple):
    """The engine's verdict, where it is not the one that is kept; or why there is none."""

    verdict: str | None = None
    problem: str | None = None


_THE_SAME = Answer()


def score_again(kept: Iterable[tuple[str, str]]) -> list[Answer]:
    """Score each record again, and hold the answer against the verdict kept with it."""
    return [_answer(record, verdict) for record, verdict in kept]


def _answer(record: str, verdict: str) -> Answer:
    try:
        again = score_mapping(json_text.read(record)).to_kept()
        text = json_text.text(again)
    except Refused as refused:
        return Answer(problem=f"its record is refused: {refused.violations[0].message}")
    except SPOILED as error:
        return Answer(problem=f"it can't be read ({error!r})")
    return _THE_SAME if text == verdict else Answer(verdict=text)
