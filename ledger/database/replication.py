"""The state of a PostgreSQL's replication: the server that answers, its standbys, and the fault, if any."""

import re
from typing import NamedTuple

from sqlalchemy import Connection, text

_SERVER = text("""SELECT
coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'local socket') AS node,
pg_is_in_recovery() AS is_standby, current_setting('synchronous_standby_names') AS required,
current_setting('synchronous_commit') AS waits, pg_has_role('pg_read_all_stats', 'USAGE') AS is_visible""")

_STANDBYS = text("""SELECT application_name, sync_state, coalesce(pg_wal_lsn_diff(
CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_lsn() END, flush_lsn), 0)::bigint,
coalesce(extract(epoch FROM flush_lag), 0)::float8
FROM pg_stat_replication WHERE state <> 'backup' ORDER BY 1""")

_MOST = re.compile(r"\s*(?:FIRST|ANY)?\s*(\d+)\s*\(", re.IGNORECASE)
"""The beginning of ``synchronous_standby_names`` that requires more than one."""


class Standby(NamedTuple):
    """A connected standby: its name, ``sync``, ``quorum``, ``potential`` or ``async``, and its lag."""

    name: str
    state: str
    bytes_behind: int
    seconds_behind: float

    def __str__(self) -> str:
        lag = f"{self.bytes_behind:,} bytes and {self.seconds_behind:.1f} s behind"
        return f"{self.name} ({self.state}, {lag})"


class Replication(NamedTuple):
    """The server that answers, by its address, and its standbys, none if the user may not see them.

    ``fault`` is empty if all is well, also if no synchronous replication is required.
    """

    node: str
    is_required: bool
    is_visible: bool
    standbys: tuple[Standby, ...]
    fault: str

    @property
    def lag(self) -> str:
        """The standbys with state and lag in words, "none", or a hint that the user may not see them."""
        if not self.is_visible:
            return "not visible without the role pg_read_all_stats"
        return ", ".join(map(str, self.standbys)) or "none"


def replication(connection: Connection) -> Replication:
    """Query and return the replication of the PostgreSQL server that a connection leads to."""
    server = connection.execute(_SERVER).one()
    standbys = tuple(Standby(*row) for row in connection.execute(_STANDBYS))
    names = server.required
    number = int(match[1]) if (match := _MOST.match(names)) else 1
    synchronous = sum(standby.state in ("sync", "quorum") for standby in standbys)
    fault = ""
    if server.is_standby:
        fault = "this server is a standby and takes no writes"
    elif names and server.waits in ("off", "local"):
        fault = f"synchronous_commit is {server.waits}, so that no save waits for a standby"
    elif names and server.is_visible and synchronous < number:
        fault = f"synchronous replication is required, and {synchronous} of {number} standbys are connected"
    return Replication(server.node, bool(names), server.is_visible, standbys, fault)
