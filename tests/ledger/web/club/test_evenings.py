"""Many evenings on the pages: the history of a club, and the evenings of a player."""

from datetime import date, timedelta

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle
from tests.ledger import cash, table
from tests.ledger.web.phone import Phone

FIRST = date(2026, 1, 2)


def play(database: Database, club: Access, title: str = "Friday") -> int:
    """An evening of one hand, turned into money at 100 to 1.00: Ann wins 150 of Bob, Cyd and Dee."""
    session = table.start(
        database, club, table.FOUR, title=title, rate=Rate(100, 100), started_on=FIRST
    )
    table.record(database, club, session, cash.ANN_WINS)
    cash.convert(database, club, session)
    return session


def test_the_clubs_page_leads_to_its_history(
    viewer: Phone, database: Database, club: Access
) -> None:
    """Each evening has its leaders or winners, their chips and money, and a link."""
    session = play(database, club)
    address = f"/clubs/{club.club_id}/evenings"
    assert address in viewer.open(f"/clubs/{club.club_id}").reader.links
    page = viewer.open(address)
    assert "Friday open Fri 2 January 2026, Crazy Solo, 1 hand Ann leads" in page.text
    assert "Ann +150 1.50 Bob −50 −0.50" in page.text
    assert "in EUR" in page.text
    assert f"/clubs/{club.club_id}/sessions/{session}" in page.reader.links
    lifecycle.close(table.write(database, club), session)
    assert "1 hand Ann won" in viewer.open(address).text


def test_an_evening_without_money_shows_none(
    viewer: Phone, database: Database, club: Access
) -> None:
    """Nor a winner while all are even."""
    table.start(database, club, table.FOUR, title="Friday")
    text = viewer.open(f"/clubs/{club.club_id}/evenings").text
    assert "Ann 0 Bob 0" in text
    assert "EUR" not in text
    assert " won " not in text.partition("Players")[2]


def test_a_club_without_an_evening_says_so(viewer: Phone, club: Access) -> None:
    """Instead of an empty list."""
    assert "No evening yet" in viewer.open(f"/clubs/{club.club_id}/evenings").text


@pytest.mark.parametrize("own", [False, True])
def test_evenings_are_shown_a_page_at_a_time(
    viewer: Phone,
    database: Database,
    club: Access,
    own: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The oldest is on the second page, which leads back to the first."""
    monkeypatch.setattr("ledger.web.club.evenings.A_PAGE", 2)
    for day in range(3):
        start, title = FIRST + timedelta(days=day), f"No. {day + 1}"
        table.start(database, club, ("Ann", "Bob", "Cyd"), title=title, started_on=start)
    address = f"/clubs/{club.club_id}/evenings"
    if own:
        address = f"/clubs/{club.club_id}/players/{table.player_id(database, club, 'Ann')}/evenings"
    newest = viewer.open(address)
    assert "No. 3 " in newest.text
    assert "No. 1 " not in newest.text
    assert f"{address}?page=2" in newest.reader.links
    oldest = viewer.open(f"{address}?page=2")
    assert "No. 1 " in oldest.text
    assert f"{address}?page=1" in oldest.reader.links
    assert f"{address}?page=3" not in oldest.reader.links
    assert "No evening on this page" in viewer.open(f"{address}?page=9").text


def test_a_players_evenings_run_up_to_a_total(
    viewer: Phone, database: Database, club: Access
) -> None:
    """In chips, with the money of each; the player's page leads there, a stranger has none."""
    play(database, club, "One")
    session = play(database, club, "Two")
    bob = f"/clubs/{club.club_id}/players/{table.player_id(database, club, 'Bob')}"
    assert f"{bob}/evenings" in viewer.open(bob).reader.links
    page = viewer.open(f"{bob}/evenings")
    assert "Two 2 Jan 2026 −50 −0.50 −100 One 2 Jan 2026 −50 −0.50 −50" in page.text
    assert f"/clubs/{club.club_id}/sessions/{session}" in page.reader.links
    assert viewer.open(f"/clubs/{club.club_id}/players/999/evenings").status == 404


def test_a_line_over_time_is_told_in_words_and_as_a_table(
    viewer: Phone, database: Database, club: Access
) -> None:
    """For screen readers: since when, now, highest, lowest; each step is a row."""
    play(database, club, "One")
    late = play(database, club, "Two")
    table.void(database, club, late, 1)
    cash.convert(database, club, late)
    ann = table.player_id(database, club, "Ann")
    page = viewer.open(f"/clubs/{club.club_id}/players/{ann}")
    html = page.response.get_data(as_text=True)
    assert (
        'aria-label="Chips won, evening by evening, 2 Jan 2026 to 2 Jan 2026: '
        'now +150, highest +150, lowest 0"' in html
    )
    assert "now 1.50 EUR, highest 3.00 EUR, lowest 0.00 EUR" in html
    assert "Two 2 Jan 2026 0 150 One 2 Jan 2026 +150 +1.50 150" in page.text
    assert "Money over time 3 changes" in page.text
    assert "−1.50 1.50" in page.text
