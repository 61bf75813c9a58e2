"""Hands and rates in a card player's words, as the evenings in `evenings.toml` files state them."""

import re

from ledger.services.session.view import Rate
from tests.ledger import table
from tests.ledger.evenings import Hand

SUITS = {"spades": "S", "clubs": "C", "hearts": "H", "diamonds": "D"}
HAND = (
    r"(?P<bidder>\w+) plays (?P<bid>[a-z-]+)(?: in (?P<trump>\w+))?"
    r"(?: calling (?P<called>\w\w))?(?: with (?P<partner>\w+))?: (?P<points>\d+)"
)
GERMAN = r"(?P<declarer>\w+) (?P<result>makes|loses) a German solo"


def hand(text: str) -> Hand:
    """Parse a hand.

    >>> hand("Ann plays solo-in-hearts calling AH with Bob: 74")
    {'contract': {'bidder': 'Ann', 'bid': 'solo-in-hearts', 'called': 'AH', 'partner': 'Bob'}, 'points': 74}
    """
    if dealt := re.fullmatch(r"(\w+) deals, (.+)", text):
        return {"dealer": dealt[1], **hand(dealt[2])}
    if text == "all pass":
        return table.ALL_PASS
    if german := re.fullmatch(GERMAN, text):
        return table.german_solo(german["declarer"], made=german["result"] == "makes")
    match = re.fullmatch(HAND, text)
    if match is None:
        raise ValueError(f"no hand: {text}")
    contract = {name: value for name, value in match.groupdict().items() if value is not None}
    points = int(contract.pop("points"))
    if "trump" in contract:
        contract["trump"] = SUITS[contract["trump"]]
    return {"contract": contract, "points": points}


def rate(text: str) -> Rate | None:
    """Parse a rate: chips to the smallest coin, or "none"."""
    if text == "none":
        return None
    chips, money = text.split("/")
    return Rate(int(chips), int(money))
