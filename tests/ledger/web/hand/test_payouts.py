"""The table of payouts beside the hand form, and a save of a hand whose payout the page has looked up."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.table import start
from tests.ledger import cash, table
from tests.ledger.web.phone import Phone

HAND = {"bidder": "Ann", "bid": "go-alone-in-hearts", "points": "74", "seen": "unseen"}
ALONE = {"contract": {"bidder": "Ann", "bid": "go-alone-in-hearts"}, "points": 74}
SHOWN = "240,-40,-40,-40,-40,-40,-40"


def named(scorer: Phone, form: str) -> str | None:
    """Return the address of the payouts that a form names, if any."""
    page = scorer.client.get(form).get_data(as_text=True)
    found = re.search(r'data-payouts="([^"]+)"', page)
    return found and found[1]


def address_of(scorer: Phone, seven: str) -> str:
    """Return the address of the payouts that the form of a new hand names."""
    address = named(scorer, f"{seven}/hands/new")
    assert address
    return address


def test_the_form_names_the_payouts_of_its_rules_which_are_kept_for_good(
    scorer: Phone, seven: str
) -> None:
    """Under an address of earlier rules the present ones come, and are kept by nobody."""
    address = address_of(scorer, seven)
    answer = scorer.client.get(address)
    assert answer.headers["Cache-Control"] == "public, immutable, max-age=31536000"
    payouts = json.loads(answer.get_data())
    column = payouts["bids"]["go-alone-in-hearts"]["prices"]["H"]
    assert payouts["prices"][column]["74"][:2] == ["won", 40]
    old = scorer.client.get(re.sub(r"[0-9a-f]{12}[.]json", "of-earlier.json", address))
    assert json.loads(old.get_data()) == payouts
    assert "immutable" not in old.headers["Cache-Control"]


def test_readers_get_the_sentences_in_their_language(scorer: Phone, seven: str) -> None:
    """Another language has another address."""
    english = address_of(scorer, seven)
    scorer.client.set_cookie("solo-ledger-language", "de")
    german = address_of(scorer, seven)
    assert german != english
    assert "alle haben gepasst" in scorer.client.get(german).get_data(as_text=True)


def test_a_payout_that_the_page_looked_up_is_saved_if_it_is_the_ledgers(
    scorer: Phone, database: Database, club: Access, seven: str
) -> None:
    """Nothing is shown a second time."""
    form = scorer.open(f"{seven}/hands/new").form("/new")
    assert scorer.send(form, do="save", shown=SHOWN, **HAND).status == 303
    assert table.balances(database, club, 1)["Ann"] == 240


def test_another_payout_than_the_ledgers_is_not_saved(
    scorer: Phone, database: Database, club: Access, seven: str
) -> None:
    """Both are shown; the next save says that the ledger's was seen."""
    form = scorer.open(f"{seven}/hands/new").form("/new")
    page = scorer.send(form, do="save", shown=SHOWN.replace("4", "5"), **HAND)
    assert page.status == 422
    assert "Shown here: Ann +250 Bob −50" in page.text
    assert "The ledger's: Ann +240 Bob −40" in page.text
    assert table.balances(database, club, 1)["Ann"] == 0
    assert scorer.send(page.form("/new"), do="save").status == 303
    assert table.balances(database, club, 1)["Ann"] == 240


@pytest.mark.parametrize("shown", ["", "240", "1,2,3,4,5,6,x", f"{SHOWN},0", "9" * 5000])
def test_a_payout_that_is_none_is_ignored(scorer: Phone, seven: str, shown: str) -> None:
    """As from a page without the script."""
    form = scorer.open(f"{seven}/hands/new").form("/new")
    assert scorer.send(form, do="save", shown=shown, **HAND).status == 303


ENTERED = ["go-alone-in-hearts", "Ann", "", "H", "", [], [], ["74"]]
"""The answers of the hand, as the script sends them."""


@pytest.mark.parametrize(
    ("place", "other"), [(0, "go-alone"), (1, "Bob"), (2, "Cyd"), (3, "D"), (4, "AH"), (7, ["73"])]
)
def test_a_hand_is_saved_only_with_the_answers_that_its_payout_was_shown_for(
    scorer: Phone, database: Database, club: Access, seven: str, place: int, other: object
) -> None:
    """Others are shown first, even if their payout is the same."""
    form = scorer.open(f"{seven}/hands/new").form("/new")
    answers = [*ENTERED[:place], other, *ENTERED[place + 1 :]]
    entered = json.dumps(answers, separators=(",", ":"))
    page = scorer.send(form, do="save", shown=SHOWN, shown_hand=entered, shown_words="x", **HAND)
    assert page.status == 422
    assert "payout of another hand" in page.text
    assert "It was shown for: x" in page.text
    assert table.balances(database, club, 1)["Ann"] == 0
    assert scorer.send(page.form("/new"), do="save").status == 303


def test_a_hand_is_saved_at_once_with_the_answers_that_its_payout_was_shown_for(
    scorer: Phone, seven: str
) -> None:
    """The ledger reads them as the script does."""
    form = scorer.open(f"{seven}/hands/new").form("/new")
    entered = json.dumps(ENTERED, separators=(",", ":"))
    assert scorer.send(form, do="save", shown=SHOWN, shown_hand=entered, **HAND).status == 303


def test_the_form_opens_at_the_highest_stakes_and_refuses_a_hand_that_no_pot_can_hold(
    scorer: Phone, database: Database, club: Access
) -> None:
    """The page finds no payout of a lost solo; the answer names the pot's bound, and nothing is saved."""
    pots = {"stake": 1_000_000, "solo_factor": 100, "on_loss": "match"}
    five = table.SEVEN[:5]
    number = table.start(database, club, five, "progressive", options={"pots": pots})
    session = f"/clubs/{club.club_id}/sessions/{number}"
    payouts = json.loads(scorer.client.get(address_of(scorer, session)).get_data())
    assert "spade-solo/won" in payouts["pots"]
    assert "spade-solo/lost" not in payouts["pots"]
    assert scorer.open(f"{session}/try").status == 200
    for hand, status in (
        ({"bid": "pass"}, 303),
        ({"bidder": "Cyd", "bid": "spade-solo", "points": "40"}, 422),
    ):
        form = scorer.open(f"{session}/hands/new").form(f"{session}/hands/new")
        answer = scorer.send(form, do="save", seen="unseen", **hand)
        assert answer.status == status, answer.text
    assert "can't hold more than 1,000,000,000" in answer.text


def test_a_correction_names_the_payouts_by_its_hands_rules(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Another game is played since."""
    session = table.start(database, club, table.FOUR)
    table.record(database, club, session, ALONE)
    german_solo: dict[str, Any] = {"game": "german-solo", "variant": None, "options": {}}
    start.change_rules(table.write(database, club), session, **german_solo)
    address = named(scorer, f"/clubs/1/sessions/{session}/hands/1/correct")
    assert address
    answer = scorer.client.get(address)
    assert "go-alone-in-hearts" in json.loads(answer.get_data())["bids"]
    assert "immutable" in answer.headers["Cache-Control"]
    assert scorer.client.get(address.replace("hand=1", "hand=9")).status_code == 404


def with_pots(database: Database, club: Access) -> int:
    """Record a hand at a table with pots."""
    pots = {"pots": {"stake": 5}}
    session = table.start(database, club, table.FOUR, "progressive", options=pots)
    table.record(database, club, session, {"contract": {"bid": "pass"}})
    return session


def with_cards(database: Database, club: Access, game: str, key: str) -> int:
    """Record a hand with its cards, whose record has a key."""
    session = table.start(database, club, table.FOUR, game)
    dealer, _ = table.turn(database, club, session)
    hand = table.with_cards(game, table.FOUR, dealer, lambda hand: key in hand)
    table.record(database, club, session, hand)
    return session


def with_exchange(database: Database, club: Access) -> int:
    """Record a hand whose form does not show the exchange."""
    return with_cards(database, club, "progressive", "exchange")


def test_a_correction_of_cards_names_the_payouts(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Its form shows all of them."""
    session = with_cards(database, club, "crazy-solo", "tricks")
    assert named(scorer, f"/clubs/1/sessions/{session}/hands/1/correct")


def with_a_player_who_left(database: Database, club: Access) -> int:
    """Record a hand, and let one of its players leave."""
    session = table.start(database, club, table.SEVEN)
    table.record(database, club, session, ALONE)
    cash.leave(database, club, session, "Gus")
    return session


@pytest.mark.parametrize("record", [with_pots, with_exchange, with_a_player_who_left])
def test_a_correction_on_which_more_depends_names_no_payouts(
    scorer: Phone, database: Database, club: Access, record: Callable[[Database, Access], int]
) -> None:
    """Only the ledger works it out."""
    session = record(database, club)
    assert named(scorer, f"/clubs/1/sessions/{session}/hands/1/correct") is None


def test_a_correction_with_another_payout_than_the_ledgers_is_not_saved(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Both are shown; the second save corrects the hand."""
    session = table.start(database, club, table.SEVEN)
    table.record(database, club, session, {**ALONE, "points": 80})
    form = scorer.open(f"/clubs/1/sessions/{session}/hands/1/correct").form("/correct")
    sent = {"points": "74", "reason": "miscounted", "seen": "unseen"}
    page = scorer.send(form, do="save", shown=SHOWN.replace("4", "5"), **sent)
    assert page.status == 422
    assert "Shown here: Ann +250 Bob −50" in page.text
    assert "The ledger's: Ann +240 Bob −40" in page.text
    assert scorer.send(page.form("/correct"), do="save").status == 303
    assert table.balances(database, club, session)["Ann"] == 240


def test_a_correction_is_saved_with_the_answers_that_its_form_adds_to_the_record(
    scorer: Phone, database: Database, club: Access, seven: str
) -> None:
    """A program may leave out the trump that a bid implies; the form sends it."""
    contract = {"bidder": "Ann", "bid": "go-alone-in-hearts"}
    table.record(database, club, 1, {"contract": contract, "points": 70})
    form = scorer.open(f"{seven}/hands/1/correct").form("/correct")
    entered = json.dumps(ENTERED, separators=(",", ":"))
    assert ENTERED[3] == "H"
    hand = {**HAND, "reason": "miscounted", "shown": SHOWN, "shown_hand": entered}
    assert scorer.send(form, do="save", **hand).status == 303
    assert table.balances(database, club, 1)["Ann"] == 240


def test_a_hand_sent_again_after_the_game_changed_is_known_as_saved(
    scorer: Phone, database: Database, club: Access, seven: str
) -> None:
    """Its answer was lost; by the new rules its answers would be others than those shown."""
    form = scorer.open(f"{seven}/hands/new").form("/new")
    entered = json.dumps(ENTERED, separators=(",", ":"))
    hand = {**HAND, "do": "save", "shown": SHOWN, "shown_hand": entered}
    assert scorer.send(form, **hand).status == 303
    start.change_rules(table.write(database, club), 1, game="six-bid", variant=None, options={})
    assert "nothing was saved" not in scorer.send(form, **hand).text
    assert table.balances(database, club, 1)["Ann"] == 240


def test_a_score_below_zero_is_no_debt_to_the_bank(
    scorer: Phone, database: Database, club: Access
) -> None:
    """The table has chips, but German Solo is played for scores; that holds for corrections, too."""
    session = table.start(database, club, table.FOUR, starting_stack=150)
    german_solo: dict[str, Any] = {"game": "german-solo", "variant": None, "options": {}}
    start.change_rules(table.write(database, club), session, **german_solo)
    table.record(database, club, session, table.german_solo("Ann"))
    for form in ("new", "1/correct"):
        page = scorer.client.get(f"/clubs/1/sessions/{session}/hands/{form}").text
        assert "&#34;from_stacks&#34;:false" in page, form
