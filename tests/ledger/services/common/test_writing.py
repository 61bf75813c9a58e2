"""A write goes one way; asked by a dry run, it needs neither the lock nor a scorer, and writes nothing."""

import pytest

from ledger.books.transactions import Database
from ledger.database import connecting
from ledger.database.access import Access, Role
from ledger.services.common.writing import DryRun, Write
from ledger.services.hands import correct, record
from ledger.services.undo import last
from ledger.words.problems import Invalid, ReadOnly, Stale
from tests.ledger import table


@pytest.fixture
def evening(database: Database, club: Access) -> int:
    """A Crazy Solo session of seven with one hand."""
    session_id = table.start(database, club)
    table.record(database, club, session_id, table.HEARTS_74)
    return session_id


def test_a_dry_run_waits_for_nobody_who_writes(
    database: Database, club: Access, evening: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While somebody holds the books, everything is answered from what was there before."""
    monkeypatch.setattr(connecting, "WAIT_SECONDS", 0.01)
    before = table.row_counts(database)
    with database.write(club), database.read(club) as session:
        ask = DryRun(session)
        assert record.record(ask, evening, table.ALONE_85).extra["hand"] == 2
        assert correct.correct(ask, evening, 1, table.HEARTS_46).balances == table.PAYS_HEARTS_46
        assert set(correct.void(ask, evening, 1).balances.values()) == {0}
        assert last.undo(ask, evening).last.what == "recorded"
    assert table.row_counts(database) == before


def test_a_dry_run_is_refused_on_top_of_what_is_no_more(
    database: Database, club: Access, evening: int
) -> None:
    """As the write is; without a revision it shows what is there."""
    with database.read(club) as session:
        with pytest.raises(Stale):
            correct.void(DryRun(session, 1), evening, 1)
        assert correct.void(DryRun(session, 2), evening, 1).revision == 2


def test_a_reason_is_wanted_only_where_something_is_written(
    database: Database, club: Access, evening: int
) -> None:
    """Then nothing of it is written without."""
    before = table.row_counts(database)
    with database.read(club) as session:
        correct.void(DryRun(session), evening, 1)
    with pytest.raises(Invalid, match="reason"):
        correct.void(table.write(database, club), evening, 1)
    assert table.row_counts(database) == before


def test_a_viewer_writes_nothing_whatever_it_is(
    database: Database, club: Access, evening: int
) -> None:
    """By the one way that all writes go."""
    viewer = Access(club.club_id, Role.VIEWER, "viewer")
    with pytest.raises(ReadOnly):
        record.record(Write(database, viewer, table.new_key()), evening, table.ALONE_85)
