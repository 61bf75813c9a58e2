"""The page of refusals is made from the codes and is up to date."""

import runpy
from pathlib import Path

import pytest

from engine.errors.codes import CHAPTERS, CODES
from tests.refusals_page import violation_of

PAGE = Path(__file__).parents[2] / ".docs" / "ERRORS.md"


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    """If this fails: `python -m tests.refusals_page > .docs/ERRORS.md`."""
    with pytest.warns(RuntimeWarning, match="tests.refusals_page"):
        runpy.run_module("tests.refusals_page", run_name="__main__")
    assert capsys.readouterr().out == PAGE.read_text(encoding="utf-8")


def test_every_code_stands_in_one_chapter() -> None:
    """None is missing, none comes twice."""
    codes = [code for chapter in CHAPTERS.values() for code in chapter]
    assert len(codes) == len(set(codes)) == len(CODES)
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"\n### {code}\n" in text for code in codes)


def test_an_example_that_does_not_draw_its_code_makes_no_page() -> None:
    """An example that is scored, or refused with another code."""
    hand = '{"game": "six-bid", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann"}'
    assert violation_of("contract-missing", hand).code == "contract-missing"
    for code, example in (
        ("points-missing", hand),
        ("miscount", hand[:-1] + ', "contract": {"bid": "pass"}}'),
    ):
        with pytest.raises(LookupError, match=code):
            violation_of(code, example)
