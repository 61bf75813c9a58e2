"""The club's log of an older ledger: its sentences become values, and sentences again."""

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from ledger.books.transactions import Database
from ledger.database.access import Access, Event
from ledger.database.models import SecurityEvent
from ledger.keeping import migrate
from ledger.services.club import clubs, events
from tests.ledger.table import ask

BEFORE = "0024"
"""The last revision that stored sentences."""

LINES: tuple[tuple[Event, str, dict[str, str]], ...] = (
    (Event.REFUSED, "from 192.0.2.0/24", {"network": "192.0.2.0/24"}),
    (Event.PASSCODE, "", {}),
    (Event.CAME, "iPhone, as scorer", {"kind": "iPhone", "role": "scorer"}),
    (Event.LEFT, "Ann's device's device", {"author": "Ann's device", "kind": "device"}),
    (Event.OUT, "山田's iPad", {"author": "山田", "kind": "iPad"}),
    (
        Event.ROLE,
        "Ann: b, now c's Linux: viewer, now owner",
        {"author": "Ann: b, now c", "kind": "Linux", "before": "viewer", "role": "owner"},
    ),
    (Event.LINK, "viewer's link, for 30 days", {"role": "viewer", "lasts": "month"}),
    (Event.LINK, "scorer's link, for a fortnight", {"role": "scorer", "lasts": "a fortnight"}),
    (Event.LINK_OUT, "owner's link", {"role": "owner"}),
    (Event.TOKEN, "“a “b””, a viewer's", {"label": "a “b”", "role": "viewer"}),
    (Event.TOKEN_OUT, "“{label}”", {"label": "{label}"}),
    (Event.TOKEN_OUT, "something else", {"text": "something else"}),
)
"""Lines of each kind: sentences of earlier releases, and the values in them."""


@pytest.fixture
def older(database_url: str) -> tuple[Database, Access]:
    """Return a database of the last revision with sentences, holding ``LINES`` in its log."""
    database = Database(database_url)
    migrate.upgrade(database)
    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
    migrate.downgrade(database, BEFORE)
    insert = text(
        "INSERT INTO security_event (club_id, at, kind, who, what, network, times)"
        " VALUES (:club, '2025-11-20 20:00:00.000000', :kind, 'Sue', :what, '', 1)"
    )
    with database.engine.begin() as connection:
        connection.execute(text("DELETE FROM security_event"))
        for kind, what, _ in LINES:
            connection.execute(insert, {"club": access.club_id, "kind": kind.value, "what": what})
    return database, access


def test_the_log_of_an_older_ledger_reads_as_before(older: tuple[Database, Access]) -> None:
    """Each sentence becomes values that render the same sentence; a downgrade restores the text."""
    database, access = older
    sentences = [what for _, what, _ in LINES]
    migrate.upgrade(database)
    for kind, what, values in LINES:
        assert str(events.sentence(kind, values)) == what
    assert [line.what for line in ask(database, access, events.list_all, access)][::-1] == sentences
    with database.engine.begin() as connection:
        stored = connection.execute(select(SecurityEvent.details).order_by(col(SecurityEvent.id)))
        rows = list(stored.scalars())
    assert rows == [values for _, _, values in LINES]
    migrate.downgrade(database, BEFORE)
    with database.engine.begin() as connection:
        kept = connection.execute(text("SELECT what FROM security_event ORDER BY id"))
        assert list(kept.scalars()) == sentences
    migrate.upgrade(database)
    assert [line.what for line in ask(database, access, events.list_all, access)][::-1] == sentences
    database.close()
