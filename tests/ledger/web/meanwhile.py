"""Somebody who writes while a page is being read: between any two of the looks it takes at the books."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from ledger.access import Access
from ledger.db import Database
from ledger.scope import ScopedSession
from tests.ledger.web.phone import Page

Read = Callable[[Database, Access | None], AbstractContextManager[ScopedSession]]


def drawn(
    ask: Callable[[], Page], monkeypatch: pytest.MonkeyPatch, at: int, act: Callable[[], object]
) -> tuple[Page, bool]:
    """Ask for a page while ``act`` is done just before its look number ``at``; say if it came to that."""
    real: Read = Database.read
    looks: list[object] = []
    done = False

    @contextmanager
    def read(db: Database, access: Access | None = None) -> Iterator[ScopedSession]:
        nonlocal done
        looks.append(access)
        if len(looks) == at + 1 and not done:
            done = True
            act()
        with real(db, access) as session:
            yield session

    with monkeypatch.context() as patched:
        patched.setattr(Database, "read", read)
        page = ask()
    return page, done
