"""Violations, refusals, and the catalogue of their codes."""

import ast
from pathlib import Path

import pytest

import engine
from engine.errors import LONGEST, Refused, Violation, printable, show
from engine.errors.codes import CODES, examples
from engine.record.reading import MOST_PROBLEMS
from tests.refusals_page import score_example


@pytest.mark.parametrize("code", CODES)
def test_the_example_of_a_code_is_refused_with_it_alone(code: str) -> None:
    """Each example in the catalogue draws its own code."""
    with pytest.raises(Refused) as refused:
        score_example(examples()[code])
    others = ["unknown-card"] * MOST_PROBLEMS if code == "too-many-mistakes" else []
    assert [violation.code for violation in refused.value.violations] == [*others, code]


def test_the_catalogue_lists_the_codes_in_use_and_no_others() -> None:
    """Every code that the source names is declared; none is declared for nothing."""
    named = {"cannot-be-doubled", "cannot-be-redoubled"}  # formatted from the key
    for path in Path(engine.__file__).parent.rglob("*.py"):
        if path.name != "codes.py":
            tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            named |= {
                node.value
                for node in tree
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
    assert [code for code in CODES if code not in named] == []


def test_every_code_has_a_meaning_that_is_a_sentence() -> None:
    """For the page that is made from it."""
    for code, meaning in CODES.items():
        assert meaning.endswith("."), code


def test_a_code_must_stand_in_the_catalogue() -> None:
    """A typing error in one is found at once."""
    with pytest.raises(LookupError):
        Violation("no-such-code", "", {})


def test_a_violation_is_a_value() -> None:
    """Equal when alike, usable in a set, and not to be changed."""
    where = {"field": "points"}
    one = Violation("miscount", "No.", where, ("2",))
    where["field"] = "changed later"
    assert one == Violation("miscount", "No.", {"field": "points"}, ("2",))
    assert len({one, Violation("miscount", "No.", {"field": "points"}, ("2",))}) == 1
    assert one.field == "points"
    assert Violation("miscount", "No.", {}).field == ""
    assert one.to_mapping() == {
        "code": "miscount",
        "message": "No.",
        "where": {"field": "points"},
        "legal": ["2"],
    }


def test_nothing_is_refused_without_a_reason() -> None:
    """`Refused` has one violation or more, and its text contains all of them."""
    with pytest.raises(ValueError, match="without a violation"):
        Refused([])
    refused = Refused([Violation("miscount", "One.", {}), Violation("ill-typed", "Two.", {})])
    assert str(refused) == "One. Two."
    assert refused.to_mapping() == {
        "ok": False,
        "violations": [
            {"code": "miscount", "message": "One.", "where": {}},
            {"code": "ill-typed", "message": "Two.", "where": {}},
        ],
    }


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "true"),
        (False, "false"),
        (None, "nothing"),
        ({}, "a table of keys"),
        ([], "a list"),
        (74, "74"),
        (10**400, "a number out of range"),
        (7.5, "7.5"),
        ("abc", '"abc"'),
        ("x" * 500, '"' + "x" * LONGEST + '…"'),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_a_value_can_stand_in_a_sentence(value: object, shown: str) -> None:
    """However long or odd it is."""
    assert show(value) == shown


def test_half_a_character_is_shown_as_its_number() -> None:
    """So that every message can be printed."""
    assert printable("a\udfff") == "a\\udfff"
