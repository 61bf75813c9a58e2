"""The page's referee answers as the engine's does."""

import json
import os
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest

from engine.guide.card_orders import card_orders
from engine.guide.play_sheet import play_sheet
from engine.guide.random_hands import Chance
from engine.guide.referee import referee
from engine.replay.revokes import REVOKES
from ledger.runtime.paths import STATIC
from tests.engine.guide import positions
from tests.engine.playing import HOUSES

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

PLANTED = int(os.environ.get("PLANTED_REVOKES", "16"))
"""How many hands with a planted revoke are compared; set it to 2,000 for the whole proof."""

REFEREE = """([orders, positions]) => positions.map(({ setup, cards }) =>
  soloReferee.referee(orders[setup.ranking], setup, cards ? cards.split(" ") : []))"""


def referee_of(phones: "Phones") -> "Page":
    """Open a page with the referee alone."""
    page = phones()
    script = (STATIC / "cards" / "referee.js").read_text(encoding="utf-8")
    page.add_script_tag(content=f"{script};globalThis.soloReferee = soloReferee;")
    return page


def answers(page: "Page", written: list[dict[str, Any]]) -> list[Any]:
    """Return the page's states of some positions."""
    states: list[Any] = page.evaluate(REFEREE, [card_orders(), written])
    return states


def test_the_page_s_referee_agrees_with_every_position_of_the_file(phone: "Phones") -> None:
    """Every game, table size and duty."""
    lines = positions.FILE.read_text(encoding="utf-8").splitlines()
    written = [json.loads(line) for line in lines]
    for position, state in zip(written, answers(referee_of(phone), written), strict=True):
        assert state == position["state"], position


def test_the_page_s_referee_reports_planted_revokes_at_the_same_trick(phone: "Phones") -> None:
    """With the state at every length of the play that leads up to them.

    Two cards of a seat are exchanged; where that breaks no duty, it is one more hand without a revoke.
    """
    page, chance, houses, revokes = referee_of(phone), Chance.seeded("page"), cycle(HOUSES), 0
    while revokes < PLANTED:
        hand = positions.played_hand(next(houses), chance)
        setup = positions.known_to(hand.setup, chance.pick(positions.KNOWLEDGE), chance)
        cards = positions.with_revoke(hand, chance)
        described = positions.to_page(setup, hand.order)
        asked = [
            {"setup": described, "cards": " ".join(map(str, cards[:length]))}
            for length in range(len(cards) + 1)
        ]
        expected = [
            positions.described(referee(setup, cards[:length]), setup.seats)
            for length in range(len(cards) + 1)
        ]
        assert answers(page, asked) == expected
        revokes += any(found["code"] in REVOKES for found in expected[-1]["violations"])


def test_the_page_sets_up_the_play_of_every_game_as_the_engine_does(phone: "Phones") -> None:
    """From the play sheet, the seats and the contract."""
    page, chance = referee_of(phone), Chance.seeded("setups")
    for house in HOUSES:
        hand = positions.played_hand(house, chance)
        contract, seats = hand.guided.contract, hand.setup.seats
        assert contract is not None
        expected = positions.to_page(hand.setup, hand.order)
        play = {
            "seats": len(seats),
            "bidder": seats.index(str(contract.bidder)),
            "bid": contract.bid,
            "trump": contract.trump.value if contract.trump else "",
            "called": str(contract.called or ""),
            "hands": expected["hands"],
            "aside": expected["aside"],
        }
        asked = [play_sheet(hand.guided.rules), play]
        setup = page.evaluate("([sheet, play]) => soloReferee.setupOf(sheet, play)", asked)
        assert setup == expected | {"mustLead": setup["mustLead"]}
        assert setup["mustLead"] == expected["mustLead"] or not setup["called"], house
