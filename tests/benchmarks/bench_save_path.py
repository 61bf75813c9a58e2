"""The code that saving one hand runs: product files, switches between files, SQL statements, transactions.

Run: python -m tests.benchmarks save_path
``python -m tests.benchmarks.bench_save_path`` lists the files with the calls in each; given part of a
file name (``preview.py``), the switches into that file, by function and by the file left.

The second hand of a session is saved, in a process that has saved others. A switch is a call to a function of
``engine`` or ``ledger`` in another file than the call before it. Code outside these two is not counted.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple
from uuid import uuid4

from flask import Flask
from sqlalchemy import Engine, event
from werkzeug.test import TestResponse

from tests.benchmarks.rows import Row
from tests.support.tree import ROOT

PRODUCT = tuple(f"{ROOT / name}/" for name in ("engine", "ledger"))
FILES, SWITCHES = 45, 220
"""The most files and switches that saving a hand from the page should take."""
STATEMENTS = {"page": 19, "API": 17}
TRANSACTIONS = {"page": 2, "API": 1}
"""What a save took before its path was measured."""
HAND = {"bid": "go-alone", "trump": "S"}


class SavePath(NamedTuple):
    """The work of one request: the functions called, in order, the SQL statements and the transactions."""

    calls: list[CodeType]
    statements: list[str]
    transactions: int

    @property
    def files(self) -> Counter[str]:
        """The calls by file."""
        return Counter(call.co_filename for call in self.calls)

    @property
    def switches(self) -> list[tuple[CodeType, CodeType]]:
        """The pairs of calls, one after the other, that are in different files."""
        pairs = zip(self.calls, self.calls[1:], strict=False)
        return [pair for pair in pairs if pair[0].co_filename != pair[1].co_filename]


def traced(request: Callable[[], TestResponse], status: int) -> SavePath:
    """Return the path of a request, which must be answered with this status."""
    calls: list[CodeType] = []
    statements: list[str] = []
    begun: list[Any] = []

    def trace(frame: FrameType, what: str, _argument: Any) -> None:
        if what == "call" and frame.f_code.co_filename.startswith(PRODUCT):
            calls.append(frame.f_code)

    def begin(connection: Any) -> None:
        begun.append(connection)

    def count(_connection: Any, _cursor: Any, text: str, *_more: Any) -> None:
        statements.append(text)

    event.listen(Engine, "before_cursor_execute", count)
    event.listen(Engine, "begin", begin)
    sys.settrace(trace)
    try:
        response = request()
    finally:
        sys.settrace(None)
        event.remove(Engine, "before_cursor_execute", count)
        event.remove(Engine, "begin", begin)
    assert response.status_code == status, response.get_data(as_text=True)
    return SavePath(calls, statements, len(begun))


def paths() -> dict[str, SavePath]:
    """Save the second hand of a session from the page and over the API, and open the page that follows."""
    with tempfile.TemporaryDirectory() as folder:
        return _paths(Path(folder))


def _paths(folder: Path) -> dict[str, SavePath]:
    from ledger.books.transactions import Database
    from ledger.database.access import Role
    from ledger.keeping import migrate
    from ledger.runtime.config import Settings
    from ledger.server.app import create_app
    from ledger.services.club import players, tokens
    from tests.benchmarks.filling import found
    from tests.ledger.table import SEVEN, start, write
    from tests.ledger.web.phone import Phone

    settings = Settings(f"sqlite:///{folder / 'path.sqlite'}", folder, "a secret for a benchmark")
    database = Database(settings.database_url)
    migrate.upgrade(database)
    access = found(database, "Club")
    for name in SEVEN:
        players.add(write(database, access), name=name)
    token, _ = tokens.issue(database, access, label="bench", role=Role.SCORER)
    app = create_app(settings, database)
    phone = Phone(app)
    phone.enter("Club", "four aces", "Sue")
    saved: dict[str, SavePath] = {}
    for _ in range(2):
        session_id = start(database, access)
        page = f"/clubs/{access.club_id}/sessions/{session_id}"
        _save_from_page(phone, page)
        saved["page"] = _save_from_page(phone, page)
        saved["page that follows"] = traced(lambda: phone.client.get(f"{page}?saved=2"), 200)  # noqa: B023
        session_id = start(database, access)
        _save_over_api(app, session_id, token)
        saved["API"] = _save_over_api(app, session_id, token)
    return saved


def _save_from_page(phone: Any, page: str) -> SavePath:
    form = dict(phone.open(f"{page}/hands/new").form("/new").fields)
    form |= {**HAND, "bidder": "Ann", "points": "70", "do": "save", "seen": "unseen"}
    return traced(lambda: phone.client.post(f"{page}/hands/new", data=form), 303)


def _save_over_api(app: Flask, session_id: int, token: str) -> SavePath:
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": str(uuid4())}
    hand = {"contract": {**HAND, "bidder": "Ann"}, "points": 70}
    client, address = app.test_client(), f"/api/v1/sessions/{session_id}/hands"
    return traced(lambda: client.post(address, json=hand, headers=headers), 201)


def rows() -> Iterator[Row]:
    """Measure a save from the page and one over the API; the aims for files and switches are the page's."""
    saved = paths()
    for name in ("page", "API", "page that follows"):
        path = saved[name]
        aim = 1.0 if name == "page" else None
        yield _row(f"{name}: files", len(path.files), FILES, aim)
        yield _row(f"{name}: switches between files", len(path.switches), SWITCHES, aim)
        if name in STATEMENTS:
            yield _row(f"{name}: SQL statements", len(path.statements), STATEMENTS[name], 1)
            yield _row(f"{name}: transactions", path.transactions, TRANSACTIONS[name], 1)


def _row(name: str, measured: int, most: int, aim: float | None) -> Row:
    return Row(name, str(measured), str(most), most / measured, aim)


def main(file: str = "") -> None:
    """Print the files of each path with their calls, or the switches into files named like this."""
    for name, path in paths().items():
        counts = f"{len(path.files)} files, {len(path.switches)} switches"
        print(
            f"\n{name}: {counts}, {len(path.statements)} statements, {path.transactions} transactions"
        )
        lines = (
            Counter(
                f"{_short(into.co_filename)} {into.co_name} after {_short(left.co_filename)}"
                for left, into in path.switches
                if file in into.co_filename
            )
            if file
            else Counter({_short(path): calls for path, calls in path.files.items()})
        )
        for line, number in lines.most_common():
            print(f"{number:5} {line}")


def _short(file: str) -> str:
    return str(Path(file).relative_to(ROOT))


if __name__ == "__main__":
    main(*sys.argv[1:2])
