"""Random but plausible hands of each game, as a scorer would enter them from the result."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

Hand = Mapping[str, Any]
PASSED: Hand = {"contract": {"bid": "pass"}}


def draw(chance: Random, game: str, active: Sequence[str]) -> Hand:
    """Return a random hand of a game, in the form of a request, with a random active player as bidder."""
    bidder, *others = chance.sample(active, len(active))
    return _DRAW[game](chance, bidder, others)


def _points(chance: Random) -> int:
    """Return card points near the 60 that most contracts need; sums of 1 and 119 can't occur."""
    return min(max(round(chance.gauss(66, 15)), 14), 116)


def _crazy_solo(chance: Random, bidder: str, others: Sequence[str]) -> Hand:
    trump = chance.choice("SHDC")
    hand = {"points": _points(chance)}
    if chance.random() < 0.25:
        return {**hand, "contract": {"bidder": bidder, "bid": "go-alone", "trump": trump}}
    called = chance.choice("ATK") + chance.choice([suit for suit in "SHDC" if suit != trump])
    bid = {"bid": "solo-in-hearts"} if trump == "H" else {"bid": "solo", "trump": trump}
    return {**hand, "contract": {"bidder": bidder, **bid, "called": called, "partner": others[0]}}


def _six_bid(chance: Random, bidder: str, _others: Sequence[str]) -> Hand:
    bid = chance.choices(
        ("solo", "heart-solo", "misere", "guarantee", "spread-misere", "call-solo"),
        (40, 25, 15, 10, 5, 5),
    )[0]
    contract = {"bidder": bidder, "bid": bid}
    match bid:
        case "solo":
            return {
                "contract": {**contract, "trump": chance.choice("SDC")},
                "points": _points(chance),
            }
        case "heart-solo":
            return {"contract": contract, "points": _points(chance)}
        case "misere" | "spread-misere" if chance.random() < 0.3:
            return {"contract": contract, "conceded": chance.choice(("bidder", "opponents"))}
        case "guarantee":
            contract["trump"] = chance.choice("SHDC")
        case "call-solo":
            contract |= {"trump": "H", "called": chance.choice(("AS", "AD", "AC"))}
    return {"contract": contract, "made": chance.random() < 0.6}


def _frog(chance: Random, bidder: str, _others: Sequence[str]) -> Hand:
    bid = chance.choices(("frog", "chico", "grand"), (5, 4, 2))[0]
    trump = {"trump": chance.choice("SDC")} if bid == "chico" else {}
    return {"contract": {"bidder": bidder, "bid": bid, **trump}, "points": _points(chance)}


def _progressive(chance: Random, bidder: str, others: Sequence[str]) -> Hand:
    bids = ("frog", "spade-solo", "club-solo", "diamond-solo", "heart-solo")
    contract: dict[str, Any] = {"bidder": bidder, "bid": chance.choices(bids, (5, 4, 3, 2, 1))[0]}
    if chance.random() < 0.25:
        contract["doubled"] = [others[0]]
        if chance.random() < 0.3:
            contract["redoubled"] = [others[0]]
    return {"contract": contract, "points": _points(chance)}


def _german_solo(chance: Random, bidder: str, others: Sequence[str]) -> Hand:
    bid = chance.choices(("frage", "solo", "grossfrage", "force"), (6, 3, 1, 1))[0]
    trump = chance.choice("SHDC")
    contract = {"bidder": bidder, "bid": bid, "trump": trump}
    if bid != "solo":
        plain = [suit for suit in "SHDC" if suit != trump]
        contract |= {"called": "A" + chance.choice(plain), "partner": others[0]}
    won = chance.choice((3, 4, 5, 5, 6, 6, 7))
    matadors = chance.choices(("split", "declarers", "defenders"), (8, 2, 1))[0]
    hand = {"contract": contract, "tricks_won": won, "matadors": matadors}
    return {**hand, "first_tricks_won": False}


_DRAW: Mapping[str, Callable[[Random, str, Sequence[str]], Hand]] = {
    "crazy-solo": _crazy_solo,
    "six-bid": _six_bid,
    "frog": _frog,
    "progressive": _progressive,
    "german-solo": _german_solo,
}
