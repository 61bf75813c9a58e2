"""The description of a hand's questions agrees with the engine, for every game, table and house rule."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Refused
from engine.games import GAMES, find
from engine.record import HandRecord
from engine.scoring.score import score
from ledger.web.hand.answers import OpenQuestion, holds
from ledger.web.hand.description import ALWAYS, Description, Question
from ledger.web.hand.fields import INPUTS, MARKS
from ledger.web.hand.form import HandForm
from ledger.web.hand.questions import describe
from tests.ledger.web.random_forms import NAMES, begun, forms, whole_record


@given(st.data())
def test_a_description_asks_what_the_engine_needs_and_offers_what_it_takes(
    data: st.DataObject,
) -> None:
    """By any way: complete, without one answer, and with one that isn't offered."""
    form = data.draw(forms())
    assert not form.now.missing
    assert form.fitted.draft == form.draft
    assert score(HandRecord.from_mapping(whole_record(form))).outcome
    needed = [item.question for item in form.now.questions if item.question.needed]
    needed = [question for question in needed if question.name != "bidder"]
    if needed:
        must_be_missed(form, data.draw(st.sampled_from(needed)))
    limited = [item for item in form.now.questions if _left_out(item)]
    if limited:
        item = data.draw(st.sampled_from(limited))
        must_be_refused(form, item.question.name, data.draw(st.sampled_from(_left_out(item))))


def must_be_missed(form: HandForm, removed: Question) -> None:
    """Check that an answer taken away again is called missing by both, at the same place."""
    kept = {
        name: text
        for name, text in form.chosen.items()
        if name not in (removed.name, removed.instead)
    }
    incomplete = begun(form.rules, form.names, form.dealer, kept, form.marked).fitted
    assert removed in incomplete.now.missing
    with pytest.raises(Refused) as refused:
        score(HandRecord.from_mapping(whole_record(incomplete)))
    missed = {
        INPUTS[str(violation.where["field"])]
        for violation in refused.value.violations
        if "missing" in violation.code
    }
    if removed.name == "made":
        assert missed == {"points"}
    else:
        assert removed.name in missed


def must_be_refused(form: HandForm, name: str, wrong: str) -> None:
    """Check an answer that isn't offered, like a seat that sits out or the lead's bid."""
    chosen, marked = form.chosen, form.marked
    if name in MARKS:
        marked = {**marked, name: (wrong,)}
    else:
        chosen = {**chosen, name: wrong}
    spoiled = begun(form.rules, form.names, form.dealer, chosen, marked)
    with pytest.raises(Refused):
        score(HandRecord.from_mapping(whole_record(spoiled)))
    fitted = spoiled.fitted
    assert wrong not in (fitted.chosen.get(name), *fitted.marked.get(name, ()))


def _left_out(asked: OpenQuestion) -> list[str]:
    offered = {option.value for option in asked.offered}
    left = [each.value for each in asked.question.options if each.value not in offered]
    return [value for value in left if not value.startswith("<")]


@pytest.mark.parametrize("game", GAMES)
def test_a_description_is_the_same_for_every_hand_of_a_table(game: str) -> None:
    """It is made of rules and seats, so it is made once; dealer and answers are no part of it."""
    seats = find(game).seats[0]
    rules = find(game).rules(None, {}, seats)
    assert describe(rules, NAMES[:seats]) is describe(rules, list(NAMES[:seats]))
    assert describe(rules, NAMES[:seats]).seats == NAMES[:seats]


@pytest.mark.parametrize("game", GAMES)
def test_no_bid_of_any_game_takes_more_than_seven_taps_and_a_number(game: str) -> None:
    """With the one that saves: all required answers, and the called card; usual answers are preselected."""
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
    """A winner of all eight, fewer than five or announced tout needs no answer about the first tricks."""
    assert asked("german-solo", "frage", **said).get("first_tricks_won") == choices


def test_conditions_without_a_case_never_hold_and_an_empty_case_always_does() -> None:
    """An option without conditions is offered with any answers."""
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
            assert name in names | {"lead", "active", "others", "dealer", "left_open"}


def _named(described: Description) -> set[str]:
    cases: list[Any] = []
    for each in described.questions:
        cases += [*each.when, *(case for option in each.options for case in option.when)]
        cases += [case for row in each.rows for case in row.near]
        cases += [case for _, when in each.hints for case in when]
    return {name for case in cases for name in case}
