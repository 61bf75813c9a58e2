"""The wall between clubs: a session of one club never touches another's rows, by any statement."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import exists, inspect, literal, union, union_all
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import aliased
from sqlmodel import col, delete, func, select

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Club, ClubOwned, Player, PlayerResult, Seat, metadata
from ledger.database.narrowing import EVERY_CLUB, OutOfScope, Scope
from ledger.database.scope import Built, ScopedSession, asked_once, insert, insert_all, narrow
from tests.support.tree import ROOT, python_files

OURS = ("Ann", "Bob", "Cyd")
OWNED = sorted(ClubOwned.__subclasses__(), key=lambda model: model.__name__)


@pytest.fixture
def session(database: Database, ours: Access) -> Iterator[ScopedSession]:
    """A session of the one club while the other has rows in every table."""
    with database.read(ours) as opened:
        yield opened


@pytest.mark.parametrize("model", OWNED, ids=lambda model: str(model.__tablename__))
def test_no_table_shows_rows_of_another_club(
    session: ScopedSession, ours: Access, theirs: Access, model: type[ClubOwned], database: Database
) -> None:
    """Each table has rows of both clubs, and a session reads its own only."""
    with database.read() as everywhere:
        owners = {row.club_id for row in everywhere.exec(select(model))}
        all_ids = [inspect(row).identity for row in everywhere.exec(select(model))]
    assert owners == {ours.club_id, theirs.club_id}
    seen = session.exec(select(model)).all()
    assert seen
    assert {row.club_id for row in seen} == {ours.club_id}
    got = [row for each in all_ids if (row := session.get(model, each)) is not None]
    assert len(got) == len(seen)


def test_the_club_itself_is_the_only_one_there_is(
    session: ScopedSession, ours: Access, theirs: Access
) -> None:
    """Neither listing clubs nor asking for one by its id shows another."""
    assert [club.id for club in session.exec(select(Club))] == [ours.club_id]
    assert session.get(Club, theirs.club_id) is None


P = aliased(Player)
NAMES = select(Player.name)
COUNT = select(func.count()).select_from(Player)

READS: dict[str, tuple[Callable[[], Any], Any]] = {
    "a column": (lambda: NAMES, list(OURS)),
    "an alias": (lambda: select(P.name), list(OURS)),
    "a count of rows": (lambda: COUNT, [3]),
    "a count of an alias": (lambda: select(func.count()).select_from(P), [3]),
    "a count of ids": (lambda: select(func.count(col(Player.id))), [3]),
    "an aggregate alone": (lambda: select(func.max(Player.name)), ["Cyd"]),
    "a subquery": (lambda: select(NAMES.subquery().c.name), list(OURS)),
    "a count of a subquery": (lambda: select(func.count()).select_from(NAMES.subquery()), [3]),
    "a model over a subquery": (
        lambda: select(aliased(Player, select(Player).subquery()).name),
        list(OURS),
    ),
    "a common table expression": (lambda: select(NAMES.cte().c.name), list(OURS)),
    "a scalar subquery": (lambda: select(COUNT.scalar_subquery(), Club.id), [(3, 1)]),
    "a union": (lambda: select(union(NAMES, select(P.name)).subquery().c.name), list(OURS)),
    "a literal where a row exists": (lambda: select(literal(1)).where(Player.name == "Xan"), []),
    "an exists": (lambda: select(Club.id).where(exists().where(col(Player.name) == "Xan")), []),
    "an exists of a select": (
        lambda: select(select(Player).where(Player.name == "Xan").exists()),
        [False],
    ),
    "an in": (lambda: select(Club.id).where(literal("Xan").in_(NAMES)), []),
    "a correlated subquery": (
        lambda: select(
            Club.id,
            select(func.count(col(Player.id))).where(Player.club_id != Club.id).scalar_subquery(),
        ),
        [(1, 0)],
    ),
    "an inner join": (
        lambda: select(Player.name).join(Seat, col(Seat.id) > 0).distinct(),
        list(OURS),
    ),
    "an outer join": (
        lambda: select(Club.id, P.name).outerjoin(P, col(P.name) == "Xan"),
        [(1, None)],
    ),
    "a full join": (
        lambda: select(Player.name, Club.id).join(Club, col(Club.id) > 0, full=True),
        [(n, 1) for n in OURS],
    ),
    "a product": (lambda: select(func.count()).select_from(Player).join(P, col(P.id) > 0), [9]),
    "a group": (
        lambda: select(Player.club_id, func.count()).group_by(col(Player.club_id)),
        [(1, 3)],
    ),
}


@pytest.mark.parametrize("read", READS)
def test_no_way_of_asking_shows_rows_of_another_club(session: ScopedSession, read: str) -> None:
    """Columns, aliases, counts, joins, unions, subqueries: Xan and Yve are nowhere."""
    statement, expected = READS[read]
    rows = [row[0] if len(row) == 1 else tuple(row) for row in session.execute(statement())]
    assert sorted(rows, key=str) == expected


@pytest.mark.parametrize("read", READS)
def test_no_built_statement_shows_rows_of_another_club(session: ScopedSession, read: str) -> None:
    """Built once and asked as plain rows, they are narrowed as well, in every part of them."""
    statement, expected = READS[read]
    rows = session.ask(Built(lambda *row: row[0] if len(row) == 1 else row, statement()))
    assert sorted(rows, key=str) == expected


def test_a_built_statement_is_told_its_club_each_time(
    database: Database, ours: Access, theirs: Access
) -> None:
    """The same one shows each club its own; without a club it is not sent, nor can the caller name one."""
    built = Built(str, NAMES)
    with database.read(ours) as session:
        assert sorted(session.ask(built)) == list(OURS)
        assert sorted(session.ask(built, club_in_hand=theirs.club_id)) == list(OURS)
    with database.read(theirs) as session:
        assert sorted(session.ask(built)) == ["Ann", "Bob", "Xan", "Yve"]
    with database.read() as session:
        with pytest.raises(OutOfScope):
            session.ask(built)
        with pytest.raises(StatementError, match="club_in_hand"):
            session.connection().execute(built.statement)


def test_what_is_built_to_find_a_club_is_asked_by_the_doors_only(
    database: Database, ours: Access
) -> None:
    """It shows every club, so a session that has been narrowed to one does not ask it."""
    everywhere = Built(str, NAMES, everywhere=True)
    with database.read() as session:
        assert len(session.ask(everywhere)) == 7
        narrow(session, Scope(ours.club_id))
        with pytest.raises(OutOfScope):
            session.ask(everywhere)


def test_a_union_of_selects_is_narrowed_in_each_part(session: ScopedSession) -> None:
    """A statement that begins with the union itself."""
    assert len(session.execute(union_all(NAMES, NAMES)).all()) == 6


def test_a_session_without_a_scope_answers_nothing(database: Database) -> None:
    """Forgetting to narrow a session fails at once; there is no scope by default."""
    with ScopedSession(database.engine) as session, pytest.raises(KeyError):
        session.exec(select(Player)).all()


def test_only_a_session_for_every_club_sees_every_club(database: Database, ours: Access) -> None:
    """The doors that must find a club first ask for it by name."""
    with ScopedSession(database.engine) as session:
        narrow(session, EVERY_CLUB)
        assert len(session.exec(select(Player)).all()) == 7
        narrow(session, Scope(ours.club_id))
        assert len(session.exec(select(Player)).all()) == 3


def test_every_table_but_the_clubs_own_belongs_to_a_club() -> None:
    """A table that forgot its owner would be open to all; a model below a model would be missed.

    Strangers' tries belong to no club, and the clubs of names, tokens and links are found before there is
    one: they are read and written at the door only.
    """
    owned = {str(model.__tablename__) for model in OWNED}
    assert {"club", "club_name", "key_digest", "refused_try", *owned} == set(metadata.tables)
    assert not [deeper for model in OWNED for deeper in model.__subclasses__()]


def test_no_service_speaks_past_the_models() -> None:
    """A bare table beside a model, or rows saved in bulk, would slip through: no service does it.

    Except verifying, which reads every club's books and writes nothing.
    """
    past = re.compile(
        r"__table__|\.bulk_\w+\(|metadata\.tables|\.connection\(\)|exec_driver_sql|(?<!json\.)\btext\("
    )
    services = [
        path
        for path in python_files("ledger")
        if path.parts[1] in {"services", "api", "web", "report"}
        or path.parts[1:] == ("books", "journal.py")
        if path.parts[1:3] != ("services", "audit")
    ]
    assert len(services) > 10
    assert not [str(path) for path in services if past.search((ROOT / path).read_text())]


def test_rows_written_in_one_go_are_the_clubs(
    database: Database, ours: Access, theirs: Access
) -> None:
    """They are stamped like any other, for any club stated in them; across clubs none is written so."""
    with database.write(ours) as session:
        hand = {"hand_id": 1, "seat_id": 3, "player_id": 3, "amount": 9, "unit": "chips"}
        hand["club_id"] = theirs.club_id
        session.exec(delete(PlayerResult))
        insert_all(session, PlayerResult, [hand])
        assert (
            session.exec(select(PlayerResult.club_id).where(PlayerResult.amount == 9)).one()
            == ours.club_id
        )
        assert insert(session, PlayerResult, {**hand, "seat_id": 1}) > 0
    with database.write() as session, pytest.raises(OutOfScope):
        insert_all(session, PlayerResult, [hand])


def test_a_session_that_a_door_narrowed_to_a_club_stays_there(
    database: Database, ours: Access, theirs: Access
) -> None:
    """It is of every club until its club is known; then it is that club's to its end."""
    with database.read() as session:
        assert len(session.exec(select(Club)).all()) == 2
        narrow(session, Scope(ours.club_id))
        assert [club.id for club in session.exec(select(Club))] == [ours.club_id]
        for scope in (Scope(theirs.club_id), EVERY_CLUB):
            with pytest.raises(OutOfScope):
                narrow(session, scope)
        assert session.scope == Scope(ours.club_id)


def test_what_was_asked_of_every_club_is_asked_anew_of_one(
    database: Database, ours: Access
) -> None:
    """An answer found before the session's club was known could be another club's."""

    @asked_once
    def seen(session: ScopedSession) -> int:
        return len(session.exec(select(Club)).all())

    with database.read() as session:
        assert seen(session) == 2
        narrow(session, Scope(ours.club_id))
        assert seen(session) == 1


def test_what_was_asked_is_asked_again_in_the_next_transaction_and_by_who_writes(
    database: Database, ours: Access
) -> None:
    """A read transaction sees one moment, so it asks once; another one may see another."""
    requests: list[str] = []

    @asked_once
    def ask(session: ScopedSession, what: str) -> int:
        requests.append(f"{what} of club {session.scope.club_id}")
        return len(requests)

    with database.read(ours) as session:
        assert [ask(session, "a"), ask(session, "a"), ask(session, "b")] == [1, 1, 2]
        session.close()
        assert ask(session, "a") == 3
    with database.write(ours) as session:
        assert [ask(session, "a"), ask(session, "a")] == [4, 5]
