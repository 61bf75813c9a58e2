"""Hands for the tests: short ways to write one down, to score it, and to see why it is refused."""

from collections.abc import Mapping, Sequence

import pytest

from engine.errors import Refused, Violation
from engine.record import HandRecord
from engine.rules.verdict import Verdict
from engine.scoring.score import score

NAMES = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kay", "Leo")


def hand(
    game: str, seats: int, contract: Mapping[str, object] | None, **keys: object
) -> dict[str, object]:
    """Write down a hand of so many seats; the last one deals, so that Ann is on the lead."""
    players = list(NAMES[:seats])
    written: dict[str, object] = {
        "format": 1,
        "game": game,
        "players": players,
        "dealer": players[-1],
    }
    if contract is not None:
        written["contract"] = dict(contract)
    return written | keys


def crazy(seats: int, bid: str, points: int | None = None, **keys: object) -> dict[str, object]:
    """Write a crazy-solo hand that Ann plays; a bid with a partner gets Bob for one."""
    contract: dict[str, object] = {"bidder": "Ann", "bid": bid}
    if bid in ("solo", "go-alone"):
        contract["trump"] = "S"
    if bid in ("solo", "solo-in-hearts", "blind") and seats > 3:
        contract["partner"] = "Bob"
    return _hand("crazy-solo", seats, contract, points, keys)


def six(seats: int, bid: str, points: int | None = None, **keys: object) -> dict[str, object]:
    """Write a six-bid hand that Ann plays, with spades where a suit must be named."""
    contract: dict[str, object] = {"bidder": "Ann", "bid": bid}
    if bid in ("solo", "guarantee", "call-solo"):
        contract["trump"] = "S"
    return _hand("six-bid", seats, contract, points, keys)


def _hand(
    game: str, seats: int, contract: dict[str, object], points: int | None, keys: dict[str, object]
) -> dict[str, object]:
    for key in ("trump", "called", "partner", "alone", "bidder"):
        if key in keys:
            contract[key] = keys.pop(key)
    if points is not None:
        keys["points"] = points
    return hand(
        game, seats, {key: value for key, value in contract.items() if value is not None}, **keys
    )


def passed(game: str, seats: int, **keys: object) -> dict[str, object]:
    """Write down a hand that all passed."""
    return hand(game, seats, {"bid": "pass"}, **keys)


def scored(written: Mapping[str, object]) -> Verdict:
    """Read and score a hand."""
    return score(HandRecord.from_mapping(written))


def violations(written: object) -> Sequence[Violation]:
    """Read and score a hand that must be refused."""
    with pytest.raises(Refused) as refused:
        score(HandRecord.from_mapping(written))
    return refused.value.violations


def refusal(written: object) -> Violation:
    """Read and score a hand that must be refused for one reason alone."""
    (violation,) = violations(written)
    return violation


def deltas(written: Mapping[str, object]) -> list[int]:
    """Return the gain or loss of each seat, in the order of the seats."""
    return list(scored(written).deltas.values())
