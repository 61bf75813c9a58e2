"""A whole way through on phones: with and without JavaScript, scoring and following."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SEVEN, seated
from tests.browser.pages import ScorerPhone
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

HEARTS_74 = {
    "contract": {
        "bidder": "Ann",
        "bid": "solo-in-hearts",
        "trump": "H",
        "called": "AH",
        "partner": "Bob",
    },
    "points": 74,
}
PAYS = {"Ann": 120, "Bob": 80, "Cyd": -40, "Dee": -40, "Eve": -40, "Fay": -40, "Gus": -40}


@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_an_evening_is_scored_corrected_and_printed(
    service: Server, phone: "Phones", tmp_path: Path, javascript: bool
) -> None:
    """Two games, a correction, a void, the report: the same pages either way, and no complaint."""
    scorer = ScorerPhone(phone(service.url, javascript=javascript), javascript=javascript)
    scorer.start_club("Kitchen table", "four aces", "Mia")
    scorer.start_session(
        ("Ann", "Łukasz", "山田", "Dee"),
        game="Six-Bid Solo",
        tariff="Pagat",
        first_dealer="Dee",
        title="Friday",
    )
    # Pagat: 12 over 60 at 2 a point, from both other players.
    assert scorer.score_hand(
        {"dealer": "Dee", "contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 72}
    ) == {"Ann": 48, "Łukasz": -24, "山田": -24, "Dee": 0}
    # A misère is 30, by a trio that the table chose itself.
    assert scorer.score_hand(
        {
            "dealer": "Ann",
            "active": ["Ann", "山田", "Dee"],
            "contract": {"bidder": "Dee", "bid": "misere"},
            "made": True,
        }
    ) == {"Ann": -30, "Łukasz": 0, "山田": -30, "Dee": 60}
    # A call solo in hearts given up: 150 to everybody at the table.
    assert scorer.score_hand(
        {
            "contract": {"bidder": "Ann", "bid": "call-solo", "trump": "H", "called": "AS"},
            "conceded": "bidder",
        }
    ) == {"Ann": -450, "Łukasz": 150, "山田": 150, "Dee": 150}
    scorer.score_hand({"contract": {"bid": "pass"}})
    # 50 in hearts: 10 under at 3 a point, to everybody.
    assert scorer.correct(
        1, {"contract": {"bidder": "Łukasz", "bid": "heart-solo"}, "points": 50}, "miscounted"
    ) == {"Ann": 30, "Łukasz": -90, "山田": 30, "Dee": 30}
    scorer.void(4, "dealt twice")
    assert scorer.balances() == {"Ann": -450, "Łukasz": 60, "山田": 150, "Dee": 240}
    scorer.change_rules(game="Crazy Solo")
    # (83 − 60) × 3 = 69, to the nearest 5 = 70.
    assert scorer.score_hand(
        {
            "contract": {
                "bidder": "Dee",
                "bid": "solo",
                "trump": "H",
                "called": "TD",
                "partner": "Łukasz",
            },
            "points": 83,
        }
    ) == {"Ann": -70, "Łukasz": 70, "山田": -70, "Dee": 70}
    report = scorer.download_report(tmp_path)
    assert report.name.startswith("Friday ")
    assert report.read_bytes().startswith(b"%PDF")
    scorer.close_session()
    assert scorer.balances() == {"Ann": -520, "Łukasz": 130, "山田": 80, "Dee": 310}
    assert phone.complaints == []


def test_who_follows_sees_a_hand_by_itself(
    scorer: ScorerPhone, service: Server, phone: "Phones"
) -> None:
    """The link opens the evening that is being played. No reload, no button."""
    board = scorer.session_path()
    viewer = ScorerPhone(phone(service.url, dark=True))
    viewer.page.goto(scorer.viewer_link())
    expect(viewer.page.get_by_text("No hand yet")).to_be_visible()
    expect(viewer.page.get_by_role("button", name="Score a hand")).to_have_count(0)
    scorer.page.goto(board)
    scorer.score_hand(HEARTS_74)
    expect(viewer.page.get_by_role("heading", name="Hand 1")).to_be_visible()
    assert viewer.balances_here() == PAYS
    scorer.score_hand({"contract": {"bid": "pass"}})
    expect(viewer.page.get_by_role("heading", name="Hand 2")).to_be_visible()
    scorer.close_session()
    expect(viewer.page.get_by_role("heading", name="Settle up")).to_be_visible()
    assert phone.complaints == []


def test_who_follows_is_told_when_the_link_is_renewed(
    scorer: ScorerPhone, service: Server, phone: "Phones"
) -> None:
    """The page does not stand still unnoticed."""
    path = scorer.session_path()
    viewer = phone(service.url)
    viewer.goto(scorer.viewer_link())
    viewer.goto(path)
    scorer.page.locator("summary", has_text="Make a new link").click()
    scorer.page.get_by_role("button", name="New viewer link").click()
    expect(viewer.get_by_role("heading", name="Whose club is this?")).to_be_visible()


def test_every_page_keeps_to_the_phones_width_and_the_policy(
    service: Server, phone: "Phones"
) -> None:
    """Twelve players, the longest names, every script: no overflow, no complaint."""
    page = phone(service.url)
    names = [
        "W" * 64,
        "Łukasz",
        "山田太郎",
        "محمد علی",
        "שרה כהן",
        "🂡 Ace",
        "Ζωή Παπαδοπούλου-Αναγνωστοπούλου",
    ]
    scorer = seated(service, page, [*SEVEN[:5], *names])
    bidder, partner = names[0], names[3]
    hand = {"bidder": bidder, "bid": "solo", "trump": "S", "called": "AD", "partner": partner}
    assert scorer.score_hand({"contract": hand, "points": 74})[bidder] == 150
    session, club = scorer.session_path(), page.url.split("/sessions")[0]
    addresses = [
        "/",
        "/start",
        "/enter",
        *(club + ending for ending in ("", "/players", "/share", "/keys", "/sessions/new")),
        *(session + ending for ending in ("", "/history", "/rules", "/hands/new")),
        *(session + ending for ending in ("/hands/1/correct", "/hands/1/void")),
    ]
    for address in addresses:
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") == 390, address
    assert phone.complaints == []
