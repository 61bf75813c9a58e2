"""A saved hand is replayed on its own page, also for viewers, and the last one on the board view."""

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Locator, Page, expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.club import clubs, links
from ledger.services.common.writing import Write
from ledger.services.table import lifecycle, start
from ledger.services.table.start import SessionDraft
from tests.browser.test_board_view import CUT
from tests.browser.test_legible import barriers, faint_by_day_and_night
from tests.ledger import table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

SESSION = "/clubs/1/sessions/1"
OWNER = Access(1, Role.OWNER, "Mia")


@pytest.fixture
def books(service: Server) -> Database:
    """The service's books, with one hand with cards and a link for viewers."""
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    access, _ = clubs.create(books, name="Kitchen table", passcode="four aces", author="Mia")
    draft = SessionDraft(table.FOUR, "crazy-solo", starting_stack=1_000)
    start.start(Write(books, access, "the session of a test"), draft)
    save_hand(books)
    return books


def save_hand(books: Database) -> dict[str, Any]:
    """Save a hand with cards; return it."""
    dealer, _ = table.turn(books, OWNER, 1)
    hand = table.with_cards("crazy-solo", table.FOUR, dealer, lambda hand: len(hand["tricks"]) == 9)
    table.record(books, OWNER, 1, hand)
    return hand


def viewer(service: Server, books: Database, page: Page) -> Page:
    """Let a page into the club as a viewer's."""
    secret = (service.folder / "secret-key").read_text().strip()
    key, _ = links.make(books, OWNER, secret, role=Role.VIEWER, lasts="year")
    page.goto(f"/v/{key}")
    return page


def test_viewers_replay_a_saved_hand_on_its_page(
    service: Server, books: Database, phone: "Phones"
) -> None:
    """Its address leads to the step, and news of other hands leave the replay as it is."""
    page = viewer(service, books, phone(service.url))
    page.goto(f"{SESSION}/hands/1#card-9")
    caption = page.locator(".replay [data-part=caption]")
    expect(caption).to_have_text("Trick 3 · 9 of 36 cards")
    page.get_by_role("button", name="Next card").tap()
    expect(page).to_have_url(re.compile("/hands/1#card-10$"))
    page.get_by_role("button", name="Next trick").focus()
    save_hand(books)
    expect(page.locator("#follows")).to_have_attribute("data-revision", "3")
    expect(caption).to_have_text("Trick 3 · 10 of 36 cards")
    expect(page.get_by_role("button", name="Next trick")).to_be_focused()
    expect(page.locator("#tricks tbody tr")).to_have_count(9)
    assert barriers(page) == []
    assert faint_by_day_and_night(page) == []
    assert phone.complaints == []


FIRST_VIEW = """() => {
    const box = (part) => document.querySelector(part).getBoundingClientRect();
    const table = box(".replay [data-part=table]"), steps = box(".replay-bar");
    const club = box(".home"), title = box("h1");
    return {
        scrolled: scrollY,
        covered: steps.top < table.bottom && steps.left < table.right,
        below: table.bottom > innerHeight || (steps.left < table.right && steps.bottom > innerHeight),
        beside: title.right <= club.left && title.top < club.bottom,
    };
}"""
"""Where the table, its steps and the title are before anybody scrolls."""


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_the_whole_table_is_in_the_first_view_of_a_phone(
    service: Server, books: Database, phone: "Phones", size: tuple[int, int]
) -> None:
    """No seat is below the steps or the screen; on its side, club and title share a line."""
    page = viewer(service, books, phone(service.url, size=size))
    page.goto(f"{SESSION}/hands/1#card-9")
    expect(page.locator(".replay [data-part=caption]")).to_have_text("Trick 3 · 9 of 36 cards")
    assert page.evaluate(FIRST_VIEW) == {
        "scrolled": 0,
        "covered": False,
        "below": False,
        "beside": size[0] > size[1],
    }
    page.locator(".home").tap()
    page.wait_for_url("**/clubs/1")


def test_the_board_view_plays_the_last_hand_until_a_newer_one_comes(
    service: Server, books: Database, phone: "Phones"
) -> None:
    """Card by card, by itself, while the board stays up to date below; offline nothing opens."""
    page = viewer(service, books, phone(service.url, touch=False, moves=True, size=(1280, 720)))
    board_with_player(page)
    button = page.get_by_role("button", name="Play the last hand")
    expect(button).to_be_visible()
    page.evaluate("document.fonts.ready.then(() => true)")
    assert page.evaluate(CUT) == []
    page.clock.install()
    replay = page.get_by_role("dialog", name="The last hand")
    page.context.set_offline(True)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/hands/1")):
        button.click()
    expect(replay).to_be_hidden()
    page.context.set_offline(False)
    button.click()
    caption = replay.locator("[data-part=caption]")
    expect(caption).to_have_text("The deal")
    page.clock.run_for(6_000)
    expect(caption).to_have_text("Trick 1 · 2 of 36 cards")
    assert page.evaluate(FITS) == []
    page.set_viewport_size({"width": 844, "height": 390})
    page.wait_for_function("() => innerHeight === 390")
    assert page.evaluate(FITS) == []
    page.clock.run_for(60_000)
    expect(caption).to_have_text("Trick 9 · 36 of 36 cards")
    expect(replay.get_by_role("button", name="Play")).to_be_visible()
    save_hand(books)
    page.clock.run_for(3_000)
    expect(replay).to_be_hidden()
    expect(page.locator("#last-hand")).to_have_text("Hand 2")
    button.click()
    replay.get_by_role("button", name="Close").click()
    expect(replay).to_be_hidden()
    assert all("ERR_INTERNET_DISCONNECTED" in complaint for complaint in phone.complaints)


def board_with_player(page: Page) -> None:
    """Open the board view; return once it has the scripts that play its last hand, which come later."""
    page.goto(f"{SESSION}/screen")
    page.wait_for_function("() => typeof soloReplay === 'object'")


def timed_board(service: Server, books: Database, phone: "Phones") -> tuple[Page, Locator]:
    """Open the board view on a screen whose clock the test turns; return it and the replay's dialog."""
    page = viewer(service, books, phone(service.url, touch=False, moves=True, size=(1280, 720)))
    page.clock.install()
    board_with_player(page)
    return page, page.get_by_role("dialog", name="The last hand")


def test_the_board_view_plays_a_new_hand_by_itself_and_returns_to_the_board(
    service: Server, books: Database, phone: "Phones"
) -> None:
    """After time to read the payout; neither the hand that was there at first, nor one without cards."""
    page, replay = timed_board(service, books, phone)
    expect(page.get_by_role("button", name="Play the last hand")).to_be_visible()
    page.clock.run_for(30_000)
    expect(replay).to_be_hidden()
    save_hand(books)
    expect(page.locator("#last-hand")).to_have_text("Hand 2")
    page.clock.run_for(10_000)
    expect(replay).to_be_hidden()
    page.clock.run_for(3_000)
    caption = replay.locator("[data-part=caption]")
    expect(caption).to_have_text("The deal")
    page.clock.run_for(37_000)
    expect(caption).to_have_text("Trick 9 · 36 of 36 cards")
    page.clock.run_for(9_000)
    expect(replay).to_be_hidden()
    table.record(books, OWNER, 1, table.ALL_PASS)
    expect(page.locator("#last-hand")).to_have_text("Hand 3")
    page.clock.run_for(60_000)
    expect(replay).to_be_hidden()
    assert phone.complaints == []


FITS = """() => {
    const dialog = document.getElementById("last-hand-replay");
    const over = dialog.scrollHeight - dialog.clientHeight;
    const small = dialog.querySelector("[data-part=table]").clientHeight < 0.6 * innerHeight;
    return [...(over > 0 ? [`${over} too high`] : []), ...(small ? ["small table"] : [])];
}"""
"""What is wrong with the size of the dialog and its table."""


def test_without_movement_the_board_view_shows_whole_tricks(
    service: Server, books: Database, phone: "Phones"
) -> None:
    """For who asked for less movement: each trick at once, and longer."""
    page = viewer(service, books, phone(service.url, touch=False, size=(1920, 1080)))
    board_with_player(page)
    page.clock.install()
    page.get_by_role("button", name="Play the last hand").click()
    caption = page.locator("#last-hand-replay [data-part=caption]")
    expect(caption).to_have_text("The deal")
    page.clock.run_for(8_000)
    expect(caption).to_have_text("Trick 1 · 4 of 36 cards")
    page.clock.run_for(4_000)
    expect(caption).to_have_text("Trick 2 · 8 of 36 cards")


def test_a_replay_that_somebody_uses_stays_and_the_end_of_the_evening_closes_it(
    service: Server, books: Database, phone: "Phones"
) -> None:
    """Nor does one begin after the end."""
    page, replay = timed_board(service, books, phone)
    expect(page.locator("#last-hand")).to_have_text("Hand 1")
    save_hand(books)
    expect(page.locator("#last-hand")).to_have_text("Hand 2")
    page.clock.run_for(13_000)
    expect(replay).to_be_visible()
    page.clock.run_for(37_000)
    expect(replay.locator("[data-part=caption]")).to_have_text("Trick 9 · 36 of 36 cards")
    replay.locator("[data-part=caption]").click()
    page.clock.run_for(60_000)
    expect(replay).to_be_visible()
    lifecycle.close(table.write(books, OWNER), 1)
    expect(replay).to_be_hidden()
    lifecycle.reopen(table.write(books, OWNER), 1)
    save_hand(books)
    expect(page.locator("#last-hand")).to_have_text("Hand 3")
    lifecycle.close(table.write(books, OWNER), 1)
    expect(page.locator(".big-board.ended")).to_be_visible()
    page.clock.run_for(60_000)
    expect(replay).to_be_hidden()
    assert phone.complaints == []
