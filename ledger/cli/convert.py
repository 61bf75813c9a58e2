"""``solo-ledger convert``: translate files of hands between JSON, JSON Lines, TOML and compact lines."""

import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import IO

import click

from engine.errors import Refused
from engine.notation.compact_text import NoLine
from engine.record import HandRecord
from engine.scoring.canonical import canonical
from engine.scoring.score import score
from ledger.cli.hand_files import (
    SOME_REFUSED,
    HandFiles,
    exit_if_unwritten,
    files_argument,
    notation_option,
    reader,
    target_option,
    write,
    writer,
)


@click.command(epilog="Example: solo-ledger convert --to line evening.toml")
@files_argument
@target_option
@notation_option
@click.option(
    "--check",
    is_flag=True,
    help="Print no hands; check that each would be the same when it is read again.",
)
def convert(files: tuple[str, ...], target: str, notation: str | None, check: bool) -> None:
    """Write the hands in each FILE (.json, .jsonl, .toml, .line; - for standard input) in another notation.

    Compact lines leave out everything that follows from the rest of a hand. With --check each hand is
    converted, read again and compared, and a compact line must be the only one of its hand. Hands are read,
    not scored. Exit status: 0 when every hand was converted, 1 when any could not be, 2 when a file could
    not be read, 3 when the output could not be written.
    """
    hands = HandFiles(files, notation)
    conversion = _Conversion(hands, target)
    with exit_if_unwritten("The hands"):
        if check:
            for record in conversion.records():
                conversion.check(record)
        else:
            for text in writer(target)(conversion.writable(conversion.records())):
                write(text.encode())
    sys.exit(hands.status)


class _Conversion:
    """The hands of some files, and the place of the present one."""

    def __init__(self, files: HandFiles, target: str) -> None:
        self._files, self._target = files, target
        self._source, self._place = "", ""

    def records(self) -> Iterator[HandRecord]:
        """Return the records of all files; hands and files that can't be read are reported instead."""
        return self._files.each(self._of_file)

    def _of_file(self, name: str, stream: IO[str], notation: str) -> Iterator[HandRecord]:
        self._source = notation
        for number, hand in enumerate(reader(notation)(stream), 1):
            self._place = f"{name}, hand {number}"
            if isinstance(hand, Refused):
                self._refuse(str(hand))
            else:
                yield hand

    def writable(self, records: Iterable[HandRecord]) -> Iterator[HandRecord]:
        """Yield the records that the target can hold; others are reported."""
        for record in records:
            if self._target != "line" or self._text(record):
                yield record

    def check(self, record: HandRecord) -> None:
        """Convert a hand, read and write it again, and report a difference."""
        text = self._text(record)
        if not text:
            return
        (reread,) = reader(self._target)(StringIO(text))
        if isinstance(reread, Refused):
            self._refuse(f"it would be refused when it is read again: {reread}")
        elif not self._is_same(record, reread):
            self._refuse("it would be another hand when it is read again")
        elif self._text(reread) != text:
            self._refuse("it would be spelled differently when it is written again")
        elif self._source == "line" and canonical(record) != record:
            self._refuse("this line is not the only one of its hand; convert it to line")

    def _is_same(self, record: HandRecord, reread: HandRecord) -> bool:
        """Return whether a record has kept its content after writing and reading.

        A compact line must give the same canonical record and verdict, or violations; other notations the
        same record.
        """
        if self._target != "line":
            return reread == record
        return canonical(reread) == canonical(record) and _answer(reread) == _answer(record)

    def _text(self, record: HandRecord) -> str:
        """Return the text of a hand; an empty one, with a report, if the target can't hold it."""
        try:
            return "".join(writer(self._target)([record]))
        except NoLine as error:
            self._refuse(f"it cannot be written as one line: {error}")
            return ""

    def _refuse(self, message: str) -> None:
        click.echo(f"{self._place}: {message}", err=True)
        self._files.worsen(SOME_REFUSED)


def _answer(record: HandRecord) -> dict[str, object]:
    """Return the verdict on a hand, or its violations."""
    try:
        return score(record).to_mapping()
    except Refused as refused:
        return refused.to_mapping()
