"""A replayed hand is drawn on a table, step by step, with one or all hands open, and other cards tried."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.guide.random_hands import NAMES, random_hands
from engine.notation.compact import write
from engine.record import HandRecord, Tricks
from ledger.services.hands.rename import called_now
from tests.browser.test_board_view import LONG
from tests.browser.test_legible import ALL, violations
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser


def recorded(
    game: str, seats: int, accept: Callable[[HandRecord], object], names: Sequence[str] = NAMES
) -> HandRecord:
    """Return a random hand with all its tricks that is accepted."""
    for hand in random_hands(game, players=seats, seed="replay"):
        if hand.tricks and hand.auction and hand.conceded is None and accept(hand):
            return HandRecord.from_mapping(called_now(hand.to_mapping(), names[:seats]))
    raise AssertionError(game)


def cards_of(hand: HandRecord) -> list[str]:
    """Return the cards in the order played."""
    assert hand.tricks is not None
    return [str(card) for card in Tricks.of(hand.tricks).cards]


SOLO = recorded("six-bid", 3, lambda hand: hand.contract and hand.contract.bid == "heart-solo")
"""Hearts are trumps."""
FROG = recorded("frog", 3, lambda hand: hand.exchange)


class Table:
    """A replay on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator(".replay")

    def open(self, hand: HandRecord, step: str = "") -> "Table":
        """Open the link to a step of a hand."""
        self.page.goto("about:blank")
        self.page.goto(f"/replay#{write(hand)}{step and f'&{step}'}")
        self.root.locator("svg .fan").first.wait_for()
        return self

    def go_to(self, step: str) -> None:
        """Follow a link to another step of the same hand."""
        self.page.evaluate(
            "(to) => { location.hash = location.hash.split('&')[0] + to }", f"&{step}"
        )

    def part(self, name: str) -> Locator:
        """Find a part of the replay."""
        return self.root.locator(f'[data-part="{name}"]')

    def button(self, name: str) -> Locator:
        """Find a button by its words."""
        return self.root.get_by_role("button", name=name, exact=True)

    @property
    def caption(self) -> Locator:
        """The words of the step."""
        return self.part("caption")

    def see_cards(self, faces: int, backs: int) -> None:
        """Wait until hands and aside have this many cards face up, and face down or unknown."""
        expect(self.root.locator(".fan .face")).to_have_count(faces)
        expect(self.root.locator(".fan .back")).to_have_count(backs)

    def see_trick(self, cards: Sequence[str]) -> None:
        """Wait until these cards of a trick are on the table."""
        played = self.root.locator(".played")
        expect(played).to_have_count(len(cards))
        for card in cards:
            expect(played.and_(self.root.locator(f'[data-card="{card}"]'))).to_have_count(1)

    def swipe(self, across: int) -> None:
        """Swipe over the table with a finger, here a mouse."""
        box = self.part("table").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + across, y + 5, steps=3)
        self.page.mouse.up()


@pytest.fixture
def table(service: Server, phone: "Phones") -> Table:
    """A phone that may replay hands."""
    return Table(phone(service.url))


def test_a_hand_is_replayed_by_buttons_slider_keys_taps_and_swipes(
    table: Table, phone: "Phones"
) -> None:
    """Each moves to the same steps, and the address is always the link to what is seen."""
    page, calls = table.open(SOLO).page, len(SOLO.auction or ())
    table.part("table").scroll_into_view_if_needed()
    keys = page.keyboard
    moves: list[tuple[Callable[[], Any], str]] = [
        (lambda: table.button("Next card").tap(), "call-1"),
        (lambda: table.button("Next trick").tap(), f"call-{calls}"),
        (lambda: keys.press("ArrowRight"), "card-1"),
        (lambda: keys.press("Shift+ArrowRight"), "card-3"),
        (lambda: table.part("table").tap(position={"x": 100, "y": 240}), "card-4"),
        (lambda: table.swipe(-120), "card-5"),
        (lambda: table.swipe(120), "card-4"),
        (lambda: table.button("Back a card").tap(), "card-3"),
        (lambda: keys.press("ArrowDown"), "card-6"),
        (lambda: keys.press("ArrowUp"), "card-3"),
        (lambda: table.part("slider").fill(str(calls + 20)), "card-20"),
        (lambda: table.button("Back a trick").tap(), "card-18"),
        (lambda: keys.press("End"), "card-33"),
        (lambda: keys.press("ArrowRight"), "card-33"),
        (lambda: keys.press("ArrowLeft"), "card-32"),
    ]
    for move, step in moves:
        move()
        expect(page).to_have_url(re.compile(f"&{step}$"))
    expect(table.caption).to_have_text("Trick 11 · 32 of 33 cards")
    expect(table.part("live")).to_contain_text("played the")
    table.see_trick(cards_of(SOLO)[30:32])
    keys.press("Home")
    expect(page).to_have_url(re.compile(f"#{re.escape(write(SOLO))}$"))
    assert phone.complaints == []


def test_the_auction_and_the_exchange_come_before_the_cards(table: Table) -> None:
    """The last call of each seat stands at it; the widow lies open before, and the discard after."""
    table.open(FROG, "call-2")
    assert FROG.auction is not None
    assert FROG.exchange is not None
    expect(table.caption).to_have_text(f"Call 2 of {len(FROG.auction)}")
    expect(table.root.locator(".bubble")).to_have_count(2)
    expect(table.root.locator(".bubble.newest")).to_have_count(1)
    expect(table.root.locator(".aside")).to_have_text("the widow")
    table.go_to("exchange")
    expect(table.root.locator(".aside")).to_have_text("the discard")
    expect(table.part("live")).to_contain_text("from the widow to")
    aside = table.root.locator(".fan").last.locator("[data-card]")
    found = {card.get_attribute("data-card") for card in aside.all()}
    assert found == {str(card) for card in FROG.exchange.discarded or ()}
    table.button("Next card").tap()
    table.see_trick(cards_of(FROG)[:1])


def test_one_players_view_hides_all_other_hands(table: Table) -> None:
    """Chosen from the list or by tapping a name; the cards played are there for all."""
    table.open(SOLO, "card-8")
    table.see_cards(33 - 8 + 3, 0)
    table.part("viewer").select_option("Cyd")
    left = 11 - 2 - ("Cyd" in turns(SOLO)[6:8])
    table.see_cards(left, 33 - 8 + 3 - left)
    counts = [int(text) for text in table.root.locator(".back text").all_text_contents() if text]
    assert sum(counts) == 33 - 8 - left
    table.see_trick(cards_of(SOLO)[6:8])
    bottom = table.root.locator(".seat bdi").first
    expect(bottom).to_have_text("Cyd")
    bottom.tap()
    table.see_cards(33 - 8 + 3, 0)
    table.root.locator(".seat bdi", has_text="Bob").tap()
    expect(table.part("viewer")).to_have_value(str(seats_of(SOLO).index("Bob")))
    expect(table.root.locator(".fan .back")).not_to_have_count(0)


def with_cards(hand: HandRecord, cards: list[str]) -> HandRecord:
    """Return a hand for three with these cards played."""
    tricks = [{"cards": " ".join(cards[at : at + 3])} for at in range(0, len(cards), 3)]
    return HandRecord.from_mapping({**hand.to_mapping(), "tricks": tricks})


def seats_of(hand: HandRecord) -> list[str]:
    """Return the seats from eldest hand."""
    first = hand.players.index(hand.dealer) + 1
    return [*hand.players[first:], *hand.players[:first]]


def turns(hand: HandRecord) -> list[str]:
    """Return who played each card, by the recorded leaders or those that follow from the trick before."""
    order, found = seats_of(hand), []
    leader = 0
    cards = cards_of(hand)
    for at in range(0, len(cards), len(order)):
        trick = cards[at : at + len(order)]
        found += [order[(leader + place) % len(order)] for place in range(len(trick))]
        winner = max(range(len(trick)), key=lambda place: strength(trick[place], trick[0]))
        leader = (leader + winner) % len(order)
    return found


def strength(card: str, led: str) -> int:
    """Return how high a card counts in a trick under hearts."""
    rank = 9 - "ATKQJ9876".index(card[0])
    return rank + 10 * (card[1] == led[1]) + 20 * (card[1] == "H")


def test_a_hand_without_a_deal_shows_what_is_known(table: Table) -> None:
    """All recorded tricks show all hands; of some, the rest are unknown; an unknown card breaks nothing."""
    cards = cards_of(SOLO)
    bare = replace(SOLO, deal=None)
    table.open(bare, "card-3")
    table.see_cards(33, 0)
    table.open(with_cards(bare, cards[:7]), "card-3")
    table.see_cards(4, 33 - 7 + 3)
    table.open(with_cards(bare, [*cards[:4], "?", *cards[5:]]), "card-8")
    expect(table.caption).to_have_text("Trick 3 · 8 of 33 cards")
    middle = table.root.locator(".fan").last.locator(".face")
    assert [card.get_attribute("data-card") for card in middle.all()] == cards[6:8]


def test_another_card_is_tried_from_any_point_and_only_legal_ones(
    table: Table, phone: "Phones"
) -> None:
    """Until one goes back to the hand as it was played; nothing is sent."""
    page, requests = table.open(SOLO, "card-4").page, []
    page.on("request", lambda request: requests.append(request.url))
    cards, who = cards_of(SOLO), turns(SOLO)
    table.button("Try another card").tap()
    expect(table.part("whose")).to_have_text("Your own line from trick 2")
    choices = table.part("choices").locator("button")
    expect(choices.first).to_be_focused()
    turn = who[4]
    held = [card for card, seat in zip(cards[4:], who[4:], strict=True) if seat == turn]
    assert offered(choices) == legal(held, cards[3])
    other = next((card for card in legal(held, cards[3]) if card != cards[4]), cards[4])
    expect(table.root.locator(".offered")).to_have_count(len(legal(held, cards[3])))
    table.part("choices").locator(f'[data-choice="{other}"]').tap()
    table.see_trick([cards[3], other])
    expect(table.caption).to_have_text("Trick 2 · 5 of 33 cards")
    held = [card for card, seat in zip(cards[5:], who[5:], strict=True) if seat == who[5]]
    assert offered(choices) == legal(held, cards[3])
    table.button("Undo").tap()
    table.see_trick([cards[3]])
    for played in range(4, 33):
        expect(table.caption).to_contain_text(f" {played} of 33 cards")
        choices.first.tap()
    expect(table.part("turn")).to_be_empty()
    table.button("Back to the hand as it was played").tap()
    expect(table.caption).to_have_text("Trick 2 · 4 of 33 cards")
    expect(table.button("Try another card")).to_be_focused()
    table.see_trick([cards[3]])
    assert requests == []
    assert phone.complaints == []


def offered(choices: Locator) -> list[str]:
    """Return the cards that are offered."""
    return sorted(one.get_attribute("data-choice") or "" for one in choices.all())


def legal(held: list[str], led: str) -> list[str]:
    """Return the legal cards of a hand under hearts: of the suit led, else trumps, else all."""
    for suit in (led[1], "H"):
        if found := [card for card in held if card[1] == suit]:
            return sorted(found)
    return sorted(held)


OUTSIDE = """async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const box = (each) => each.getBoundingClientRect();
    const all = (each, within = document) => [...within.querySelectorAll(each)].map(box);
    const [table] = all("[data-part=table]"), names = all(".seat[data-seat]"), found = [];
    const seats = [...document.querySelectorAll(".replay svg > g:has(.seat)")];
    const hands = seats.map((seat) => all(".face > rect", seat));
    const played = all(".played > rect");
    const isInside = (a) => a.left >= table.left - 1 && a.right <= table.right + 1
        && a.top >= table.top - 1 && a.bottom <= table.bottom + 1;
    const meets = (a) => (b) => a !== b && a.left < b.right - 2 && b.left < a.right - 2
        && a.top < b.bottom - 2 && b.top < a.bottom - 2;
    if (![...names, ...hands.flat(), ...played].every(isInside)) found.push("outside the table");
    for (const [seat, hand] of hands.entries()) {
        const others = hands.filter((each) => each !== hand).flat();
        if ([...hand, names[seat]].some((one) => others.some(meets(one)))) found.push(`over ${seat}`);
    }
    if (names.some((one) => names.some(meets(one)))) found.push("names");
    if (played.some((one) => [...played, ...hands.flat(), ...names].some(meets(one)))) found.push("trick");
    const letters = all(".fan text").map((text) => text.height);
    return letters.some((height) => height < 10) ? [...found, "small letters"] : found;
}"""
"""What lies outside the table or over another seat's cards or name, and the letters that are too small."""


@pytest.mark.parametrize("count", [3, 4, 7, 12])
def test_every_table_fits_every_screen(service: Server, phone: "Phones", count: int) -> None:
    """With long names, on phones, tablets and televisions, in light and dark colours."""
    game = "six-bid" if count == 3 else "crazy-solo"
    hand = recorded(game, count, lambda hand: len(hand.tricks or ()) > 1, LONG)
    page = phone(service.url)
    table = Table(page).open(hand)
    found = {}
    for size in [(390, 844), (844, 390), (820, 1180), (1280, 720), (3840, 2160)]:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for step in (f"call-{len(hand.auction or ())}", f"card-{count - 1}", f"card-{count}"):
            table.go_to(step)
            if faults := page.evaluate(OUTSIDE):
                found[size, step] = faults
    assert found == {}
    page.set_viewport_size({"width": 390, "height": 844})
    assert violations(page, ALL) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, ALL) == []
    assert phone.complaints == []


COVERED = """() => {
    const replay = document.querySelector(".replay");
    replay.scrollIntoView();
    const box = (part) => replay.querySelector(part).getBoundingClientRect();
    const table = box("[data-part=table]"), steps = box(".replay-bar");
    return steps.top < table.bottom && steps.left < table.right;
}"""
"""Whether the buttons lie over the table although it is scrolled to."""


@pytest.mark.parametrize("size", [(320, 568), (568, 320), (844, 390)])
def test_on_small_screens_the_steps_cover_nothing_of_the_table(
    service: Server, phone: "Phones", size: tuple[int, int]
) -> None:
    """Below it or, on a phone held sideways, beside it; in the language with the longest words."""
    page = phone(service.url, size=size)
    page.context.add_cookies([{"name": "solo-ledger-language", "value": "de", "url": service.url}])
    Table(page).open(SOLO, "card-3")
    assert not page.evaluate(COVERED)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_short_names_stay_in_one_line_beside_their_points(service: Server, phone: "Phones") -> None:
    """Ten players on a narrow phone: the turn's mark and the points are below the name."""
    page = phone(service.url, size=(320, 568))
    hand = recorded("crazy-solo", 10, lambda hand: len(hand.tricks or ()) > 1)
    Table(page).open(hand, "card-10")
    lines = """() => [...document.querySelectorAll(".seat[data-seat] bdi")].map((name) => {
        const text = document.createRange();
        text.selectNodeContents(name);
        return text.getClientRects().length;
    })"""
    assert page.evaluate(lines) == [1] * 10


def called_by_the_first(hand: HandRecord) -> bool:
    """Return whether the first player is the bidder."""
    return hand.contract is not None and hand.contract.bidder == NAMES[0]


def test_a_very_long_name_leaves_room_for_the_table(service: Server, phone: "Phones") -> None:
    """It is cut off above the table, too."""
    table = Table(phone(service.url)).open(
        recorded("six-bid", 3, called_by_the_first, ["N" * 200, "W" * 200, "Cyd"])
    )
    box = table.part("table").bounding_box()
    assert box is not None
    assert box["y"] < 250


def test_a_table_in_a_place_without_room_is_drawn_smaller(table: Table, phone: "Phones") -> None:
    """No card has a negative width, which the console would tell."""
    table.open(SOLO, "card-3")
    for height in (40, 84, 110):
        table.part("table").evaluate("(table, to) => { table.style.height = to }", f"{height}px")
        assert table.page.evaluate(OUTSIDE) == ["small letters"]
    assert phone.complaints == []


def test_paper_shows_the_tricks_instead_of_the_table(table: Table) -> None:
    """As a sheet of the hand."""
    page = table.open(SOLO, "card-3").page
    page.emulate_media(media="print")
    expect(table.root).to_be_hidden()
    expect(page.locator("#replayed tbody tr")).to_have_count(11)
    expect(page.locator("#replayed tbody tr").last).to_be_visible()
