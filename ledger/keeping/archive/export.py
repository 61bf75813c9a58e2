"""Writing the archive of a club, as it is at one moment, while others save."""

import base64
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    LargeBinary,
    Row,
    Select,
    Text,
    bindparam,
    cast,
    func,
    select,
)

import ledger
from engine.rules.sheet import CHIPS, SCORE
from ledger.books.chain import GENESIS, EntryHeader, digest, sealed_text
from ledger.database import revisions
from ledger.database.connecting import Connected
from ledger.database.json import SPOILED
from ledger.database.kinds.entries import EntryKind
from ledger.database.models import metadata
from ledger.keeping.archive import lines
from ledger.runtime.signing import SigningKey
from ledger.words.currencies import decimals

Progress = Callable[[int, int], None]
"""A callback for progress, with the number of written entries and of all entries."""

Lines = Iterator[tuple[str, Mapping[str, Any]]]
"""Types of lines with their members."""

PAGE = 500
"""The most rows of a table in memory at a time; of postings and versions, those of so many entries."""

CLUB_COLUMNS = (
    *("name", "name_key", "devices_epoch", "currency", "denominations", "confirm_from"),
    *("created_at", "last_ids"),
)
"""The columns of the club that the header contains; its passcode is not exported."""

_BELOW_ALL = -(2**63)


class NotExported(RuntimeError):
    """The club can't be exported; the message gives the reason and the remedy."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}. Nothing was exported; solo-ledger verify lists every fault.")


def archive(
    db: Connected,
    club_id: int,
    keys: Sequence[SigningKey] = (),
    progress: Progress | None = None,
) -> Iterator[bytes]:
    """Yield a club's archive, piece by piece, read in one snapshot and in constant memory.

    ``keys`` are those that may have signed its entries here, the present one first. Raises ``NotExported``
    for an entry that does not match its digest, and for rows that can't be read.
    """
    with db.one_moment() as connection:
        revisions.must_be_ours(revisions.stored(connection))
        yield from pieces(connection, club_id, keys, progress)


def pieces(
    connection: Connection,
    club_id: int,
    keys: Sequence[SigningKey] = (),
    progress: Progress | None = None,
) -> Iterator[bytes]:
    """Yield a club's archive as a transaction sees it; see ``archive``."""
    writer = lines.LineWriter()
    for kind, values in _ArchivedClub(connection, club_id, keys).lines(progress):
        try:
            piece = writer.write(kind, values)
        except (TypeError, ValueError) as error:
            place = f"{kind} {values['id']}" if "id" in values else kind
            raise NotExported(f"The {place} can't be exported: {error}") from error
        if piece:
            yield piece
    yield writer.finish()


class _ArchivedClub:
    """A club's rows as the members of lines, in order, read page by page."""

    def __init__(self, connection: Connection, club_id: int, keys: Sequence[SigningKey]) -> None:
        self._connection, self._club_id = connection, club_id
        self._keys = {key.public: key for key in keys}
        self._digest = GENESIS

    def lines(self, progress: Progress | None) -> Lines:
        """Yield all lines. Raises ``NotExported``."""
        entries = self._fetch(_ENTRY_COUNT)[0].number
        header = self._header()
        yield lines.HEADER, header
        for table in lines.ROWS_BEFORE:
            yield from self._rows(table, _ROWS[table])
        for written, entry in enumerate(self._entries(), 1):
            yield lines.ENTRY, entry
            if progress is not None:
                progress(written, entries)
        yield from self._rows(lines.LOOSE_VERSION, _LOOSE_VERSIONS)
        for table in lines.ROWS_AFTER:
            yield from self._rows(table, _ROWS[table])
        key = header["origins"][-1]["key"]
        yield lines.END, {"entries": entries, "head": self._digest, "key": key}

    def _header(self) -> Mapping[str, Any]:
        (club,) = self._fetch(_HEADER)
        used = {club.currency, *(account.unit for account in self._fetch(_UNITS))} - {CHIPS}
        last = next(iter(self._fetch(_LAST_ENTRY)), None)
        return {
            "format": lines.FORMAT,
            "version": lines.VERSION,
            "schema": revisions.NEWEST,
            "chain": lines.CHAIN,
            "made_by": f"solo-ledger {ledger.__version__}",
            "as_of": last and last.entered_at,
            "units": {CHIPS: 0, SCORE: 0, **{code: decimals(code) for code in sorted(used)}},
            "club": {"number": self._club_id, **dict(zip(CLUB_COLUMNS, club, strict=True))},
            "origins": self._origins(last.id if last else 0),
        }

    def _origins(self, last_id: int) -> list[dict[str, Any]]:
        """Return the key, and the club's number there, of each installation that wrote entries, in order.

        An installation whose key was replaced has one for each run of entries with the same key. All
        signatures are only checked if there are several keys, because that takes as long as everything else.
        """
        origins = [
            {"number": row.number, "key": row.public_key, "last_entry": row.last_entry_id}
            for row in self._fetch(_ORIGINS)
        ]
        after = origins[-1]["last_entry"] if origins else 0
        if after < last_id or not origins:
            runs = self._signed_runs(after) if len(self._keys) > 1 else []
            runs = runs or [(next(iter(self._keys), None), last_id)]
            runs[-1] = (runs[-1][0], last_id)
            origins += [
                {"number": self._club_id, "key": key, "last_entry": end} for key, end in runs
            ]
        return origins

    def _signed_runs(self, after: int) -> list[tuple[str | None, int]]:
        """Return, for each run of entries signed by the same key here, that key and the last entry."""
        runs: list[tuple[str | None, int]] = []
        for page in self._pages(_SIGNATURES, after):
            for entry in page:
                key = self._key_of(entry)
                if runs and runs[-1][0] == key:
                    runs.pop()
                runs.append((key, entry.id))
        return runs

    def _key_of(self, entry: Row[Any]) -> str | None:
        """Return the public key that signed an entry, or None if it is not known."""
        signed = entry.signature, self._club_id, entry.digest
        return next((name for name, key in self._keys.items() if key.verifies(*signed)), None)

    def _rows(self, kind: str, query: Select[Any]) -> Lines:
        columns = query.selected_columns
        names, files = columns.keys(), [c.name for c in columns if isinstance(c.type, LargeBinary)]
        for page in self._pages(query):
            for row in page:
                values = dict(zip(names, row, strict=True))
                for name in files:
                    values[name] = values[name] and _base64(values[name])
                yield kind, values

    def _entries(self) -> Iterator[Mapping[str, Any]]:
        """Yield the entries, each checked by its digest."""
        for page in self._pages(_ENTRIES):
            span = {"first": page[0].id, "last": page[-1].id}
            amounts: dict[int, dict[int, int]] = defaultdict(dict)
            for posting in self._fetch(_POSTINGS, **span):
                amounts[posting.entry_id][posting.account_id] = posting.amount
            versions: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
            for row in self._fetch(_VERSIONS, **span):
                version = dict(zip(_VERSION_COLUMNS, row, strict=False))
                versions[row.entry_id].append(version)
            for entry in page:
                try:
                    line = self._entry(entry, amounts[entry.id], versions[entry.id])
                except SPOILED as error:
                    raise NotExported(f"Entry {entry.id} can't be read: {error}") from error
                yield line

    def _entry(
        self, entry: Row[Any], amounts: Mapping[int, int], versions: Sequence[Mapping[str, Any]]
    ) -> Mapping[str, Any]:
        """Return an entry's line. Raises ``NotExported`` if its digest is of other content."""
        header = EntryHeader(
            entry.session_id,
            EntryKind(entry.kind),
            entry.author,
            entry.occurred_at,
            entry.entered_at,
            entry.hand_id,
            entry.reason,
            entry.reverses_id,
            entry.details,
        )
        sealed = sealed_text(self._digest, header, amounts)
        record = versions[0]["record"] if versions else None
        line = {
            "id": entry.id,
            "sealed": sealed.decode(),
            "digest": entry.digest,
            "signature": entry.signature and _base64(entry.signature),
        }
        if versions:
            line["versions"] = versions
        if entry.digest != digest(sealed, record):
            if entry.digest != digest(sealed, None):
                raise NotExported(f"Entry {entry.id} does not match its digest")
            line["seals_record"] = False
        self._digest = entry.digest
        return line

    def _pages(self, query: Select[Any], after: int = _BELOW_ALL) -> Iterator[Sequence[Row[Any]]]:
        """Yield the rows of a query from after an id, in the order of their ids."""
        while page := self._fetch(query, after=after):
            yield page
            after = page[-1].id

    def _fetch(self, query: Select[Any], **parameters: int) -> Sequence[Row[Any]]:
        """Return the club's rows of a query."""
        try:
            return self._connection.execute(query, {"club": self._club_id, **parameters}).all()
        except SPOILED as error:
            table = query.selected_columns[0].table.name
            raise NotExported(f"Rows of {table} can't be read: {error}") from error


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


_AFTER, _FIRST, _LAST, _NUMBER = (
    bindparam(name, type_=BigInteger) for name in ("after", "first", "last", "club")
)
_TABLES = metadata.tables
_CLUB, _ORIGIN, _ACCOUNT, _ENTRY, _POSTING, _VERSION = (
    _TABLES[name].c
    for name in ("club", "club_origin", "account", "journal_entry", "posting", "hand_version")
)
_AS_TEXT = {_VERSION.record, _VERSION.verdict}
"""Columns of JSON that an archive has exactly as they are stored: digests cover records."""


def _columns(table: str, *omitted: str) -> list[ColumnElement[Any]]:
    """Return a table's columns without the club and those ``omitted``."""
    return [
        cast(column, Text).label(column.name) if column in _AS_TEXT else column
        for column in _TABLES[table].c
        if column.name not in {"club_id", *omitted}
    ]


def _paged(table: str, *omitted: str) -> Select[Any]:
    """Return a query for the next rows of a table, in the order of their ids."""
    rows = _TABLES[table].c
    query = select(*_columns(table, *omitted)).where(rows.club_id == _NUMBER, rows.id > _AFTER)
    return query.order_by(rows.id).limit(PAGE)


_HEADER = select(*(_CLUB[name] for name in CLUB_COLUMNS)).where(_CLUB.id == _NUMBER)
_UNITS = select(_ACCOUNT.unit).where(_ACCOUNT.club_id == _NUMBER).distinct()
_ENTRY_COUNT = select(func.count(_ENTRY.id).label("number")).where(_ENTRY.club_id == _NUMBER)
_LAST_ENTRY = (
    select(_ENTRY.id, _ENTRY.entered_at)
    .where(_ENTRY.club_id == _NUMBER)
    .order_by(_ENTRY.id.desc())
    .limit(1)
)
_ENTRIES = _paged("journal_entry", "previous_digest")
_ORIGINS = (
    select(_ORIGIN.number, _ORIGIN.public_key, _ORIGIN.last_entry_id)
    .where(_ORIGIN.club_id == _NUMBER)
    .order_by(_ORIGIN.id)
)
_SIGNATURES = (
    select(_ENTRY.id, _ENTRY.digest, _ENTRY.signature)
    .where(_ENTRY.club_id == _NUMBER, _ENTRY.id > _AFTER, _ENTRY.signature.is_not(None))
    .order_by(_ENTRY.id)
    .limit(PAGE)
)
_POSTINGS = select(_POSTING.entry_id, _POSTING.account_id, _POSTING.amount).where(
    _POSTING.club_id == _NUMBER, _POSTING.entry_id.between(_FIRST, _LAST)
)
_VERSION_COLUMNS = [column.name for column in _columns("hand_version", "entry_id")]
_VERSIONS = (
    select(*_columns("hand_version", "entry_id"), _VERSION.entry_id)
    .where(_VERSION.club_id == _NUMBER, _VERSION.entry_id.between(_FIRST, _LAST))
    .order_by(_VERSION.id)
)
_LOOSE_VERSIONS = _paged("hand_version", "entry_id").where(_VERSION.entry_id.is_(None))
_ROWS = {table: _paged(table) for table in (*lines.ROWS_BEFORE, *lines.ROWS_AFTER)}
