"""Trying a hand: the form shows what it would pay, and nothing is saved."""

import json
import re

import pytest
from flask import Flask

from engine.games import GAMES
from engine.record.parts import HEARTLESS
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.table import seating
from tests.ledger import table
from tests.ledger.web.phone import Phone

SOLO = {"bidder": "Ann", "bid": "go-alone-in-hearts", "points": "74"}


@pytest.mark.parametrize("game", GAMES)
def test_everybody_can_try_every_game(app: Flask, game: str) -> None:
    """Without a club; the page names the payouts that its script looks up."""
    phone = Phone(app)
    page = phone.open(f"/try/{game}")
    assert page.status == 200
    answer = phone.client.get(f"/try/{game}")
    found = re.search(r'data-payouts="([^"]+)"', answer.get_data(as_text=True))
    assert found
    payouts = phone.client.get(found[1].replace("&amp;", "&"))
    assert "immutable" in payouts.headers["Cache-Control"]
    assert json.loads(payouts.data)["auction"]["states"]


def test_a_hand_is_paid_and_cannot_be_saved(stranger: Phone) -> None:
    """Also without scripts; an impossible number is explained, a missing one named."""
    form = stranger.open("/try/crazy-solo").form("/try/crazy-solo")
    paid = stranger.send(form, do="show", **SOLO)
    assert "Ann +120" in paid.text
    assert "Another hand" in paid.text
    assert "Save" not in paid.text
    wrong = stranger.send(form, do="show", **{**SOLO, "points": "740"})
    assert "0 to 120 card points, not 740" in wrong.wrong("points")
    short = stranger.send(form, do="show", **{**SOLO, "points": None})
    assert "Say how many card points" in short.wrong("points")


@pytest.mark.parametrize(
    "fields",
    [
        {"dealer": "Zoë", "bidder": "Zoë", "bid": "x" * 5_000},
        {"active": ["Ann", "Ann"], "lead": "Bob", "points": "-1", "cards": "AS" * 2_000},
        {"cards": "six-bid/Ann,Bob,Cyd@c/x", "line": "six-bid/", "auction": "\0"},
        {"do": "save", "part": "no part", "doubled": ["Ann", "Ann"]},
    ],
)
def test_a_form_that_nobody_can_have_filled_in_is_shown_again(
    stranger: Phone, scorer: Phone, seven: str, fields: dict[str, str | list[str]]
) -> None:
    """With its errors, of any game and at a table."""
    for phone, address in (
        *((stranger, f"/try/{game}") for game in GAMES),
        (scorer, f"{seven}/try"),
    ):
        assert phone.send(phone.open(address).form(address), **fields).status == 200
    assert stranger.open("/try/whist").status == 404
    assert stranger.open("/try/six-bid?variant=none&seats=99").status == 200


def test_at_a_table_a_hand_pays_by_its_rules_and_from_its_chips(
    scorer: Phone, viewer: Phone, stranger: Phone, seven: str
) -> None:
    """For followers too, but for nobody else; the journal has no entry of it."""
    form = viewer.open(f"{seven}/try").form("/try")
    before = scorer.open(f"{seven}").text
    paid = viewer.send(form, do="show", **SOLO)
    assert "+240" in paid.text
    assert scorer.open(f"{seven}").text == before
    assert stranger.open(f"{seven}/try").status == 401


def test_a_hand_in_a_blind_round_is_tried_as_part_of_it(
    scorer: Phone, database: Database, club: Access
) -> None:
    """After too many deals without a heart the deal moves on, as the form of a new hand shows it."""
    session = table.start(database, club, table.FOUR, first_dealer="Dee")
    address = f"/clubs/{club.club_id}/sessions/{session}"
    blind = {"blind_round": {"heartless": HEARTLESS - 2}}
    table.record(database, club, session, {"contract": {"bid": "pass"}, **blind})
    for page in (f"{address}/hands/new", f"{address}/try"):
        shown = scorer.send(scorer.open(page).form(page), do="show", bidder="<nobody>")
        assert "Then Ann deals and Bob leads." in shown.text


def test_a_table_without_enough_players_has_no_hand_to_try(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Its rules have no link to one, and the address leads to them."""
    session = table.start(database, club, table.FOUR, "six-bid")
    address = f"/clubs/{club.club_id}/sessions/{session}"
    assert f"{address}/try" in scorer.open(f"{address}/how-to-play").reader.links
    for name in table.FOUR[:2]:
        seating.sit_out(table.write(database, club), session, player=name)
    assert f"{address}/try" not in scorer.open(f"{address}/how-to-play").reader.links
    assert scorer.open(f"{address}/try").location.endswith("/how-to-play")
