"""Somebody writes while a page or an answer is made: it is all from before that, or all from after it.

Another writer acts just before the first or the second statement of each address that can be read. What was
written before the first is seen wholly. What was written before the second is not seen: the answer is, to the
byte, what the books told before. Later writers need no test, as a statement that read what they write would
read this, too.
"""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import date
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.runtime.clock import now
from ledger.services.chips import count
from ledger.services.club import clubs, devices, players, seasons, tokens
from ledger.services.reads import accounts
from ledger.services.session.load import load
from ledger.services.table import lifecycle, season_end, seating, start
from ledger.services.undo import last
from tests.ledger import cash, table
from tests.ledger.conftest import PASSCODE
from tests.ledger.photos import PHOTO
from tests.ledger.table import ask
from tests.ledger.turned import TurnedDatabase
from tests.ledger.web.phone import Phone

Act = Callable[[Database, Access, int], object]

HAND = {"contract": {"bidder": "Bob", "bid": "frog", "trump": "H"}, "points": 50, "dealer": "Ann"}
"""Bob is beaten, so his chips stay in the pots."""


def _act(act: Callable[..., object], *sent: Any, **named: Any) -> Act:
    """Make an act of a write; without anything ``sent`` it is one in the session."""
    return lambda db, club, played: act(table.write(db, club), *(sent or (played,)), **named)


ACTS: Mapping[str, Act] = {
    "closes": _act(lifecycle.close),
    "comes back": _act(seating.come_back, player="Eve"),
    "leaves": lambda db, club, played: cash.leave(db, club, played, "Dee"),
    "joins": lambda db, club, played: cash.join(db, club, played, "Zoe"),
    "undoes": _act(last.undo),
    "renames": _act(players.rename, 1, name="Anna"),
    "changes rules": _act(start.change_rules, game="straight-solo", variant=None, options={}),
    "records": lambda db, club, played: table.record(db, club, played, HAND),
}
"""What somebody else does meanwhile. Three play, Eve sits out, Fay has left."""


class Books(NamedTuple):
    """Books as they were filled, what their rows are called in addresses, and who reads and writes."""

    file: Path
    club: Access
    secret: str
    cookie: str
    place: Mapping[str, Any]
    waiting: int
    payment: int
    reading: TurnedDatabase
    writing: TurnedDatabase

    def turn(self) -> None:
        """Open the books anew, as they were filled."""
        for database in (self.reading, self.writing):
            database.close()
        again = self.file.with_name("again.sqlite")
        for old in again.parent.glob(f"{again.name}*"):
            old.unlink()
        shutil.copy(self.file, again)
        for database in (self.reading, self.writing):
            database.turn_to(f"sqlite:///{again}")

    def changed(self) -> Path:
        """Return a file with the same books after every act but the undo, the last one first."""
        self.turn()
        for name in reversed(list(ACTS)):
            if name != "undoes":
                ACTS[name](self.writing, self.club, self.place["session_id"])
        self.writing.close()
        return Path(
            shutil.copy(self.file.with_name("again.sqlite"), self.file.with_name("changed"))
        )


@pytest.fixture
def books(app: Flask, database: Database, club: Access, tmp_path: Path) -> Iterator[Books]:
    """A club with an evening going on that has something of everything, and one that was paid."""
    paid = table.start(database, club, table.FOUR, rate=cash.TEN_FOR_ONE, title="Paid")
    table.record(database, club, paid, cash.ANN_WINS)
    cash.convert(database, club, paid)
    payment = cash.pay(database, club, "Bob", "Ann", 2)["entry"]
    players.change_mark(table.write(database, club), 1, picture=PHOTO)
    evening = table.start(
        database,
        club,
        table.FOUR,
        "progressive",
        options={"pots": {"stake": 5}},
        starting_stack=150,
        title="Tonight",
    )
    for _ in range(3):
        table.record(database, club, evening, HAND)
    table.correct(database, club, evening, 1, {**HAND, "points": 40})
    table.void(database, club, evening, 2)
    lent = cash.lend(database, club, evening, "Ann", 20)["entry"]
    count.record(table.write(database, club), evening, {"Ann": {5: 1}})
    for name in ("Eve", "Fay"):
        cash.join(database, club, evening, name)
    cash.leave(database, club, evening, "Fay")
    for name in ("Dee", "Eve"):
        seating.sit_out(table.write(database, club), evening, player=name)
    waiting = table.start(database, club, table.FOUR[:3], "frog", title="Waiting")
    dealer, _ = table.turn(database, club, waiting)
    table.record(database, club, waiting, table.with_cards("frog", table.FOUR[:3], dealer))
    seating.sit_out(table.write(database, club), waiting, player="Cyd")
    days: dict[str, Any] = {"first_day": date(2000, 1, 1), "last_day": date(2100, 12, 31)}
    season = seasons.create(table.write(database, club), name="All", **days)["id"]
    season_end.close(table.write(database, club), season)
    secret, token = tokens.issue(database, club, label="tablet", role=Role.OWNER)
    phone = Phone(app)
    phone.enter(ask(database, club, clubs.show).name, PASSCODE, "Mia")
    devices.change_role(database, club, 1, role=Role.OWNER)
    cookie = phone.client.get_cookie("solo-ledger")
    assert cookie is not None
    place = {
        "codes": "5c71-7530",
        "face": "LedgerCJK",
        "club_id": club.club_id,
        "session_id": evening,
        "number": 3,
        "player_id": 1,
        "account_id": ask(database, club, accounts.books, evening).accounts[0].id,
        "entry": lent,
        "entry_id": lent,
        "token_id": token.id,
        "device_id": 1,
        "link_id": 1,
        "season_id": season,
        "viewer_key": table.viewer_key(database, club),
        "filename": "solo.css",
        "game": "six-bid",
    }
    database.close()
    file = tmp_path / "filled.sqlite"
    shutil.copy(tmp_path / "ledger.sqlite", file)
    both = TurnedDatabase(file), TurnedDatabase(file)
    app.extensions["ledger.database"] = both[0]
    yield Books(file, club, secret, cookie.value, place, waiting, payment, *both)
    for each in both:
        each.close()


class Answer(NamedTuple):
    """What an address answers, without what is made anew for each answer."""

    status: int
    headers: Mapping[str, str]
    body: str


def mask(body: bytes) -> str:
    """Take out the keys of forms."""
    text = body.decode("utf-8", "replace")
    return re.sub(r'(name="(?:csrf_token|key)" value=)"[^"]*"', r"\1…", text)


def get(app: Flask, books: Books, address: str) -> Answer:
    """Ask for an address, as a device and a program that are both let in."""
    client: FlaskClient = app.test_client(use_cookies=False)
    headers = {"Cookie": f"solo-ledger={books.cookie}", "Authorization": f"Bearer {books.secret}"}
    found = client.get(address, headers=headers)
    said = {name: found.headers[name] for name in TOLD if name in found.headers}
    return Answer(found.status_code, said, mask(found.get_data()))


TOLD = ("ETag", "X-Pagination", "Location")

WITHOUT_BOOKS = {
    *("readyz", "web.read_along"),
    *("web.trust", "web.authority_certificate", "web.arrive"),
}
"""A probe of the ledger and a link that lets somebody in both write; HTTPS is off here."""

ASKED = {
    "web.board": "saved=3",
    "web.history": "saved=3",
    "web.bank": "done=lend&who=Ann&entry={entry}",
    "web.leave_table": "player=Dee",
    "api-money.show_balance": "at={at}",
}
"""What is asked with an address, where more is shown then."""


RENDERING = (
    *("ledger.report.render", "ledger.report.render_hand", "ledger.report.render_score_sheet"),
    *("ledger.report.render_period", "ledger.web.club.statistics.render_period"),
    *("ledger.web.evening.sessions.render", "ledger.web.evening.sessions.render_score_sheet"),
    *("ledger.web.hand.sheet.render_hand", "ledger.report.season_report.render_season"),
    "ledger.report.poster.render_poster",
)
"""The functions that make PDFs, which print the time."""


def addresses(app: Flask, books: Books) -> dict[str, str]:
    """Return an address of each rule that can be read, by its name: of a rule made later, too."""
    others: dict[str, dict[str, Any]] = {
        "web.hand": {"session_id": books.waiting, "number": 1},
        "web.hand_pdf": {"session_id": books.waiting, "number": 1},
        "api-books.print_hand": {"session_id": books.waiting, "number": 1},
        "web.restore_hand": {"number": 2},
        "web.card_pad": {"version": "of-earlier"},
        "web.replay_player": {"version": "of-earlier"},
        "web.picture": {"version": "of-earlier"},
        "web.payouts": {"version": "of-earlier"},
        "web.payouts_of_game": {"version": "of-earlier", "game": "crazy-solo"},
        "api-hands.preview_restoring": {"number": 2},
        "api-money.preview_taking_payment_back": {"entry_id": books.payment},
    }
    found = {}
    with app.test_request_context():
        adapter = app.create_url_adapter(None) or app.url_map.bind("localhost")
        for rule in app.url_map.iter_rules():
            if "GET" in (rule.methods or ()) and rule.endpoint not in WITHOUT_BOOKS:
                place = {**books.place, **others.get(rule.endpoint, {})}
                asked = ASKED.get(rule.endpoint, "").format(**place, at=now().strftime("%FT%TZ"))
                path = adapter.build(rule.endpoint, {name: place[name] for name in rule.arguments})
                found[rule.endpoint] = f"{path}?{asked}"
    return found


def drawn(
    app: Flask, books: Books, address: str, at: int = -1, act: Callable[[], object] = lambda: None
) -> tuple[Answer, list[str]]:
    """Get an answer, and what was asked for it, while ``act`` is done just before its statement ``at``."""
    asked: list[str] = []

    def before(
        _connection: object, _cursor: object, statement: str, given: object, *_: Any
    ) -> None:
        if statement != "BEGIN":  # it looks at nothing yet
            if len(asked) == at:
                act()
            asked.append(f"{statement} {given}")

    event.listen(books.reading.engine, "before_cursor_execute", before)
    try:
        return get(app, books, address), asked
    finally:
        event.remove(books.reading.engine, "before_cursor_execute", before)


def check(app: Flask, books: Books, address: str, acts: Iterator[Act], played: int) -> int:
    """Let somebody write before the first two statements of an address; return how many it has."""
    books.turn()
    alone, asked = drawn(app, books, address)
    assert alone.status < 400, (address, alone)
    for at in range(min(len(asked), 2)):
        books.turn()
        done = partial(next(acts), books.writing, books.club, played)
        seen, _ = drawn(app, books, address, at, done)
        assert seen == (alone if at else get(app, books, address)), (address, at)
    return len(asked)


def test_whoever_writes_meanwhile_is_seen_wholly_or_not_at_all(
    app: Flask, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every address that can be read."""
    for door in RENDERING:
        monkeypatch.setattr(door, lambda read, *_, **__: repr(read).encode())
    changed = books.changed()

    def change_everything(database: Database, *_: object) -> None:
        own = str(database.url.database)
        with closing(sqlite3.connect(changed)) as source, closing(sqlite3.connect(own)) as target:
            source.backup(target)

    acts = cycle([change_everything])
    costs = {
        name: check(app, books, address, acts, books.place["session_id"])
        for name, address in addresses(app, books).items()
    }
    assert sum(map(bool, costs.values())) > 50


@pytest.mark.parametrize("name", ["web.board", "web.new_hand", "api-sessions.show_session"])
def test_the_evening_is_of_one_moment_whatever_is_done(app: Flask, books: Books, name: str) -> None:
    """The scoreboard, the hand form and the API's session: every act by itself."""
    address = addresses(app, books)[name]
    for act in ACTS.values():
        assert check(app, books, address, cycle([act]), books.place["session_id"])


@pytest.mark.parametrize("name", ["web.board", "api-sessions.show_session"])
def test_a_table_of_too_few_is_shown_so_while_somebody_comes_back(
    app: Flask, books: Books, name: str
) -> None:
    """Two are no table of Frog: no next hand is told, or the one that three play."""
    address = addresses(app, books)[name].replace(
        f"sessions/{books.place['session_id']}", f"sessions/{books.waiting}"
    )
    back = _act(seating.come_back, player="Cyd")
    assert check(app, books, address, cycle([back]), books.waiting)


def test_no_answer_asks_the_same_twice(app: Flask, books: Books) -> None:
    """What was read is carried: the session, its rules, the last hand; nothing of it is looked up again."""
    for address in addresses(app, books).values():
        books.turn()
        _, asked = drawn(app, books, address)
        assert [each for each in asked if asked.count(each) > 1] == [], address


@pytest.mark.parametrize(
    ("name", "query", "most"),
    [
        ("web.board", "", 6),
        ("web.board", "saved=3", 10),  # one of them for the undo that its notice offers
        ("web.board", "revision={revision}", 1),
        ("web.new_hand", "", 4),
        ("api-sessions.show_session", "", 4),
    ],
)
def test_what_a_table_looks_at_all_evening_asks_little(
    app: Flask, books: Books, name: str, query: str, most: int
) -> None:
    """The scoreboard, also just after a hand; whether it is news; the hand form; the API's session."""
    address = addresses(app, books)[name].partition("?")[0]
    books.turn()
    now_is = ask(books.reading, books.club, load, books.place["session_id"]).revision
    _, asked = drawn(app, books, f"{address}?{query.format(revision=now_is)}")
    assert len(asked) <= most, asked
