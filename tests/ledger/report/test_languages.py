"""The report in the language of the person printing it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from engine.games import GAMES
from engine.words.language import READER
from engine.words.sentences import say
from ledger.report import render
from ledger.services.reads.session import house_rules
from ledger.services.reads.summary import SessionSummary
from ledger.words.languages import LANGUAGES
from tests.ledger.report import reading
from tests.ledger.report.evenings import NAMES, PRINTED_AT, evening

SAID = {
    "de": ("Endstand", "Chips nach jedem Spiel", "Spielmacher", "Korrigiert von", "Seite 1 von 2"),
    "ja": ("最終順位", "ディールごとのチップ", "ビッダー", "が訂正", "1/2ページ"),
}
TYPED = {
    *NAMES,
    "The",
    "Kitchen",
    "Table",
    "Friday",
    "Dee's",
    "points",
    "were",
    "miscounted",
    "Solo",
}
"""What people have written, and what is said alike everywhere."""


@contextmanager
def read_in(tag: str) -> Iterator[None]:
    """Set the language of all sentences for a while."""
    token = READER.set(LANGUAGES[tag])
    try:
        yield
    finally:
        READER.reset(token)


def told() -> SessionSummary:
    """Return an evening with hands corrected and void, and with house rules."""
    rules = tuple(house_rules(GAMES["crazy-solo"], None, {"rounding": 0, "hearts_in_solo": True}))
    found = evening(hands=24, house_rules=rules)
    hands = tuple(
        replace(
            hand, previous=tuple(replace(old, summary=say("Passed out")) for old in hand.previous)
        )
        for hand in found.hands
    )
    return replace(found, hands=hands)


@pytest.mark.parametrize("tag", SAID)
def test_the_report_is_in_its_reader_s_language_without_a_box(tag: str) -> None:
    """Its words, its figures, its days; nothing is left in English, and a face has every character."""
    with read_in(tag):
        pdf = render(told(), printed_at=PRINTED_AT)
    text = reading.text(pdf)
    for words in SAID[tag]:
        assert words in text, words
    assert ("1.515" if tag == "de" else "1,515") in text
    assert ("3. Oktober 2025" if tag == "de" else "2025年10月3日") in text
    assert "U+" not in text
    if tag == "ja":
        assert set(re.findall(r"[A-Za-z][a-z']{2,}", text)) - TYPED <= _REASONS
    english = reading.text(render(told(), printed_at=PRINTED_AT))
    assert "Final standings" in english


_REASONS = {"Two", "cards", "floor", "the"}


def test_a_line_of_japanese_does_not_begin_with_a_full_stop() -> None:
    """The mark takes the character before it along, however narrow the column is."""
    from ledger.report.text import wrap

    for width in range(3, 9):
        lines = wrap("点を数える。次に、配る。", width)
        first = [laid.runs[0].text[0] for laid in lines]
        assert not set(first) & set("。、"), first
        assert (
            "".join(run.text for laid in lines for run in laid.runs) == "点を数える。次に、配る。"
        )
