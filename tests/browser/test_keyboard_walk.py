"""Every page by keys alone: Tab reaches every control, in order; the focus is visible and never lost."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.table import lifecycle
from tests.browser.conftest import seated
from tests.browser.test_keys import press
from tests.browser.test_legible import (
    ALIKE,
    AT_FIRST,
    BY_TAPPING,
    COLOURS,
    LEAST_CONTRAST,
    OF_A_CLUB,
    OF_A_SESSION,
    ONCE_SETTLED,
    addresses,
    prepare,
)
from tests.browser.waiting import ANSWERED, WAITS
from tests.ledger import cash, table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

DESK = (1280, 800)

MOST_STOPS = 120

LATER = {
    "web.new_hand": "#hand[data-looks-up]",
    "web.correct_hand": "#open-card-entry:not([hidden])",
}
"""The pages with parts that come after the page, and these parts."""

WALK = (
    f"(least) => {{{COLOURS}const answered = () => ({ANSWERED})({WAITS!r});"
    + """
    document.documentElement.style.opacity = 0;  // only boxes and styles are read; painting takes long
    const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary";
    const UNUSABLE = ":disabled, [inert], [inert] *";
    const isFree = (e) => e.checkVisibility({visibilityProperty: true}) && !e.matches(UNUSABLE);
    const root = () => document.querySelector("dialog[open]") || document;
    const find = (which) => [...root().querySelectorAll(which)].filter(isFree);
    const words = (e) => (e.getAttribute("aria-labelledby") || "").split(" ")
        .map((id) => document.getElementById(id)?.textContent || "").join("")
        || e.ariaLabel || e.labels?.[0]?.textContent || e.textContent || e.title || "";
    const named = (fault, e) => `${fault}: ${e.localName} “${words(e).trim().slice(0, 40)}”`;
    // A group of radios is one stop.
    const stopOf = (e) => (e.type === "radio" && e.form.elements[e.name][0]) || e;
    // The words after an invisible input are what is seen of it.
    const drawn = (e) => (getComputedStyle(e).opacity === "0" ? e.nextElementSibling : e);
    const hasOutline = (e) => getComputedStyle(drawn(e)).outlineStyle !== "none";
    const isMarked = (e) => {
        const {outlineColor, outlineOffset} = getComputedStyle(drawn(e));
        const isInside = parseFloat(outlineOffset) < 0;
        return hasOutline(e) && contrast(outlineColor, isInside ? drawn(e) : drawn(e).parentElement) >= least;
    };
    // All of it is in the window, as far as it fits, and nothing covers its upper or lower edge.
    const isSeen = (e) => {
        const {left, width, height, top, bottom} = drawn(e).getClientRects()[0];
        const [from, to] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
        const x = Math.min(Math.max(left + width / 2, 1), innerWidth - 1);
        const isOn = (hit) => e.contains(hit) || drawn(e).contains(hit);
        return Math.min(width, height) > 4 && to - from >= Math.min(height, innerHeight / 2) - 1
            && [from + 2, to - 2].every((y) => isOn(document.elementFromPoint(x, y)));
    };

    // A tap on the table of a replay does what its buttons do.
    const isOnlyClicked = (e) => !e.closest(`${CONTROLS}, label, [data-part=table]`)
        && (e.matches("[data-do], [role=button]") || getComputedStyle(e).cursor === "pointer");

    const faults = [], stops = [];
    let isPaused = false;
    const visit = (e) => {
        stops.push(e);
        if (!isSeen(e)) faults.push(named("out of sight", e));
        if (!isMarked(e)) faults.push(named("unmarked", e));
        if (!words(e).trim() || e.closest("[aria-hidden=true]")) faults.push(named("nameless", e));
        // Without a name none closes the others.
        if (e.matches("summary")) Object.assign(e.parentElement, {name: "", open: true});
    };
    addEventListener("keydown", (event) => {
        const e = document.activeElement, last = stops.at(-1);
        if (event.key !== "Tab" || isPaused) return;
        if (last && last !== e && hasOutline(last)) faults.push(named("marked without the focus", last));
        if (e === document.body && stops.length) event.preventDefault();  // it has walked over the whole page
        else if (e !== document.body && e !== last) visit(e);
    }, true);

    const used = new Set();
    const kind = ({localName, className, name, id, dataset}) =>
        String([localName, className, name || id, Object.keys(dataset), dataset.do]);
    const USES = [
        ["[type=radio]", "ArrowDown"], ["select, [type=range]", "ArrowRight"], ["[type=checkbox]", "Space"],
        ["summary, button[type=button]:not([data-do=close]), a[data-card]", "Enter"],
    ];
    let at = null, known = "";
    const isKept = () => {
        const e = document.activeElement;
        if (at.type === "radio" && !(e.checked && e.name === at.name)) return false;
        return e !== document.body && isFree(e);
    };
    window.walk = {
        pause: (isNow) => { isPaused = isNow; },
        // Returns the faults, or null if Tab has not come to the end yet.
        end(isBack) {
            if (!stops.length || document.activeElement !== document.body) return null;
            const note = (fault, those) => faults.push(...those.map((e) => named(fault, e)));
            const free = find(`${CONTROLS}, [tabindex]`).filter((e) => e.tabIndex >= 0);
            note("skipped", find(CONTROLS).filter((e) => e.tabIndex < 0 && e.ariaHidden !== "true"));
            note("only for clicks", find("main *, dialog *").filter(isOnlyClicked));
            note("out of turn", free.filter((e) => e.tabIndex > 0));
            const due = [...new Set(free.map(stopOf))], came = [...new Set(stops.map(stopOf))];
            note("never reached", due.filter((e) => !came.includes(e)));
            note("a stop too many", came.filter((e) => !due.includes(e)));
            const side = isBack ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
            note("out of order", came.slice(1).filter((e, i) => came[i].compareDocumentPosition(e) & side));
            stops.length = 0;
            return faults.splice(0);
        },
        // Returns what the last key lost, and the next: it focuses a control of a kind that was not used yet.
        async next() {
            await answered();
            const lost = at && !isKept() ? [`lost ${known}`] : [];
            for (const [which, key] of USES) {
                const e = find(which).find((each) => !used.has(kind(each)));
                if (!e) continue;
                used.add(kind(e));
                at = e.type === "radio" && find(":checked").find(({name}) => name === e.name) || e;
                at.focus();
                known = named(`by ${key}`, at);
                return [lost, [key, known, at.matches("a[data-card], [data-replay-of], #open-card-entry")]];
            }
            return [lost, null];
        },
        isBack: () => document.activeElement === at,
        where: () => `${stops.length} stops, at ${document.activeElement.outerHTML.slice(0, 80)}`,
    };
}"""
)
"""Notes each stop when Tab is about to leave it, and opens each `summary` on the way."""


def walk(page: Page) -> list[str]:
    """Return the faults that Tab meets on the open page, ahead and back, with all that is folded unfolded."""
    rewind(page)
    page.evaluate(WALK, LEAST_CONTRAST)
    ahead = tabbed(page)
    page.keyboard.down("Shift")
    back = tabbed(page, is_back=True)
    page.keyboard.up("Shift")
    return [*ahead, *(f"back: {fault}" for fault in back)]


def rewind(page: Page) -> None:
    """Go back to the top, as a question or a dialog takes the focus to itself."""
    page.evaluate("window.walk?.pause(true)")
    while page.evaluate("document.activeElement !== document.body"):
        press(page, "Shift+Tab")
    page.evaluate("window.walk?.pause(false)")


def tabbed(page: Page, *, is_back: bool = False) -> list[str]:
    """Return the faults at the stops of Tab, from one end of the page or its dialog to the other."""
    for _ in range(0, MOST_STOPS, 8):
        for _ in range(8):
            page.keyboard.down("Tab")
        faults: list[str] | None = page.evaluate("(isBack) => walk.end(isBack)", is_back)
        if faults is not None:
            return faults
    return [f"no end: {page.evaluate('walk.where()')}"]


def used(page: Page) -> list[str]:
    """Return the faults that appear when a control of each kind on the open page is used by its key."""
    faults = []
    while True:
        lost, control = page.evaluate("walk.next()")
        faults += lost
        if not control:
            return faults
        key, name, opens_dialog = control
        press(page, key)
        if opens_dialog:
            faults += in_dialog(page, name)


def in_dialog(page: Page, name: str) -> list[str]:
    """Return the faults in the dialog that opens, which Escape closes twice: untouched, then used."""
    dialog = page.locator("dialog[open]")
    dialog.wait_for()
    rewind(page)
    faults = tabbed(page)
    press(page, "Escape")
    dialog.wait_for(state="hidden")
    if not page.evaluate("walk.isBack()"):
        faults.append("Escape loses the focus")
    press(page, "Enter")
    dialog.wait_for()
    faults += used(page)
    while dialog.count():
        press(page, "Escape")
    return [f"in the dialog {name}: {fault}" for fault in faults]


def test_tab_walks_every_page_and_never_loses_the_focus(service: Server, phone: "Phones") -> None:
    """On a desktop, there and back; then a control of each kind is used by its key."""
    page = phone(service.url, size=DESK, touch=False)
    seated(service, page, ("Ann", "Bob", "Cyd"), role=Role.OWNER)
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    club = Access(1, Role.OWNER, "Mia")
    table.record(books, club, 1, cash.ANN_WINS)
    urls, known = addresses(), {"game": "crazy-solo", "player": "Ann", **prepare(service)}
    found: dict[str, list[str]] = {}

    def look(endpoints: Iterable[str]) -> None:
        for endpoint in endpoints:
            number = {"web.restore_hand": 2, "web.hand": 3}.get(endpoint, known["number"])
            page.goto(urls.build(endpoint, {**known, "number": number}))
            if endpoint in LATER:
                page.locator(LATER[endpoint]).wait_for()
            if endpoint.startswith("api_"):
                page.evaluate(f"for (const each of ({ALIKE})()) each.remove()")
            found[endpoint] = [*walk(page), *used(page)]

    look(AT_FIRST + OF_A_CLUB + OF_A_SESSION + BY_TAPPING)
    cash.convert(books, club, 1, cash.TEN_FOR_ONE)
    lifecycle.close(table.write(books, club), 1)
    books.close()
    look(ONCE_SETTLED)
    assert {endpoint: faults for endpoint, faults in found.items() if faults} == {}
    assert phone.complaints == []


FAULTS = {
    '<main><span data-do="undo">Undo</span></main>': "only for clicks: span “Undo”",
    '<main><p style="cursor: pointer">Ann</p></main>': "only for clicks: p “Ann”",
    '<a href="#" id="plain">Home</a>': "unmarked: a “Home”",
    '<div style="background: #000"><a href="#">Home</a></div>': "unmarked: a “Home”",
    '<button type="submit"></button>': "nameless: button “”",
    '<button type="submit" aria-hidden="true">Save</button>': "nameless: button “Save”",
    '<button type="submit" tabindex="2">Save</button>': "out of turn: button “Save”",
    '<a href="#" tabindex="-1">Home</a>': "skipped: a “Home”",
    '<a href="#" class="low">Home</a><p class="dock">Dock</p>': "out of sight: a “Home”",
    '<input aria-label="Note" class="trap">': (
        'no end: 2 stops, at <input aria-label="Note" class="trap">'
    ),
    '<a href="#" class="fleeting">Home</a><a href="#">Board</a>': "never reached: a “Board”",
    '<button type="button">Ann</button>': "lost by Enter: button “Ann”",
    '<form><input type="radio" name="a"><input type="radio" name="a"></form>': (
        "lost by ArrowDown: input “”"
    ),
}


FAULTY = """<style>
    :focus-visible { outline: 3px solid #000; }
    #plain { outline: none; }
    .low { position: fixed; bottom: 0; }
    .dock { position: fixed; bottom: 0; margin: 0; width: 100%; height: 3em; }
</style><a href="#">Top</a>"""
PLANTED = """() => {
    addEventListener("keydown", (event) => { if (event.target.matches(".trap")) event.preventDefault(); });
    addEventListener("focusin", ({target}) => { if (target.matches(".fleeting")) target.remove(); });
    addEventListener("click", ({target}) => { if (target.matches("button[type=button]")) target.remove(); });
    addEventListener("change", ({target}) => target.remove());
}"""


def test_the_walk_notices_faults(phone: "Phones") -> None:
    """Each planted in a page of its own."""
    for markup, fault in FAULTS.items():
        page = phone(size=DESK, touch=False)
        page.set_content(FAULTY + markup)
        page.evaluate(PLANTED)
        assert fault in [*walk(page), *used(page)], markup


def test_the_focus_stays_with_the_players_who_take_their_seats(
    service: Server, phone: "Phones"
) -> None:
    """On the next one like the button that is gone, or on the field that a name was typed into."""
    page = phone(service.url, size=DESK, touch=False)
    seated(service, page, ("Ann", "Bob", "Cyd"))
    page.goto("/clubs/1/sessions/new")
    for name, other in (
        ("Ann", "Bob"),
        ("Cyd", "Bob"),
        ("Take Ann's seat away", "Take Cyd's seat away"),
    ):
        page.get_by_role("button", name=name, exact=True).focus()
        press(page, "Enter")
        expect(page.get_by_role("button", name=other, exact=True)).to_be_focused()
    field = page.get_by_label("Somebody new")
    field.focus()
    press(page, "D", "e", "e", "Enter")
    page.get_by_role("button", name="Take Dee's seat away").wait_for()
    expect(field).to_be_focused()


def test_the_focus_goes_on_to_the_next_player_of_a_count(service: Server, phone: "Phones") -> None:
    """As the button and the fields of the player before are folded."""
    page = phone(service.url, size=DESK, touch=False)
    seated(service, page, ("Ann", "Bob", "Cyd"))
    page.goto("/clubs/1/sessions/1/count")
    for other in ("Bob", "Cyd"):
        page.get_by_role("button", name="Next player").focus()
        press(page, "Enter")
        expect(page.locator("summary", has_text=other)).to_be_focused()
