"""``solo-ledger score``: hand records in, one JSON answer a hand out, in order."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BufferedReader
from typing import IO, TextIO, cast

import click

from engine.notation.common import Reading, Unreadable
from engine.notation.json_text import stream_json
from ledger.cli.answers import Scored, in_batches, in_line_batches, score_hands, score_lines
from ledger.cli.progress import bar
from ledger.runtime.jobs import WorkerLost, in_order

ALL_SCORED, SOME_REFUSED, UNREADABLE, UNWRITTEN = 0, 1, 2, 3
"""Exit statuses."""

NOTATIONS = ("json", "jsonl", "toml")
BATCH = 512
"""So many hands are scored before their answers are written."""


@click.command(epilog="Example: solo-ledger score evening.toml | less")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--format",
    "notation",
    type=click.Choice(NOTATIONS),
    help="How the files are written.  [default: by their ending; standard input: jsonl]",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processes that share the work; only files of lines (.jsonl) can be shared.",
)
def score(files: tuple[str, ...], notation: str | None, jobs: int) -> None:
    """Score the hands in each FILE (.json, .jsonl, .toml; - for standard input).

    Prints one JSON object a hand. Exit status: 0 when every hand was scored, 1 when any was refused,
    2 when a file could not be read, 3 when the answers could not be written.
    """
    gc.set_threshold(100_000)  # hands leave nothing that goes round in a circle
    status = ALL_SCORED
    for file in files:
        try:
            status = max(status, _score_file(file, notation, jobs))
        except (_Unwritten, WorkerLost) as error:
            click.echo(f"The answers could not be written: {error}", err=True)
            _drop_answers()
            sys.exit(UNWRITTEN)
        except BrokenPipeError:
            raise  # the reader of our answers has had enough; not the file's fault
        except (Unreadable, OSError, UnicodeDecodeError, click.UsageError) as error:
            click.echo(f"{file}: {_why(error)}", err=True)
            status = UNREADABLE
    gc.freeze()  # what was kept is let go as the process ends, without being looked through first
    sys.exit(status)


def _score_file(file: str, notation: str | None, jobs: int) -> int:
    status = ALL_SCORED
    chosen = notation or _by_ending(file)
    with click.open_file(file, encoding="utf-8") as stream, bar(file) as advance:
        size = os.path.getsize(file) if file != "-" else None
        for scored in _scored(file, stream, chosen, jobs):
            _write(scored.answers)
            if scored.refused:
                status = SOME_REFUSED
            if scored.fault is not None:
                raise scored.fault
            advance(_read_so_far(stream), size)
    return status


def _scored(file: str, stream: IO[str], notation: str, jobs: int) -> Iterator[Scored]:
    """Score batch after batch, in order."""
    if notation == "jsonl":
        lines = cast("BufferedReader", cast("TextIO", stream).buffer)
        yield from in_order(score_lines, in_line_batches(lines, BATCH), jobs)
        return
    # What comes through a pipe may come hand by hand, from somebody who waits for each answer.
    most = BATCH if os.path.isfile(file) else 1
    yield from map(score_hands, in_batches(_reader(notation)(stream), most))


def _reader(notation: str) -> Callable[[IO[str]], Iterator[Reading]]:
    """Find what reads a notation; TOML's is imported where it is wanted."""
    if notation == "json":
        return stream_json
    from engine.notation.toml_stream import stream_toml

    return stream_toml


class _Unwritten(Exception):
    """The answers have nowhere to go: a full disk is not the fault of the file that is read."""


def _write(answers: bytes) -> None:
    """Print answers, in UTF-8 as JSON is, but on a terminal: there the bar has to make room for them."""
    try:
        if sys.stdout.isatty():
            sys.stdout.write(answers.decode())
        else:
            sys.stdout.buffer.write(answers)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _Unwritten(_why(error)) from error


def _drop_answers() -> None:
    """Send what Python still holds of them nowhere, so that it does not fail once more as it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _by_ending(file: str) -> str:
    if file == "-":
        return "jsonl"
    ending = os.path.splitext(file)[1].lower().removeprefix(".")
    if ending not in NOTATIONS:
        raise click.UsageError("hand records end in .json, .jsonl or .toml; or say --format.")
    return ending


def _why(error: Exception) -> str:
    if isinstance(error, click.UsageError):
        return error.message
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, UnicodeDecodeError):
        return "the text is not UTF-8"
    return str(error)


def _read_so_far(stream: IO[str]) -> int:
    buffer = getattr(stream, "buffer", None)
    return buffer.tell() if buffer is not None and buffer.seekable() else 0
