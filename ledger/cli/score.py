"""``solo-ledger score``: score files of hands, with one JSON answer per hand, in order."""

import gc
import os
import sys
from collections.abc import Iterator
from io import BufferedReader
from typing import IO, TextIO, cast

import click

from engine.notation.common import Unreadable
from ledger.cli.answers import Scored, in_batches, in_line_batches, score_hands, score_lines
from ledger.cli.hand_files import (
    GOOD,
    NOTATIONS,
    SOME_REFUSED,
    UNREADABLE,
    UNWRITTEN,
    Unwritten,
    bytes_read,
    drop_output,
    notation_of,
    reader,
    reason,
    write,
)
from ledger.cli.progress import bar
from ledger.runtime.jobs import WorkerLost, in_order

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
    """Score the hands in each FILE (.json, .jsonl, .toml, .line; - for standard input).

    Prints one JSON object a hand. Exit status: 0 when every hand was scored, 1 when any was refused,
    2 when a file could not be read, 3 when the answers could not be written.
    """
    gc.set_threshold(100_000)  # scoring leaves no reference cycles
    status = GOOD
    for file in files:
        try:
            status = max(status, _score_file(file, notation, jobs))
        except (Unwritten, WorkerLost) as error:
            click.echo(f"The answers could not be written: {error}", err=True)
            drop_output()
            sys.exit(UNWRITTEN)
        except BrokenPipeError:
            raise  # our output was closed; the file is not at fault
        except (Unreadable, OSError, UnicodeDecodeError, click.UsageError) as error:
            click.echo(f"{file}: {reason(error)}", err=True)
            status = UNREADABLE
    gc.freeze()  # end the process without a last collection
    sys.exit(status)


def _score_file(file: str, notation: str | None, jobs: int) -> int:
    status = GOOD
    chosen = notation or notation_of(file)
    with click.open_file(file, encoding="utf-8") as stream, bar(file) as advance:
        size = os.path.getsize(file) if file != "-" else None
        for scored in _scored(file, stream, chosen, jobs):
            write(scored.answers)
            if scored.refused:
                status = SOME_REFUSED
            if scored.fault is not None:
                raise scored.fault
            advance(bytes_read(stream), size)
    return status


def _scored(file: str, stream: IO[str], notation: str, jobs: int) -> Iterator[Scored]:
    """Yield the scored batches in order."""
    if notation == "jsonl":
        lines = cast("BufferedReader", cast("TextIO", stream).buffer)
        yield from in_order(score_lines, in_line_batches(lines, BATCH), jobs)
        return
    # Hands from a pipe may arrive one by one, from a program that waits for each answer.
    most = BATCH if os.path.isfile(file) else 1
    yield from map(score_hands, in_batches(reader(notation)(stream), most))
