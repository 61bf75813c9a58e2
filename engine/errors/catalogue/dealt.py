"""Hands with their cards, in the simplest deal there is, for the examples of the catalogue to spoil.

Four play crazy-solo; each was dealt a whole suit, and Ann goes alone in hers.
"""

from collections.abc import Iterable

from engine.cards.cards import RANKS
from engine.errors.catalogue.hands import hand

SUIT_OF = {"Ann": "S", "Bob": "H", "Cyd": "D", "Dee": "C"}
SUITS = {seat: [rank + suit for rank in reversed(RANKS)] for seat, suit in SUIT_OF.items()}


def alone(
    *swaps: tuple[str, str], first: str | None = None, **changes: object
) -> dict[str, object]:
    """Change the hand: each swap puts two cards in each other's places, `first` is trick 1's cards."""

    def swapped(cards: Iterable[str]) -> str:
        text = " ".join(cards)
        for one, other in swaps:
            text = text.replace(one, "?").replace(other, one).replace("?", other)
        return text

    tricks = [
        {"leader": "Ann", "cards": swapped(rank + suit for suit in SUIT_OF.values())}
        for rank in reversed(RANKS)
    ]
    if first is not None:
        tricks[0] = {"leader": "Ann", "cards": first}
    dealt = {"hands": {seat: swapped(cards) for seat, cards in SUITS.items()}}
    contract = {"bidder": "Ann", "bid": "go-alone", "trump": "S"}
    whole = hand("crazy-solo", "Ann Bob Cyd Dee", contract, deal=dealt, tricks=tricks)
    return whole | changes


def hands(**changes: str) -> dict[str, object]:
    """Change hands of the deal."""
    return {"hands": {**{seat: " ".join(cards) for seat, cards in SUITS.items()}, **changes}}


def calling(**contract: object) -> dict[str, object]:
    """Let Ann play a solo with a called card instead."""
    return alone(
        contract={"bidder": "Ann", "bid": "solo", "trump": "S", "called": "AH", **contract}
    )


SPIT_CARDS = [rank + suit for suit in SUIT_OF.values() for rank in RANKS]


def spat(
    order: list[list[str]] | None = None, drawn: list[list[str]] | None = None, **changes: object
) -> dict[str, object]:
    """Five play crazy-solo for the first time and deal from 36; the last card was spit, all passed.

    The first card dealt is 6♠, which Ann shows to draw the one in the pile.
    """
    dealt = [[[*SUIT_OF, "Eve"][at % 5], card] for at, card in enumerate(SPIT_CARDS[:-1])]
    spit = {
        "order": order or [*dealt, ["spit", "AC"]],
        "drawn": [["Ann", "6S", "AC"]] if drawn is None else drawn,
    }
    return hand("crazy-solo", "Ann Bob Cyd Dee Eve", {"bid": "pass"}, spit=spit, **changes)
