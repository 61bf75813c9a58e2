"""Check PostgreSQL's pages: read each table to its end and each index in its order.

If an operator has installed the extension ``amcheck``, it checks both as well. It is not installed here,
because verification writes nothing.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Connection

from ledger.database.connecting import Connected
from ledger.services.audit import salvage
from ledger.words.problems import Unreachable

MOST = 100
"""The number of faults reported for one table or index."""
RETRIES, WAIT_SECONDS = 20, 0.5
"""How often, and after how many seconds each, to try to reach a server that crashed at a damaged page."""

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
_READ_ALL = "SELECT count(*), sum(octet_length(every::text)) FROM {0} AS every"
_COUNT = "SELECT count(*) FROM {0} WHERE {1}"
_IN_ORDER = "SELECT count(*) FROM (SELECT {2} FROM {0} WHERE {1} ORDER BY {2}) AS every"
_INSTALLED = "SELECT count(*) FROM pg_extension WHERE extname = 'amcheck'"
_IS_ALLOWED = (
    "SELECT bool_and(has_function_privilege(oid, 'EXECUTE')) FROM pg_proc "
    "WHERE proname IN ('verify_heapam', 'bt_index_check')"
)
_HEAP = (
    "SELECT 'block ' || blkno || ', row ' || offnum || ': ' || msg "
    "FROM {1}.verify_heapam({0}::regclass, check_toast => true) LIMIT {2}"
)
_TREE = "SELECT {1}.bt_index_check({0}::regclass, true)"
_ITS_SCHEMA = "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'amcheck'"
_CHECKSUM_FAILURES = (
    "SELECT checksum_failures || ' pages did not have their checksum' FROM pg_stat_database "
    "WHERE datname = current_database() AND checksum_failures > 0"
)
_TABLE_SCANS = ("seqscan", "bitmapscan", "sort")
"""The planner's settings that must be off to read a table by an index."""


class PostgresPages:
    """A check of a database's pages; ``remarks`` name the checks that were not possible."""

    def __init__(self, database: Connected) -> None:
        self._database = database
        self._amcheck: str | None = None
        self.remarks: list[str] = []

    def faults(self) -> Iterator[str]:
        """Yield each fault, and fill ``remarks``; a crash at a damaged table is a fault.

        Raises ``Unreachable`` if the server can't be reached, or does not come back after a crash.
        """
        with self._database.one_moment() as connection:
            if _value(connection, "SHOW data_checksums") != "on":
                self.remarks.append(NO_CHECKSUMS)
            if not _value(connection, _INSTALLED):
                self.remarks.append(NO_AMCHECK)
            elif not _value(connection, _IS_ALLOWED):
                self.remarks.append(NOT_ALLOWED)
            else:
                self._amcheck = str(_value(connection, _ITS_SCHEMA))
            tables = _fetch(connection, _TABLES)
        for oid, name in tables:
            try:
                with self._database.one_moment() as connection:
                    yield from self._table_faults(connection, oid, name)
            except Unreachable as error:
                yield f"table {name}: the server ended while it was read ({error.why})"
                self._wait()
        with self._database.one_moment() as connection:
            yield from (str(row[0]) for row in _fetch(connection, _CHECKSUM_FAILURES))

    def _table_faults(self, connection: Connection, oid: int, name: str) -> Iterator[str]:
        """Yield the faults of a table and its indexes, each read on its own in one snapshot, as sentences."""
        with salvage.planner_without(connection, *salvage.INDEX_SCANS):
            yield from _faults(connection, f"table {name}", _READ_ALL.format(name))
        if self._amcheck:
            heap = _HEAP.format(oid, self._amcheck, MOST)
            yield from _faults(
                connection, f"table {name}", heap, lambda rows: [str(row[0]) for row in rows]
            )
        for index, its_name, is_valid, columns, condition in _fetch(
            connection, _INDEXES.format(oid)
        ):
            place = f"index {its_name}"
            if not is_valid:
                yield f"{place} is not valid"
                continue
            if self._amcheck:
                yield from _faults(connection, place, _TREE.format(index, self._amcheck))
            yield from self._index_faults(connection, place, (name, condition, columns))

    def _index_faults(
        self, connection: Connection, place: str, source: tuple[str, str, str]
    ) -> Iterator[str]:
        """Yield a fault if an index can't be read, or finds another number of rows than its table has.

        A table that can't be read itself was reported before.
        """
        try:
            with salvage.planner_without(connection, *salvage.INDEX_SCANS):
                expected = _value(connection, _COUNT.format(*source))
        except salvage.unreadable(connection):
            return  # the unreadable table was reported

        def difference(rows: list[Any]) -> list[str]:
            number = rows[0][0]
            return [f"it finds {number} of {expected} rows"] if number != expected else []

        with salvage.planner_without(connection, *_TABLE_SCANS):
            yield from _faults(connection, place, _IN_ORDER.format(*source), difference)

    def _wait(self) -> None:
        """Wait until a crashed server has recovered. Raises ``Unreachable`` if it takes too long."""
        for left in range(RETRIES, 0, -1):
            try:
                with self._database.one_moment() as connection:
                    _value(connection, "SELECT 1")
                return
            except Unreachable:
                if left == 1:
                    raise
                time.sleep(WAIT_SECONDS)


def _faults(
    connection: Connection,
    place: str,
    query: str,
    judge: Callable[[list[Any]], list[str]] = lambda _rows: [],
) -> Iterator[str]:
    """Run a query; yield the faults that ``judge`` finds in its rows or, if it fails, the error."""
    try:
        faults = judge(_fetch(connection, query))
    except salvage.unreadable(connection) as error:
        faults = [" ".join(str(error).split())]
    yield from (f"{place}: {fault}" for fault in faults)


def _fetch(connection: Connection, query: str) -> list[Any]:
    raw: Any = connection.connection.driver_connection
    with salvage.savepoint(connection):
        cursor = raw.execute(query)
        return list(cursor.fetchall()) if cursor.description else []


def _value(connection: Connection, query: str) -> Any:
    return _fetch(connection, query)[0][0]
