"""Readers are answered in their language."""

import pickle
from datetime import date
from typing import Any

import pytest

from engine.cards.cards import Card
from engine.words.language import READER, Sentence
from engine.words.sentences import say
from ledger.services.session.hand_versions import HandVersion
from ledger.words import numbers
from ledger.words.languages import ENGLISH, LANGUAGES
from ledger.words.translation import cached_per_language, translate
from tests.catalogues import OTHERS


def test_a_sentence_keeps_what_it_is_made_of() -> None:
    """It is English text to all that does not know better, also after a trip to another process."""
    inner = say("Hand {number}", number=3)
    sentence = say("{what} is void.", what=inner)
    assert sentence == "Hand 3 is void."
    repeated = pickle.loads(pickle.dumps(sentence))  # noqa: S301 - our own, made just now
    assert isinstance(repeated, Sentence)
    assert (repeated.template, repeated.values) == ("{what} is void.", {"what": inner})


def test_a_sentence_on_a_page_is_safe_and_in_its_reader_s_language() -> None:
    """Its values are escaped there; a sentence without translation is in English."""
    token = READER.set(LANGUAGES["de"])
    try:
        said = say("There is nothing at this address.")
        assert translate(said) == "Unter dieser Adresse gibt es nichts."
        assert said.__html__() == "Unter dieser Adresse gibt es nichts."
        assert say("{who} & co", who="<b>").__html__() == "&lt;b&gt; &amp; co"
    finally:
        READER.reset(token)


@pytest.mark.parametrize(
    ("tag", "number", "money", "day", "cards"),
    [
        ("en", "−1,234", "1,234.50", "3 October 2025", "10♦ Q♣ J♥"),
        ("de", "−1.234", "1.234,50", "3. Oktober 2025", "♦10 ♣D ♥B"),
        ("ja", "−1,234", "1,234.50", "2025年10月3日", "♦10 ♣Q ♥J"),
    ],
)
def test_figures_days_and_cards_are_written_as_the_language_writes_them(
    tag: str, number: str, money: str, day: str, cards: str
) -> None:
    """Numbers, money, dates and the letters on court cards follow the reader."""
    token = READER.set(LANGUAGES[tag])
    try:
        assert numbers.number(-1234) == number
        assert numbers.money(123450, "EUR") == money
        assert numbers.day(date(2025, 10, 3)) == day
        assert " ".join(numbers.card(Card.parse(each)) for each in ("TD", "QC", "JH")) == cards
    finally:
        READER.reset(token)


@pytest.mark.parametrize("tag", OTHERS)
def test_every_language_has_a_catalogue_but_english(tag: str) -> None:
    """English is the source of the templates."""
    assert len(LANGUAGES[tag].messages) > 1_000
    assert ENGLISH.template("There is nothing at this address.") is None


def test_a_phrase_that_was_capitalised_stays_so_on_a_page() -> None:
    """Also if it begins with a value; a name in small letters isn't changed."""
    phrase = say("{bidder}'s side", bidder=say("declarer"))
    capitalised = Sentence(phrase[:1].upper() + phrase[1:], phrase.template, phrase.values)
    assert ENGLISH.translate(capitalised) == "Declarer's side"
    assert ENGLISH.translate(phrase) == "declarer's side"
    assert ENGLISH.translate(say("{name} leads.", name="Ann")) == "Ann leads."
    assert ENGLISH.translate(say("{name} leads.", name="ann")) == "ann leads."


def test_a_payout_is_explained_in_the_language_of_who_reads_it() -> None:
    """A stored verdict is put into words when it is asked for."""
    step = {"key": "won", "values": {"principal": "Ann", "others": ["Bob"]}, "source": "002"}
    nobody: Any = None
    version = HandVersion(
        *(1, 1, 1, "standing", 1, "recorded", {}, {"steps": [step]}, (), "1"),
        *(None, None, None, "Sue", nobody, nobody),
    )
    token = READER.set(LANGUAGES["de"])
    try:
        assert version.localized_verdict["explanation"] == ["Ann kassiert von Bob"]
    finally:
        READER.reset(token)
    assert version.localized_verdict["explanation"] == ["Ann is paid by Bob"]


def test_what_is_kept_for_one_language_is_not_told_in_another() -> None:
    """Each reader gets their own, in any order and number of requests."""
    made = []

    @cached_per_language
    def written(value: int) -> str:
        made.append(value)
        return numbers.number(value)

    read = []
    for tag in ("en", "de", "en", "de"):
        token = READER.set(LANGUAGES[tag])
        read.append(written(1234))
        READER.reset(token)
    assert read == ["1,234", "1.234"] * 2
    assert made == [1234, 1234]
