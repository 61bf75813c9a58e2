"""The payout of a new hand is on the page as soon as the hand is complete, with the ledger there or not."""

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import seated
from tests.browser.pages import ScorerPhone
from tests.browser.test_outage import back_again
from tests.browser.test_outbox import kept
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

SOLO = ("bidder=Ann", "bid=solo", "trump=H", "called=AH", "partner=Bob")
ALONE = ("bidder=Ann", "bid=go-alone-in-hearts")


def tap_in(page: Page, taps: tuple[str, ...], digits: str) -> None:
    """Tap answers and a number."""
    for name, value in (tap.split("=") for tap in taps):
        page.locator(f'input[name="{name}"][value="{value}"]').click()
    for digit in digits:
        page.locator(f'.pad [data-key="{digit}"]').click()


SHOWN = """(answer) => {
    const parts = "#payout h2, li, tr, #short p, #short label span, #next-turn, #sum";
    return [...answer.querySelectorAll(parts)]
        .filter((each) => !each.hidden && !each.closest("#in-chips"))
        .flatMap((each) => [each, ...each.querySelectorAll(".up, .down, bdi")])
        .map((each) => `${each.className} ${each.innerText}`.replace(/\\s+/g, " "));
}"""


def markup(page: Page) -> list[str]:
    """Return what the payout and the line above the button say, with the colours of numbers."""
    shown: list[str] = page.locator("#answer").evaluate(SHOWN)
    return shown


def from_the_ledger(page: Page) -> list[str]:
    """Return the same of the payout that the ledger works out."""
    page.locator("#watch").evaluate("(watch) => watch.dispatchEvent(new Event('look'))")
    expect(page.locator("[name=seen]")).not_to_have_value("unseen")
    return markup(page)


HANDS: dict[str, list[tuple[tuple[str, ...], str]]] = {
    "crazy-solo": [(SOLO, "74"), (SOLO, "13"), (("bidder=<nobody>",), ""), (ALONE, "0")],
    "six-bid": [
        (("bidder=Ann", "bid=misere", "made=lost"), ""),
        (("bidder=Bob", "bid=heart-solo"), "60"),
    ],
    "progressive": [
        (("bidder=Ann", "bid=frog", "doubled=Bob", "doubled=Cyd", "redoubled=Cyd"), "99")
    ],
    "german-solo": [
        (("bidder=Ann", "bid=solo", "trump=S", "tricks_won=5", "first_tricks_won=stopped"), "")
    ],
}


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize("game", HANDS)
def test_the_page_shows_what_the_ledger_would(
    service: Server, phone: "Phones", game: str, language: str
) -> None:
    """The same reasons, figures, colours, loans and turn, in each language."""
    players = ("Ann", "Bob", "Cyd", "Dee")
    scorer = seated(service, phone(service.url), players, game)
    page = scorer.page
    page.context.add_cookies(
        [{"name": "solo-ledger-language", "value": language, "url": service.url}]
    )
    for taps, digits in HANDS[game]:
        page.goto(f"{scorer.session_path()}/hands/new")
        page.locator("#hand[data-looks-up]").wait_for(state="attached")
        tap_in(page, taps, digits)
        expect(page.locator("#payout")).to_be_visible()
        shown = markup(page)
        assert page.locator("[name=seen]").input_value() == "unseen"
        assert shown == from_the_ledger(page)
        page.locator("#note-too summary").click()
        page.evaluate("indexedDB.deleteDatabase('solo-ledger')")


def test_without_the_ledger_the_payout_and_the_standings_are_there_and_the_hand_is_sent_later(
    scorer: ScorerPhone, service: Server
) -> None:
    """The next hand counts from what the one that waits leaves everybody."""
    page = scorer.page
    scorer.open_hand()
    service.kill()
    tap_in(page, SOLO, "74")
    payout = page.get_by_role("region", name="Payout")
    expect(payout).to_contain_text("Ann is paid by Cyd, Dee and Eve; Bob by Fay and Gus")
    expect(payout.get_by_role("row", name="Ann")).to_contain_text("270")
    expect(page.locator("#sum")).to_contain_text("Won Ann +120 Bob +80 40 each")
    expect(page.locator("#offline")).to_be_hidden()
    page.get_by_role("button", name="Save hand 1").tap()
    page.get_by_role("button", name="Score the next hand").tap()
    tap_in(page, ALONE, "85")
    expect(payout.get_by_role("row", name="Ann")).to_contain_text("720")
    expect(payout.get_by_role("row", name="Bob")).to_contain_text("155")
    page.get_by_role("button", name="Save hand 2").tap()
    kept(page)
    expect(page.locator("#pending li")).to_have_count(1)
    expect(page.locator("#pending li")).to_contain_text("Hand 1 Ann")
    expect(page.locator("#pending .moves")).to_contain_text("Ann +120 Bob +80 Cyd −40")
    revived = back_again(service)
    try:
        expect(page.get_by_role("status").filter(has_text="Hand 2 saved")).to_be_visible()
        assert scorer.balances()["Ann"] == 570
    finally:
        revived.stop()


@pytest.mark.parametrize("place", ["", "/screen"])
def test_the_scoreboards_standings_count_hands_that_wait_and_say_so(
    scorer: ScorerPhone, place: str
) -> None:
    """Once the hand is sent, the mark is gone."""
    page = scorer.page
    scorer.open_hand()
    page.context.route("**/hands/new", lambda route: route.abort())
    tap_in(page, ALONE, "74")
    page.get_by_role("button", name="Save hand 1").tap()
    kept(page)
    page.goto(f"{scorer.session_path()}{place}")
    expect(page.locator("#pending li")).to_contain_text("Hand 1")
    expect(page.locator("[data-standing] .unsent").first).to_have_text(
        "→ 240 with hands not sent yet"
    )
    page.context.unroute("**/hands/new")
    expect(page.locator("#pending")).to_be_hidden()
    expect(page.locator("[data-standing] .amount").first).to_have_text("240")
    expect(page.locator(".unsent")).to_have_count(0)


def test_what_the_table_lacks_is_worked_out_once_the_hand_is_sent(
    scorer: ScorerPhone, service: Server
) -> None:
    """The page says so, and does not promise a result that can't come."""
    page = scorer.page
    page.route("**/payouts.*.json", lambda route: route.abort())
    page.goto(f"{scorer.session_path()}/hands/new")
    service.kill()
    tap_in(page, ALONE, "74")
    expect(page.locator("#sum")).to_have_text(
        "The ledger works the result out once the hand is sent."
    )
    expect(page.get_by_role("button", name="Save hand 1")).to_be_enabled()


def test_a_payout_that_is_not_the_ledgers_is_not_saved_and_both_are_shown(
    scorer: ScorerPhone,
) -> None:
    """The scorer saves the ledger's in a second tap."""
    page = scorer.page

    def falsify(route: Route) -> None:
        table: dict[str, Any] = route.fetch().json()
        for prices in table["prices"]:
            for row in prices.values():
                row[1] += 5
        route.fulfill(json=table)

    page.route("**/payouts.*.json", falsify)
    scorer.open_hand()
    tap_in(page, ALONE, "74")
    expect(page.locator("#sum")).to_contain_text("45 each")
    page.get_by_role("button", name="Save hand 1").tap()
    notice = page.locator("#notice")
    expect(notice).to_contain_text("This device showed another payout than the ledger's")
    expect(notice).to_contain_text("Shown here: Ann +270")
    expect(notice).to_contain_text("The ledger's: Ann +240")
    expect(page.locator("#sum")).to_contain_text("40 each")
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_contain_text("Ann +240")
    assert scorer.balances()["Ann"] == 240


@pytest.mark.parametrize("game", HANDS)
def test_a_hand_is_saved_with_the_payout_that_the_page_has_looked_up(
    service: Server, phone: "Phones", game: str
) -> None:
    """The ledger has received the answers that the payout was shown for, in every game."""
    scorer = seated(service, phone(service.url), ("Ann", "Bob", "Cyd", "Dee"), game)
    for number, (taps, digits) in enumerate(HANDS[game], 1):
        scorer.open_hand()
        scorer.page.locator("#hand[data-looks-up]").wait_for(state="attached")
        tap_in(scorer.page, taps, digits)
        expect(scorer.page.locator("[name=shown_hand]")).not_to_have_value("")
        scorer.page.get_by_role("button", name=f"Save hand {number}").tap()
        saved = scorer.page.get_by_role("status").filter(has_text=f"Hand {number} saved")
        expect(saved).to_be_visible()


def test_a_hand_with_other_answers_and_the_same_payout_is_not_saved_unseen(
    scorer: ScorerPhone,
) -> None:
    """73 card points pay as much as 74; the page shows both hands, and the scorer saves in a second tap."""
    page = scorer.page
    scorer.open_hand()
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    tap_in(page, ALONE, "74")
    page.locator("[name=points]").evaluate("(field) => { field.value = '73'; }")
    page.get_by_role("button", name="Save hand 1").tap()
    notice = page.locator("#notice")
    expect(notice).to_contain_text("the payout of another hand than the one that arrived")
    expect(notice).to_contain_text("It was shown for: Ann · Go alone in hearts ♥ · 74")
    expect(page.locator("#payout")).to_contain_text("73 card points")
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_contain_text("Ann +240")


def test_a_correction_shows_its_payout_by_itself(scorer: ScorerPhone, service: Server) -> None:
    """Nothing is requested, and the ledger works out the same; a correction that changes nothing has none."""
    page = scorer.page
    scorer.score_hand({"contract": {"bidder": "Ann", "bid": "go-alone-in-hearts"}, "points": 74})
    page.goto(f"{scorer.session_path()}/hands/1/correct")
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    page.locator("[data-opens=ask-points]").click()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.get_by_label("Card points", exact=True).fill("85")
    expect(page.locator("#payout")).to_contain_text("85 card points")
    expect(page.locator("#needs")).to_have_text("Still needed: the reason")
    page.get_by_label("Reason for the correction").fill("Miscounted")
    expect(page.get_by_role("button", name="Save the correction")).to_be_enabled()
    shown = markup(page)
    assert requests == []
    assert shown == from_the_ledger(page)
    page.get_by_label("Card points", exact=True).fill("74")
    expect(page.locator("#sum")).to_have_text("Still needed: the change")
    page.get_by_label("Card points", exact=True).fill("46")
    expect(page.locator("#payout")).to_contain_text("46 card points")
    service.kill()
    page.get_by_label("Card points", exact=True).fill("47")
    expect(page.locator("#payout")).to_contain_text("47 card points")
    expect(page.locator("#payout").get_by_role("row", name="Ann")).to_contain_text("−240")
    revived = back_again(service)
    try:
        page.get_by_role("button", name="Save the correction").tap()
        expect(page.get_by_role("status").filter(has_text="Hand 1 corrected")).to_be_visible()
    finally:
        revived.stop()


CORRECTED = {
    "crazy-solo": ("ask-partner", "partner=Cyd"),
    "six-bid": ("ask-made", "made=made"),
    "german-solo": ("ask-tricks-won", "tricks_won=4"),
}
"""The block of a question to answer anew in the first hand of each game, and its answer."""


@pytest.mark.parametrize("game", CORRECTED)
def test_the_page_shows_of_a_correction_what_the_ledger_would(
    service: Server, phone: "Phones", game: str
) -> None:
    """With what everybody has now and then, and the balances that move marked."""
    scorer = seated(service, phone(service.url), ("Ann", "Bob", "Cyd", "Dee"), game)
    page = scorer.page
    scorer.open_hand()
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    tap_in(page, *HANDS[game][0])
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
    page.goto(f"{scorer.session_path()}/hands/1/correct")
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    opener, answer = CORRECTED[game]
    page.locator(f"[data-opens={opener}]").click()
    tap_in(page, (answer,), "")
    expect(page.locator("[name=shown_hand]")).not_to_have_value("")
    shown = markup(page)
    assert any(line.startswith("moved") for line in shown)
    assert shown == from_the_ledger(page)


def test_without_the_table_of_payouts_the_ledgers_payout_is_shown(scorer: ScorerPhone) -> None:
    """It is requested, and saved with the hand; the table is loaded for the next one."""
    page = scorer.page
    page.route("**/payouts.*.json", lambda route: route.abort())
    page.goto(f"{scorer.session_path()}/hands/new")
    tap_in(page, ALONE, "74")
    expect(page.locator("#sum")).to_contain_text("Won Ann +240")
    expect(page.locator("[name=shown]")).to_have_value("")
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_contain_text("Ann +240")
    page.unroute("**/payouts.*.json")
    scorer.open_hand()
    tap_in(page, ALONE, "74")
    expect(page.locator("[name=shown]")).not_to_have_value("")
