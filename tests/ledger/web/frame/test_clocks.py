"""A clock that goes back, or differs between two processes, lets nobody out."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import TimestampSigner
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Role
from ledger.database.models import Device
from ledger.runtime import clock
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from tests.ledger.conftest import PASSCODE
from tests.ledger.web.phone import Page, Phone

COOKIE = "solo-ledger"


@contextmanager
def clock_off_by(**time: float) -> Iterator[None]:
    """Run with the machine's clock off by so much: the ledger's own, and the one that signs."""
    off = timedelta(**time)

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return datetime.now(tz) + off

    def stamped(_signer: TimestampSigner) -> int:
        return int((datetime.now(UTC) + off).timestamp())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "datetime", Clock)
        patch.setattr(TimestampSigner, "get_timestamp", stamped)
        yield


def devices(database: Database) -> list[tuple[str, str]]:
    """Return the role and the key's digest of each device."""
    with database.read() as session:
        return [(row.role, row.digest) for row in session.exec(select(Device).order_by(Device.id))]  # type: ignore[arg-type]


def started(phone: Phone) -> Page:
    """Found a club."""
    form = phone.open("/start").form("/start")
    return phone.send(form, name="Friday", passcode=PASSCODE, author="Ann")


@pytest.mark.parametrize("back", [{"seconds": 5}, {"hours": 1}, {"days": 500}])
def test_a_founder_stays_the_owner_when_the_clock_goes_back(
    stranger: Phone, database: Database, back: dict[str, float]
) -> None:
    """Also when the passcode is entered again: the device keeps its role and its key."""
    assert started(stranger).status == 303
    before = devices(database)
    with clock_off_by(**{unit: -number for unit, number in back.items()}):
        assert stranger.open("/clubs/1/devices").status == 200
        assert stranger.enter("Friday", PASSCODE, "Ann").status == 303
        assert stranger.open("/clubs/1/devices").status == 200
    assert devices(database) == before == [(Role.OWNER.value, before[0][1])]


def test_a_device_is_known_after_years(stranger: Phone) -> None:
    """Its row decides, not its cookie's age."""
    with clock_off_by(days=-800):
        assert started(stranger).status == 303
    assert stranger.open("/clubs/1/devices").status == 200


def test_a_form_that_was_opened_before_the_clock_went_back_is_taken(stranger: Phone) -> None:
    """Its CSRF token holds a time, which is not looked at."""
    assert started(stranger).status == 303
    form = stranger.open("/clubs/1/keys").form("/tokens")
    with clock_off_by(hours=-1):
        assert stranger.send(form, label="tablet", confirm=PASSCODE).status == 303


def test_two_processes_whose_clocks_differ_know_each_others_devices(
    app: Flask, database: Database, settings: Settings
) -> None:
    """The one that was five seconds behind rejected devices let in by the other."""
    other, phone = Phone(create_app(settings, database)), Phone(app)
    with clock_off_by(seconds=5):
        assert started(phone).status == 303
        form = phone.open("/clubs/1/keys").form("/tokens")
    stored = phone.client.get_cookie(COOKIE)
    assert stored is not None
    other.client.set_cookie(COOKIE, stored.value)
    assert other.open("/clubs/1").status == 200
    created = other.send(form, label="tablet", confirm=PASSCODE)
    assert created.status == 303


def test_a_new_token_is_shown_by_a_process_whose_clock_is_behind(
    stranger: Phone,
) -> None:
    """The device carries it for a minute by its own clock."""
    assert started(stranger).status == 303
    with clock_off_by(hours=1):
        form = stranger.open("/clubs/1/keys").form("/tokens")
        assert stranger.send(form, label="tablet", confirm=PASSCODE).status == 303
    assert "The new token" in stranger.open("/clubs/1/keys").text


def test_a_cookie_of_an_earlier_version_is_taken(app: Flask, stranger: Phone) -> None:
    """Flask's own, as it was written until now; one that was signed by another key is not."""
    assert started(stranger).status == 303
    interface = SecureCookieSessionInterface()
    signing = interface.get_signing_serializer(app)
    stored = stranger.client.get_cookie(COOKIE)
    assert signing is not None
    assert stored is not None
    with clock_off_by(days=-30):
        earlier = str(signing.dumps(signing.loads(stored.value)))
    phone = Phone(app)
    phone.client.set_cookie(COOKIE, earlier)
    assert phone.open("/clubs/1/devices").status == 200
    phone.client.set_cookie(COOKIE, earlier[:-2] + ("AA" if earlier[-2:] != "AA" else "BB"))
    assert phone.open("/clubs/1/devices").status == 401
