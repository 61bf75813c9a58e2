"""Scoring by tapping, on a phone-sized Chromium."""

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, Request, Route, expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from tests.browser.pages import ScorerPhone, opener_of
from tests.browser.waiting import draft_kept
from tests.ledger import table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

# 002's own example: (74 − 60) × 3 = 42, to the nearest 5 = 40.
PAYS = {"Ann": 120, "Bob": 80, "Cyd": -40, "Dee": -40, "Eve": -40, "Fay": -40, "Gus": -40}


def choose(page: Page, group: str, name: str) -> None:
    """Tap a choice, once its question is open."""
    opener = opener_of(page, group)
    if opener.count():
        opener.tap()
    page.get_by_role("group", name=group, exact=True).get_by_role(
        "radio", name=name, exact=True
    ).click()


def test_a_normal_hand_takes_seven_taps_and_one_number_at_most(
    scorer: ScorerPhone, phone: "Phones"
) -> None:
    """Bidder, bid, trump, called card, partner, the number, save: six, from an empty form."""
    page = scorer.page
    scorer.open_hand()
    for group, name in (
        ("Caller", "Ann"),
        ("Bid", "Solo in hearts"),
        ("Called card", "A♥"),
        ("Partner", "Bob"),
    ):
        choose(page, group, name)
    page.get_by_label("Card points", exact=True).click()
    page.keyboard.type("74")
    expect(page.get_by_role("region", name="Payout")).to_contain_text(
        "Ann is paid by Cyd, Dee and Eve; Bob by Fay and Gus"
    )
    assert scorer.payout() == PAYS
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
    assert scorer.balances_here() == PAYS
    assert scorer.dealer() == "Ann"
    scorer.score_hand(
        {
            "contract": {
                "bidder": "Cyd",
                "bid": "solo",
                "trump": "S",
                "called": "AS",
                "partner": "Dee",
            },
            "points": 52,
        }
    )
    assert scorer.taps == 6
    assert phone.complaints == []


def test_every_target_is_large_enough_and_nothing_overflows(scorer: ScorerPhone) -> None:
    """48 pixels at least, on a page no wider than the phone."""
    scorer.open_hand()
    scorer.fill_hand(
        {
            "contract": {
                "bidder": "Ann",
                "bid": "solo",
                "trump": "S",
                "called": "AS",
                "partner": "Bob",
            },
            "points": 74,
        }
    )
    page = scorer.page
    small = page.evaluate(
        """() => [...document.querySelectorAll("#main label.tap, #main button, #main summary, #main .number")]
            .filter(e => e.checkVisibility() && !e.matches(".first"))
            .map(e => [e.innerText, e.getBoundingClientRect().width, e.getBoundingClientRect().height])
            .filter(([, width, height]) => width < 48 || height < 47.9)"""
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_what_a_bid_has_no_room_for_disappears(scorer: ScorerPhone) -> None:
    """Impossible choices are not offered; a new bid drops answers that no longer fit."""
    page = scorer.page
    scorer.open_hand()
    expect(page.get_by_role("radio", name="Blind")).to_have_count(0)
    choose(page, "Caller", "Ann")
    expect(page.get_by_role("radio", name="Blind")).to_be_visible()
    choose(page, "Bid", "Solo")
    choose(page, "Trump", "clubs")
    choose(page, "Partner", "Cyd")
    choose(page, "Caller", "Cyd")
    expect(page.get_by_role("radio", name="Blind")).to_have_count(0)
    opener_of(page, "Partner").tap()
    partner = page.get_by_role("group", name="Partner")
    expect(partner.get_by_role("radio", name="Cyd")).to_have_count(0)
    expect(partner.get_by_role("radio", checked=True)).to_have_count(0)
    choose(page, "Bid", "Go alone in hearts")
    expect(partner).to_have_count(0)
    expect(opener_of(page, "Partner")).to_have_count(0)
    expect(opener_of(page, "Bid")).to_contain_text("Go alone in hearts ♥")
    choose(page, "Caller", "All passed")
    expect(page.get_by_role("group", name="Bid", exact=True)).to_have_count(0)
    expect(opener_of(page, "Bid")).to_have_count(0)
    expect(page.get_by_role("button", name="Save hand 1")).to_be_enabled()


def test_the_caret_stays_where_it_is_while_the_page_answers(scorer: ScorerPhone) -> None:
    """A digit typed into the middle of the number goes there, and the field keeps the focus."""
    page = scorer.page
    scorer.open_hand()
    for group, name in (("Caller", "Ann"), ("Bid", "Go alone in hearts")):
        choose(page, group, name)
    points = page.get_by_label("Card points", exact=True)
    points.click()
    page.keyboard.type("14")
    expect(page.get_by_role("region", name="Payout")).to_contain_text("14 card points")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("0")
    expect(page.get_by_role("region", name="Payout")).to_contain_text("104 card points")
    expect(points).to_be_focused()
    expect(points).to_have_value("104")
    assert points.evaluate("e => e.selectionStart") == 2


def test_a_number_not_seen_is_not_saved(scorer: ScorerPhone) -> None:
    """Typed over and saved in the same breath, it is shown first."""
    page = scorer.page
    scorer.open_hand()
    scorer.fill_hand({"contract": {"bidder": "Ann", "bid": "go-alone-in-hearts"}, "points": 74})
    page.evaluate(
        """() => {
            document.querySelector("#points").value = "47";
            document.querySelector("#save").click();
        }"""
    )
    expect(page.get_by_text("This device showed another payout")).to_be_visible()
    expect(page.get_by_role("region", name="Payout")).to_contain_text("47 card points")
    assert scorer.save().startswith("Hand 1 saved")


def test_a_double_tap_saves_one_hand(scorer: ScorerPhone, phone: "Phones") -> None:
    """The button is off while it sends, and the key does the rest."""
    page = scorer.page
    scorer.open_hand()
    scorer.fill_hand({"contract": {"bid": "pass"}})
    page.evaluate(
        """() => { const save = document.querySelector("#save"); save.click(); save.click();
                   save.form.requestSubmit(save); }"""
    )
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
    expect(page.get_by_text("1 hand.")).to_be_visible()
    assert phone.complaints == []


def test_going_back_after_saving_does_not_lead_into_the_saved_form(scorer: ScorerPhone) -> None:
    """The form's place in the history is the scoreboard's; reloading it saves nothing."""
    page = scorer.page
    board = scorer.session_path()
    scorer.score_hand({"contract": {"bid": "pass"}})
    page.go_back()
    expect(page).to_have_url(re.compile(re.escape(board) + "$"))
    page.go_forward()
    expect(page.get_by_text("1 hand.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("1 hand.")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="saved")).to_have_count(0)


def _without_news(route: Route) -> None:
    """Cut a form off from the news about others."""
    if "do=meanwhile" in (route.request.post_data or ""):
        route.abort()
    else:
        route.continue_()


def test_who_was_overtaken_loses_nothing_typed(
    scorer: ScorerPhone, service: Server, phone: "Phones"
) -> None:
    """Two scorers, and no news in time: the second is shown the first's hand, then saves with one tap."""
    scorer.page.route("**/hands/new", _without_news)
    scorer.open_hand()
    scorer.fill_hand(
        {
            "contract": {"bidder": "Ann", "bid": "go-alone", "trump": "S"},
            "points": 74,
            "note": "close",
        }
    )
    other = ScorerPhone(phone(service.url))
    other.enter_club("Kitchen table", "four aces", "Zed")
    other.page.goto(scorer.session_path())
    other.score_hand({"contract": {"bidder": "Cyd", "bid": "go-alone", "trump": "S"}, "points": 85})
    page = scorer.page
    page.get_by_role("button", name="Save hand").tap()
    expect(page.get_by_role("alert").filter(has_text="Hand 1: Cyd, Go alone")).to_be_visible()
    expect(page.get_by_label("Card points", exact=True)).to_have_value("74")
    expect(page.get_by_label("Note", exact=True)).to_have_value("close")
    assert scorer.save().startswith("Hand 2 saved")


def test_a_wrong_count_is_said_at_its_field(scorer: ScorerPhone) -> None:
    """While typing a single digit is left in peace; 119 is not."""
    page = scorer.page
    scorer.open_hand()
    for group, name in (("Caller", "Ann"), ("Bid", "Go alone in hearts")):
        choose(page, group, name)
    page.get_by_label("Card points", exact=True).click()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.post_data or ""))
    page.clock.install()
    page.keyboard.type("1")
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.clock.resume()
    page.keyboard.type("19")
    expect(page.get_by_role("alert")).to_contain_text("miscount")
    assert not [each for each in asked if "points=1&" in each], "a single digit was sent"
    expect(page.get_by_label("Card points", exact=True)).to_have_value("119")
    expect(page.get_by_role("button", name="Save hand 1")).to_be_disabled()


def test_a_half_filled_hand_may_be_left_unasked_as_it_is_kept(scorer: ScorerPhone) -> None:
    """By its link or by loading it again; the tapped answers are there when the form is opened again."""
    page = scorer.page
    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.message or dialog.type))
    page.on("dialog", lambda dialog: dialog.accept())
    scorer.open_hand()
    choose(page, "Caller", "Ann")
    draft_kept(page)
    page.get_by_role("link", name="Not now").tap()
    expect(page.get_by_role("table", name="Standings")).to_be_visible()
    page.get_by_role("button", name="Score a hand").click()
    expect(opener_of(page, "Caller")).to_contain_text("Ann")
    draft_kept(page)
    page.reload()
    expect(opener_of(page, "Caller")).to_contain_text("Ann")
    assert asked == []


def test_the_tariff_lies_over_the_form_and_is_asked_for_once(scorer: ScorerPhone) -> None:
    """The tapped answers are there behind it; without a script the same link leads to its page."""
    page = scorer.page
    scorer.open_hand()
    choose(page, "Caller", "Ann")
    link = page.get_by_role("link", name="Tariff")
    with page.expect_request("**/how-to-play"):
        link.tap()
    card = page.get_by_role("dialog", name="Tariff")
    expect(card.locator("tr", has_text="Go alone in hearts")).to_contain_text("3 a point")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for _ in range(2):
        card.get_by_role("button", name="Back to the hand").tap()
        expect(card).to_be_hidden()
        expect(opener_of(page, "Caller")).to_contain_text("Ann")
        link.tap()
        expect(card).to_be_visible()
    assert asked == []


IN_SIGHT = """(field) => {
    const box = field.closest("label, button").getBoundingClientRect();
    const dock = document.querySelector(".dock").getBoundingClientRect();
    return box.top >= 0 && box.bottom <= dock.top + 1;
}"""


def size_of(request: Request) -> int:
    """Return the bytes of a request and its answer on the wire."""
    parts = request.sizes()
    sent = parts["requestHeadersSize"] + parts["requestBodySize"]
    return sent + parts["responseHeadersSize"] + parts["responseBodySize"]


def test_a_hand_of_seven_is_tapped_without_a_request_or_scrolling(
    scorer: ScorerPhone, service: Server
) -> None:
    """Five taps and a number, each in sight by itself; the ledger is asked for nothing, not even the payout.

    All that goes over the wire comes to less than 16,500 bytes, each request and answer with its headers and
    compressed as the browser gets it: the form's page, the save, the scoreboard with its chart. Not counted
    is what a browser has already, or holds all evening: static files, the table of payouts and the stream of
    news.
    """
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    for hand in (table.HEARTS_74, table.ALONE_85):
        table.record(books, Access(1, Role.SCORER, "Mia"), 1, hand)
    books.close()
    page = scorer.page
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    asked: list[str] = []
    finished: list[Request] = []

    def is_counted(request: Request) -> bool:
        is_kept = "/static/" in request.url or "/payouts." in request.url
        return not is_kept and request.resource_type != "eventsource"

    def note(request: Request) -> None:
        if is_counted(request):
            asked.append(request.url.rsplit("/", 1)[1])

    page.get_by_role("button", name="Score a hand").wait_for()
    page.on("requestfinished", lambda each: finished.append(each) if is_counted(each) else None)
    page.get_by_role("button", name="Score a hand").tap()
    expect(page.locator("#sum")).to_have_text("Still needed: caller, bid")
    expect(page.get_by_role("button", name="Save hand 3")).to_be_disabled()
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    page.on("request", note)
    taps = [
        ("bidder", "Cyd"),
        ("bid", "solo"),
        ("trump", "H"),
        ("called", "AH"),
        ("partner", "Bob"),
    ]
    for name, value in taps:
        field = page.locator(f'input[name="{name}"][value="{value}"]')
        assert field.evaluate(IN_SIGHT), value
        field.click()
    assert asked == []
    for digit in "74":
        key = page.get_by_role("button", name=digit, exact=True)
        assert key.evaluate(IN_SIGHT), digit
        key.click()
    folded = ["Cyd", "Solo", "♥\ufe0e", "A♥\ufe0e", "Bob"]
    expect(page.locator("#told button")).to_have_text(folded, use_inner_text=True)
    expect(page.get_by_role("region", name="Payout")).to_be_visible()
    assert asked == []
    with page.expect_event("requestfinished", lambda request: "saved=3" in request.url):
        page.get_by_role("button", name="Save hand 3").tap()
    expect(page.get_by_role("status").filter(has_text="Hand 3 saved")).to_be_visible()
    expect(page.locator("#plots polyline").first).to_be_visible()
    assert page.evaluate("scrollY") == 0
    sizes = [size_of(request) for request in finished]
    assert len(sizes) == 3
    assert sum(sizes) < 16_500, sizes
