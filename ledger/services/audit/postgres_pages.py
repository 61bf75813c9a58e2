"""What PostgreSQL says of its own pages: each table is read to its end, and each index in its order.

Where an operator has installed its extension ``amcheck``, that looks through both, too. Nothing is installed
here: verifying writes nothing.
"""

import time
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection

from ledger.database.connecting import Connected
from ledger.services.audit import salvage
from ledger.words.problems import Unreachable

MOST = 100
"""How many faults of one table or index are told."""
RETURNS, WAIT_SECONDS = 20, 0.5
"""How often and how long a server is waited for that ended at a damaged page, until the rest is left."""

NO_AMCHECK = (
    "PostgreSQL's extension amcheck is not installed in this database: each index was read, but not compared "
    "with its table row by row. CREATE EXTENSION amcheck, as a superuser, installs it."
)
NOT_ALLOWED = (
    "PostgreSQL's extension amcheck is not this role's to use: each index was read, but not compared with "
    "its table row by row. GRANT EXECUTE on verify_heapam and bt_index_check allows it."
)
NO_CHECKSUMS = (
    "This PostgreSQL keeps no checksums of its pages: what changed on the disk may be read as if it were "
    "right. pg_checksums --enable, while the server is down, adds them."
)

_TABLES = (
    "SELECT oid::int8, oid::regclass::text FROM pg_class "
    "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 2"
)
_INDEXES = (
    "SELECT indexrelid::int8, indexrelid::regclass::text, indisvalid, "
    "(SELECT string_agg(pg_get_indexdef(indexrelid, place, true), ', ' ORDER BY place) "
    "FROM generate_series(1, indnkeyatts) AS place), "
    "coalesce(pg_get_expr(indpred, indrelid), 'true') "
    "FROM pg_index WHERE indrelid = {0} ORDER BY 2"
)
_WHOLE = "SELECT count(*), sum(octet_length(every::text)) FROM {0} AS every"
_COUNTED = "SELECT count(*) FROM {0} WHERE {1}"
_IN_ORDER = "SELECT count(*) FROM (SELECT {2} FROM {0} WHERE {1} ORDER BY {2}) AS every"
_INSTALLED = "SELECT count(*) FROM pg_extension WHERE extname = 'amcheck'"
_MAY = (
    "SELECT bool_and(has_function_privilege(oid, 'EXECUTE')) FROM pg_proc "
    "WHERE proname IN ('verify_heapam', 'bt_index_check')"
)
_HEAP = (
    "SELECT 'block ' || blkno || ', row ' || offnum || ': ' || msg "
    "FROM {1}.verify_heapam({0}::regclass, check_toast => true) LIMIT {2}"
)
_TREE = "SELECT {1}.bt_index_check({0}::regclass, true)"
_ITS_SCHEMA = "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'amcheck'"
_FAILURES = (
    "SELECT checksum_failures || ' pages did not have their checksum' FROM pg_stat_database "
    "WHERE datname = current_database() AND checksum_failures > 0"
)
_BY_INDEX = ("seqscan", "bitmapscan", "sort")
"""What its planner does without where it reads a table by an index."""


class PostgresPages:
    """Looks through the pages of a database; ``remarks`` are what could not be looked at that closely."""

    def __init__(self, database: Connected) -> None:
        self._database = database
        self._amcheck: str | None = None
        self.remarks: list[str] = []

    def faults(self) -> Iterator[str]:
        """Yield what is damaged. Raises ``Unreachable`` where the server ended and does not come back."""
        with self._database.one_moment() as connection:
            if _one(connection, "SHOW data_checksums") != "on":
                self.remarks.append(NO_CHECKSUMS)
            if not _one(connection, _INSTALLED):
                self.remarks.append(NO_AMCHECK)
            elif not _one(connection, _MAY):
                self.remarks.append(NOT_ALLOWED)
            else:
                self._amcheck = str(_one(connection, _ITS_SCHEMA))
            tables = _asked(connection, _TABLES)
        for oid, name in tables:
            try:
                with self._database.one_moment() as connection:
                    yield from self._table(connection, oid, name)
            except Unreachable as error:
                yield f"table {name}: the server ended while it was read ({error.why})"
                self._wait()
        with self._database.one_moment() as connection:
            yield from map(str, _column(connection, _FAILURES))

    def _table(self, connection: Connection, oid: int, name: str) -> Iterator[str]:
        """Read a table by itself and by each of its indexes, as they are at one moment."""
        with salvage.without(connection, *salvage.BY_TABLE):
            yield from _tried(connection, f"table {name}", _WHOLE.format(name), _nothing)
        if self._amcheck:
            heap = _HEAP.format(oid, self._amcheck, MOST)
            yield from _tried(connection, f"table {name}", heap, _each)
        for index, its_name, is_valid, columns, which in _asked(connection, _INDEXES.format(oid)):
            place = f"index {its_name}"
            if not is_valid:
                yield f"{place} is not valid"
                continue
            if self._amcheck:
                yield from _tried(connection, place, _TREE.format(index, self._amcheck), _nothing)
            yield from self._counted(connection, place, (name, which, columns))

    def _counted(
        self, connection: Connection, place: str, read: tuple[str, str, str]
    ) -> Iterator[str]:
        try:
            with salvage.without(connection, *salvage.BY_TABLE):
                there = _one(connection, _COUNTED.format(*read))
        except salvage.unreadable(connection):
            return  # that its table can't be read was told

        def differ(rows: list[Any]) -> list[str]:
            found = rows[0][0]
            return [f"it finds {found} of {there} rows"] if found != there else []

        with salvage.without(connection, *_BY_INDEX):
            yield from _tried(connection, place, _IN_ORDER.format(*read), differ)

    def _wait(self) -> None:
        """Wait until a server is back that ended at a page, and recovers."""
        for left in range(RETURNS, 0, -1):
            try:
                with self._database.one_moment() as connection:
                    _one(connection, "SELECT 1")
                return
            except Unreachable:
                if left == 1:
                    raise
                time.sleep(WAIT_SECONDS)


def _tried(connection: Connection, place: str, query: str, say: Any) -> Iterator[str]:
    """Ask, and yield what is to be said of the rows, or why there are none."""
    try:
        said = say(_asked(connection, query))
    except salvage.unreadable(connection) as error:
        said = [" ".join(str(error).split())]
    yield from (f"{place}: {each}" for each in said)


def _each(rows: list[Any]) -> list[str]:
    return [str(said) for (said,) in rows]


def _nothing(_rows: list[Any]) -> list[str]:
    return []


def _asked(connection: Connection, query: str) -> list[Any]:
    raw: Any = connection.connection.driver_connection
    with salvage.tried(connection):
        cursor = raw.execute(query)
        return list(cursor.fetchall()) if cursor.description else []


def _column(connection: Connection, query: str) -> list[Any]:
    return [value for (value,) in _asked(connection, query)]


def _one(connection: Connection, query: str) -> Any:
    return _column(connection, query)[0]
