"""Founding clubs: a network may so often in an hour, wherever and however it asks."""

import threading
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.runtime.clock import now
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.club import clubs, founding_limit
from ledger.services.club.founding_limit import FoundingLimit
from ledger.services.club.passcodes import origin_of
from ledger.words.problems import TooOften
from tests.ledger import table
from tests.ledger.conftest import PASSCODE
from tests.ledger.web.phone import Phone


class Founder:
    """A founder of clubs at an address, with a clock set by the test."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch, most: int = 3) -> None:
        self.database, self.most = database, most
        self.at = now()
        monkeypatch.setattr(founding_limit, "now", self._now)

    def _now(self) -> datetime:
        return self.at

    def found(self, name: str, address: str = "203.0.113.7") -> int:
        """Found a club; return the seconds to wait, 0 once it is founded."""
        limit = FoundingLimit(self.most, origin_of(address).network)
        try:
            with clubs.creating(self.database, name=name, passcode=PASSCODE, limit=limit):
                return 0
        except TooOften as problem:
            return problem.seconds

    def left(self, address: str = "203.0.113.7") -> int:
        """Return how many clubs the address may still found."""
        with self.database.read() as session:
            return FoundingLimit(self.most, origin_of(address).network).allowance(session).left


@pytest.fixture
def founder(database: Database, monkeypatch: pytest.MonkeyPatch) -> Founder:
    """A founder with a limit of three clubs an hour."""
    return Founder(database, monkeypatch)


@pytest.mark.parametrize(
    ("addresses", "elsewhere"),
    [
        (("203.0.113.7", "203.0.113.8", "::ffff:203.0.113.9"), "203.0.114.7"),
        (("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:3::1"), "2001:db8:1:3::1"),
    ],
)
def test_the_addresses_of_a_network_are_counted_together(
    founder: Founder, addresses: tuple[str, ...], elsewhere: str
) -> None:
    """A /64 has more addresses than any limit; the next network has a limit of its own."""
    assert [founder.found(f"From {each}", each) for each in addresses] == [0, 0, 0]
    assert founder.found("One more", addresses[0]) == 3600
    assert founder.found("Elsewhere", elsewhere) == 0
    assert (founder.left(addresses[1]), founder.left(elsewhere)) == (0, 2)


def test_an_hour_after_the_first_club_the_network_may_found_as_many_again(founder: Founder) -> None:
    """Until then it waits for the rest of the hour."""
    for number in range(3):
        assert founder.found(f"Club {number}") == 0
        founder.at += timedelta(minutes=10)
    assert founder.found("One more") == 30 * 60
    founder.at += timedelta(minutes=30)
    assert founder.left() == 3
    assert founder.found("One more") == 0
    assert founder.left() == 2


@pytest.mark.parametrize("off", [timedelta(days=2), timedelta(minutes=10), timedelta(seconds=5)])
def test_a_clock_that_was_ahead_makes_nobody_wait_longer_than_an_hour(
    founder: Founder, off: timedelta
) -> None:
    """Nor does one that goes ahead and back again."""
    founder.at += off
    for number in range(3):
        founder.found(f"Club {number}")
    founder.at -= off
    assert founder.found("By the right clock") <= 3600
    founder.at += timedelta(hours=1)
    assert founder.found("An hour later") == 0


def test_clubs_founded_at_the_same_moment_are_counted_one_by_one(any_database: Database) -> None:
    """Eight at once, of which five may."""
    ready, results = threading.Barrier(8), []
    limit = FoundingLimit(5, "203.0.113.0/24")

    def attempt(number: int) -> None:
        ready.wait()
        try:
            with clubs.creating(
                any_database, name=f"Club {number}", passcode=PASSCODE, limit=limit
            ):
                pass
            results.append("founded")
        except TooOften:
            results.append("too often")

    threads = [threading.Thread(target=attempt, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (results.count("founded"), results.count("too often")) == (5, 3)
    assert table.row_counts(any_database)["club"] == 5


def test_the_page_and_the_api_of_every_process_have_one_count(
    settings: Settings, database: Database
) -> None:
    """Two processes over the same books, asked in turn by addresses of one network."""
    first, second = (create_app(replace(settings, clubs_per_hour=3), database) for _ in range(2))

    def by_page(app: Flask, name: str, address: str) -> int:
        phone = Phone(app)
        phone.client.environ_base["REMOTE_ADDR"] = address
        form = phone.open("/start").form("/start")
        return phone.send(form, name=name, passcode=PASSCODE).status

    def by_program(app: Flask, name: str, address: str) -> tuple[int, str]:
        body, asker = {"name": name, "passcode": PASSCODE}, {"REMOTE_ADDR": address}
        answer = app.test_client().post("/api/v1/clubs", json=body, environ_base=asker)
        return answer.status_code, answer.headers["X-RateLimit-Remaining"]

    assert by_page(first, "One", "2001:db8:1:2::1") == 303
    assert by_program(second, "Two", "2001:db8:1:2::2") == (201, "1")
    assert by_page(second, "Three", "2001:db8:1:2::3") == 303
    assert by_page(first, "Four", "2001:db8:1:2::4") == 429
    assert by_program(first, "Four", "2001:db8:1:2::5") == (429, "0")
    assert by_program(first, "Four", "2001:db8:1:3::1") == (201, "2")
