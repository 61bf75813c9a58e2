"""The tables as the migrations make them: their columns, types and foreign keys.

They are parsed from the definitions in ``schema`` and not taken from the program's models, because
verification is a second opinion and needs no objects.
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
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

from ledger.database import json

_TYPES = {
    "BIGINT": BigInteger,
    "BLOB": LargeBinary,
    "BOOLEAN": Boolean,
    "DATE": Date,
    "DATETIME": DateTime,
    "INTEGER": Integer,
    "JSON": JSON,
    "VARCHAR": String,
}
"""The types by their names in SQLite's definitions."""

_COLUMN = re.compile(r"(?!CONSTRAINT )(\w+) (\w+)")
_FOREIGN_KEY = re.compile(r"FOREIGN KEY\(([\w,]+)\)REFERENCES (\w+)\(([\w,]+)\)")
VERSION = "alembic_version"
"""Alembic's own table, which is not part of ``metadata``."""


def made_by_migrations(kind: str) -> Mapping[str, str]:
    """Map the kind and name of each definition, such as ``table seat``, to its text after all migrations.

    ``kind`` is ``sqlite`` or ``postgresql``.
    """
    file = resources.files(__package__).joinpath("schema", f"{kind}.json")
    definitions: Mapping[str, str] = json.read(file.read_bytes())
    return definitions


def parts(definition: str) -> list[str]:
    """Split the content of a definition's outer brackets at its top-level commas.

    >>> parts("CREATE TABLE seat(CONSTRAINT pk_seat PRIMARY KEY(id, club_id),id INTEGER)")
    ['CONSTRAINT pk_seat PRIMARY KEY(id, club_id)', 'id INTEGER']
    """
    pieces, depth = [""], 0
    for piece in re.split(r"([(),])", definition.partition("(")[2].rpartition(")")[0]):
        depth += (piece == "(") - (piece == ")")
        if piece == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += piece
    return pieces


def _columns_and_keys(definition: str) -> Iterator[Column[object] | ForeignKeyConstraint]:
    for part in parts(definition):
        if match := _COLUMN.match(part):
            name, kind = match.groups()
            yield Column(name, _TYPES[kind](), nullable="NOT NULL" not in part)
    for columns, table, targets in _FOREIGN_KEY.findall(definition):
        referred = [f"{table}.{target}" for target in targets.split(",")]
        yield ForeignKeyConstraint(columns.split(","), referred)


metadata = MetaData()
for _key, _definition in made_by_migrations("sqlite").items():
    _kind, _, _name = _key.partition(" ")
    if _kind == "table" and _name != VERSION:
        Table(_name, metadata, *_columns_and_keys(_definition))

OWNED = [table for table in metadata.sorted_tables if {"club_id", "id"} <= {*table.c.keys()}]
"""The tables of the clubs' rows."""
