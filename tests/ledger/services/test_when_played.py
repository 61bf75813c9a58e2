"""When a hand was played: as its record says, else when it was first written down."""

from datetime import timedelta

from ledger.access import Access
from ledger.db import Database
from ledger.services import accounts, versions
from tests.ledger import table


def test_a_hand_that_says_no_time_was_played_when_it_was_written(
    database: Database, club: Access
) -> None:
    """Its entry happened and was entered at the same moment."""
    evening = table.start(database, club)
    table.record(database, club, evening, table.HEARTS_74)
    (version,) = versions.of_hand(database, club, evening, 1).versions
    assert abs(version.entered_at - version.played_at) < timedelta(seconds=5)


def test_a_correction_does_not_move_the_hour_a_hand_was_played(
    database: Database, club: Access
) -> None:
    """Hand 1 put right at midnight was still played at eight: in the history and in the journal."""
    evening = table.start(database, club)
    table.record(database, club, evening, table.HEARTS_74)
    table.correct(database, club, evening, 1, table.HEARTS_46)
    table.correct(database, club, evening, 1, {**table.HEARTS_74, "points": 84})
    first, *changed = versions.of_hand(database, club, evening, 1).versions
    assert [version.played_at for version in changed] == [first.played_at] * 2
    assert all(version.entered_at > first.entered_at for version in changed)
    entries, _ = accounts.entries(database, club, evening)
    payouts = [entry.occurred_at for entry in entries if entry.kind == "hand"]
    assert payouts == [first.played_at] * 3


def test_a_correction_may_say_when_the_hand_was_played(database: Database, club: Access) -> None:
    """Then that holds."""
    evening = table.start(database, club)
    table.record(database, club, evening, table.HEARTS_74)
    said = {**table.HEARTS_74, "played_at": "2026-01-31T21:15:00+01:00"}
    table.correct(database, club, evening, 1, said)
    version = versions.of_hand(database, club, evening, 1).versions[-1]
    assert version.played_at.isoformat() == "2026-01-31T20:15:00+00:00"
