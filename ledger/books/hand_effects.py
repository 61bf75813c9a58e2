"""The effects of one hand on accounts and sums, computed from its record and verdict alone.

Saving a hand, reversing it and verifying it share this code. Players are given by their places in the record,
so that a process without a database can compute them.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from engine import games
from engine.record import PASS
from ledger.database.kinds.accounts import AccountKind, Amounts, seat_key, session_key
from ledger.database.kinds.states import Side

POTS = ("frog", "solo")
"""The pots of a session, by their names in a record."""

Key = TypeVar("Key", bound=Hashable)

_BIDDER, _PARTNER, _OPPONENT, _IDLE = (side.value for side in Side)
_PAYMENT = itemgetter("from", "to", "amount")


class HandEffects(NamedTuple):
    """The payments of a hand, and its share in results, tallies and head to head.

    A player is the index in the record's ``players``. ``sides`` and ``amounts`` (won or, negative, lost) are
    in that order; ``paid`` maps (payer, payee) to an amount, without payments into or out of a pot.
    ``bidder`` is None, and ``bid`` that of a pass, if nobody bid. ``pots_before`` and ``put`` (paid into each
    pot, or taken from it if negative) are in the order of ``POTS``, and empty at a table without pots.
    ``unit`` is chips, or points that nobody pays.
    """

    game: str
    bid: str
    outcome: str
    unit: str
    bidder: int | None
    sides: tuple[str, ...]
    amounts: tuple[int, ...]
    paid: Mapping[tuple[int, int], int]
    pots_before: tuple[int, ...]
    put: tuple[int, ...]

    @property
    def pot_gains(self) -> dict[str, int]:
        """Maps each pot's name to the chips paid into it, or taken if negative; empty without pots."""
        return dict(zip(POTS, self.put, strict=False))

    def postings(self, session_id: int, seat_ids: Sequence[int]) -> Amounts:
        """Return the nonzero amounts that the hand adds to accounts, by account key.

        ``seat_ids`` are the players' seats in the record's order. Raises ``ValueError`` for another number of
        them.
        """
        keys = map(seat_key, seat_ids)
        seats = {key: amount for key, amount in zip(keys, self.amounts, strict=True) if amount}
        return seats | self.other_postings(session_id)

    def other_postings(self, session_id: int) -> dict[str, int]:
        """Return the nonzero amounts of the pots and of the session's ``world`` account, by account key.

        The ``world`` account holds the opposite of points that nobody pays, so that the amounts sum to zero.
        """
        amounts = {
            session_key(session_id, AccountKind.POT, name): amount
            for name, amount in self.pot_gains.items()
        }
        world = -sum(self.amounts) - sum(self.put)
        if world:
            amounts[session_key(session_id, AccountKind.WORLD)] = world
        return {key: amount for key, amount in amounts.items() if amount}


def hand_effects(record: Mapping[str, Any], verdict: Mapping[str, Any]) -> HandEffects:
    """Return the effects of a hand from its record and stored verdict, both JSON objects; nothing is scored.

    Payments of pots are left out of ``paid``. Raises one of ``json.SPOILED`` if a key is missing.
    """
    game, contract, players = record["game"], record.get("contract"), record["players"]
    bidder, partner, pots = verdict["bidder"], verdict["partner"], verdict.get("pots")
    before: tuple[int, ...] = ()
    put: tuple[int, ...] = ()
    if pots is not None:
        before = tuple([record["pots"][name] for name in POTS])
        put = tuple([pots[name] - record["pots"][name] for name in POTS])
    place_of = {name: place for place, name in enumerate(players)}
    side_of = {**dict.fromkeys(_active(record), _OPPONENT), partner: _PARTNER, bidder: _BIDDER}
    return HandEffects(
        game,
        # A hand without a bidder, for example a void one, counts for no bid.
        contract.get("bid", PASS) if contract and bidder is not None else PASS,
        verdict["outcome"],
        games.find(game).unit,
        None if bidder is None else place_of[bidder],
        tuple([side_of.get(name, _IDLE) for name in players]),
        tuple(map(verdict["deltas"].__getitem__, players)),
        payments(verdict["transfers"], place_of),
        before,
        put,
    )


def payments(
    transfers: Iterable[Mapping[str, Any]], seated: Mapping[str, Key]
) -> dict[tuple[Key, Key], int]:
    """Map payer and payee, by their keys, to the amount paid, without payments into or out of a pot."""
    return {
        (seated[payer], seated[payee]): amount
        for payer, payee, amount in map(_PAYMENT, transfers)
        if payer in seated and payee in seated
    }


def _active(record: Mapping[str, Any]) -> Sequence[str]:
    """Return the players who were dealt cards: the record's ``active``, or else by the game's seating."""
    active: Sequence[str] | None = record.get("active")
    if active is None:
        options, players = record.get("options", {}), tuple(record["players"])
        rules = games.find(record["game"]).rules(record.get("rules"), options, len(players))
        active = rules.table(players, record["dealer"]).active
    return active
