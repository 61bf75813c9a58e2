"""The card pad reads a text of cards as the engine does, so that it shows what the form has read."""

import json
from itertools import product
from typing import TYPE_CHECKING

import pytest

from engine.cards.cards import Card, split_cards
from engine.cards.languages import JOINTS, LANGUAGES, LONGEST
from ledger.runtime.paths import STATIC

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

READ = """([words, texts]) => {
  document.body.innerHTML = `<script type="application/json" id="card-words"></script>`;
  document.getElementById("card-words").textContent = JSON.stringify(words);
  return texts.map((text) => soloCardText.read(text).cards);
}"""

STRANGE = [
    "",
    "x",
    "AS.",
    "constructor",
    "s" * 25 + "a",
    "1\ufe0f0\ufe0fH",
    "A\u2660\ufe0f",
    "\uff21\uff33",
]
"""Texts that are hardly cards: names that every object has, too long, coloured signs, wide letters."""


def card(text: str) -> list[str]:
    """Return the engine's card of a text, or none."""
    try:
        return [str(Card.parse(text))]
    except ValueError:
        return []


def test_the_pad_reads_every_spelling_of_every_language_as_the_engine_does(phone: "Phones") -> None:
    """With every word and joint, in either order, also words of two languages; ambiguous ones are no card."""
    page = phone()
    script = (STATIC / "cards" / "text.js").read_text(encoding="utf-8")
    page.add_script_tag(content=script.replace("const solo", "globalThis.solo", 1))
    ranks = {word for ranks, _ in LANGUAGES for word in ranks}
    suits = {word for _, suits in LANGUAGES for word in suits}
    joints = ["", *(joint for joint in JOINTS if joint.strip() == joint)]
    words = [
        joint.join(pair)
        for rank, suit in product(sorted(ranks), sorted(suits))
        for joint, pair in product(joints, ((rank, suit), (suit, rank)))
    ]
    words += [word.upper() for word in words[::7]] + STRANGE
    known = {"languages": LANGUAGES, "joints": ["", *JOINTS], "longest": LONGEST}
    found = page.evaluate(READ, [json.loads(json.dumps(known)), words])
    differing = [
        (word, cards, card(word))
        for word, cards in zip(words, found, strict=True)
        if cards != card(word)
    ]
    assert differing == []
    assert card("dk") == []
    text = "AS,9S;7S、TS，8D；6D / KS\nQS"
    assert page.evaluate(READ, [json.loads(json.dumps(known)), [text]]) == [
        split_cards(text.replace("/", " "))
    ]
