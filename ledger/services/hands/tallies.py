"""The sums kept beside the books: results, tallies, head to head, and each seat's bids and scores.

They follow the hands that stand. Writing a hand adds it, reversing it takes the same away, in the same
transaction; ``shares`` is what both do it by, and what ``solo-ledger verify`` recomputes them from. What
players won by entries other than hands is kept beside them: only together do they tell all that was won.
"""

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, delete, func, select, update

from engine.rules.sheet import SCORE
from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.books.hand_effects import hand_effects
from ledger.database.kinds.entries import KINDS
from ledger.database.kinds.states import ENDS
from ledger.database.models import (
    Account,
    HeadToHead,
    Player,
    PlayerResult,
    PlayerTally,
    Posting,
    Seat,
)
from ledger.database.scope import Change, ScopedSession, add_up, insert_all
from ledger.services.hands.stored import HandChange
from ledger.services.session.view import SessionView


def move(session: ScopedSession, view: SessionView, changes: Sequence[HandChange]) -> None:
    """Take what counted of hands of a session out of every sum, and enter what counts instead."""
    player_of = view.player_ids
    tallies, paid, seats = _Sums(), _Sums(), _Sums()
    results: list[dict[str, Any]] = []
    for change in changes:
        for sign, written in ((-1, change.counted), (1, change.new)):
            if written is None:
                continue
            what, there = hand_effects(written.record, written.verdict), written.seat_ids
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
    add_up(session, PlayerTally, _TALLY, tallies.rows(*_TALLY, "hands", *ENDS, "total"))
    add_up(session, HeadToHead, _PAIR, paid.rows(*_PAIR, "hands", "amount"))
    session.change(_OF_SEAT, *seats.rows("seat", "bid", "won", "score"))
    gone = [{"hand": change.hand.id} for change in changes if change.counted]
    session.change(_NO_RESULTS, *gone)
    insert_all(session, PlayerResult, results)


def post(session: ScopedSession, header: EntryHeader, amounts: Mapping[int, int]) -> int:
    """Write an entry other than a hand, and add what players won by it; return its number.

    Raises as ``journal.post`` does.
    """
    entry_id = journal.post(session, header, amounts)
    add_other_entry(session, header.kind, entry_id)
    return entry_id


def add_other_entry(session: ScopedSession, kind: str, entry_id: int) -> None:
    """Add what players won by an entry of a kind, or by what undid one, to their sums."""
    if KINDS[kind].is_won:
        session.change(_OTHER_ENTRY, {"entry": entry_id})


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


def _of_entry(what: Any) -> Any:
    """Ask of the seats that an entry moved."""
    seats = select(what).select_from(Posting).where(Posting.entry_id == bindparam("entry"))
    accounts = seats.join(Account, col(Account.id) == Posting.account_id)
    return accounts.join(Seat, col(Seat.id) == Account.seat_id)


_GOT = _of_entry(func.sum(Posting.amount)).where(Seat.player_id == Player.id).correlate(Player)
_OTHER_ENTRY = Change(
    update(Player)
    .where(col(Player.id).in_(_of_entry(Seat.player_id)))
    .values(by_other_entries=col(Player.by_other_entries) + _GOT.scalar_subquery()),
)
_NO_RESULTS = Change(delete(PlayerResult).where(col(PlayerResult.hand_id) == bindparam("hand")))
