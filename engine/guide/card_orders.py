"""The order of the cards in every game as one small table, from which a page referees the play."""

from typing import TypedDict

from engine.cards.card_sets import cards_of
from engine.cards.cards import CARDS, SUITS, Card, Suit
from engine.cards.ranking import ACE_TEN_RANKS, MATADOR_RANKS, CardOrder, Ranking


class CardOrderTable(TypedDict):
    """The ranks of a plain suit and, for each trump letter or none (""), the trumps; both from high to low.

    With `must_trump` a seat that can't follow suit must play a trump. `matadors` is the number of highest
    trumps that are paid for.
    """

    ranks: str
    must_trump: bool
    matadors: int
    trumps: dict[str, str]


RANKINGS: dict[str, Ranking] = {"ace-ten": ACE_TEN_RANKS, "matadors": MATADOR_RANKS}
"""The rankings by the names that pages use."""


def card_orders() -> dict[str, CardOrderTable]:
    """Return the table of each ranking by its name, for pages; the engine itself plays by `CardOrder`.

    >>> card_orders()["ace-ten"]["trumps"]["H"]
    'AH TH KH QH JH 9H 8H 7H 6H'
    >>> card_orders()["matadors"]["trumps"][""]
    'QC QS'
    """
    return {name: _table(ranking) for name, ranking in RANKINGS.items()}


def _table(ranking: Ranking) -> CardOrderTable:
    """Return the table of one ranking, read from its orders under no trump suit and under each."""
    hearts = [card for card in CARDS if card.suit is Suit.HEARTS]
    six_of_clubs, under_spades = Card.parse("6C"), ranking.under(Suit.SPADES)
    duty = under_spades.laws[six_of_clubs][hearts[0]][1] & under_spades.trumps
    return {
        "ranks": "".join(card.rank for card in _from_high(ranking.under(None), hearts)),
        "must_trump": bool(duty),
        "matadors": ranking.matadors(Suit.SPADES).bit_count(),
        "trumps": {
            trump.value if trump else "": " ".join(map(str, _trumps(ranking.under(trump))))
            for trump in (None, *SUITS)
        },
    }


def _trumps(order: CardOrder) -> list[Card]:
    """Return the trumps of an order from high to low."""
    return _from_high(order, list(cards_of(order.trumps)))


def _from_high(order: CardOrder, suit: list[Card]) -> list[Card]:
    """Return the given cards of one suit from high to low by their strength when it is led."""
    return sorted(suit, key=lambda card: order.laws[suit[0]][card][2], reverse=True)
