"""An installation with a row in every table, to be moved into another database."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Connection, select, text, update
from sqlmodel import col

from ledger.books.chain import GENESIS, origin_statement
from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.models import Account, RefusedTry, Seat, metadata
from ledger.keeping import move
from ledger.keeping.move import LedgerCopy
from ledger.services.club import clubs, players
from ledger.services.money.import_book import import_book
from ledger.services.session.view import Rate
from ledger.services.table import paper
from ledger.services.table.paper import PaperEvening
from tests.ledger import cash, departed, table
from tests.ledger.conftest import with_neighbour
from tests.ledger.evenings import CardClub
from tests.ledger.photos import PHOTO
from tests.ledger.services.audit.books import FOREIGN


@dataclass(frozen=True)
class Installation:
    """A ledger in use, and the settings of its service."""

    database: Database
    club: CardClub
    env: dict[str, str]

    def move(self, to: str) -> Result:
        """Run the command."""
        return CliRunner().invoke(main, ["move", "--to", to], env=self.env)

    def moved(self, to: str) -> Result:
        """Move the ledger, and check that every row has arrived and that the copy opens."""
        result = self.move(to)
        assert result.exit_code == 0, result.output
        assert contents(to) == contents(url(self.database))
        return result


def url(database: Database) -> str:
    """Return the URL of a database."""
    return database.url.render_as_string(hide_password=False)


def contents(at: str) -> dict[str, list[Any]]:
    """Return the values in each table, JSON as its text, and the revision."""
    with closing(Database(at)) as database, database.engine.connect() as connection:
        rows: dict[str, list[Any]] = {
            name: [*move._rows(connection, plain)] for name, plain in move._TABLES.items()
        }
        rows["revision"] = [connection.scalar(text("SELECT version_num FROM alembic_version"))]
    return rows


def stored(at: str) -> dict[str, list[Any]]:
    """Return the rows of each table as the database itself shows them: SQLite with the type of each value."""
    rows = {}
    with closing(Database(at)) as database, database.engine.connect() as connection:
        for name, plain in move._TABLES.items():
            types = [f"{column.name}, typeof({column.name})" for column in plain.columns]
            values = ", ".join(types) if database.is_sqlite else "t::text"
            order = ", ".join(plain.primary_key.columns.keys())
            query = f"SELECT {values} FROM {name} t ORDER BY {order}"
            rows[name] = [*connection.exec_driver_sql(query)]
    return rows


def _sign_origins(database: Database) -> None:
    """Let both clubs have been imported after their first entry."""
    entry, origin = (metadata.tables[name] for name in ("journal_entry", "club_origin"))
    first = select(entry.c.club_id, entry.c.id, entry.c.digest).where(
        entry.c.previous_digest == GENESIS
    )
    assert database.signer
    with database.engine.begin() as connection:
        for club_id, *last in connection.execute(first).all():
            stated = origin_statement(club_id, database.signer.public, tuple(last))
            connection.execute(
                update(origin)
                .where(origin.c.club_id == club_id)
                .values(
                    number=club_id,
                    public_key=database.signer.public,
                    last_entry_id=last[0],
                    signature=database.signer.sign(club_id, stated),
                )
            )


def play(database: Database) -> CardClub:
    """Put a row into every table, and return the club with most of them."""
    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
    with_neighbour(database, access)
    _sign_origins(database)
    club = CardClub(database, access)
    evening = departed.evening(club)
    evening.correct(1, departed.ANN_LOSES)
    evening.record(cash.ANN_WINS)
    evening.void(2)
    evening.convert()
    evening.close()
    club.do(paper.enter, PaperEvening("frog", {"Ann": 40, "Bob": -40}, rate=Rate(10, 5)))
    club.do(players.change_mark, 1, colour=9, emoji="🦊", picture=PHOTO)
    club.do(import_book, book=FOREIGN, players_by_member={})
    club.do(players.rename, club.player("Gus"), name="山田 🂡 \\N 'x'\"")
    with database.write() as session:
        now = datetime.now(UTC)
        session.add(
            RefusedTry(whose="1", network="n", wider="w", failures=1, last_at=now, open_at=now)
        )
    with database.read() as session:
        assert session.execute(
            select(col(Account.id)).where(col(Account.closed_at).is_not(None))
        ).first()
        assert session.execute(
            select(col(Seat.id)).where(col(Seat.successor_id).is_not(None))
        ).first()
    assert 0 not in table.row_counts(database).values()
    return club


class Stopped(KeyboardInterrupt):
    """An interruption by a test."""


@contextmanager
def stopping(after: int, rows: int = 3) -> Iterator[None]:
    """Interrupt a move after some batches of a few rows."""
    batches, left = LedgerCopy._batch, after

    @contextmanager
    def batch(self: LedgerCopy) -> Iterator[Connection]:
        nonlocal left
        left -= 1
        with batches(self) as copy:
            yield copy
            if left < 0:
                raise Stopped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LedgerCopy, "_batch", batch)
        patch.setattr(move, "BATCH", rows)
        yield
