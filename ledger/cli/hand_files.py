"""Files of hand records for commands: their notations, exit statuses, and output that may fail."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import IO, TypeVar

import click

from engine.notation.common import Reading, Unreadable
from engine.record import HandRecord
from ledger.cli.progress import bar
from ledger.runtime.jobs import WorkerLost

GOOD, SOME_REFUSED, UNREADABLE, UNWRITTEN = 0, 1, 2, 3
"""Exit statuses: all hands are in order, some are refused, a file can't be read, the output failed."""

T = TypeVar("T")
Process = Callable[[str, IO[str], str], Iterator[T]]
"""Yields parts of a file, by its name, stream and notation."""

NOTATIONS = ("json", "jsonl", "toml", "line")
"""The notations of hand records, which are also the endings of their files."""

files_argument = click.argument("files", nargs=-1, required=True, metavar="FILE…")
"""The files that a command reads."""

notation_option = click.option(
    "--format",
    "notation",
    type=click.Choice(NOTATIONS),
    help="How the files are written.  [default: by their ending; standard input: jsonl]",
)
target_option = click.option(
    "--to",
    "target",
    type=click.Choice(NOTATIONS),
    default="jsonl",
    show_default=True,
    help="The notation to write.",
)


class Unwritten(Exception):
    """The output could not be written, for example to a full disk: no fault of the input."""


class HandFiles:
    """The files that a command reads in a notation or that of their endings; its worst exit status so far."""

    def __init__(self, names: Iterable[str], notation: str | None) -> None:
        self.status = GOOD
        self._names, self._notation = names, notation

    def worsen(self, status: int) -> None:
        """Change the exit status, unless it is worse already."""
        self.status = max(self.status, status)

    def each(self, process: Process[T]) -> Iterator[T]:
        """Open the files one by one, and yield the results of ``process`` for them.

        A file that can't be read is reported, with the status `UNREADABLE`.
        """
        for name in self._names:
            try:
                chosen = self._notation or notation_of(name)
                with click.open_file(name, encoding="utf-8") as stream, bar(name) as advance:
                    size = os.path.getsize(name) if name != "-" else None
                    for part in process(name, stream, chosen):
                        yield part
                        advance(_bytes_read(stream), size)
            except BrokenPipeError:
                raise  # our output was closed; the file is not at fault
            except (Unreadable, OSError, UnicodeDecodeError, click.UsageError) as error:
                click.echo(f"{name}: {reason(error)}", err=True)
                self.worsen(UNREADABLE)


@contextmanager
def exit_if_unwritten(output: str) -> Iterator[None]:
    """End the command with a message and the status `UNWRITTEN` if the output can't be written."""
    try:
        yield
    except (Unwritten, WorkerLost) as error:
        click.echo(f"{output} could not be written: {error}", err=True)
        drop_output()
        sys.exit(UNWRITTEN)


def notation_of(file: str) -> str:
    """Return the notation of a file by its ending; of standard input, `-`, JSON Lines.

    Raises ``click.UsageError`` for another ending.
    """
    if file == "-":
        return "jsonl"
    ending = os.path.splitext(file)[1].lower().removeprefix(".")
    if ending not in NOTATIONS:
        raise click.UsageError(
            "hand records end in .json, .jsonl, .toml or .line; or say --format."
        )
    return ending


# The modules of a notation are imported when it is used: a command starts sooner without the others.


def reader(notation: str) -> Callable[[IO[str]], Iterator[Reading]]:
    """Return the reader of a notation."""
    if notation == "line":
        from engine.notation.compact import read_compact

        return read_compact
    if notation == "toml":
        from engine.notation.toml_stream import stream_toml

        return stream_toml
    from engine.notation.json_text import read_jsonl, stream_json

    return stream_json if notation == "json" else read_jsonl


def writer(notation: str) -> Callable[[Iterable[HandRecord]], Iterator[str]]:
    """Return the writer of a notation, which yields a text for each hand as soon as the hand comes.

    A compact line that can't be written raises ``NoLine``.
    """
    if notation == "line":
        from engine.notation.compact import write_compact

        return write_compact
    if notation == "toml":
        from engine.notation.toml_text import write_toml_stream

        return write_toml_stream
    from engine.notation.json_text import write_jsonl

    return _json_list if notation == "json" else write_jsonl


def _json_list(records: Iterable[HandRecord]) -> Iterator[str]:
    """Yield one hand as an object, or several or none as a list, in pieces."""
    from engine.notation.json_text import write_json

    texts = (write_json([record]).rstrip("\n") for record in records)
    first, second = next(texts, None), next(texts, None)
    if second is None:
        yield f"{'[]' if first is None else first}\n"
        return
    yield f"[{first}"
    yield from (f",\n{text}" for text in chain([second], texts))
    yield "]\n"


def write(text: bytes) -> None:
    """Print UTF-8; on a terminal through ``sys.stdout``, which the bar makes room for.

    Raises ``Unwritten`` for a fault of the output, but ``BrokenPipeError`` if nobody reads it any more.
    """
    try:
        if sys.stdout.isatty():
            sys.stdout.write(text.decode())
        else:
            sys.stdout.buffer.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritten(reason(error)) from error


def drop_output() -> None:
    """Discard output from now on, even if buffered already, so that Python does not fail again at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def reason(error: Exception) -> str:
    """Return the reason for an error, for people at a terminal."""
    if isinstance(error, click.UsageError):
        return error.message
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, UnicodeDecodeError):
        return "the text is not UTF-8"
    return str(error)


def _bytes_read(stream: IO[str]) -> int:
    """Return the number of bytes read of a file; 0 if that is unknown."""
    buffer = getattr(stream, "buffer", None)
    return buffer.tell() if buffer is not None and buffer.seekable() else 0
