"""The main walkthroughs in a real Firefox, on phones that also run the service's worker."""

import signal
from collections.abc import Iterator, Sequence

import pytest

from engine.scoring.score import score
from tests.browser.card_entry import cards_of, contract_of, played_hand
from tests.browser.conftest import SEVEN, started
from tests.browser.test_outage import back_again
from tests.browser.waiting import WAITS
from tests.support.firefox import Device, Firefox, Window
from tests.support.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def device(firefox_browser: Firefox, service: Server) -> Iterator[Device]:
    """A phone with Firefox."""
    with firefox_browser.device(service.url) as device:
        yield device


def let_in(
    device: Device, service: Server, players: Sequence[str] = SEVEN, game: str = "crazy-solo"
) -> str:
    """Let a phone into a new club; return the address of its session, in which the last player deals."""
    club, cookie = started(service, players, game)
    device.add_cookie("solo-ledger", cookie)
    return f"/clubs/{club}/sessions/1"


def enter_hand(window: Window, points: int) -> None:
    """Enter a hand of Ann's on the form that is open."""
    window.tap("radio", "Ann", group="Caller")
    window.tap_css("input[name=bid][value=go-alone-in-hearts]")
    for digit in str(points):
        window.tap("button", digit)


def test_a_club_plays_corrects_voids_and_ends_an_evening_in_firefox(
    device: Device, firefox_browser: Firefox
) -> None:
    """From a new club to the result; each payout is shown before it is saved."""
    window = device.open("/start", waits=WAITS)
    window.type("Club name", "Kitchen table")
    window.type("Passcode", "four aces")
    window.tap("button", "Start the club")
    window.tap("button", "New session")
    for name in ("Ann", "Bob", "Cyd"):
        window.type("Somebody new", name)
        window.tap("button", "Add")
        window.see(name, "ol.seats")
    window.tap("radio", "Cyd", group="Who deals first")
    window.tap("button", "Start the session")
    window.tap("button", "Score a hand")
    session = window.path().removesuffix("/hands/new")
    enter_hand(window, 74)
    window.see("+80", "#payout")
    window.tap("button", "Save hand 1")
    window.see("Hand 1 saved", "[role=status]")
    window.see("+80", "table")
    window.goto(f"{session}/hands/1/correct")
    window.tap("button", "Card points: 74")
    window.type("Card points", "81")
    window.type("Reason for the correction", "Miscounted")
    window.see("+130", "#payout")
    window.tap("button", "Save the correction")
    window.see("Hand 1", "[role=status]")
    window.see("+130", "table")
    window.goto(f"{session}/hands/1/void")
    window.type("Reason", "Misdealt")
    window.tap("button", "Void hand 1")
    window.see("Hand 1 is void", "[role=status]")
    window.goto(session)
    window.tap("link", "End the evening")
    window.tap("link", "Skip")
    window.tap("button", "Close the session")
    window.see("The session is closed", "[role=status]")
    window.see("Everybody is even", ".winner")
    assert firefox_browser.complaints() == []


def test_a_hand_appears_by_itself_in_a_second_window_of_firefox(
    device: Device, service: Server, firefox_browser: Firefox
) -> None:
    """The window that follows is not touched."""
    board = let_in(device, service)
    follower = device.open(board)
    follower.see("No hand yet")
    window = device.open(f"{board}/hands/new", waits=WAITS)
    enter_hand(window, 74)
    window.tap("button", "Save hand 1")
    follower.see("Hand 1")
    follower.see("+240", "table")
    assert firefox_browser.complaints() == []


def test_a_hand_saved_in_an_outage_is_sent_once_by_firefox(
    device: Device, service: Server, firefox_browser: Firefox
) -> None:
    """It waits, marked, on other pages of the phone, too, and goes out by itself."""
    board = let_in(device, service)
    other = device.open(board)
    window = device.open(f"{board}/hands/new", waits=WAITS)
    enter_hand(window, 74)
    service.kill()
    window.tap("button", "Save hand 1")
    window.see("will be sent automatically once it is back", "#offline")
    other.see("Hand 1 Ann", "#pending")
    revived = back_again(service)
    try:
        window.see("Hand 1 saved", "[role=status]")
        other.see("1 hand.")
        other.see_no("#pending")
    finally:
        revived.stop()
    assert firefox_browser.complaints() == []


ASK = """() => {
    document.addEventListener("htmx:error", () => { document.querySelector("h1").textContent = "failed"; });
    document.querySelector("#follows").dispatchEvent(new CustomEvent("live", { bubbles: true }));
}"""
"""Asks for news, and shows if that has failed."""


def test_firefox_shows_no_outage_while_a_page_is_left(device: Device, service: Server) -> None:
    """It aborts a page's requests when the next page is asked for, long before that is there."""
    window = device.open(let_in(device, service))
    service.process.send_signal(signal.SIGSTOP)
    try:
        window.run(ASK)
        window.tap("link", "History")
        window.see("failed", "h1")
        assert window.run('() => document.querySelector("#offline").hidden')
    finally:
        service.process.send_signal(signal.SIGCONT)
    window.see("History", "h1")
    window.see("No hand yet.")
    assert window.path().endswith("/history")


def test_a_hand_is_entered_card_by_card_and_replayed_in_firefox(
    device: Device, service: Server, firefox_browser: Firefox
) -> None:
    """The payout follows from the cards, and the replay steps through them."""
    hand = played_hand("six-bid", 3, 33, "solo")
    board = let_in(device, service, hand.players, "six-bid")
    window = device.open(f"{board}/hands/new", waits=WAITS)
    for name, value in contract_of(hand):
        window.tap_css(f'input[name="{name}"][value="{value}"]')
    window.tap_css("#open-card-entry")
    for card in cards_of(hand):
        window.tap_css(f'#card-entry [data-card="{card}"]')
    for amount in score(hand).deltas.values():
        window.see(f"{amount:+}".replace("-", "\u2212"), "#payout")
    window.tap_css("#save")
    window.see("Hand 1 saved", "[role=status]")
    window.goto(f"{board}/hands/1#card-9")
    window.see("Trick 3 · 9 of 33 cards", ".replay [data-part=caption]")
    window.tap("button", "Next card")
    window.see("Trick 4 · 10 of 33 cards", ".replay [data-part=caption]")
    assert firefox_browser.complaints() == []
