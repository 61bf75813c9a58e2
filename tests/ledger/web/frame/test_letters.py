"""Names in any script have letters on every page."""

import re
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from ledger.http.reader_language import COOKIE
from ledger.web.frame import letters
from tests.ledger.web.phone import Phone

ODD = ("山田", "สมชาย", "ಕನ್ನಡ", "עברית", "🂡 Ace")


def style_of(phone: Phone, address: str) -> str | None:
    """Return the address of the style that a page names for its letters, if it names one."""
    match = re.search(
        r'<link rel="stylesheet" href="(/letters/[^"]+)">\s*</main>',
        phone.open(address).response.text,
    )
    return match[1] if match else None


def add(phone: Phone, club: str, *names: str) -> None:
    """Enter players."""
    for name in names:
        phone.send(phone.open(f"{club}/players").form("/players"), name=name)


@pytest.fixture
def players(four: str) -> str:
    """The address of the club's players."""
    return f"{four.partition('/sessions')[0]}/players"


def test_a_page_without_odd_names_asks_for_no_letters(scorer: Phone, players: str) -> None:
    """Latin, Greek, Cyrillic, suits and signs are on every device."""
    add(scorer, players.removesuffix("/players"), "Łukasz Żółć", "Ελένη", "Жанна")
    assert style_of(scorer, players) is None


def test_a_page_with_odd_names_gets_a_font_of_just_their_letters(
    scorer: Phone, players: str
) -> None:
    """Small, kept for good, with a range that keeps it from being fetched for anything else."""
    add(scorer, players.removesuffix("/players"), *ODD)
    address = style_of(scorer, players)
    assert address is not None
    style = scorer.client.get(address)
    assert style.mimetype == "text/css"
    assert "immutable" in style.headers["Cache-Control"]
    expected = {ord(char) for name in ODD for char in name if ord(char) > 0x590}
    ranged = {int(code, 16) for code in re.findall(r"U\+([0-9A-F]+)", style.text)}
    assert ranged == expected
    held, size = set(), 0
    for face in re.findall(r"url\(\"([^\"]+)\"\)", style.text):
        font = scorer.client.get(f"/letters/{face}")
        assert font.mimetype == "font/ttf"
        assert "immutable" in font.headers["Cache-Control"]
        size += len(font.data)
        held |= set(TTFont(BytesIO(font.data)).getBestCmap())
    assert held >= expected
    assert size < 40_000


def test_who_reads_in_japanese_has_its_letters_already(scorer: Phone, players: str) -> None:
    """Only other scripts' letters are served."""
    add(scorer, players.removesuffix("/players"), "山田")
    assert style_of(scorer, players) == "/letters/5c71-7530.css"
    scorer.client.set_cookie(COOKIE, "ja")
    assert style_of(scorer, players) is None


def test_a_page_of_a_thousand_scripts_gets_a_bounded_font(scorer: Phone, players: str) -> None:
    """However many odd letters somebody enters."""
    many = [chr(code) for code in range(0x4E00, 0x4E00 + 3 * letters.MOST)]
    add(scorer, players.removesuffix("/players"), "".join(many[:60]), "".join(many[60:120]))
    address = style_of(scorer, players)
    assert address is not None
    assert address.count("-") == letters.MOST - 1
    (face,) = re.findall(r"url\(\"([^\"]+)\"\)", scorer.client.get(address).text)
    assert len(scorer.client.get(f"/letters/{face}").data) < 40_000


@pytest.mark.parametrize(
    "path",
    [
        "7530-5c71.css",
        "5c71-5c71.css",
        "5C71.css",
        "05c71.css",
        "zz.css",
        "ffffff.css",
        "e000.css",
        "-".join(f"{code:x}" for code in range(0x4E00, 0x4E00 + letters.MOST + 1)) + ".css",
        "LedgerThai/5c71.ttf",
        "NoFace/5c71.ttf",
        "..%2f..%2fetc/5c71.ttf",
    ],
)
def test_letters_that_no_page_asks_for_are_not_made(stranger: Phone, path: str) -> None:
    """One address for the same letters, in order; none for letters in no face."""
    assert stranger.client.get(f"/letters/{path}").status_code == 404
