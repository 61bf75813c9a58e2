"""The keys of a result: one table that record, form, schema, report and catalogue read."""

from dataclasses import fields

import pytest

from engine.games import GAMES
from engine.record import Contract, HandRecord
from engine.record.hand import KEYS
from engine.record.results import RESULT, ResultKind
from engine.rules.aims import Result

GERMAN = GAMES["german-solo"].rules(None, {}, 4)


def asked(game: str, bid: str, variant: str | None = None, **options: object) -> list[str]:
    """Return the result keys of a bid's questions, at a table of four."""
    rules = GAMES[game].rules(variant, options, 4 if 4 in GAMES[game].seats else 3)
    return [key.name for key in rules.by_slug[bid].questions]


def test_record_and_result_hold_a_value_for_each_key_and_no_other() -> None:
    """Each under its name, those of the contract in there; written in the order of the table."""
    assert Result._fields == tuple(RESULT)
    in_record = [name for name, key in RESULT.items() if not key.in_contract]
    assert [name for name in KEYS if name in RESULT] == in_record
    assert set(in_record) <= {field.name for field in fields(HandRecord)}
    assert {name for name, key in RESULT.items() if key.in_contract} <= set(Contract._fields)


def test_what_is_asked_is_what_the_bid_is_judged_by() -> None:
    """The others' points where all count, who gave it up where somebody may, a partner where there is one."""
    assert asked("crazy-solo", "solo") == ["points", "points_against"]
    assert asked("six-bid", "solo") == ["points", "points_against"]
    assert asked("six-bid", "misere") == ["made", "conceded"]
    assert asked("six-bid", "misere", misere_by_tricks=True) == ["made", "conceded"]
    german = ["announced_tout", "tricks_won", "first_tricks_won", "matadors"]
    assert asked("german-solo", "frage") == [*german, "asked_partner"]
    assert asked("german-solo", "solo") == german


def test_only_who_may_concede_is_a_choice() -> None:
    """Either side in a misère, the opponents alone in a guarantee."""
    rules = GAMES["six-bid"].rules("hoyle", {}, 4)
    for bid, sides in (("misere", ("bidder", "opponents")), ("guarantee", ("opponents",))):
        assert rules.by_slug[bid].questions[-1].words == sides


@pytest.mark.parametrize(
    ("stated", "answer"),
    [
        ({"first_tricks_won": True}, "on"),
        ({"first_tricks_won": False, "stopped": False}, "lost"),
        ({"first_tricks_won": True, "stopped": True}, "stopped"),
        ({"stopped": True}, "stopped"),
        ({"stopped": False}, None),
        ({}, None),
    ],
)
def test_a_record_comes_to_the_choice_that_would_have_written_it(
    stated: dict[str, object], answer: str | None
) -> None:
    """A side that is not recorded as stopped did not stop; unrecorded first tricks are unknown."""
    assert RESULT["first_tricks_won"].answer(stated) == answer


def test_every_condition_is_about_a_key_of_the_table_and_a_number_of_the_rules() -> None:
    """And each choice of a word is that word, each key is asked or set by another's choice."""
    cases = [case for key in RESULT.values() for case in key.asked_if]
    cases += [choice.when for key in RESULT.values() for choice in key.choices]
    for case in cases:
        assert case.keys() <= RESULT.keys()
        for expected in case.values():
            assert isinstance(expected, bool) or set(expected) <= GERMAN.numbers.keys()
    sets = {name for key in RESULT.values() for each in key.choices for name in each.sets}
    for name, key in RESULT.items():
        assert key.asked_if or name in sets
        assert bool(key.words) == (key.kind is ResultKind.WORD)
        assert all(
            key.kind is not ResultKind.WORD or each.sets == {name: each.value}
            for each in key.choices
        )


def test_what_no_choice_would_have_written_comes_to_none() -> None:
    """A record may contradict itself: only a side that won the first tricks can have stopped."""
    stated = {"first_tricks_won": False, "stopped": True}
    assert RESULT["first_tricks_won"].answer(stated) is None


def test_a_switch_is_only_ever_said() -> None:
    """These did not happen if they are left out; every other key is a question with its answers."""
    assert [name for name, key in RESULT.items() if key.is_switch] == [
        "announced_tout",
        "asked_partner",
    ]
