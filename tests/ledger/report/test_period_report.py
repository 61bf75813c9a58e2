"""The report of a club's period, as a reader of the PDF finds it."""

from datetime import date

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.words.language import READER
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.report import render_period
from ledger.services.club import tokens
from ledger.services.reads import period_summary
from ledger.services.session.session_filter import SessionFilter
from ledger.words.languages import LANGUAGES
from tests.ledger import cash, table
from tests.ledger.report import reading
from tests.ledger.report.evenings import HOSTILE, PRINTED_AT
from tests.ledger.table import ask

SECTIONS = ["Standings", "What was played", "Records", "Head to head", "Evenings"]


def viewer(app: Flask, database: Database, club: Access) -> FlaskClient:
    """Return a device that may see the club."""
    device = app.test_client()
    device.get(f"/v/{table.viewer_key(database, club)}")
    return device


def test_the_report_of_a_period_has_its_standings_records_and_evenings(
    app: Flask, database: Database, club: Access
) -> None:
    """The winner comes first; what was won from whom agrees with the standings."""
    session = table.start(database, club)
    table.record(database, club, session, cash.ANN_WINS)
    answer = viewer(app, database, club).get(f"/clubs/{club.club_id}/report.pdf")
    assert answer.mimetype == "application/pdf"
    tree = reading.structure(answer.data)
    assert tree.all("H1")[0].text == "All evenings"
    assert [tag.text for tag in tree.all("H2")] == SECTIONS
    tables = [
        [[cell.text for cell in row.kids] for row in found.kids] for found in tree.all("Table")
    ]
    standings, games, _, pairs, evenings = tables
    assert standings[1][:3] == ["1", "Ann", "1"]
    assert games[1][1:] == ["1", "1", "100"]
    assert pairs[0][1:] == [row[0] for row in pairs[1:]]
    assert evenings[1][3:] == ["Ann", standings[1][-1]]
    assert not reading.empty_glyphs(answer.data)


def test_the_report_has_only_the_hands_of_its_days_and_game(
    app: Flask, database: Database, club: Access
) -> None:
    """A year without hands says so; a page ignores unreadable days, the API refuses them."""
    session = table.start(database, club)
    table.record(database, club, session, cash.ANN_WINS)
    device = viewer(app, database, club)
    place = f"/clubs/{club.club_id}/report.pdf"
    empty = reading.text(device.get(f"{place}?from=1999-01-01&to=1999-12-31").data)
    assert "1999" in empty
    assert "No hand in this period." in empty
    assert "Since 1 January 1999" in reading.text(device.get(f"{place}?from=1999-01-01").data)
    assert "Ann" in reading.text(device.get(f"{place}?from=x&game=whist&paper=x").data)
    secret, _ = tokens.issue(database, club, label="tablet", role=Role.VIEWER)
    token = {"Authorization": f"Bearer {secret}"}
    of_api = device.get("/api/v1/club/report.pdf?game=six-bid&paper=letter", headers=token)
    assert "All evenings: Six-Bid" in reading.text(of_api.data)
    assert device.get("/api/v1/club/report.pdf?from=x", headers=token).status_code == 422


def test_a_period_of_several_evenings_has_the_players_courses_as_a_chart(
    app: Flask, database: Database, club: Access
) -> None:
    """In words, too: everybody's total at the end. A newcomer's line begins at their first evening."""
    first = table.start(database, club, table.SEVEN[:4])
    table.record(database, club, first, cash.ANN_WINS)
    device = viewer(app, database, club)
    place = f"/clubs/{club.club_id}/report.pdf"
    assert not reading.structure(device.get(place).data).all("Figure")
    second = table.start(database, club, table.SEVEN[:5])
    table.record(database, club, second, cash.ANN_WINS)
    tree = reading.structure(device.get(place).data)
    assert [tag.text for tag in tree.all("H2")] == [
        *("Standings", "Chips after each evening"),
        *SECTIONS[1:],
    ]
    counted = "the standings count hands and evenings on paper"
    assert counted in reading.text(device.get(place).data).replace("\n", " ")
    (figure,) = tree.all("Figure")
    assert figure.alternative is not None
    assert figure.alternative.startswith("Line chart of the totals after each of 2 evenings.")
    for row in tree.all("Table")[0].kids[1:]:
        assert f"\u2068{row.kids[1].text}\u2069 {row.kids[-1].text}" in figure.alternative
    chosen = SessionFilter(game="crazy-solo")
    summary = ask(database, club, lambda session: period_summary.of_period(session, chosen))
    assert {line.name: line.start for line in summary.lines["chips"]} == {
        **dict.fromkeys(table.SEVEN[:4], 0),
        table.SEVEN[4]: 1,
    }
    assert summary.lines["score"] == []


@pytest.mark.parametrize("language", [*LANGUAGES])
def test_the_report_has_every_letter_and_equal_bytes_in_each_language(
    database: Database, club: Access, language: str
) -> None:
    """Names in several scripts have their glyphs, and printing again gives the same file."""
    names = [name.strip() for name in HOSTILE[1:5]]
    session = table.start(database, club, names)
    contract = {"bidder": names[0], "bid": "go-alone", "trump": "S"}
    hand = {"contract": contract, "points": 85}
    table.record(database, club, session, hand)
    chosen = SessionFilter(date(2000, 1, 1), date(2099, 12, 31))
    summary = ask(database, club, lambda reading: period_summary.of_period(reading, chosen))
    token = READER.set(LANGUAGES[language])
    pdf, again = (render_period(summary, printed_at=PRINTED_AT) for _ in range(2))
    READER.reset(token)
    assert pdf == again
    assert not reading.empty_glyphs(pdf)
