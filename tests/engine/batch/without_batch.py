"""A pytest plugin that replaces `engine.batch` by a `score_many` that calls `score` for each hand.

Importing anything else from the package fails. Load it first: `pytest -p tests.engine.batch.without_batch`.
"""

import sys
from collections.abc import Sequence
from types import ModuleType

from engine.errors import Refused
from engine.record import HandRecord
from engine.rules.changes import VERSION
from engine.rules.verdict import Verdict
from engine.scoring.score import score


def score_many(mappings: Sequence[object], version: str = VERSION) -> list[Verdict | Refused]:
    """Score hands one by one."""
    verdicts: list[Verdict | Refused] = []
    for mapping in mappings:
        try:
            verdicts.append(score(HandRecord.from_mapping(mapping), version))
        except Refused as refused:
            verdicts.append(refused)
    return verdicts


batch = ModuleType("engine.batch")
batch.__dict__["score_many"] = score_many
sys.modules["engine.batch"] = batch
