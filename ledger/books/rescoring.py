"""Scoring stored hands again, from their texts, so that another process can do it."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from engine.batch import score_many
from engine.errors import Refused
from engine.rules import changes
from engine.rules.verdict import Verdict
from ledger.books.hand_effects import HandEffects, hand_effects
from ledger.database import json
from ledger.database.json import SPOILED


class StoredTexts(NamedTuple):
    """The record and verdict of a stored version as JSON, and the engine version that scored it."""

    record: str
    verdict: str
    engine_version: str


class Rescored(NamedTuple):
    """The result of scoring a stored hand again.

    ``verdict`` is the engine's verdict as JSON text, or None if it equals the stored one. ``problem`` is an
    English message, or None. If the record can't be read or is refused, there is only a problem. If a newer
    engine scored the hand, that is the problem, and the effects are those of the stored verdict.
    """

    effects: HandEffects | None = None
    verdict: str | None = None
    problem: str | None = None


def score_again(texts: Iterable[StoredTexts]) -> list[Rescored]:
    """Score records again, each by the rules of its engine version, and compare with the stored verdicts.

    Returns one result for each, in order. A record that can't be read or scored has a ``problem``; nothing is
    raised.
    """
    by_version = groupby(texts, attrgetter("engine_version"))
    return [result for version, group in by_version for result in _by_rules_of(version, [*group])]


def _by_rules_of(version: str, texts: Sequence[StoredTexts]) -> list[Rescored]:
    try:
        records = [json.read(text.record) for text in texts]
        verdicts = [text.verdict for text in texts]
        if changes.is_newer(version):
            return list(map(_unknown, records, verdicts))
        return list(map(_compared, records, score_many(records, version), verdicts))
    except SPOILED as error:
        if len(texts) == 1:
            return [Rescored(problem=f"it can't be read ({error!r})")]
        return [result for text in texts for result in _by_rules_of(version, [text])]


def _unknown(record: Any, stored: str) -> Rescored:
    """Return the effects of a hand by its stored verdict, with the problem that a newer engine scored it."""
    problem = "a newer engine scored it, and its verdict can be checked by that one only"
    return Rescored(hand_effects(record, json.read(stored)), problem=problem)


def _compared(record: Any, scored: Verdict | Refused, stored: str) -> Rescored:
    if isinstance(scored, Refused):
        return Rescored(problem=f"its record is refused: {scored.violations[0].message}")
    verdict = scored.to_stored()
    text = json.text(verdict)
    return Rescored(hand_effects(record, verdict), None if text == stored else text)
