"""A link replays a whole hand: on any device, offline, and without a club."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from engine.games import GAMES
from engine.guide.card_orders import card_orders
from engine.guide.play_sheet import play_sheet
from engine.guide.play_sheets import play_sheets
from engine.guide.random_hands import NAMES
from engine.notation.compact import read, write
from engine.replay.overview import overview
from engine.rules.options import Option
from engine.scoring.score import score
from ledger.http.reader_language import COOKIE
from ledger.runtime.paths import STATIC
from tests.browser.test_outage import back_again
from tests.engine.notation.test_compact import played, sealed
from tests.engine.notation.test_compact_mutations import mutated
from tests.engine.playing import HOUSES
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

LINE = write(next(played(HOUSES[0], 1)))
SHEETS_FOR = """([tables, records]) =>
  JSON.stringify(records.map((record) => soloLink.sheetFor(tables, record) ?? null))"""


def tables() -> Iterator[dict[str, Any]]:
    """Yield a record of every house and, for each of its house rules, of the house with every value."""
    for house in HOUSES:
        sheet = GAMES[house.game]
        variants = (
            [house.variant] if house.variant else [None, *(one.slug for one in sheet.variants)]
        )
        for variant in variants:
            rules = {"rules": variant} if variant else {}
            record = {"game": house.game, "players": NAMES[: house.seats], **rules}
            yield record | {"options": house.options}
            for option in sheet.options_of(variant):
                for value in values(option):
                    yield record | {"options": {**house.options, option.slug: value}}


def values(option: Option) -> list[Any]:
    """Return all values of a house rule, of an amount those at its bounds and one between."""
    if option.members:
        return [*option.choices, {}]
    return [*option.choices] or [option.least, option.least + 1, option.most]


def run_scripts(page: Page) -> None:
    """Run the reader and the scripts for links."""
    for name in ("line", "link"):
        script = (STATIC / "cards" / f"{name}.js").read_text(encoding="utf-8")
        page.add_script_tag(content=script.replace("const solo", "globalThis.solo", 1))


def test_the_page_finds_the_play_sheet_of_every_table(phone: "Phones") -> None:
    """Under every value of every house rule; an unknown game, variant, table size or value has none."""
    page = phone()
    run_scripts(page)
    records = [*tables()]
    known = json.loads(json.dumps(play_sheets() | {"orders": card_orders()}))
    found = json.loads(page.evaluate(SHEETS_FOR, [known, records]))
    for record, sheet in zip(records, found, strict=True):
        rules = GAMES[record["game"]].rules(
            record.get("rules"), record["options"], len(record["players"])
        )
        expected = play_sheet(rules)
        assert sheet == expected | {"order": card_orders()[expected["ranking"]]}, record
    unknown = [
        {"game": "whist", "players": NAMES[:4]},
        {"game": "constructor", "players": NAMES[:4]},
        {"game": "six-bid", "rules": "constructor", "players": NAMES[:4]},
        {"game": "german-solo", "players": NAMES[:5]},
        {"game": "frog", "players": NAMES[:3], "options": {"hearts_in_chico": "maybe"}},
    ]
    assert json.loads(page.evaluate(SHEETS_FOR, [known, unknown])) == [None] * len(unknown)


def opened(page: Page, fragment: str) -> Page:
    """Open a link, and wait until the player was loaded."""
    page.goto(f"/replay#{fragment}")
    page.locator("#replay-data").wait_for(state="attached")
    return page


def test_a_link_opens_without_a_club_and_the_line_stays_on_the_device(
    service: Server, phone: "Phones"
) -> None:
    """No request names the hand, and another link in the same window shows its hand."""
    page, requests = phone(service.url), []
    page.on("request", lambda request: requests.append(request.url + (request.post_data or "")))
    opened(page, LINE)
    expect(page.locator("#replayed")).to_be_visible()
    expect(page.locator("#replayed")).to_contain_text("Six-Bid")
    page.evaluate("(line) => { location.hash = line }", write(next(played(HOUSES[-1], 1))))
    expect(page.locator("#replayed")).to_contain_text("German Solo")
    assert not [url for url in requests if "Ann" in url.split("#")[0]]
    assert phone.complaints == []


SHOW = """(line) => {
    history.replaceState(null, "", `#${line}`);
    dispatchEvent(new Event("hashchange"));
    return [...document.querySelectorAll("#replayed tbody tr")].map((row) =>
        [...row.cells].map((cell) => cell.textContent.trim()));
}"""


def test_a_link_lists_the_tricks_as_the_engine_follows_them(
    service: Server, phone: "Phones"
) -> None:
    """With leaders, winners, card points and the points or tricks of the bidding side, at every table.

    If the record leaves the partner out, the cards show who it is.
    """
    page = opened(phone(service.url), "")
    for house in HOUSES:
        record = next(hand for hand in played(house, 20) if hand.tricks)
        contract = record.contract
        assert contract is not None
        record = replace(record, contract=contract._replace(partner=None, alone=None))
        rules = GAMES[house.game].rules(house.variant, house.options, house.seats)
        line = write(record)
        shown = overview(rules, read(line))
        assert shown.contract is not None
        counts_points = "points" in rules.by_slug[str(shown.contract.bid)].result_keys
        expected = []
        for trick in shown.tricks:
            figures = [trick.points, trick.side_points] if counts_points else [trick.side_tricks]
            texts = [str(figure) if trick.winner else "–" for figure in figures]
            expected.append([trick.leader or "", trick.winner or "", *texts])
        listed = [
            [leads, wins, *figures] for _, leads, _, wins, *figures in page.evaluate(SHOW, line)
        ]
        assert listed == expected, line
    assert phone.complaints == []


ENDINGS = {
    "c:bspread-misere/conceded=bidder": "Bob gave up.",
    "c:bspread-misere/conceded=opponents": "Ann and Cyd gave up.",
    "c:bspread-misere/claimed=(by=Bob,after=0)": "Bob: all the remaining tricks.",
    "c:bspread-misere/claimed=(by=bidder,after=0,tricks=0)": "Bob: 0 of the remaining tricks.",
    "c:bsolo+S/claimed=(by=opponents,after=0,points=7)": (
        "Ann and Cyd: 7 of the card points in the remaining tricks."
    ),
    "c:bsolo+S/claimed=(by=constructor,after=0)": "constructor: all the remaining tricks.",
}


def isolating(sentence: str) -> str:
    """Return the sentence as pages have it, with its names isolated."""
    return re.sub("Ann|Bob|Cyd|constructor", "\u2068\\g<0>\u2069", sentence)


def test_a_link_says_how_the_hand_ended_before_its_last_card(
    service: Server, phone: "Phones"
) -> None:
    """Given up, or claimed in whole or in part, and by whom."""
    page = opened(phone(service.url), "")
    for body, sentence in ENDINGS.items():
        page.evaluate(SHOW, sealed(f"six-bid/Ann,Bob,Cyd@c/{body}"))
        expect(page.locator("#replayed > [data-if=ending]")).to_have_text(isolating(sentence))
    page.evaluate(SHOW, sealed("german-solo/Ann,Bob,Cyd,Dee@d/c:bsolo+C/stopped=!1"))
    ending = page.locator("#replayed > [data-if=ending]")
    expect(ending).to_have_text(isolating("Bob won the first tricks and stopped."))
    page.evaluate(SHOW, LINE)
    expect(ending).to_be_hidden()
    assert phone.complaints == []


def test_the_last_card_adds_the_points_of_the_widow(service: Server, phone: "Phones") -> None:
    """So that the replay ends with the points that the hand was scored with."""
    page = opened(phone(service.url), "")
    for name in ("frog", "six-bid", "progressive", "straight-solo"):
        house = next(house for house in HOUSES if house.game == name)
        rules = GAMES[name].rules(house.variant, house.options, house.seats)
        for hand in played(house, 60):
            points, tricks = score(hand).points, overview(rules, hand).tricks
            in_tricks = tricks[-1].side_points if tricks else None
            if points is not None and in_tricks is not None and points > in_tricks:
                break
        else:
            pytest.fail(f"no hand of {name} has points in its widow")
        page.evaluate(SHOW, write(hand))
        page.locator("[data-part=slider]").press("End")
        expect(page.locator("[data-part=side]")).to_contain_text(f": {points} of ")
        aside = page.locator("#replayed > [data-if=aside]")
        expect(aside).to_have_text(f"And from the widow or the discard: {points - in_tricks}.")


def test_a_link_to_a_card_marks_it_and_a_tapped_card_has_its_own_link(
    service: Server, phone: "Phones"
) -> None:
    """So that people can point at it."""
    page = opened(phone(service.url), f"{LINE}&card-17")
    tricks = read(LINE).tricks
    assert tricks is not None
    cards = [str(card) for trick in tricks for card in trick.cards]
    marked = page.locator("[aria-current=step] [data-card]")
    expect(marked).to_have_attribute("data-card", cards[16])
    page.locator(".row-of-cards a").nth(3).tap()
    expect(marked).to_have_attribute("data-card", cards[3])
    expect(page).to_have_url(re.compile(f"#{re.escape(LINE)}&card-4$"))


def test_no_line_breaks_the_page(service: Server, phone: "Phones") -> None:
    """A line that can be read may hold any hand: with wrong cards, unknown seats or nothing at all."""
    page = opened(phone(service.url), "")
    lines = [write(hand) for house in HOUSES[::3] for hand in played(house, 2)]
    shown = 0
    for line in mutated(lines, 200):
        page.evaluate(SHOW, line.encode(errors="replace").decode())
        shown += page.locator("#replayed").is_visible()
    assert shown > 10
    assert phone.complaints == []


def test_what_is_wrong_with_a_link_is_said_and_another_can_be_pasted(
    service: Server, phone: "Phones"
) -> None:
    """Cut off, damaged, malformed, or of a game that this version doesn't know."""
    page = opened(phone(service.url), LINE[:-3])
    wrong = page.get_by_role("alert")
    expect(wrong).to_contain_text("The end of this line is missing")
    field = page.get_by_label("The hand as one line, or a link to it")
    expect(field).to_have_value(LINE[:-3])
    for line, message in (
        ("hello there", "This is not a hand. A hand as one line begins with its game"),
        (f"{service.url}/clubs/1", "six-bid/Ann,Bob,Cyd@c/…"),
        ("#", "This is not a hand."),
        (LINE[:40], "The end of this line is missing"),
        (LINE.replace("Ann", "Anm"), "some character is wrong or missing"),
        (sealed("whist/Ann,Bob,Cyd@c"), "does not know the game"),
        (sealed("six-bid/Ann,Bob,Cyd@c/points="), "cannot be read at character 30"),
    ):
        field.fill(line)
        page.get_by_role("button", name="Show the hand").tap()
        expect(wrong).to_contain_text(message)
        expect(page.locator("#replayed")).to_be_hidden()
    field.fill(f"Look: {service.url}/replay#{LINE}.")
    page.get_by_role("button", name="Show the hand").tap()
    expect(page.locator("#replayed")).to_be_visible()
    expect(wrong).to_be_hidden()
    assert phone.complaints == []


def test_a_link_opens_offline_on_a_device_that_never_opened_a_club(
    service: Server, phone: "Phones"
) -> None:
    """After the first visit, in the reader's language."""
    page = phone(service.url, installs=True)
    page.context.add_cookies([{"name": COOKIE, "value": "de", "url": service.url}])
    page.goto("/how-to-play")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    service.kill()
    try:
        opened(page, LINE)
        expect(page.get_by_role("heading", name="Spiel nachspielen")).to_be_visible()
        expect(page.locator("#replayed")).to_contain_text("Six-Bid")
        expect(page.locator(".replay [data-part=caption]")).to_have_text("Die ausgeteilten Karten")
    finally:
        back_again(service).stop()


def test_without_scripts_the_page_says_why_it_shows_no_hand(
    service: Server, phone: "Phones"
) -> None:
    """The line is not asked for: the ledger never sees it."""
    page = phone(service.url, javascript=False)
    page.goto(f"/replay#{LINE}")
    expect(page.get_by_text("This page needs JavaScript")).to_be_visible()
    assert page.locator("textarea").is_hidden()


def test_a_link_is_shared_where_the_browser_has_a_share_sheet(phone: "Phones") -> None:
    """Elsewhere there is no such button; a closed share sheet is no error."""
    page = phone()
    page.set_content("""<input id="link" value="https://example.org/replay#a">
        <button data-share="#link" data-title="Hand 7" hidden>Share</button>""")
    missing = "() => { navigator.share = undefined; }"
    closed = """() => { navigator.share = async (sent) => {
        globalThis.sent = sent;
        throw new DOMException("", "AbortError");
    }; }"""
    for share in (missing, closed):
        page.evaluate(share)
        run_scripts(page)
        expect(page.get_by_role("button", name="Share")).to_be_visible(visible=share == closed)
    page.get_by_role("button", name="Share").tap()
    page.wait_for_function("() => globalThis.sent")
    assert page.evaluate("sent") == {"title": "Hand 7", "url": "https://example.org/replay#a"}
    assert phone.complaints == []
