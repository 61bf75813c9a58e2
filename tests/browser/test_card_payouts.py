"""The page shows the payout of entered cards without a request, as `score` gives it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from engine.errors import Refused
from engine.games import GAMES
from engine.guide.random_hands import NAMES, Chance, random_hands
from engine.record import HandRecord, Pots, Tricks
from engine.record.incidents import SIDES, Claim
from engine.scoring.score import score
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.table import start
from ledger.web.hand.fields import CARDS, DERIVED
from ledger.web.hand.form import HandForm
from tests.browser.conftest import seated
from tests.browser.test_cards_as_text import PLAYED, choose
from tests.browser.test_payouts import from_the_ledger, markup
from tests.ledger import table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

MIA = Access(1, Role.SCORER, "Mia")
HANDS = 60
HOUSES: list[tuple[str, str | None, dict[str, Any], int]] = [
    ("six-bid", None, {}, 5),
    ("six-bid", "pagat", {"misere_by_tricks": True}, 4),
    ("frog", None, {}, 3),
    ("straight-solo", None, {}, 3),
    ("progressive", None, {}, 4),
    ("progressive", "hoyle", {"pots": {"stake": 5}}, 3),
    ("german-solo", None, {}, 4),
    ("german-solo", "sollo", {}, 4),
    ("crazy-solo", None, {}, 7),
    ("crazy-solo", None, {"short_deck": True}, 3),
]
"""Games with their variants, house rules and numbers of players."""

ENTER = """(hands) => hands.map((answers) => {
    const form = soloHand.find();
    for (const each of form.elements) {
        const values = answers[each.name] ?? [];
        each.disabled = false;
        if (each.matches("[type=radio], [type=checkbox]")) each.checked = values.includes(each.value);
        else if (each.matches("[type=text], textarea")) each.value = values[0] ?? "";
    }
    [form.elements.active_of.value] = answers.dealer;
    soloHand.again(form);
    const reasons = [...form.querySelectorAll(".reasoning li")].map((each) => each.textContent);
    return form.elements.shown.value ? [...reasons, form.elements.shown.value] : [];
})"""
"""Enters hands one after the other, and returns the reasons and payments that the page shows of each."""


def records(hands: Iterable[HandRecord]) -> Iterator[HandRecord]:
    """Yield hands, and each with the rest claimed; with the deal, and with the cards played alone."""
    chance = Chance.seeded("claims")
    for hand in hands:
        if not hand.tricks or hand.spit or len(hand.tricks[-1].cards) < len(hand.tricks[0].cards):
            continue
        assert hand.contract is not None
        bid = str(hand.contract.bid)
        is_as_bid = any(call.call.startswith(bid) for call in hand.auction or ())
        pots = Pots(0, 0) if hand.pots else None
        auction = hand.auction if is_as_bid else None
        dealt = replace(hand, exchange=None, auction=auction, pots=pots)
        cut = Tricks.of(hand.tricks[: chance.pick(range(1, len(hand.tricks)))])
        claim = Claim(chance.pick(SIDES), len(cut))
        for known in (dealt, replace(dealt, deal=None, auction=None)):
            yield known
            yield replace(known, tricks=cut, claimed=claim, conceded=None, stopped=None)


def form_answers(hand: HandRecord) -> dict[str, list[str]]:
    """Return the answers of the form that state a hand."""
    rules = GAMES[hand.game].rules(hand.rules, hand.options, len(hand.players))
    form = HandForm.of_record(rules, hand.players, hand.to_mapping())
    texts = {name: [text] for name, text in form.chosen.items() if name not in DERIVED}
    marks = {name: [*names] for name, names in form.marked.items()}
    return {**texts, **marks, "dealer": [hand.dealer], "active": [*form.table.active]}


def expected(hand: HandRecord) -> list[str]:
    """Return what the page is to show of a hand; nothing if its cards leave the result open."""
    try:
        verdict = score(hand)
    except Refused:
        return []
    return [*verdict.explanation, ",".join(str(verdict.deltas[name]) for name in hand.players)]


def is_inferred(hand: HandRecord) -> bool:
    """Return whether the ledger may have to infer who was dealt the matadors: some may not be out."""
    is_early = hand.claimed is not None or hand.stopped is not None
    return hand.game == "german-solo" and hand.deal is None and is_early


@pytest.mark.parametrize(("game", "variant", "options", "players"), HOUSES)
def test_the_page_shows_of_cards_what_scoring_gives(
    service: Server,
    phone: "Phones",
    game: str,
    variant: str | None,
    options: dict[str, Any],
    players: int,
) -> None:
    """Played out, claimed, stopped or given up; nothing of cards that are impossible or leave it open."""
    page = phone(service.url)
    scorer = seated(service, page, NAMES[:players], game)
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    if variant or options:
        start.change_rules(table.write(books, MIA), 1, game=game, variant=variant, options=options)
    books.close()
    scorer.open_hand()
    page.locator("#card-entry").wait_for(state="attached")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    played = random_hands(game, variant, options, players=players, seed="card payouts")
    hands = [*islice(records(played), HANDS)]
    scored = [hand for hand in hands if expected(hand) and not is_inferred(hand)]
    assert len(scored) > HANDS // 2
    found = page.evaluate(ENTER, [form_answers(hand) for hand in scored])
    assert requests == []
    for hand, lines in zip(scored, found, strict=True):
        assert lines == expected(hand), hand.to_mapping()
    wrong = form_answers(hands[0])
    wrong[CARDS] = [wrong[CARDS][0][:-2] + wrong[CARDS][0][:2]]
    others = [wrong, *(form_answers(hand) for hand in hands if not expected(hand))]
    assert page.evaluate(ENTER, others) == [[]] * len(others)


def test_corrected_cards_show_their_payout_without_a_request(
    service: Server, phone: "Phones"
) -> None:
    """A result that replaces recorded cards needs consent, which the ledger asks for."""
    page = phone(service.url)
    scorer = seated(service, page, NAMES[:3], "six-bid")
    page.goto(f"{scorer.session_path()}/hands/new")
    for name, value in {"bidder": "Ann", "bid": "solo", "trump": "S"}.items():
        choose(page, name, value)
    page.locator("#more-cards > summary").click()
    page.fill("#cards", " / ".join(PLAYED))
    expect(page.locator("#sum")).to_contain_text("Won Ann +120")
    page.get_by_role("button", name="Save hand 1").click()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
    page.goto(f"{scorer.session_path()}/hands/1/correct")
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    page.locator("#card-entry").wait_for(state="attached")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.fill("#cards", " / ".join([*PLAYED[:-1], "JH QH 9H"]))
    expect(page.locator("#payout")).to_contain_text("115 card points, 55 over 60")
    shown = markup(page)
    assert requests == []
    assert shown == from_the_ledger(page)
    page.fill("#cards", "")
    page.locator("#points").fill("115")
    expect(page.locator("#replacing")).to_be_visible()
