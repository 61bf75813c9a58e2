"""``solo-ledger score``: score files of hands, with one JSON answer per hand, in order."""

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
"""The number of hands scored before their answers are written."""


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
    gc.set_threshold(100_000)  # scoring leaves no reference cycles
    status = ALL_SCORED
    for file in files:
        try:
            status = max(status, _score_file(file, notation, jobs))
        except (_Unwritten, WorkerLost) as error:
            click.echo(f"The answers could not be written: {error}", err=True)
            _drop_answers()
            sys.exit(UNWRITTEN)
        except BrokenPipeError:
            raise  # our output was closed; the file is not at fault
        except (Unreadable, OSError, UnicodeDecodeError, click.UsageError) as error:
            click.echo(f"{file}: {_reason(error)}", err=True)
            status = UNREADABLE
    gc.freeze()  # end the process without a last collection
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
            advance(_bytes_read(stream), size)
    return status


def _scored(file: str, stream: IO[str], notation: str, jobs: int) -> Iterator[Scored]:
    """Yield the scored batches in order."""
    if notation == "jsonl":
        lines = cast("BufferedReader", cast("TextIO", stream).buffer)
        yield from in_order(score_lines, in_line_batches(lines, BATCH), jobs)
        return
    # Hands from a pipe may arrive one by one, from a program that waits for each answer.
    most = BATCH if os.path.isfile(file) else 1
    yield from map(score_hands, in_batches(_reader(notation)(stream), most))


def _reader(notation: str) -> Callable[[IO[str]], Iterator[Reading]]:
    """Return the reader of a notation; TOML's is imported when needed."""
    if notation == "json":
        return stream_json
    from engine.notation.toml_stream import stream_toml

    return stream_toml


class _Unwritten(Exception):
    """The answers could not be written, for example to a full disk: no fault of the input."""


def _write(answers: bytes) -> None:
    """Print answers as UTF-8; on a terminal through ``sys.stdout``, which the bar makes room for.

    Raises ``_Unwritten`` for a fault of the output, but ``BrokenPipeError`` if nobody reads it any more.
    """
    try:
        if sys.stdout.isatty():
            sys.stdout.write(answers.decode())
        else:
            sys.stdout.buffer.write(answers)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _Unwritten(_reason(error)) from error


def _drop_answers() -> None:
    """Discard output from now on, even if buffered already, so that Python does not fail again at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _by_ending(file: str) -> str:
    if file == "-":
        return "jsonl"
    ending = os.path.splitext(file)[1].lower().removeprefix(".")
    if ending not in NOTATIONS:
        raise click.UsageError("hand records end in .json, .jsonl or .toml; or say --format.")
    return ending


def _reason(error: Exception) -> str:
    if isinstance(error, click.UsageError):
        return error.message
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, UnicodeDecodeError):
        return "the text is not UTF-8"
    return str(error)


def _bytes_read(stream: IO[str]) -> int:
    buffer = getattr(stream, "buffer", None)
    return buffer.tell() if buffer is not None and buffer.seekable() else 0
