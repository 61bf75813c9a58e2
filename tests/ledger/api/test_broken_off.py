"""PostgreSQL breaks off any statement of any write: the client notices nothing, and it is written once."""

from pathlib import Path
from typing import Any

import psycopg
import pytest

from ledger.books import repeating
from ledger.books.transactions import Database
from ledger.database.access import Role
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services import audit
from ledger.services.club import clubs, tokens
from tests.ledger.api.caller import BASE, Caller
from tests.ledger.api.test_document import operations, parameters
from tests.ledger.conftest import PASSCODE, empty
from tests.ledger.photos import PHOTO
from tests.ledger.table import ALONE_85, HEARTS_46, HEARTS_74, SECRET, SEVEN, row_counts

ANN, WHY = {"player": "Ann"}, {"reason": "why"}
SPLITWISE = (
    "Date,Description,Category,Cost,Currency,Ann,Bob\n"
    "2026-01-03,Pizza,Dining out,24.00,EUR,12.00,-12.00\n"
    "2026-01-04,Taxi,Taxi,9.00,USD,4.50,-4.50\n"
)
LOST_SOLO = {"contract": {"bidder": "Bob", "bid": "spade-solo", "trump": "S"}, "points": 20}
STARTED = {"game": "crazy-solo", "players": list(SEVEN), "first_dealer": "Gus"}
EVENING = "/sessions/{session_id}"
SEASON: dict[str, Any] = {
    "name": "2026",
    "first_day": "2026-01-01",
    "last_day": "2026-12-31",
    "tie_breaks": ["wins"],
    "prize": "A ham",
}
ON_PAPER = {"game": "frog", "started_on": "2026-05-07", "won": {"Ann": 1, "Bob": -1}}
WRITES: tuple[tuple[str, str, dict[str, int], Any], ...] = (
    ("PATCH", "/club/money", {}, {"denominations": [5, 10], "confirm_from": 1}),
    ("POST", "/players", {}, {"name": "Zoë"}),
    ("PATCH", "/players/{player_id}", {}, {"name": "Zora"}),
    ("PUT", "/players/{player_id}/archived", {}, {"archived": True}),
    ("PUT", "/players/{player_id}/mark", {}, {"colour": 7, "emoji": "🦊"}),
    ("PUT", "/players/{player_id}/picture", {}, {"picture": PHOTO}),
    ("DELETE", "/players/{player_id}/picture", {}, None),
    ("PUT", "/players/{player_id}/picture", {}, {"picture": PHOTO}),
    ("POST", "/sessions", {}, {**STARTED, "rate": {"chips": 10, "money": 5}}),
    ("PATCH", EVENING, {}, {"title": "Friday"}),
    ("PUT", f"{EVENING}/end", {}, {"at": "22:30"}),
    ("POST", f"{EVENING}/hands", {}, HEARTS_74),
    ("POST", f"{EVENING}/hands/{{number}}/confirm", {"number": 1}, {"version": 1}),
    ("PUT", f"{EVENING}/hands/{{number}}", {"number": 1}, {"hand": HEARTS_46, **WHY}),
    ("POST", f"{EVENING}/hands", {}, ALONE_85),
    ("POST", f"{EVENING}/hands/{{number}}/void", {"number": 1}, WHY),
    ("POST", f"{EVENING}/hands/{{number}}/restore", {"number": 1}, WHY),
    ("POST", f"{EVENING}/undo", {}, None),
    ("POST", f"{EVENING}/redo", {}, None),
    ("PUT", f"{EVENING}/rules", {}, {"game": "six-bid"}),
    ("PUT", f"{EVENING}/rules", {}, {"game": "crazy-solo"}),
    ("PUT", f"{EVENING}/rate", {}, {"rate": {"chips": 10, "money": 10}}),
    ("POST", f"{EVENING}/loans", {}, {**ANN, "chips": 900}),
    ("POST", f"{EVENING}/repayments", {}, {**ANN, "chips": 50}),
    ("POST", f"{EVENING}/adjustments", {}, {**ANN, "chips": 5, "reason": "found"}),
    ("POST", f"{EVENING}/counts", {}, {"counts": {"Bob": {"5": 60}}, "post": True}),
    ("POST", f"{EVENING}/differences/share", {}, {}),
    ("POST", f"{EVENING}/seats", {}, {"player": "Hal"}),
    ("PUT", f"{EVENING}/seats", {}, {"order": ["Hal", *SEVEN]}),
    ("POST", f"{EVENING}/seats/sit-out", {}, ANN),
    ("POST", f"{EVENING}/seats/come-back", {}, ANN),
    ("POST", f"{EVENING}/seats/leave", {}, {"player": "Gus"}),
    ("POST", f"{EVENING}/seats/take-leaving-back", {}, {"player": "Gus", **WHY}),
    ("POST", f"{EVENING}/pause", {}, None),
    ("POST", f"{EVENING}/resume", {}, None),
    ("POST", f"{EVENING}/conversion", {}, {}),
    ("POST", f"{EVENING}/close", {}, None),
    ("POST", f"{EVENING}/reopen", {}, None),
    ("POST", "/club/money-imports", {}, {"content": SPLITWISE}),
    ("POST", "/payments", {}, {"payer": "Cyd", "payee": "Dee", "amount": 5}),
    ("POST", "/payments/{entry_id}/take-back", {}, WHY),
    (
        "POST",
        "/expenses",
        {},
        {"title": "Pizza", "amount": 100, "payer": "Cyd", "shared_by": [{"player": "Dee"}]},
    ),
    ("POST", "/expenses/{expense_id}/take-back", {}, WHY),
    ("POST", f"{EVENING}/again", {}, None),
    ("DELETE", EVENING, {}, None),
    (
        "POST",
        "/sessions",
        {},
        {"game": "progressive", "players": list(SEVEN[:4]), "options": {"pots": {"stake": 5}}},
    ),
    ("POST", f"{EVENING}/hands", {}, LOST_SOLO),
    ("POST", f"{EVENING}/pots/share", {}, {}),
    ("POST", f"{EVENING}/loans", {}, {**ANN, "chips": 150}),
    ("POST", f"{EVENING}/entries/{{entry_id}}/take-back", {}, WHY),
    ("POST", "/paper-evenings", {}, ON_PAPER),
    ("PUT", f"{EVENING}/paper-result", {}, {**ON_PAPER, "won": {"Ann": 2, "Bob": -2}}),
    ("POST", "/seasons", {}, SEASON),
    ("PUT", "/seasons/{season_id}", {}, {**SEASON, "name": "The year"}),
    ("DELETE", "/seasons/{season_id}", {}, None),
    ("POST", "/seasons", {}, SEASON),
    ("POST", "/seasons/{season_id}/close", {}, None),
    ("POST", "/seasons/{season_id}/reopen", {}, None),
)
"""The method, the path, its numbers other than the last session's and entry's, and the body of each write."""


MAKES = {
    "/players": "player_id",
    "/sessions": "session_id",
    f"{EVENING}/again": "session_id",
    "/seasons": "season_id",
    "/paper-evenings": "session_id",
    f"{EVENING}/paper-result": "session_id",
}


class Breaking:
    """Breaks off each statement of a write in turn: of the first call the first, of the second the second."""

    def __init__(self, error: str) -> None:
        self.error, self.broken, self._sent = error, -1, 0

    def restart(self) -> None:
        """Break off the first statement of the next write."""
        self.broken = self._sent = 0

    def instead_of(self, send: Any) -> Any:
        """Return a method that sends statements or fails; opening and testing connections is spared."""

        def sent(cursor: Any, query: Any, *values: Any, **options: Any) -> Any:
            is_spared = str(query) == PING or "pg_backend_pid" in str(query)
            if self.broken >= 0 and not is_spared and self._is_due():
                return EXECUTE(cursor, self.error)
            return send(cursor, query, *values, **options)

        return sent

    def _is_due(self) -> bool:
        self._sent += 1
        if self._sent <= self.broken:
            return False
        self.broken, self._sent = self.broken + 1, 0
        return True


PING = "SELECT 1"
EXECUTE = psycopg.Cursor.execute
RAISES = "DO $$ BEGIN RAISE 'broken off' USING ERRCODE = '{}'; END $$"
ERRORS = {
    "a serialization failure": RAISES.format("40001"),
    "a deadlock": RAISES.format("40P01"),
    "a lost connection": "SELECT pg_terminate_backend(pg_backend_pid())",
}


@pytest.fixture
def on_postgres(postgres_books: Database, tmp_path: Path) -> tuple[Caller, Caller]:
    """Clients like ``sue`` and ``tom``, whose club is on PostgreSQL."""
    empty(postgres_books)
    club, _ = clubs.create(postgres_books, name="Kitchen Table", passcode=PASSCODE, author="Sue")
    url = postgres_books.url.render_as_string(hide_password=False)
    app = create_app(Settings(url, tmp_path, SECRET), postgres_books)
    keys = [
        tokens.issue(postgres_books, club, label=f"{name}'s phone", role=role)[0]
        for name, role in (("Sue", Role.OWNER), ("Tom", Role.SCORER))
    ]
    return Caller(app, keys[0]), Caller(app, keys[1])


def write_all(sue: Caller, tom: Caller, breaking: Breaking | None = None) -> None:
    """Send every write; with ``breaking`` each of its statements is broken off before it succeeds."""
    last = {"session_id": 0, "player_id": 0, "entry_id": 0, "expense_id": 0, "season_id": 0}
    for method, path, numbers, body in WRITES:
        if breaking is not None:
            breaking.restart()
        caller = tom if path.endswith("/confirm") else sue
        response = caller.call(method, path.format(**last, **numbers), body)
        assert response.status_code < 300, (method, path, response.json)
        assert breaking is None or breaking.broken > 5, (method, path)
        written = response.json or {}
        last["entry_id"] = last["expense_id"] = written.get("entry", 0)
        if path in MAKES:
            last[MAKES[path]] = written["id"]


@pytest.mark.postgres
@pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS)
def test_a_write_whose_every_statement_is_broken_off_once_is_written_once(
    sue: Caller,
    tom: Caller,
    database: Database,
    on_postgres: tuple[Caller, Caller],
    postgres_books: Database,
    monkeypatch: pytest.MonkeyPatch,
    error: str,
) -> None:
    """The books are afterwards those of the same writes without any failure, and nothing differs in them."""
    write_all(sue, tom)
    breaking = Breaking(error)
    for name in ("execute", "executemany"):
        monkeypatch.setattr(
            psycopg.Cursor, name, breaking.instead_of(getattr(psycopg.Cursor, name))
        )
    monkeypatch.setattr(repeating, "PAUSES", (0.0,) * 100)
    monkeypatch.setattr(repeating, "SECONDS", 600.0)
    write_all(*on_postgres, breaking)
    breaking.broken = -1
    assert row_counts(postgres_books) == row_counts(database)
    assert list(audit.verify(postgres_books)) == []


def test_the_writes_above_are_all_that_take_a_key(anyone: Caller) -> None:
    """So that a new one is broken off, too."""
    document = anyone.get("/openapi.json").json
    keyed = {
        (method, path)
        for method, path, operation in operations(document)
        if "Idempotency-Key" in parameters(document, operation)
    }
    assert {(method, BASE + path) for method, path, *_ in WRITES} == keyed
