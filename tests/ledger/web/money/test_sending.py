"""The result of an evening as a text and as a picture for messengers."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.money import convert
from ledger.services.money.settle_up import Payment
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle
from ledger.web.money.sending import fit_text, mark_colour, payment_in_picture
from tests.ledger import table
from tests.ledger.web.phone import Page, Phone

SVG = "{http://www.w3.org/2000/svg}"


def text_of(page: Page) -> str:
    """Return the text that the page sends."""
    raw = page.response.get_data(as_text=True)
    return raw.partition('id="message"')[2].partition(">")[2].partition("</textarea>")[0]


def picture(phone: Phone, address: str) -> tuple[ElementTree.Element, list[str]]:
    """Return the picture and its texts."""
    answer = phone.client.get(f"{address}/result.svg")
    assert answer.mimetype == "image/svg+xml"
    root = ElementTree.fromstring(answer.get_data())  # noqa: S314  (our own)
    return root, ["".join(text.itertext()).strip() for text in root.iter(f"{SVG}text")]


@pytest.fixture
def played(address: str, tonight: int, database: Database, club: Access) -> str:
    """An evening at a rate, in which Ann won 150."""
    convert.set_rate(table.write(database, club), tonight, rate=Rate(10, 10))
    return address


def test_the_text_lists_standings_and_payments(scorer: Phone, played: str) -> None:
    """The ranks, the chips with their signs, and who pays whom in chips while nothing was cashed in."""
    lines = text_of(scorer.open(f"{played}/result")).splitlines()
    assert lines[2] == ""
    assert lines[3] == "1. Ann +150"
    assert lines[-4] == "Settle up in chips"
    assert set(lines[-3:]) == {f"{name} → Ann 50" for name in ("Bob", "Cyd", "Dee")}


def test_once_cashed_in_the_text_has_the_money(
    scorer: Phone, played: str, tonight: int, database: Database, club: Access
) -> None:
    """Each player's money beside the chips, and the payments in the currency."""
    convert.convert(table.write(database, club), tonight)
    text = text_of(scorer.open(f"{played}/result"))
    assert "1. Ann +150, +1.50 EUR" in text
    assert "Who pays whom\nBob → Ann 0.50 EUR" in text


def test_the_text_is_in_the_language_of_its_reader(scorer: Phone, played: str) -> None:
    """Headings, day and separators are the language's."""
    scorer.client.set_cookie("solo-ledger-language", "de")
    text = text_of(scorer.open(f"{played}/result"))
    assert "Ann +150" in text
    assert "In Chips abrechnen" in text


def test_the_picture_shows_the_same_result_as_the_page(scorer: Phone, played: str) -> None:
    """1,080 pixels wide, with club, title, winner, standings and payments."""
    root, texts = picture(scorer, played)
    assert root.get("width") == "1080"
    assert {"Ann", "+150", "−50"} <= set(texts)
    assert any("Ann leads" in text for text in texts)
    assert "Bob → Ann" in texts


def test_an_evening_without_hands_has_a_picture_too(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Without a curve and without payments."""
    evening = table.start(database, club)
    root, texts = picture(scorer, f"/clubs/{club.club_id}/sessions/{evening}")
    assert "No hand yet" in texts
    assert root.find(f".//{SVG}polyline") is None


def test_names_cannot_add_elements_to_the_picture(
    scorer: Phone, played: str, tonight: int, database: Database, club: Access
) -> None:
    """Characters of markup are shown as they are."""
    lifecycle.rename(table.write(database, club), tonight, title='A & B &lt;g/&gt; "c"')
    root, texts = picture(scorer, played)
    assert 'A & B &lt;g/&gt; "c"' in texts
    assert root.find(f".//{SVG}text/*") is None


def test_the_picture_brings_fonts_for_unusual_names(
    scorer: Phone, database: Database, club: Access
) -> None:
    """It can't link any, so that a device without them would draw boxes."""
    evening = table.start(database, club, ("花子", "Ann", "Bob", "Cyd", "Dee", "Eve", "Fay"))
    root, texts = picture(scorer, f"/clubs/{club.club_id}/sessions/{evening}")
    assert "花子" in texts
    style = root.findtext(f"{SVG}style") or ""
    assert 'src: url("data:font/ttf;base64,' in style
    assert "unicode-range: U+5B50, U+82B1" in style


def test_a_long_payer_does_not_hide_the_payee() -> None:
    """Each name is cut by itself."""
    shown = payment_in_picture(Payment("A" * 64, "Bob", 75))
    assert shown.endswith("… → Bob")


@given(st.text(min_size=1, max_size=64), st.integers(24, 60), st.integers(100, 980))
def test_a_fitted_text_is_never_wider_than_its_place(text: str, size: int, width: int) -> None:
    """It is made smaller first, and cut only at the least size."""
    shown = fit_text(text, size, width)
    assert 22 <= shown.size <= size
    assert shown.text == text or (shown.size == 22 and shown.text.endswith("…"))
    assert len(shown.text) * 0.56 * shown.size <= width + 22


def test_twelve_marks_differ_by_colour_or_outline() -> None:
    """As on the pages."""
    assert len({mark_colour(place) for place in range(12)}) == 12
