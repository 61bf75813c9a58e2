"""What one hand adds to the books and to the sums beside them: from its record and verdict alone.

By places at the table, as the record names its players; who sits there is not asked. Saving a hand, reversing
it and verifying all go by it, the last in processes that read no books.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from engine import games
from engine.record import PASS
from ledger.sides import Side

POTS = ("frog", "solo")
"""The pots of a session, by their names in a record."""

_PLACES = range(1000)
"""The places at a table; there are never so many."""


class Shares(NamedTuple):
    """What one hand adds, by places.

    ``amounts`` are what each place got, ``sides`` on which side it was; ``bidder`` is None where all passed.
    ``paid`` maps (payer, payee) to an amount; what was paid into a pot, or out of one, is nobody's.
    ``pots`` are what each pot held before, then what each got, in the order of ``POTS``; none at a table
    without. ``unit`` is chips, or a score that nobody pays.
    """

    game: str
    bid: str
    outcome: str
    unit: str
    bidder: int | None
    sides: tuple[str, ...]
    amounts: tuple[int, ...]
    paid: Mapping[tuple[int, int], int]
    pots: tuple[int, ...]


def shares(record: Mapping[str, Any], verdict: Mapping[str, Any]) -> Shares:
    """Return what a hand adds, by its record and its verdict as it is kept."""
    game, bidder, players = record["game"], verdict["bidder"], tuple(record["players"])
    place_of = dict(zip(players, _PLACES, strict=False))
    paid: dict[tuple[int, int], int] = {}
    for transfer in verdict["transfers"]:
        amount, payer, payee = transfer["amount"], transfer["from"], transfer["to"]
        if amount and payer in place_of and payee in place_of:
            pair = place_of[payer], place_of[payee]
            paid[pair] = paid.get(pair, 0) + amount
    contract, deltas = record.get("contract"), verdict["deltas"]
    return Shares(
        game,
        contract.get("bid", PASS) if contract else PASS,
        verdict["outcome"],
        games.find(game).unit,
        None if bidder is None else place_of[bidder],
        _sides(players, _active(record, players), bidder, verdict["partner"]),
        tuple([deltas[name] for name in players]),
        paid,
        _pots(record, verdict) if "pots" in verdict else (),
    )


def into_pots(record: Mapping[str, Any], verdict: Mapping[str, Any]) -> dict[str, int]:
    """Return what each pot got; nothing at a table without pots."""
    after = verdict.get("pots")
    if after is None:
        return {}
    before = record["pots"]
    return {name: after[name] - before[name] for name in POTS}


def _pots(record: Mapping[str, Any], verdict: Mapping[str, Any]) -> tuple[int, ...]:
    got = into_pots(record, verdict)
    return (*(record["pots"][name] for name in POTS), *got.values()) if got else ()


@lru_cache(maxsize=4096)
def _sides(
    players: tuple[str, ...], active: tuple[str, ...], bidder: str | None, partner: str | None
) -> tuple[str, ...]:
    """Say on which side each player was; an evening has few such answers."""
    sides = {**dict.fromkeys(players, Side.IDLE), **dict.fromkeys(active, Side.OPPONENT)}
    if partner is not None:
        sides[partner] = Side.PARTNER
    if bidder is not None:
        sides[bidder] = Side.BIDDER
    return tuple(sides[name].value for name in players)


def _active(record: Mapping[str, Any], players: tuple[str, ...]) -> tuple[str, ...]:
    """Return who had cards, as the game's own seating says."""
    active = record.get("active")
    if active is not None:
        return tuple(active)
    rules = games.find(record["game"]).rules(
        record.get("rules"), record.get("options", {}), len(players)
    )
    return rules.table(players, record["dealer"], None).active
