"""Rows of answers are drawn once and kept, and each form shows its own all the same."""

from dataclasses import replace
from typing import Any

from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.games import GAMES
from engine.words.language import READER
from ledger.web.hand import taps
from ledger.web.hand.form import HandForm
from ledger.web.hand.questions import describe
from ledger.words.languages import LANGUAGES
from tests.ledger.web.random_forms import NAMES, forms


def drawn(app: Flask, form: HandForm, tag: str, **instead: Any) -> str:
    """Draw the questions of a form as it stands, for a reader of a language."""
    token = READER.set(LANGUAGES[tag])
    try:
        made = app.jinja_env.get_template("parts/hand_inputs.html").make_module(
            {"live": True, **instead}
        )
        return str(made.questions(replace(form), {}))  # type: ignore[attr-defined]
    finally:
        READER.reset(token)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(forms(), st.sampled_from(["en", "de", "ja"]))
def test_a_form_of_kept_rows_is_the_form_drawn_anew(app: Flask, form: HandForm, tag: str) -> None:
    """With any rows drawn before it, at other tables and in other languages."""
    with app.test_request_context():
        anew = drawn(app, form, tag, cached=lambda macro, *values: macro(*values))
        assert drawn(app, form, tag) == anew


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(forms())
def test_a_form_shown_again_draws_no_row(app: Flask, form: HandForm) -> None:
    """All its rows were drawn a moment ago."""
    with app.test_request_context():
        drawn(app, form, "en")
        before = taps._rendered.cache_info().misses
        drawn(app, form, "en")
        assert taps._rendered.cache_info().misses == before


def test_a_table_is_described_once_in_each_language() -> None:
    """The description follows from the rules, the names and the language, and from nothing else."""
    rules = GAMES["crazy-solo"].rules(None, {}, 5)
    token = READER.set(LANGUAGES["de"])
    try:
        german = describe(rules, NAMES[:5])
        assert describe(rules, NAMES[:5]) is german
        assert german.script is german.script
    finally:
        READER.reset(token)
    english = describe(rules, NAMES[:5])
    assert [each.label for each in english.questions][:2] == ["Caller", "Bid"]
    assert [each.label for each in german.questions][:2] == ["Spielmacher", "Gebot"]
    assert describe(rules, NAMES[1:6]) is not english
