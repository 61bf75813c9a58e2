"""A save whose outcome nobody knows, and a page that can't be shown any more."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ledger.db import Database
from ledger.problems import Unreachable
from ledger.scope import ScopedSession
from tests.ledger.web.phone import Phone


def test_a_form_whose_save_may_have_gone_through_never_says_that_nothing_was_saved(
    scorer: Phone, seven: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database dies in the commit: the page to show again can't be read, and the first truth stands."""
    form = scorer.open(seven.rpartition("/sessions")[0] + "/players").form("/players")

    def commit(_self: Database, session: ScopedSession) -> None:
        session.commit()
        monkeypatch.setattr(Database, "read", gone)
        raise Unreachable("the connection was lost", Unreachable.not_known)

    @contextmanager
    def gone(*_: Any) -> Iterator[ScopedSession]:
        raise Unreachable("the connection was lost")
        yield

    monkeypatch.setattr(Database, "_commit", commit)
    answer = scorer.send(form, name="Zoe")
    assert answer.status == 503
    assert "Whether it was saved is not known" in answer.text
    assert "Nothing was saved" not in answer.text
