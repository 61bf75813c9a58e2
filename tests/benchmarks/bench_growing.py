"""A long evening: hands that follow a change beside hands recorded one by one, old pages beside the newest.

Run: python -m tests.benchmarks growing
Hands of Progressive, for pots of which one is never won: so every later hand follows when the first is void.
What counts is processor time, the best of several rounds (aims: 800 hands that follow take at most 1.5 s and
a quarter of what recording them takes; a page of 4,000 hands costs what the newest does, or a little more in
the middle).
"""

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from time import process_time

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.common.writing import DryRun, Write
from ledger.services.hands import correct, record
from ledger.services.reads import session
from ledger.services.table import start as table_start
from tests.benchmarks.filling import found
from tests.benchmarks.rows import Row
from tests.ledger.table import ask

FOLLOWING, DEALT, A_PAGE = 800, 4_000, 30
ROUNDS, LOOKS = 3, 20
SECONDS = 1.5
PLAYERS = ("Ann", "Bob", "Cyd")
_keys = count(1)


class Evening:
    """An evening in a file of its own."""

    def __init__(self, file: Path) -> None:
        self.database = Database(f"sqlite:///{file}")
        migrate.upgrade(self.database)
        self.access: Access = found(self.database, "Club of long evenings")
        draft = table_start.SessionDraft(PLAYERS, "progressive", options={"pots": {"stake": 5}})
        self.id = int(table_start.start(self.write(), draft)["id"])
        self.draw = random.Random(7)  # noqa: S311 - the same hands every time

    def write(self) -> Write:
        """Make a write under a key of its own."""
        return Write(self.database, self.access, f"bench-key-{next(_keys)}")

    def play(self, hands: int) -> None:
        """Record so many hands one by one: frogs, won and lost."""
        for _ in range(hands):
            contract = {"bidder": self.draw.choice(PLAYERS), "bid": "frog"}
            points = self.draw.choice((40, 52, 70, 80))
            record.record(self.write(), self.id, {"contract": contract, "points": points})

    def copy(self, file: Path) -> Database:
        """Copy all that is recorded to another file."""
        with self.database.engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        return Database(f"sqlite:///{shutil.copy(str(self.database.url.database), file)}")

    def preview(self) -> int:
        """Ask what voiding hand 1 would do; return how many hands follow."""
        with self.database.read(self.access) as asked:
            return len(correct.void(DryRun(asked), self.id, 1).recalculated)

    def look(self, first: int) -> None:
        """Read a page of the history."""
        ask(
            self.database, self.access, session.hands, self.id, first=first, last=first + A_PAGE - 1
        )


def seconds(act: Callable[[], object]) -> float:
    """Return the processor time that an act takes."""
    began = process_time()
    act()
    return process_time() - began


def following(evening: Evening, folder: Path) -> float:
    """Void hand 1 in a copy, with all that follows; return the best processor time."""
    best = float("inf")
    for number in range(ROUNDS):
        copy = evening.copy(folder / f"copy-{number}.sqlite")
        write = Write(copy, evening.access, f"bench-key-{next(_keys)}")
        began = process_time()
        answer = correct.void(write, evening.id, 1, reason="a misdeal")
        best = min(best, process_time() - began)
        assert len(answer["recalculated"]) == FOLLOWING
        assert not list(verify(copy))
        copy.close()
    return best


def rows() -> Iterator[Row]:
    """Measure each, and compare."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        evening = Evening(folder / "evening.sqlite")
        evening.play(1)
        one_by_one = seconds(lambda: evening.play(FOLLOWING))
        changed = following(evening, folder)
        what, ours = f"void hand 1, {FOLLOWING} hands follow", f"{changed:.2f} s"
        beside = f"{one_by_one:.2f} s"
        yield Row(f"{what}, beside recording these", ours, beside, one_by_one / changed, 4)
        yield Row(f"{what}, beside its aim", ours, f"{SECONDS} s", SECONDS / changed, 1)
        assert evening.preview() == FOLLOWING
        preview = min(seconds(evening.preview) for _ in range(ROUNDS))
        ratio = changed / preview
        yield Row("its preview, beside voiding it", f"{preview:.2f} s", ours, ratio, 1)
        evening.play(DEALT - FOLLOWING - 1)
        firsts = {"oldest": 1, "middle": DEALT // 2, "newest": DEALT - A_PAGE + 1}
        took = {
            name: min(seconds(partial(evening.look, first)) for _ in range(LOOKS)) * 1000
            for name, first in firsts.items()
        }
        newest = took["newest"]
        for name, aim in (("oldest", 0.8), ("middle", 0.4)):
            what = f"{name} page of {DEALT:,} hands, beside the newest"
            page = took[name]
            yield Row(what, f"{page:.2f} ms", f"{newest:.2f} ms", newest / page, aim)
        evening.database.close()
