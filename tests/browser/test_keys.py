"""The hand form by keys alone: the focus is visible, and nothing needs a finger or moves by itself."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from tests.browser.conftest import SEVEN, seated
from tests.browser.pages import ScorerPhone, opener_of
from tests.browser.screenshots import SIZES
from tests.browser.waiting import draft_kept
from tests.ledger import table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

FOCUSED = "() => document.activeElement.name || document.activeElement.id"
"""The name of the input that has the focus."""
IS_MARKED = """(name) => {
    const at = document.activeElement, drawn = at.closest(".tap")?.querySelector("span") || at;
    const { outlineStyle, boxShadow } = getComputedStyle(drawn);
    return (at.name || at.id) === name && (outlineStyle !== "none" || boxShadow !== "none");
}"""
"""Whether an input of that name has the focus, and this is seen."""


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        page.keyboard.press(key)


@pytest.fixture
def desk(service: Server, phone: "Phones") -> ScorerPhone:
    """A desktop at Crazy Solo of seven: a mouse that nobody touches, and keys."""
    return seated(service, phone(service.url, size=SIZES["desktop"], touch=False), SEVEN)


def to_the_form(desk: ScorerPhone) -> None:
    """Open the next hand by Tab and Enter."""
    page = desk.page
    button = page.get_by_role("button", name="Score a hand")
    for _ in range(40):
        if button.evaluate("(each) => each === document.activeElement"):
            break
        press(page, "Tab")
    with page.expect_navigation():
        press(page, "Enter")
    page.locator("#ahead button").first.wait_for()


def see_focus(page: Page, name: str) -> None:
    """Wait until an input of that name has the focus, marked as such."""
    page.wait_for_function(IS_MARKED, arg=name)


def to(page: Page, name: str) -> None:
    """Go on by Tab until an input of that name has the focus."""
    for _ in range(40):
        if page.evaluate(FOCUSED) == name:
            return
        press(page, "Tab")
    raise AssertionError(name)


def test_a_hand_is_entered_and_saved_by_keys_alone(desk: ScorerPhone, phone: "Phones") -> None:
    """Arrows choose, Enter goes on, digits are typed; each question has the focus, the button last.

    So has the first, on a page that Enter opened, and the one that is left after a reload.
    """
    page = desk.page
    to_the_form(desk)
    see_focus(page, "bidder")
    press(page, "ArrowRight", "ArrowRight", "Enter")
    draft_kept(page)
    page.reload()
    expect(opener_of(page, "Caller")).to_contain_text("Cyd")
    expect(page.locator('input[name="bid"]').first).to_be_focused()
    for name, keys in (
        ("bid", ["Enter"]),
        ("trump", ["ArrowRight", "Enter"]),
        ("called", ["Enter"]),
        ("partner", ["ArrowRight", "Enter"]),
        ("points", ["7", "4", "Enter"]),
    ):
        see_focus(page, name)
        press(page, *keys)
    expect(page.locator("#save")).to_be_focused()
    desk.payout()
    press(page, "Enter")
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved: Cyd")).to_be_visible()
    expect(page.locator("#main")).to_be_focused()
    assert phone.complaints == []


def test_skip_links_lead_to_the_content_and_to_the_main_button(desk: ScorerPhone) -> None:
    """The content by one Tab, *Score a hand* by three; a link is seen while it has the focus."""
    page = desk.page
    press(page, "Tab")
    skip = page.get_by_role("link", name="To the content")
    expect(skip).to_be_focused()
    box = skip.bounding_box()
    assert box is not None
    assert box["height"] > 40
    press(page, "Enter")
    expect(page.locator("#main")).to_be_focused()
    page.reload()
    press(page, "Tab", "Tab", "Tab", "Enter")
    expect(page.get_by_role("button", name="Score a hand")).to_be_focused()


def test_arrows_go_round_a_question_without_losing_the_focus(
    desk: ScorerPhone, phone: "Phones"
) -> None:
    """Through the called cards, and past the partner in the caller's own seat, in both directions."""
    page = desk.page
    to_the_form(desk)
    press(page, "ArrowRight", "ArrowRight", "Enter", "Enter", "ArrowRight", "Enter")
    for name, count in (("called", 3), ("partner", 7)):
        see_focus(page, name)
        for arrow in ("ArrowRight", "ArrowLeft"):
            walked = [walk(page, name, arrow) for _ in range(count)]
            assert len(set(walked)) == count, walked
            assert ("<alone>" in walked) is (name == "partner")
        press(page, "Enter")
    expect(page.locator("#points")).to_be_focused()
    assert phone.complaints == []


def walk(page: Page, name: str, arrow: str) -> str:
    """Press an arrow key; return the choice that it led to, which has the focus and is chosen."""
    press(page, arrow)
    chosen = page.locator(f'input[name="{name}"]:checked')
    expect(chosen).to_be_focused()
    see_focus(page, name)
    return chosen.input_value()


def test_escape_folds_what_was_opened_again_and_digits_need_no_field(
    desk: ScorerPhone, phone: "Phones"
) -> None:
    """A question opened by its line has the focus on its answer; the tariff closes, the hand stays."""
    page = desk.page
    to_the_form(desk)
    to(page, "bidder")
    press(page, "Enter")
    press(page, "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    expect(opener_of(page, "Bid")).to_contain_text("Go alone in hearts")
    caller = opener_of(page, "Caller")
    caller.focus()
    press(page, "Enter")
    expect(page.locator('input[name="bidder"]:checked')).to_be_focused()
    press(page, "Escape")
    expect(page.locator("#points")).to_be_focused()
    page.locator('[data-key="5"]').focus()
    press(page, "8", "4", "Backspace", "1")
    expect(page.locator("#points")).to_have_value("81")
    desk.payout()
    page.get_by_role("link", name="Tariff").focus()
    press(page, "Enter")
    card = page.get_by_role("dialog", name="Tariff")
    expect(card).to_be_visible()
    press(page, "9", "Escape")
    expect(card).to_be_hidden()
    expect(page.locator("#points")).to_have_value("81")
    expect(page.get_by_role("link", name="Tariff")).to_be_focused()
    assert phone.complaints == []


def test_tricks_are_said_by_a_digit_and_what_is_usual_is_there(
    service: Server, phone: "Phones"
) -> None:
    """German Solo: no finger leaves the keys, and the usual answers are filled in."""
    desk = seated(
        service, phone(service.url, size=SIZES["desktop"], touch=False), SEVEN[:4], "german-solo"
    )
    page = desk.page
    to_the_form(desk)
    to(page, "bidder")
    press(page, "Enter")
    to(page, "bid")
    page.locator('input[name="bid"][value="solo"]').focus()
    press(page, "Enter", "Enter", "5", "6")
    expect(page.locator('input[name="tricks_won"][value="6"]')).to_be_focused()
    expect(page.locator('input[name="matadors"][value="split"]')).to_be_checked()
    press(page, "Enter")
    expect(page.locator("#save")).to_be_focused()
    expect(page.locator("#sum")).to_contain_text("Ann +6")


def test_the_second_tap_of_a_double_one_answers_nothing(scorer: ScorerPhone) -> None:
    """The next question comes up under the thumb; two quick digits of a number are two."""
    page = scorer.page
    scorer.open_hand()
    bidder = page.locator('input[name="bidder"][value="Dee"]')
    bidder.dblclick()
    expect(opener_of(page, "Caller")).to_contain_text("Dee")
    expect(opener_of(page, "Bid")).to_have_count(0)
    page.locator('input[name="bid"][value="go-alone-in-hearts"]').click()
    page.locator('[data-key="7"]').dblclick()
    expect(page.locator("#points")).to_have_value("77")


def test_who_hears_the_page_is_led_and_not_interrupted(
    scorer: ScorerPhone, service: Server, phone: "Phones"
) -> None:
    """A tap leads to the next question; a redrawn board keeps the focus and announces the hand politely."""
    page, board = scorer.page, scorer.session_path()
    scorer.open_hand()
    page.locator('input[name="bidder"][value="Ann"]').click()
    expect(page.get_by_role("group", name="Bid", exact=True)).to_be_focused()
    with page.expect_request("**/live"):
        page.goto(board)
    link = page.get_by_role("link", name="History")
    link.focus()
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    table.record(books, Access(1, Role.SCORER, "Zed"), 1, table.HEARTS_74)
    books.close()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    expect(link).to_be_focused()
    heard = page.locator("#heard")
    expect(heard).to_contain_text("Hand 1")
    expect(heard).to_have_attribute("aria-live", "polite")
    assert phone.complaints == []


MOVING = """() => [...document.querySelectorAll("*")].filter((each) => {
    const style = getComputedStyle(each), times = `${style.transitionDuration}, ${style.animationDuration}`;
    return times.split(",").some((time) => parseFloat(time) > 0.01) || style.scrollBehavior === "smooth";
}).length"""
GLIDES = """() => {
    window.glides = [];
    const own = Element.prototype.scrollIntoView;
    Element.prototype.scrollIntoView = function (how) {
        window.glides.push(how.behavior);
        own.call(this, how);
    };
}"""


@pytest.mark.parametrize("moves", [False, True], ids=["less motion", "as usual"])
def test_nothing_moves_for_who_asked_for_less_motion(
    service: Server, phone: "Phones", moves: bool
) -> None:
    """No colour fades, and the next question stands there at once instead of gliding into sight."""
    scorer = seated(service, phone(service.url, moves=moves), SEVEN)
    page = scorer.page
    scorer.open_hand()
    page.evaluate(GLIDES)
    for name, value in (("bidder", "Ann"), ("bid", "go-alone"), ("trump", "S")):
        page.locator(f'input[name="{name}"][value="{value}"]').click()
    assert set(page.evaluate("window.glides")) == {"smooth" if moves else "auto"}
    assert bool(page.evaluate(MOVING)) is moves
