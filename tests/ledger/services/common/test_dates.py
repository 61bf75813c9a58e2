"""The time of a hand: as its record states, else of its first entry."""

from datetime import date, timedelta
from itertools import pairwise

import pytest

from ledger.runtime.clock import now
from ledger.services.common import dates
from ledger.services.hands import versions
from ledger.services.reads import accounts
from ledger.words.problems import Invalid
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """An evening of seven."""
    return sqlite_club.start(table.SEVEN)


def test_a_hand_that_says_no_time_was_played_when_it_was_first_written(evening: Evening) -> None:
    """Hand 1 put right at midnight was still played at eight: in the history and in the journal."""
    evening.record(table.HEARTS_74)
    evening.correct(1, table.HEARTS_46)
    evening.correct(1, {**table.HEARTS_74, "points": 84})
    hand = evening.read(versions.of_hand, 1)
    first = hand[0]
    assert abs(first.entered_at - first.played_at) < timedelta(seconds=5)
    assert [version.played_at for version in hand] == [first.played_at] * 3
    assert all(version.entered_at < later.entered_at for version, later in pairwise(hand))
    entries, _ = evening.read(accounts.entries)
    payouts = [entry.occurred_at for entry in entries if entry.kind == "hand"]
    assert payouts == [first.played_at] * 3


def test_a_correction_may_say_when_the_hand_was_played(evening: Evening) -> None:
    """Then that holds."""
    evening.record(table.HEARTS_74)
    evening.correct(1, {**table.HEARTS_74, "played_at": "2026-01-31T21:15:00+01:00"})
    version = evening.read(versions.of_hand, 1)[-1]
    assert version.played_at.isoformat() == "2026-01-31T20:15:00+00:00"


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "1899-12-31T23:59:59Z", None])
def test_no_hand_was_played_before_1900_or_is_played_tomorrow(
    evening: Evening, time: str | None
) -> None:
    """Refused at its field with the valid range, when recorded and when corrected."""
    played_at = time or (now() + timedelta(minutes=6)).isoformat()
    hand = {**table.HEARTS_46, "played_at": played_at}
    bounds = r"from 1900-01-01T00:00:00Z to now, 20"
    with evening.club.refuses(Invalid, bounds, at="played_at"):
        evening.record(hand)
    evening.record(table.HEARTS_74)
    with evening.club.refuses(Invalid, "Say when it happened"):
        evening.correct(1, hand)


def test_a_clock_a_little_ahead_is_no_reason_to_refuse_a_hand(evening: Evening) -> None:
    """Phones differ by minutes; and a hand of long ago may be written down."""
    for time in ((now() + timedelta(minutes=4)).isoformat(), "1924-01-01T20:00:00Z"):
        evening.record({**table.HEARTS_74, "played_at": time})


def test_a_hand_can_be_corrected_whatever_time_it_was_written_down_with(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded while the clock here was wrong: a correction is not refused for a time it does not state."""
    played_at = (now() + timedelta(days=2)).isoformat()
    with monkeypatch.context() as patch:
        patch.setattr(dates, "now", lambda: now() + timedelta(days=3))
        evening.record({**table.HEARTS_74, "played_at": played_at})
    evening.correct(1, table.HEARTS_46)


@pytest.mark.parametrize("day", [date(1, 1, 1), date(1899, 12, 31), date(2999, 1, 1)])
def test_an_evening_is_of_a_day_that_has_been(sqlite_club: CardClub, day: date) -> None:
    """Refused at the day."""
    with sqlite_club.refuses(Invalid, f"{day} can't be the day of an evening", at="started_on"):
        sqlite_club.start(started_on=day)
