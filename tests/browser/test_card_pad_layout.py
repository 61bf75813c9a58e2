"""The card pad on screens of all sizes: nothing is cut off, faint or out of reach."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from engine.guide.random_hands import NAMES
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.common.writing import Write
from ledger.services.table import start
from ledger.services.table.start import SessionDraft
from tests.browser.card_entry import CardPad
from tests.browser.conftest import seated
from tests.browser.test_card_pad import drawn
from tests.browser.test_legible import barriers, faint_by_day_and_night
from tests.browser.waiting import draft_kept
from tests.support.chromium import PHONE_SIZE
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

MIA = Access(1, Role.SCORER, "Mia")

OUTSIDE = """(keys, [width, height]) => keys.filter((key) => {
    const box = key.getBoundingClientRect();
    const isSeen = box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height;
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isCovered = !key.disabled && !key.contains(hit);
    return !isSeen || isCovered || box.width < 24 || box.height < 32;
}).map((key) => key.dataset.card)"""


@pytest.mark.parametrize(
    ("size", "large"),
    [(PHONE_SIZE, False), ((320, 568), True), ((844, 390), True)],
    ids=["phone", "small phone", "landscape"],
)
def test_the_pad_fits_a_phone_and_every_key_a_thumb(
    service: Server, phone: "Phones", size: tuple[int, int], large: bool
) -> None:
    """Five seats and long names, in both layouts: nothing is cut off, faint or without a name."""
    page = phone(service.url, size=size)
    names = ["Anneliese", "Bob", "Cornelius-Maximilian", "Dee", "山田"]
    scorer = seated(service, page, names)
    pad = CardPad(page)
    contract = [("bidder", "Bob"), ("bid", "solo"), ("trump", "S"), ("called", "AH")]
    pad.begin(f"{scorer.session_path()}/hands/new", contract)
    if large:
        pad.button("More").click()
        pad.button("Large keys").click()
    pad.play(["AD", "6D", "7D", "8C", "TD"])
    assert pad.part("keys").locator("[data-card]").evaluate_all(OUTSIDE, size) == []
    if size == PHONE_SIZE:
        key = pad.key("AS").bounding_box()
        assert key is not None
        assert (round(key["width"]), round(key["height"])) == (41, 66)
    assert faint_by_day_and_night(page) == []
    assert barriers(page) == []
    expect(pad.part("score")).to_contain_text(drawn("partner unknown until A♥ is played"))
    draft_kept(page)
    page.reload()
    pad.open()
    assert pad.dialog.evaluate("(pad) => pad.classList.contains('large')") is large
    assert phone.complaints == []


def test_at_a_table_of_twelve_on_a_small_phone_all_is_within_reach(
    service: Server, phone: "Phones"
) -> None:
    """What doesn't fit scrolls, the buttons stay in sight; a trick of three long names is one line."""
    page = phone(service.url, size=(320, 568))
    names = [f"{name}-Cornelius-Maximilian" for name in NAMES]
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    scorer = seated(service, page, names)
    draft = SessionDraft(names[:3], "straight-solo", first_dealer=names[2])
    start.start(Write(books, MIA, "a table of three"), draft)
    books.close()
    pad = CardPad(page)
    spades = [("bidder", names[6]), ("bid", "go-alone"), ("trump", "S")]
    pad.begin(f"{scorer.session_path()}/hands/new", spades)
    pad.button("More").click()
    pad.button("Large keys").click()
    pad.key("6C").tap()
    pad.button("Claim the rest").tap()
    expect(pad.part("sheet")).to_be_visible()
    page.keyboard.press("Escape")
    pad.button("Undo").first.tap()
    expect(pad.part("score")).to_contain_text("cards out 36")
    page.set_viewport_size({"width": 390, "height": 844})
    pad = CardPad(page)
    pad.begin("/clubs/1/sessions/2/hands/new", [("bidder", names[2]), ("bid", "heart-solo")])
    assert pad.part("title").evaluate("(title) => title.scrollWidth - title.clientWidth") <= 0
    pad.play(["TS", "KS", "QS"])
    line = pad.part("tricks").locator("button").bounding_box()
    assert line is not None
    assert line["height"] < 35
    assert phone.complaints == []


def test_the_button_that_opens_the_pad_is_above_the_bottom_of_a_phone(
    service: Server, phone: "Phones"
) -> None:
    """Right below the keys for the card points, so that the button for the payout doesn't cover it."""
    page = phone(service.url)
    scorer = seated(service, page, NAMES[:3], "progressive")
    page.goto(f"{scorer.session_path()}/hands/new")
    for name, value in {"bidder": "Ann", "bid": "frog"}.items():
        page.locator(f'input[name="{name}"][value="{value}"]').click()
    opener, dock = page.locator("#open-card-entry"), page.locator(".dock")
    opener.wait_for()
    assert opener.evaluate("(each) => each.getBoundingClientRect().bottom") <= dock.evaluate(
        "(each) => each.getBoundingClientRect().top"
    )
