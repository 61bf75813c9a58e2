"""The description of a hand's questions says the same as the engine, for every game, table and house rule."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.errors import Refused
from engine.games import GAMES, find
from engine.record import HandRecord
from engine.scoring.score import score
from ledger.web.hand.answers import OpenQuestion, holds
from ledger.web.hand.description import ALWAYS, Description
from ledger.web.hand.fields import INPUTS, MARKS
from ledger.web.hand.questions import describe
from tests.ledger.web.random_forms import NAMES, begun, forms, whole_record


@given(st.data())
def test_what_is_asked_and_answered_is_scored(data: st.DataObject) -> None:
    """Whatever way through the questions is taken, the engine takes the hand, and knows what it comes to."""
    form = data.draw(forms())
    assert not form.now.missing
    assert form.fitted.draft == form.draft
    assert score(HandRecord.from_mapping(whole_record(form))).outcome


@given(st.data())
def test_what_is_marked_as_needed_is_what_the_engine_misses(data: st.DataObject) -> None:
    """An answer taken away again is called missing by both, at the same place."""
    form = data.draw(forms())
    needed = [
        each
        for each in form.now.questions
        if each.question.needed and each.question.name != "bidder"
    ]
    assume(needed)
    gone = data.draw(st.sampled_from(needed)).question
    less = {
        name: text for name, text in form.chosen.items() if name not in (gone.name, gone.instead)
    }
    left = begun(form.rules, form.names, form.dealer, less, form.marked).fitted
    assert gone in left.now.missing
    with pytest.raises(Refused) as refused:
        score(HandRecord.from_mapping(whole_record(left)))
    missed = {
        INPUTS[str(each.where["field"])]
        for each in refused.value.violations
        if "missing" in each.code
    }
    if gone.name == "made":
        assert missed == {"points"}
    else:
        assert gone.name in missed


@given(st.data())
def test_what_is_not_offered_the_engine_refuses(data: st.DataObject) -> None:
    """A seat that sits out, the lead's bid, a suit or card that can't be, the caller as partner."""
    form = data.draw(forms())
    asked = [each for each in form.now.questions if _left_out(each)]
    assume(asked)
    question = data.draw(st.sampled_from(asked))
    wrong = data.draw(st.sampled_from(_left_out(question)))
    name = question.question.name
    sent = {**form.chosen, name: wrong}
    marked = {**form.marked, name: (wrong,)} if name in MARKS else form.marked
    spoiled = begun(
        form.rules, form.names, form.dealer, sent if name not in MARKS else form.chosen, marked
    )
    with pytest.raises(Refused):
        score(HandRecord.from_mapping(whole_record(spoiled)))
    kept = spoiled.fitted
    assert wrong not in (kept.chosen.get(name), *kept.marked.get(name, ()))


def _left_out(asked: OpenQuestion) -> list[str]:
    offered = {option.value for option in asked.offered}
    left = [each.value for each in asked.question.options if each.value not in offered]
    return [value for value in left if not value.startswith("<")]


@pytest.mark.parametrize("game", GAMES)
def test_a_description_is_the_same_for_every_hand_of_a_table(game: str) -> None:
    """It is made of rules and seats, so it is made once; who deals and what is said are no part of it."""
    seats = find(game).seats[0]
    rules = find(game).rules(None, {}, seats)
    assert describe(rules, NAMES[:seats]) is describe(rules, list(NAMES[:seats]))
    assert describe(rules, NAMES[:seats]).seats == NAMES[:seats]


@pytest.mark.parametrize("game", GAMES)
def test_no_bid_of_any_game_takes_more_than_seven_taps_and_a_number(game: str) -> None:
    """With the one that saves: whatever must be said, and the called card; what is usual is said already."""
    sheet = find(game)
    variants: list[str | None] = [each.slug for each in sheet.variants]
    for variant in variants or [None]:
        for seats in sheet.seats:
            rules, names = sheet.rules(variant, {}, seats), NAMES[:seats]
            for bid in rules.bids:
                for number in range(rules.tricks + 1):
                    said = {"bidder": names[0], "bid": bid.slug, "tricks_won": str(number)}
                    taps = ["bidder", "bid", "save"]
                    form = begun(rules, names, names[-1], said, {})
                    while left := [each for each in form.now.questions if _is_tapped(each, taps)]:
                        taps.append(left[0].question.name)
                        said[taps[-1]] = left[0].offered[0].value
                        form = begun(rules, names, names[-1], said, {})
                    assert len(taps) <= 7, (bid.slug, taps)
                    assert all(each.look == "number" for each in form.now.missing)


def asked(game: str, bid: str, variant: str | None = None, **said: str) -> dict[str, list[str]]:
    """Return the questions of the result that are open after a bid and answers, with their options."""
    rules = find(game).rules(variant, {"misere_by_tricks": True} if game == "six-bid" else {}, 4)
    chosen = {"bidder": "Ann", "bid": bid, **said}
    form = begun(rules, NAMES[:4], "Dee", chosen, {})
    return {
        each.question.name: [option.value for option in each.offered] for each in form.now.questions
    }


def test_a_number_alone_is_chosen_and_one_price_asks_for_no_number() -> None:
    """Nought to eight tricks in German Solo; a misère is made or lost; given up, neither is asked."""
    assert asked("german-solo", "frage")["tricks_won"] == [str(won) for won in range(9)]
    misere = asked("six-bid", "misere", "hoyle")
    assert [bool(misere[name]) for name in ("made", "conceded")] == [True, True]
    assert not {"points", "tricks_won"} & misere.keys()
    given_up = asked("six-bid", "misere", "hoyle", conceded="bidder")
    assert "conceded" in given_up
    assert "made" not in given_up


@pytest.mark.parametrize(
    ("said", "choices"),
    [
        ({"tricks_won": "4"}, None),
        ({"tricks_won": "5"}, ["lost", "stopped", "on"]),
        ({"tricks_won": "6"}, ["lost", "on"]),
        ({"tricks_won": "8"}, None),
        ({"tricks_won": "5", "announced_tout": "yes"}, None),
        ({"tricks_won": "5", "asked_partner": "yes"}, ["lost", "stopped", "on"]),
        ({"tricks_won": "6", "asked_partner": "yes"}, None),
        ({}, None),
    ],
)
def test_the_first_tricks_are_asked_while_the_rest_leaves_them_open(
    said: dict[str, str], choices: list[str] | None
) -> None:
    """Who won all eight, fewer than five or announced tout needs no answer about the first tricks."""
    assert asked("german-solo", "frage", **said).get("first_tricks_won") == choices


def test_conditions_without_a_case_never_hold_and_an_empty_case_always_does() -> None:
    """An option without conditions is offered whatever was said."""
    assert holds(ALWAYS, {})
    assert not holds([], {})


def _is_tapped(asked: OpenQuestion, before: list[str]) -> bool:
    """Whether a question takes a tap: it must be answered, or a card is called, and it is no number."""
    question = asked.question
    is_due = question.needed or question.look == "cards"
    return is_due and question.look != "number" and question.name not in {*before, "tricks_won"}


@pytest.mark.parametrize("game", GAMES)
def test_a_description_is_plain_data(game: str) -> None:
    """Texts, numbers, lists and tables; conditions name only questions and seats of its own."""
    for seats in find(game).seats:
        rules = find(game).rules(None, {}, seats)
        described = describe(rules, NAMES[:seats])
        names = {each.name for each in described.questions}
        for name in _named(described):
            assert name in names | {"lead", "active", "others", "dealer"}


def _named(described: Description) -> set[str]:
    cases: list[Any] = []
    for each in described.questions:
        cases += [*each.when, *(case for option in each.options for case in option.when)]
        cases += [case for row in each.rows for case in row.near]
        cases += [case for _, when in each.hints for case in when]
    return {name for case in cases for name in case}
