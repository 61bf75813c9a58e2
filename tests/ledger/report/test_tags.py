"""Tagged PDF: the structure that screen readers follow."""

import shutil
import subprocess
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from engine.words.language import READER
from ledger.report import render
from ledger.services.reads.summary import OtherEntry, SessionSummary
from ledger.words.languages import LANGUAGES
from tests.ledger.report import reading
from tests.ledger.report.evenings import HOSTILE, NAMES, PRINTED_AT, STARTED_AT, evening
from tests.support.needs import unavailable

LOAN = OtherEntry("Loan", False, (9, 0, -9), "Ann", "No chips left", STARTED_AT)

EVENINGS = {
    "three": replace(evening(NAMES[:3], 20), other_entries=(LOAN,)),
    "twelve": evening(NAMES, 60),
    "six scripts": evening(HOSTILE, 12),
    "empty": evening(NAMES[:4], 0),
    "1,000 hands": evening(hands=1000),
}


@pytest.mark.parametrize("played", EVENINGS.values(), ids=EVENINGS.keys())
def test_all_content_is_in_the_structure_or_an_artifact(played: SessionSummary) -> None:
    """Both ways: each element names its content, and the parent tree names the element of each content."""
    tree = reading.structure(render(played, printed_at=PRINTED_AT))
    assert tree.role == "Document"
    for heading in tree.all("H1"):
        assert heading.text == played.title
    assert next(tag.role for tag in tree.kids if tag.role[0] == "H") == "H1"


@pytest.mark.parametrize("played", EVENINGS.values(), ids=EVENINGS.keys())
def test_every_row_of_a_table_is_as_wide_as_its_heads(played: SessionSummary) -> None:
    """Heads have a scope, so that each cell is read with the head of its column and of its row."""
    tree = reading.structure(render(played, printed_at=PRINTED_AT))
    for table in tree.all("Table"):
        head, *rows = table.kids
        assert all((tag.role, tag.scope) == ("TH", "Column") for tag in head.kids)
        assert all(tag.text for tag in head.kids)
        assert {sum(tag.span for tag in row.kids) for row in rows} <= {len(head.kids)}
        assert all(tag.scope == "Row" for row in rows for tag in row.all("TH"))


def test_tables_are_read_with_their_heads() -> None:
    """Standings and hands; the heads repeated on later pages are read once."""
    tree = reading.structure(render(evening(), printed_at=PRINTED_AT))
    standings, hands = tree.all("Table")
    assert [tag.text for tag in standings.kids[0].kids] == [
        "Rank", "Player", "Hands bid", "Hands won", "Chips",
    ]  # fmt: skip
    assert [tag.text for tag in hands.kids[0].kids] == [
        "No.", "Dealer", "Bidder", "Bid", "Trump", "Called", "Partner", "Points", "Outcome",
        *NAMES[:7],
    ]  # fmt: skip
    assert [row.kids[0].text for row in hands.kids[1:3]] == ["1", "2"]


def test_a_chart_is_described_in_words() -> None:
    """Every player's last balance."""
    played = evening(NAMES[:3], 4, changes=False)
    (figure,) = reading.structure(render(played, printed_at=PRINTED_AT)).all("Figure")
    assert figure.alternative is not None
    assert figure.alternative.startswith("Line chart of everybody's balance after each of 4 hands.")
    for standing in played.standings:
        assert standing.name in figure.alternative


def test_words_of_wrapped_lines_stay_apart() -> None:
    """For readers that follow the structure and see no line breaks."""
    note = " ".join(f"word{number}" for number in range(60))
    played = evening(NAMES[:3], 1, changes=False)
    played = replace(played, hands=(replace(played.hands[0], note=note),))
    tree = reading.structure(render(played, printed_at=PRINTED_AT))
    assert any(f"Note: {note}" in cell.text.replace("\u2068", "") for cell in tree.all("TD"))
    assert "pays" in tree.all("LBody")[0].text.split()


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_a_report_names_itself_its_language_and_the_standard(language: str) -> None:
    """In the catalog and in the metadata; viewers show the title instead of the file's name."""
    token = READER.set(LANGUAGES[language])
    pdf = render(evening(hands=3), printed_at=PRINTED_AT)
    READER.reset(token)
    document = PdfReader(BytesIO(pdf))
    catalog: Any = document.trailer["/Root"]
    assert catalog["/Lang"] == language
    assert catalog["/MarkInfo"]["/Marked"] is not None
    assert bool(catalog["/ViewerPreferences"]["/DisplayDocTitle"])
    metadata = catalog["/Metadata"].get_data().decode()
    assert "<pdfuaid:part>1</pdfuaid:part>" in metadata
    assert "Friday at Dee" in metadata
    assert document.pdf_header == "%PDF-1.7"
    tabs: list[Any] = [page["/Tabs"] for page in document.pages]
    assert set(tabs) == {"/S"}


@pytest.mark.parametrize("played", EVENINGS.values(), ids=EVENINGS.keys())
def test_qpdf_finds_no_fault(played: SessionSummary, tmp_path: Path) -> None:
    """In the file's positions, streams and objects."""
    qpdf = shutil.which("qpdf") or unavailable("This test needs qpdf. Debian: apt install qpdf.")
    file = tmp_path / "report.pdf"
    file.write_bytes(render(played, printed_at=PRINTED_AT))
    checked = subprocess.run(
        [qpdf, "--check", str(file)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
