"""What one hand adds to the books and to the sums beside them: from its record and verdict alone.

By places at the table, as the record names its players; who sits there is not asked. Saving a hand, reversing
it and verifying all go by it, the last in processes that read no books.
"""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from engine import games
from engine.record import PASS
from ledger.database.kinds.states import Side

POTS = ("frog", "solo")
"""The pots of a session, by their names in a record."""

_BIDDER, _PARTNER, _OPPONENT, _IDLE = (side.value for side in Side)
_PAYMENT = itemgetter("from", "to", "amount")


class HandEffects(NamedTuple):
    """What one hand adds, by places.

    ``amounts`` are what each place got, ``sides`` on which side it was; ``bidder`` is None where all passed.
    ``paid`` maps (payer, payee) to an amount; what was paid into a pot, or out of one, is nobody's.
    ``held`` is what each pot held before, ``put`` what it got, in the order of ``POTS``; both are empty at a
    table without. ``unit`` is chips, or a score that nobody pays.
    """

    game: str
    bid: str
    outcome: str
    unit: str
    bidder: int | None
    sides: tuple[str, ...]
    amounts: tuple[int, ...]
    paid: Mapping[tuple[int, int], int]
    held: tuple[int, ...]
    put: tuple[int, ...]


def hand_effects(record: Mapping[str, Any], verdict: Mapping[str, Any]) -> HandEffects:
    """Return what a hand adds, by its record and its verdict as it is kept."""
    game, contract, players = record["game"], record.get("contract"), record["players"]
    bidder, partner = verdict["bidder"], verdict["partner"]
    put = into_pots(record, verdict)
    place_of = {name: place for place, name in enumerate(players)}
    side_of = {**dict.fromkeys(_active(record), _OPPONENT), partner: _PARTNER, bidder: _BIDDER}
    return HandEffects(
        game,
        contract.get("bid", PASS) if contract else PASS,
        verdict["outcome"],
        games.find(game).unit,
        None if bidder is None else place_of[bidder],
        tuple([side_of.get(name, _IDLE) for name in players]),
        tuple(map(verdict["deltas"].__getitem__, players)),
        {
            (place_of[payer], place_of[payee]): amount
            for payer, payee, amount in map(_PAYMENT, verdict["transfers"])
            if payer in place_of and payee in place_of
        },
        tuple([record["pots"][name] for name in put]),
        tuple(put.values()),
    )


def into_pots(record: Mapping[str, Any], verdict: Mapping[str, Any]) -> dict[str, int]:
    """Return what each pot got; nothing at a table without pots."""
    after = verdict.get("pots")
    if after is None:
        return {}
    before = record["pots"]
    return {name: after[name] - before[name] for name in POTS}


def _active(record: Mapping[str, Any]) -> Sequence[str]:
    """Return who had cards, as the game's own seating says."""
    active: Sequence[str] | None = record.get("active")
    if active is None:
        options, players = record.get("options", {}), tuple(record["players"])
        rules = games.find(record["game"]).rules(record.get("rules"), options, len(players))
        active = rules.table(players, record["dealer"]).active
    return active
