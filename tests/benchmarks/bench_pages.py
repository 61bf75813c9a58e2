"""Reading pages of a club with 20,000 hands: SQL statements and processor time of each page.

Run: python -m tests.benchmarks pages
``python -m tests.benchmarks.bench_pages PAGE`` prints the statements of one page, such as ``player``.
Targets: 5 statements and 8 ms for the pages of a player, the history and the result. The reference of the
times is the same application's answer to an unknown address, a page that reads nothing.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time

from sqlalchemy import Engine, event

from tests.benchmarks.rows import Row

HANDS = 20_000
ROUNDS = 40
MOST_STATEMENTS, MOST_MILLISECONDS = 5, 8.0
LIMITED = ("player", "history", "result")
"""The pages that have a target."""


class Pages:
    """A club of ``hands`` hands, and the addresses of its pages by name."""

    def __init__(self, folder: Path, hands: int) -> None:
        from ledger.books.transactions import Database
        from ledger.keeping import migrate
        from ledger.runtime.config import Settings
        from ledger.server.app import create_app
        from ledger.services.club import players
        from tests.benchmarks.filling import Filler, found
        from tests.ledger.table import ask
        from tests.ledger.web.phone import Phone

        settings = Settings(
            f"sqlite:///{folder / 'pages.sqlite'}", folder, "a secret for a benchmark"
        )
        database = Database(settings.database_url)
        migrate.upgrade(database)
        access = found(database, "Club")
        filler = Filler(database, access)
        filler.fill(hands)
        player = ask(database, access, players.everyone)[0].id
        self._phone = Phone(create_app(settings, database))
        self._phone.enter("Club", "four aces", "Sue")
        club = f"/clubs/{access.club_id}"
        evening = f"{club}/sessions/{filler.evenings[-1]}"
        long_evening = f"{club}/sessions/{filler.evenings[-2]}"
        self.addresses = {
            "player": f"{club}/players/{player}",
            "history": f"{long_evening}/history",
            "result": f"{long_evening}/result",
            "board": evening,
            "club": club,
            "statistics": f"{club}/statistics",
            "evenings": f"{club}/evenings",
            "head to head": f"{club}/head-to-head",
        }

    def read(self, address: str, status: int = 200) -> None:
        """Read a page as a browser does that has no copy of it."""
        response = self._phone.client.get(address)
        assert response.status_code == status, response.get_data(as_text=True)

    def statements(self, address: str) -> list[str]:
        """Return the SQL statements of a page."""
        statements: list[str] = []

        def count(_connection: object, _cursor: object, text: str, *_more: object) -> None:
            if not text.startswith(("BEGIN", "COMMIT", "ROLLBACK")):
                statements.append(text)

        event.listen(Engine, "before_cursor_execute", count)
        try:
            self.read(address)
        finally:
            event.remove(Engine, "before_cursor_execute", count)
        return statements


def milliseconds(work: Callable[[], object]) -> float:
    """Return the median processor time of some work."""
    times = []
    for _ in range(ROUNDS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times) * 1000


def rows() -> Iterator[Row]:
    """Measure each page."""
    with tempfile.TemporaryDirectory() as folder:
        pages = Pages(Path(folder), HANDS)
        nothing = milliseconds(lambda: pages.read("/nothing-here", 404))
        for name, address in pages.addresses.items():
            pages.read(address)
            number = len(pages.statements(address))
            is_limited = name in LIMITED
            yield Row(
                f"{name}: statements, relative to the target",
                str(number),
                str(MOST_STATEMENTS),
                MOST_STATEMENTS / number,
                1.0 if is_limited else None,
            )
            took = milliseconds(lambda: pages.read(address))  # noqa: B023
            yield Row(
                f"{name}: relative to a page that reads nothing",
                f"{took:.1f} ms",
                f"{nothing:.1f} ms",
                nothing / took,
            )
            if is_limited:
                yield Row(
                    f"{name}: time, relative to the target",
                    f"{took:.1f} ms",
                    f"{MOST_MILLISECONDS:.0f} ms",
                    MOST_MILLISECONDS / took,
                    1.0,
                )


def main(name: str) -> None:
    """Print the statements of one page."""
    with tempfile.TemporaryDirectory() as folder:
        pages = Pages(Path(folder), 2_000)
        pages.read(pages.addresses[name])
        for statement in pages.statements(pages.addresses[name]):
            print(" ".join(statement.split()), end="\n\n")


if __name__ == "__main__":
    main(sys.argv[1])
