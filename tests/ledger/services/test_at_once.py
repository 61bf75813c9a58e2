"""Several phones in the same instant, on both databases: one wins, the others are told so."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from ledger.access import Access
from ledger.db import Database
from ledger.problems import Problem
from ledger.services.club import clubs, players
from ledger.services.common.writing import Write
from ledger.services.hands import record
from ledger.services.session.load import load
from tests.ledger import table
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
