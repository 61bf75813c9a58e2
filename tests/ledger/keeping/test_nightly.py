"""A backup each day while the service runs: its time, and the handling of failures."""

import logging
import time
from datetime import datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path

import pytest

from ledger.keeping import backup, nightly
from ledger.keeping.backup import Backups
from ledger.keeping.nightly import LOOKS_EVERY, TRIES_AGAIN_AFTER, last_due, look
from ledger.runtime.clock import now_at_the_table
from tests.conftest import StartServer

HALF_PAST_THREE = time_of_day(3, 30)


def test_it_was_last_due_today_or_yesterday() -> None:
    """By the clock on the wall, to the minute."""
    evening = datetime(2026, 1, 31, 20, 0).astimezone()
    today = datetime(2026, 1, 31, 3, 30).astimezone()
    assert last_due(HALF_PAST_THREE, evening) == today
    assert last_due(HALF_PAST_THREE, today) == today
    assert last_due(HALF_PAST_THREE, today - timedelta(minutes=1)) == today - timedelta(days=1)


def test_one_is_made_when_due_and_none_after(backups: Backups) -> None:
    """Also at once, where none was made since; then not before the next day."""
    at = now_at_the_table()
    daily = (at - timedelta(minutes=5)).time()
    assert look(backups, daily, at) == LOOKS_EVERY
    assert look(backups, daily, at + timedelta(minutes=1)) == LOOKS_EVERY
    assert len(backups.list_all()) == 1


def test_one_that_a_wrong_clock_dated_later_does_instead_of_none(
    backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that stood a year ahead would otherwise end the backups for a year."""
    at = now_at_the_table()
    with monkeypatch.context() as ahead:
        ahead.setattr(backup, "now", lambda: at + timedelta(days=365))
        backups.make()
    assert look(backups, (at - timedelta(minutes=5)).time(), at) == LOOKS_EVERY
    assert len(backups.list_all()) == 2


def test_a_failure_is_one_line_and_tried_again(
    backups: Backups, caplog: pytest.LogCaptureFixture
) -> None:
    """A file is where the folder should be; once it is gone the next look makes the backup."""
    backups.folder.touch()
    at = now_at_the_table()
    with caplog.at_level(logging.ERROR):
        assert look(backups, at.time(), at) == TRIES_AGAIN_AFTER
    (line,) = caplog.records
    assert "the nightly backup failed: No backup was made in" in line.getMessage()
    assert line.exc_info is None
    backups.folder.unlink()
    assert look(backups, at.time(), at) == LOOKS_EVERY
    assert len(backups.list_all()) == 1


def test_a_mistake_of_ours_does_not_end_it_either(
    backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any other exception is logged as well, and the backup tried again later."""
    monkeypatch.setattr(nightly, "last_due", lambda *_: 1 / 0)
    assert look(backups, HALF_PAST_THREE, now_at_the_table()) == TRIES_AGAIN_AFTER


def test_serve_makes_one_only_if_told_so(server: StartServer, tmp_path: Path) -> None:
    """Two processes over the same ledger make one between them; one without the setting makes none."""
    url = f"sqlite:///{tmp_path / 'ledger.sqlite'}"
    plain = server(database_url=url)
    told = {"LEDGER_BACKUP_AT": "03:30", "LEDGER_BACKUP_DIR": str(tmp_path / "safe")}
    for _ in range(2):
        server(database_url=url, environment=told)
    deadline = time.monotonic() + 30
    while not list((tmp_path / "safe").glob("*.sqlite")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.5)  # the other one has looked by then
    assert len(list((tmp_path / "safe").glob("*.sqlite"))) == 1
    assert not (tmp_path / "backups").exists()
    assert "backup" not in plain.log
