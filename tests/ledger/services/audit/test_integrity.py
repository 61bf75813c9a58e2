"""The database's check of its pages: a check that failed is reported, and never passes for in order."""

import pytest

from ledger.books.transactions import Database
from ledger.services.audit import integrity, verify
from ledger.words.problems import Busy


@pytest.mark.parametrize("error", [Busy(), MemoryError(), ValueError("what nobody thought of")])
def test_a_look_that_ends_early_is_a_difference(
    database: Database, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Ended by anything, like a lock that others hold."""

    def ends(*_: object) -> None:
        raise error

    assert list(verify(database)) == []
    monkeypatch.setattr(integrity, "connect", ends)
    (findings,) = verify(database)
    assert findings.place == "the database itself"


def test_on_a_server_too(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier findings stay."""

    class Locked:
        def __init__(self, _database: Database) -> None:
            self.remarks: list[str] = []

        def faults(self) -> object:
            yield "index pk_tally is not valid"
            raise Busy

    monkeypatch.setattr(integrity, "PostgresPages", Locked)
    monkeypatch.setattr(database, "is_sqlite", False)
    findings = [str(each) for each in integrity.Integrity(database).differences()]
    assert len(findings) == 2
    assert "pk_tally" in findings[0]
    assert "can't be read on" in findings[1]
