"""The sums kept beside the books: results, tallies, head to head, and each seat's bids.

They follow the hands that stand. Writing a hand adds it, reversing it takes the same away, in the same
transaction; ``shares`` is what both do it by, and what ``solo-ledger verify`` recomputes them from.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from sqlmodel import col, delete, select

from engine import games
from engine.record import PASS
from ledger.models import HandVersion, HeadToHead, Result, Seat, Side, Tally
from ledger.scope import ScopedSession, insert_all
from ledger.services.hands.stored import Written

_BIDDER, _PARTNER, _OPPONENT, _IDLE = Side
_OF_A_TRANSFER = itemgetter("amount", "from", "to")


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


def add(session: ScopedSession, version: HandVersion) -> None:
    """Enter a hand that stands, as this version has it, into every sum."""
    written = Written.of(version)
    seats = _count(session, written, 1)
    results = [
        {
            "hand_id": version.hand_id,
            "seat_id": seat_id,
            "player_id": seats[seat_id].player_id,
            "amount": amount,
        }
        for seat_id, amount in written.deltas.items()
    ]
    insert_all(session, Result, results)


def take_away(session: ScopedSession, version: HandVersion) -> None:
    """Take a hand out of every sum: the version that stood until now."""
    _count(session, Written.of(version), -1)
    session.exec(delete(Result).where(col(Result.hand_id) == version.hand_id))


def _count(session: ScopedSession, written: Written, sign: int) -> dict[int, Seat]:
    """Move tallies, head to head and the bidder's seat by one hand; return the hand's seats."""
    what = shares(written)
    seats = _seats(session, written.seat_ids)
    tallies = _tallies(session, what, [seat.player_id for seat in seats.values()])
    for (seat_id, amount), side in zip(written.deltas.items(), what.sides, strict=True):
        key = (seats[seat_id].player_id, side.value)
        tally = tallies.get(key)
        if tally is None:
            tally = Tally(player_id=key[0], game=what.game, bid=what.bid, side=key[1])
            session.add(tally)
        tally.hands += sign
        tally.total += sign * amount
        if what.outcome in ENDS:
            setattr(tally, what.outcome, getattr(tally, what.outcome) + sign)
    rows = _head_to_head(session, what, seats)
    for (payer_seat, payee_seat), amount in what.paid.items():
        payer, payee = seats[payer_seat].player_id, seats[payee_seat].player_id
        row = rows.get((payer, payee))
        if row is None:
            row = HeadToHead(payer_id=payer, payee_id=payee)
            session.add(row)
        row.hands += sign
        row.amount += sign * amount
    if what.bidder is not None:
        seats[what.bidder].hands_bid += sign
        seats[what.bidder].hands_won += sign * (what.outcome == "won")
    return seats


ENDS = ("won", "lost", "tied")
"""How a contract ended; of a tally they say what became of the contract, whichever side it is of."""


def _seats(session: ScopedSession, seat_ids: Sequence[int]) -> dict[int, Seat]:
    rows = session.exec(select(Seat).where(col(Seat.id).in_(seat_ids)))
    return {row.id: row for row in rows}


def _tallies(
    session: ScopedSession, what: Shares, player_ids: Sequence[int]
) -> dict[tuple[int, str], Tally]:
    rows = session.exec(
        select(Tally)
        .where(col(Tally.player_id).in_(player_ids))
        .where(Tally.game == what.game, Tally.bid == what.bid)
    )
    return {(row.player_id, row.side): row for row in rows}


def _head_to_head(
    session: ScopedSession, what: Shares, seats: Mapping[int, Seat]
) -> dict[tuple[int, int], HeadToHead]:
    if not what.paid:
        return {}
    payers = {seats[payer].player_id for payer, _ in what.paid}
    payees = {seats[payee].player_id for _, payee in what.paid}
    rows = session.exec(
        select(HeadToHead)
        .where(col(HeadToHead.payer_id).in_(payers))
        .where(col(HeadToHead.payee_id).in_(payees))
    )
    return {(row.payer_id, row.payee_id): row for row in rows}
