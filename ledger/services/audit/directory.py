"""Check the tables by which a club is found, by its name and its tokens and links, and its last ids."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Select, func, select

from ledger.database.json import SPOILED
from ledger.services.audit.lookups import Difference, Lookups
from ledger.services.audit.raw import document, fetch, of_club
from ledger.services.audit.tables import OWNED, metadata
from ledger.words.problems import counted

_CLUB, _NAME, _DIGEST, _TOKEN, _LINK = (
    metadata.tables[name] for name in ("club", "club_name", "key_digest", "api_token", "link")
)


def check(lookups: Lookups) -> None:
    """Note names, tokens and links by which a club is not found, and tables with an id above the last given.

    A club is not found if the table of names or of digests lacks it, or assigns it to another club.
    """
    for place, finder, query in _NOT_FOUND:
        for (row_id,) in lookups.fetch(query):
            message = f"it is missing in {finder}, or another club's there"
            lookups.note_at(f"{place} {row_id}", message)
    for stored, *highest in lookups.fetch(_HIGHEST):
        try:
            last_ids = document(stored)
            for table, row_id in zip(OWNED, highest, strict=True):
                last_id = last_ids.get(table.name, 0)
                if row_id is not None and row_id > last_id:
                    message = f"its last id of {table.name} is {last_id}, and a row has {row_id}"
                    lookups.note_at(f"club {lookups.club_id}", message)
        except SPOILED as error:
            lookups.note_at(f"club {lookups.club_id}", f"its last_ids can't be read ({error!r})")


def check_books(books: Lookups, clubs: Mapping[int, str]) -> None:
    """Note the names, tokens and links by which a club is found and which it does not have.

    ``clubs`` are the names of all clubs by id.
    """
    for finder, content, query in _STRAY:
        for club_id, number in fetch(books.connection, query):
            message = f"{counted(number, 'row')} for a {content} that the club does not have"
            club = clubs.get(club_id, f"club {club_id}")
            books.differences.append(Difference(club, finder, message))


_HAS_NAME = (_CLUB.c.id == _NAME.c.club_id) & (_CLUB.c.name_key == _NAME.c.key)
_HAS_TOKEN, _HAS_LINK = (
    (row.c.club_id == _DIGEST.c.club_id) & (row.c.digest == _DIGEST.c.digest)
    for row in (_TOKEN, _LINK)
)
_NOT_FOUND = [
    (
        row.name,
        finder.name,
        select(row.c.id).where(of_club(row), ~select(finder).where(matches).exists()),
    )
    for row, finder, matches in (
        (_CLUB, _NAME, _HAS_NAME),
        (_TOKEN, _DIGEST, _HAS_TOKEN),
        (_LINK, _DIGEST, _HAS_LINK),
    )
]
_STRAY: Sequence[tuple[str, str, Select[Any]]] = [
    (
        finder.name,
        content,
        select(finder.c.club_id, func.count())
        .where(*(~select(row).where(matches).exists() for row, matches in keys))
        .group_by(finder.c.club_id),
    )
    for finder, content, keys in (
        (_NAME, "name", [(_CLUB, _HAS_NAME)]),
        (_DIGEST, "token or link", [(_TOKEN, _HAS_TOKEN), (_LINK, _HAS_LINK)]),
    )
]
_HIGHEST = select(
    _CLUB.c.last_ids,
    *(select(func.max(row.c.id)).where(of_club(row)).scalar_subquery() for row in OWNED),
).where(of_club(_CLUB))
