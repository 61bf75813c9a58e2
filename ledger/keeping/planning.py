"""The statistics by which SQLite plans its searches.

Every index of a club's rows begins with the club. Without statistics, SQLite takes any first column to leave
ten rows, and would often read a whole club to find a session. Real statistics would depend on the day they
were taken. So every migration ends with these: as of clubs that have played for years.
"""

from sqlalchemy import Connection

_CLUBS = 10
"""The number of clubs: with several, a search beats a scan, which would read all of them."""

_ROWS = {
    "account": 10_000,
    "api_token": 10,
    "chip_count": 10_000,
    "club": 1,
    "club_origin": 1,
    "device": 300,
    "link": 100,
    "play_session": 1_000,
    "player": 30,
    "season": 30,
    "seat": 5_000,
    "tally": 1_000,
    "versus": 1_000,
}
"""A club's rows in the smaller tables."""

_MOST_ROWS = 1_000_000
_OF_A_CONDITION = 100
"""The rows in an index of only some rows."""

_OF_MANY, _OF_FEW = (100, 10), (10, 2)
"""A club's rows with equal values in an index's second column, and in its second and third, by table size.

With equal values in one more there is one row.
"""


def write_statistics(connection: Connection) -> None:
    """Replace the statistics of an SQLite database, and have this connection use them."""
    remove_statistics(connection)
    tables = connection.exec_driver_sql("SELECT name FROM sqlite_schema WHERE type = 'table'")
    for table in tables.scalars().all():
        indexes = connection.exec_driver_sql(f"PRAGMA index_list({table})").all()
        for _, index, is_unique, _, is_partial in indexes:
            columns = connection.exec_driver_sql(f"PRAGMA index_info({index})").all()
            rows = _OF_A_CONDITION if is_partial else _ROWS.get(table, _MOST_ROWS)
            per_value = _OF_FEW if table in _ROWS else _OF_MANY
            per_prefix = [rows, *per_value, *[1] * len(columns)][: len(columns)]
            per_prefix = [min(number, rows) for number in per_prefix]
            if is_unique:
                per_prefix[-1] = 1
            numbers = " ".join(map(str, (_CLUBS * rows, *per_prefix)))
            connection.exec_driver_sql(
                "INSERT INTO sqlite_stat1 VALUES (?, ?, ?)", (table, index, numbers)
            )
    connection.exec_driver_sql("ANALYZE sqlite_schema")


def remove_statistics(connection: Connection) -> None:
    """Empty the statistics of an SQLite database, and have this connection forget them."""
    connection.exec_driver_sql("ANALYZE sqlite_schema")  # creates their table, reads no other one
    connection.exec_driver_sql("DELETE FROM sqlite_stat1")
    connection.exec_driver_sql("ANALYZE sqlite_schema")
