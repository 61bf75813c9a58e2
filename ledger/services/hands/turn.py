"""Whose turn it is in a session, by what ``engine.rules.turns`` says of the table as it is now.

Nothing is kept that could go stale: who is due follows from the last hand that stands, its record and its
verdict; who is here, who sits out, and to whom those who left handed their turn, from the seats. So it is
right after a correction, a voiding or an undo, too, and takes the same time after a thousand hands.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col

from engine.record.parts import BlindRound
from engine.rules import turns
from engine.rules.seating import left_of
from engine.rules.sheet import Rules
from engine.rules.turns import Turn
from ledger.models import Hand, HandState
from ledger.scope import Built, ScopedSession, asked_once
from ledger.services.session.stored import AS_IT_HOLDS, Pair, StoredVersion, pair
from ledger.services.session.view import SessionView

BLIND_ROUND = "blind_round"
"""The key of a record, and of a draft, that says of which blind round a hand is part."""


_LAST_STANDING = Built(
    pair,
    AS_IT_HOLDS.where(Hand.session_id == bindparam("session"))
    .where(Hand.state == HandState.STANDING.value)
    .order_by(col(Hand.number).desc())
    .limit(1),
)


@asked_once
def last_standing(session: ScopedSession, session_id: int) -> Pair | None:
    """Return the last hand that stands, and its version."""
    return next(iter(session.ask(_LAST_STANDING, session=session_id)), None)


def upcoming(view: SessionView, last: StoredVersion | None) -> Turn:
    """Return whose turn the next hand is, where ``last`` is the last hand that stands.

    Raises ``Invalid`` when too few or too many are playing.
    """
    rules = view.rules
    called = {seat.id: seat.name for seat in view.present}
    if last is None:
        due, lead, blind = view.first_dealer_id, None, None
    else:
        seats = dict(zip(last.record["players"], last.seat_ids, strict=True))
        due, lead = (seats[last.verdict["next"][key]] for key in ("dealer", "lead"))
        blind = _blind_after(last.record) if BLIND_ROUND in rules.keys else None
        if blind is not None:
            done = (called.get(seats[name]) if name in seats else name for name in blind.done)
            blind = blind._replace(done=tuple(filter(None, done)))
    holder = turns.holder(due, view.successors)
    return turns.upcoming(
        rules.seating,
        tuple(called.values()),
        view.names,
        called.get(holder, ""),
        called.get(lead or 0),
        blind,
    )


def of_hand(rules: Rules, record: Mapping[str, Any], names: Sequence[str]) -> Turn:
    """Return whose turn a recorded hand was, under the ``names`` its players have now."""
    dealer = names[record["players"].index(record["dealer"])]
    return Turn(rules.seating, rules.table(tuple(names), dealer), _blind_round(record, names))


def _blind_after(record: Mapping[str, Any]) -> BlindRound | None:
    players = tuple(record["players"])
    lead, blind = left_of(players, record["dealer"]), _blind_round(record, players)
    return turns.blind_after(lead, record.get("contract", {}).get("bid"), blind)


def _blind_round(record: Mapping[str, Any], names: Sequence[str]) -> BlindRound | None:
    """Read of which blind round a hand was part, those who played it called by these names."""
    said = record.get(BLIND_ROUND)
    if said is None:
        return None
    now = dict(zip(record["players"], names, strict=True))
    done = tuple(now.get(name, name) for name in said.get("done", ()))
    return BlindRound(done, said.get("heartless", 0))
