"""Messages rendered in English, and in a language that overrides it."""

import pickle
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given

import engine
from engine.record import HandRecord
from engine.rules.verdict import Step
from engine.scoring.score import score
from engine.words.language import ENGLISH, Language, Sentence
from engine.words.sentences import say, word
from engine.words.steps import STEPS
from tests.engine.games.test_german_solo import german
from tests.engine.hands import scored
from tests.engine.strategies import hands


class German(Language):
    """A translation of some steps."""

    conjunction = "und"
    messages: ClassVar = {
        STEPS["tricks-made"]: "{tricks} von {of:Stich|Stichen}, {needed} nötig: gewonnen",
        STEPS["base"]: "{bid:term} zählt {amount}",
        STEPS["feat"]: "{feat:prime=Prime|tout=Tout}: noch {more} = {amount}",
        STEPS["score-each"]: "{names:and} bekommen je {amount} {amount:~Punkt|Punkte}",
        STEPS["target-made"]: "{points}{trump:? in {trump:term}}",
        "hearts": "Herz",
        "late": "spät",
    }

    def template(self, english: str) -> str | None:
        """Return the translation of a template; `None` if there is none."""
        return self.messages.get(english)


GERMAN = German()


def test_a_sentence_is_a_text_like_any_other() -> None:
    """Code that formats one fills its braces: no brace is left on a page without an error."""
    assert Sentence("{n} left", "{n} left", {}).format(n=3) == "3 left"


def test_a_step_is_said_in_another_language_from_the_same_values() -> None:
    """Templates, plural forms, words and the conjunction are the translation's own."""
    verdict = scored(german("frage", 5, stopped=True, first_tricks_won=True))
    assert [step.render(GERMAN) for step in verdict.steps] == [
        "5 von 8 Stichen, 5 nötig: gewonnen",
        "Frage zählt 2",
        "Prime: noch 2 = 4",
        "Ann und Bob bekommen je 4 Punkte",
    ]


@pytest.mark.parametrize(("trump", "text"), [("hearts", "74 in Herz"), (None, "74")])
def test_a_value_of_nothing_leaves_its_text_out(trump: str | None, text: str) -> None:
    """A trump suit is named only where it makes a difference."""
    assert Step("target-made", {"points": 74, "trump": trump}, "002").render(GERMAN) == text


def test_a_term_that_is_not_listed_is_said_as_it_is() -> None:
    """Names of bids are the same in many languages."""
    assert Step("base", {"bid": "Frage", "amount": 2}, "003").text == "Frage counts 2"
    assert Step("base", {"bid": "Frage", "amount": 2}, "003").render(GERMAN) == "Frage zählt 2"


@pytest.mark.parametrize(
    ("value", "text"), [(0, "no tricks"), (1, "1 trick"), (-1, "-1 trick"), (1200, "1,200 tricks")]
)
def test_a_number_chooses_its_form(value: int, text: str) -> None:
    """One value may have a text of its own."""
    assert say("{n:0=no tricks|trick|tricks}", n=value) == text


def test_a_value_without_a_text_of_its_own_is_written_as_it_is() -> None:
    """A step stored by a newer version may have a word that this one does not know."""
    assert say("{by:bidder=he|opponents=they} gave up", by="opponents") == "they gave up"
    assert say("{by:bidder=he|opponents=they} gave up", by="<x>").__html__() == "&lt;x&gt; gave up"


def test_a_word_that_begins_a_line_begins_it_in_any_language() -> None:
    """The capital of the English text is that of the translation."""
    assert GERMAN.translate(Sentence("Late", "late", {})) == "Spät"
    assert GERMAN.translate(Sentence("late", "late", {})) == "spät"
    assert GERMAN.translate("late") == "late"


@given(hands())
def test_every_step_of_every_game_has_its_words_and_its_source(record: HandRecord) -> None:
    """In English, with nothing left unfilled."""
    for step in score(record).steps:
        assert step.text == ENGLISH.render(STEPS[step.key], step.values)
        assert "{" not in step.text.replace(str(record.players), "") or "{" in str(record.players)
        assert step.source in ("000", "002", "003", "sheet")


def test_every_template_is_used() -> None:
    """Each is the words of a step."""
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(engine.__file__).parent.rglob("*.py")
        if path.name != "steps.py"
    )
    built = {"won", "lost", "won-both", "lost-both"}
    assert {key for key in STEPS if f'"{key}"' not in source} <= built


def test_what_was_said_once_is_said_alike_again_and_a_list_is_no_hindrance() -> None:
    """Rendered steps are cached by their values; values without a hash are rendered each time."""
    for _ in range(2):
        assert Step("won", {"principal": "Ann", "others": ("Bob",)}, "002").text == (
            "Ann is paid by Bob"
        )
        assert Step("won", {"principal": "Ann", "others": ["Bob", "Cyd"]}, "002").text == (
            "Ann is paid by Bob and Cyd"
        )


def test_a_page_escapes_a_sentence_s_values_but_code_gets_plain_text() -> None:
    """A word among others is a sentence too."""
    sentence = say("{names:or} & co, {all:list}", names=[word("spades"), "<b>"], all=["x", "y"])
    assert sentence == "spades or <b> & co, x, y"
    assert sentence.__html__() == "spades or &lt;b&gt; &amp; co, x, y"


def test_a_sentence_survives_pickling() -> None:
    """With its template and values, so that it can still be translated."""
    sentence = say("{n:chip|chips} of {all:figure}", n=3, all="1,200")
    repeated = pickle.loads(pickle.dumps(sentence))  # noqa: S301  # our own bytes
    assert (repeated, repeated.template, repeated.values) == (
        sentence,
        sentence.template,
        sentence.values,
    )
    assert sentence == "3 chips of 1,200"
