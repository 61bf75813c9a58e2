"""The one place that keeps clubs apart.

A database session has a scope. Every SELECT, UPDATE and DELETE that it sends on a ``ClubOwned`` table, and on
``Club`` itself, is narrowed to the scope's club; every new row is stamped with it. Statements that can't be
narrowed (text, bare tables, rows inserted or moved by statement) are refused. Only code that must first find
a club (signing in, the command line) opens a session for every club, explicitly.
"""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    Alias,
    BigInteger,
    BindParameter,
    ColumnClause,
    Delete,
    Insert,
    Select,
    Table,
    TextClause,
    Update,
    bindparam,
    inspect,
)
from sqlalchemy.orm import ORMExecuteState, with_loader_criteria
from sqlalchemy.orm.session import Session
from sqlalchemy.orm.unitofwork import UOWTransaction
from sqlalchemy.sql import visitors

from ledger.database.bulk_parameters import is_json_parameter
from ledger.database.models import Club, ClubOwned
from ledger.database.sqlalchemy_internals import (
    assigned_columns,
    belongs_to_model,
    is_orm_statement,
)

SCOPE: Final = "ledger.scope"
"""The key of a database session's scope in its ``info``."""
CLUB: Final = "club_in_hand"
"""The parameter that holds the scope's club."""


def _club_in_hand() -> BindParameter[int]:
    return bindparam(CLUB, type_=BigInteger)


CRITERIA = (
    *(
        with_loader_criteria(
            table,
            lambda row: row.club_id == _club_in_hand(),
            include_aliases=True,
            track_closure_variables=False,
        )
        for table in ClubOwned.__subclasses__()
    ),
    with_loader_criteria(
        Club,
        lambda row: row.id == _club_in_hand(),
        include_aliases=True,
        track_closure_variables=False,
    ),
)
"""The conditions added to every statement in a club, one per table.

They are functions of the table, because a joined alias of it needs a condition of its own.
"""


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows that a database session can see: one club's, or every club's (``club_id`` None)."""

    club_id: int | None


EVERY_CLUB = Scope(None)


class OutOfScope(RuntimeError):
    """An operation that could touch another club: a programming error, never a user's."""


def narrow_statement(state: ORMExecuteState) -> None:
    """Add the club's conditions to the statement in ``state``; a session for every club sends it unchanged.

    Raises ``OutOfScope`` for a statement that they would not reach, any INSERT, an UPDATE of many rows by
    their keys, and an UPDATE of ``club_id``.
    """
    scope: Scope = state.session.info[SCOPE]
    if scope.club_id is None:
        return
    if not state.is_orm_statement or state.is_from_statement:
        raise OutOfScope("only statements on models can be kept to one club")
    if state.is_insert or (state.is_update and state.is_executemany):
        raise OutOfScope("rows are written one by one, as objects of the session")
    _check_club_unchanged(state.statement)
    state.statement = state.statement.options(*CRITERIA)
    parameters: Any = state.parameters or {}
    state.parameters = {**parameters, CLUB: scope.club_id}


def _check_club_unchanged(statement: object) -> None:
    if isinstance(statement, Update) and "club_id" in assigned_columns(statement):
        raise OutOfScope("a row stays in its club")


def check_only_models(statement: Select[*tuple[Any, ...]] | Update | Delete) -> None:
    """Raise ``OutOfScope`` if the club's conditions would not reach some part of a statement.

    Also for an UPDATE of ``club_id``.
    """
    of_models: list[Any] = []
    others: list[Any] = []
    for part in visitors.iterate(statement):
        if not is_json_parameter(part):
            (of_models if belongs_to_model(part) else others).append(part)
    tables = {part.table if isinstance(part, ColumnClause) else part for part in of_models}
    tables |= {table.element for table in tables if isinstance(table, Alias)}
    bare = [
        part
        for part in others
        if isinstance(part, TextClause | Insert)
        or (isinstance(part, Table | Alias) and part not in tables)
        or (isinstance(part, ColumnClause) and isinstance(part.table, Table | Alias))
    ]
    if bare or not is_orm_statement(statement):
        raise OutOfScope("only statements on models can be kept to one club")
    _check_club_unchanged(statement)


def keep_in_club(session: Session, _context: UOWTransaction, _instances: object) -> None:
    """Set the club of new rows before a flush; a session for every club is left alone.

    Raises ``OutOfScope`` for a row that is, was or would be another club's.
    """
    club_id = session.info[SCOPE].club_id
    if club_id is None:
        return
    for row in session.new:
        if isinstance(row, ClubOwned) and row.club_id is None:
            row.club_id = club_id
    for row in (*session.new, *session.dirty, *session.deleted):
        owner = "id" if isinstance(row, Club) else "club_id"
        state = inspect(row)
        before = state.committed_state.get(owner, club_id) if state.has_identity else club_id
        if {before, getattr(row, owner, None)} != {club_id}:
            raise OutOfScope("a row of another club was about to be written")
