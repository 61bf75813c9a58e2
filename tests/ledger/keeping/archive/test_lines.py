"""The lines of an archive: written and read again, and every fault found at its line."""

import gzip
import hashlib
import json
import tracemalloc
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

import pytest

from ledger.keeping.archive import lines
from ledger.keeping.archive.lines import Damaged, LineWriter

Written = tuple[str, Mapping[str, Any]]
HEADER: Written = ("header", {"format": lines.FORMAT, "version": 1, "chain": 1})
END: Written = ("end", {"entries": 0})
PLAYERS: Sequence[Written] = [("player", {"id": 1, "name": "山田 🂡"}), ("player", {"id": 2})]


def archive(*written: Written) -> bytes:
    """Return the file with these lines."""
    writer = LineWriter()
    return b"".join([*(writer.write(*line) for line in written), writer.finish()])


def read(content: bytes) -> list[lines.Line]:
    """Return the lines of a file."""
    return list(lines.read(BytesIO(content)))


def changed(content: bytes, old: bytes, new: bytes) -> bytes:
    """Return a file with a part of its text replaced."""
    text = gzip.decompress(content)
    assert old in text
    return gzip.compress(text.replace(old, new), mtime=0)


def summed(*texts: bytes) -> bytes:
    """Return a file of these lines without their closing brackets, whatever they contain."""
    before, whole = "", b""
    for text in texts:
        before = hashlib.sha256(before.encode() + text).hexdigest()[:16]
        whole += text + f',"sum":"{before}"}}\n'.encode()
    return gzip.compress(whole, mtime=0)


GOOD = archive(HEADER, *PLAYERS, END)
OPENED = b'{"line":"header","format":"solo-ledger archive","version":1,"chain":1'


def test_lines_are_read_as_they_were_written() -> None:
    """With their numbers, their types and their members."""
    expected = [(kind, {**values}) for kind, values in (HEADER, *PLAYERS, END)]
    assert [(line.kind, line.values) for line in read(GOOD)] == [*expected]
    assert [line.number for line in read(GOOD)] == [1, 2, 3, 4]


def test_equal_lines_give_equal_bytes() -> None:
    """The file contains no time, name or system."""
    assert archive(HEADER, *PLAYERS, END) == GOOD


def test_each_sum_covers_the_text_and_the_sum_before() -> None:
    """It is computed here without the program."""
    before = ""
    for text in gzip.decompress(GOOD).decode().splitlines():
        body, _, tail = text.rpartition(',"sum":')
        before = hashlib.sha256((before + body).encode()).hexdigest()[:16]
        assert json.loads(tail.removesuffix("}")) == before


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "line 1: the file is empty"),
        (b"PK\3\4 a folder", "line 1: it can't be unpacked"),
        (GOOD[:-20], "the file ends too early"),
        (GOOD + b"more", "line 5: it can't be unpacked"),
        (GOOD + GOOD, "line 5: it, or the order of lines, was changed"),
        (GOOD[:40] + b"\xff\xff" + GOOD[42:], "it can't be unpacked"),
        (
            gzip.compress(b'{"players":["Ann"]}\n', mtime=0),
            "line 1: it is not a line of an archive",
        ),
        (changed(GOOD, "山田".encode(), "山本".encode()), "line 2: .*its sum does not match"),
        (changed(GOOD, b'"id":2', b'"id":3'), "line 3: .*its sum does not match"),
        (changed(GOOD, b'"entries":0', b'"entries": 0'), "line 4: .*its sum does not match"),
        (gzip.compress(gzip.decompress(GOOD)[:-1], mtime=0), None),
        (
            gzip.compress(b"".join(gzip.decompress(GOOD).splitlines(True)[::2]), mtime=0),
            "line 2: ",
        ),
        (archive(HEADER, *PLAYERS), "line 4: the file ends too early"),
        (archive(HEADER, END, PLAYERS[0]), "line 3: a line of type 'player' is not expected here"),
        (archive(HEADER, END, END), "line 3: a line of type 'end' is not expected here"),
        (archive(HEADER, HEADER, END), "line 2: a line of type 'header' is not expected here"),
        (archive(HEADER, ("entry", {}), PLAYERS[0], END), "line 3: a line of type 'player'"),
        (archive(HEADER, ("secret", {}), END), "line 2: a line of type 'secret'"),
        (archive(*PLAYERS, END), "line 1: it is not the header"),
        (archive(("header", {"format": "pgn"})), "line 1: it is not the header"),
        (archive(("header", {**HEADER[1], "version": 2})), r"version \(format 2, chain 1\)"),
        (archive(("header", {**HEADER[1], "chain": None})), r"version \(format 1, chain None\)"),
        (summed(OPENED, b'{"line":"player","id":'), "line 2: it is not JSON"),
        (summed(OPENED, b'{"line":"player","name":"\xff"'), "line 2: it is not JSON"),
        (summed(OPENED, b'{"line":7'), "line 2: it has no type"),
        (summed(OPENED, b'{"id":7'), "line 2: it has no type"),
        (summed(OPENED, b'{"line":"player","name":"%b"' % (b"x" * 2**22)), "line 2: it is longer"),
    ],
)
def test_a_fault_is_found_at_its_line(content: bytes, fault: str | None) -> None:
    """A missing newline at the very end is none."""
    if fault is None:
        assert read(content) == read(GOOD)
    else:
        with pytest.raises(Damaged, match=fault):
            read(content)


def test_a_line_too_long_to_be_read_is_not_written() -> None:
    """The longest one is read."""
    writer = LineWriter()
    empty = len(gzip.decompress(writer.write(*HEADER) + writer.finish()))
    longest = {**HEADER[1], "made_by": "x" * (lines.MOST_BYTES - empty - len(',"made_by":""'))}
    assert read(archive((HEADER[0], longest), END))[0].values == longest
    with pytest.raises(ValueError, match="it is longer than 4,194,304 bytes"):
        LineWriter().write(HEADER[0], {**longest, "more": 1})


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_file_that_expands_without_end_is_refused_in_little_memory(end: bytes) -> None:
    """Whether it is one line or many."""
    bomb = gzip.compress((b"0" * 999 + end) * 200_000)
    tracemalloc.start()
    try:
        with pytest.raises(Damaged):
            read(bomb)
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()


def test_many_good_lines_that_expand_too_much_are_refused() -> None:
    """A player's name of a million equal letters is no archive's."""
    names = [("player", {"id": number, "name": "x" * 10**6}) for number in range(10)]
    with pytest.raises(Damaged, match=r"line \d+: the file expands more than 200 times"):
        read(archive(HEADER, *names, END))
