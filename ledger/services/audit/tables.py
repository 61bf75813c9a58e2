"""The tables as the migrations make them: columns, what each can hold, and at which rows they point.

They are read from the definitions that books are compared with (``schema``), not from the models by which
the program writes: verifying is a second opinion, and needs no objects.
"""

import re
from collections.abc import Iterator, Mapping
from importlib import resources

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

from ledger.database import json

_KINDS = {
    "BIGINT": BigInteger,
    "BLOB": LargeBinary,
    "BOOLEAN": Boolean,
    "DATE": Date,
    "DATETIME": DateTime,
    "INTEGER": Integer,
    "JSON": JSON,
    "VARCHAR": String,
}
"""What SQLite's definitions call them."""

_COLUMN = re.compile(r"(?!CONSTRAINT )(\w+) (\w+)")
_POINTS = re.compile(r"FOREIGN KEY\((\w+)\)REFERENCES (\w+)\(id\)")
VERSION = "alembic_version"
"""Alembic's own table, which is not among ``metadata``."""


def made_by_migrations(kind: str) -> Mapping[str, str]:
    """Return what the migrations make in a kind of database: each definition by its kind and name."""
    file = resources.files(__package__).joinpath("schema", f"{kind}.json")
    made: Mapping[str, str] = json.read(file.read_bytes())
    return made


def parts(definition: str) -> list[str]:
    """Split what stands between a table's outer brackets at its own commas.

    >>> parts("CREATE TABLE seat(CONSTRAINT pk_seat PRIMARY KEY(id, club_id),id INTEGER)")
    ['CONSTRAINT pk_seat PRIMARY KEY(id, club_id)', 'id INTEGER']
    """
    found, depth = [""], 0
    for piece in re.split(r"([(),])", definition.partition("(")[2].rpartition(")")[0]):
        depth += (piece == "(") - (piece == ")")
        if piece == "," and depth == 0:
            found.append("")
        else:
            found[-1] += piece
    return found


def _columns(definition: str) -> Iterator[Column[object]]:
    points = {column: f"{table}.id" for column, table in _POINTS.findall(definition)}
    for part in parts(definition):
        if said := _COLUMN.match(part):
            name, kind = said.groups()
            to = [ForeignKey(points[name])] if name in points else []
            yield Column(name, _KINDS[kind](), *to, nullable="NOT NULL" not in part)


metadata = MetaData()
for _named, _definition in made_by_migrations("sqlite").items():
    _what, _, _name = _named.partition(" ")
    if _what == "table" and _name != VERSION:
        Table(_name, metadata, *_columns(_definition))
