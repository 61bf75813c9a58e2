"""The names and letters of cards, and sentences about their play, for scripts, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from engine.cards.cards import CARDS, RANKS
from engine.words.sentences import later, say, word
from ledger.words.translation import reader, translate

_RANKS = {
    "A": word("ace"),
    "T": word("ten"),
    "K": word("king"),
    "Q": word("queen"),
    "J": word("jack"),
    "9": word("nine"),
    "8": word("eight"),
    "7": word("seven"),
    "6": word("six"),
}

PLAY_TEXTS = {
    "points": later("{who}: {n} of {goal}"),
    "tricks": later("{who}: {n} of {goal} tricks"),
    "no_points": later("{who}: {n}, none allowed"),
    "no_tricks": later("{who}: {n} tricks, none allowed"),
    "played": later("{who} played the {card}."),
    "wins_trick": later("{who} wins trick {trick}."),
    "wins": later("{who} wins trick {trick} with {points} card points."),
    "is_to_play": later("{who} is to play."),
}
"""The sentences about a play, in which scripts fill in the values."""


def card_words() -> Mapping[str, Any]:
    """Return the name of each card, the letter of each rank, and whether the suit comes first."""
    return {
        "names": {
            str(card): translate(
                say("{rank} of {suit}", rank=_RANKS[card.rank], suit=word(card.suit.word))
            )
            for card in CARDS
        },
        "ranks": {rank: reader().rank(rank) for rank in RANKS},
        "suit_first": reader().suit_first,
    }


def templates(sentences: Mapping[str, str]) -> dict[str, str]:
    """Return sentences in the reader's language, with the names of their values."""
    return {key: reader().template(text) or text for key, text in sentences.items()}
