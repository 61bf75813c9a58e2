"""Several phones in the same instant, on both databases: one wins, the others are refused with the reason."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from ledger.database.access import Access, Role
from ledger.services.club import clubs, devices, events, players
from ledger.services.club.passcodes import NOBODY
from ledger.services.hands import record
from ledger.services.money import convert
from ledger.words.problems import Problem
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub

PHONES = 6


def at_once(act: Callable[[int], object]) -> Counter[object]:
    """Let every phone do the same at one moment; count their answers."""
    start = Barrier(PHONES)

    def one(phone: int) -> object:
        start.wait(30)
        try:
            return act(phone)
        except Problem as problem:
            return problem.code

    with ThreadPoolExecutor(PHONES) as pool:
        return Counter(pool.map(one, range(PHONES)))


def test_one_key_sent_several_times_at_once_writes_one_hand(any_club: CardClub) -> None:
    """A phone that lost patience and the network that did not: all get the same answer."""
    evening = any_club.start(table.SEVEN)
    write = any_club.write()

    def send(_phone: int) -> object:
        answer = record.record(write, evening.id, table.HEARTS_74)
        return answer["hand"], answer["revision"]

    assert at_once(send) == {(1, 2): PHONES}
    assert evening.view.hands_dealt == 1
    assert evening.balances == table.PAYS_HEARTS_74


def test_of_scorers_who_saw_the_same_state_one_writes(any_club: CardClub) -> None:
    """Each with a key of their own: the first is saved, the others learn that somebody was quicker."""
    evening = any_club.start(table.SEVEN)

    def send(_phone: int) -> object:
        return record.record(any_club.write(1), evening.id, table.HEARTS_74)["hand"]

    assert at_once(send) == {1: 1, "stale": PHONES - 1}


def test_a_hand_is_voided_once_however_many_try(any_club: CardClub) -> None:
    """Its entry is reversed at most once."""
    evening = any_club.start(table.SEVEN)
    evening.record(table.HEARTS_74)
    voided = at_once(lambda _phone: evening.void(1)["state"])
    assert voided == {"void": 1, "already-void": PHONES - 1}
    assert set(evening.balances.values()) == {0}


def test_a_name_is_given_once_to_a_club_and_once_to_a_player(any_club: CardClub) -> None:
    """The very first write of a name waits for nothing but the other writers of it."""

    def found(_phone: int) -> object:
        return clubs.create(any_club.db, name="Friday", passcode="four aces")[1].name

    def enter(_phone: int) -> object:
        return any_club.do(players.add, name="Zoë")["name"]

    assert at_once(found) == {"Friday": 1, "name-taken": PHONES - 1}
    assert at_once(enter) == {"Zoë": 1, "name-taken": PHONES - 1}


def test_owners_who_let_each_other_out_at_once_leave_one(any_club: CardClub) -> None:
    """Each revokes the next one's device; the last one is refused, as nobody would own the club."""
    db, sue = any_club.db, any_club.access
    for _ in range(PHONES):
        devices.admit(db, sue, NOBODY)
    revoked = at_once(lambda phone: devices.revoke(db, sue, phone + 1).role)
    assert revoked == {Role.OWNER: PHONES - 1, "last-owner": 1}
    assert len(any_club.read(devices.list_all, sue)) == 1


def test_owners_who_change_one_device_at_once_do_so_one_after_another(any_club: CardClub) -> None:
    """The later one counts, and the log has each change with the state before."""
    db, sue = any_club.db, any_club.access
    devices.admit(db, Access(sue.club_id, Role.SCORER, "Tom"), NOBODY)
    devices.admit(db, sue, NOBODY)

    def change(phone: int) -> object:
        role = (Role.OWNER, Role.VIEWER)[phone % 2]
        return devices.change_role(db, sue, 1, role=role).role == role

    assert at_once(change) == {True: PHONES}
    lines = [event.what for event in any_club.read(events.list_all, sue)]
    steps = [
        line.removeprefix("Tom's device: ").split(", now ") for line in lines if ", now " in line
    ]
    assert steps[-1][0] == "scorer"
    assert [step[1] for step in steps[1:]] == [step[0] for step in steps[:-1]]
    assert steps[0][1] == any_club.read(devices.one, sue, 1).role


@pytest.mark.parametrize("key", ["one tap's", None])
def test_chips_cashed_in_several_times_at_once_are_cashed_in_once(
    any_club: CardClub, key: str | None
) -> None:
    """Taps on one page send one key and get one answer; of several phones one does it, the others can't."""
    evening = any_club.start(rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)

    def cash_in(_phone: int) -> object:
        return convert.convert(any_club.write(2, key), evening.id)["revision"]

    others: dict[object, int] = {} if key else {"stale": PHONES - 1}
    assert at_once(cash_in) == {3: PHONES - sum(others.values()), **others}
    assert any_club.owed == {"Ann": 15, "Bob": -5, "Cyd": -5, "Dee": -5}
