"""Everybody can read and reach everything on the pages, on a small phone and in large type, too."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page
from werkzeug.routing import MapAdapter

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.reader_language import COOKIE
from ledger.runtime.clock import today
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.club import devices, links, seasons, tokens
from ledger.services.club.passcodes import ClientDevice, origin_of
from tests.browser.pages import ScorerPhone
from tests.browser.treasurer import Treasurer
from tests.ledger import cash, table
from tests.ledger.table import SECRET
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

AT_FIRST = (
    *("web.home", "web.start", "web.enter", "web.display", "web.games", "web.how_to_play"),
    *("web.replay", "web.try_hand", "api_docs", "api_errors"),
)
OF_A_CLUB = (
    *(
        "web.club",
        "web.people",
        "web.player_mark",
        "web.keys",
        "web.one_token",
        "web.share",
        "web.club_devices",
    ),
    *("web.one_device", "web.one_link", "web.log", "web.read_along", "web.club_screen"),
)
OF_A_SESSION = (
    *("web.board", "web.history", "web.rules", "web.how_this_table_plays", "web.result"),
    *("web.chart", "web.screen", "web.what_if"),
    *(
        "web.table",
        "web.seats",
        "web.leave_table",
        "web.bank",
        "web.count_chips",
        "web.undo",
        "web.entries",
    ),
    *("web.take_entry_back", "web.void_hand", "web.restore_hand", "web.correct_hand", "web.hand"),
)
ONCE_SETTLED = (
    *(
        "web.club_money",
        "web.club_expenses",
        "web.money_import",
        "web.club_settings",
        "web.safekeeping",
        "web.head_to_head",
        "web.player",
    ),
    *("web.statement", "web.evenings", "web.own_evenings", "web.club_statistics"),
    *("web.club_records", "web.ratings"),
    *("web.season_list", "web.season", "web.new_season", "web.edit_season"),
    *("web.exports", "web.session_exports", "web.paper_evening"),
    "web.paper_correction",  # of a played evening: its scoreboard
)
BY_TAPPING = ("web.new_hand", "web.new_session", "web.settle")
"""The pages by what is to be there before they are looked at, each by its endpoint."""

NO_PAGES = {
    *(
        "web.live",
        "web.club_live",
        "web.report",
        "web.download_archive",
        "web.export_file",
        "web.manifest",
    ),
    *(
        "web.result_picture",
        "web.picture",
        "web.hand_pdf",
        "web.score_sheet",
        "web.period_pdf",
        "web.statement_pdf",
        *("web.season_pdf", "web.poster_pdf"),
    ),
    "web.worker",
    *("web.letters", "web.letters_of_a_face", "web.card_pad", "web.replay_player"),
    *("web.payouts", "web.payouts_of_game", "web.viewers_code"),
    *("health", "readyz", "static", "web.authority_certificate"),
}
"""What answers a GET with no page: streams, a PDF, a picture, an archive, scripts, figures and files."""

AT_HOME = {"web.trust", "web.arrive"}
"""The pages of a server with HTTPS at home, which `test_home_https` looks at."""

LEAST_CONTRAST = 3
"""WCAG's least ratio for large text and for the words on a button."""

COLOURS = """
    const parts = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = (e, known) => {
        if (!e) return [255, 255, 255];
        if (!known.has(e)) {
            const colour = parts(getComputedStyle(e).backgroundColor);
            const isOpaque = colour.length === 3 || colour[3] === 1;
            known.set(e, isOpaque ? colour : ground(e.parentElement, known));
        }
        return known.get(e);
    };
    const contrast = (colour, e, known = new Map()) => {
        const [a, b] = [light(parts(colour)), light(ground(e, known))].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
    };
"""
"""Defines a function for the contrast of a colour with the ground of an element.

It looks up grounds in a map, which holds them for as long as no colour changes.
"""

FAINT_WORDS = f"""(least) => {{{COLOURS}
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const faint = [], grounds = new Map(), seen = new Map();
    const isFaint = (e) => e.checkVisibility() && !e.closest(".unseen, .first, :disabled")
        && contrast(getComputedStyle(e).color, e, grounds) < least;
    while (words.nextNode()) {{
        const {{data, parentElement: e}} = words.currentNode;
        if (!data.trim()) continue;
        if (!seen.has(e)) seen.set(e, isFaint(e));
        if (seen.get(e)) faint.push(data.trim());
    }}
    return faint;
}}"""
"""The words whose colour is too near to that of the ground under them."""


ALL = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
"""What axe looks for: WCAG 2.2 AA, and what its makers would do besides."""

WORDS = {
    "runOnly": {
        "type": "rule",
        "values": [
            *("target-size", "landmark-unique", "document-title", "empty-heading", "button-name"),
            *("link-name", "label", "summary-name", "select-name", "input-button-name"),
            *("table-duplicate-name", "html-has-lang", "html-lang-valid", "aria-command-name"),
            *("aria-input-field-name", "aria-toggle-field-name", "image-alt", "svg-img-alt"),
        ],
    }
}
"""What can be otherwise in another language: sizes, and words that are missing or alike."""

CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""What can be otherwise by night, and can't be in another language."""

ALIKE = """() => {
    const seen = new Set();
    return [...document.querySelectorAll("article")].filter((article) => {
        const before = seen.size;
        for (const each of article.querySelectorAll("*")) {
            seen.add(`${each.parentElement.tagName} ${each.tagName} ${[...each.classList]}`);
        }
        return seen.size === before;
    });
}"""
"""Returns the articles without an element of another kind than in those before them.

The page of the API has hundreds of them.
"""

VIOLATIONS = f"""async (rules) => {{
    // Nothing on our pages comes from elsewhere, to be fetched for a look.
    const options = {{resultTypes: ["violations"], preload: false, iframes: false, ...rules}};
    const found = await axe.run({{include: [document], exclude: ({ALIKE})()}}, options);
    const named = ({{id, nodes}}) => nodes.map(({{target}}) => `${{id}}: ${{target.join(" ")}}`);
    return found.violations.flatMap(named);
}}"""
"""Returns what axe finds, but for articles that are like those before them."""

LETTER_BY_LETTER = """() => [...document.querySelectorAll("main bdi")].filter((each) => {
    const words = document.createRange();
    words.selectNodeContents(each);
    return each.checkVisibility() && words.getClientRects().length > 3;
}).map((each) => each.textContent)"""
"""The names that have so little room that their letters stand below one another."""

SMALLEST_PHONE = 320
TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
IN_LARGE_TYPE = f"""() => {{
    document.documentElement.style.fontSize = "200%";
    const over = ({TOO_WIDE})();
    document.documentElement.style.fontSize = "";
    return over;
}}"""


def faint(page: Page) -> list[str]:
    """Return the words of the open page in a colour too near to that of their background."""
    found: list[str] = page.evaluate(FAINT_WORDS, LEAST_CONTRAST)
    return found


def faint_by_day_and_night(page: Page) -> list[str]:
    """Return the faint words of the page that is open in its light colours, then in its dark ones."""
    return [*faint(page), *by_night(page, lambda: faint(page))]


def barriers(page: Page, rules: Mapping[str, Any] = ALL) -> list[str]:
    """Return the barriers on the open page, with everything folded unfolded.

    These are axe's findings, names broken letter by letter, and elements that are too wide.
    """
    unfold(page)
    found = violations(page, rules)
    found += [f"letter by letter: {name}" for name in page.evaluate(LETTER_BY_LETTER)]
    return [*found, *too_wide(page)]


def unfold(page: Page) -> None:
    """Open all that is folded on the page."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


def violations(page: Page, rules: Mapping[str, Any]) -> list[str]:
    """Return axe's findings by these rules on the open page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(VIOLATIONS, rules)
    return found


def weak_colours(page: Page) -> list[str]:
    """Return axe's findings about colours."""
    return violations(page, CONTRAST)


def too_wide(page: Page) -> list[str]:
    """Return the unfolded elements wider than the smallest phone or, in large type, than this one."""
    said = []
    unfold(page)
    if over := page.evaluate(IN_LARGE_TYPE):
        said.append(f"{over} too wide in large type")
    usual = page.viewport_size
    assert usual is not None
    page.set_viewport_size({**usual, "width": SMALLEST_PHONE})
    if over := page.evaluate(TOO_WIDE):
        said.append(f"{over} too wide on a small phone")
    page.set_viewport_size(usual)
    return said


def by_night(page: Page, look: Callable[[], list[str]]) -> list[str]:
    """Look at the page that is open in its dark colours."""
    page.emulate_media(color_scheme="dark")
    found = [f"by night: {each}" for each in look()]
    page.emulate_media(color_scheme="light")
    return found


def addresses() -> MapAdapter:
    """Return the map of all addresses."""
    url = "sqlite:///nowhere.sqlite"  # nobody opens it
    app = create_app(Settings(url, Path(), SECRET), Database(url))
    return app.url_map.bind("")


def test_every_page_is_looked_at() -> None:
    """A new one is in a list here, or this fails."""
    listed = {*AT_FIRST, *OF_A_CLUB, *OF_A_SESSION, *ONCE_SETTLED, *BY_TAPPING, *AT_HOME}
    answered = {
        rule.endpoint
        for rule in addresses().map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith("api-")
    }
    assert answered - NO_PAGES == listed


def prepare(service: Server) -> dict[str, Any]:
    """Write the pages' data directly; return the values in their addresses."""
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    club = Access(1, Role.OWNER, "Mia")
    tokens.issue(books, club, label="A script", role=Role.VIEWER, days=30)
    secret = (service.folder / "secret-key").read_text().strip()
    key, link = links.make(books, club, secret, role=Role.SCORER, lasts="evening")
    seen = ClientDevice(origin_of("192.0.2.7"), "iPhone", {})
    devices.admit(books, Access(1, Role.SCORER, "Tom"), seen, link_id=link.id)
    table.record(books, club, 1, cash.ANN_WINS)
    table.void(books, club, 1, 2)
    dealer, _ = table.turn(books, club, 1)
    table.record(books, club, 1, table.with_cards("crazy-solo", table.FOUR[:3], dealer))
    entry = cash.lend(books, club, 1, "Bob", 20)["entry"]
    days: dict[str, Any] = {"first_day": today(), "last_day": today()}
    rules: dict[str, Any] = {"prize": "A ham", "least_evenings": 2, "tie_breaks": ["wins"]}
    seasons.create(table.write(books, club), name="Today", **days, **rules)
    books.close()
    numbers = dict.fromkeys(
        ("club_id", "session_id", "player_id", "token_id", "number", "season_id"), 1
    )
    return {**numbers, "device_id": 2, "link_id": link.id, "viewer_key": key, "entry": entry}


def test_nothing_on_a_page_bars_anybody_from_it(service: Server, phone: "Phones") -> None:
    """On every page a scorer comes by, by day and by night; also on elements to tap, like the players.

    No word is written in the colour of its ground, axe finds nothing, and nothing is wider than the screen.
    All that has an address is looked at in German by day and in Japanese by night as well.
    """
    page = phone(service.url)
    scorer = ScorerPhone(page)

    seen: list[str] = []

    def barred(address: str = "") -> list[str]:
        if address:
            page.goto(address)
            seen.append(address)
        by_day = [*faint(page), *barriers(page)]
        return [*by_day, *by_night(page, lambda: [*faint(page), *weak_colours(page)])]

    urls, known = addresses(), {"game": "crazy-solo"}

    def look(endpoints: Iterable[str], **more: Any) -> dict[str, list[str]]:
        """Look at pages by their endpoints."""
        looked: dict[str, list[str]] = {}
        for endpoint in endpoints:
            numbers = {"web.restore_hand": 2, "web.hand": 3}
            which = {"number": numbers[endpoint]} if endpoint in numbers else {}
            looked[endpoint] = barred(urls.build(endpoint, {**known, **more, **which}))
        return looked

    found = look(AT_FIRST)
    scorer.start_club("Kitchen table", "four aces", "Mia")
    club = page.url.split("?")[0]
    scorer.start_session(["Ann", "Bob", "Cyd"], game="Crazy Solo")
    session = scorer.session_path()
    hand = {"contract": {"bidder": "Ann", "bid": "go-alone-in-hearts"}, "points": 74}
    scorer.score_hand(hand)
    found["the first page, with a club"] = barred("/")
    known |= prepare(service)
    found |= look(OF_A_CLUB) | look(OF_A_SESSION, player="Ann")
    page.goto(session)
    Treasurer(scorer).agree(100, "1.00")
    found["settling"] = barred(f"{session}/settle")
    Treasurer(scorer).convert()
    found |= look(ONCE_SETTLED)
    page.goto(session)
    scorer.open_hand()
    scorer.fill_hand(hand)
    found["a hand"] = barred()
    page.goto(f"{club}/sessions/new")
    found["a new session"] = barred()
    page.get_by_role("button", name="Ann").tap()
    page.get_by_role("button", name="Take Ann's seat away").wait_for()
    found["a new session, one seated"] = barred()
    translated = [address for address in seen if not address.startswith("/api/")]

    def barred_in(language: str, look: Callable[[], list[str]]) -> None:
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": service.url}])
        for address in translated:
            page.goto(address)
            found[f"{address} in {language}"] = look()
            assert page.locator("html").get_attribute("lang") == language, address

    barred_in("de", lambda: [*faint(page), *barriers(page, WORDS)])
    page.emulate_media(color_scheme="dark")
    barred_in("ja", lambda: [*faint(page), *too_wide(page)])
    assert {address: words for address, words in found.items() if words} == {}
