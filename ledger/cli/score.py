"""``solo-ledger score``: hand records in, one JSON answer a hand out, in order."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import click
from rich.progress import Progress, TaskID

from engine.errors import Refused, printable
from engine.notation import Reading, Unreadable, read_jsonl, stream_json, stream_toml
from engine.scoring.score import score as judge
from ledger.cli.progress import shown

ALL_SCORED, SOME_REFUSED, UNREADABLE, UNWRITTEN = 0, 1, 2, 3
"""Exit statuses."""

READERS: dict[str, Callable[[IO[str]], Iterator[Reading]]] = {
    "json": stream_json,
    "jsonl": read_jsonl,
    "toml": stream_toml,
}


@click.command(epilog="Example: solo-ledger score evening.toml | less")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--format",
    "notation",
    type=click.Choice(list(READERS)),
    help="How the files are written.  [default: by their ending; standard input: jsonl]",
)
def score(files: tuple[str, ...], notation: str | None) -> None:
    """Score the hands in each FILE (.json, .jsonl, .toml; - for standard input).

    Prints one JSON object a hand. Exit status: 0 when every hand was scored, 1 when any was refused,
    2 when a file could not be read, 3 when the answers could not be written.
    """
    status = ALL_SCORED
    with shown() as progress:
        for file in files:
            try:
                status = max(status, _score_file(file, notation, progress))
            except _Unwritten as error:
                click.echo(f"The answers could not be written: {error}", err=True)
                _drop_answers()
                sys.exit(UNWRITTEN)
            except BrokenPipeError:
                raise  # the reader of our answers has had enough; not the file's fault
            except (Unreadable, OSError, UnicodeDecodeError, click.UsageError) as error:
                click.echo(f"{file}: {_why(error)}", err=True)
                status = UNREADABLE
    sys.exit(status)


def _score_file(file: str, notation: str | None, progress: Progress) -> int:
    status = ALL_SCORED
    chosen = notation or _by_ending(file)
    with click.open_file(file, encoding="utf-8") as stream:
        size = Path(file).stat().st_size if file != "-" else None
        bar = progress.add_task(file, total=size)
        for hand in READERS[chosen](stream):
            answer = _answer(hand)
            if not answer["ok"]:
                status = SOME_REFUSED
            _write(answer)
            _advance(progress, bar, stream)
    return status


class _Unwritten(Exception):
    """The answers have nowhere to go: a full disk is not the fault of the file that is read."""


def _write(answer: dict[str, object]) -> None:
    """Print an answer."""
    # Half a character in a hand may be repeated in its answer: written as JSON's escape it goes out.
    text = printable(json.dumps(answer, ensure_ascii=False))
    try:
        click.echo(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _Unwritten(_why(error)) from error


def _drop_answers() -> None:
    """Send what Python still holds of them nowhere, so that it does not fail once more as it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _answer(hand: Reading) -> dict[str, object]:
    if isinstance(hand, Refused):
        return hand.to_mapping()
    try:
        return judge(hand).to_mapping()
    except Refused as refused:
        return refused.to_mapping()


def _by_ending(file: str) -> str:
    if file == "-":
        return "jsonl"
    ending = Path(file).suffix.lower().removeprefix(".")
    if ending not in READERS:
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


def _advance(progress: Progress, bar: TaskID, stream: IO[str]) -> None:
    if progress.disable:
        return
    buffer = getattr(stream, "buffer", None)
    if buffer is not None and buffer.seekable():
        progress.update(bar, completed=buffer.tell())
