"""Pages of the file are torn, one a copy: `verify` calls none of them in order, and never dies of it."""

import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from ledger.books.transactions import Database
from ledger.runtime.clock import now
from ledger.runtime.signing import new_key
from tests.ledger import table
from tests.support.tree import ROOT
from tests.trials.rows import Row, count
from tests.trials.scorers import made

TORN = {True: 4, False: 100}
HANDS = 40
PAGE = 4096
IN_ORDER = "in order"


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Tear a page each: all of it, or the half that was not written any more."""
    whole = folder / "whole.sqlite"
    books = made(f"sqlite:///{whole}")
    database = Database(books.url)
    for _ in range(HANDS):
        table.record(database, books.access, books.evening, table.HEARTS_74)
    database.close()
    with sqlite3.connect(whole) as compact:
        compact.execute("PRAGMA journal_mode = DELETE")
        compact.execute("VACUUM")  # a page that holds nothing may be torn unseen
    compact.close()
    key = new_key(
        now()
    )  # books in use without any key are not in order; these are older than this one
    assert IN_ORDER in verified(whole, key)
    chance = random.Random("which pages")  # noqa: S311 - no secret
    said = []
    for number in range(TORN[short]):
        torn = Path(shutil.copy(whole, folder / f"torn-{number}.sqlite"))
        tear(torn, chance)
        said.append(verified(torn, key))
    yield Row("torn files", str(len(said)))
    yield count("called in order", sum(IN_ORDER in each for each in said))
    yield count("that ended in a traceback", sum("Traceback" in each for each in said))


def tear(file: Path, chance: random.Random) -> None:
    """Damage a page so that it is another than before."""
    data = bytearray(file.read_bytes())
    while True:
        start = chance.randrange(len(data) // PAGE) * PAGE
        half = chance.choice((0, PAGE // 2)) if cells(data, start) else 0
        with_what = chance.choice((bytes(PAGE), chance.randbytes(PAGE)))
        before = bytes(data)
        data[start + half : start + PAGE] = with_what[half:]
        if bytes(data) != before:
            break
    file.write_bytes(data)


def cells(data: bytearray, start: int) -> int:
    """Return how much a page holds; an empty one has nothing in its second half that could be damaged."""
    header = start + (100 if start == 0 else 0)  # the file's own header comes first
    return int.from_bytes(data[header + 3 : header + 5], "big")


def verified(file: Path, key: str) -> str:
    """Return all findings of `verify` in a file."""
    result = subprocess.run(
        [sys.executable, "-m", "ledger", "verify", "--jobs", "1"],
        env={
            "LEDGER_DATA_DIR": str(file.parent),
            "LEDGER_DATABASE_URL": f"sqlite:///{file}",
            "LEDGER_SIGNING_KEY": key,
            "PYTHONPATH": str(ROOT),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return result.stdout + result.stderr
