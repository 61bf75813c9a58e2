"""House rules: typed, with defaults, refused clearly."""

import pytest

from engine.games import GAMES
from engine.options import Kind, Option, choice, number, switch
from tests.engine.hands import crazy, six, violations

EVERY_OPTION = [option for sheet in GAMES.values() for option in sheet.options]


@pytest.mark.parametrize("option", EVERY_OPTION)
def test_every_option_can_be_shown_on_a_page(option: Option) -> None:
    """A plain sentence, a source, a default among the choices, and a word for each choice."""
    assert option.description.endswith(".")
    assert option.source
    assert option.default in option.choices
    assert all(option.word(value) for value in option.choices)
    assert (option.kind is Kind.SWITCH) == isinstance(option.default, bool)


def test_a_choice_has_words() -> None:
    """A switch says yes or no."""
    duel = choice("auction", {"duel": "two at a time", "rotation": "in turn"}, "Who bids.", "002")
    assert (duel.default, duel.word("rotation"), duel.word("else")) == ("duel", "in turn", "else")
    on = switch("on", True, "On.", "002")
    assert (on.word(True), on.word(False)) == ("yes", "no")
    assert on.sentence(True) == "On."
    assert duel.sentence("rotation") == "Who bids: in turn."
    assert number("n", {5: "five"}, "N.", "002").word(5) == "five"


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    """At its own field."""
    (violation,) = violations(six(3, "solo", 70, options={"rounding": 5}))
    assert (violation.code, violation.field) == ("unknown-option", "options.rounding")
    assert "hearts_in_solo" in violation.legal


@pytest.mark.parametrize("value", [1, 0, "true", "yes"])
def test_a_switch_takes_nothing_but_true_and_false(value: object) -> None:
    """Not even a number that looks like one, whatever was scored before."""
    crazy_with_true = crazy(4, "solo", 70, options={"hearts_in_solo": value})
    (violation,) = violations(crazy_with_true)
    assert (violation.code, violation.field) == ("option-value", "options.hearts_in_solo")
    assert violation.legal == ("false", "true")


@pytest.mark.parametrize("value", [True, "5", 10, -5])
def test_a_number_takes_nothing_but_its_choices(value: object) -> None:
    """Rounding to the nearest 10 could meet an exact half, so it is not offered."""
    (violation,) = violations(crazy(4, "solo", 70, options={"rounding": value}))
    assert (violation.code, violation.legal) == ("option-value", ("5", "0"))


def test_every_wrong_option_is_named_at_once() -> None:
    """With the wrong variant and the wrong number of players."""
    found = violations(
        six(
            8,
            "solo",
            70,
            rules="goren",
            options={"rounding": 5, "auction": "shout", "call_own_card": 1},
        )
    )
    assert [violation.code for violation in found] == [
        "unknown-variant",
        "table-size",
        "unknown-option",
        "option-value",
        "option-value",
    ]
