"""A hundred ways to corrupt books: each is reported by verify, or stands in the threat page.

Whoever does it has the file alone. The guards are taken down and put up again, so that nothing of them
tells on anybody.
"""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.keeping.backup import HEADS_OF_FILE
from ledger.runtime.signing import SigningKey, new_key
from ledger.services.audit import Head, Outside, differences
from ledger.services.club import clubs, devices, links, tokens
from ledger.services.club.passcodes import ClientDevice, origin_of
from ledger.services.money import convert, payments
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle
from tests.ledger import table
from tests.ledger.services.audit.corruptions import (
    LISTED,
    REPORTED,
    Change,
    emptied,
    without_a_club,
)
from tests.ledger.services.audit.test_audit import an_evening
from tests.ledger.turned import TurnedDatabase
from tests.support.tree import ROOT

KEY = SigningKey.from_text(new_key(datetime(2020, 1, 1, tzinfo=UTC)))
THREATS = (ROOT / ".docs" / "THREATS.md").read_text(encoding="utf-8")

Books = tuple[Connection, Outside]
"""Books in a transaction of their own, and what is known of them from outside."""


def let_in(db: Database, owner: Access) -> None:
    """Let devices in: one that scores, one that did by a link that is revoked, a reader, one that is now."""
    seen = ClientDevice(origin_of("192.0.2.7"), "Android", {})
    scorer = Access(owner.club_id, Role.SCORER, "Mia")
    _, reading = links.make(db, owner, table.SECRET, role=Role.VIEWER, lasts="year")
    _, revoked = links.make(db, owner, table.SECRET, role=Role.SCORER, lasts="evening")
    devices.admit(db, scorer, seen)
    devices.admit(db, scorer, seen, link_id=revoked.id)
    devices.admit(db, Access(owner.club_id, Role.VIEWER, "viewer"), seen, link_id=reading.id)
    devices.admit(db, scorer, seen)
    devices.change_role(db, owner, 4, role=Role.VIEWER)
    links.revoke(db, owner, revoked.id)


@pytest.fixture(scope="module")
def books(empty_books: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Books]:
    """A club that has done everything and one beside it, signed; and what is known of them from outside."""
    file = tmp_path_factory.mktemp("books") / "ledger.sqlite"
    shutil.copy(empty_books, file)
    db = TurnedDatabase(file)
    db.signer = KEY
    for name in ("Ours", "Theirs"):
        access, _ = clubs.create(db, name=name, passcode="four aces")
        if name == "Ours":
            an_evening(db, access)
        else:
            table.record(db, access, table.start(db, access), table.HEARTS_74)
        tokens.issue(db, access, label="one", role=access.role)
        _, token = tokens.issue(db, access, label="two", role=access.role)
        tokens.revoke(db, access, token.id)
        if name == "Ours":
            let_in(db, access)
    ours = clubs.enter(db, name="Ours", passcode="four aces")[0]
    second = table.start(db, ours, rate=Rate(10, 5))
    table.record(db, ours, second, table.HEARTS_74)
    lifecycle.pause(table.write(db, ours), second)
    lifecycle.resume(table.write(db, ours), second)
    convert.convert(table.write(db, ours), second)
    payments.pay(table.write(db, ours), payer="Cyd", payee="Ann", amount=5)
    lifecycle.close(table.write(db, ours), second)
    with db.read() as session:
        found_there = session.connection().scalars(text(HEADS_OF_FILE))
        heads = [Head(str(each), "paper") for each in found_there]
    db.close()
    engine = create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.isolation_level = None
        raw.execute("PRAGMA ignore_check_constraints = ON")
        yield connection, Outside([KEY], heads)
    engine.dispose()


def found(connection: Connection, outside: Outside, changes: tuple[Change, ...]) -> list[str]:
    """Return what verify finds once the books were changed behind the guards' backs; nothing of it stays."""
    connection.exec_driver_sql("BEGIN")
    try:
        guards = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid"
        taken = connection.exec_driver_sql(guards).all() if emptied not in changes else []
        for name, _ in taken:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        for change in changes:
            if callable(change):
                change(connection)
            else:
                assert connection.exec_driver_sql(change).rowcount, change
        for _, sql in taken:
            connection.exec_driver_sql(sql)
        return [str(each) for each in differences(connection, outside=outside)]
    finally:
        connection.rollback()


def test_there_are_a_hundred_of_them(books: Books) -> None:
    """And the books as they are have none."""
    assert len(REPORTED) + len(LISTED) >= 100
    assert found(*books, ()) == []


@pytest.mark.parametrize(("said", "changes"), REPORTED)
def test_what_somebody_with_the_file_changes_is_reported(
    books: Books, said: str, changes: tuple[Change, ...]
) -> None:
    """By a sentence that says where and what."""
    told = found(*books, changes)
    assert any(said in each for each in told), told


@pytest.mark.parametrize(("listed", "changes"), LISTED)
def test_what_is_not_seen_stands_in_the_threat_page(
    books: Books, listed: str, changes: tuple[Change, ...]
) -> None:
    """It is taken off that page once it is seen."""
    assert found(*books, changes) == []
    assert listed in THREATS


def test_a_club_that_is_gone_is_missed_by_a_head_alone(books: Books) -> None:
    """Without one nothing tells that there ever was one, which the threat page says."""
    connection, outside = books
    without_heads = Outside(outside.keys)
    assert found(connection, without_heads, (without_a_club,)) == []
    assert "A removed club" in THREATS
