"""``solo-ledger standings``."""

import json
from collections.abc import Callable
from datetime import date

import pytest
from click.testing import CliRunner, Result

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access
from ledger.runtime.config import Settings
from tests.ledger import table
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
