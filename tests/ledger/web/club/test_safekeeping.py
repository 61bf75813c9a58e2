"""The page that shows when the last backup was made."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from flask import Flask

from ledger.database.access import Access
from ledger.keeping import backup
from ledger.keeping.backup import Backups
from ledger.runtime.config import Settings
from ledger.words.numbers import moment
from tests.ledger.web.phone import Phone


def test_it_says_when_the_last_one_was_made(
    scorer: Phone, club: Access, daily: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And lists the others, with the time of the next one; the keys lead there."""
    dates = [datetime(2026, 1, day, 2, 30, tzinfo=UTC) for day in (30, 31)]
    for date in dates:
        monkeypatch.setattr(backup, "now", lambda date=date: date)
        Backups.of(daily).make()
    keys = scorer.open(f"/clubs/{club.club_id}/keys")
    assert f"/clubs/{club.club_id}/safekeeping" in keys.reader.links
    page = scorer.open(f"/clubs/{club.club_id}/safekeeping")
    assert f"The last backup was made on {moment(dates[1])}." in page.text
    assert moment(dates[0]) in page.text
    assert "One is made each day at 03:30" in page.text
    assert page.reader.links[-1] == f"/clubs/{club.club_id}/keys"


@pytest.mark.usefixtures("daily")
def test_without_any_it_says_so(scorer: Phone, club: Access) -> None:
    """In the place of the date."""
    page = scorer.open(f"/clubs/{club.club_id}/safekeeping")
    assert "No backup has been made yet" in page.text


def test_it_says_that_one_is_missing_until_one_is_made(
    scorer: Phone, club: Access, daily: Settings
) -> None:
    """The page states the time it was due, and the place of the reason."""
    address = f"/clubs/{club.club_id}/safekeeping"
    assert "has not been made. The log of the service says why." in scorer.open(address).text
    Backups.of(daily).make()
    assert "has not been made" not in scorer.open(address).text


def test_where_none_is_made_by_itself_it_says_what_to_set(
    scorer: Phone, app: Flask, club: Access, daily: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The setting and the command."""
    monkeypatch.setitem(app.extensions, "ledger.settings", replace(daily, backup_at=None))
    page = scorer.open(f"/clubs/{club.club_id}/safekeeping")
    assert "LEDGER_BACKUP_AT=03:30" in page.text
    assert "solo-ledger backup" in page.text
