"""The last use of a device or token: noted once an hour, without delaying the request."""

import threading
from datetime import timedelta

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.runtime.clock import now
from ledger.services.club import devices, last_use, tokens
from tests.ledger import table
from tests.ledger.api.caller import Caller
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import ask
from tests.ledger.web.phone import Phone


def written() -> None:
    """Wait until the noted use has been written."""
    for thread in threading.enumerate():
        if thread.name == last_use.THREAD:
            thread.join()


@pytest.fixture
def phone(app: Flask, club: Access) -> Phone:
    """A scorer's phone."""
    assert club
    made = Phone(app)
    made.enter("Kitchen Table", PASSCODE, "Mia")
    return made


def test_a_device_is_noted_as_used_once_an_hour(
    phone: Phone, database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the hour nothing is written, however often it asks."""
    address = f"/clubs/{club.club_id}"
    (first,) = ask(database, club, devices.list_all, club)
    phone.open(address)
    written()
    assert ask(database, club, devices.list_all, club) == [first]
    later = now() + timedelta(minutes=61)
    monkeypatch.setattr(last_use, "now", lambda: later)
    phone.open(address)
    written()
    (used,) = ask(database, club, devices.list_all, club)
    assert used.last_used_at == later
    monkeypatch.setattr(last_use, "now", lambda: later + timedelta(minutes=59))
    phone.open(address)
    written()
    assert ask(database, club, devices.list_all, club) == [used]


def test_a_use_is_noted_again_once_a_clock_that_was_ahead_is_right(
    phone: Phone, database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only after as long as it was ahead: a network's owner depends on it, too."""
    address = f"/clubs/{club.club_id}"
    right = now() + timedelta(hours=2)
    for at in (right + timedelta(days=2), right):
        monkeypatch.setattr(last_use, "now", lambda at=at: at)
        phone.open(address)
        written()
        (used,) = ask(database, club, devices.list_all, club)
        assert used.last_used_at == at


def test_a_token_tells_whether_it_was_ever_used(
    app: Flask, database: Database, club: Access
) -> None:
    """The first use is noted at once."""
    secret, created = tokens.issue(database, club, label="tablet", role=Role.VIEWER)
    assert created.last_used_at is None
    Caller(app, secret).get("/club")
    written()
    (used,) = ask(database, club, tokens.list_all, club)
    assert used.last_used_at is not None


def test_who_reads_waits_for_no_writer_to_be_noted(
    phone: Phone, database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is there while somebody else is writing; the note follows."""
    later = now() + timedelta(hours=2)
    monkeypatch.setattr(last_use, "now", lambda: later)
    with database.write(club):
        assert phone.open(f"/clubs/{club.club_id}").status == 200
        (before,) = ask(database, club, devices.list_all, club)
        assert before.last_used_at < later
    written()
    (used,) = ask(database, club, devices.list_all, club)
    assert used.last_used_at == later


def test_what_cannot_be_noted_fails_nobody(
    phone: Phone, database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device that is deleted in the meantime, for one."""
    later = now() + timedelta(hours=2)
    monkeypatch.setattr(last_use, "now", lambda: later)
    deleted = Access(club.club_id, Role.SCORER, "Mia", "device 99", later - timedelta(hours=3))
    before = table.row_counts(database)
    last_use.note(database, deleted, "here")
    written()
    assert phone.open(f"/clubs/{club.club_id}").status == 200
    written()
    assert table.row_counts(database) == before
