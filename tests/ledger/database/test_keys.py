"""The schema keeps each club's rows together: keys, references and indexes all begin with the club."""

from collections.abc import Sequence

import pytest
from sqlalchemy import BigInteger, Connection, Inspector, inspect, text

from ledger.books.transactions import Database
from ledger.database.models import Club, ClubOwned, Player
from ledger.database.narrowing import Scope
from ledger.database.scope import NoSuchClub, narrow
from ledger.runtime.clock import now
from ledger.services.club import clubs
from tests.ledger import table
from tests.ledger.table import HEARTS_74, ask

OWNED = sorted(str(model.__tablename__) for model in ClubOwned.__subclasses__())
OF_THE_INSTALLATION = {"alembic_version", "club", "club_name", "key_digest", "refused_try"}


@pytest.fixture
def schema(any_database: Database) -> Inspector:
    """The schema as the migrations made it."""
    return inspect(any_database.engine)


@pytest.mark.parametrize("name", OWNED)
def test_every_key_reference_and_index_of_a_clubs_rows_begins_with_the_club(
    schema: Inspector, name: str
) -> None:
    """A database that spreads clubs over servers needs it, and so does a club that moves."""
    assert schema.get_pk_constraint(name)["constrained_columns"] == ["club_id", "id"]
    references = schema.get_foreign_keys(name)
    keyed: list[Sequence[str | None]] = [key["constrained_columns"] for key in references]
    keyed += [key["column_names"] for key in schema.get_unique_constraints(name)]
    keyed += [index["column_names"] for index in schema.get_indexes(name)]
    assert ["club_id"] in keyed
    assert [columns for columns in keyed if columns[0] != "club_id"] == []


@pytest.mark.parametrize("name", OWNED)
def test_ids_of_a_clubs_rows_have_64_bits(schema: Inspector, name: str) -> None:
    """An installation with many clubs runs out of shorter ones."""
    ids = {
        column["name"]: column["type"]
        for column in schema.get_columns(name)
        if column["name"] == "id" or column["name"].endswith("_id")
    }
    assert {"id", "club_id"} <= set(ids)
    assert [name for name, kind in ids.items() if not isinstance(kind, BigInteger)] == []


def test_every_other_table_is_the_installations(schema: Inspector) -> None:
    """A new table of a club's data must be one of the above."""
    assert {*schema.get_table_names()} == {*OWNED, *OF_THE_INSTALLATION}


@pytest.mark.postgres
def test_postgresql_has_no_sequence_and_no_trigger_of_a_statement_in_a_clubs_data(
    postgres_books: Database,
) -> None:
    """Citus rejects such triggers, and triggers that read another row than by its club."""
    with postgres_books.engine.connect() as connection:
        sequences = _column(connection, "SELECT sequencename FROM pg_sequences")
        triggers = _column(
            connection, "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal"
        )
        functions = _column(
            connection, "SELECT prosrc FROM pg_proc WHERE proname LIKE 'books%' ORDER BY proname"
        )
    assert sequences == {"club_id_seq", "refused_try_id_seq"}
    assert len(triggers) == 4
    assert [trigger for trigger in triggers if "FOR EACH ROW" not in trigger] == []
    readers = [source for source in functions if " FROM " in source]
    assert len(readers) == 1
    assert "club_id = NEW.club_id AND id = NEW.account_id" in readers[0]


def _column(connection: Connection, query: str) -> set[str]:
    return {str(value) for value in connection.execute(text(query)).scalars()}


def test_each_club_counts_its_own_ids(any_database: Database) -> None:
    """Both begin with 1, whatever the other wrote before."""
    played = []
    for name in ("Kitchen Table", "Back Room"):
        access, _ = clubs.create(any_database, name=name, passcode="four aces", author="Sue")
        session_id = table.start(any_database, access)
        table.record(any_database, access, session_id, HEARTS_74)
        played.append((session_id, table.balances(any_database, access, session_id)))
    assert played[0] == played[1]
    assert played[0][0] == 1


def test_an_id_is_never_given_twice(any_database: Database) -> None:
    """Not after its row was deleted, and not after the write that took it was rolled back and repeated."""
    access, _ = clubs.create(any_database, name="Kitchen Table", passcode="four aces")
    with any_database.write(access) as session:
        for name in ("Ann", "Bob"):
            session.add(Player(name=name, name_key=name.lower(), created_at=now()))
    with any_database.write(access) as session:
        session.delete(session.get_one(Player, (access.club_id, 2)))

    def fail_late() -> None:
        with any_database.write(access) as session:
            session.add(Player(name="Cyd", name_key="cyd", created_at=now()))
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_late()
    with any_database.write(access) as session:
        player = Player(name="Dee", name_key="dee", created_at=now())
        session.add(player)
        session.flush()
        assert player.id == 3
    assert ask(any_database, access, clubs.row).last_ids["player"] == 3


def test_a_row_of_no_club_gets_no_id(any_database: Database) -> None:
    """A club that was removed takes no further row."""
    access, _ = clubs.create(any_database, name="Kitchen Table", passcode="four aces")
    with any_database.write() as session:
        narrow(session, Scope(access.club_id + 1))
        with pytest.raises(NoSuchClub, match="there is no club"):
            session.next_ids("player", 1)
    with any_database.read() as session:
        assert session.get_one(Club, access.club_id).last_ids.keys() >= {"journal_entry"}
