"""Every write once: a retry gets the first answer, after anything else."""

from collections.abc import Callable

from ledger.services.club import players
from ledger.services.hands import correct, record
from ledger.services.table import lifecycle
from ledger.words.problems import Invalid, KeyReused
from tests.ledger import table
from tests.ledger.evenings import CardClub

HEARTS_75 = {**table.HEARTS_74, "points": 75}


def test_a_retry_gets_the_first_answer_and_writes_once(any_club: CardClub) -> None:
    """However often it comes, also when hands were added or the session closed since."""
    evening = any_club.start(table.SEVEN)
    write = any_club.write()
    answer = record.record(write, evening.id, table.HEARTS_74)
    assert record.record(write, evening.id, table.HEARTS_74) == answer
    evening.record(table.ALONE_85)
    assert record.record(write, evening.id, table.HEARTS_74) == answer
    evening.close()
    before = any_club.rows
    assert record.record(write, evening.id, table.HEARTS_74) == answer
    assert any_club.rows == before
    assert evening.view.hands_dealt == 2


def test_the_same_key_with_another_payload_is_refused(sqlite_club: CardClub) -> None:
    """Another hand, another session or another kind of write; the first stays as it is."""
    evening, other = sqlite_club.start(table.SEVEN), sqlite_club.start(table.SEVEN)
    write, number = sqlite_club.write(), evening.id
    record.record(write, number, table.HEARTS_74)
    writes: tuple[Callable[[], object], ...] = (
        lambda: record.record(write, number, HEARTS_75),
        lambda: record.record(write, other.id, table.HEARTS_74),
        lambda: correct.correct(write, number, 1, table.HEARTS_46, reason="why"),
        lambda: correct.void(write, number, 1, reason="why"),
        lambda: lifecycle.close(write, number),
        lambda: players.add(write, name="Zed"),
    )
    for act in writes:
        with sqlite_club.refuses(KeyReused) as caught:
            act()
        problem = caught.value
        assert (problem.status, problem.answer["hand"]) == (409, 1)
        assert problem.at_the_table.startswith("This form was saved before")
        assert "Hand 1 is already saved" in problem.at_the_table


def test_a_refused_write_leaves_its_key_free(sqlite_club: CardClub) -> None:
    """A miscount is mended on the same page, which keeps its key."""
    evening, write = sqlite_club.start(table.SEVEN), sqlite_club.write()
    with sqlite_club.refuses(Invalid):
        record.record(write, evening.id, {**table.HEARTS_74, "points": 119})
    assert record.record(write, evening.id, HEARTS_75)["hand"] == 1
