"""One side of ``bench_saving``: a server that prints its processor time on request.

Run by the Python that has the side installed: ``saving_side.py ours|bare|ihatemoney FOLDER``. The first
line of output is JSON: the port, and each request by name with method, address, headers, body and expected
status. Then each line of input is answered with the process's seconds of processor time so far.
"""

import json
import sqlite3
import sys
import threading
from pathlib import Path
from time import process_time
from typing import Any
from urllib.parse import urlencode

PEOPLE = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus")
JSON = "application/json"


def main(side: str, folder: Path) -> None:
    """Serve a side until the input ends."""
    told = {"ours": ours, "bare": bare, "ihatemoney": ihatemoney}[side](folder)
    print(json.dumps(told), flush=True)
    for _ in sys.stdin:
        print(process_time(), flush=True)


def ours(folder: Path) -> dict[str, Any]:
    """Serve Solo Ledger as ``solo-ledger serve`` does: seven at a table of Crazy Solo, on disk."""
    from ledger import server
    from ledger.books.transactions import Database
    from ledger.database.access import Role
    from ledger.keeping import migrate
    from ledger.runtime.config import Settings
    from ledger.server.app import create_app
    from ledger.services.club import links, tokens
    from ledger.services.session.load import load
    from tests.benchmarks.filling import Filler, found
    from tests.ledger.table import ask
    from tests.ledger.web.phone import Phone

    settings = Settings(f"sqlite:///{folder / 'ours.sqlite'}", folder, "a secret for a benchmark")
    database = Database(settings.database_url)
    migrate.upgrade(database)
    access = found(database, "Club")
    filler = Filler(database, access)
    filler.fill(1_000)
    played = filler.evenings[-1]
    bidder = ask(database, access, load, played).names[0]
    secret, _ = tokens.issue(database, access, label="bench", role=Role.SCORER)
    phone = Phone(create_app(settings, database))
    phone.enter("Club", "four aces", "Sue")
    page = f"/clubs/{access.club_id}/sessions/{played}"
    form = dict(phone.open(f"{page}/hands/new").form("/new").fields)
    form |= {"bidder": bidder, "bid": "go-alone", "trump": "S", "points": "70"}
    cookie = phone.client.get_cookie("solo-ledger")
    assert cookie is not None
    device = {"Cookie": f"solo-ledger={cookie.value}"}
    along = Phone(create_app(settings, database))
    key, _ = links.make(database, access, settings.secret_key, role=Role.VIEWER, lasts="hour")
    along.open(f"/v/{key}")
    link = along.client.get_cookie("solo-ledger")
    assert link is not None
    follower = {"Cookie": f"solo-ledger={link.value}", "Accept-Encoding": "gzip"}
    typed = {**device, "Content-Type": "application/x-www-form-urlencoded"}
    program = {"Authorization": f"Bearer {secret}", "Content-Type": JSON}
    seen = ask(database, access, load, played).revision
    hand = {"contract": {"bidder": bidder, "bid": "go-alone", "trump": "S"}, "points": 70}
    running = server.listen(settings, "127.0.0.1", 0)
    in_background(running.run)
    return {
        "port": running.effective_port,
        "requests": {
            "poll": ("GET", f"{page}?revision={seen}", device, None, 204),
            "board": ("GET", page, device, None, 200),
            "followed": ("GET", page, follower, None, 200),
            "hand form": ("GET", f"{page}/hands/new", device, None, 200),
            "preview": ("POST", f"{page}/hands/preview", typed, urlencode(form), 200),
            "API session": ("GET", f"/api/v1/sessions/{played}", program, None, 200),
            "save": ("POST", f"/api/v1/sessions/{played}/hands", program, json.dumps(hand), 201),
        },
    }


def bare(folder: Path) -> dict[str, Any]:
    """Serve a bare Flask route that inserts the rows of a hand by ``sqlite3``, as durably.

    One statement per table and no query: the least cost of a save over HTTP.
    """
    from flask import Flask, request

    from ledger.server.bridge import Bridge

    file = folder / "bare.sqlite"
    books = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
    books.execute("PRAGMA journal_mode = WAL")
    books.execute("PRAGMA synchronous = FULL")
    for table, rows in ROWS.items():
        columns = ", ".join(f"c{place}" for place in range(len(rows[0])))
        books.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, {columns})")
    app, lock = Flask("bare"), threading.Lock()

    @app.post("/hands")
    def save() -> tuple[dict[str, Any], int]:
        hand = request.get_json()
        with lock:
            books.execute("BEGIN IMMEDIATE")
            for table, rows in ROWS.items():
                marks = ", ".join("?" * len(rows[0]))
                books.executemany(f"INSERT INTO {table} VALUES (NULL, {marks})", rows)
            books.execute("COMMIT")
        return {"record": hand, "verdict": VERDICT}, 201

    return {
        "port": uvicorn_of(Bridge(app, 8, lambda: None)),
        "requests": {
            "save": ("POST", "/hands", {"Content-Type": JSON}, json.dumps(VERDICT), 201),
        },
    }


VERDICT = {
    "outcome": "won",
    "deltas": dict.fromkeys(PEOPLE, 10),
    "transfers": [{"from": name, "to": "Ann", "amount": 10} for name in PEOPLE],
    "explanation": ["Ann plays Go Alone in spades and takes 70 points: 10 over 60."] * 6,
}
_TEXT = json.dumps(VERDICT)
ROWS: dict[str, list[tuple[Any, ...]]] = {
    "hand": [(1, 3, 7, "standing", 1)],
    "journal_entry": [
        (1, 3, "hand", 7, None, "Sue", None, "{}", "then", "now", "a" * 64, "b" * 64)
    ],
    "posting": [(1, 7, seat, 10, 20) for seat in range(7)],
    "hand_version": [
        (1, 3, 7, 1, "recorded", _TEXT, _TEXT, "[1]", "1.0", 7, None, "Sue", "then", "now")
    ],
    "tally": [(1, seat, "crazy-solo", "go-alone", "bidder", 1, 1, 0, 0, 9) for seat in range(7)],
    "versus": [(1, seat, 7, 1, 10) for seat in range(6)],
    "result": [(1, 7, seat, seat, 10) for seat in range(7)],
    "written_answer": [(1, "a key", "c" * 64, _TEXT, "now")],
}
"""The rows of a hand at a table of seven, of realistic size."""


def ihatemoney(folder: Path) -> dict[str, Any]:
    """Serve ihatemoney under waitress, as its documentation has it served: seven people share a bill."""
    from ihatemoney.models import Project, db  # type: ignore[import-not-found]
    from ihatemoney.run import create_app  # type: ignore[import-not-found]
    from waitress import create_server  # type: ignore[import-untyped]

    settings = {
        "SQLALCHEMY_DATABASE_URI": f"sqlite:///{folder}/bills.sqlite",
        "SECRET_KEY": "for a benchmark only",
        "ACTIVATE_DEMO_PROJECT": False,
        "MAIL_SUPPRESS_SEND": True,
        "RATELIMIT_ENABLED": False,
    }
    app = create_app(type("Settings", (), settings), instance_path=str(folder))
    client = app.test_client()
    project = {"id": "club", "name": "club", "password": "four aces"}
    more = {"contact_email": "sue@example.org", "default_currency": "XXX"}
    client.post("/api/projects", data={**project, **more})
    with app.app_context():
        token = db.session.get(Project, "club").generate_token()
    headers = {"Authorization": f"Basic {token}"}
    members = "/api/projects/club/members"
    ids = [int(client.post(members, data={"name": n}, headers=headers).data) for n in PEOPLE]
    served = create_server(app, host="127.0.0.1", port=0, threads=8)
    in_background(served.run)
    bill = {"date": "2026-01-31", "what": "a hand", "payer": ids[0], "amount": "42"}
    return {
        "port": served.effective_port,
        "requests": {
            "save": (
                "POST",
                "/api/projects/club/bills",
                {**headers, "Content-Type": JSON},
                json.dumps({**bill, "payed_for": ids, "bill_type": "Expense"}),
                201,
            ),
        },
    }


def uvicorn_of(application: Any) -> int:
    """Serve an ASGI application as ours is served; return its port."""
    import socket

    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        application, lifespan="on", log_config=None, access_log=False, ws="none"
    )
    server = uvicorn.Server(config)
    in_background(lambda: server.run([listening]))
    return int(listening.getsockname()[1])


def in_background(run: Any) -> None:
    """Run a server in a thread that ends with the process."""
    threading.Thread(target=run, daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
