"""The page of refusals is made from the catalogue, and is up to date."""

import runpy
from pathlib import Path

import pytest

from engine.errors.codes import CHAPTERS, CODES
from tests.refusals_page import page, violation_of

PAGE = Path(__file__).parents[2] / ".docs" / "ERRORS.md"


def test_the_page_is_what_the_catalogue_makes_of_it() -> None:
    """If this fails: `python -m tests.refusals_page > .docs/ERRORS.md`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    """As the page itself says it is made."""
    with pytest.warns(RuntimeWarning, match="tests.refusals_page"):
        runpy.run_module("tests.refusals_page", run_name="__main__")
    assert capsys.readouterr().out == page()


def test_every_code_stands_in_one_chapter() -> None:
    """None is lost, none is there twice."""
    codes = [code for chapter in CHAPTERS.values() for code in chapter]
    assert len(codes) == len(set(codes)) == len(CODES)
    assert all(f"\n### {code}\n" in page() for code in codes)


def test_an_example_that_does_not_draw_its_code_makes_no_page() -> None:
    """Neither one that is scored, nor one that is refused for something else."""
    hand = '{"game": "six-bid", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann"}'
    assert violation_of("contract-missing", hand).code == "contract-missing"
    for code, example in (
        ("points-missing", hand),
        ("miscount", hand[:-1] + ', "contract": {"bid": "pass"}}'),
    ):
        with pytest.raises(LookupError, match=code):
            violation_of(code, example)
