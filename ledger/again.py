"""Hands scored again, from texts as they are kept, so that another process can do it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.errors import Refused
from engine.reasoning.verdict import Verdict
from engine.scoring.alike import score_mappings
from ledger import json_text
from ledger.json_text import SPOILED
from ledger.shares import Shares, shares


class Answer(NamedTuple):
    """What a hand adds to the books; the engine's verdict, where it is not the one that is kept.

    Or why there is none.
    """

    shares: Shares | None = None
    verdict: str | None = None
    problem: str | None = None


def score_again(kept: Iterable[tuple[str, str]]) -> list[Answer]:
    """Score records again, and hold each answer against the verdict kept with it."""
    every = [*kept]
    try:
        records = [json_text.read(record) for record, _ in every]
        return list(map(_answer, records, score_mappings(records), (kept for _, kept in every)))
    except SPOILED as error:
        if len(every) == 1:
            return [Answer(problem=f"it can't be read ({error!r})")]
        return [answer for each in every for answer in score_again([each])]


def _answer(record: Any, scored: Verdict | Refused, kept: str) -> Answer:
    if isinstance(scored, Refused):
        return Answer(problem=f"its record is refused: {scored.violations[0].message}")
    verdict = scored.to_kept()
    text = json_text.text(verdict)
    return Answer(shares(record, verdict), None if text == kept else text)
