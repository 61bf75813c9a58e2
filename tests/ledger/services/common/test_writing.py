"""A write goes one way; a dry run needs neither the lock nor a scorer, and writes nothing."""

import pytest

from ledger.database import connecting
from ledger.services.common.writing import DryRun
from ledger.services.hands import correct, record
from ledger.services.undo import last
from ledger.words.problems import Invalid, Stale
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """A Crazy Solo session of seven with one hand."""
    started = sqlite_club.start(table.SEVEN)
    started.record(table.HEARTS_74)
    return started


def test_a_dry_run_waits_for_nobody_who_writes(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During another's write, everything is answered from the state before."""
    monkeypatch.setattr(connecting, "WAIT_SECONDS", 0.01)
    club, number = evening.club, evening.id
    before = club.rows
    with club.db.write(club.access), club.db.read(club.access) as session:
        ask = DryRun(session)
        assert record.record(ask, number, table.ALONE_85).extra["hand"] == 2
        assert correct.correct(ask, number, 1, table.HEARTS_46).balances == table.PAYS_HEARTS_46
        assert set(correct.void(ask, number, 1).balances.values()) == {0}
        assert last.undo(ask, number).last.what == "recorded"
    assert club.rows == before


def test_a_dry_run_is_refused_on_top_of_what_is_no_more(evening: Evening) -> None:
    """As the write is; without a revision it shows the present state."""
    with evening.club.db.read(evening.club.access) as session:
        with pytest.raises(Stale):
            correct.void(DryRun(session, 1), evening.id, 1)
        assert correct.void(DryRun(session, 2), evening.id, 1).revision == 2


def test_a_reason_is_required_only_when_something_is_written(evening: Evening) -> None:
    """Then nothing of it is written without."""
    evening.preview(correct.void, 1)
    with evening.club.refuses(Invalid, "reason"):
        evening.do(correct.void, 1)
