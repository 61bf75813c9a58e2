"""Compact lines with their records, with which the Python and the JavaScript reader are tested.

`python -m tests.engine.notation.lines` writes `lines.jsonl` next to this file again.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import given, settings

from engine.notation.compact import read, write
from engine.record import HandRecord
from tests.engine.playing import HOUSES, dice, play, written
from tests.engine.test_properties import noted

FILE = Path(__file__).with_name("lines.jsonl")
HANDS_PER_HOUSE = 3
ANY_KEYS = 60
"""How many records with any keys are written, whether or not a game allows them."""

NAMES = (
    "Zoë, die 2.",
    "山田 文子",
    "Łukasz/x",
    "🂡",
    "Ann=b",
    "Яна",
    "O'Neil (+1)",
    "$2c.",
    "ا",
    "x-1",
    "74",
    ".",
)
"""Names of which most need escapes."""

REMARKS: tuple[dict[str, Any], ...] = (
    {},
    {"note": "Cyd: 7+4 = 11?", "played_at": "2026-01-31T20:15:00+01:00"},
    {"notes": [{"text": "hm", "trick": 1}, {"text": "74"}], "evening": {"date": "2026-01-08", "number": 7}},
    {"claimed": {"by": "bidder", "after": 3}, "x-app": {"a": [1, 2.5, True, "74"], "b": {}, "__proto__": -7}},
    {"claimed": {"by": "opponents", "after": 3, "points": 20, "shown": "AS TD"}, "stated": {"amount": 5}},
    {"irregular": [{"what": "misdeal", "settled": "void"}], "x-a/b:c": "1e5", "x-": [1e-07, 10**15, []]},
    {"spit": {"drawn": []}, "auction": [["Ann", "x"]], "contract": {"alone": False}},
    {"blind_round": {"done": ["Bob"], "heartless": 2}, "made": False, "tricks": [{"cards": ""}]},
)  # fmt: skip
"""Keys that are added to hands, beside those that the hands have."""


def records() -> Iterator[HandRecord]:
    """Yield random hands of every game and table, some with remarks, and records with any keys."""
    rng = dice("lines")
    for at, house in enumerate(HOUSES):
        for number in range(HANDS_PER_HOUSE):
            hand = written(house, play(house, rng, step_deal=True, speak=True))
            keys: dict[str, Any] = hand.to_mapping() | {"format": 1.1}
            if number:
                keys |= REMARKS[(2 * at + number) % len(REMARKS)]
            if "claimed" in keys:
                keys["tricks"] = keys.get("tricks", [])[:3]
            yield _renamed(keys) if number == 1 else HandRecord.from_mapping(keys)
    yield from _with_any_keys()


def _renamed(keys: dict[str, Any]) -> HandRecord:
    """Return a record with escapes in the names of its players."""
    text = json.dumps(keys)
    for name, other in zip(keys["players"], NAMES, strict=False):
        text = text.replace(f'"{name}"', json.dumps(other))
    return HandRecord.from_mapping(json.loads(text))


def _with_any_keys() -> list[HandRecord]:
    results: list[HandRecord] = []

    @settings(max_examples=ANY_KEYS, derandomize=True, database=None, deadline=None)
    @given(noted())
    def collect(record: HandRecord) -> None:
        results.append(record)

    collect()
    return results


def plain(record: HandRecord) -> dict[str, Any]:
    """Return a record as readers of lines do: without `format`, which follows from the other keys."""
    keys = record.to_mapping()
    del keys["format"]
    return keys


def lines() -> Iterator[dict[str, Any]]:
    """Yield each line of the file, once."""
    written_lines = dict.fromkeys(write(record) for record in records())
    for line in written_lines:
        yield {"line": line, "record": plain(read(line))}


def main() -> None:
    """Write the file."""
    rows = (json.dumps(row, separators=(",", ":")) + "\n" for row in lines())
    FILE.write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
