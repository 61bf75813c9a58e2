"""Ledgers to verify, on both databases, and ways to change them past their triggers, keys and checks."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any, NamedTuple, cast

import pytest
from sqlalchemy import Connection, create_engine, text

from engine.words.steps import STEPS
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.keeping.backup import HEADS_OF_FILE
from ledger.runtime.signing import SigningKey, new_key
from ledger.services.audit import Head, Outside, differences
from ledger.services.club import clubs, devices, links, seasons, tokens
from ledger.services.club.passcodes import ClientDevice, origin_of
from ledger.services.money.foreign_book import ForeignBook, ForeignRow
from ledger.services.money.import_book import import_book
from ledger.services.session.view import Rate
from ledger.services.table import season_end
from tests.ledger import table
from tests.ledger.evenings import CardClub

KEY = SigningKey.from_text(new_key(datetime(2020, 1, 1, tzinfo=UTC)))
"""The key that signs the entries of `SignedLedger`."""


DAYS: dict[str, Any] = {"first_day": date(2020, 1, 1), "last_day": date(2199, 12, 31)}
"""The days of the seasons."""

FOREIGN = ForeignBook(
    "splitwise",
    ("Ann", "Bob", "Cyd"),
    (
        ForeignRow(2, date(2026, 1, 3), "Pizza", {"Ann": 20, "Bob": -10, "Cyd": -10}, False),
        ForeignRow(3, date(2026, 1, 5), "Back", {"Bob": 10, "Ann": -10}, True),
    ),
    (),
)
"""An expense and a payment of another program."""


class SignedLedger(NamedTuple):
    """A ledger with signed entries, and the keys and heads of it that are known from outside."""

    db: Database
    outside: Outside


def an_evening(db: Database, access: Access) -> None:
    """Play an evening in which hands are corrected, voided, restored and followed by chips and money."""
    evening = CardClub(db, access).start(table.SEVEN, starting_stack=150)
    for hand in (table.HEARTS_74, table.ALONE_85, table.ALL_PASS, table.HEARTS_46):
        evening.record(hand)
    evening.correct(1, table.HEARTS_46)
    evening.void(2)
    evening.void(4)
    evening.restore(4)
    evening.lend("Dee", 30)
    evening.lend("Eve", 20)
    evening.undo()
    evening.count({"Ann": {5: 2}, "Bob": {20: 3}}, post=True)
    evening.set_rate(Rate(10, 5))
    evening.leave("Gus")


def admit_devices(db: Database, owner: Access) -> None:
    """Admit a scorer's device, one by a link that is then revoked, a viewer's, and a former scorer's."""
    client = ClientDevice(origin_of("192.0.2.7"), "Android", {})
    scorer = Access(owner.club_id, Role.SCORER, "Mia")
    _, reading = links.make(db, owner, table.SECRET, role=Role.VIEWER, lasts="year")
    _, revoked = links.make(db, owner, table.SECRET, role=Role.SCORER, lasts="evening")
    devices.admit(db, scorer, client)
    devices.admit(db, scorer, client, link_id=revoked.id)
    devices.admit(db, Access(owner.club_id, Role.VIEWER, "viewer"), client, link_id=reading.id)
    devices.admit(db, scorer, client)
    devices.change_role(db, owner, 4, role=Role.VIEWER)
    links.revoke(db, owner, revoked.id)


def signed_ledger(db: Database) -> SignedLedger:
    """Fill an empty database with a club (1) that has done everything, and another (2) with equal names."""
    db.signer = KEY
    for name in ("Ours", "Theirs"):
        access, _ = clubs.create(db, name=name, passcode="four aces")
        if name == "Ours":
            an_evening(db, access)
        else:
            CardClub(db, access).start(table.SEVEN).record(table.HEARTS_74)
        tokens.issue(db, access, label="one", role=access.role)
        _, token = tokens.issue(db, access, label="two", role=access.role)
        tokens.revoke(db, access, token.id)
        if name == "Ours":
            admit_devices(db, access)
    ours = CardClub(db, clubs.enter(db, name="Ours", passcode="four aces")[0])
    second = ours.start(table.SEVEN, rate=Rate(10, 5))
    second.record(table.HEARTS_74)
    second.pause()
    second.resume()
    second.convert()
    ours.pay("Cyd", "Ann", 5)
    ours.do(import_book, book=FOREIGN, players_by_member={}, each_row=True)
    second.close()
    closed = ours.do(seasons.create, name="Winter", **DAYS)
    ours.do(season_end.close, closed["id"])
    ours.do(seasons.create, name="Summer", method="ranks", tie_breaks=["wins"], prize="Ham", **DAYS)
    with db.read() as session:
        digests = session.connection().scalars(text(HEADS_OF_FILE))
        heads = [Head(str(digest), "paper") for digest in digests]
    return SignedLedger(db, Outside([KEY], heads))


def replace_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Word one sentence of the engine otherwise than when the hands were recorded."""
    other = "{off} more than {half} with {points:card point|card points}"
    monkeypatch.setitem(cast("dict[str, str]", STEPS), "over-half", other)


@contextmanager
def unguarded(db: Database) -> Iterator[Connection]:
    """Open a transaction in which no trigger, foreign key or check stops a change; it is rolled back."""
    engine = create_engine(db.url)
    with engine.connect() as connection:
        if db.is_sqlite:
            raw: Any = connection.connection.driver_connection
            raw.isolation_level = None  # so that triggers are dropped inside the transaction
            connection.exec_driver_sql("PRAGMA ignore_check_constraints = ON")
            connection.exec_driver_sql("BEGIN")
            triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid"
            dropped = connection.exec_driver_sql(triggers).all()
            for trigger in dropped:
                connection.exec_driver_sql(f"DROP TRIGGER {trigger.name}")
            connection.info["triggers"] = [trigger.sql for trigger in dropped]
        else:
            connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
            checks = (
                "SELECT conrelid::regclass, conname FROM pg_constraint WHERE conname LIKE 'ck_%%'"
            )
            for table_name, check in connection.exec_driver_sql(checks).all():
                connection.exec_driver_sql(f"ALTER TABLE {table_name} DROP CONSTRAINT {check}")
        try:
            yield connection
        finally:
            connection.rollback()
    engine.dispose()


def restore_triggers(connection: Connection) -> None:
    """Create SQLite's triggers again that `unguarded` dropped."""
    for sql in connection.info.get("triggers", ()):
        connection.exec_driver_sql(sql)


def findings(connection: Connection, outside: Outside | None = None) -> list[str]:
    """Return the differences that verifying finds."""
    return [str(difference) for difference in differences(connection, outside=outside)]
