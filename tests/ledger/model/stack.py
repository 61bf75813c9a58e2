"""Copies of a session before each step, which undo and redo are compared with."""

from copy import deepcopy
from dataclasses import fields, replace
from typing import Any

from tests.ledger.model.evening import Entry, Evening

_LASTING = {"done", "undone", "revision", "currency", "has_money_entries"}
"""Fields that an undo leaves as they are: the journal keeps the entries that were undone."""


def begin(at: Evening) -> None:
    """Copy the session before a step that can be undone, and clear the steps to redo."""
    at.done.append(kept(at))
    at.undone.clear()


def kept(at: Evening) -> Evening:
    """Return a copy of the session; it shares the parts that never change."""
    same: list[Any] = [at.game]
    same += [each for each in at.order if isinstance(each, Entry) and each.seat is None]
    for hand in at.hands.values():
        same += [hand.game, *hand.said, *hand.blinds]
    return deepcopy(replace(at, done=[], undone=[]), {id(each): each for each in same})


def bring_back(at: Evening, before: Evening) -> None:
    """Restore a copy; hands and seats that it lacks stay, as void and left."""
    hands, seats, then = at.hands, at.seats, kept(before)
    for each in fields(at):
        if each.name not in _LASTING:
            setattr(at, each.name, getattr(then, each.name))
    for number in sorted(hands.keys() - at.hands.keys()):
        at.hands[number] = replace(hands[number], void=True)
        at.order.append(number)
    known = {seat.id for seat in at.seats}
    at.seats += [replace(seat, state="left") for seat in seats if seat.id not in known]
