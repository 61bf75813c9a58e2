"""``solo-ledger standings``."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access
from ledger.runtime.config import Settings
from ledger.services.club import seasons
from ledger.services.session.view import Rate
from ledger.services.table import season_end
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub

Run = Callable[..., Result]
CLUB = "Kitchen Table"


@pytest.fixture
def run(
    settings: Settings, database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run the command in a ledger with an evening in each of two years."""
    monkeypatch.setenv("LEDGER_DATABASE_URL", settings.database_url)
    for year in (2025, 2026):
        evening = CardClub(database, club).start(table.SEVEN, started_on=date(year, 3, 1))
        evening.record(table.HEARTS_74)
    return lambda *words: CliRunner().invoke(main, ["standings", *words])


def test_the_standings_of_a_year_are_printed_best_first(run: Run) -> None:
    """With hands and contracts; without days those of all evenings."""
    lines = run(CLUB, "--from", "2026-01-01", "--to", "2026-12-31").output.splitlines()
    assert lines[:2] == ["Chips", "   1        +120       1 hand      1 of 1    made  Ann"]
    assert run(CLUB).output.splitlines()[1].endswith("+240       2 hands     2 of 2    made  Ann")


def test_the_standings_are_printed_as_the_api_s_json(run: Run) -> None:
    """Limited to a game and a player."""
    printed = json.loads(run(CLUB, "--json", "--player", "ann", "--game", "crazy-solo").output)
    (unit,) = printed["units"]
    assert [(line["name"], line["total"]) for line in unit["standings"]] == [("Ann", 240)]


def test_a_period_without_hands_says_so_and_wrong_days_are_refused(run: Run) -> None:
    """Also a game that does not exist, and a stranger."""
    assert run(CLUB, "--from", "2027-01-01").output == "No hand in this period.\n"
    wrong = run(CLUB, "--from", "2026-02-01", "--to", "2026-01-01")
    assert (wrong.exit_code, "the last day is before the first" in wrong.output) == (2, True)
    assert run(CLUB, "--game", "whist").exit_code == 2
    assert "Nobody in this club is called Zoe" in run(CLUB, "--player", "Zoe").output


def _season(database: Database, club: Access, **rules: Any) -> int:
    year: dict[str, Any] = {"first_day": date(2026, 1, 1), "last_day": date(2026, 12, 31)}
    made = seasons.create(table.write(database, club), name="The year", **{**year, **rules})
    return int(made["id"])


def test_the_table_of_a_season_is_printed(run: Run, database: Database, club: Access) -> None:
    """Scored by its own method; with places, evenings and evenings won."""
    _season(database, club, method="ranks")
    result = run(CLUB, "--season", "the YEAR")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[:2] == [
        "The year, 2026-01-01 to 2026-12-31, open, 1 evening",
        "   1             6     1 evening     1 won  Ann",
    ]
    assert len(run(CLUB, "--season", "The year", "--player", "bob").output.splitlines()) == 2
    shown = json.loads(run(CLUB, "--season", "The year", "--json").output)
    assert (shown["unit"], shown["standings"][0]["name"]) == ("points", "Ann")


def test_the_changes_since_the_closing_are_printed(
    run: Run, database: Database, club: Access
) -> None:
    """Below the stored table."""
    season_id = _season(database, club)
    season_end.close(table.write(database, club), season_id)
    table.void(database, club, 2, 1)
    lines = run(CLUB, "--season", "The year").output.splitlines()
    assert lines[0].endswith("closed, 1 evening")
    assert lines[1].endswith("120     1 evening     1 won  Ann")
    assert "Changed since: Ann: place 1, 120; now place 1, 0" in lines


def test_a_season_of_money_has_its_currency(run: Run, database: Database, club: Access) -> None:
    """Who is below the fewest evenings has no place."""
    cash.convert(database, club, 2, Rate(10, 5))
    _season(database, club, method="money", least_evenings=2)
    (line, *_) = run(CLUB, "--season", "The year").output.splitlines()[1:]
    assert line == "   -      0.60 EUR     1 evening     1 won  Ann"


def test_a_season_filters_records_and_stands_alone(
    run: Run, database: Database, club: Access
) -> None:
    """With days or a game it is refused, and so is an unknown one."""
    _season(database, club)
    days = ("--from", "2026-01-01", "--to", "2026-12-31")
    by_days = run(CLUB, "--records", *days).output
    assert run(CLUB, "--records", "--season", "The year").output == by_days
    refused = run(CLUB, "--season", "The year", "--game", "frog")
    assert "it has its own days and game" in refused.output
    unknown = run(CLUB, "--season", "Autumn")
    assert unknown.exit_code != 0
    assert "This club has no season called Autumn." in unknown.output
