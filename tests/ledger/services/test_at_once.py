"""Several phones in the same instant, on both databases: one wins, the others are told so."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.club import clubs, devices, events, players
from ledger.services.club.passcodes import NOBODY
from ledger.services.common.writing import Write
from ledger.services.hands import record
from ledger.services.money import convert
from ledger.services.session.load import load
from ledger.words.problems import Problem
from tests.ledger import cash, table
from tests.ledger.table import ask

PHONES = 6


@pytest.fixture
def sue(any_database: Database) -> Access:
    """A scorer of a club."""
    access, _ = clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")
    return access


def at_once(act: Callable[[int], object]) -> Counter[object]:
    """Let every phone do the same at one moment; count what they were answered."""
    start = Barrier(PHONES)

    def one(phone: int) -> object:
        start.wait(30)
        try:
            return act(phone)
        except Problem as problem:
            return problem.code

    with ThreadPoolExecutor(PHONES) as pool:
        return Counter(pool.map(one, range(PHONES)))


def test_one_key_sent_several_times_at_once_writes_one_hand(
    any_database: Database, sue: Access
) -> None:
    """A phone that lost patience and the network that did not: all get the same answer."""
    evening = table.start(any_database, sue)

    def send(_phone: int) -> object:
        answer = record.record(
            Write(any_database, sue, "the-key-of-one-tap"), evening, table.HEARTS_74
        )
        return answer["hand"], answer["revision"]

    assert at_once(send) == {(1, 2): PHONES}
    assert ask(any_database, sue, load, evening).hands_dealt == 1
    assert table.balances(any_database, sue, evening) == table.PAYS_HEARTS_74


def test_of_scorers_who_saw_the_same_state_one_writes(any_database: Database, sue: Access) -> None:
    """Each with a key of their own: the first is saved, the others are told that somebody was quicker."""
    evening = table.start(any_database, sue)

    def send(phone: int) -> object:
        write = Write(any_database, sue, f"the-key-of-phone-{phone}", seen=1)
        return record.record(write, evening, table.HEARTS_74)["hand"]

    assert at_once(send) == {1: 1, "stale": PHONES - 1}


def test_a_hand_is_voided_once_however_many_try(any_database: Database, sue: Access) -> None:
    """Its entry is reversed at most once."""
    evening = table.start(any_database, sue)
    table.record(any_database, sue, evening, table.HEARTS_74)

    def send(_phone: int) -> object:
        return table.void(any_database, sue, evening, 1)["state"]

    assert at_once(send) == {"void": 1, "already-void": PHONES - 1}
    assert set(table.balances(any_database, sue, evening).values()) == {0}


def test_a_name_is_given_once_to_a_club_and_once_to_a_player(
    any_database: Database, sue: Access
) -> None:
    """The very first write of a name has nothing to wait for but the others who write it."""

    def found(_phone: int) -> object:
        return clubs.found(any_database, name="Friday", passcode="four aces")[1].name

    def enter(phone: int) -> object:
        return players.add(Write(any_database, sue, f"enter-zoe-{phone}"), name="Zoë")["name"]

    assert at_once(found) == {"Friday": 1, "name-taken": PHONES - 1}
    assert at_once(enter) == {"Zoë": 1, "name-taken": PHONES - 1}


def test_owners_who_let_each_other_out_at_once_leave_one(
    any_database: Database, sue: Access
) -> None:
    """Each revokes the next one's device; whoever is last is told that nobody would own the club."""
    for _ in range(PHONES):
        devices.admit(any_database, sue, NOBODY)

    def let_out(phone: int) -> object:
        return devices.revoke(any_database, sue, phone + 1).role

    assert at_once(let_out) == {Role.OWNER: PHONES - 1, "last-owner": 1}
    assert len(ask(any_database, sue, devices.list_all, sue)) == 1


def test_owners_who_change_one_device_at_once_do_so_one_after_another(
    any_database: Database, sue: Access
) -> None:
    """The later one counts, and the log tells of each change from what was before."""
    devices.admit(any_database, Access(sue.club_id, Role.SCORER, "Tom"), NOBODY)

    def change(phone: int) -> object:
        role = (Role.OWNER, Role.VIEWER)[phone % 2]
        return devices.change_role(any_database, sue, 1, role=role).role == role

    devices.admit(any_database, sue, NOBODY)
    assert at_once(change) == {True: PHONES}
    told = [each.what for each in ask(any_database, sue, events.list_all, sue)]
    steps = [
        said.removeprefix("Tom's device: ").split(", now ") for said in told if ", now " in said
    ]
    assert steps[-1][0] == "scorer"
    assert [step[1] for step in steps[1:]] == [step[0] for step in steps[:-1]]
    assert steps[0][1] == ask(any_database, sue, devices.one, sue, 1).role


@pytest.mark.parametrize("key", ["one tap's", None])
def test_chips_cashed_in_several_times_at_once_are_cashed_in_once(
    any_database: Database, sue: Access, key: str | None
) -> None:
    """Taps on one page send one key and get one answer; of several phones one does, the others are told."""
    evening = table.start(any_database, sue, rate=cash.TEN_FOR_ONE)
    table.record(any_database, sue, evening, cash.ANN_WINS)

    def cash_in(_phone: int) -> object:
        write = Write(any_database, sue, key or table.new_key(), 2)
        return convert.convert(write, evening)["revision"]

    others: dict[object, int] = {} if key else {"stale": PHONES - 1}
    assert at_once(cash_in) == {3: PHONES - sum(others.values()), **others}
    assert cash.owed(any_database, sue) == {"Ann": 30} | dict.fromkeys(table.SEVEN[1:], -5)
