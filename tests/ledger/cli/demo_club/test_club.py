"""The example club: the same every time, complete, and as valid as a club that people wrote."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from engine import games
from ledger.books.transactions import Database
from ledger.cli.demo_club import club, year
from ledger.services.audit import verify

TODAY = date(2026, 3, 2)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a club whose last evening was the day before TODAY."""
    folder = tmp_path_factory.mktemp("demo")
    club.create(folder, TODAY)
    return folder / "ledger.sqlite"


@pytest.fixture
def rows(ledger: Path) -> Iterator[sqlite3.Cursor]:
    """A cursor over its rows."""
    with closing(sqlite3.connect(ledger)) as connection:
        yield connection.cursor()


def column(rows: sqlite3.Cursor, query: str) -> list[object]:
    """Return the values of a query with one column."""
    return [value for (value,) in rows.execute(query)]


def test_verify_finds_nothing(ledger: Path) -> None:
    """It is written by the services, so every verdict, sum and digest is right."""
    with closing(Database(f"sqlite:///{ledger}")) as database:
        assert list(verify(database)) == []


def test_it_is_the_same_on_another_day(rows: sqlite3.Cursor, tmp_path: Path) -> None:
    """Players, hands and payments don't depend on the day; only the dates do."""
    club.create(tmp_path, TODAY + timedelta(days=100))
    queries = (
        "SELECT record FROM hand_version ORDER BY id",
        "SELECT amount FROM posting ORDER BY entry_id, account_id",
        "SELECT name FROM player ORDER BY id",
    )
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as other:
        for query in queries:
            assert rows.execute(query).fetchall() == other.execute(query).fetchall()


def test_the_evenings_fill_a_year(rows: sqlite3.Cursor) -> None:
    """The last one was yesterday and is still open, so that a hand can be scored at once."""
    days = column(rows, "SELECT started_on FROM play_session ORDER BY id")
    assert len(days) == len(year.EVENINGS)
    assert date.fromisoformat(str(days[0])) == TODAY - timedelta(days=365)
    assert date.fromisoformat(str(days[-1])) == TODAY - timedelta(days=1)
    states = column(rows, "SELECT state FROM play_session ORDER BY id")
    assert states == ["closed"] * (len(days) - 1) + ["open"]


def test_times_never_run_backwards(rows: sqlite3.Cursor) -> None:
    """Entries are dated one after the other, none after TODAY."""
    times = [str(time) for time in column(rows, "SELECT entered_at FROM journal_entry ORDER BY id")]
    assert times == sorted(times)
    assert times[-1] < TODAY.isoformat()


def test_every_game_is_played_and_every_incident_happens(rows: sqlite3.Cursor) -> None:
    """A newcomer finds an example of whatever an evening can bring."""
    played = set(column(rows, "SELECT game FROM play_session"))
    assert played == {slug for slug, sheet in games.GAMES.items() if not sheet.experimental}
    kinds = set(column(rows, "SELECT kind FROM journal_entry"))
    assert kinds >= {
        *("hand", "reversal", "loan", "repayment", "adjustment", "cash-out", "conversion"),
        *("payment", "pots-shared", "rules-changed", "closing"),
    }
    records = " ".join(str(record) for record in column(rows, "SELECT record FROM hand_version"))
    for key in ('"pass"', '"conceded"', '"pots"', '"doubled"', '"redoubled"', '"matadors"'):
        assert key in records
    assert "void" in column(rows, "SELECT state FROM hand")
    assert "corrected" in column(rows, "SELECT action FROM hand_version")


def test_players_come_and_go(rows: sqlite3.Cursor) -> None:
    """One moves away half-way through the year, another comes for the first time then."""
    seated = "SELECT session_id FROM seat JOIN player ON player.id = player_id WHERE name = '{}'"
    assert (
        max(map(int, map(str, column(rows, seated.format(year.MOVED_AWAY))))) <= year.CHANGED_AFTER
    )
    assert min(map(int, map(str, column(rows, seated.format(year.NEWCOMER))))) > year.CHANGED_AFTER
    assert column(rows, "SELECT COUNT(*) FROM seat WHERE state = 'left'") != [0]
