"""Hands with known verdicts, at the depth of contract and points; one a line in `examples.jsonl`.

The eight-handed one states `alone`, which also follows from its cards: the caller called their own card.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.hands import scored

EXAMPLES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "examples.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_gives_its_verdict(example: dict[str, Any]) -> None:
    """Outcome, points and every seat's delta."""
    verdict = scored(example["hand"])
    assert verdict.outcome == example["outcome"]
    assert verdict.deltas == example["deltas"]
    assert verdict.points == example["hand"]["points"]
