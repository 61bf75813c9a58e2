"""A save with an unknown outcome, and a page that can't be read any more to be shown again."""

import sqlite3
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from ledger.books.transactions import Database
from ledger.database.scope import ScopedSession
from ledger.services.club import players
from ledger.words.problems import Unreachable
from tests.ledger.web.phone import Phone


def test_a_form_whose_save_may_have_gone_through_never_says_that_nothing_was_saved(
    scorer: Phone, seven: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database dies in the commit, and again under the page: the first truth stands."""
    form = scorer.open(seven.rpartition("/sessions")[0] + "/players").form("/players")

    def commit(_self: Database, session: ScopedSession) -> None:
        session.commit()
        raise Unreachable("the connection was lost", Unreachable.not_known)

    def everyone(*_: Any) -> None:
        lost = sqlite3.OperationalError("disk I/O error")
        lost.sqlite_errorname = "SQLITE_IOERR"
        raise OperationalError("SELECT", {}, lost)

    monkeypatch.setattr(Database, "_commit", commit)
    monkeypatch.setattr(players, "everyone", everyone)
    answer = scorer.send(form, name="Zoe")
    assert answer.status == 503
    assert "Whether it was saved is not known" in answer.text
    assert "Nothing was saved" not in answer.text
