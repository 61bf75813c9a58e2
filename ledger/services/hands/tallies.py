"""The sums kept beside the books: results, tallies, head to head, and each seat's bids and scores.

They follow the hands that stand. Writing a hand adds it, reversing it takes the same away, in the same
transaction; ``shares`` is what both do it by, and what ``solo-ledger verify`` recomputes them from.
"""

import operator
from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, delete, update

from engine.rules.sheet import SCORE
from ledger.models import HeadToHead, Result, Seat, Tally
from ledger.scope import Change, ScopedSession, add_up, insert_all
from ledger.services.hands.stored import HandChange
from ledger.services.session.view import SessionView
from ledger.shares import shares
from ledger.sides import ENDS


def move(session: ScopedSession, view: SessionView, changes: Sequence[HandChange]) -> None:
    """Take what counted of hands of a session out of every sum, and enter what counts instead."""
    player_of = view.player_ids
    tallies, paid, seats = _Sums(), _Sums(), _Sums()
    results: list[dict[str, Any]] = []
    for change in changes:
        for sign, written in ((-1, change.counted), (1, change.new)):
            if written is None:
                continue
            what, there = shares(written.record, written.verdict), written.seat_ids
            players = [player_of[seat_id] for seat_id in there]
            ends = [sign * (what.outcome == end) for end in ENDS]
            for at, (amount, side) in enumerate(zip(what.amounts, what.sides, strict=True)):
                key = (players[at], what.game, what.bid, side)
                tallies.add(key, (sign, *ends, sign * amount))
                if what.unit == SCORE:
                    seats.add((there[at],), (0, 0, sign * amount))
                if sign > 0:
                    of = {"hand_id": change.hand.id, "seat_id": there[at], "player_id": players[at]}
                    results.append({**of, "amount": amount, "unit": what.unit})
            for (payer, payee), amount in what.paid.items():
                paid.add((players[payer], players[payee]), (sign, sign * amount))
            if what.bidder is not None:
                seats.add((there[what.bidder],), (sign, sign * (what.outcome == "won"), 0))
    add_up(session, Tally, _TALLY, tallies.rows(*_TALLY, "hands", *ENDS, "total"))
    add_up(session, HeadToHead, _PAIR, paid.rows(*_PAIR, "hands", "amount"))
    session.change(_OF_SEAT, *seats.rows("seat", "bid", "won", "score"))
    gone = [{"hand": change.hand.id} for change in changes if change.counted]
    session.change(_NO_RESULTS, *gone)
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
