"""The report of a season and the poster of its winners, as a reader of the PDF finds them."""

from dataclasses import replace
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from pypdf import PdfReader

from engine.words.language import READER
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.report import PAPER_SIZES, PaperSize, season_pdf
from ledger.report.poster import render_poster
from ledger.services.club import seasons
from ledger.services.club.seasons import SeasonView
from ledger.services.reads.season_table import SeasonStanding
from ledger.services.reads.seasons import SeasonTable
from ledger.services.table import season_end
from ledger.words.languages import LANGUAGES
from tests.ledger import cash, table
from tests.ledger.report import reading
from tests.ledger.report.evenings import HOSTILE, PRINTED_AT
from tests.ledger.report.test_period_report import viewer

YEAR: dict[str, Any] = {"first_day": date(2000, 1, 1), "last_day": date(2099, 12, 31)}
SEASON = SeasonView(1, "2026", **YEAR, game=None, method="ranks", least_evenings=0,
                    tie_breaks=("wins",), prize="A ham", closed_at=PRINTED_AT)  # fmt: skip


def standings(*names: str, winners: int = 1) -> SeasonTable:
    """Return the table of a closed season in which the first players share the first place."""
    rows = [
        SeasonStanding(number, name, 1 if number <= winners else number, 40, 12, 3, 90, 200)
        for number, name in enumerate(names, 1)
    ]
    return SeasonTable(SEASON, "points", "chips", 12, 0, tuple(rows), ())


def season_of(database: Database, club: Access) -> tuple[int, int]:
    """Create a season with an evening that Ann won; return the evening and the season."""
    evening = table.start(database, club)
    table.record(database, club, evening, cash.ANN_WINS)
    rules: dict[str, Any] = {"name": "The year", "prize": "A ham", **YEAR}
    created = seasons.create(table.write(database, club), **rules)
    return evening, created["id"]


def test_the_report_of_a_season_has_its_table_its_changes_and_what_was_played(
    app: Flask, database: Database, club: Access
) -> None:
    """The changes are there once a correction follows the closing."""
    evening, season = season_of(database, club)
    season_end.close(table.write(database, club), season)
    device = viewer(app, database, club)
    place = f"/clubs/{club.club_id}/seasons/{season}/report.pdf"
    tree = reading.structure(device.get(place).data)
    assert tree.all("H1")[0].text == "The year"
    heads = [tag.text for tag in tree.all("H2")]
    assert heads == ["Standings", "What was played", "Records", "Head to head", "Evenings"]
    first = [cell.text for cell in tree.all("Table")[0].kids[1].kids]
    assert first[:4] == ["1", "Ann", "1", "1"]
    assert "Prize: A ham" in reading.text(device.get(place).data)
    table.void(database, club, evening, 1)
    tree = reading.structure(device.get(place).data)
    assert [tag.text for tag in tree.all("H2")] == ["Standings", "Since it was closed", "Evenings"]
    change = [cell.text for cell in tree.all("Table")[1].kids[1].kids]
    assert change == ["Ann", "1", f"{first[4]} → 0"]


def test_a_poster_is_of_a_closed_season_on_one_page(
    app: Flask, database: Database, club: Access
) -> None:
    """With the winner's name and mark; before that it is refused, with what to do."""
    _, season = season_of(database, club)
    device = viewer(app, database, club)
    place = f"/clubs/{club.club_id}/seasons/{season}/poster.pdf"
    refused = device.get(place)
    assert refused.status_code == 409
    assert "close it once its last evening is over" in refused.text
    season_end.close(table.write(database, club), season)
    pdf = device.get(f"{place}?paper=letter").data
    assert [page.mediabox.width for page in PdfReader(BytesIO(pdf)).pages] == [612]
    tree = reading.structure(pdf)
    assert tree.all("H1")[0].text == "The year"
    words = reading.text(pdf)
    assert "Ann" in words
    assert "A ham" in words
    assert device.get(place.replace("seasons/1", f"seasons/{2**63 - 1}")).status_code == 404


def test_a_closed_season_in_which_nobody_has_a_place_has_no_poster(
    app: Flask, database: Database, club: Access
) -> None:
    """It says so, and does not ask for it to be closed."""
    rules: dict[str, Any] = {"name": "The year", "least_evenings": 5, **YEAR}
    season = seasons.create(table.write(database, club), **rules)["id"]
    season_end.close(table.write(database, club), season)
    place = f"/clubs/{club.club_id}/seasons/{season}/poster.pdf"
    refused = viewer(app, database, club).get(place)
    assert refused.status_code == 409
    assert "nobody has a place in its table" in refused.text
    assert "close it once" not in refused.text


def test_equal_seasons_have_equal_bytes(database: Database, club: Access) -> None:
    """Printed at the same time."""
    _, season = season_of(database, club)
    with database.read(club) as session:
        first, again = (season_pdf(session, season, printed_at=PRINTED_AT) for _ in range(2))
    assert first == again
    assert first[1].endswith("The year.pdf")


@pytest.mark.parametrize("winners", [1, 2, 4, 6])
@pytest.mark.parametrize("paper_size", [*PAPER_SIZES.values()])
def test_the_poster_of_any_winners_stays_inside_its_frame(
    winners: int, paper_size: PaperSize
) -> None:
    """Also with long names, a long prize and several in the next places; further winners are counted."""
    table_of_many = standings(*(f"{'W' * 60}{number}" for number in range(9)), winners=winners)
    season = replace(SEASON, prize="Prize " * 50)
    pdf = render_poster(
        replace(table_of_many, season=season),
        "Club " * 12,
        {number: number for number in range(1, 10)},
        printed_at=PRINTED_AT,
        paper_size=paper_size,
    )
    (page,) = PdfReader(BytesIO(pdf)).pages
    lowest: list[float] = []

    def visit(text: str, _cm: object, matrix: list[float], *_: object) -> None:
        if text.strip() and matrix[5] > 46:
            lowest.append(matrix[5])

    page.extract_text(visitor_text=visit)
    assert min(lowest) > 46 + 10 + 7
    assert ("and 2 more" in reading.text(pdf)) is (winners == 6)


@pytest.mark.parametrize("language", [*LANGUAGES])
def test_the_poster_has_every_letter_in_each_language(language: str) -> None:
    """Names in several scripts have their glyphs."""
    token = READER.set(LANGUAGES[language])
    for name in HOSTILE[:5]:
        pdf = render_poster(standings(name, "Bob"), name, {1: 15, 2: 2}, printed_at=PRINTED_AT)
        assert not reading.empty_glyphs(pdf)
    READER.reset(token)
