"""``solo-ledger score``: score files of hands, with one JSON answer per hand, in order."""

import gc
import os
import sys
from collections.abc import Iterator
from functools import partial
from io import BufferedReader
from typing import IO, TextIO, cast

import click

from ledger.cli.answers import Scored, in_batches, in_line_batches, score_hands, score_lines
from ledger.cli.hand_files import (
    SOME_REFUSED,
    HandFiles,
    exit_if_unwritten,
    files_argument,
    notation_option,
    reader,
    write,
)
from ledger.runtime.jobs import in_order

BATCH = 512
"""The number of hands scored before their answers are written."""


@click.command(epilog="Example: solo-ledger score evening.toml | less")
@files_argument
@notation_option
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
    hands = HandFiles(files, notation)
    with exit_if_unwritten("The answers"):
        for scored in hands.each(partial(_scored, jobs)):
            write(scored.answers)
            if scored.refused:
                hands.worsen(SOME_REFUSED)
    gc.freeze()  # end the process without a last collection
    sys.exit(hands.status)


def _scored(jobs: int, name: str, stream: IO[str], notation: str) -> Iterator[Scored]:
    """Yield the scored batches in order; raises what ended the reading after them."""
    for scored in _batches(jobs, name, stream, notation):
        yield scored
        if scored.fault is not None:
            raise scored.fault


def _batches(jobs: int, name: str, stream: IO[str], notation: str) -> Iterator[Scored]:
    if notation == "jsonl":
        lines = cast("BufferedReader", cast("TextIO", stream).buffer)
        yield from in_order(score_lines, in_line_batches(lines, BATCH), jobs)
        return
    # Hands from a pipe may arrive one by one, from a program that waits for each answer.
    most = BATCH if os.path.isfile(name) else 1
    yield from map(score_hands, in_batches(reader(notation)(stream), most))
