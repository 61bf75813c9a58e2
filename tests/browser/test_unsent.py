"""A count, chips lent and a payment sent in an outage: kept, and sent once, in order, when it is over."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, Route, expect

from ledger.services.reads import session
from tests.browser.conftest import seated
from tests.browser.pages import ScorerPhone
from tests.browser.test_outage import back_again
from tests.browser.test_outbox import GO_ALONE, MIA, books_of, kept, lend
from tests.browser.waiting import draft_kept
from tests.ledger import cash, table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser


def pay(page: Page, payer: str, payee: str, amount: str) -> None:
    """Fill in a payment that was made, and send it."""
    page.get_by_text("Another payment", exact=True).tap()
    for group, name in (("Who paid", payer), ("To whom", payee)):
        page.get_by_role("group", name=group).get_by_role("radio", name=name).check()
    page.get_by_label("How much").fill(amount)
    page.get_by_role("button", name="Record payment").tap()


def test_a_count_a_loan_and_a_payment_made_offline_go_out_once_in_order(
    scorer: ScorerPhone, service: Server
) -> None:
    """Three tabs are closed before the ledger is back; a payment whose page stays open sends itself."""
    board, stays = scorer.session_path(), scorer.page
    money = f"{board.split('/sessions')[0]}/money"
    books = books_of(service)
    cash.pay(books, MIA, "Dee", "Eve", 150)
    before = cash.kinds(books, MIA)
    count, bank, other = (stays.context.new_page() for _ in range(3))
    count.goto(f"{board}/count")
    count.get_by_role("textbox", name="Ann, chips of 20").fill("7")
    expect(count.locator("#sum")).to_contain_text("1 of 7 counted")
    bank.goto(f"{board}/bank")
    other.goto(money)
    stays.goto(money)
    stays.locator("#pay-1 summary").tap()
    service.kill()
    count.get_by_role("button", name="Post the difference").tap()
    kept(count)
    lend(bank, "Cyd", "50")
    kept(bank)
    pay(other, "Fay", "Gus", "2.50")
    kept(other)
    words = ["Count chips 7", "Bank Lends · Cyd · 50", "Payment Fay · Gus · 2.50"]
    expect(stays.locator("#pending li")).to_contain_text(words)
    stays.route("**/health", lambda route: route.abort())
    stays.get_by_role("button", name="Paid").tap()
    kept(stays)
    for each in (count, bank, other):
        each.close()
    revived = back_again(service)
    try:
        expect(stays.locator("#pending")).to_be_hidden()
        stays.unroute("**/health")  # it hears of theirs before it sends its own, and stays as it is
        expect(stays.get_by_role("status").filter(has_text="Eve has paid Dee 1.50")).to_be_visible()
        expect(stays.locator("#pending")).to_be_hidden()
        assert cash.kinds(books, MIA)[len(before) :] == ["adjustment", "loan", "payment", "payment"]
        assert cash.owed(books, MIA) == {"Fay": 250, "Gus": -250}
    finally:
        revived.stop()
        books.close()


@pytest.fixture
def installed(service: Server, phone: "Phones") -> ScorerPhone:
    """A scorer's phone that opens pages offline, as they were last seen."""
    scorer = seated(service, phone(service.url, installs=True))
    scorer.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    return scorer


def test_a_hand_that_waits_to_be_sent_is_not_typed_over_unasked(
    installed: ScorerPhone, service: Server
) -> None:
    """A tap on a button unlocks it, also after a reload; after a blind bid the form doesn't go on.

    The next dealer then depends on a blind round, which only the ledger knows.
    """
    scorer, page = installed, installed.page
    scorer.open_hand()
    blind = {"bidder": "Ann", "bid": "blind", "trump": "H", "called": "AS", "partner": "Bob"}
    scorer.fill_hand({"contract": blind, "points": 74})
    service.kill()
    page.get_by_role("button", name="Save hand 1").tap()
    for is_reloaded in (False, True):
        if is_reloaded:
            page.reload()
        kept(page)
        expect(page.locator("#unlock")).to_contain_text("who deals it depends on this one")
        expect(page.get_by_role("button", name="Score the next hand")).to_be_hidden()
        for part in ("#told", "#ask-points", "#who-deals"):
            expect(page.locator(part)).to_have_js_property("inert", True)
        expect(page.get_by_role("button", name="Save hand 1")).to_be_hidden()
        expect(page.locator("#pending")).to_be_hidden()
    page.get_by_role("button", name="Change hand 1").tap()
    expect(page.get_by_role("button", name="Save hand 1")).to_be_enabled()
    expect(page.locator("#told")).to_have_js_property("inert", False)
    expect(page.get_by_label("Card points", exact=True)).to_have_value("74")
    revived = back_again(service)
    try:
        expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
        scorer.open_hand()
        expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
        expect(page.locator("#told")).to_have_js_property("inert", False)
    finally:
        revived.stop()


def save_in_vain(scorer: ScorerPhone, number: int, points: int) -> None:
    """Enter a hand on the page that is open and save it, which nobody answers."""
    for name, value in (("bidder", "Ann"), ("bid", "go-alone-in-hearts")):
        scorer.page.locator(f'input[name="{name}"][value="{value}"]').tap()
    scorer.page.get_by_label("Card points", exact=True).fill(f"{points}")
    scorer.page.get_by_role("button", name=f"Save hand {number}").tap()
    kept(scorer.page)


def go_on_offline(scorer: ScorerPhone, service: Server) -> Page:
    """Save hand 1 when nobody answers any more, and go on to the form of the next."""
    scorer.open_hand()
    service.kill()
    save_in_vain(scorer, 1, 74)
    scorer.page.get_by_role("button", name="Score the next hand").tap()
    return scorer.page


def overtaken_offline(scorer: ScorerPhone, service: Server) -> Page:
    """Enter two hands when nobody answers any more, while somebody else records the first one."""
    page = go_on_offline(scorer, service)
    save_in_vain(scorer, 2, 80)
    books = books_of(service)
    table.record(books, MIA, 1, table.HEARTS_74)
    books.close()
    return page


def played(service: Server) -> list[tuple[str, int]]:
    """Return the dealer and the points of each hand in the books."""
    books = books_of(service)
    hands = table.ask(books, MIA, session.hands, 1)
    books.close()
    return [(each.dealer, each.counts["points"]) for each in hands]


def test_a_scorer_goes_on_offline_hand_after_hand_upon_one_page(
    scorer: ScorerPhone, service: Server
) -> None:
    """The page knows the next dealer; once the ledger is back they go out in order, and the third stays."""
    page = go_on_offline(scorer, service)
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    expect(page.locator("#who-deals > summary")).to_contain_text("Ann deals, Bob leads")
    expect(page.locator("#pending li")).to_contain_text(["Hand 1 Ann · Go alone in hearts"])
    expect(page.locator("#told button")).to_have_count(0)
    save_in_vain(scorer, 2, 80)
    page.get_by_role("button", name="Score the next hand").tap()
    expect(page.locator("#pending li")).to_contain_text(["Hand 1 Ann", "Hand 2 Ann"])
    page.locator('input[name="bidder"][value="Cyd"]').tap()
    revived = back_again(service)
    try:
        expect(page.locator("#pending")).to_be_hidden()
        assert played(service) == [("Gus", 74), ("Ann", 80)]
        expect(page.get_by_role("heading", name="Hand 3")).to_be_visible()
        expect(page.locator("#told button")).to_have_text(["Cyd"])
        page.locator('input[name="bid"][value="go-alone-in-hearts"]').tap()
        page.get_by_label("Card points", exact=True).fill("91")
        scorer.payout()
        assert scorer.save().startswith("Hand 3 saved")
        assert played(service)[2] == ("Bob", 91)
    finally:
        revived.stop()


def test_a_form_reloaded_offline_goes_on_after_the_hands_that_wait(
    installed: ScorerPhone, service: Server
) -> None:
    """A reload keeps number, dealer and the half-entered hand; all go out in order, without a question."""
    scorer, page = installed, installed.page
    scorer.open_hand()
    service.kill()
    for number, points in enumerate((74, 80), 1):
        save_in_vain(scorer, number, points)
        page.get_by_role("button", name="Score the next hand").tap()
    page.locator('input[name="bidder"][value="Cyd"]').tap()
    expect(page.locator("#told button")).to_have_text(["Cyd"])
    draft_kept(page)
    page.reload()
    expect(page.get_by_role("heading", name="Hand 3")).to_be_visible()
    expect(page.locator("#who-deals > summary")).to_contain_text("Bob deals, Cyd leads")
    expect(page.locator("#told button")).to_have_text(["Cyd"])
    page.locator('input[name="bid"][value="go-alone-in-hearts"]').tap()
    page.get_by_label("Card points", exact=True).fill("91")
    page.get_by_role("button", name="Save hand 3").tap()
    kept(page)
    page.reload()
    expect(page.get_by_role("heading", name="Hand 4")).to_be_visible()
    expect(page.locator("#who-deals > summary")).to_contain_text("Cyd deals, Dee leads")
    expect(page.locator("#pending li")).to_contain_text(["Hand 1 Ann", "Hand 2 Ann", "Hand 3 Cyd"])
    revived = back_again(service)
    try:
        expect(page.locator("#pending")).to_be_hidden()
        assert played(service) == [("Gus", 74), ("Ann", 80), ("Bob", 91)]
        expect(page.get_by_role("heading", name="Hand 4")).to_be_visible()
        expect(page.locator("#notice")).to_have_count(0)
        save = page.get_by_role("button", name="Save hand 4")
        page.locator('input[name="bidder"][value="Eve"]').tap()
        page.locator('input[name="bid"][value="go-alone-in-hearts"]').tap()
        page.get_by_label("Card points", exact=True).fill("70")
        save.tap()
        expect(page.get_by_role("status").filter(has_text="Hand 4 saved")).to_be_visible()
        assert played(service)[3] == ("Cyd", 70)
    finally:
        revived.stop()


def test_the_payout_below_a_hand_that_waits_is_its_own(
    scorer: ScorerPhone, service: Server
) -> None:
    """One digit had a payout and a loan, the second came offline and needs no loan."""
    page = scorer.page
    scorer.open_hand()
    for name, value in (("bidder", "Ann"), ("bid", "go-alone-in-hearts")):
        page.locator(f'input[name="{name}"][value="{value}"]').tap()
    page.get_by_label("Card points", exact=True).fill("7")
    expect(page.locator("#payout, #short")).to_have_count(2)
    service.kill()
    page.get_by_label("Card points", exact=True).fill("77")
    page.get_by_role("button", name="Save hand 1").tap()
    kept(page)
    expect(page.locator("#payout")).to_contain_text("77 card points, 17 over 60")
    expect(page.locator("#short")).to_have_count(0)


def test_hands_entered_offline_are_shown_with_anothers_that_came_before_them(
    scorer: ScorerPhone, service: Server
) -> None:
    """Somebody else saved hand 1 in the meantime: neither goes out unasked, and nothing of them is lost."""
    page = overtaken_offline(scorer, service)
    revived = back_again(service)
    try:
        expect(page.locator("#notice")).to_contain_text("Hand 1: Ann with Bob")
        expect(page.locator("#notice")).to_contain_text(
            "Yours is hand 2 now: Ann deals, Bob leads."
        )
        expect(page.get_by_label("Card points", exact=True)).to_have_value("80")
        expect(page.locator("#pending")).to_contain_text("has changed meanwhile")
        assert len(played(service)) == 1
        page.get_by_role("button", name="Look at both").tap()
        expect(page.locator("#draft")).to_be_hidden()
        expect(page.get_by_label("Card points", exact=True)).to_have_value("74")
        scorer.payout()
        assert scorer.save().startswith("Hand 2 saved")
        page.goto(f"{scorer.session_path()}/hands/new")
        expect(page.get_by_label("Card points", exact=True)).to_have_value("80")
        scorer.payout()
        assert scorer.save().startswith("Hand 3 saved")
        assert [points for _, points in played(service)] == [74, 74, 80]
    finally:
        revived.stop()


def test_a_hand_upon_an_open_page_waits_for_the_one_kept_before_it(
    scorer: ScorerPhone, service: Server
) -> None:
    """Its form sends itself only then; if its dealer is no longer due after that, it is shown first."""
    page, other = scorer.page, ScorerPhone(scorer.page.context.new_page())
    other.page.goto(f"{scorer.session_path()}/hands/new")
    scorer.open_hand()
    service.kill()
    save_in_vain(other, 1, 74)
    other.page.close()
    save_in_vain(scorer, 1, 90)
    revived = back_again(service)
    try:
        notice = page.locator("#notice")
        expect(notice).to_contain_text("Hand 2 is Ann's deal, and it was entered as Gus's")
        assert played(service) == [("Gus", 74)]
        scorer.payout()
        assert scorer.save().startswith("Hand 2 saved")
        assert played(service) == [("Gus", 74), ("Ann", 90)]
    finally:
        revived.stop()


def test_a_hand_whose_answer_is_lost_is_saved_once(scorer: ScorerPhone, service: Server) -> None:
    """The ledger has it, the page does not know: it is sent again with its key, from this page or another."""
    page, context = scorer.page, scorer.page.context
    waiting = context.new_page()
    waiting.goto(scorer.session_path())
    scorer.open_hand()
    scorer.fill_hand(GO_ALONE)
    scorer.payout()
    lost: list[int] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or len(lost) > 1:
            return route.continue_()
        lost.append(route.fetch(max_redirects=0).status)
        return route.abort()

    context.route("**/hands/new", lose)
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
    expect(waiting.locator("#pending")).to_be_hidden()
    assert lost == [200, 200]
    assert played(service) == [("Gus", 74)]


def test_two_hands_saved_offline_go_out_in_order_each_with_the_dealer_who_is_due(
    scorer: ScorerPhone, service: Server
) -> None:
    """Both were entered as hand 1, in two tabs: the second is hand 2, and its dealer has moved on."""
    board, context = scorer.session_path(), scorer.page.context
    saving = "**/hands/new"
    context.route(saving, lambda to: to.abort() if to.request.method == "POST" else to.continue_())
    waiting = context.new_page()
    waiting.goto(board)
    other = ScorerPhone(context.new_page())
    other.page.goto(board)
    for each in (scorer, other):
        each.open_hand()
    for each, points in ((scorer, 74), (other, 90)):
        each.page.bring_to_front()
        each.fill_hand({**GO_ALONE, "points": points})
        each.payout()
        each.page.get_by_role("button", name="Save hand 1").tap()
        kept(each.page)
        each.page.close()
    expect(waiting.locator("#pending li")).to_contain_text(["Hand 1 Ann", "Hand 2 Ann"])
    context.unroute(saving)
    expect(waiting.get_by_text("2 hands.")).to_be_visible()
    expect(waiting.locator("#pending")).to_be_hidden()
    assert played(service) == [("Gus", 74), ("Ann", 90)]


def test_a_hand_saved_before_its_payout_came_is_no_draft_of_the_next(scorer: ScorerPhone) -> None:
    """After a tap on the button right after the last digit, the next form is empty."""
    page = scorer.page
    scorer.open_hand()
    for name, value in (("bidder", "Ann"), ("bid", "go-alone-in-hearts")):
        page.locator(f'input[name="{name}"][value="{value}"]').click()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url.rsplit("/", 1)[1]))
    waiting: list[Route] = []
    page.route("**/hands/new", lambda route: waiting.append(route))
    page.clock.install()
    for digit in "74":
        page.locator(f'.pad [data-key="{digit}"]').click()
    with page.expect_request("**/hands/new"):
        page.get_by_role("button", name="Save hand 1").click()
    page.clock.fast_forward(5_000)
    page.clock.resume()
    waiting[0].continue_()
    page.unroute("**/hands/new")
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
    assert "preview" not in requests
    scorer.open_hand()
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    expect(page.locator("#told button")).to_have_count(0)
    expect(page.locator("#draft")).to_be_hidden()
