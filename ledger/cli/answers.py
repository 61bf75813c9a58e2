"""Scoring batches of hands into lines of JSON, for ``solo-ledger score``."""

import json
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Sequence
from io import BufferedReader, IncrementalNewlineDecoder, StringIO
from typing import Any, NamedTuple, TypeVar

import orjson

from engine.batch import score_many
from engine.errors import Refused, printable
from engine.guide.unfinished import UnfinishedHand, answer
from engine.notation.common import BYTE_ORDER_MARK, NOT_UTF_8, Reading, Unreadable
from engine.notation.json_text import read_lines
from engine.record.seats import look_alikes
from engine.rules.verdict import Verdict

_COLON = "\\u003"
"""The beginning of a colon written as an escape."""

BLOCK = 1 << 19
"""The most bytes to read at a time."""

T = TypeVar("T")
Batch = tuple[list[T], Exception | None]
"""Some hands or lines of a file, and the error that ended the reading after them, if any."""


class Scored(NamedTuple):
    """A batch's answers, one per line; whether any refuses its hand; the error that ended the reading."""

    answers: bytes
    refused: bool
    fault: Exception | None


def in_batches(hands: Iterable[T], most: int) -> Iterator[Batch[T]]:
    """Yield batches of ``most`` hands, then the rest, even if empty, with the error that ended it, if any."""
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


def in_line_batches(stream: BufferedReader, most: int) -> Iterator[Batch[tuple[int, str]]]:
    """Yield the numbered lines of a text in batches of at most `most`, each line as soon as it is complete.

    Only the bytes that have arrived are read, so that a typed line is scored before the next is typed. The
    last batch is empty, with the error that ended the reading, if any.
    """
    decoder = IncrementalNewlineDecoder(getincrementaldecoder("utf-8")(), translate=True)
    parts: list[str] = []
    number, block = 0, b"\n"
    fault: Exception | None = None
    while block and fault is None:
        try:
            block = stream.read1(BLOCK)
            parts.append(decoder.decode(block, final=not block))
        except UnicodeDecodeError as error:
            readable = error.start - (len(error.object) - len(block))
            parts.append(decoder.decode(block[: max(0, readable)]))
            fault = error
        except OSError as error:
            fault = error
        if block and fault is None and "\n" not in parts[-1]:
            continue  # join a long line once
        lines = list(StringIO("".join(parts)))
        unfinished = lines and not lines[-1].endswith("\n") and (block or fault is not None)
        parts = [lines.pop()] if unfinished else []
        if lines and number == 0:
            lines[0] = lines[0].removeprefix(BYTE_ORDER_MARK)
        numbered = list(enumerate(lines, number + 1))
        number += len(lines)
        for at in range(0, len(lines), most):
            yield numbered[at : at + most], None
    if isinstance(fault, UnicodeDecodeError):
        fault = Unreadable(number + 1, 1, NOT_UTF_8)
    yield [], fault


def score_lines(batch: Batch[tuple[int, str]]) -> Scored:
    """Return the answers to numbered lines of JSON, up to one that can't be parsed: it becomes the fault."""
    lines, fault = batch
    return _answers(_of_lines(lines), fault)


def score_hands(batch: tuple[Iterable[Reading], Exception | None]) -> Scored:
    """Return the answers to parsed hands, a refusal's among them."""
    hands, fault = batch
    return _answers(map(_of_hand, hands), fault)


def _of_lines(lines: Sequence[tuple[int, str]]) -> Iterator[Verdict | UnfinishedHand | Refused]:
    """Score lines with a fast parser.

    Lines that it can't parse, and hands that are refused, are parsed again for a precise error message.
    """
    values: list[Any] = quick_json([line for _, line in lines])
    for line, value, scored in zip(lines, values, score_many(values), strict=True):
        if isinstance(scored, Refused) or look_alikes(tuple(value["players"])):
            yield from map(_of_hand, read_lines([line]))
        else:
            yield scored


def _of_hand(hand: Reading) -> Verdict | UnfinishedHand | Refused:
    try:
        return hand if isinstance(hand, Refused) else answer(hand)
    except Refused as refused:
        return refused


def _answers(
    scored: Iterable[Verdict | UnfinishedHand | Refused], fault: Exception | None
) -> Scored:
    answers: list[bytes] = []
    refused = False
    try:
        for result in scored:
            answers.append(_encoded(result.to_mapping()))
            refused = refused or isinstance(result, Refused)
    except Unreadable as error:
        fault = error
    return Scored(b"".join(answers), refused, fault)


def quick_json(texts: Sequence[str]) -> list[object]:
    """Parse JSON texts; `None` for each that `engine.notation` parses differently, or may.

    A duplicate key is dropped, and a colon with it, so counting colons finds it. Only a colon written as an
    escape could hide it.
    """
    together = "".join(texts)
    try:
        values: list[object] = [*map(orjson.loads, texts)]
        escaped = "\\" in together and _COLON in together
        if not escaped and together.count(":") == orjson.dumps(values).count(b":"):
            return values
    except (ValueError, TypeError):
        pass
    half = len(texts) // 2  # bisect, to leave out as few as possible
    return quick_json(texts[:half]) + quick_json(texts[half:]) if half else [None]


def _encoded(answer: dict[str, object]) -> bytes:
    try:
        return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        # A lone surrogate in a hand may be repeated in its answer: it is written as an escape.
        return printable(json.dumps(answer, ensure_ascii=False)).encode() + b"\n"
