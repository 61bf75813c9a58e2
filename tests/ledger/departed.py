"""Evenings that Bob left, after Ann went alone and was paid 50 by each of six others."""

from collections.abc import Mapping
from typing import Any

from ledger.services.hands import after_leaving
from ledger.services.hands.preview import AfterLeaving
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening

ANN_LOSES = {**cash.ANN_WINS, "points": 35}
"""Ann pays 50 to each of the others."""


def ann_with(points: int) -> Mapping[str, Any]:
    """Return Ann's hand with other points: two chips a point above 60, to the nearest 5."""
    return {**cash.ANN_WINS, "points": points}


def evening(club: CardClub, rate: Rate | None = cash.TEN_FOR_ONE) -> Evening:
    """Start an evening with a hand that Ann won, after which Bob left."""
    started = club.start(table.SEVEN, starting_stack=150, rate=rate)
    started.record(cash.ANN_WINS)
    started.leave("Bob")
    return started


def since(evening: Evening) -> tuple[AfterLeaving, ...]:
    """Return the amounts that hands changed after players left, as they are shown next to their names."""
    return evening.club.read(
        lambda session: after_leaving.since(session, load(session, evening.id))
    )


def frog(bidder: str) -> Mapping[str, Any]:
    """Return a hand of Progressive that takes the frog pot and moves nothing else."""
    return {"dealer": "Dee", "contract": {"bidder": bidder, "bid": "frog"}, "points": 60}
