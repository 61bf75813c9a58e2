"""A refused form shows it in sight: the first faulty field has the caret, and its sentence is visible."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import ScorerPhone, opener_of

pytestmark = pytest.mark.browser

SEEN = """(id) => {
    const at = document.getElementById(id).getBoundingClientRect();
    const dock = [...document.querySelectorAll(".dock")].pop().getBoundingClientRect();
    return at.top >= 0 && at.bottom <= Math.min(dock.top, innerHeight);
}"""


def in_sight(page: Page, identity: str) -> None:
    """Wait until a sentence stands between the top of the screen and the buttons at the bottom."""
    expect(page.locator(f"[id='{identity}']")).to_be_visible()
    page.wait_for_function(SEEN, arg=identity)


def test_the_bank_shows_what_is_missing(scorer: ScorerPhone) -> None:
    """Nobody chosen, no chips, then no reason: the first that is missing has its field in hand."""
    page = scorer.page
    page.goto(f"{scorer.session_path()}/bank")
    move = page.get_by_role("button", name="Move the chips")
    move.tap()
    in_sight(page, "wrong-player")
    expect(page.get_by_role("group", name="Player").get_by_role("radio").first).to_be_focused()
    page.get_by_role("group", name="Player").get_by_role("radio", name="Cyd").check()
    move.tap()
    in_sight(page, "wrong-chips")
    expect(page.get_by_label("Chips", exact=True)).to_be_focused()
    page.get_by_label("Chips", exact=True).fill("5")
    page.get_by_role("radio", name="Adds").check()
    move.tap()
    in_sight(page, "wrong-reason")
    expect(page.get_by_label("Reason", exact=True)).to_be_focused()
    expect(page.get_by_label("Chips", exact=True)).to_have_value("5")
    page.get_by_label("Reason", exact=True).fill("found one")
    move.tap()
    expect(page.get_by_role("status").filter(has_text="are corrected")).to_be_visible()


def test_the_summary_at_the_top_leads_to_the_field(scorer: ScorerPhone) -> None:
    """Scrolled back up, each sentence is a way down."""
    page = scorer.page
    page.goto(f"{scorer.session_path()}/bank")
    page.get_by_role("button", name="Move the chips").tap()
    in_sight(page, "wrong-player")
    page.evaluate("scrollTo(0, 0)")
    link = page.get_by_role("region", name="Not saved").get_by_role("link").last
    link.tap()
    in_sight(page, "wrong-player")


def test_a_correction_without_its_reason_shows_where_it_goes(scorer: ScorerPhone) -> None:
    """The payout below does not hide it."""
    scorer.score_hand(
        {"contract": {"bidder": "Cyd", "bid": "go-alone", "trump": "S"}, "points": 85}
    )
    page = scorer.page
    page.goto(f"{scorer.session_path()}/hands/1/correct")
    opener_of(page, "Card points").tap()
    page.get_by_label("Card points", exact=True).fill("80")
    page.get_by_label("Card points", exact=True).blur()
    expect(page.get_by_role("region", name="Payout")).to_contain_text("80 card points")
    expect(page.get_by_role("button", name="Save the correction")).to_be_disabled()
    page.get_by_role("link", name="Still needed: the reason").tap()
    in_sight(page, "reason")
    expect(page.get_by_label("Reason for the correction")).to_be_focused()
    page.keyboard.type("miscounted")
    expect(page.get_by_role("button", name="Save the correction")).to_be_enabled()


@pytest.mark.parametrize("javascript", [True, False], ids=["with a script", "without"])
def test_a_new_session_shows_what_is_half_filled(scorer: ScorerPhone, javascript: bool) -> None:
    """A rate without its money, behind its disclosure; without a script the caret stands there, too."""
    page = scorer.page
    if not javascript:
        page = scorer.page.context.browser.new_context(  # type: ignore[union-attr]
            base_url=page.url.split("/clubs")[0],
            viewport=page.viewport_size,
            java_script_enabled=False,
            storage_state=page.context.storage_state(),
        ).new_page()
    page.goto(f"{scorer.session_path().rsplit('/', 1)[0]}/new")
    for name in ("Ann", "Bob", "Cyd"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("list", name="At the table")).to_contain_text(name)
    page.locator("summary", has_text="Chips and money").click()
    page.get_by_label("This many chips").fill("100")
    page.get_by_role("button", name="Start the session").click()
    in_sight(page, "wrong-rate_money")
    expect(page.get_by_label("are worth")).to_be_focused()
    expect(page.get_by_label("This many chips")).to_have_value("100")


def test_with_nobody_seated_the_page_goes_to_the_seats(scorer: ScorerPhone) -> None:
    """However far down the button was tapped."""
    page = scorer.page
    page.goto(f"{scorer.session_path().rsplit('/', 1)[0]}/new")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.get_by_role("button", name="Start the session").tap()
    in_sight(page, "wrong-players")


def test_what_hinders_a_hand_is_said_beside_the_button(scorer: ScorerPhone) -> None:
    """While typing it is never above the screen: the strip at the bottom shows it, and leads there."""
    page = scorer.page
    scorer.open_hand()
    for group, name in (("Caller", "Ann"), ("Bid", "Go alone in hearts")):
        page.get_by_role("group", name=group, exact=True).get_by_role(
            "radio", name=name, exact=True
        ).click()
    page.get_by_label("Card points", exact=True).click()
    page.keyboard.type("119")
    expect(page.locator("#sum")).to_contain_text("miscount")
    page.evaluate("scrollTo(0, 0)")
    page.locator("#sum a").tap()
    in_sight(page, "points")
    expect(page.get_by_label("Card points", exact=True)).to_be_focused()


def test_a_note_does_not_ask_for_another_look(scorer: ScorerPhone) -> None:
    """Payout shown, note typed, one tap on Save."""
    page = scorer.page
    scorer.open_hand()
    scorer.fill_hand({"contract": {"bidder": "Ann", "bid": "go-alone-in-hearts"}, "points": 74})
    page.locator("summary", has_text="Add a note").tap()
    page.get_by_label("Note", exact=True).tap()
    page.keyboard.type("close")
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
