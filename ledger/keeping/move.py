"""Moving a ledger into another database, of the same or the other kind, row by row.

The source is read in one snapshot and stays unchanged. Batches of rows, in the order of tables and keys, are
each saved in one transaction, so that an interrupted move goes on after each table's last row. Rows copied
before that have changed since are corrected. Until the copy is complete and verified, its database stores
``revisions.MOVING`` for a revision, and nothing opens it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    MetaData,
    Row,
    String,
    Table,
    Text,
    and_,
    bindparam,
    cast,
    collate,
    delete,
    func,
    insert,
    inspect,
    literal,
    null,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.types import UserDefinedType

from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.connecting import Connected, named_failures, sqlite_file
from ledger.database.models import metadata
from ledger.database.prepared import DriverConnection
from ledger.database.revisions import MOVING, NEWEST, UnfinishedCopy
from ledger.keeping import migrate
from ledger.keeping.certificates import FOLDER
from ledger.runtime.config import Settings
from ledger.runtime.files import folder, write_whole
from ledger.words.problems import counted

Rows = Iterable[Row[Any]]
Pair = tuple[Row[Any] | None, Row[Any] | None]
"""Rows of the source and of the copy with the same key, and different; or one of them without the other."""

Progress = Callable[[int, int], None]
"""A callback with the numbers of the rows done and of all rows."""

BATCH = 2_000
"""The most rows in a transaction; few more are in memory."""

_ONLY_GROW = {"journal_entry", "posting", "hand_version"}
"""The tables that triggers guard: none of their rows ever changes."""

_LATER = {"account": "closed_at", "seat": "successor_id"}
"""Columns filled after all rows: a closed account takes no posting, and a successor is often a later seat."""


_VALID = "Name an empty database, or a file that does not exist"


class NotMoved(RuntimeError):
    """A move can't begin or end; the message gives the reason."""


class _JsonText(UserDefinedType[str]):
    """JSON as the text that is stored: digests cover it."""

    cache_ok = True

    def column_expression(self, colexpr: ColumnElement[Any]) -> ColumnElement[str]:
        """Select it as a text, which no driver parses."""
        return cast(colexpr, Text)


def _plain(table: Table) -> Table:
    """Return a table for stored values, with the key first, and without references and defaults."""
    columns = sorted(table.columns, key=lambda column: not column.primary_key)
    return Table(
        table.name,
        MetaData(),
        *(
            Column(
                column.name,
                _JsonText() if isinstance(column.type, JSON) else column.type,
                primary_key=column.primary_key,
                autoincrement=False,
            )
            for column in columns
        ),
    )


_TABLES = {table.name: _plain(table) for table in metadata.sorted_tables}
"""All tables, each after those it refers to."""

_REVISION = Table("alembic_version", MetaData(), Column("version_num", String))


class LedgerCopy:
    """The copy of the ledger in a snapshot, in a database that is empty or holds a part of it.

    Creating it migrates an empty database. ``total`` is the number of rows to copy, and ``present`` of those
    in the copy. Raises ``NotMoved`` for a database that holds anything else.
    """

    def __init__(self, source: Connection, target: Database) -> None:
        self._source, self._target = source, target
        self._writing = target.engine
        if target.is_sqlite:
            self._writing = target.engine.execution_options(ledger_begin="BEGIN IMMEDIATE")
        self.total, self.present = _row_count(source), 0
        with suppress(UnfinishedCopy):
            self._begin_in_empty()
        with self._batch() as copy:
            self._must_continue(copy)
            self.present = _row_count(copy)

    def _begin_in_empty(self) -> None:
        """Migrate and mark an empty target. Raises ``UnfinishedCopy`` if it is marked already."""
        at = revisions.at(self._target)
        if at not in (None, NEWEST):
            raise NotMoved(f"there is a ledger of an earlier version there. {_VALID}")
        if at is None and not (
            self._target.is_sqlite and not sqlite_file(self._target.url).exists()
        ):
            with self._target.engine.connect() as connection:
                if tables := inspect(connection).get_table_names():
                    raise NotMoved(
                        f"there is a table of something else there, {tables[0]}. {_VALID}"
                    )
        migrate.upgrade(self._target)
        with named_failures(), self._writing.begin() as copy:
            if not self._target.is_sqlite:  # no writer of a server begins from now on
                copy.execute(select(func.pg_advisory_xact_lock(revisions.LOCK)))
            for table in _TABLES.values():
                if number := _row_count(copy, table):
                    raise NotMoved(
                        f"there is a ledger already, with {counted(number, 'row')} in {table.name}. {_VALID}"
                    )
            copy.execute(update(_REVISION).values(version_num=MOVING))

    def _must_continue(self, copy: Connection) -> None:
        """Raise ``NotMoved`` if a club's last entry in the copy is not the same in the source."""
        entry = _TABLES["journal_entry"]
        last = select(entry.c.club_id, func.max(entry.c.id)).group_by(entry.c.club_id)
        query = select(entry.c.club_id, entry.c.id, entry.c.digest)
        for club_id, entry_id, digest in copy.execute(
            query.where(tuple_(entry.c.club_id, entry.c.id).in_(last))
        ).all():
            of_source = select(entry.c.digest).where(
                entry.c.club_id == club_id, entry.c.id == entry_id
            )
            if self._source.scalar(of_source) != digest:
                raise NotMoved(f"there is the unfinished copy of another ledger. {_VALID}")

    def fill(self, progress: Progress) -> None:
        """Copy every row that the target lacks, and correct those that have changed in the source since."""
        for name in [name for name in reversed(_TABLES) if name not in _ONLY_GROW]:
            self._delete_others(_TABLES[name])
        for name, table in _TABLES.items():
            self._correct(table, without=_LATER.get(name))
            for number in self._append(table, without=_LATER.get(name)):
                self.present += number
                progress(self.present, self.total)
        if not self._target.is_sqlite:
            with self._batch() as copy:
                copy.execute(text("ANALYZE"))  # verification reads as the service will
        for name in _LATER:
            self._correct(_TABLES[name])

    def compare(self, progress: Progress) -> None:
        """Compare every row of the source and the copy. Raises ``NotMoved`` for the first difference."""
        compared = 0

        def count(rows: Rows) -> Rows:
            nonlocal compared
            for row in rows:
                compared += 1
                if compared % BATCH == 0:
                    progress(compared, self.total)
                yield row

        with self._target.one_moment() as copy:
            for table in _TABLES.values():
                mine, theirs = count(_rows(self._source, table)), _rows(copy, table)
                for one, other in _differing(table, mine, theirs):
                    key = ", ".join(map(str, _key(table, one or other or ())))
                    raise NotMoved(f"the copy differs in {table.name} ({key}). {_VALID}")

    def complete(self, source: Connected) -> None:
        """Make the copy a ledger to be opened. Raises ``NotMoved`` if the source was written since."""
        club = _TABLES["club"]
        with source.one_moment() as present, self._target.one_moment() as copy:
            if any(_differing(club, _rows(present, club), _rows(copy, club))):
                raise NotMoved("somebody saved in the old ledger meanwhile. Stop its service")
        with self._batch() as copy:
            if not self._target.is_sqlite:
                _set_sequences(copy)
            copy.execute(update(_REVISION).values(version_num=NEWEST))

    @contextmanager
    def _batch(self) -> Iterator[Connection]:
        """Open a transaction in the copy. Raises ``NotMoved`` if it is marked as unfinished no longer.

        Others who copy into it wait until it ends.
        """
        with named_failures(), self._writing.begin() as copy:
            mark = update(_REVISION).where(_REVISION.c.version_num == MOVING)
            if copy.execute(mark.values(version_num=MOVING)).rowcount != 1:
                raise NotMoved(f"another process or version has copied to there. {_VALID}")
            yield copy

    def _append(self, table: Table, without: str | None) -> Iterator[int]:
        """Copy the rows after the last one of the copy; yield the number of rows of each batch."""
        number = BATCH
        while number == BATCH:
            with self._batch() as copy:
                rows = _page(self._source, table, _last_key(copy, table), without)
                _insert(copy, table, rows)
                number = len(rows)
            yield number

    def _correct(self, table: Table, without: str | None = None) -> None:
        """Insert and update rows up to the last one of the copy; of tables that only grow, insert them."""
        pairs = ((mine, theirs) for mine, theirs in self._copied(table, without) if mine)
        while batch := list(islice(pairs, BATCH)):
            with self._batch() as copy:
                if table.name not in _ONLY_GROW:
                    _update(copy, table, [mine for mine, theirs in batch if theirs])
                missing = [mine for mine, theirs in batch if not theirs]
                _insert(copy, table, missing)
            self.present += len(missing)

    def _delete_others(self, table: Table) -> None:
        """Delete the rows that the source has no longer."""
        others = (theirs for mine, theirs in self._copied(table) if theirs and not mine)
        while batch := list(islice(others, BATCH)):
            with self._batch() as copy:
                keys = [_named_key(table, row) for row in batch]
                copy.execute(delete(table).where(_has_key(table)), keys)
            self.present -= len(batch)

    def _copied(self, table: Table, without: str | None = None) -> Iterator[Pair]:
        """Yield the differing rows up to the last one of the copy."""
        with self._target.one_moment() as copy:
            if last := _last_key(copy, table):
                mine = _rows(self._source, table, without)
                until = takewhile(lambda row: _key(table, row) <= last, mine)
                yield from _differing(table, until, _rows(copy, table))


def _row_count(connection: Connection, *tables: Table) -> int:
    """Return the number of rows in these tables, by default in all."""
    counts = (select(func.count()).select_from(table) for table in tables or _TABLES.values())
    return sum(connection.scalar(query) or 0 for query in counts)


def _key(table: Table, row: Sequence[Any]) -> tuple[Any, ...]:
    """Return a row's key: its first values."""
    return tuple(row[: len(table.primary_key)])


def _ordered(connection: Connection, table: Table) -> list[ColumnElement[Any]]:
    """Return the columns of the key as both databases and Python order them: texts by code points."""
    order = "BINARY" if connection.dialect.name == "sqlite" else "C"
    return [
        collate(column, order) if isinstance(column.type, String) else column
        for column in table.primary_key
    ]


def _last_key(connection: Connection, table: Table) -> tuple[Any, ...] | None:
    order = [column.desc() for column in _ordered(connection, table)]
    row = connection.execute(select(*table.primary_key).order_by(*order).limit(1)).first()
    return tuple(row) if row else None


def _page(
    connection: Connection, table: Table, after: Sequence[Any] | None, without: str | None
) -> Sequence[Row[Any]]:
    """Return the next rows after a key; the column ``without`` is NULL in each."""
    key = _ordered(connection, table)
    columns = (null().label(c.name) if c.name == without else c for c in table.columns)
    query = select(*columns).order_by(*key).limit(BATCH)
    if after:
        values = (literal(value, c.type) for value, c in zip(after, key, strict=True))
        query = query.where(tuple_(*key) > tuple_(*values))
    return connection.execute(query).all()


def _rows(connection: Connection, table: Table, without: str | None = None) -> Rows:
    """Yield all rows in the order of their keys, with one page of them in memory."""
    page = _page(connection, table, None, without)
    while page:
        yield from page
        page = _page(connection, table, _key(table, page[-1]), without)


def _differing(table: Table, mine: Rows, theirs: Rows) -> Iterator[Pair]:
    """Yield the differences between rows, both in the order of their keys."""
    ours, others = iter(mine), iter(theirs)
    one, other = next(ours, None), next(others, None)
    while one or other:
        if one == other:
            one, other = next(ours, None), next(others, None)
        elif not other or (one and _key(table, one) < _key(table, other)):
            yield one, None
            one = next(ours, None)
        elif not one or _key(table, other) < _key(table, one):
            yield None, other
            other = next(others, None)
        else:
            yield one, other
            one, other = next(ours, None), next(others, None)


def _insert(copy: Connection, table: Table, rows: Sequence[Row[Any]]) -> None:
    if rows and copy.dialect.name == "sqlite":
        copy.execute(insert(table), [row._asdict() for row in rows])
    elif rows:
        DriverConnection(copy).copy_in(table.name, table.columns.keys(), rows)


def _update(copy: Connection, table: Table, rows: Sequence[Row[Any]]) -> None:
    if rows:
        keys = [_named_key(table, row) for row in rows]
        if table.name == "player":  # two may have exchanged their names
            for_now = "player\t" + cast(table.c.id, String)
            copy.execute(update(table).where(_has_key(table)).values(name_key=for_now), keys)
        keyed = [{**row._asdict(), **key} for row, key in zip(rows, keys, strict=True)]
        copy.execute(update(table).where(_has_key(table)), keyed)


def _has_key(table: Table) -> ColumnElement[bool]:
    return and_(*(column == bindparam(f"key_{column.name}") for column in table.primary_key))


def _named_key(table: Table, row: Row[Any]) -> dict[str, Any]:
    return {f"key_{c.name}": value for c, value in zip(table.primary_key, row, strict=False)}


def _set_sequences(copy: Connection) -> None:
    """Let PostgreSQL number new clubs and refused passcodes after the copied ones."""
    for name, table in _TABLES.items():
        if [*table.primary_key.columns.keys()] == ["id"]:
            last, sequence = func.max(table.c.id), func.pg_get_serial_sequence(name, "id")
            copy.execute(select(func.setval(sequence, func.coalesce(last, 1), last.is_not(None))))


def files_to_copy(source: Settings, target: Settings) -> dict[Path, bytes]:
    """Return the content of each key and certificate that is missing beside the target, by its new path.

    Raises ``NotMoved`` if others are there.
    """
    files: dict[Path, bytes] = {}
    if source.folder == target.folder:
        return files
    certificates = sorted((source.folder / FOLDER).glob("*"))
    for file in (source.folder / "secret-key", source.folder / "signing-key", *certificates):
        if not file.is_file():
            continue
        new = target.folder / file.relative_to(source.folder)
        if not new.exists():
            files[new] = file.read_bytes()
        elif new.read_bytes() != file.read_bytes():
            raise NotMoved(
                f"{new} belongs to another ledger: this one's is {file}. Name a file in another folder, or "
                "set another LEDGER_DATA_DIR"
            )
    return files


def copy_files(files: Mapping[Path, bytes]) -> None:
    """Create files that only their owner can read, each complete or not at all."""
    for file, content in files.items():
        folder(file.parent)
        write_whole(file, [content])
