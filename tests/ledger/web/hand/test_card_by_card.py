"""A hand entered card by card: the keys stated by its fields, those left open, and the page around them."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from engine.cards.cards import write_cards
from engine.games import GAMES, find
from engine.guide.card_orders import card_orders
from engine.guide.play_sheet import play_sheet
from engine.guide.random_hands import random_hands
from engine.record import PASS, Contract, HandRecord
from engine.record.fields import to_mapping
from engine.record.results import STOPPED
from engine.rules.seating import Turn
from engine.scoring.score import score
from ledger.web.hand.fields import STOPS
from ledger.web.hand.form import HandForm
from ledger.web.hand.play import record_of
from tests.ledger.web.phone import Page, Phone

SOME = 25
"""The hands of each game."""

CALL: dict[str, str | list[str]] = {"bidder": "Bob", "bid": "solo", "trump": "S"}
"""A plain solo in spades at the table of four, where Ann deals."""

PLAYED = (
    "AS TS KS / QS JS 9S / 8S 7S 6S / AC TC KC / QC JC 9C / 8C 7C 6C / AD TD KD / QD JD 9D / 8D 7D 6D"
    " / AH TH KH / QH JH 9H"
)
"""Bob leads and takes every trick; the widow has the three lowest hearts."""


def hands(game: str) -> Iterator[HandRecord]:
    """Yield some random hands of a game that were not thrown in."""
    played = (hand for hand in random_hands(game, seed="card by card") if hand.tricks is not None)
    return islice(played, SOME)


def contract_of(record: HandRecord) -> Contract:
    """Return the contract of a record that has one."""
    assert record.contract is not None
    return record.contract


def fields_of(record: HandRecord) -> MultiDict[str, Any]:
    """Return a scorer's entries for a hand: contract, cards, and facts that no card shows."""
    contract, written = contract_of(record), to_mapping(contract_of(record))
    names = ("bidder", "bid", "trump", "called")
    fields = MultiDict[str, Any]([(name, str(written[name])) for name in names if name in written])
    fields["dealer"] = record.dealer
    fields["cards"] = " / ".join(write_cards(trick.cards) for trick in record.tricks or ())
    fields.setlist("active", list(record.active or ()))
    fields.setlist("doubled", list(contract.doubled or ()))
    fields.setlist("redoubled", list(contract.redoubled or ()))
    if contract.announced_tout:
        fields["announced_tout"] = "yes"
    if record.asked_partner:
        fields["asked_partner"] = "yes"
    if record.stopped:
        fields["claimed_by"] = STOPS
    if record.conceded:
        fields["conceded"] = record.conceded
    return fields


def form_of(record: HandRecord, fields: MultiDict[str, Any]) -> HandForm:
    """Return the form with these fields at a record's table."""
    rules = find(record.game).rules(record.rules, record.options, len(record.players))
    turn = Turn(rules.seating, rules.table(record.players, record.dealer), None)
    return HandForm.read(rules, record.players, turn, fields).fitted


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_of_any_game_give_the_verdict_of_the_whole_record(game: str) -> None:
    """Nothing else is asked but the matadors that a side which stopped did not play."""
    for record in hands(game):
        form = form_of(record, fields_of(record))
        assert set(form.left_open) <= ({"matadors"} if record.stopped else set())
        assert not [question.name for question in form.now.missing]
        if form.left_open:
            continue
        pots = {} if record.pots is None else {"pots": to_mapping(record.pots)}
        entered = record_of(form.rules, form.names, {**form.draft, **pots})
        assert score(entered).deltas == score(record).deltas
        assert not form.asks("points")
        assert not form.asks("partner")


@pytest.mark.parametrize("game", GAMES)
def test_the_dealt_hands_are_checked_with_the_cards(game: str) -> None:
    """With the deal of the record the verdict stays; with two hands exchanged the cards are refused."""
    for record in hands(game):
        assert record.deal is not None
        assert record.deal.hands is not None
        fields = fields_of(record)
        numbers = {name: f"hand_{at}" for at, name in enumerate(record.players, 1)}
        for name, cards in record.deal.hands.items():
            fields[numbers[name]] = write_cards(cards)
        form = form_of(record, fields)
        if record.exchange is not None or form.left_open or record.pots:
            continue
        entered = record_of(form.rules, form.names, form.draft)
        assert score(entered).deltas == score(record).deltas
        assert set(form.draft["deal"]["hands"]) == set(record.deal.hands)


def show(phone: Phone, session: str, **filled: Any) -> Page:
    """Fill in the form of a new hand and ask for the payout."""
    return phone.send(phone.open(f"{session}/hands/new").form("/new"), do="show", **filled)


def test_a_hand_is_saved_with_its_cards_and_without_a_count(scorer: Phone, four: str) -> None:
    """All eleven tricks with their widow: 120 points, and the page of the hand lists the tricks."""
    preview = show(scorer, four, **CALL, cards=PLAYED, widow="8H 7H 6H")
    assert "120 card points, 60 over 60" in preview.text
    saved = scorer.send(preview.form("/new"), do="save", cards=PLAYED, widow="8H 7H 6H")
    assert saved.status == 303
    assert "t:sATKsQJ9s876cATKcQJ9c876dATKdQJ9d876hATKhQJ9" in scorer.open(f"{four}/hands/1").text


def test_an_unfinished_hand_names_the_number_of_missing_cards_and_the_next_player(
    scorer: Phone, four: str
) -> None:
    """While cards are entered it is no error; a request for the payout lists the possible other ends."""
    fields = {**CALL, "cards": "AS TS KS QS"}
    form = scorer.open(f"{four}/hands/new").form("/new")
    form.action = f"{four}/hands/preview"
    live = scorer.send(form, **fields)
    assert "Still needed: 29 cards, Cyd to play" in live.text
    assert not live.reader.alerts
    page = show(scorer, four, **fields)
    assert "29 cards are still missing; Cyd plays next." in page.wrong("cards")
    assert "who gets the rest" in page.wrong("cards")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"cards": "AS TH KS 9S"}, "29 cards are still missing"),
        ({"cards": "AS TH KS QS 9S"}, "Cyd played 10♥, but held 9♠"),
        ({"cards": "AS TS AS"}, "A♠"),
        ({"cards": "AS tea KS"}, 'Trick 1: "tea" is not a card'),
        ({"cards": "AS TS KS", "hand_2": "AS bread"}, 'Bob\'s cards: "bread" is not a card'),
        ({"cards": PLAYED + " 8H 7H 6H"}, "A hand has 11 tricks; the record holds 12."),
        ({"cards": PLAYED, "widow": "AS 7H 6H"}, "A♠"),
    ],
)
def test_wrong_cards_are_refused_at_their_field_in_words(
    scorer: Phone, four: str, changed: dict[str, str], message: str
) -> None:
    """A revoke, a repeated card, a word that is no card, too many tricks, a card that lay in the widow."""
    page = show(scorer, four, **CALL, **changed)
    found = {name: page.wrong(name) for name in ("cards", "widow", "hand_2")}
    assert any(message in text.replace("\ufe0e", "") for text in found.values()), found
    assert page.status == 200


@pytest.mark.parametrize(("side", "points"), [("<bidder>", "120"), ("<opponents>", "36")])
def test_a_side_that_gets_the_rest_gets_its_points(
    scorer: Phone, four: str, side: str, points: str
) -> None:
    """Bob has taken 36 points in two tricks; with the known widow the result follows from the claim."""
    page = show(
        scorer, four, **CALL, cards="AS TS KS / AC 9C 8C", widow="8H 7H 6H", claimed_by=side
    )
    assert f"{points} card points" in page.text
    assert "points" not in dict(page.form("/new").fields)


def test_a_claim_with_an_unknown_widow_asks_for_the_points(scorer: Phone, four: str) -> None:
    """Nothing else: with them the hand is scored, and points that no widow allows are refused."""
    fields: dict[str, Any] = {**CALL, "cards": "AS TS KS / AC 9C 8C", "claimed_by": "<opponents>"}
    page = show(scorer, four, **fields)
    assert "points" in dict(page.form("/new").fields)
    assert page.wrong("points")
    counted = scorer.send(page.form("/new"), do="show", **fields, points="40")
    assert "40 card points, 20 under 60" in counted.text
    assert "cannot be 20" in show(scorer, four, **fields, points="20").wrong("points")


def test_a_called_card_that_nobody_played_leaves_the_partner_open() -> None:
    """After a claim the partner is asked for; once the card has been played, not any more."""
    rules = find("crazy-solo").rules(None, {}, 4)
    names = ("Ann", "Bob", "Cyd", "Dee")
    turn = Turn(rules.seating, rules.table(names, "Dee"), None)
    fields = {
        "bidder": "Ann",
        "bid": "solo",
        "trump": "S",
        "called": "AH",
        "claimed_by": "<bidder>",
    }
    hidden = HandForm.read(rules, names, turn, MultiDict({**fields, "cards": "AS KS QS JS"}))
    played = HandForm.read(rules, names, turn, MultiDict({**fields, "cards": "KH 9H AH 8H"}))
    assert (hidden.left_open, played.left_open) == (("partner",), ())
    assert hidden.asks("partner")
    assert not played.asks("partner")


def test_a_stopped_hand_of_german_solo_is_entered_with_its_end() -> None:
    """The side that stops is one of the ends of a hand; the record has it."""
    record = next(hand for hand in random_hands("german-solo", seed="stopped") if hand.stopped)
    form = form_of(record, fields_of(record))
    assert form.draft[STOPPED] is True
    assert "claimed" not in form.draft


def test_a_hand_that_all_passed_has_no_cards() -> None:
    """The fields are closed, and cards typed before are left out."""
    rules = find("six-bid").rules("hoyle", {}, 4)
    names = ("Ann", "Bob", "Cyd", "Dee")
    turn = Turn(rules.seating, rules.table(names, "Dee"), None)
    form = HandForm.read(rules, names, turn, MultiDict({"bidder": "<nobody>", "cards": "AS"}))
    assert not form.asks("cards")
    assert form.fitted.draft == {"dealer": "Dee", "contract": {"bid": PASS}}


GARBAGE = [
    "\ufdfa" * 300,
    "?" * 3_000,
    "/,;、 \n" * 50,
    "AS " * 1_500,
    "\x00",
    "🂡",
    "<b>",
    "A" * 2_000,
]


@pytest.mark.parametrize("field", ["cards", "widow", "hand_1", "hand_2", "hand_12", "claimed_by"])
def test_garbage_in_any_field_of_the_cards_is_answered_by_a_page(
    scorer: Phone, four: str, field: str
) -> None:
    """Shown, previewed or saved: never an error of the server, and nothing is saved."""
    for text in GARBAGE:
        fields = {**CALL, "cards": "AS TS KS", field: text}
        page = show(scorer, four, **fields)
        assert page.status == 200
        assert scorer.send(page.form("/new"), do="save", **fields, seen="unseen").status == 422


def test_the_page_gets_the_play_of_its_table_in_the_readers_letters(
    scorer: Phone, four: str
) -> None:
    """The play sheet, the order of its cards, and how a German pack writes the queen and the ten."""
    html = scorer.client.get(f"{four}/hands/new?lang=de", headers={"Accept-Language": "de"}).text
    (data,) = re.findall(r'<script type="application/json">(.*?)</script>', html)
    play = json.loads(data)["play"]
    (address,) = re.findall(r'data-card-pad="(.*?)"', html)
    answer = scorer.client.get(address, headers={"Accept-Language": "de"})
    assert answer.cache_control.immutable
    other = scorer.client.get(address, headers={"Accept-Language": "ja"})
    assert not other.cache_control.immutable
    assert "エース" in other.text
    pad = json.loads(*re.findall(r'id="card-words">(.*?)</script>', answer.text))
    sheet = play_sheet(find("six-bid").rules("hoyle", {}, 4))
    assert {**play, **sheet} == play
    assert play["order"] == card_orders()[sheet["ranking"]]
    assert (pad["ranks"]["Q"], pad["ranks"]["T"], pad["suit_first"]) == ("D", "10", True)
    assert pad["names"]["TH"] == "Herz-Zehn"
    assert pad["spellings"]["suits"] == {"p": "S", "h": "H", "k": "D", "kr": "C"}
    assert pad["tricks"][1] == "1 Stich"
