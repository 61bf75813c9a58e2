"""A hand is entered card by card on the pad of the hand form: by taps, by keys, offline, on two phones."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from engine.notation import compact
from engine.record import HandRecord
from engine.scoring.score import score
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.reader_language import COOKIE
from ledger.services.common.writing import Write
from ledger.services.table import start
from ledger.services.table.start import SessionDraft
from tests.browser.card_entry import CardPad, cards_of, played_hand
from tests.browser.conftest import SEVEN, seated
from tests.browser.test_cards_as_text import PLAYED
from tests.browser.test_meanwhile import save_beside
from tests.browser.waiting import draft_kept
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

MIA = Access(1, Role.SCORER, "Mia")
GAMES = {
    "six-bid": (4, 33, "solo"),
    "frog": (3, 33, "frog"),
    "straight-solo": (3, 33, "heart-solo"),
    "progressive": (4, 33, "club-solo"),
    "german-solo": (4, 32, "frage"),
    "crazy-solo": (4, 36, "solo"),
}
"""The number of players at the table and of the cards played, and the bid."""

MOST_TAPS = {32: 37, 33: 37, 36: 41}
"""From the opened form to a hand that can be saved, by the number of its cards."""

SOLO = [("bidder", "Ann"), ("bid", "solo"), ("trump", "D")]
FOUR_TRICKS = ["7S", "TS", "KS", "6D", "QD", "JD", "6C", "KC", "QC", "6S", "QS", "9S"]
"""Four tricks of three seats: to Bob, Cyd, Ann and Bob."""


@pytest.fixture
def pad(service: Server, phone: "Phones") -> CardPad:
    """The pad of a phone at a new table of three, who play Six-Bid: Ann has bid a solo in diamonds."""
    page = phone(service.url)
    scorer = seated(service, page, SEVEN[:3], "six-bid")
    pad = CardPad(page)
    pad.begin(f"{scorer.session_path()}/hands/new", SOLO)
    return pad


def test_a_hand_of_every_game_is_entered_by_taps_and_saved_with_the_engine_s_verdict(
    service: Server, phone: "Phones"
) -> None:
    """In few taps, and without a request, also for the payout."""
    page = phone(service.url)
    hands = {game: played_hand(game, *size) for game, size in GAMES.items()}
    first, *others = hands.items()
    seated(service, page, first[1].players, first[0])
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    for game, hand in others:
        draft = SessionDraft(hand.players, game, first_dealer=hand.players[-1])
        start.start(Write(books, MIA, f"the session of {game}"), draft)
    books.close()
    for number, (game, hand) in enumerate(hands.items(), 1):
        pad = CardPad(page)
        pad.begin_hand(f"/clubs/1/sessions/{number}/hands/new", hand)
        *cards, before_last, last = cards_of(hand)
        pad.play(cards)
        expect(pad.key(cards[-1])).to_be_disabled()
        assert pad.requests == [], game
        pad.finish([before_last, last])
        assert pad.shown() == dict(score(hand).deltas), game
        assert pad.requests == [], game
        assert pad.taps <= MOST_TAPS[len(cards_of(hand))], (game, pad.taps)
        page.locator("#save").click()
        expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
    assert phone.complaints == []


def test_a_game_without_card_points_speaks_of_none(service: Server, phone: "Phones") -> None:
    """In German Solo only tricks count."""
    page = phone(service.url)
    hand = played_hand("german-solo", *GAMES["german-solo"])
    scorer = seated(service, page, hand.players, "german-solo")
    pad = CardPad(page)
    pad.begin_hand(f"{scorer.session_path()}/hands/new", hand)
    pad.play(cards_of(hand)[:4])
    expect(pad.part("live")).to_have_text(re.compile(r"^\w+ played .* wins trick 1\. \w+ is"))
    assert phone.complaints == []


def drawn(text: str) -> str:
    """Return a text with its suit signs as the page has them: never drawn as an emoji."""
    return re.sub("[♠♥♦♣]", "\\g<0>\ufe0e", text)


def record_of(cards: Sequence[str], **keys: Any) -> HandRecord:
    """Return the record of these cards at the table of three: Ann's solo, unless a key differs."""
    tricks = [" ".join(cards[at : at + 3]) for at in range(0, len(cards), 3)]
    table = {"game": "six-bid", "players": SEVEN[:3], "dealer": "Cyd", "contract": dict(SOLO)}
    return HandRecord.from_mapping({**table, "tricks": tricks, **keys})


def payments(cards: Sequence[str], **keys: Any) -> dict[str, int]:
    """Return what a hand pays each player, by the engine."""
    return dict(score(record_of(cards, **keys)).deltas)


def test_cards_are_undone_and_the_rest_is_claimed_or_given_up(
    pad: CardPad, phone: "Phones"
) -> None:
    """One card at a time or a whole trick; a claim that leaves the result open asks for the widow."""
    pad.play(FOUR_TRICKS)
    expect(pad.part("trick")).to_have_text("trick 5 of 11")
    expect(pad.part("score")).to_have_text("Bob is to play.Ann: 7 of 60trumps out 6cards out 24")
    pad.tap(pad.button("Undo").first)
    pad.tap(pad.button("Undo").first)
    expect(pad.part("trick")).to_have_text("trick 4 of 11")
    pad.part("tricks").locator("button").nth(1).click()
    pad.button("Undo").last.click()
    expect(pad.part("trick")).to_have_text("trick 2 of 11")
    pad.play(FOUR_TRICKS[3:])
    pad.button("Claim the rest").click()
    expect(pad.part("sheet")).to_contain_text("Who gets all the remaining tricks?")
    pad.button("Ann").click()
    claimed = {"after": 4, "by": "bidder"}
    assert pad.shown() == payments(FOUR_TRICKS, claimed=claimed)
    expect(pad.page.locator("#open-card-entry")).to_have_text("Card by card: 12 of 33")
    pad.open()
    expect(pad.part("notice")).to_have_text("Ann: all the remaining tricks.")
    pad.button("Undo").first.click()
    pad.button("Give up").click()
    pad.button("Ann").click()
    expect(pad.part("notice")).to_contain_text("The result depends on the widow")
    pad.button("Enter the widow").click()
    pad.play(["AH", "TH", "6H"])
    conceded = {"after": 4, "by": "opponents"}
    deal = {"widow": "AH TH 6H"}
    assert pad.shown() == payments(FOUR_TRICKS, claimed=conceded, deal=deal)
    assert pad.requests == []
    assert phone.complaints == []


def test_an_impossible_card_is_dimmed_and_played_only_if_somebody_confirms_it(
    pad: CardPad, phone: "Phones"
) -> None:
    """The page names the trick that it would make a revoke; a card tapped twice is played once."""
    pad.play([*FOUR_TRICKS, "8D", "9C", "TD", "AS"])
    expect(pad.part("trick")).to_have_text("trick 6 of 11")
    pad.play(["JS"])
    impossible = pad.key("KD")
    expect(impossible).to_have_class("card-key red off")
    expect(impossible).to_have_accessible_name("king of diamonds, not possible by the cards so far")
    pad.play(["KD"])
    sheet = pad.part("sheet")
    expect(sheet).to_contain_text(drawn("Was K♦ really played?"))
    revoke = drawn("Trick 5: Cyd played 9♣, but held K♦ and had to follow suit.")
    expect(sheet).to_contain_text(revoke)
    pad.button("Cancel").click()
    expect(pad.key("KD")).to_be_enabled()
    pad.play(["KD", "KD"])
    pad.button("Yes, it was").click()
    expect(pad.part("notice")).to_contain_text(revoke)
    pad.button("Undo").first.click()
    expect(pad.part("notice")).to_be_hidden()
    pad.key("AH").dblclick()
    expect(pad.part("trick")).to_have_text("trick 7 of 11")
    expect(pad.part("score")).to_contain_text("cards out 18")
    assert phone.complaints == []


def test_who_gives_up_a_misere_loses_it_and_the_tricks_go_to_nobody(
    service: Server, phone: "Phones"
) -> None:
    """Elsewhere the other side gets the rest, which in a misère would lose it the hand."""
    page = phone(service.url)
    scorer = seated(service, page, SEVEN[:3], "six-bid")
    pad = CardPad(page)
    misere = {"bidder": "Ann", "bid": "misere"}
    pad.begin(f"{scorer.session_path()}/hands/new", misere.items())
    cards = FOUR_TRICKS[:4]
    pad.play(cards)
    for side, name, conceded in ((0, "Ann", "bidder"), (1, "Bob and Cyd", "opponents")):
        pad.button("Give up").click()
        sheet = pad.part("sheet")
        expect(sheet).to_contain_text("Who gives up? That side loses the hand.")
        sheet.locator(".pair button").nth(side).click()
        assert pad.shown() == payments(cards, contract=misere, conceded=conceded)
        pad.open()
        notice = pad.part("notice").inner_text().replace("\u2068", "").replace("\u2069", "")
        assert notice == f"{name} gave up."
        pad.button("Undo").first.click()
    draft_kept(page)
    assert page.locator("[name=conceded]:checked").input_value() == ""
    assert phone.complaints == []


def test_an_unfinished_entry_survives_its_page_and_goes_on_on_another_phone(
    pad: CardPad, service: Server, phone: "Phones"
) -> None:
    """It is there after a reload; a link opens it elsewhere, in the part that no server gets."""
    page = pad.page
    pad.play([*FOUR_TRICKS, "8D"])
    expect(pad.part("seats")).to_contain_text(drawn("8♦"))
    draft_kept(page)
    reopened = page.context.new_page()
    page.close()
    reopened.goto(page.url)
    again = CardPad(reopened)
    again.open()
    expect(again.part("trick")).to_have_text("trick 5 of 11")
    expect(again.part("seats").locator("[aria-current]")).to_contain_text("Cyd")
    again.button("More").click()
    again.button("Hand over to another phone").click()
    link = again.dialog.get_by_label("Hand over to another phone").input_value()
    address, fragment = link.split("#")
    assert address == reopened.url
    other = CardPad(phone(service.url))
    cookies: Any = page.context.cookies()
    other.page.context.add_cookies(cookies)
    asked: list[str] = []
    other.page.on("request", lambda request: asked.append(request.url + (request.post_data or "")))
    other.page.goto(link)
    expect(other.part("seats")).to_contain_text(drawn("8♦"))
    expect(other.part("trick")).to_have_text("trick 5 of 11")
    expect(other.page).to_have_url(address)
    assert not [url for url in asked if fragment[:40] in url or "8D" in url]
    other.play(["9C"])
    expect(other.part("seats").locator("[aria-current]")).to_contain_text("Ann")
    draft_kept(other.page)
    other.page.reload()
    other.open()
    expect(other.part("tricks").locator("li")).to_have_count(4)
    expect(other.part("seats")).to_contain_text(drawn("9♣"))
    assert phone.complaints == []


@pytest.mark.parametrize(
    "state",
    [None, "text", [], {"cards": 5}, {"cards": [None]}, {"key": ["0"] * 9, 'a"]': ["7S"]}],
    ids=["nothing", "a text", "a list", "a number", "no text", "other fields"],
)
def test_a_spoilt_link_changes_nothing(pad: CardPad, phone: "Phones", state: object) -> None:
    """It may come from anybody: only the answers of a hand are read, and only as texts."""
    page = pad.page
    key = page.locator("input[name=key]").input_value()
    page.evaluate("(text) => { location.hash = `entry=${btoa(text)}`; }", json.dumps(state))
    expect(page).not_to_have_url(re.compile("#"))
    assert page.locator("input[name=key]").input_value() == key
    expect(page.locator("[name=bidder]:checked")).to_have_value("Ann")
    expect(pad.part("score")).to_contain_text("cards out 36")
    assert phone.complaints == []


def test_cards_are_typed_pasted_and_heard(service: Server, phone: "Phones") -> None:
    """In either order, also in German; Backspace undoes, Enter ends, Escape leads back; a line is a hand."""
    page = phone(service.url, size=(1280, 800), touch=False)
    page.context.add_cookies([{"name": COOKIE, "value": "de", "url": service.url}])
    scorer = seated(service, page, SEVEN[:3], "six-bid")
    pad = CardPad(page)
    pad.begin(f"{scorer.session_path()}/hands/new", SOLO)
    live = pad.part("live")
    expect(live).to_have_text("Ann ist dran.")
    page.keyboard.type("7p")
    expect(live).to_have_text("Ann spielte Pik-Sieben. Bob ist dran.")
    page.keyboard.type("p10")
    page.keyboard.type("ks")
    expect(live).to_have_text(
        "Cyd spielte Pik-König. Bob macht Stich 1 mit 14 Augen. Bob ist dran."
    )
    page.keyboard.press("Backspace")
    expect(live).to_have_text("Bob spielte Pik-Zehn. Cyd ist dran.")
    page.evaluate(PASTE, "KS 6♦, ♦Q JD\n6c/kc Qc 6S QS 9S XX")
    expect(pad.part("notice")).to_contain_text("„XX“ ist keine Karte")
    expect(pad.part("trick")).to_have_text("Stich 5 von 11")
    page.keyboard.type("kp")
    expect(pad.part("trick")).to_have_text("Stich 5 von 11")
    page.keyboard.type("akr")
    expect(live).to_have_text("Bob spielte Kreuz-Ass. Cyd ist dran.")
    page.keyboard.press("Escape")
    expect(pad.dialog).to_be_hidden()
    expect(page.locator("#sum")).to_contain_text("20")
    page.locator("#open-card-entry").press("Enter")
    page.keyboard.press("Enter")
    expect(pad.dialog).to_be_hidden()
    page.locator("#open-card-entry").press("Enter")
    bobs = {"bidder": "Bob", "bid": "heart-solo"}
    page.evaluate(PASTE, compact.write(record_of(" ".join(PLAYED).split(), contract=bobs)))
    expect(pad.dialog).to_be_hidden()
    expect(page.locator("#open-card-entry")).to_have_text("Karte für Karte: 33 von 33")
    expect(page.locator("#told")).to_contain_text("Bob")
    assert phone.complaints == []


PASTE = """(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def test_a_hand_is_entered_offline_and_sent_once_the_ledger_is_back(
    service: Server, phone: "Phones"
) -> None:
    """The page is opened anew without a connection, too: nothing of the pad comes from the ledger."""
    page = phone(service.url, installs=True)
    scorer = seated(service, page, SEVEN[:3], "frog")
    hand = played_hand("frog", 3, 33, "chico")
    address = f"{scorer.session_path()}/hands/new"
    page.goto(address)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    pad = CardPad(page)
    pad.load(address)
    page.context.set_offline(True)
    pad.begin_hand(address, hand)
    pad.play(cards_of(hand))
    expect(pad.dialog).to_be_hidden()
    page.locator("#save").click()
    expect(page.locator("#offline")).to_contain_text("will be sent automatically")
    page.context.set_offline(False)
    saved = page.get_by_role("status").filter(has_text="Hand 1 saved")
    expect(saved).to_be_visible()
    deltas = score(hand).deltas
    assert scorer.balances_here() == dict(deltas)


def test_with_a_known_deal_only_the_legal_cards_are_offered(
    service: Server, phone: "Phones"
) -> None:
    """The hands are entered on the same keys, seat by seat; the last one and the widow follow."""
    page = phone(service.url)
    hand = played_hand("six-bid", 3, 33, "solo")
    scorer = seated(service, page, hand.players, "six-bid")
    pad = CardPad(page)
    pad.begin(f"{scorer.session_path()}/hands/new", SOLO)
    assert hand.deal is not None
    assert hand.deal.hands is not None
    hands = [[str(card) for card in hand.deal.hands[name]] for name in hand.players]
    pad.button("More").click()
    pad.button("Enter the deal").click()
    expect(pad.part("seats")).to_contain_text("The hand dealt to Ann")
    for cards in hands:
        pad.play(cards)
    expect(pad.part("seats").locator("[aria-current]")).to_contain_text("Ann")
    offered = pad.part("keys").locator("[data-card]:not(.off, .gone)")
    assert {key.get_attribute("data-card") for key in offered.all()} == set(hands[0])
    draft_kept(page)
    for number, cards in enumerate(hands, 1):
        assert page.locator(f"#hand_{number}").input_value().split() == cards
    assert len(page.locator("#widow").input_value().split()) == 3
    assert phone.complaints == []


def test_pasted_cards_go_to_the_hand_that_is_being_entered_and_nowhere_during_a_question(
    pad: CardPad, phone: "Phones"
) -> None:
    """The cards that fill a hand are followed by those of the next one; a card can't be dealt twice."""
    page = pad.page
    pad.button("More").click()
    page.evaluate(PASTE, "9D")
    pad.button("Enter the deal").click()
    page.evaluate(PASTE, "AS 10S KS QS JS 9S 8S 7S 6S AH TH / KH")
    expect(pad.part("seats")).to_contain_text("The hand dealt to Bob")
    expect(pad.part("seats")).to_contain_text("1 of 11 cards")
    page.evaluate(PASTE, "QH, AS, JH")
    expect(pad.part("notice")).to_contain_text("A♠")
    expect(pad.part("seats")).to_contain_text("2 of 11 cards")
    draft_kept(page)
    assert page.locator("#hand_1").input_value().split()[-1] == "TH"
    assert page.locator("#cards").input_value() == ""
    assert phone.complaints == []


def test_another_scorer_s_hand_leads_back_to_the_form_and_keeps_the_cards(
    service: Server, phone: "Phones"
) -> None:
    """The form says what was saved, and that somebody else leads now."""
    page = phone(service.url)
    scorer = seated(service, page)
    pad = CardPad(page)
    with page.expect_request("**/live"):
        contract = [("bidder", "Cyd"), ("bid", "go-alone"), ("trump", "S")]
        pad.begin(f"{scorer.session_path()}/hands/new", contract)
    pad.play(["AH", "TH", "KH"])
    save_beside(service)
    expect(page.locator("#notice")).to_contain_text("Yours is hand 2 now: Ann deals, Bob leads.")
    expect(pad.dialog).to_be_hidden()
    pad.open()
    expect(pad.part("seats").locator("li").first).to_contain_text(drawn("BobA♥"))
    assert phone.complaints == []
