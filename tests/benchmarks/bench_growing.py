"""A long evening: hands recalculated after a change, and old pages of the history.

Run: python -m tests.benchmarks growing
Hands of Progressive with pots, one of which is never won, so voiding the first hand recalculates all later
ones. Processor time of the best round counts. Targets: recalculating 800 hands takes at most 1.5 s and a
quarter of the time of recording them; any page of 4,000 hands costs about as much as the newest.
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
    """A session in a database of its own."""

    def __init__(self, file: Path) -> None:
        self.database = Database(f"sqlite:///{file}")
        migrate.upgrade(self.database)
        self.access: Access = found(self.database, "Club of long evenings")
        draft = table_start.SessionDraft(PLAYERS, "progressive", options={"pots": {"stake": 5}})
        self.id = int(table_start.start(self.write(), draft)["id"])
        self.draw = random.Random(7)  # noqa: S311 - the same hands every time

    def write(self) -> Write:
        """Return a write with a key of its own."""
        return Write(self.database, self.access, f"bench-key-{next(_keys)}")

    def play(self, hands: int) -> None:
        """Record ``hands`` frogs one by one, won and lost."""
        for _ in range(hands):
            contract = {"bidder": self.draw.choice(PLAYERS), "bid": "frog"}
            points = self.draw.choice((40, 52, 70, 80))
            record.record(self.write(), self.id, {"contract": contract, "points": points})

    def copy(self, file: Path) -> Database:
        """Return a copy of the database in another file."""
        with self.database.engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        return Database(f"sqlite:///{shutil.copy(str(self.database.url.database), file)}")

    def preview(self) -> int:
        """Preview voiding hand 1; return the number of recalculated hands."""
        with self.database.read(self.access) as transaction:
            return len(correct.void(DryRun(transaction), self.id, 1).recalculated)

    def look(self, first: int) -> None:
        """Read a page of the history."""
        ask(
            self.database, self.access, session.hands, self.id, first=first, last=first + A_PAGE - 1
        )


def seconds(act: Callable[[], object]) -> float:
    """Return the processor time of an action."""
    began = process_time()
    act()
    return process_time() - began


def following(evening: Evening, folder: Path) -> float:
    """Void hand 1 in a copy; return the best processor time."""
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
    """Yield all measurements."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        evening = Evening(folder / "evening.sqlite")
        evening.play(1)
        one_by_one = seconds(lambda: evening.play(FOLLOWING))
        changed = following(evening, folder)
        label, ours = f"void hand 1, {FOLLOWING} hands recalculated", f"{changed:.2f} s"
        reference = f"{one_by_one:.2f} s"
        yield Row(f"{label}, relative to recording these", ours, reference, one_by_one / changed, 4)
        yield Row(f"{label}, relative to the target", ours, f"{SECONDS} s", SECONDS / changed, 1)
        assert evening.preview() == FOLLOWING
        preview = min(seconds(evening.preview) for _ in range(ROUNDS))
        ratio = changed / preview
        yield Row("its preview, relative to voiding it", f"{preview:.2f} s", ours, ratio, 1)
        evening.play(DEALT - FOLLOWING - 1)
        firsts = {"oldest": 1, "middle": DEALT // 2, "newest": DEALT - A_PAGE + 1}
        took = {
            name: min(seconds(partial(evening.look, first)) for _ in range(LOOKS)) * 1000
            for name, first in firsts.items()
        }
        newest = took["newest"]
        for name, target in (("oldest", 0.8), ("middle", 0.4)):
            label = f"{name} page of {DEALT:,} hands, relative to the newest"
            page = took[name]
            yield Row(label, f"{page:.2f} ms", f"{newest:.2f} ms", newest / page, target)
        evening.database.close()
