"""The turn of a hand, its dealer and lead, computed from the current session.

The next turn follows from the last standing hand and from the seats, with the successors of players who left.
Nothing about it is stored, so it is right after a correction, a voiding or an undo, and takes the same time
after a thousand hands.

A record names no lead. In every game the first active seat on the dealer's left leads, so a table that
chooses the lead chooses the dealer: the seat on the lead's right.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine import games
from engine.errors import Refused, show
from engine.record import HandRecord
from engine.record.incidents import VOID
from engine.record.parts import BlindRound
from engine.rules.seating import Turn, blind_after, clockwise, current_holder, left_of, next_turn
from engine.rules.sheet import Rules
from engine.words.sentences import say
from ledger.services.session.hand_versions import HandVersion
from ledger.services.session.view import SessionView
from ledger.words.problems import Invalid

BLIND_ROUND = "blind_round"
"""The key of a record or draft that contains the state of the blind round."""

LEAD = "lead"
"""The key of a draft that names the lead; a record does not have it."""


def next_dealer(view: SessionView) -> int:
    """Return the id of the seat that deals the next hand, even if it was left.

    It is the first dealer's seat as long as no hand stands.
    """
    return view.first_dealer_id if view.last is None else _next(view.last)["dealer"]


def upcoming(view: SessionView) -> Turn:
    """Return the turn of the next hand: its seats, dealer, lead and blind round.

    Raises ``Invalid`` if too few or too many are playing.
    """
    rules, last = view.rules, view.last
    names = {seat.id: seat.name for seat in view.present}
    lead, blind = None, None
    if last is not None:
        lead = names.get(_next(last)["lead"])
        blind = _blind_after(last) if BLIND_ROUND in rules.keys else None
        if blind is not None:
            seats = dict(zip(last.record["players"], last.seat_ids, strict=True))
            were_under = (names.get(seats[name]) if name in seats else name for name in blind.done)
            blind = blind._replace(done=tuple(filter(None, were_under)))
    dealer = current_holder(next_dealer(view), view.successors)
    return next_turn(
        rules.seating,
        tuple(names.values()),
        view.names,
        names.get(dealer, ""),
        lead,
        blind,
    )


def of_hand(rules: Rules, record: Mapping[str, Any], names: Sequence[str]) -> Turn:
    """Return the turn of a recorded hand: its seats, dealer, lead and blind round.

    ``names`` are the players' current ones, in the record's order.
    """
    dealer = names[record["players"].index(record["dealer"])]
    return Turn(rules.seating, rules.table(tuple(names), dealer), _blind_round(record, names))


def _next(version: HandVersion) -> Mapping[str, int]:
    """Return the seat ids of the ``dealer`` and the ``lead`` of the hand after this one."""
    seats = dict(zip(version.record["players"], version.seat_ids, strict=True))
    return {role: seats[name] for role, name in version.verdict["next"].items()}


def _blind_after(version: HandVersion) -> BlindRound | None:
    """Return the blind round after a hand, if any; after a void hand, which is dealt again, its own."""
    record = version.record
    players = tuple(record["players"])
    lead, blind = left_of(players, record["dealer"]), _blind_round(record, players)
    if any(event["settled"] == VOID for event in record.get("irregular", ())):
        return blind
    return blind_after(lead, record.get("contract", {}).get("bid"), blind)


def _blind_round(record: Mapping[str, Any], names: Sequence[str]) -> BlindRound | None:
    """Return the blind round's state in a record, if any, with the current ``names`` of its players."""
    blind = record.get(BLIND_ROUND)
    if blind is None:
        return None
    renamed = dict(zip(record["players"], names, strict=True))
    were_under = tuple(renamed.get(name, name) for name in blind.get("done", ()))
    return BlindRound(were_under, blind.get("heartless", 0))


def dealer_for(lead: object, players: Sequence[str]) -> str:
    """Return the player who must deal so that ``lead`` leads: the one on the lead's right.

    ``players`` are clockwise. Raises ``Invalid`` if ``lead`` is not one of them.

    >>> dealer_for("Ann", ["Ann", "Bob", "Cyd"])
    'Cyd'
    """
    if lead not in players:
        raise Invalid.at(
            LEAD,
            "unknown-seat",
            say(
                "{lead} can't lead: the players are {players}.",
                lead=show(lead),
                players=", ".join(players),
            ),
            tuple(players),
        )
    return clockwise(tuple(players), str(lead))[-1]


def must_lead(lead: str, record: HandRecord) -> None:
    """Raise ``Invalid`` at ``lead`` unless this player leads, by the dealer and active players of a record.

    Nothing is raised for a record that the engine refuses: scoring reports that.
    """
    try:
        rules = games.find(record.game).rules(record.rules, record.options, len(record.players))
        table = rules.table(record.players, record.dealer, record.active)
    except Refused:
        return  # scoring the record reports the error
    if lead not in table.active:
        raise Invalid.at(
            LEAD,
            "lead-sits-out",
            say("{lead} sits this hand out and can't lead it.", lead=lead),
            table.active,
        )
    if table.lead != lead:
        message = say(
            "With {dealer} dealing, {lead} leads. For {wanted} to lead, {other} must deal.",
            dealer=record.dealer,
            lead=table.lead,
            wanted=lead,
            other=dealer_for(lead, record.players),
        )
        raise Invalid.at(LEAD, "lead-follows-dealer", message, (table.lead,))
