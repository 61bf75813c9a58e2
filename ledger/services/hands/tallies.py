"""The sums kept beside the books: results, tallies, head to head, and each seat's bids.

They follow the hands that stand. Writing a hand adds it, reversing it takes the same away, in the same
transaction; ``shares`` is what both do it by, and what ``solo-ledger verify`` recomputes them from.
"""

from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, delete, update

from engine import games
from engine.record import PASS
from ledger.models import HeadToHead, Result, Seat, Side, Tally
from ledger.scope import Change, ScopedSession, add_up, insert_all
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


def add(
    session: ScopedSession, player_of: Mapping[int, int], hand_id: int, written: Written
) -> None:
    """Enter a hand that stands, as it is written, into every sum; ``player_of`` says whose a seat is."""
    _count(session, player_of, written, 1)
    results = [
        {
            "hand_id": hand_id,
            "seat_id": seat_id,
            "player_id": player_of[seat_id],
            "amount": amount,
        }
        for seat_id, amount in written.deltas.items()
    ]
    insert_all(session, Result, results)


def take_away(
    session: ScopedSession, player_of: Mapping[int, int], hand_id: int, written: Written
) -> None:
    """Take a hand out of every sum: what was written of it until now."""
    _count(session, player_of, written, -1)
    session.change(_NO_RESULTS, {"hand": hand_id})


def _count(
    session: ScopedSession, player_of: Mapping[int, int], written: Written, sign: int
) -> None:
    """Move tallies, head to head and the bidder's seat by one hand."""
    what = shares(written)
    tallies = [
        {
            "player_id": player_of[seat_id],
            "game": what.game,
            "bid": what.bid,
            "side": side.value,
            "hands": sign,
            **{end: sign * (what.outcome == end) for end in ENDS},
            "total": sign * amount,
        }
        for (seat_id, amount), side in zip(written.deltas.items(), what.sides, strict=True)
    ]
    add_up(session, Tally, ("player_id", "game", "bid", "side"), tallies)
    paid = [
        {
            "payer_id": player_of[payer],
            "payee_id": player_of[payee],
            "hands": sign,
            "amount": sign * amount,
        }
        for (payer, payee), amount in what.paid.items()
    ]
    add_up(session, HeadToHead, ("payer_id", "payee_id"), paid)
    if what.bidder is not None:
        bid = {"seat": what.bidder, "bid": sign, "won": sign * (what.outcome == "won")}
        session.change(_BID, bid)


_BID = Change(
    update(Seat)
    .where(col(Seat.id) == bindparam("seat"))
    .values(
        hands_bid=col(Seat.hands_bid) + bindparam("bid"),
        hands_won=col(Seat.hands_won) + bindparam("won"),
    ),
)
_NO_RESULTS = Change(delete(Result).where(col(Result.hand_id) == bindparam("hand")))

ENDS = ("won", "lost", "tied")
"""How a contract ended; of a tally they say what became of the contract, whichever side it is of."""
