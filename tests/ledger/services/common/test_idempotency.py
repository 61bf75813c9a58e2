"""Every write once: a retry gets the first answer, whatever happened since."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import clubs, players
from ledger.services.common.writing import Write
from ledger.services.hands import correct, record
from ledger.services.session.load import load
from ledger.services.table import lifecycle
from ledger.words.problems import Invalid, KeyReused
from tests.ledger import table
from tests.ledger.table import ask


@pytest.fixture
def evening(database: Database, club: Access) -> int:
    """A Crazy Solo session of seven."""
    return table.start(database, club)


def write(key: str, points: int = 74) -> Callable[[Database, Access, int], Mapping[str, Any]]:
    """Return the write of a hand under a key."""
    hand = {**table.HEARTS_74, "points": points}
    return lambda db, access, evening: record.record(Write(db, access, key), evening, hand)


def test_a_retry_gets_the_first_answer_and_writes_once(any_database: Database) -> None:
    """However often it comes, also when hands were added or the session closed since."""
    access, _ = clubs.found(any_database, name="Kitchen Table", passcode="123456")
    evening = table.start(any_database, access)
    send = write(table.new_key())
    first = send(any_database, access, evening)
    assert send(any_database, access, evening) == first
    table.record(any_database, access, evening, table.ALONE_85)
    assert send(any_database, access, evening) == first
    lifecycle.close(table.write(any_database, access), evening)
    before = table.row_counts(any_database)
    assert send(any_database, access, evening) == first
    assert table.row_counts(any_database) == before
    assert ask(any_database, access, load, evening).hands_dealt == 2


def test_the_same_key_with_another_payload_is_refused(
    database: Database, club: Access, evening: int
) -> None:
    """Another hand, another session or another kind of write; the first stays as it is."""
    key = table.new_key()
    write(key)(database, club, evening)
    other = table.start(database, club)
    before = table.row_counts(database)
    writes: tuple[Callable[[], object], ...] = (
        lambda: write(key, 75)(database, club, evening),
        lambda: write(key)(database, club, other),
        lambda: correct.correct(
            Write(database, club, key), evening, 1, table.HEARTS_46, reason="why"
        ),
        lambda: correct.void(Write(database, club, key), evening, 1, reason="why"),
        lambda: lifecycle.close(Write(database, club, key), evening),
        lambda: players.add(Write(database, club, key), name="Zed"),
    )
    for again in writes:
        with pytest.raises(KeyReused) as caught:
            again()
        assert caught.value.status == 409
        assert caught.value.answer["hand"] == 1
        assert caught.value.at_the_table.startswith("This form was saved before")
        assert "Hand 1 is already saved" in caught.value.at_the_table
    assert table.row_counts(database) == before


def test_a_refused_write_leaves_its_key_free(
    database: Database, club: Access, evening: int
) -> None:
    """A miscount is mended on the same page, which keeps its key."""
    key = table.new_key()
    with pytest.raises(Invalid):
        write(key, 119)(database, club, evening)
    assert write(key, 118)(database, club, evening)["hand"] == 1


def test_two_at_once_under_one_key_write_once(any_database: Database) -> None:
    """Both are sent before either is answered: both get the one answer, and the books hold one hand."""
    access, _ = clubs.found(any_database, name="Kitchen Table", passcode="123456")
    evening = table.start(any_database, access)
    send = write(table.new_key())
    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(send, any_database, access, evening) for _ in range(2)]
        one, other = [each.result() for each in sent]
    assert one == other
    assert ask(any_database, access, load, evening).hands_dealt == 1
