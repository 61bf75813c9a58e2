"""ihatemoney's side of ``bench_books``: run by a Python that has it installed, prints its figures as JSON.

Its own API, authenticated with a token, in process: adding a bill and reading the statistics in a project of
seven people. Earlier bills are inserted in bulk.
"""

import json
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from statistics import median
from time import perf_counter
from typing import Any

PEOPLE = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus")
TIMES = 9


def main(sizes: list[int]) -> None:
    """Print ``{size: {"add": seconds, "statistics": seconds}}``."""
    from ihatemoney.run import create_app  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "SQLALCHEMY_DATABASE_URI": f"sqlite:///{folder}/bills.sqlite",
            "SECRET_KEY": "for a benchmark only",
            "ACTIVATE_DEMO_PROJECT": False,
            "MAIL_SUPPRESS_SEND": True,
            "RATELIMIT_ENABLED": False,
            "TESTING": True,
        }
        app = create_app(type("Settings", (), settings), instance_path=folder)
        print(json.dumps({size: figures(app, size) for size in sizes}))


def figures(app: Any, size: int) -> dict[str, float]:
    """Measure one project with ``size`` bills."""
    from ihatemoney.models import Project, db  # type: ignore[import-not-found]

    client, name = app.test_client(), f"club{size}"
    made = client.post(
        "/api/projects",
        data={
            "id": name,
            "name": name,
            "password": "four aces",
            "contact_email": "sue@example.org",
            "default_currency": "XXX",
        },
    )
    assert made.status_code == 201, made.data
    with app.app_context():
        token = db.session.get(Project, name).generate_token()
    headers = {"Authorization": f"Basic {token}"}
    people = []
    for person in PEOPLE:
        answer = client.post(
            f"/api/projects/{name}/members", data={"name": person}, headers=headers
        )
        people.append(int(answer.data))
    fill(Path(app.config["SQLALCHEMY_DATABASE_URI"].removeprefix("sqlite:///")), people, size)
    bill = {
        "date": "2026-01-31",
        "what": "a hand",
        "payer": people[0],
        "payed_for": people,
        "amount": "42",
    }
    add = time(lambda: client.post(f"/api/projects/{name}/bills", data=bill, headers=headers), 201)
    read = time(lambda: client.get(f"/api/projects/{name}/statistics", headers=headers), 200)
    return {"add": add, "statistics": read}


def fill(file: Path, people: list[int], size: int) -> None:
    """Insert bills directly into its database."""
    with closing(connect(file)) as books, books:
        last = books.execute("SELECT coalesce(max(id), 0) FROM bill").fetchone()[0]
        ids = range(last + 1, last + 1 + size)
        books.executemany(
            "INSERT INTO bill (id, payer_id, amount, converted_amount, date, creation_date, what, "
            "bill_type, original_currency, external_link) "
            "VALUES (?, ?, 42, 42, '2026-01-31', '2026-01-31', 'a hand', 'EXPENSE', 'XXX', '')",
            ((number, people[number % len(people)]) for number in ids),
        )
        books.executemany(
            "INSERT INTO billowers (bill_id, person_id) VALUES (?, ?)",
            ((number, person) for number in ids for person in people),
        )


def time(ask: Any, status: int) -> float:
    """Return the median seconds of several requests."""
    took = []
    for _ in range(TIMES):
        start = perf_counter()
        answer = ask()
        took.append(perf_counter() - start)
        assert answer.status_code == status, answer.data
    return median(took)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]])
