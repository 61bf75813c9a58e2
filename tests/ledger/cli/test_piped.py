"""``solo-ledger score -``: as quick as a file, and still an answer as soon as a line is typed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from threading import Timer

import pytest

from engine.notation.common import Unreadable
from ledger.cli.answers import in_line_batches
from tests.engine.hands import six
from tests.engine.playing import dice

COMMAND = [sys.executable, "-m", "ledger", "score"]
HAND = json.dumps(six(4, "solo", 74))
TEXT = f'\ufeff{HAND}\r\n\n{{"note": "Zoë 山田 🂡 \u2028 \x85"}}\r\r\n{HAND}\n\r\nend'


class Arriving(BytesIO):
    """Bytes that arrive in pieces, one for each read."""

    def __init__(self, *pieces: bytes) -> None:
        super().__init__()
        self.pieces = [*pieces, b""]

    def read1(self, _size: int | None = -1, /) -> bytes:
        """Return the next piece."""
        return self.pieces.pop(0)


def lines_of(*pieces: bytes, most: int = 512) -> list[tuple[int, str]]:
    """Return all lines of a text that arrives in pieces."""
    batches = [*in_line_batches(Arriving(*pieces), most)]  # type: ignore[arg-type]
    assert batches[-1] == ([], None)
    assert max(len(lines) for lines, _ in batches) <= most
    return [line for lines, _ in batches for line in lines]


def test_a_text_has_the_same_lines_however_it_is_cut() -> None:
    """Between the bytes of a letter, within the end of a line, after the mark of byte order."""
    data, rng = TEXT.encode(), dice("cut")
    complete = [*enumerate(TextIOWrapper(BytesIO(data), encoding="utf-8"), 1)]
    complete[0] = (1, complete[0][1].removeprefix("\ufeff"))
    assert lines_of(data) == lines_of(*(bytes([byte]) for byte in data)) == complete
    assert lines_of(data, most=2) == complete
    for _ in range(50):
        cuts = [0, *sorted(rng.sample(range(len(data)), 5)), len(data)]
        assert lines_of(*map(data.__getitem__, map(slice, cuts, cuts[1:]))) == complete
    assert lines_of() == []


def test_whole_lines_are_yielded_together_before_more_is_read() -> None:
    """A pipe is scored block by block, and no line waits for the end of the next one."""
    stream = Arriving(b"1\n2\n3\n4", b"5\n")
    batches = in_line_batches(stream, 512)  # type: ignore[arg-type]
    assert next(batches) == ([(1, "1\n"), (2, "2\n"), (3, "3\n")], None)
    assert stream.pieces == [b"5\n", b""]
    assert next(batches) == ([(4, "45\n")], None)


@pytest.mark.parametrize("broken", [(b"1\n2\n3 \xff\n4\n",), (b"1\n2\n3 \xf0\x9f", b"\n4\n")])
def test_the_line_that_is_not_utf_8_is_named_after_those_before_it(
    broken: tuple[bytes, ...],
) -> None:
    """Exactly that line, wherever the text is cut; nothing after it is read."""
    *batches, (rest, fault) = in_line_batches(Arriving(*broken), 512)  # type: ignore[arg-type]
    assert [line for lines, _ in batches for line in lines] == [(1, "1\n"), (2, "2\n")]
    assert rest == []
    assert isinstance(fault, Unreadable)
    assert str(fault) == "line 3, column 1: the text is not UTF-8"


def test_lines_that_arrived_before_a_disk_fails_are_scored() -> None:
    """An unfinished one is not: nobody knows how it would have ended."""

    class Failing(Arriving):
        def read1(self, _size: int | None = -1, /) -> bytes:
            if self.pieces == [b""]:
                raise OSError("Input/output error")
            return super().read1()

    batches = [*in_line_batches(Failing(b"1\n2"), 512)]  # type: ignore[arg-type]
    assert batches[0] == ([(1, "1\n")], None)
    assert str(batches[-1][1]) == "Input/output error"


@pytest.fixture
def scorer() -> Iterator[subprocess.Popen[str]]:
    """A process that scores its input, line by line."""
    with subprocess.Popen(
        [*COMMAND, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=0
    ) as running:
        end = Timer(30, running.kill)  # so that a missing answer is an empty line
        end.start()
        yield running
        end.cancel()
        running.kill()


def test_a_typed_line_is_answered_at_once(scorer: subprocess.Popen[str]) -> None:
    """Without another line, an end of input, or a full block; also while the next line is half typed."""
    typed, printed = scorer.stdin, scorer.stdout
    assert typed is not None
    assert printed is not None
    for body, answers in (
        (f"{HAND}\n", 1),
        (f"{HAND}\n{HAND}\n{HAND[:9]}", 2),
        (HAND[9:] + "\n", 1),
    ):
        typed.write(body)
        typed.flush()
        for _ in range(answers):
            assert json.loads(printed.readline())["ok"] is True
    typed.close()
    assert printed.read() == ""
    assert scorer.wait(timeout=30) == 0


def memory(sent: bytes, times: int) -> int:
    """Return the most memory that scoring takes if `sent` comes through a pipe so often, in KB."""
    with subprocess.Popen(
        [*COMMAND, "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as running:
        assert running.stdin is not None
        for _ in range(times):
            running.stdin.write(sent)
        running.stdin.close()
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0
    return used.ru_maxrss


def test_a_long_stream_takes_no_more_memory_than_a_short_one() -> None:
    """Twenty megabytes, compared with two."""
    two = f"{json.dumps(six(4, 'solo', 74, note='x' * 2_000))}\n".encode() * 1_000
    assert memory(two, 10) < memory(two, 1) + 6_000


def run(file: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    """Score a file, or a text that comes through a pipe."""
    return subprocess.run(
        [*COMMAND, file], input=text, capture_output=True, text=True, check=False, timeout=60
    )


def test_a_pipe_is_answered_as_a_file_is(tmp_path: Path) -> None:
    """The same answers, exit status, line and column."""
    bad = HAND.replace("74", "119")
    for name, lines in (
        ("refused", [HAND, bad, "", HAND]),
        ("broken", [HAND, HAND, '{"game": oops}']),
    ):
        file = tmp_path / f"{name}.jsonl"
        file.write_text("\n".join(lines * 300))
        by_name, piped = run(str(file)), run("-", file.read_text())
        assert piped.stdout == by_name.stdout
        assert piped.returncode == by_name.returncode
        assert piped.stderr.removeprefix("-") == by_name.stderr.removeprefix(str(file))
