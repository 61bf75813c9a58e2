"""A write that the database broke off is repeated; its failure at last states truthfully whether it saved."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import text

from ledger.books import repeating
from ledger.books.repeating import repeat
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import IdempotentResponse
from ledger.database.scope import ScopedSession
from ledger.services.club import clubs, players
from ledger.words.problems import Busy, ConnectionLost, Invalid, Overtaken, Problem, Unreachable
from tests.ledger import table
from tests.ledger.conftest import empty

NOT_KNOWN = ConnectionLost("lost in the commit", Unreachable.not_known)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Collect the pauses, which take no time."""
    taken: list[float] = []
    monkeypatch.setattr("time.sleep", taken.append)
    return taken


def failing(*problems: Problem) -> Callable[[], str]:
    """Return a write that fails with these problems, one each call, and then succeeds."""
    left: Iterator[Problem] = iter(problems)

    def write() -> str:
        for problem in left:
            raise problem
        return "saved"

    return write


def test_a_passing_failure_is_repeated_after_longer_and_longer_pauses(pauses: list[float]) -> None:
    """A conflict of two transactions, and a lost connection, also one lost in the commit."""
    assert repeat(failing(Overtaken(), ConnectionLost("gone"), NOT_KNOWN)) == "saved"
    assert [
        round(pause / limit) for pause, limit in zip(pauses, repeating.PAUSES, strict=True)
    ] == [1] * 3


@pytest.mark.parametrize("problem", [Busy(), Unreachable("disk full"), Invalid("wrong")])
def test_a_failure_that_would_come_again_is_raised_at_once(
    pauses: list[float], problem: Problem
) -> None:
    """Other writers, a full disk, and a mistake in the form."""
    with pytest.raises(type(problem)) as caught:
        repeat(failing(problem))
    assert pauses == []
    assert caught.value.__cause__ is None


def test_the_last_failure_is_raised_when_the_repetitions_are_used_up() -> None:
    """After the first call and one for each pause."""
    with pytest.raises(Overtaken):
        repeat(failing(*[Overtaken() for _ in range(len(repeating.PAUSES) + 1)]))


def test_no_repetition_begins_after_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that hangs keeps a phone waiting once, not four times."""
    monkeypatch.setattr(repeating, "SECONDS", -1.0)
    with pytest.raises(ConnectionLost):
        repeat(failing(ConnectionLost("gone")))


@pytest.mark.parametrize("later", [Unreachable("refused"), Busy(), Overtaken()])
def test_after_an_unknown_outcome_no_later_failure_claims_that_nothing_was_saved(
    later: Problem,
) -> None:
    """The first call may have saved it."""
    with pytest.raises(ConnectionLost) as caught:
        repeat(failing(NOT_KNOWN, later, later, later))
    assert caught.value.message == Unreachable.not_known


@pytest.mark.parametrize("is_saved", [True, False])
def test_a_commit_whose_answer_is_lost_is_written_once(
    any_database: Database, access: Access, monkeypatch: pytest.MonkeyPatch, *, is_saved: bool
) -> None:
    """The second call finds the stored response, or writes what the first one did not."""
    commit = Database._commit

    def lose(database: Database, session: ScopedSession) -> None:
        monkeypatch.setattr(Database, "_commit", commit)
        if is_saved:
            commit(database, session)
        raise NOT_KNOWN

    monkeypatch.setattr(Database, "_commit", lose)
    players.add(table.write(any_database, access), name="Ann")
    with any_database.read(access) as session:
        assert [player.name for player in players.everyone(session)] == ["Ann"]


@pytest.mark.postgres
def test_a_replayed_response_waits_for_the_standby_as_its_first_commit_did(
    postgres_books: Database,
) -> None:
    """A repeated write writes its row again: a transaction that only reads waits for no standby."""
    empty(postgres_books)
    access, _ = clubs.create(postgres_books, name="Kitchen Table", passcode="123456")
    write = table.write(postgres_books, access)
    players.add(write, name="Ann")
    transactions = []
    for _ in range(2):
        with postgres_books.engine.connect() as connection:
            row = connection.execute(text(f"SELECT xmin FROM {IdempotentResponse.__tablename__}"))
            transactions.append(row.scalar_one())
        players.add(write, name="Ann")
    assert transactions[0] != transactions[1]
