"""The lines of an archive: JSON objects, each with a sum that covers its text and the sum before.

So a changed, removed, added or moved line is noticed at its number. Reading takes constant memory, whatever
the file contains.
"""

import gzip
import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final, NamedTuple

from ledger.database import json

FORMAT: Final = "solo-ledger archive"
VERSION: Final = 1
"""The version of the format; a reader refuses any other."""

CHAIN: Final = 1
"""The version of the digests' chain (``ledger.books.chain``)."""

HEADER, ENTRY, LOOSE_VERSION, END = "header", "entry", "version", "end"

ROWS_BEFORE: Sequence[str] = ("player", "play_session", "seat", "hand", "account")
"""The tables whose rows come before the entries; each refers only to rows above it."""

ROWS_AFTER: Sequence[str] = ("result", "tally", "versus", "chip_count", "season")
"""The tables whose rows come after the entries."""

ORDER: Sequence[str] = (HEADER, *ROWS_BEFORE, ENTRY, LOOSE_VERSION, *ROWS_AFTER, END)
"""The types of lines, in their order in the file; there is one header and one end."""

MOST_BYTES: Final = 4 * 2**20
"""The most bytes of a line."""

MOST_TIMES: Final = 200
"""The most times that a file may expand; archives expand about eight times."""

_COMPRESSION: Final = 4
_BLOCK: Final = 2**16
_GZIP: Final = zlib.MAX_WBITS | 16
_SUM = b',"sum":"'
_SUM_LENGTH: Final = 16
_TAIL_LENGTH: Final = len(_SUM) + _SUM_LENGTH + len(b'"}')


class Damaged(ValueError):
    """The file is not an archive, or was changed; the message gives the line and the reason."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number}: {reason}")
        self.number, self.reason = number, reason


class OtherVersion(Damaged):
    """The archive has a version that this program does not read."""


class Line(NamedTuple):
    """A line's number from 1, its type, its members, and the number of its bytes."""

    number: int
    kind: str
    values: dict[str, Any]
    size: int


class LineWriter:
    """Turns lines into compressed bytes; equal lines give equal bytes, as the file contains no time."""

    def __init__(self) -> None:
        self._sum = b""
        self._waiting = bytearray()
        self._gzip = zlib.compressobj(_COMPRESSION, wbits=_GZIP)

    def write(self, kind: str, values: Mapping[str, Any]) -> bytes:
        """Add a line and return the file's next bytes, mostly none.

        Raises ``TypeError`` for a value that JSON can't represent, and ``ValueError`` for a line that would
        be too long to be read.
        """
        text = json.write({"line": kind, **values})[:-1]
        if len(text) + _TAIL_LENGTH >= MOST_BYTES:
            raise ValueError(f"it is longer than {MOST_BYTES:,} bytes")
        self._sum = _sum(self._sum, text)
        self._waiting += b'%b%b%b"}\n' % (text, _SUM, self._sum)
        return self._compress() if len(self._waiting) >= _BLOCK else b""

    def finish(self) -> bytes:
        """Return the file's last bytes."""
        return self._compress() + self._gzip.flush()

    def _compress(self) -> bytes:
        compressed = self._gzip.compress(self._waiting)
        self._waiting.clear()
        return compressed


def read(file: BinaryIO) -> Iterator[Line]:
    """Yield the lines of an archive, each checked by its sum. Raises ``Damaged`` at the first fault.

    The header comes first and is of this ``VERSION``, the types of lines are in ``ORDER``, and nothing
    follows the end.
    """
    number, place, before = 1, 0, b""
    try:
        for number, text in enumerate(_texts(file), 1):
            line, before = _checked(number, text, before)
            place = _next_place(place, line)
            yield line
            number += 1
    except EOFError as error:
        raise Damaged(number, "the file ends too early") from error
    except gzip.BadGzipFile as error:
        raise Damaged(number, "it can't be unpacked, as it is not compressed by gzip") from error
    except zlib.error as error:
        raise Damaged(number, f"it can't be unpacked ({error})") from error
    except _TooLarge as error:
        raise Damaged(number, str(error)) from error
    if ORDER[place] != END:
        raise Damaged(number, "the file ends too early" if number > 1 else "the file is empty")


class _TooLarge(ValueError):
    """A line or the whole file is too large; the message gives the reason."""


def _texts(file: BinaryIO) -> Iterator[bytes]:
    """Yield the texts of an archive's lines. Raises ``_TooLarge``, and the errors of unpacking."""
    rest = b""
    with gzip.GzipFile(fileobj=file, mode="rb") as unpacked:
        while block := unpacked.read1(_BLOCK):
            if unpacked.tell() > MOST_BYTES + MOST_TIMES * file.tell():
                raise _TooLarge(f"the file expands more than {MOST_TIMES} times")
            first, *others = (rest + block).split(b"\n")
            if len(first) >= MOST_BYTES:  # all others are shorter than a block
                raise _TooLarge(f"it is longer than {MOST_BYTES:,} bytes")
            *texts, rest = first, *others
            yield from texts
    if rest:
        yield rest


def _checked(number: int, text: bytes, before: bytes) -> tuple[Line, bytes]:
    """Return a line and its sum; ``before`` is the sum of the line before."""
    expected = _sum(before, text[:-_TAIL_LENGTH])
    if not text.endswith(b'%b%b"}' % (_SUM, expected)):
        reason = (
            "it is not a line of an archive"
            if number == 1
            else "it, or the order of lines, was changed"
        )
        raise Damaged(number, f"{reason}: its sum does not match")
    try:
        values = json.read(text)
    except ValueError as error:
        raise Damaged(number, f"it is not JSON ({error})") from error
    if not isinstance(values, dict) or not isinstance(kind := values.pop("line", None), str):
        raise Damaged(number, "it has no type")
    del values["sum"]
    return Line(number, kind, values, len(text)), expected


def _next_place(place: int, line: Line) -> int:
    """Return the place of a line's type in ``ORDER``, which is not before ``place``."""
    if line.kind == ORDER[place] and line.kind not in (HEADER, END):
        return place
    if line.number == 1:
        _check_header(line)
        return 0
    if line.kind not in ORDER[max(place, 1) :] or ORDER[place] == END:
        raise Damaged(line.number, f"a line of type {line.kind[:40]!r} is not expected here")
    return ORDER.index(line.kind)


def _check_header(line: Line) -> None:
    values = line.values
    if line.kind != HEADER or values.get("format") != FORMAT:
        raise Damaged(line.number, "it is not the header of an archive")
    if values.get("version") != VERSION or values.get("chain") != CHAIN:
        versions = f"format {values.get('version')}, chain {values.get('chain')}"
        raise OtherVersion(
            line.number, f"it is of another version ({versions}), which another solo-ledger reads"
        )


def _sum(before: bytes, text: bytes) -> bytes:
    return hashlib.sha256(before + text).hexdigest()[:_SUM_LENGTH].encode()
