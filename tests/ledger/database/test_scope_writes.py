"""The wall between clubs, from the writing side: nothing of another club is changed, taken or given."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Select, TextClause, bindparam, exists, func, insert, text
from sqlmodel import SQLModel, col, delete, select, update

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.bulk_parameters import number_list
from ledger.database.models import ApiToken, Club, HeadToHead, Player, Seat, metadata
from ledger.database.narrowing import OutOfScope
from ledger.database.scope import Built, Change, ScopedSession, add_up
from ledger.runtime.clock import now


def rows_of(database: Database, access: Access) -> list[tuple[Any, ...]]:
    """Return all there is of a club, its own row first, to compare before and after."""
    with database.read() as session:
        results: list[tuple[Any, ...]] = []
        for model in metadata.sorted_tables:
            owner = model.c.club_id if "club_id" in model.c else model.c.id
            results += map(tuple, session.execute(model.select().where(owner == access.club_id)))
        return results


UNREACHABLE: dict[str, Callable[[], Any]] = {
    "text": lambda: text("SELECT name FROM player"),
    "a bare table": lambda: SQLModel.metadata.tables["player"].select(),
    "a bare column": lambda: select(SQLModel.metadata.tables["player"].c.name),
    "a model from text": lambda: select(Player).from_statement(text("SELECT * FROM player")),
    "an update of a bare table": lambda: (
        SQLModel.metadata.tables["player"].update().values(name="X")
    ),
    "an insert": lambda: insert(Player).values(name="X", name_key="x", club_id=2, created_at=now()),
    "a row moved to another club": lambda: update(Player).values(club_id=2),
    "a row moved by what it holds": lambda: update(Player).values(club_id=Player.id),
}


@pytest.mark.parametrize("statement", UNREACHABLE)
def test_a_statement_that_cannot_be_narrowed_is_refused(
    database: Database, ours: Access, theirs: Access, statement: str
) -> None:
    """It fails rather than show or change another club's rows."""
    before = rows_of(database, theirs)
    with pytest.raises(OutOfScope), database.write(ours) as session:
        session.execute(UNREACHABLE[statement]())
    assert rows_of(database, theirs) == before


PLAYER = SQLModel.metadata.tables["player"]
BARE: dict[str, Callable[[], Any]] = {
    **UNREACHABLE,
    "a bare column beside a model": lambda: select(Seat.id, PLAYER.c.name),
    "a bare column of the model's own table": lambda: select(Player.id, PLAYER.c.name),
    "a bare alias": lambda: select(Player.id, PLAYER.alias().c.name),
    "a bare table to join with": lambda: select(Seat.id).select_from(PLAYER),
    "a bare alias to join with": lambda: select(Player.id).select_from(PLAYER.alias()),
    "a bare table in a subquery": lambda: select(Seat.id, select(PLAYER.c.name).subquery().c.name),
    "a bare table in a condition": lambda: select(Seat.id).where(exists(select(PLAYER.c.id))),
    "text in a condition": lambda: select(Seat.id).where(text("1 = 1")),
    "rows of a function": lambda: select(
        Seat.id, func.rows_of("player").table_valued("name").c.name
    ),
    "rows made of a column": lambda: select(
        Seat.id, func.json_each(PLAYER.c.name).table_valued("key").c.key
    ),
}


@pytest.mark.parametrize("statement", BARE)
def test_what_cannot_be_narrowed_is_not_even_built(statement: str) -> None:
    """A built statement is on models in every part of it, or the module that builds it can't be imported."""
    made = BARE[statement]()
    asked = isinstance(made, Select | TextClause)
    build: Callable[[Any], object] = partial(Built, tuple) if asked else Change
    with pytest.raises(OutOfScope):
        build(made)


def test_a_built_change_meets_rows_of_the_own_club_only(
    database: Database, ours: Access, theirs: Access
) -> None:
    """By their numbers, one or many, or all there are; where one is not met, nothing is written."""
    rename = Change(update(Player).where(col(Player.id) == bindparam("it")).values(name="X"))
    before = rows_of(database, theirs)
    theirs_only = foreign_player(database, theirs).id
    for numbers in ([theirs_only], [1, theirs_only]):
        with pytest.raises(OutOfScope), database.write(ours) as session:
            session.change(rename, *({"it": number} for number in numbers))
    with database.write() as session, pytest.raises(OutOfScope):
        session.change(rename, {"it": 1})
    answering = Built(
        str,
        update(Player)
        .where(col(Player.id).in_(number_list("them")))
        .values(name="X")
        .returning(col(Player.name)),
    )
    with database.write(ours) as session:
        assert session.ask(answering, them=[theirs_only]) == []
        session.change(Change(delete(ApiToken)), {})
        assert not session.exec(select(ApiToken)).all()
    assert rows_of(database, theirs) == before


def test_an_object_is_read_anew_after_its_row_was_changed(database: Database, ours: Access) -> None:
    """The session's object of a changed row never has the old values; values set on it are kept."""
    rename = Change(update(Player).where(col(Player.id) == bindparam("it")).values(name="X"))
    with database.write(ours) as session:
        ann, bob = session.exec(select(Player).order_by(col(Player.name)).limit(2)).all()
        bob.name = "Y"
        session.change(rename, {"it": ann.id})
        assert (ann.name, bob.name) == ("X", "Y")


def test_figures_are_added_to_rows_of_the_own_club_only(
    database: Database, ours: Access, theirs: Access
) -> None:
    """A key that another club's row has, too, is this club's own; a new key begins a row."""
    key = ("payer_id", "payee_id")
    row = {"payer_id": 1, "payee_id": 2, "hands": 1, "amount": 5}
    with database.write(theirs) as session:
        for player_id, name in ((1, "Zed"), (2, "Zoe")):
            session.add(Player(id=player_id, name=name, name_key=name, created_at=now()))
        session.flush()
        add_up(session, HeadToHead, key, [row])
    before = rows_of(database, theirs)
    with database.write(ours) as session:
        add_up(session, HeadToHead, key, [row])
    assert rows_of(database, theirs) == before
    with database.write(ours) as session:
        new = {**row, "payer_id": 1, "payee_id": 1}
        for _ in range(2):
            add_up(session, HeadToHead, key, [new, {**new, "amount": 1}])
        (made,) = session.exec(
            select(HeadToHead).where(HeadToHead.payer_id == 1, HeadToHead.payee_id == 1)
        )
        assert (made.club_id, made.hands, made.amount) == (ours.club_id, 4, 12)


def test_rows_are_not_updated_by_their_ids_in_bulk(
    database: Database, ours: Access, theirs: Access
) -> None:
    """An UPDATE of many by primary key takes no further conditions, so it is refused."""
    before = rows_of(database, theirs)
    with pytest.raises(OutOfScope), database.write(ours) as session:
        session.execute(update(Player), [{"id": row, "name": "X"} for row in range(1, 9)])
    assert rows_of(database, theirs) == before


def test_an_update_changes_rows_of_the_own_club_only(
    database: Database, ours: Access, theirs: Access
) -> None:
    """Without a condition, and with one that names the other club's rows."""
    before = rows_of(database, theirs)
    with database.write(ours) as session:
        assert session.exec(update(Player).values(name="X")).rowcount == 3
        by_club = update(Player).where(col(Player.club_id) == theirs.club_id).values(name="X")
        assert session.exec(by_club).rowcount == 0
        renamed = update(Club).values(name="Our Table")
        assert session.exec(renamed).rowcount == 1
    assert rows_of(database, theirs) == before


def test_a_delete_removes_rows_of_the_own_club_only(
    database: Database, ours: Access, theirs: Access
) -> None:
    """Deleting all tokens deletes one's own."""
    before = rows_of(database, theirs)
    with database.write(ours) as session:
        assert session.exec(delete(ApiToken)).rowcount == 1
    assert rows_of(database, theirs) == before


def test_a_new_row_is_stamped_with_the_club_in_hand(database: Database, ours: Access) -> None:
    """The maker of a row never states its club."""
    row = Player(name="Zed", name_key="zed", created_at=now())
    with database.write(ours) as session:
        session.add(row)
    assert row.club_id == ours.club_id


def foreign_player(database: Database, theirs: Access) -> Player:
    """Take a row of the other club out of a session of its own."""
    with database.read(theirs) as session:
        return session.exec(select(Player).where(Player.name == "Xan")).one()


def add_to_them(session: ScopedSession, theirs: Access, _row: Player) -> None:
    """Add a row that states the other club."""
    session.add(Player(name="Zed", name_key="zed", club_id=theirs.club_id, created_at=now()))


def change_theirs(session: ScopedSession, _theirs: Access, row: Player) -> None:
    """Change a row that was theirs all along."""
    session.add(row)
    row.name = "Zed"


def take_theirs(session: ScopedSession, _theirs: Access, row: Player) -> None:
    """Make a row of theirs ours."""
    session.add(row)
    row.club_id = session.scope.club_id or 0


def give_ours(session: ScopedSession, theirs: Access, _row: Player) -> None:
    """Make a row of ours theirs."""
    session.exec(select(Player)).first().club_id = theirs.club_id  # type: ignore[union-attr]


def delete_theirs(session: ScopedSession, _theirs: Access, row: Player) -> None:
    """Delete a row of theirs."""
    session.delete(row)


def found_another(session: ScopedSession, _theirs: Access, _row: Player) -> None:
    """Found a club from inside another."""
    session.add(Club(name="Z", name_key="z", passcode_hash="", created_at=now()))


@pytest.mark.parametrize(
    "act", [add_to_them, change_theirs, take_theirs, give_ours, delete_theirs, found_another]
)
def test_a_row_of_another_club_is_refused(
    database: Database,
    ours: Access,
    theirs: Access,
    act: Callable[[ScopedSession, Access, Player], None],
) -> None:
    """However it came into the session: new, changed, moved either way or deleted."""
    row = foreign_player(database, theirs)
    before = rows_of(database, theirs), rows_of(database, ours)
    with pytest.raises(OutOfScope), database.write(ours) as session:
        act(session, theirs, row)
    assert (rows_of(database, theirs), rows_of(database, ours)) == before
