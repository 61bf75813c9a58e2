"""The layout of pages on a phone: lines and columns stay together, the first elements are in sight."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import seated
from tests.browser.pages import ScorerPhone, opener_of
from tests.browser.test_legible import faint_by_day_and_night
from tests.browser.treasurer import Treasurer
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

ALONE = {"contract": {"bidder": "Ann", "bid": "go-alone-in-hearts"}, "points": 74}


@pytest.fixture
def treasurer(service: Server, phone: "Phones") -> Treasurer:
    """Ann, Bob, Cyd and Dee at Crazy Solo, 150 chips each."""
    return Treasurer(seated(service, phone(service.url), ("Ann", "Bob", "Cyd", "Dee")))


def test_the_bank_asks_first_and_only_what_applies(treasurer: Treasurer) -> None:
    """Player and number are on the first screen; a reason is asked for only in adjustments."""
    page = treasurer.page
    page.goto(f"{treasurer.session}/bank")
    chips = page.get_by_label("Chips", exact=True).bounding_box()
    dock = page.locator(".dock").bounding_box()
    assert chips is not None
    assert dock is not None
    assert chips["y"] + chips["height"] <= dock["y"]
    reason = page.get_by_label("Reason", exact=True)
    expect(reason).to_be_hidden()
    page.get_by_role("radio", name="Removes").check()
    expect(reason).to_be_visible()
    page.get_by_role("radio", name="Takes back").check()
    expect(reason).to_be_hidden()


def test_large_stacks_keep_to_the_smallest_phone(treasurer: Treasurer) -> None:
    """Five digits in every column of the bank, 320 pixels."""
    page = treasurer.page
    for name in ("Ann", "Bob"):
        treasurer.lend(name, 45_000)
    treasurer.scorer.score_hand(ALONE)
    page.set_viewport_size({"width": 320, "height": 568})
    for place in ("", "/bank", "/count", "/table", "/settle", "/history", "/result"):
        page.goto(treasurer.session + place)
        assert page.evaluate("document.documentElement.scrollWidth") == 320, place


def test_the_number_of_a_hand_stays_in_one_line(treasurer: Treasurer) -> None:
    """Also from hand 100 on."""
    treasurer.scorer.score_hand(ALONE)
    page = treasurer.page
    page.goto(f"{treasurer.session}/history")
    height = page.evaluate(
        """() => {
            const number = document.querySelector(".hand-number");
            const before = number.getBoundingClientRect().height;
            number.textContent = "202";
            return number.getBoundingClientRect().height / before;
        }"""
    )
    assert height == 1


def test_amounts_stand_in_one_column_and_money_is_called_money(treasurer: Treasurer) -> None:
    """Payments end at one edge; scoreboard and bank state that the chips became money."""
    treasurer.scorer.score_hand(ALONE)
    treasurer.scorer.score_hand({**ALONE, "contract": {**ALONE["contract"], "bidder": "Bob"}})  # type: ignore[dict-item]
    treasurer.agree(100, "10.00")
    treasurer.convert()
    page = treasurer.page
    page.goto(f"{treasurer.club}/money")
    edges = page.evaluate(
        """() => [...document.querySelectorAll(".rows summary .amount")]
            .map((each) => Math.round(each.getBoundingClientRect().right))"""
    )
    assert len(edges) > 1
    assert len(set(edges)) == 1
    for place in ("", "/bank"):
        page.goto(treasurer.session + place)
        expect(page.locator("#in-money")).to_contain_text("were cashed in")
    page.goto(treasurer.session)
    expect(page.get_by_role("columnheader", name="Won")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Chips")).to_have_count(0)


def test_the_box_of_a_break_has_room(service: Server, phone: "Phones") -> None:
    """The sentence does not touch its button, and the box ends as it begins."""
    page = phone(service.url)
    scorer = seated(service, page, ("Ann", "Bob", "Cyd"))
    page.goto(f"{scorer.session_path()}/table")
    page.locator("summary", has_text="Pause").tap()
    page.get_by_role("button", name="Pause the session").tap()
    expect(page.get_by_role("status").filter(has_text="Paused")).to_be_visible()
    over, between, under = page.evaluate(
        """() => {
            const box = document.querySelector("form.notice").getBoundingClientRect();
            const said = document.querySelector("form.notice p").getBoundingClientRect();
            const button = document.querySelector("form.notice button").getBoundingClientRect();
            return [said.top - box.top, button.top - said.bottom, box.bottom - button.bottom];
        }"""
    )
    assert between >= 8
    assert abs(over - under) < 2


IN_ONE_LINE = """(name) => [...document.querySelectorAll("main th bdi, main td bdi")]
    .filter((each) => each.textContent === name).map((each) => each.getClientRects().length)"""


def test_billions_are_no_wider_than_the_screen_and_break_no_name(
    service: Server, phone: "Phones"
) -> None:
    """On every page that shows them, also where the largest moves are taken back."""
    page = phone(service.url)
    scorer = seated(service, page, ("Łukasz", "Bob", "Cyd"))
    session = scorer.session_path()
    lender = Treasurer(scorer)
    for _ in range(2):
        lender.lend("Łukasz", 950_000_000)
    page.goto(f"{session}/entries")
    page.locator("summary").first.tap()
    page.get_by_role("button", name="Undo").first.tap()
    page.wait_for_url("**/take-back")
    back = page.url
    for address in (back, *(session + place for place in ("", "/bank", "/undo", "/settle"))):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") == 390, address
        beyond = (
            "() => [...document.querySelectorAll('main table')].map((each) => each.scrollWidth)"
        )
        assert all(width <= 390 for width in page.evaluate(beyond)), address
        assert set(page.evaluate(IN_ONE_LINE, "Łukasz")) <= {1}, address
    page.goto(back)
    page.get_by_label("Reason").fill("a slip")
    page.get_by_role("button", name="Undo").tap()
    expect(page.get_by_role("status").filter(has_text="Undone.")).to_be_visible()


def test_the_tick_of_what_is_chosen_covers_no_word(scorer: ScorerPhone) -> None:
    """Not even of the longest, which fill their box."""
    page = scorer.page
    scorer.open_hand()
    contract = {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "alone": True}
    scorer.fill_hand({"contract": contract, "points": 74})
    opener_of(page, "Partner").tap()
    expect(page.get_by_role("radio", name="Alone (own card)")).to_be_checked()
    covered = page.evaluate(
        """() => [...document.querySelectorAll(".tap > input:checked + span")].filter((box) => {
            const tick = getComputedStyle(box, "::before");
            const edge = box.getBoundingClientRect();
            const [left, below] = [edge.right - parseFloat(tick.right) - parseFloat(tick.width),
                edge.top + parseFloat(tick.top) + parseFloat(tick.height)];
            const words = document.createRange();
            words.selectNodeContents(box);
            const inside = (each) => each.right > left + 3 && each.top < below - 3;
            return box.checkVisibility() && [...words.getClientRects()].some(inside);
        }).map((box) => box.textContent)"""
    )
    assert covered == []


def test_names_from_right_to_left_stand_where_names_stand(service: Server, phone: "Phones") -> None:
    """In the club's history at the left, beside their figures; in an explanation they turn nothing."""
    page = phone(service.url)
    scorer = seated(service, page, ("אבי", "Bob", "Cyd"))
    scorer.score_hand({"contract": {"bidder": "אבי", "bid": "go-alone-in-hearts"}, "points": 74})
    page.locator("#last-hand > summary").click()
    fenced = page.locator(".reasoning bdi", has_text="אבי")
    expect(fenced.first).to_be_visible()
    page.goto(f"{Treasurer(scorer).club}/evenings")
    lefts = page.evaluate(
        """() => [...document.querySelectorAll(".net bdi")].slice(0, 3).map((each) => {
            const words = document.createRange();
            words.selectNodeContents(each);
            return words.getBoundingClientRect().left - each.parentElement.getBoundingClientRect().left;
        })"""
    )
    assert all(left < 2 for left in lefts)


def test_what_was_done_stands_close_to_the_heading(treasurer: Treasurer) -> None:
    """With a subtitle or without one."""
    page = treasurer.page
    for address in (f"{treasurer.club}/money?done=unpaid", f"{treasurer.session}/bank?done=rate"):
        page.goto(address)
        gap = page.evaluate(
            """() => document.querySelector("h1").getBoundingClientRect().top
                - document.querySelector("main .notice").getBoundingClientRect().bottom"""
        )
        assert gap < 16, address


CROOKED = """() => [...document.querySelectorAll("#ask-bidder .tap > span")].map((button) => {
    const linesOf = (what) => {
        const range = document.createRange();
        range.selectNodeContents(what);
        return [...range.getClientRects()].filter((line) => line.width > 0);
    };
    const name = button.querySelector("bdi"), lines = linesOf(name), all = linesOf(button);
    const box = button.getBoundingClientRect();
    const middle = (from, to) => (from + to) / 2;
    const aside = lines.map((line) => middle(line.left, line.right) - middle(box.left, box.right));
    const [top, bottom] = [Math.min(...all.map((l) => l.top)), Math.max(...all.map((l) => l.bottom))];
    const off = Math.max(...aside.map(Math.abs), Math.abs(middle(top, bottom) - middle(box.top, box.bottom)));
    return [name.textContent.trim(), lines.length, off, top >= box.top && bottom <= box.bottom];
})"""
"""Each name on a button: in how many lines it stands, how far off the middle they are, whether within."""


def test_names_of_two_lines_stand_straight_in_their_buttons(
    service: Server, phone: "Phones"
) -> None:
    """Each line is in the middle of the button and within it, with the badge of dealer or lead, too."""
    players = ("Maximiliane-Henriette", "Karl Friedrich von Weizsäcker", "Bob", "Cyd")
    scorer = seated(service, phone(service.url), players)
    scorer.open_hand()
    names = scorer.page.evaluate(CROOKED)
    lines = {name: number for name, number, *_ in names}
    assert lines["Maximiliane-Henriette"] == 2
    assert lines["Karl Friedrich von Weizsäcker"] >= 2
    assert [name for name, _, off, inside in names if off > 2 or not inside] == []


def test_what_stands_on_felt_for_a_while_can_be_read(service: Server, phone: "Phones") -> None:
    """A hand that moved nothing, just saved; where on the way to the end of the evening a page stands."""
    scorer = seated(service, phone(service.url), ("Ann", "Bob", "Cyd", "Dee"))
    page = scorer.page
    scorer.score_hand({"contract": {"bid": "pass"}})
    expect(page.get_by_role("status").filter(has_text="nothing moves")).to_be_visible()
    assert faint_by_day_and_night(page) == []
    page.get_by_role("link", name="End the evening").click()
    expect(page.get_by_role("navigation", name="The end of the evening")).to_be_visible()
    assert faint_by_day_and_night(page) == []


BELOW = """() => [...document.querySelectorAll(".scores tr")].filter((row) => row.querySelector(".mark"))
    .every((row) => {
        const [name, ...figures] = ["bdi", ".quiet:not(:empty)", "td.figure:last-child"]
            .map((part) => row.querySelector(part)?.getBoundingClientRect()).filter(Boolean);
        const main = figures.pop();
        return name.right <= main.left && figures.every((quiet) => quiet.top >= name.bottom - 2);
    })"""
"""Whether what was won stands beside each name, and the quieter figures below it."""


def test_long_names_have_the_width_of_a_row_beside_large_stacks(
    service: Server, phone: "Phones"
) -> None:
    """On scoreboard and bank: no name in more than two lines, at 390 pixels."""
    players = ("Łukasz Brzęczyszczykiewicz", "Maximiliane-Henriette", "Bo")
    scorer = seated(service, phone(service.url), players)
    Treasurer(scorer).lend(players[0], 950_000)
    scorer.score_hand(
        {"contract": {"bidder": "Bo", "bid": "go-alone-in-hearts"}, "points": 74},
    )
    for place in ("", "/bank"):
        scorer.page.goto(scorer.session_path() + place)
        lines = """() => [...document.querySelectorAll(".scores bdi")].map((each) => {
            const words = document.createRange();
            words.selectNodeContents(each);
            return new Set([...words.getClientRects()].map((line) => Math.round(line.top))).size;
        })"""
        assert max(scorer.page.evaluate(lines)) <= 2, place
        assert scorer.page.evaluate(BELOW), place
