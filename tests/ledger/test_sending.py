"""Built statements on their way to the driver: values converted, in lists as well."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import bindparam, col, select

from ledger.access import Access
from ledger.db import Database
from ledger.models import JournalEntry
from ledger.scope import Built
from ledger.sending import prepared
from ledger.services.club import clubs
from tests.ledger import table
from tests.ledger.conftest import PASSCODE

_AMONG = Built(
    int,
    select(JournalEntry.id).where(
        col(JournalEntry.id).in_(bindparam("ids", expanding=True)),
        col(JournalEntry.entered_at) > bindparam("since"),
    ),
)
_AT = Built(
    int,
    select(JournalEntry.id).where(
        col(JournalEntry.entered_at).in_(bindparam("moments", expanding=True))
    ),
)


def test_beside_a_list_a_value_is_converted_as_without_one(
    any_database: Database,
) -> None:
    """An aware time goes to the driver as the column keeps it, in a list and beside one."""
    club, _ = clubs.found(any_database, name="Kitchen Table", passcode=PASSCODE)
    table.start(any_database, club, starting_stack=10)
    with any_database.read(club) as session:
        (first, *_) = session.exec(select(JournalEntry)).all()
        before = datetime.now(UTC) - timedelta(hours=1)
        assert session.ask(_AMONG, ids=[first.id, -1], since=before) == [first.id]
        assert session.ask(_AMONG, ids=[first.id], since=datetime.now(UTC)) == []
        assert session.ask(_AT, moments=[first.entered_at, before]) == [first.id]


def test_a_statement_with_a_list_is_sent_once(database: Database, club: Access) -> None:
    """Each list would be another text: several at once are our mistake, and nothing goes."""
    with database.read(club) as session:
        wire = session.wire
        sending = prepared(_AMONG.statement, wire.dialect)
        with pytest.raises(ValueError, match="too many values"):
            sending.send(wire, {"ids": [1]}, {"ids": [2]})
