"""The examples of the API's document: the first response of every operation in a made-up club.

`python -m tests.api_examples` writes them to `ledger/api/examples.json`; a test compares their shape with the
responses of the day.
"""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from flask import Flask

from ledger.api.spec import EXAMPLES
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.subscription import STREAM
from ledger.keeping.archive.export import archive
from ledger.keeping.archive.transfer import MEDIA_TYPE
from ledger.keeping.exports.formats import PLAIN
from ledger.keeping.migrate import open_books
from ledger.runtime import clock
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.club import clubs, devices, last_use, tokens
from ledger.services.club.passcodes import NOBODY
from tests.ledger.api.caller import BASE, Caller, Reply
from tests.ledger.api.test_broken_off import write_all
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import HEARTS_74, SECRET
from tests.ledger.web.hand.test_correction_form import CARDS

BEGINS = datetime(2026, 1, 30, 20, 15, tzinfo=UTC)
LONGEST_LIST = 2
"""The most rows of a list; more show nothing new."""

SECOND = {STREAM, PLAIN}
"""The media types of second contents of responses."""
LINES = 2
"""The lines of a text that show what it is."""

Examples = dict[str, dict[str, Any]]


class Recorder(Caller):
    """A client that keeps the first response of each operation and status, and makes dry runs of writes."""

    def __init__(self, app: Flask, token: str | None, examples: Examples) -> None:
        super().__init__(app, token)
        self._urls = app.url_map.bind("localhost")
        self._operations = {
            (method.upper(), path): operation
            for path, methods in self.get("/openapi.json").json["paths"].items()
            for method, operation in methods.items()
        }
        self.examples = examples

    def call(self, method: str, path: str, content: Any = None, **more: Any) -> Reply:
        """Send a request, after its dry run if there is one."""
        rule, _ = self._urls.match(BASE + path.partition("?")[0], method, return_rule=True)
        place = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        operation = getattr(self, "_operations", {}).get((method, place))
        if operation and "?" not in path and "DRY_RUN" in str(operation.get("parameters")):
            self.dry(path, content, method)
        reply = super().call(method, path, content, **more)
        if operation and reply.status_code < 300:
            of_operation = self.examples.setdefault(operation["operationId"], {})
            key = (
                f"{reply.status_code} {reply.mimetype if reply.mimetype in SECOND else ''}".strip()
            )
            of_operation.setdefault(key, _example(reply))
        return reply


def _example(reply: Reply) -> Any:
    """Return a response as an example; of a stream, its first event; of a file, its beginning."""
    if reply.mimetype == STREAM:
        return reply.data.decode().partition("\n\n")[0] + "\n\n"
    if reply.mimetype.startswith("text/"):
        return "".join(reply.data.decode().splitlines(keepends=True)[:LINES])
    return (
        _short(reply.json)
        if reply.mimetype == "application/json"
        else reply.data[:8].decode(errors="replace")
    )


def _short(value: Any) -> Any:
    """Return a value without the secrets and most rows of each list of objects."""
    if isinstance(value, dict):
        return {key: _short(inner) for key, inner in value.items()}
    if isinstance(value, list):
        rows = value[:LONGEST_LIST] if isinstance(next(iter(value), None), dict) else value
        return [_short(inner) for inner in rows]
    return "solo_…" if str(value).startswith("solo_") else value


def collect(app: Flask, database: Database, club: Access) -> Examples:
    """Return the responses of every operation by its id and the status, from an empty club."""
    examples: Examples = {}
    sue, tom = (
        Recorder(app, tokens.issue(database, club, label=label, role=role)[0], examples)
        for label, role in (("Sue's phone", Role.OWNER), ("Tom's phone", Role.SCORER))
    )
    devices.admit(database, Access(club.club_id, Role.SCORER, "Tom"), NOBODY)
    Recorder(app, None, examples).post(
        "/clubs", {"name": "Friday", "passcode": "four aces", "author": "Ann"}
    )
    write_all(sue, tom)
    sue.post(
        "/score", {**HEARTS_74, "game": "crazy-solo", "players": list("ABCDEFG"), "dealer": "G"}
    )
    pay = {"transfers": [{"from": "Cyd", "to": "Ann", "amount": 40}]}
    sue.post("/sessions/1/chips/payout", pay)
    link = sue.post("/links", {"role": "scorer", "lasts": "evening"}).json["id"]
    sue.post("/club/viewer-link")
    token = sue.post("/tokens", {"label": "Scoreboard", "role": "viewer", "days": 30}).json["id"]
    for path in _reads(sue):
        assert sue.get(path).status_code == 200, path
    evening = sue.start(players=["Ann", "Bob", "Cyd", "Dee"], first_dealer="Dee")
    sue.post(f"{evening}/hands", CARDS)
    assert sue.get(f"{evening}/hands/1/sheet.pdf").status_code == 200
    sue.post("/seasons/2/close")
    assert sue.get("/seasons/2/poster.pdf").status_code == 200
    sue.get("/entries", headers={"Accept": STREAM})
    sue.get("/club/export?format=rules-entries")
    sue.post("/archives", data=_another_archive(), content_type=MEDIA_TYPE)
    for path in (f"/links/{link}", f"/tokens/{token}"):
        sue.call("DELETE", path)
    on_paper = {"game": "frog", "started_on": "2026-01-09", "won": {"Ann": 40, "Bob": -40}}
    written = sue.post("/paper-evenings", on_paper).json
    right = {**on_paper, "won": {"Ann": 30, "Bob": -30}}
    place = f"/sessions/{written['id']}/paper-result"
    sue.put(place, right, headers={"If-Match": f'"{written["revision"]}"'})
    sue.call("PATCH", "/devices/1", {"role": "viewer"})
    sue.call("DELETE", "/devices/1")
    sue.call("PATCH", "/club/passcode", {"passcode": "five aces"})
    return examples


def _another_archive() -> bytes:
    """Return the archive of a club of another ledger."""
    with TemporaryDirectory() as folder:
        settings = Settings(f"sqlite:///{folder}/ledger.sqlite", Path(folder), SECRET)
        with closing(open_books(settings)) as database:
            club, _ = clubs.create(database, name="Sunday", passcode=PASSCODE, author="Eve")
            return b"".join(archive(database, club.club_id))


def _reads(caller: Caller) -> Iterator[str]:
    """Yield an address of each operation that reads, but of sheets, which need cards, and posters."""
    number = {"session_id": 1, "number": 1, "player_id": 1, "account_id": 1, "season_id": 2}
    for path, methods in caller.get("/openapi.json").json["paths"].items():
        if "get" in methods and not path.endswith(("/sheet.pdf", "/poster.pdf")):
            at = "?at=2030-01-31T21:15:00Z" if path.endswith("/balance") else ""
            yield path.removeprefix(BASE).format(**number) + at


def main() -> None:
    """Write the examples of a new club."""
    with TemporaryDirectory() as folder, clock.stopped() as set_clock:
        times = (BEGINS + timedelta(minutes=minute) for minute in count())
        settings = Settings(f"sqlite:///{folder}/ledger.sqlite", Path(folder), SECRET)
        with closing(open_books(settings)) as database:
            club, _ = clubs.create(database, name="Kitchen Table", passcode=PASSCODE, author="Sue")
            app = create_app(settings, database)

            @app.before_request
            def _tick() -> None:
                """Let a minute pass: entries of the same moment are one step for an undo."""
                set_clock(next(times))

            # A thread stores when a token was last used, sooner or later.
            with patch.object(last_use, "Thread"):
                examples = collect(app, database, club)
    text = json.dumps(examples, ensure_ascii=False, indent=1)
    EXAMPLES.write_text(f"{text}\n", encoding="utf-8")
    sys.stdout.write(f"{len(examples)} operations\n")


if __name__ == "__main__":
    main()
