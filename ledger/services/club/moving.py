"""A club that leaves for another installation: from then on nobody enters or writes it here."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sqlmodel import select

from engine.words.sentences import say
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Club
from ledger.database.narrowing import Scope
from ledger.database.scope import ScopedSession, narrow
from ledger.words.problems import Invalid

MOST_LETTERS = 200
"""The most letters of an address."""

_ADDRESS = re.compile(r"https?://[\w.-]+(:[1-9]\d{0,4})?(/[\w.~-]+)*")
"""An address with nothing that hides another one or a password: everybody gets to see it."""


def leave(db: Database, access: Access, address: str) -> None:
    """Mark a club as moved to an address: nobody enters or writes it here, and its openers get the address.

    Its devices, links and tokens stay, and work again if it comes back. A club that has left gets another
    address. For owners only. Raises ``Invalid`` at ``to`` for anything but the address of a website.
    """
    access.must_own()
    cleaned = _clean(address)
    with _writing(db, access) as session:
        session.exec(select(Club)).one().moved_to = cleaned


def come_back(db: Database, access: Access) -> None:
    """Open a club again that has left, so that its devices, links and tokens work; an open one stays open.

    For owners only.
    """
    access.must_own()
    with _writing(db, access):
        pass


@contextmanager
def _writing(db: Database, access: Access) -> Iterator[ScopedSession]:
    """Open a write transaction in a club, in which a club that has left is set as not having left."""
    with db.write() as session:
        narrow(session, Scope(access.club_id))
        session.author = access.author
        session.exec(select(Club)).one().moved_to = None
        session.flush()
        session.lock()  # finds only a club that has not left
        yield session


def _clean(address: str) -> str:
    """Return the address without spaces and slashes at its end.

    Raises ``Invalid`` at ``to`` for any other text.
    """
    cleaned = address.strip().rstrip("/")
    if not _ADDRESS.fullmatch(cleaned) or len(cleaned) > MOST_LETTERS:
        message = say(
            "That is not the address of a website; one looks like {example}.",
            example="https://cards.example.org",
        )
        raise Invalid.at("to", "ill-formed", message)
    return cleaned
