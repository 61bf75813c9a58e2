"""Correcting the cards of a recorded hand: they are shown as they were played, and only changes are saved."""

from itertools import islice
from typing import Any

import pytest

from engine.games import GAMES, find
from engine.guide.random_hands import random_hands
from engine.record import HandRecord
from engine.rules.changes import VERSION
from engine.scoring.score import score
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.web.hand.correction_form import RecordCorrection
from tests.ledger import table
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone

SOME = 15
"""The hands of each game."""

PLAYED = ["AS TS KS", "QS JS 9S", "8S 7S 6S", "AC TC KC", "QC JC 9C", "8C 7C 6C", "AD TD KD"]
PLAYED += ["QD JD 9D", "8D 7D 6D", "AH TH KH", "QH JH 9H"]
HAND: dict[str, Any] = {
    "dealer": "Ann",
    "contract": {"bidder": "Bob", "bid": "solo", "trump": "S"},
    "tricks": [{"leader": "Bob", "cards": cards} for cards in PLAYED],
    "note": "close",
    "notes": [{"trick": 4, "text": "late"}],
    "x-club": {"table": 2},
}
"""At the table of four Bob takes every trick."""


@pytest.fixture
def recorded(database: Database, club: Access, four: str) -> str:
    """The address of a session of four with this hand only."""
    table.record(database, club, int(four.rsplit("/", 1)[1]), HAND)
    return four


def correct(phone: Phone, session: str, **filled: Any) -> Page:
    """Correct hand 1 and save it, having looked at the payout."""
    form = phone.open(f"{session}/hands/1/correct").form("/correct")
    preview = phone.send(form, do="show", reason="misread", **filled)
    return phone.send(preview.form("/correct"), do="save")


def written(database: Database, club: Access, session: str) -> dict[str, Any]:
    """Return hand 1's record."""
    return dict(ask(database, club, table.version_record, int(session.rsplit("/", 1)[1]), 1)[0])


@pytest.mark.parametrize("game", GAMES)
def test_a_form_of_recorded_cards_that_nobody_changes_is_the_record(game: str) -> None:
    """The draft laid over the record is the record, for any content; no field asks for the result."""
    for record in islice(random_hands(game, seed="corrected"), SOME):
        rules = find(game).rules(record.rules, record.options, len(record.players))
        mapping = {**record.to_mapping(), "x-club": 7, "note": "close"}
        correction = RecordCorrection(rules, mapping, VERSION)
        draft, error = correction.applied_to(correction.form)
        assert error is None
        assert draft.items() <= mapping.items()
        assert {"tricks", "deal", "auction", "exchange", "x-club"} & mapping.keys() <= draft.keys()
        if record.tricks:
            assert "points" not in correction.form.draft


@pytest.mark.parametrize("game", GAMES)
def test_the_last_card_of_two_seats_is_exchanged_and_everything_else_kept(game: str) -> None:
    """If no deal contradicts it, two cards of the last trick can change places."""
    for record in islice(random_hands(game, seed="exchanged"), SOME):
        mapping = {key: value for key, value in record.to_mapping().items() if key != "deal"}
        if not record.tricks or len(record.tricks[-1].cards) < 2 or record.exchange or record.spit:
            continue
        mapping.pop("auction")
        rules = find(game).rules(record.rules, record.options, len(record.players))
        correction = RecordCorrection(rules, {**mapping, "x-club": 7}, VERSION)
        form = correction.form
        *cards, last, final = form.chosen["cards"].split(" ")
        exchanged = " ".join([*cards, final, last])
        changed = type(form)(
            *(form.rules, form.names, form.turn, form.dealer, form.active),
            {**form.chosen, "cards": exchanged},
            form.marked,
        )
        draft, error = correction.applied_to(changed)
        assert (error, draft["x-club"]) == (None, 7)
        assert draft["tricks"][:-1] == form.draft["tricks"][:-1]
        assert draft["tricks"][-1] != form.draft["tricks"][-1]


def test_a_card_is_corrected_and_notes_and_other_keys_stay(
    scorer: Phone, recorded: str, database: Database, club: Access
) -> None:
    """The last trick had the six of hearts, not the nine: as many points, but another card."""
    page = scorer.open(f"{recorded}/hands/1/correct")
    cards = dict(page.form("/correct").fields)["cards"]
    assert cards == " / ".join(PLAYED)
    before = written(database, club, recorded)
    saved = correct(scorer, recorded, cards=cards.replace("9H", "6H"))
    assert saved.status == 303
    after = written(database, club, recorded)
    assert after["tricks"][-1]["cards"] == "QH JH 6H"
    assert {key: after[key] for key in after if key != "tricks"} == {
        key: before[key] for key in before if key != "tricks"
    }
    verdict = score(HandRecord.from_mapping(after))
    assert verdict.deltas == score(HandRecord.from_mapping(before)).deltas


def test_cards_spelled_otherwise_change_nothing(scorer: Phone, recorded: str) -> None:
    """Ten or T, signs or letters, capitals or not: without another card there is nothing to correct."""
    page = scorer.open(f"{recorded}/hands/1/correct")
    cards = dict(page.form("/correct").fields)["cards"]
    spelled = cards.lower().replace("ts", "10♠").replace(" / ", "\n")
    preview = scorer.send(page.form("/correct"), do="show", reason="misread", cards=spelled)
    assert "Still needed: the change" in preview.text


def test_a_wrong_card_is_refused_at_the_cards_of_a_correction(scorer: Phone, recorded: str) -> None:
    """A revoke that the corrected cards prove; nothing offers to replace the cards by a result."""
    page = scorer.open(f"{recorded}/hands/1/correct")
    cards = dict(page.form("/correct").fields)["cards"]
    wrong = cards.replace("TS KS / QS JS", "TC KS / QS JS").replace("AC TC", "AC TS")
    preview = scorer.send(page.form("/correct"), do="show", reason="misread", cards=wrong)
    assert "Trick 1" in preview.wrong("cards")
    assert "replaces the cards" not in preview.text


def test_a_trick_led_out_of_turn_keeps_its_leader_when_a_card_is_corrected() -> None:
    """The other leaders follow from the cards, so they are left out of corrected tricks."""
    rules = find("six-bid").rules("hoyle", {}, 4)
    irregular = [{"what": "out-of-turn", "seat": "Cyd", "trick": 2, "settled": "play-on"}]
    tricks = [dict(trick) for trick in HAND["tricks"]]
    tricks[1] = {"leader": "Cyd", "cards": "JS 9S QS"}
    players = {"game": "six-bid", "rules": "hoyle", "players": ["Ann", "Bob", "Cyd", "Dee"]}
    hand = {**players, **HAND, "tricks": tricks, "irregular": irregular}
    correction = RecordCorrection(rules, hand, VERSION)
    form = correction.form
    changed = {**form.chosen, "cards": form.chosen["cards"].replace("9H", "6H")}
    draft, _ = correction.applied_to(
        type(form)(form.rules, form.names, form.turn, form.dealer, form.active, changed)
    )
    assert draft["tricks"][:3] == ["AS TS KS", {"leader": "Cyd", "cards": "JS 9S QS"}, "8S 7S 6S"]
    assert draft["irregular"] == irregular
    assert score(HandRecord.from_mapping({**players, **draft})).bidder == "Bob"
