"""Whose turn it is in a session, by what ``engine.rules.turns`` says of the table as it is now.

Nothing is kept that could go stale: who is due follows from the last hand that stands, its record and its
verdict; who is here, who sits out, and to whom those who left handed their turn, from the seats. So it is
right after a correction, a voiding or an undo, too, and takes the same time after a thousand hands.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.record.parts import BlindRound
from engine.rules import turns
from engine.rules.seating import left_of
from engine.rules.sheet import Rules
from engine.rules.turns import Turn
from ledger.services.session.stored import Pair
from ledger.services.session.view import SessionView

BLIND_ROUND = "blind_round"
"""The key of a record, and of a draft, that says of which blind round a hand is part."""


def due(view: SessionView) -> int:
    """Return the seat that is due to deal the next hand, even if its player has left since."""
    return view.first_dealer_id if view.last is None else _next(view.last)["dealer"]


def upcoming(view: SessionView) -> Turn:
    """Return whose turn the next hand is, by the last hand that stands.

    Raises ``Invalid`` when too few or too many are playing.
    """
    rules = view.rules
    called = {seat.id: seat.name for seat in view.present}
    lead, blind = None, None
    if view.last is not None:
        _, last = view.last
        lead = _next(view.last)["lead"]
        blind = _blind_after(last.record) if BLIND_ROUND in rules.keys else None
        if blind is not None:
            seats = dict(zip(last.record["players"], last.seat_ids, strict=True))
            done = (called.get(seats[name]) if name in seats else name for name in blind.done)
            blind = blind._replace(done=tuple(filter(None, done)))
    holder = turns.holder(due(view), view.successors)
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


def _next(last: Pair) -> Mapping[str, int]:
    """Map ``dealer`` and ``lead`` after a hand to their seats."""
    _, version = last
    seats = dict(zip(version.record["players"], version.seat_ids, strict=True))
    return {role: seats[name] for role, name in version.verdict["next"].items()}


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
