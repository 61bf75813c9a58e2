"""Guessing a passcode: wrong ones make a network wait, and never a club."""

import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import RefusedTry
from ledger.runtime.clock import now
from ledger.services.club import clubs, devices, passcodes
from ledger.services.club.passcodes import ClientDevice, Origin, origin_of
from ledger.words.problems import TooManyTries, WrongPasscode
from tests.ledger import table
from tests.ledger.conftest import PASSCODE

HERE = origin_of("203.0.113.7")


class Guesser:
    """A person trying passcodes, at a clock that the test sets."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database = database
        self.at = now()
        monkeypatch.setattr(passcodes, "now", self._now)

    def _now(self) -> datetime:
        return self.at

    def later(self, **time: float) -> None:
        """Let time pass."""
        self.at += timedelta(**time)

    def try_one(
        self, passcode: str = "wrong", origin: Origin = HERE, name: str = "Kitchen Table"
    ) -> str | int:
        """Return the outcome of a try: `in`, `no`, or the seconds to wait."""
        try:
            clubs.enter(self.database, name=name, passcode=passcode, device=ClientDevice(origin))
        except WrongPasscode:
            return "no"
        except TooManyTries as problem:
            return problem.seconds
        return "in"


@pytest.fixture
def guesser(database: Database, club: Access, monkeypatch: pytest.MonkeyPatch) -> Guesser:
    """A stranger with the club's name."""
    assert club
    return Guesser(database, monkeypatch)


def test_each_wrong_passcode_after_the_fifth_doubles_the_wait(guesser: Guesser) -> None:
    """Up to 15 minutes; a try during the wait is not checked, right or wrong."""
    assert [guesser.try_one() for _ in range(5)] == ["no"] * 5
    waits = []
    for _ in range(9):
        wait = guesser.try_one()
        assert isinstance(wait, int)
        assert guesser.try_one(PASSCODE) == wait
        waits.append(wait)
        guesser.later(seconds=wait)
        assert guesser.try_one() == "no"
    assert waits == [15, 30, 60, 120, 240, 480, 900, 900, 900]


def test_a_right_passcode_ends_the_wait_of_those_after_it(guesser: Guesser) -> None:
    """So does a day without a wrong one."""
    for _ in range(4):
        guesser.try_one()
    assert guesser.try_one(PASSCODE) == "in"
    assert [guesser.try_one() for _ in range(6)] == ["no"] * 5 + [15]
    guesser.later(days=1)
    assert [guesser.try_one() for _ in range(6)] == ["no"] * 5 + [15]


def test_one_network_waits_and_others_do_not(guesser: Guesser) -> None:
    """An address of the same /24 or /64 is the same network; another club's is counted by itself."""
    clubs.create(guesser.database, name="Other Table", passcode=PASSCODE)
    for _ in range(5):
        guesser.try_one()
    assert guesser.try_one(PASSCODE, origin_of("203.0.113.200")) == 15
    assert guesser.try_one(PASSCODE, origin_of("203.0.114.7")) == "in"
    assert guesser.try_one(PASSCODE, HERE, "Other Table") == "in"


def test_it_is_counted_in_the_ledger(guesser: Guesser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process, or the same one after a start, goes on where this one was."""
    for _ in range(5):
        guesser.try_one()
    other = Database(str(guesser.database.url))
    assert Guesser(other, monkeypatch).try_one(PASSCODE) == 15
    other.close()


def test_sixty_networks_together_get_few_tries_in_a_day(guesser: Guesser) -> None:
    """Thirty, one each five minutes, and one for each that is new: 60 addresses found four digits in 32 s."""
    networks = [origin_of(f"198.51.{number}.1") for number in range(60)]
    looked_at = 0
    for _ in range(24):
        for each in networks:
            looked_at += guesser.try_one(origin=each) == "no"
        guesser.later(hours=1)
    assert looked_at <= passcodes.TOGETHER + 60 + 24 * 12
    assert looked_at >= passcodes.TOGETHER


def test_strangers_lock_nobody_out(guesser: Guesser) -> None:
    """While a hundred networks guess, a person from another one is checked, and let in."""
    for number in range(100):
        guesser.try_one(origin=origin_of(f"198.51.{number}.1"))
    assert guesser.try_one(origin=origin_of("198.51.7.1")) == 300
    assert guesser.try_one(PASSCODE) == "in"


def test_a_network_of_many_addresses_has_one_first_try(guesser: Guesser) -> None:
    """IPv6 is handed out by the /32: each /64 of one is counted, and none is new after the first."""
    for number in range(100):
        guesser.try_one(origin=origin_of(f"198.51.{number}.1"))
    tries = [guesser.try_one(origin=origin_of(f"2001:db8:{number}::1")) for number in range(9)]
    assert (tries[0], {*tries[1:]}) == ("no", {300})


def test_who_is_known_to_the_club_is_not_slowed_by_strangers(
    guesser: Guesser, club: Access
) -> None:
    """A device that was let in is counted by itself, and its network's others don't wait for strangers."""
    device = ClientDevice(HERE)
    key = devices.admit(guesser.database, Access(club.club_id, Role.SCORER, "Tom"), device)
    for _ in range(5):
        guesser.try_one()
    for number in range(100):
        guesser.try_one(origin=origin_of(f"198.51.{number}.1"))
    assert isinstance(guesser.try_one(PASSCODE), int)
    said: Any = {"name": "Kitchen Table", "passcode": PASSCODE}
    clubs.enter(guesser.database, **said, device=ClientDevice(HERE, "iPhone", {club.club_id: key}))
    guesser.later(seconds=15)
    assert guesser.try_one(PASSCODE) == "in"


def test_a_month_later_all_is_forgotten(guesser: Guesser) -> None:
    """The counts don't grow for ever."""
    for number in range(40):
        guesser.try_one(origin=origin_of(f"198.51.{number}.1"))
    guesser.later(days=31)
    guesser.try_one()
    assert table.row_counts(guesser.database)["refused_try"] == 3


def test_a_name_of_no_club_waits_as_a_clubs_does(guesser: Guesser) -> None:
    """After any tries of strangers, so that nobody learns the names of clubs."""
    clubs.create(guesser.database, name="Untouched Table", passcode=PASSCODE)
    for each in range(40):
        for name in ("Kitchen Table", "No such club", f"Nor club {each}"):
            guesser.try_one(origin=origin_of(f"198.51.{each}.1"), name=name)
    for origin in (HERE, origin_of("198.51.7.1"), origin_of("2001:db8::1")):
        for club, none in (("Kitchen Table", "No such club"), ("Untouched Table", "Nor this")):
            tries = [
                [guesser.try_one(origin=origin, name=name) for _ in range(6)]
                for name in (club, none)
            ]
            assert tries[0] == tries[1]
            assert tries[0][0] == (
                300 if origin.network == "198.51.7.0/24" and club == "Kitchen Table" else "no"
            )


def test_names_of_no_club_do_not_fill_the_ledger(
    guesser: Guesser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest of their counts are forgotten, a club's never."""
    monkeypatch.setattr(passcodes, "MOST_OF_NO_CLUB", 20)
    for _ in range(5):
        guesser.try_one()
    for number in range(60):
        guesser.try_one(origin=origin_of(f"198.51.{number}.1"), name=f"Club {number}")
    with guesser.database.read() as session:
        whose = session.exec(select(RefusedTry.whose)).all()
    assert 0 < sum(each.startswith("?") for each in whose) <= 20
    assert guesser.try_one(PASSCODE) == 15


def test_a_network_that_tries_many_clubs_waits_at_all_of_them(guesser: Guesser) -> None:
    """Thirty wrong ones a day are free; other networks, and devices that are in, do not wait."""
    key = devices.admit(
        guesser.database, Access(1, Role.SCORER, "Tom"), ClientDevice(origin_of("192.0.2.1"))
    )
    for number in range(31):
        assert guesser.try_one(name=f"Club {number}") == "no"
    assert guesser.try_one(PASSCODE) == 15
    assert guesser.try_one(PASSCODE, origin_of("203.0.114.7")) == "in"
    device = ClientDevice(HERE, "iPhone", {1: key})
    clubs.enter(guesser.database, name="Kitchen Table", passcode=PASSCODE, device=device)


@pytest.mark.parametrize("known", [False, True])
def test_tries_by_a_clock_that_was_ahead_wait_no_longer_for_it(
    guesser: Guesser, known: bool
) -> None:
    """Two days ahead, it was 172,790 s; now the wait begins again once the clock is right."""
    if known:
        devices.admit(guesser.database, Access(1, Role.SCORER, "Tom"), ClientDevice(HERE))
    guesser.later(days=2)
    for _ in range(20):
        guesser.try_one()
        guesser.later(minutes=15)
    guesser.try_one()
    guesser.later(days=-2, hours=-5)
    wait = guesser.try_one(PASSCODE)
    assert wait == passcodes.LONGEST_WAIT.total_seconds()
    guesser.later(seconds=wait - 1)
    assert guesser.try_one(PASSCODE) == 1
    guesser.later(seconds=1)
    assert guesser.try_one(PASSCODE) == "in"


def test_all_networks_together_wait_no_longer_for_a_clock_that_was_ahead(guesser: Guesser) -> None:
    """At most as long as between two tries: five minutes."""
    guesser.later(days=2)
    for number in range(60):
        guesser.try_one(origin=origin_of(f"198.51.{number}.1"))
    guesser.later(days=-2)
    wait = guesser.try_one(PASSCODE, origin_of("198.51.7.1"))
    assert wait == passcodes.TOGETHER_EACH.total_seconds()
    guesser.later(seconds=wait)
    assert guesser.try_one(PASSCODE, origin_of("198.51.7.1")) == "in"


@pytest.mark.parametrize(
    ("name", "looked_at"), [("Kitchen Table", 5), ("No such club", 5), ("No club {number}", 8)]
)
def test_tries_at_the_same_time_tell_no_more_than_one_after_another(
    any_database: Database, name: str, looked_at: int
) -> None:
    """Each is counted, and looked at again once it is its turn: eight at once learn of five."""
    clubs.create(any_database, name="Kitchen Table", passcode=PASSCODE)
    ready, answers = threading.Barrier(8), []

    def attempt(number: int) -> None:
        ready.wait()
        said = name.format(number=number)
        try:
            clubs.enter(any_database, name=said, passcode="wrong", device=ClientDevice(HERE))
        except (WrongPasscode, TooManyTries) as problem:
            answers.append(type(problem))

    threads = [threading.Thread(target=attempt, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert answers.count(WrongPasscode) == looked_at
    assert answers.count(TooManyTries) == 8 - looked_at
