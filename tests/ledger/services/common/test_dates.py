"""When a hand was played: as its record says, else when it was first written down."""

from datetime import date, timedelta

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.runtime.clock import now
from ledger.services.common import dates
from ledger.services.hands import versions
from ledger.services.reads import accounts
from ledger.words.problems import Invalid
from tests.ledger import table
from tests.ledger.table import ask


def test_a_hand_that_says_no_time_was_played_when_it_was_written(
    database: Database, club: Access
) -> None:
    """Its entry happened and was entered at the same moment."""
    evening = table.start(database, club)
    table.record(database, club, evening, table.HEARTS_74)
    (version,) = ask(database, club, versions.of_hand, evening, 1)
    assert abs(version.entered_at - version.played_at) < timedelta(seconds=5)


def test_a_correction_does_not_move_the_hour_a_hand_was_played(
    database: Database, club: Access
) -> None:
    """Hand 1 put right at midnight was still played at eight: in the history and in the journal."""
    evening = table.start(database, club)
    table.record(database, club, evening, table.HEARTS_74)
    table.correct(database, club, evening, 1, table.HEARTS_46)
    table.correct(database, club, evening, 1, {**table.HEARTS_74, "points": 84})
    first, *changed = ask(database, club, versions.of_hand, evening, 1)
    assert [version.played_at for version in changed] == [first.played_at] * 2
    assert all(version.entered_at > first.entered_at for version in changed)
    entries, _ = ask(database, club, accounts.entries, evening)
    payouts = [entry.occurred_at for entry in entries if entry.kind == "hand"]
    assert payouts == [first.played_at] * 3


def test_a_correction_may_say_when_the_hand_was_played(database: Database, club: Access) -> None:
    """Then that holds."""
    evening = table.start(database, club)
    table.record(database, club, evening, table.HEARTS_74)
    said = {**table.HEARTS_74, "played_at": "2026-01-31T21:15:00+01:00"}
    table.correct(database, club, evening, 1, said)
    version = ask(database, club, versions.of_hand, evening, 1)[-1]
    assert version.played_at.isoformat() == "2026-01-31T20:15:00+00:00"


@pytest.mark.parametrize("said", ["0001-01-01T00:00:00+14:00", "1899-12-31T23:59:59Z", None])
def test_no_hand_was_played_before_1900_or_is_played_tomorrow(
    database: Database, club: Access, said: str | None
) -> None:
    """Refused at its field with what would be right, when recorded and when corrected."""
    said = said or (now() + timedelta(minutes=6)).isoformat()
    evening = table.start(database, club)
    hand = {**table.HEARTS_46, "played_at": said}
    before = table.row_counts(database)
    with pytest.raises(Invalid, match=r"from 1900-01-01T00:00:00Z to now, 20") as caught:
        table.record(database, club, evening, hand)
    assert [fault.field for fault in caught.value.faults] == ["played_at"]
    assert table.row_counts(database) == before
    table.record(database, club, evening, table.HEARTS_74)
    with pytest.raises(Invalid, match="Say when it happened"):
        table.correct(database, club, evening, 1, hand)


def test_a_clock_a_little_ahead_is_no_reason_to_refuse_a_hand(
    database: Database, club: Access
) -> None:
    """Phones differ by minutes; and a hand of long ago may be written down."""
    evening = table.start(database, club)
    for said in (now() + timedelta(minutes=4), "1924-01-01T20:00:00Z"):
        text = said if isinstance(said, str) else said.isoformat()
        table.record(database, club, evening, {**table.HEARTS_74, "played_at": text})


def test_a_hand_can_be_corrected_whatever_time_it_was_written_down_with(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded while the clock here was wrong: what a correction does not say is not held against it."""
    evening = table.start(database, club)
    said = (now() + timedelta(days=2)).isoformat()
    with monkeypatch.context() as patch:
        patch.setattr(dates, "now", lambda: now() + timedelta(days=3))
        table.record(database, club, evening, {**table.HEARTS_74, "played_at": said})
    table.correct(database, club, evening, 1, table.HEARTS_46)


@pytest.mark.parametrize("day", [date(1, 1, 1), date(1899, 12, 31), date(2999, 1, 1)])
def test_an_evening_is_of_a_day_that_has_been(database: Database, club: Access, day: date) -> None:
    """Said at the day."""
    with pytest.raises(Invalid, match=f"{day} can't be the day of an evening") as caught:
        table.start(database, club, started_on=day)
    assert [fault.field for fault in caught.value.faults] == ["started_on"]
