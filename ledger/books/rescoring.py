"""Hands scored again, from texts as they are kept, so that another process can do it."""

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
    """A stored version of a hand: its record and verdict as texts, and the engine version that scored it."""

    record: str
    verdict: str
    engine_version: str


class Rescored(NamedTuple):
    """What a hand adds to the books; the engine's verdict, where it is not the one that is kept.

    Or why there is none.
    """

    shares: HandEffects | None = None
    verdict: str | None = None
    problem: str | None = None


def score_again(kept: Iterable[StoredTexts]) -> list[Rescored]:
    """Score records again by the rules each was scored by, and compare with the verdict kept with it."""
    by_version = groupby(kept, attrgetter("engine_version"))
    return [answer for version, each in by_version for answer in _by_rules_of(version, [*each])]


def _by_rules_of(version: str, every: Sequence[StoredTexts]) -> list[Rescored]:
    try:
        records = [json.read(each.record) for each in every]
        verdicts = [each.verdict for each in every]
        if changes.is_newer(version):
            return list(map(_unknown, records, verdicts))
        return list(map(_answer, records, score_many(records, version), verdicts))
    except SPOILED as error:
        if len(every) == 1:
            return [Rescored(problem=f"it can't be read ({error!r})")]
        return [answer for each in every for answer in _by_rules_of(version, [each])]


def _unknown(record: Any, kept: str) -> Rescored:
    """Return a hand's share in the books by its stored verdict, as its rules are newer than this program."""
    problem = "a newer engine scored it, and its verdict can be checked by that one only"
    return Rescored(hand_effects(record, json.read(kept)), problem=problem)


def _answer(record: Any, scored: Verdict | Refused, kept: str) -> Rescored:
    if isinstance(scored, Refused):
        return Rescored(problem=f"its record is refused: {scored.violations[0].message}")
    verdict = scored.to_stored()
    text = json.text(verdict)
    return Rescored(hand_effects(record, verdict), None if text == kept else text)
