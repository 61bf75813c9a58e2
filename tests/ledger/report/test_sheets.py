"""The sheet of a hand and the score sheet, as a reader of the PDF finds them."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from pypdf import PdfReader
from reportlab.lib.colors import Color
from werkzeug.http import parse_options_header

from engine.words.language import READER
from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access, Role
from ledger.report import PAPER_SIZES, render_score_sheet
from ledger.report.figures import signed
from ledger.report.paper import Paper
from ledger.report.text import TextLine
from ledger.runtime.config import Settings
from ledger.services.club import tokens
from ledger.services.reads.summary import OtherEntry
from ledger.words.languages import LANGUAGES
from tests.ledger import table
from tests.ledger.report import reading
from tests.ledger.report.evenings import HOSTILE, NAMES, PRINTED_AT, evening
from tests.ledger.web.hand.test_correction_form import CARDS

GAMES = {"crazy-solo": 4, "six-bid": 4, "frog": 3, "german-solo": 4, "progressive": 4}


def downloaded(
    app: Flask, database: Database, club: Access, game: str, hand: Mapping[str, object]
) -> bytes:
    """Record a hand at a new table and return its sheet."""
    names = NAMES[: GAMES[game]]
    session = table.start(database, club, names, game, first_dealer=names[-1])
    table.record(database, club, session, hand)
    device = app.test_client()
    device.get(f"/v/{table.viewer_key(database, club)}")
    answer = device.get(f"/clubs/{club.club_id}/sessions/{session}/hands/1/sheet.pdf")
    assert answer.status_code == 200
    assert answer.mimetype == "application/pdf"
    return bytes(answer.data)


def test_a_hand_is_printed_with_deal_tricks_and_payout(
    app: Flask, database: Database, club: Access
) -> None:
    """The deal by suits; each trick with leader, winner and points; the payout with its explanation."""
    pdf = downloaded(app, database, club, "crazy-solo", CARDS)
    tree = reading.structure(pdf)
    assert tree.all("H1")[0].text == "Hand 1"
    assert [tag.text for tag in tree.all("H2")] == ["Payout", "Deal", "Tricks"]
    payout, deal, tricks = tree.all("Table")
    assert [tag.text for tag in deal.kids[0].kids] == ["Player", "♠", "♥", "♣", "♦"]
    words = [" ".join(cell.text for cell in row.kids).split() for row in tricks.kids]
    assert words[1] == ["1", "Ann", "A♠", "A♥", "A♦", "A♣", "Ann", "44", "44"]
    assert words[9][-2:] == ["0", "120"]
    assert len(payout.kids) == 5
    assert not reading.empty_glyphs(pdf)


def test_a_hand_without_tricks_has_no_sheet(app: Flask, database: Database, club: Access) -> None:
    """Its address answers 404 on the page and in the API, which has the other sheets, too."""
    session = table.start(database, club)
    table.record(database, club, session, table.HEARTS_74)
    device = app.test_client()
    device.get(f"/v/{table.viewer_key(database, club)}")
    place = f"/sessions/{session}/hands/1/sheet.pdf"
    secret, _ = tokens.issue(database, club, label="tablet", role=Role.VIEWER)
    token = {"Authorization": f"Bearer {secret}"}
    assert device.get(f"/clubs/{club.club_id}{place}").status_code == 404
    assert device.get(f"/api/v1{place}", headers=token).status_code == 404
    for query, is_filled in (("", True), ("?rows=blank", False)):
        answer = device.get(f"/api/v1/sessions/{session}/score-sheet.pdf{query}", headers=token)
        assert ("Everybody's total" in reading.text(answer.data)) is is_filled
    names = NAMES[:4]
    other = table.start(database, club, names, "crazy-solo", first_dealer=names[-1])
    table.record(database, club, other, CARDS)
    answer = device.get(f"/api/v1/sessions/{other}/hands/1/sheet.pdf", headers=token)
    assert "Tricks" in reading.text(answer.data)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--hand", "1"], "Tricks"),
        (["--score-sheet"], "Everybody's total"),
        (["--blank"], "Score sheet"),
        (["--paper", "letter"], "Standings so far"),
    ],
)
def test_the_command_line_writes_each_sheet(
    settings: Settings,
    database: Database,
    club: Access,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    options: list[str],
    words: str,
) -> None:
    """One option for each; without any the summary."""
    monkeypatch.setenv("LEDGER_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("LEDGER_DATA_DIR", str(tmp_path))
    names = NAMES[:4]
    session = table.start(database, club, names, "crazy-solo", first_dealer=names[-1])
    table.record(database, club, session, CARDS)
    file = tmp_path / "sheet.pdf"
    call = ["report", "Kitchen Table", str(session), "-o", str(file), *options]
    result = CliRunner().invoke(main, call)
    assert result.exit_code == 0, result.output
    assert words.split()[0] in reading.text(file.read_bytes())


@pytest.mark.parametrize("game", GAMES)
def test_hands_of_every_game_have_a_sheet(
    app: Flask, database: Database, club: Access, game: str
) -> None:
    """With all content in the structure, and rows as wide as their heads."""
    names = NAMES[: GAMES[game]]
    pdf = downloaded(app, database, club, game, table.with_cards(game, names, names[-1]))
    for found in reading.structure(pdf).all("Table"):
        assert {len(row.kids) for row in found.kids} == {len(found.kids[0].kids)}


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize("names", [NAMES[:3], HOSTILE])
@pytest.mark.parametrize("name", PAPER_SIZES)
def test_a_score_sheet_has_everybodys_total_after_each_hand(
    names: tuple[str, ...], name: str, language: str
) -> None:
    """In any script; a void hand is left out."""
    token = READER.set(LANGUAGES[language])
    played = evening(names, 20)
    pdf = render_score_sheet(played, printed_at=PRINTED_AT, paper_size=PAPER_SIZES[name])
    again = render_score_sheet(played, printed_at=PRINTED_AT, paper_size=PAPER_SIZES[name])
    READER.reset(token)
    assert pdf == again
    (grid,) = reading.structure(pdf).all("Table")
    standing = [hand for hand in played.hands if hand.state == "standing"]
    assert [row.kids[0].text for row in grid.kids[1:]] == [f"{hand.number}" for hand in standing]
    assert {len(row.kids) for row in grid.kids} == {3 + len(names)}
    assert not reading.empty_glyphs(pdf)


def test_a_score_sheet_of_a_mixed_evening_has_a_table_for_chips_and_one_for_scores() -> None:
    """Each with a title and its own hands, so that no column has figures of two units."""
    played = evening(NAMES[:3], 6, changes=False)
    hands = [
        replace(hand, unit="score", balances=(6, 0, 0)) if hand.number % 2 else hand
        for hand in played.hands
    ]
    mixed = replace(played, hands=tuple(hands), scores_apart=True)
    tree = reading.structure(render_score_sheet(mixed, printed_at=PRINTED_AT))
    assert [tag.text for tag in tree.all("H2")] == ["Chips", "Score"]
    numbers = [[row.kids[0].text for row in grid.kids[1:]] for grid in tree.all("Table")]
    assert numbers == [["2", "4", "6"], ["1", "3", "5"]]
    assert [cell.text for cell in tree.all("Table")[1].kids[-1].kids[3:]] == ["+6", "·", "·"]


def test_the_last_row_of_a_score_sheet_is_the_standing_if_other_entries_count() -> None:
    """After the sum of these entries; an entry between the bank and the players is left out."""
    played = evening(NAMES[:3], 6)
    entry = OtherEntry("Adjustment", True, (30, -10, -20), "Ann", None, PRINTED_AT)
    loan = replace(entry, title="Loan", counts=False, amounts=(500, 0, 0))
    after = replace(played, other_entries=(entry, loan, entry))
    (grid,) = reading.structure(render_score_sheet(after, printed_at=PRINTED_AT)).all("Table")
    *_, others, last = ([cell.text for cell in row.kids] for row in grid.kids)
    assert others[1:] == ["Other entries", "", "+60", "−20", "−40"]
    balances = {line.name: line.balance for line in played.standings}
    expected = [
        signed(balances[name] + more) for name, more in zip(NAMES, (60, -20, -40), strict=False)
    ]
    assert last[1:] == ["Standing", "", *expected]


def test_totals_of_twenty_players_do_not_run_into_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Totals too wide for their column are set in smaller type."""
    spans: dict[float, list[tuple[float, float]]] = defaultdict(list)
    put = Paper.put

    def measured(
        paper: Paper, x: float, y: float, laid: TextLine, size: float, *color: Color
    ) -> None:
        spans[y].append((x, x + laid.width * size))
        put(paper, x, y, laid, size, *color)

    monkeypatch.setattr(Paper, "put", measured)
    seats = tuple(f"P{number}" for number in range(20))
    played = evening(seats, 5, changes=False)
    hands = tuple(replace(hand, balances=(12_345,) * 20) for hand in played.hands)
    render_score_sheet(replace(played, hands=hands), printed_at=PRINTED_AT)
    rows = [sorted(row) for row in spans.values() if len(row) == 23]
    assert len(rows) == 6
    for row in rows:
        assert all(right < left for (_, right), (left, _) in pairwise(row))


@pytest.mark.parametrize("seats", [3, 12])
def test_a_blank_score_sheet_is_one_page_of_empty_rows(seats: int) -> None:
    """With the players' names above them."""
    played = evening(NAMES[:seats], 5)
    pdf = render_score_sheet(played, printed_at=PRINTED_AT, blank=True)
    assert len(PdfReader(BytesIO(pdf)).pages) == 1
    (grid,) = reading.structure(pdf).all("Table")
    assert [tag.text for tag in grid.kids[0].kids][3:] == list(NAMES[:seats])
    assert all(not cell.text for row in grid.kids[1:] for cell in row.kids[1:])
    assert len(grid.kids) > 15


def test_each_sheet_of_a_session_is_downloaded_under_a_name_of_its_own(
    app: Flask, database: Database, club: Access
) -> None:
    """In the reader's language, without forbidden characters; on the pages and in the API alike."""
    names = NAMES[:4]
    session = table.start(
        database, club, names, "crazy-solo", first_dealer=names[-1], title="Quiz: 5/6?"
    )
    table.record(database, club, session, CARDS)
    device = app.test_client()
    device.get(f"/v/{table.viewer_key(database, club)}")
    secret, _ = tokens.issue(database, club, label="tablet", role=Role.VIEWER)
    headers = {"Authorization": f"Bearer {secret}", "Accept-Language": "de"}
    found: dict[str, set[str]] = defaultdict(set)
    for home in (f"/clubs/{club.club_id}", "/api/v1"):
        for path in ("report.pdf", "score-sheet.pdf", "hands/1/sheet.pdf"):
            answer = device.get(f"{home}/sessions/{session}/{path}", headers=headers)
            name = parse_options_header(answer.headers["Content-Disposition"])[1]["filename"]
            title, _, rest = name.partition(" 20")
            assert title == "Quiz- 5-6-"
            found[path].add(rest[8:])
    assert found == {
        "report.pdf": {".pdf"},
        "score-sheet.pdf": {" Spielzettel.pdf"},
        "hands/1/sheet.pdf": {" Spiel 1.pdf"},
    }


def test_a_score_sheet_is_downloaded_filled_or_blank(
    app: Flask, database: Database, club: Access
) -> None:
    """From the session's address."""
    session = table.start(database, club)
    table.record(database, club, session, table.HEARTS_74)
    device = app.test_client()
    device.get(f"/v/{table.viewer_key(database, club)}")
    place = f"/clubs/{club.club_id}/sessions/{session}/score-sheet.pdf"
    filled, blank = device.get(place), device.get(f"{place}?rows=blank")
    assert "Everybody's total" in reading.text(filled.data)
    assert "Everybody's total" not in reading.text(blank.data)
