"""Steps put into words, in English and in any language that somebody writes down."""

from hypothesis import given

from engine.record import HandRecord
from engine.rules.verdict import Step
from engine.scoring.score import score
from engine.words.english import ENGLISH
from engine.words.language import Language, Sentence
from tests.engine.games.test_german_solo import german
from tests.engine.hands import scored
from tests.engine.strategies import hands

GERMAN = Language(
    "de",
    templates={
        "tricks-made": "{tricks} von {of:trick}, {needed} nötig: gewonnen",
        "base": "{bid:term} zählt {amount}",
        "feat": "{feat:term}: noch {more} = {amount}",
        "score-each": "{names:and} bekommen je {amount:point}",
        "target-made": "{points}{trump:?in-trump}",
        "in-trump": " in {trump:term}",
    },
    nouns={
        "trick": ("einem Stich", "{} Stichen"),
        "point": ("einen Punkt", "{} Punkte"),
    },
    terms={"prime": "Prime", "hearts": "Herz"},
    conjunction="und",
    form=lambda number: 0 if number == 1 else 1,
)


def test_a_sentence_is_a_text_like_any_other() -> None:
    """Whoever fills one in gets it filled in: no brace is left on a page without an error."""
    assert Sentence("{n} left", "{n} left", {}).format(n=3) == "3 left"


def test_a_step_is_said_in_another_language_from_the_same_values() -> None:
    """Templates, nouns, terms and the word between names are the translation's own."""
    verdict = scored(german("frage", 5, stopped=True, first_tricks_won=True))
    assert [step.spoken(GERMAN) for step in verdict.steps] == [
        "5 von 8 Stichen, 5 nötig: gewonnen",
        "Frage zählt 2",
        "Prime: noch 2 = 4",
        "Ann und Bob bekommen je 4 Punkte",
    ]


def test_a_value_of_nothing_leaves_its_template_out() -> None:
    """A trump suit is named only where it makes a difference."""
    for trump, said in (("hearts", "74 in Herz"), (None, "74")):
        assert Step("target-made", {"points": 74, "trump": trump}, "002").spoken(GERMAN) == said


def test_a_term_that_is_not_listed_is_said_as_it_is() -> None:
    """Names of bids are the same in every language."""
    assert Step("base", {"bid": "Frage", "amount": 2}, "003").text == "Frage counts 2"


def test_what_a_translation_lacks_can_be_listed() -> None:
    """Templates, nouns and terms; English lacks nothing of itself."""
    assert ENGLISH.missing(ENGLISH) == frozenset()
    missing = GERMAN.missing(ENGLISH)
    assert {"over-half", "card point", "clubs"} <= missing
    assert not missing & {"base", "trick", "prime"}


@given(hands())
def test_every_step_of_every_game_has_its_words_and_its_source(record: HandRecord) -> None:
    """In English, with nothing left unfilled."""
    for step in score(record).steps:
        assert step.key in ENGLISH.templates
        assert step.text == ENGLISH.say(step.key, step.values)
        assert "{" not in step.text.replace(str(record.players), "") or "{" in str(record.players)
        assert step.source in ("000", "002", "003", "sheet")


def test_every_template_is_used() -> None:
    """Each is the words of a step, or named by another template."""
    import engine

    source = "".join(
        path.read_text(encoding="utf-8")
        for path in __import__("pathlib").Path(engine.__file__).parent.rglob("*.py")
        if path.name != "english.py"
    )
    named = {key for key in ENGLISH.templates if f'"{key}"' in source}
    inner = {
        key
        for key in ENGLISH.templates
        if any(f":?{key}}}" in t for t in ENGLISH.templates.values())
    }
    built = {"won", "lost", "won-both", "lost-both"}
    assert set(ENGLISH.templates) == named | inner | built


def test_what_was_said_once_is_said_alike_again_and_a_list_is_no_hindrance() -> None:
    """Sentences are kept by their values; values that cannot be looked up are put into words anew."""
    for _ in range(2):
        assert Step("won", {"principal": "Ann", "others": ("Bob",)}, "002").text == (
            "Ann is paid by Bob"
        )
        assert Step("won", {"principal": "Ann", "others": ["Bob", "Cyd"]}, "002").text == (
            "Ann is paid by Bob and Cyd"
        )
