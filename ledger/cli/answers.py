"""A batch of hands, scored: what ``solo-ledger score`` prints of it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import orjson

from engine.errors import Refused, printable
from engine.notation.common import Reading, Unreadable
from engine.notation.json_text import read_lines
from engine.reasoning.verdict import Verdict
from engine.scoring.alike import score_mappings
from engine.scoring.score import score

_COLON = "\\u003"
"""How a colon begins that is written as an escape."""

T = TypeVar("T")
Batch = tuple[list[T], Exception | None]
"""Some hands or lines of a file, and what stopped the reading after them."""


class Scored(NamedTuple):
    """The answers to a batch, a line each; whether any refuses its hand; what stopped the reading."""

    answers: bytes
    refused: bool
    fault: Exception | None


def in_batches(hands: Iterable[T], most: int) -> Iterator[Batch[T]]:
    """Put so many together at a time; what was read before a fault comes with it."""
    batch: list[T] = []
    try:
        for hand in hands:
            batch.append(hand)
            if len(batch) == most:
                yield batch, None
                batch = []
    except (Unreadable, OSError, UnicodeDecodeError) as error:
        yield batch, error
    else:
        yield batch, None


def score_lines(batch: Batch[tuple[int, str]]) -> Scored:
    """Score numbered lines of JSON."""
    lines, fault = batch
    return _answers(_of_lines(lines), fault)


def score_hands(batch: tuple[Iterable[Reading], Exception | None]) -> Scored:
    """Score hands that were read, or that are read as they come."""
    hands, fault = batch
    return _answers(map(_of_hand, hands), fault)


def _of_lines(lines: Sequence[tuple[int, str]]) -> Iterator[Verdict | Refused]:
    """Score lines as a quick parser reads them.

    What that one cannot read, and every hand that is refused, is read again so that it is said what is wrong.
    """
    values = quick_json([line for _, line in lines])
    for line, scored in zip(lines, score_mappings(values), strict=True):
        if isinstance(scored, Refused):
            yield from map(_of_hand, read_lines([line]))
        else:
            yield scored


def _of_hand(hand: Reading) -> Verdict | Refused:
    try:
        return hand if isinstance(hand, Refused) else score(hand)
    except Refused as refused:
        return refused


def _answers(scored: Iterable[Verdict | Refused], fault: Exception | None) -> Scored:
    answers: list[bytes] = []
    refused = False
    try:
        for each in scored:
            answers.append(_written(each.to_mapping()))
            refused = refused or isinstance(each, Refused)
    except Unreadable as error:
        fault = error
    return Scored(b"".join(answers), refused, fault)


def quick_json(texts: Sequence[str]) -> list[object]:
    """Read JSON texts; `None` for what is read otherwise than by `engine.notation`, or may be.

    Of a key that stands twice one is dropped, and with it a colon. Only a colon that is written as an escape
    could make up for it.
    """
    together = "".join(texts)
    try:
        values: list[object] = [*map(orjson.loads, texts)]
        escaped = "\\" in together and _COLON in together
        if not escaped and together.count(":") == orjson.dumps(values).count(b":"):
            return values
    except (ValueError, TypeError):
        pass
    half = len(texts) // 2  # so that only what is odd is left out
    return quick_json(texts[:half]) + quick_json(texts[half:]) if half else [None]


def _written(answer: dict[str, object]) -> bytes:
    try:
        return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        # Half a character in a hand may be repeated in its answer: written as JSON's escape it goes out.
        return printable(json.dumps(answer, ensure_ascii=False)).encode() + b"\n"
