"""Archives sent and received by pages and the API, as a whole and in memory."""

from io import BytesIO
from threading import Lock
from typing import IO, BinaryIO, Final, cast

from engine.words.sentences import later
from ledger.books.transactions import Database
from ledger.database.scope import ScopedSession
from ledger.keeping import known_keys
from ledger.keeping.archive.export import NotExported, pieces
from ledger.keeping.archive.importing import Imported, import_club
from ledger.runtime.config import Settings
from ledger.runtime.files import safe_name
from ledger.words.problems import Busy, Conflict

MEDIA_TYPE: Final = "application/octet-stream"
"""The type of an archive: generators of clients know no file of another."""

MOST_BYTES: Final = 20_000_000
"""The largest archive that is sent; it has some 50,000 hands."""


_TURN: Final = Lock()
"""Held by the process's only import: verifying an archive takes long, and others want to save."""


class NotSent(Conflict):
    """Raised if an archive can't be written, or is too large to be sent."""

    sentence = later(
        "{reason} Whoever runs this service can write an archive with solo-ledger export."
    )


def written(session: ScopedSession, club_id: int, settings: Settings) -> BytesIO:
    """Return a club's archive, as a read transaction sees it. Raises ``NotSent``."""
    content = BytesIO()
    try:
        for piece in pieces(session.get_bind(), club_id, known_keys.from_settings(settings)):
            content.write(piece)
            if content.tell() > MOST_BYTES:
                raise NotSent(reason="This club is too large to be downloaded.")
    except NotExported as error:
        raise NotSent(reason=str(error)) from error
    content.seek(0)
    return content


def received(db: Database, file: IO[bytes], settings: Settings, name: str) -> Imported:
    """Import the club in an archive, under a name if it is not empty, while no other is imported here.

    Nothing is added to a club that is here already: it may be somebody else's. Raises as ``import_club``
    does, and ``Busy``.
    """
    if not _TURN.acquire(blocking=False):
        raise Busy
    try:
        return import_club(db, cast("BinaryIO", file), settings.secret_key, name=name, adds=False)
    finally:
        _TURN.release()


def file_name(club: str) -> str:
    """Return the name of a club's archive."""
    return safe_name(f"{club}.solo.gz")
