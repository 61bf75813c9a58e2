"""No name is a row of boxes, though the device has no font for it."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import seated
from tests.support.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

NAMES = ("ಕನ್ನಡ", "ગુજરાતી", "മലയാളം", "山田")
"""Names in scripts of which hardly any machine that runs tests has every font."""


def drawn_with(page: "Page", name: str) -> list[dict[str, Any]]:
    """Return the fonts that the browser really draws a name with, each with how many letters."""
    asked = page.context.new_cdp_session(page)
    asked.send("DOM.enable")
    asked.send("CSS.enable")
    root = asked.send("DOM.getDocument", {"depth": -1})["root"]["nodeId"]
    path = f"//*[not(*) and normalize-space()='{name}']"
    search = asked.send("DOM.performSearch", {"query": path})
    found = asked.send(
        "DOM.getSearchResults", {"searchId": search["searchId"], "fromIndex": 0, "toIndex": 1}
    )
    assert root
    fonts: list[dict[str, Any]] = asked.send(
        "CSS.getPlatformFontsForNode", {"nodeId": found["nodeIds"][0]}
    )["fonts"]
    return fonts


def test_a_name_is_drawn_in_a_font_that_has_it(service: Server, phone: "Phones") -> None:
    """The page's own where the device has none; fetched once, and only by a page that shows the name."""
    page = phone(service.url)
    fetched: list[str] = []
    page.on(
        "response", lambda answer: fetched.append(answer.url) if "/letters/" in answer.url else None
    )
    page.goto("/enter")
    assert fetched == []
    scorer = seated(service, page, NAMES)
    scorer.page.goto(f"{scorer.page.url}/table")
    # A machine that runs tests may have fonts of its own for some of them: ours are asked alone.
    page.evaluate(OURS_ALONE)
    page.wait_for_function("() => [...document.fonts].every((each) => each.status === 'loaded')")
    for name in NAMES:
        used = drawn_with(page, name)
        assert used, name
        assert all(each["isCustomFont"] for each in used), (name, used)
    assert {url.rpartition("/")[2].rpartition(".")[2] for url in fetched} == {"css", "ttf"}
    assert phone.complaints == []


OURS_ALONE = """
    for (const each of document.querySelectorAll("body, body *"))
        each.style.fontFamily = '"Ledger Letters"';
"""


ALIKE = """(names) => names.every((name) => {
    const wide = (bdi) => {
        const drawn = document.createRange();
        drawn.selectNodeContents(bdi);
        return drawn.getBoundingClientRect().width / parseFloat(getComputedStyle(bdi).fontSize);
    };
    const all = [...document.querySelectorAll("bdi")].filter((bdi) => bdi.textContent === name).map(wide);
    return all.length > 1 && Math.max(...all) - Math.min(...all) < 0.2;
})"""
"""Whether each name is about as wide, for its size, wherever it stands: a box is as wide as no letter.

Not more than about: where letters begin at whole pixels, each may be half of one off.
"""


def test_letters_that_come_late_are_drawn_in_every_size(service: Server, phone: "Phones") -> None:
    """On the buttons of the bank, too: Chromium went on with the boxes of before they came."""
    page = seated(service, phone(service.url), NAMES).page
    for _ in range(3):
        page.goto("/clubs/1/sessions/1/bank")
        page.wait_for_function(ALIKE, arg=NAMES)
