"""A hand pasted as one line into the form: it fills the form if it fits the session, and loses nothing."""

from itertools import islice
from typing import Any

import pytest
from flask import Flask

from engine.games import GAMES, find
from engine.guide.random_hands import random_hands
from engine.notation import compact
from engine.record import HandRecord
from engine.record.fields import to_mapping
from engine.scoring.canonical import canonical
from engine.scoring.score import score
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.web.hand.paste import read_line
from ledger.web.hand.play import record_of
from ledger.web.hand.replay import link_to
from tests.ledger import table
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone

SOME = 20
"""The hands of each game."""

PLAYED = ["AS TS KS", "QS JS 9S", "8S 7S 6S", "AC TC KC", "QC JC 9C", "8C 7C 6C", "AD TD KD"]
PLAYED += ["QD JD 9D", "8D 7D 6D", "AH TH KH", "QH JH 9H"]


def line(**changes: Any) -> str:
    """Return the line of a hand that Bob plays after Ann has dealt, with some keys changed."""
    hand = {
        "game": "six-bid",
        "players": ["Ann", "Bob", "Cyd", "Dee"],
        "dealer": "Ann",
        "contract": {"bidder": "Bob", "bid": "solo", "trump": "S"},
        "tricks": PLAYED,
        "x-club": 7,
    }
    return compact.write(HandRecord.from_mapping({**hand, **changes}))


def paste(phone: Phone, session: str, text: str, do: str = "fill") -> Page:
    """Paste a text into the field for the cards."""
    return phone.send(phone.open(f"{session}/hands/new").form("/new"), do=do, cards=text)


@pytest.mark.parametrize("do", ["fill", "show", "save"])
def test_a_line_fills_the_form_and_shows_the_payout_before_it_is_saved(
    scorer: Phone, four: str, database: Database, club: Access, do: str
) -> None:
    """With or without the script; keys that the form does not show are saved with the hand."""
    page = paste(scorer, four, line(), do)
    fields = dict(page.form("/new").fields)
    assert (fields["bidder"], fields["bid"], fields["trump"]) == ("Bob", "solo", "S")
    assert fields["cards"] == " / ".join(PLAYED)
    assert "120 card points, 60 over 60" in page.text
    assert scorer.send(page.form("/new"), do="save").status == 303
    number = int(four.rsplit("/", 1)[1])
    record = ask(database, club, table.version_record, number, 1)[0]
    assert (record["x-club"], record["tricks"][0]) == (7, {"cards": "AS TS KS"})


def test_the_link_that_replays_a_hand_fills_the_form_as_its_line_does(
    app: Flask, scorer: Phone, four: str
) -> None:
    """It is what people share; the step at which the replay opens doesn't matter."""
    with app.test_request_context():
        link = link_to(line(note="für später"))
    page = paste(scorer, four, f"{link}&card-17")
    assert dict(page.form("/new").fields)["cards"] == " / ".join(PLAYED)
    assert "120 card points, 60 over 60" in page.text
    assert dict(page.form("/new").fields)["note"] == "für später"


@pytest.mark.parametrize(
    "players",
    [["CYD", "dee ", "Ann", "Bob"], ["Bob", "Cyd", "Dee", "Ann"], ["ann", "bob", "cyd", "DEE"]],
)
def test_players_are_the_same_from_any_seat_on_and_in_any_spelling(
    scorer: Phone, four: str, players: list[str]
) -> None:
    """Only the circle counts, and names are compared as in clubs."""
    old = {name.strip().title(): name for name in players}
    pasted = line(
        players=players,
        dealer=old["Ann"],
        contract={"bidder": old["Bob"], "bid": "solo", "trump": "S"},
    )
    fields = dict(paste(scorer, four, pasted).form("/new").fields)
    assert (fields["bidder"], fields["dealer"]) == ("Bob", "Ann")


@pytest.mark.parametrize(
    ("pasted", "message"),
    [
        (line()[:-1] + "~", "line"),
        (line(rules="pagat"), "This session plays the variant hoyle; the hand says pagat."),
        (line(options={"misere_by_tricks": True}), "The hand says: misere by tricks: on."),
        (line(players=["Ann", "Bob", "Cyd", "Eve"]), "clockwise: Ann, Bob, Cyd, Dee"),
        (line(players=["Ann", "Cyd", "Bob", "Dee"]), "The hand says: Ann, Cyd, Bob, Dee"),
        ("six-bid/Ann@", "line"),
        ("whist/Ann,Bob,Cyd,Dee@a/0000", "line"),
    ],
)
def test_a_line_that_does_not_fit_is_refused_with_the_difference(
    scorer: Phone, four: str, pasted: str, message: str
) -> None:
    """A changed line, another variant, other house rules, other players, another order, another game."""
    page = paste(scorer, four, pasted, "show")
    assert message in page.wrong("cards")
    assert dict(page.form("/new").fields)["cards"] == pasted
    assert scorer.send(page.form("/new"), do="save").status in (200, 422)


def test_a_line_of_another_game_names_both_games(scorer: Phone, four: str) -> None:
    """The session's game and the line's."""
    record = next(random_hands("frog", players=3, seed="other"))
    message = paste(scorer, four, compact.write(record), "show").wrong("cards")
    assert message == "This session plays Six-Bid Solo; the hand is one of Frog."


def test_a_pasted_hand_may_be_changed_before_it_is_saved(scorer: Phone, four: str) -> None:
    """As in a correction: a card, the note; without the cards its result is asked for."""
    page = paste(scorer, four, line())
    changed = scorer.send(
        page.form("/new"), do="show", cards=" / ".join(PLAYED).replace("9H", "6H")
    )
    assert "120 card points" in changed.text
    cleared = scorer.send(page.form("/new"), do="show", cards="")
    assert "points" in dict(cleared.form("/new").fields)


@pytest.mark.parametrize("game", GAMES)
def test_every_line_of_a_game_becomes_a_form_of_the_same_hand(game: str) -> None:
    """Deal, exchange, auction, spit cards: the draft has them, and its hand has the same verdict."""
    for record in islice(random_hands(game, seed="pasted"), SOME):
        rules = find(game).rules(record.rules, record.options, len(record.players))
        pasted = read_line(rules, record.players, compact.write(record))
        draft, error = pasted.applied_to(pasted.form)
        assert error is None
        pots = {} if record.pots is None else {"pots": to_mapping(record.pots)}
        entered = record_of(rules, record.players, {**draft, **pots})
        assert canonical(entered) == canonical(record)
        assert score(entered).deltas == score(record).deltas
