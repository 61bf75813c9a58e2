"""A batch of hands, scored: what ``solo-ledger score`` prints of it."""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

import orjson

from engine.errors import Refused, printable
from engine.notation.common import Reading, Unreadable
from engine.notation.json_text import read_lines
from engine.reasoning.verdict import Verdict
from engine.scoring.alike import score_mapping
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
    return _answers(_of_lines(lines), fault)


def score_hands(batch: tuple[Iterable[Reading], Exception | None]) -> Scored:
    """Score hands that were read, or that are read as they come."""
    hands, fault = batch
    return _answers(map(_of_hand, hands), fault)


def _of_lines(lines: Iterable[tuple[int, str]]) -> Iterator[Verdict | Refused]:
    """Score each line as a quick parser reads it.

    What that one cannot read, and every hand that is refused, is read again so that it is said what is wrong.
    """
    for number, line in lines:
        try:
            yield score_mapping(quick_json(line))
        except (ValueError, TypeError, Refused):
            yield from map(_of_hand, read_lines([(number, line)]))


def _of_hand(hand: Reading) -> Verdict | Refused:
    try:
        return hand if isinstance(hand, Refused) else score(hand)
    except Refused as refused:
        return refused


def _answers(scored: Iterable[Verdict | Refused], fault: Exception | None) -> Scored:
    answers: list[str] = []
    refused = False
    try:
        for each in scored:
            answers.append(_written(each.to_mapping()))
            refused = refused or isinstance(each, Refused)
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
