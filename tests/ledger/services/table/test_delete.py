"""Deleting a session in which nothing was written: gone from every list, and the database verifies."""

from collections.abc import Callable

import pytest

from ledger.services.money import currency
from ledger.services.reads import sessions
from ledger.services.session.load import find_row, load
from ledger.services.session.session_filter import EVERY_SESSION
from ledger.services.table import lifecycle, start
from ledger.services.table.lifecycle import SomethingWritten
from ledger.words.problems import NotFound, Stale
from tests.ledger import cash
from tests.ledger.evenings import CardClub, Evening


def _moved_about(evening: Evening) -> None:
    evening.join("Eve")
    evening.sit_out("Bob")
    evening.set_rate(cash.TEN_FOR_ONE)
    evening.undo()
    evening.set_rate(cash.TEN_FOR_ONE)
    evening.pause()


@pytest.mark.parametrize("before", [lambda _: None, _moved_about, Evening.close])
@pytest.mark.parametrize("stack", [0, 200])
def test_a_session_in_which_nothing_was_written_is_in_no_list_any_more(
    sqlite_club: CardClub, stack: int, before: Callable[[Evening], None]
) -> None:
    """With any players, at any rate; all chips are back at the bank, and the journal shows it."""
    club, other = sqlite_club, sqlite_club.start().id
    mistake = club.start(starting_stack=stack)
    before(mistake)
    mistake.do(lifecycle.delete)
    for read in (load, find_row):
        with pytest.raises(NotFound):
            mistake.read(read)
    assert [row.id for row in club.read(start.list_all)] == [other]
    assert club.read(EVERY_SESSION.count) == 1
    assert [row.session_id for row in club.read(sessions.of_club)] == [other]
    assert [row.session_id for row in club.read(sessions.of_player, 1)[0]] == [other]
    assert set(club.accounts.values()) == {0}
    club.must_verify()
    club.do(currency.change, currency="JPY")  # its rate is in nobody's way
    with club.refuses(NotFound):
        mistake.do(lifecycle.delete)


@pytest.mark.parametrize(
    "write",
    [
        lambda evening: evening.record(cash.ANN_WINS),
        lambda evening: evening.lend("Ann", 20),
        lambda evening: evening.leave("Ann"),
        lambda evening: evening.count({"Ann": {5: 1}}),
    ],
)
def test_a_session_in_which_something_was_written_stays(
    sqlite_club: CardClub, write: Callable[[Evening], object]
) -> None:
    """A hand, a loan, a leaving, a count; also when that is undone."""
    evening = sqlite_club.start()
    assert evening.read(lifecycle.may_be_deleted)
    write(evening)
    for undo in (True, False):
        assert not evening.read(lifecycle.may_be_deleted)
        with sqlite_club.refuses(SomethingWritten, "can't be deleted"):
            evening.do(lifecycle.delete)
        if undo:
            evening.undo()
    assert evening.view.is_open


def test_who_deletes_has_seen_the_session_as_it_is(sqlite_club: CardClub) -> None:
    """Somebody may have sat down in the meantime."""
    mistake = sqlite_club.start()
    mistake.join("Eve")
    with sqlite_club.refuses(Stale):
        lifecycle.delete(sqlite_club.write(1), mistake.id)


def test_the_number_of_a_deleted_evening_is_not_given_again(sqlite_club: CardClub) -> None:
    """No two evenings are called the same because nobody named them."""
    mistake = sqlite_club.start()
    sqlite_club.start()
    mistake.do(lifecycle.delete)
    sqlite_club.start()
    titles = [row.title for row in sqlite_club.read(start.list_all)]
    assert titles == ["Evening 3", "Evening 2"]
