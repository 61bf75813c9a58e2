"""SQLAlchemy's undocumented attributes that the ledger relies on are there and mean the same.

A failure here after an upgrade names the attribute; its substitute belongs in `sqlalchemy_internals`.
"""

import ast
import re
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy import Connection, create_engine, event, table
from sqlalchemy.exc import OperationalError
from sqlmodel import bindparam, col, select, update

from ledger.database.models import Player, metadata
from ledger.database.sqlalchemy_internals import (
    assigned_columns,
    belongs_to_model,
    is_orm_statement,
    raise_failure,
    statement_listeners,
)
from tests.support.tree import ROOT, python_files

MISTAKE = "SELECT missing"
VERSION = f"SQLAlchemy {sqlalchemy.__version__} has changed "


def test_listeners_of_an_engine_are_those_of_its_connections() -> None:
    """`Connection.dispatch.before_cursor_execute` lists what `event.listen` registered."""
    engine = create_engine("sqlite://")
    calls: list[str] = []

    def listener(_c: Connection, _cursor: object, text: str, *_: object) -> None:
        calls.append(text)

    event.listen(engine, "before_cursor_execute", listener)
    with engine.connect() as connection:
        listeners = statement_listeners(connection)
        for hear in listeners:
            hear(connection, None, "SELECT 1", (), None, False)
    assert calls == ["SELECT 1"], VERSION + "Connection.dispatch"


def test_a_drivers_error_is_raised_as_sqlalchemys_own() -> None:
    """`Connection._handle_dbapi_exception` wraps it and asks the listeners, as for any statement."""
    engine = create_engine("sqlite://")
    contexts: list[object] = []
    event.listen(engine, "handle_error", lambda context: contexts.append(context.statement))
    with engine.connect() as connection:
        cursor = connection.connection.cursor()
        with pytest.raises(sqlite3.OperationalError) as failed:
            cursor.execute(MISTAKE)
        with pytest.raises(OperationalError) as raised:
            raise_failure(connection, failed.value, MISTAKE, (), cursor)
    assert "no such column" in str(raised.value.orig), (
        VERSION + "Connection._handle_dbapi_exception"
    )
    assert contexts == [MISTAKE], VERSION + "_handle_dbapi_exception"


def test_models_are_told_from_bare_tables() -> None:
    """`_annotations` and `_propagate_attrs` mark statements built from a model."""
    bare = metadata.tables["player"]
    assert belongs_to_model(col(Player.name)), VERSION + "_annotations of a model's column"
    assert not belongs_to_model(bare.c.name), VERSION + "_annotations of a table's column"
    assert is_orm_statement(select(Player.name)), VERSION + "_propagate_attrs of a model's SELECT"
    assert is_orm_statement(update(Player)), VERSION + "_propagate_attrs of a model's UPDATE"
    assert not is_orm_statement(sqlalchemy.select(bare.c.name)), VERSION + "_propagate_attrs"
    assert not is_orm_statement(sqlalchemy.select(table("player"))), VERSION + "_propagate_attrs"


def test_columns_of_an_update_are_known_whatever_they_are_set_to() -> None:
    """`Update._values` has those that are set to an expression; parameters have the others."""
    by_value = update(Player).values(name=bindparam("new_name"))
    by_column = update(Player).values(club_id=Player.id)
    by_table_column = update(Player).values({metadata.tables["player"].c.club_id: Player.id})
    assert "name" in assigned_columns(by_value), VERSION + "Update._values"
    assert "club_id" in assigned_columns(by_column), VERSION + "Update._values"
    assert "club_id" in assigned_columns(by_table_column), VERSION + "Update._values"


NAMEDTUPLE = {"_replace", "_asdict", "_fields", "_field_defaults", "_make"}
"""Documented in spite of their underscore."""

ISOLATED = {
    "ledger/database/sqlalchemy_internals.py",
    "ledger/api/smorest_internals.py",
    "ledger/report/reportlab_internals.py",
}
"""The modules that may read a private attribute of a library."""


def _private_attributes(path: Path) -> list[str]:
    """Return the private attributes that a module reads of objects that are not its own."""
    nodes = list(ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))))
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)} | NAMEDTUPLE
    uses = []
    for node in nodes:
        if not isinstance(node, ast.Attribute) or not re.match("_[a-z]", node.attr):
            continue
        of_self = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
        of_super = isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()"
        if not (of_self or of_super or node.attr in own):
            uses.append(f"{path}:{node.lineno}: .{node.attr}")
    return uses


def test_private_attributes_of_libraries_are_read_in_their_own_modules_only() -> None:
    """An upgrade of a library concerns these, and no others."""
    uses = {path: _private_attributes(path) for path in python_files("engine", "ledger")}
    assert all(uses[Path(path)] for path in ISOLATED)
    assert not [use for path in uses if str(path) not in ISOLATED for use in uses[path]]
