"""The inputs of the hand form: their names and their places in a hand record.

Inputs of the result have the names of their keys in `engine.record.results`.
"""

from collections.abc import Mapping

from engine.cards.cards import split_cards
from engine.record.incidents import SIDES
from engine.record.results import MADE, RESULT, STOPPED, ResultKey, ResultKind, Stated
from engine.record.seats import MOST
from ledger.web.frame.figures import whole_number

CONTRACT = ("bidder", "bid", "trump", "called", "partner")
MARKS = ("doubled", "redoubled")
QUESTIONS = tuple(key for key in RESULT.values() if key.asked_if)
CARDS, CLAIMED_BY, WIDOW, AUCTION = "cards", "claimed_by", "widow", "auction"
HANDS = tuple(f"hand_{place}" for place in range(1, MOST + 1))
"""The inputs of the dealt hands, in the order of the players."""

CLAIMS: Mapping[str, str] = {f"<{side}>": side for side in SIDES}
"""The side that gets the remaining tricks, by the answer that says so."""

STOPS = f"<{STOPPED}>"
"""The answer that the declarer's side stopped after its first tricks."""

DERIVED = (*(key.name for key in RESULT.values() if key.contradiction), MADE)
"""The result keys that follow from the cards."""

FIELDS = (
    *(*CONTRACT, *(key.name for key in QUESTIONS)),
    *(AUCTION, CARDS, CLAIMED_BY, WIDOW, *HANDS),
    *("note", "blind_round"),
)
YES, NO = "yes", "no"

INPUTS: Mapping[str, str] = {
    "contract": "bidder",
    **{f"contract.{name}": name for name in (*CONTRACT, *MARKS)},
    "contract.alone": "partner",
    "blind_round": "blind_round",
    "blind_round.done": "blind_round",
    **{
        RESULT[name].path: key.name
        for key in QUESTIONS
        for choice in key.choices
        for name in choice.sets
    },
    **{key.path: key.name for key in QUESTIONS},
    **dict.fromkeys(("tricks", "deal", "spit", "exchange"), CARDS),
    "deal.widow": WIDOW,
    "auction": AUCTION,
    "claimed": CLAIMED_BY,
    **{name: name for name in ("reason", "replace", "dealer", "lead", "active", "note")},
}
"""Maps a place in the hand record to the name of its input."""


def states(key: ResultKey, text: str) -> Stated:
    """Return the keys that an answer sets and their values; the engine rejects invalid answers."""
    if key.kind is ResultKind.INTEGER:
        return {key.name: whole_number(text)}
    return next((choice.sets for choice in key.choices if choice.value == text), {key.name: text})


def card_words(text: str) -> list[str]:
    """Return the words of a text of cards, also those separated by lines or slashes.

    >>> card_words("AS 9S/7s, TH")
    ['AS', '9S', '7s', 'TH']
    """
    return split_cards(text.replace("/", " "))
