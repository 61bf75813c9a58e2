"""A batch of hands, scored: what ``solo-ledger score`` prints of it."""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

import orjson

from engine.errors import Refused, printable
from engine.notation.common import Reading, Unreadable
from engine.notation.json_text import read_lines
from engine.scoring.score import score

T = TypeVar("T")
Batch = tuple[list[T], Exception | None]
"""Some hands or lines of a file, and what stopped the reading after them."""


class Scored(NamedTuple):
    """The answers to a batch, a line each; whether any refuses its hand; what stopped the reading."""

    answers: str
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
    return score_hands((read_lines(lines, quick_json), fault))


def score_hands(batch: tuple[Iterable[Reading], Exception | None]) -> Scored:
    """Score hands that were read, or that are read as they come."""
    hands, fault = batch
    answers: list[str] = []
    refused = False
    try:
        for hand in hands:
            try:
                if isinstance(hand, Refused):
                    raise hand
                answer = score(hand).to_mapping()
            except Refused as why:
                answer, refused = why.to_mapping(), True
            answers.append(_written(answer))
    except Unreadable as error:
        fault = error
    return Scored("".join(answers), refused, fault)


def quick_json(line: str) -> object:
    """Read JSON; `ValueError` or `TypeError` for all that it might read otherwise than `engine.notation`.

    Of a key that stands twice one is dropped, and with it a colon. Only an escape could make up for it.
    """
    value = orjson.loads(line)
    if "\\" in line or line.count(":") != orjson.dumps(value).count(b":"):
        raise ValueError("a key may stand twice")
    return value


def _written(answer: dict[str, object]) -> str:
    try:
        return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE).decode()
    except TypeError:
        # Half a character in a hand may be repeated in its answer: written as JSON's escape it goes out.
        return printable(json.dumps(answer, ensure_ascii=False)) + "\n"
