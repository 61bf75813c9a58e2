"""Ordinary long names, of up to fourteen letters, stand on one line: no word of them is broken or cut off."""

from typing import TYPE_CHECKING

import pytest

from ledger.books.transactions import Database
from ledger.services.club import clubs
from tests.browser import showing
from tests.browser.pages import ScorerPhone
from tests.browser.screenshots import SIZES
from tests.browser.test_layouts import resized
from tests.ledger import table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

NAMES = (
    *("Maximilianella", "Bartholomaeusz", "Łukasz", "Wolfgang-Amadeus Oberhuber", "José María"),
    *("Ann", "Charlottenburg", "Bo", "Hildegardis", "Kim", "Zoë", "Friedrich"),
)

BROKEN = """() => {
    const broken = new Set(), main = document.querySelector("#main");
    const words = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const node = words.currentNode, at = node.parentElement;
        if (!at.closest("bdi") || at.closest(".unseen") || !at.checkVisibility()) continue;
        for (const { 0: word, index } of node.data.matchAll(/[^\\s-]+/gu)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
            if (lines.size > 1) broken.add(word);
        }
    }
    return [...broken];
}"""
"""The words of names that stand on more than one line."""


@pytest.mark.parametrize("players", [NAMES[:5], NAMES], ids=len)
def test_no_page_breaks_a_name_of_fourteen_letters(
    service: Server, phone: "Phones", players: tuple[str, ...]
) -> None:
    """Neither on phones, also on their side, nor on tablets and desktops, with few players and many."""
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    access, _ = clubs.create(books, name=showing.CLUB, passcode=showing.PASSCODE, author="Annika")
    session = table.start(books, access, players)
    bidders = players[:2]
    for bidder in bidders:
        contract = {"bidder": bidder, "bid": "go-alone", "trump": "H"}
        table.record(books, access, session, {"contract": contract, "points": 78})
    books.close()
    page = phone(service.url)
    ScorerPhone(page).enter_club(showing.CLUB, showing.PASSCODE, showing.AUTHOR)
    evening = f"/clubs/1/sessions/{session}"
    pages = [
        *(evening + part for part in ("", "/bank", "/chart", "/result", "/screen", "/history"))
    ]
    pages += [f"{evening}/hands/new", "/clubs/1/head-to-head", "/clubs/1/players/1/evenings"]
    broken = {}
    for place in pages:
        page.goto(place)
        if place.endswith("/new"):
            for answer in (
                f'bidder"][value="{players[1]}',
                'bid"][value="go-alone',
                'trump"][value="D',
            ):
                page.locator(f'input[name="{answer}"]').check()
            page.locator("input[name=points]").fill("78")
            page.locator("#payout").wait_for()
        for size in SIZES:
            resized(page, size)
            if words := page.evaluate(BROKEN):
                broken[place, size] = words
    assert broken == {}
