"""The sums kept beside the books: results, tallies, head to head, and each seat's bids and scores.

They follow the hands that stand. Writing a hand adds it, reversing it takes the same away, in the same
transaction; ``shares`` is what both do it by, and what ``solo-ledger verify`` recomputes them from.
"""

import operator
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, delete, update

from engine import games
from engine.record import PASS
from engine.rules.sheet import SCORE
from ledger.models import HeadToHead, Result, Seat, Side, Tally
from ledger.scope import Change, ScopedSession, add_up, insert_all
from ledger.services.hands.stored import HandChange, Written
from ledger.services.session.view import SessionView

_BIDDER, _PARTNER, _OPPONENT, _IDLE = Side
_OF_A_TRANSFER = operator.itemgetter("amount", "from", "to")


class Shares(NamedTuple):
    """What one hand adds to the sums.

    ``sides`` says of each seat, in their order, on which side it was. ``bidder`` is a seat, None where
    all passed. ``paid`` maps (payer's seat, payee's seat) to an amount; what was paid into a pot, or out
    of one, is nobody's.
    """

    game: str
    bid: str
    outcome: str
    bidder: int | None
    sides: tuple[Side, ...]
    paid: Mapping[tuple[int, int], int]


def shares(written: Written) -> Shares:
    """Return what a hand adds to the sums, besides what each seat got."""
    record, verdict, seat_ids = written
    players, bidder = tuple(record["players"]), verdict["bidder"]
    seat_of = dict(zip(players, seat_ids, strict=True))
    paid: dict[tuple[int, int], int] = {}
    for amount, payer, payee in map(_OF_A_TRANSFER, verdict["transfers"]):
        if amount and payer in seat_of and payee in seat_of:
            pair = seat_of[payer], seat_of[payee]
            paid[pair] = paid.get(pair, 0) + amount
    return Shares(
        record["game"],
        (record.get("contract") or {}).get("bid", PASS),
        verdict["outcome"],
        None if bidder is None else seat_of[bidder],
        _sides(players, _active(record, players), bidder, verdict["partner"]),
        paid,
    )


@lru_cache(maxsize=4096)
def _sides(
    players: tuple[str, ...], active: tuple[str, ...], bidder: str | None, partner: str | None
) -> tuple[Side, ...]:
    """Say on which side each player was; an evening has few such answers."""
    sides = {**dict.fromkeys(players, _IDLE), **dict.fromkeys(active, _OPPONENT)}
    if partner is not None:
        sides[partner] = _PARTNER
    if bidder is not None:
        sides[bidder] = _BIDDER
    return tuple(sides[name] for name in players)


def _active(record: Mapping[str, Any], players: tuple[str, ...]) -> tuple[str, ...]:
    """Return who had cards, as the game's own seating says."""
    active = record.get("active")
    if active is not None:
        return tuple(active)
    rules = games.find(record["game"]).rules(
        record.get("rules"), record.get("options", {}), len(players)
    )
    return rules.table(players, record["dealer"], None).active


def move(session: ScopedSession, view: SessionView, changes: Sequence[HandChange]) -> None:
    """Take what counted of hands of a session out of every sum, and enter what counts instead."""
    player_of = view.player_ids
    tallies, paid, seats = _Sums(), _Sums(), _Sums()
    for change in changes:
        for sign, written in ((-1, change.counted), (1, change.new)):
            if written is None:
                continue
            what = shares(written)
            ends = [sign * (what.outcome == end) for end in ENDS]
            for (seat_id, amount), side in zip(written.deltas.items(), what.sides, strict=True):
                key = (player_of[seat_id], what.game, what.bid, side.value)
                tallies.add(key, (sign, *ends, sign * amount))
                if written.unit == SCORE:
                    seats.add((seat_id,), (0, 0, sign * amount))
            for (payer, payee), amount in what.paid.items():
                paid.add((player_of[payer], player_of[payee]), (sign, sign * amount))
            if what.bidder is not None:
                seats.add((what.bidder,), (sign, sign * (what.outcome == "won"), 0))
    add_up(session, Tally, _TALLY, tallies.rows(*_TALLY, "hands", *ENDS, "total"))
    add_up(session, HeadToHead, _PAIR, paid.rows(*_PAIR, "hands", "amount"))
    session.change(_OF_SEAT, *seats.rows("seat", "bid", "won", "score"))
    gone = [{"hand": change.hand.id} for change in changes if change.counted]
    session.change(_NO_RESULTS, *gone)
    results = [
        {
            "hand_id": change.hand.id,
            "seat_id": seat_id,
            "player_id": player_of[seat_id],
            "amount": amount,
            "unit": change.new.unit,
        }
        for change in changes
        if change.new is not None
        for seat_id, amount in change.new.deltas.items()
    ]
    insert_all(session, Result, results)


_TALLY, _PAIR = ("player_id", "game", "bid", "side"), ("payer_id", "payee_id")


class _Sums(dict[tuple[Any, ...], tuple[int, ...]]):
    """What figures come to, by the key of their row."""

    def add(self, key: tuple[Any, ...], figures: tuple[int, ...]) -> None:
        """Add figures to those of a key."""
        held = self.get(key)
        self[key] = figures if held is None else tuple(map(operator.add, held, figures))

    def rows(self, *names: str) -> list[dict[str, Any]]:
        """Spell them as rows of these columns; those that do not move are left alone."""
        return [
            dict(zip(names, key + moved, strict=True)) for key, moved in self.items() if any(moved)
        ]


_OF_SEAT = Change(
    update(Seat)
    .where(col(Seat.id) == bindparam("seat"))
    .values(
        hands_bid=col(Seat.hands_bid) + bindparam("bid"),
        hands_won=col(Seat.hands_won) + bindparam("won"),
        scored=col(Seat.scored) + bindparam("score"),
    ),
)
_NO_RESULTS = Change(delete(Result).where(col(Result.hand_id) == bindparam("hand")))

ENDS = ("won", "lost", "tied")
"""How a contract ended; of a tally they say what became of the contract, whichever side it is of."""
