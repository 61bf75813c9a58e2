"""Records with the current names of their players; a stored record keeps the names it was written with.

Two players may have swapped names since.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.record.incidents import SIDES
from engine.record.remarks import PREFIX

_SEATS = (
    "players",
    "dealer",
    "active",
    "bidder",
    "partner",
    "doubled",
    "redoubled",
    "leader",
    "from",
    "to",
    "by",
    "seat",
    "done",
)


def called_now(record: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return a copy of a record with the current ``names`` of its players, in the order of ``players``.

    Names are keys of a deal's hands, and the values below certain keys. Nothing else is replaced: a note may
    contain a name as text, a side may have claimed, and keys that begin with ``x-`` belong to other programs.
    """
    new_names = dict(zip(record["players"], names, strict=True))

    def renamed(value: Any, key: str = "") -> Any:
        if isinstance(value, Mapping):
            if key == "hands":
                return {new_names.get(name, name): cards for name, cards in value.items()}
            return {name: renamed(item, name) for name, item in value.items()}
        if key == "auction" and isinstance(value, list):
            return [_call(new_names, call) for call in value]
        if key == "by" and value in SIDES:
            return value
        if key in _SEATS and isinstance(value, str):
            return new_names.get(value, value)
        if key in _SEATS and isinstance(value, list):
            return [renamed(item, key) for item in value]
        if key in ("order", "drawn"):
            return [[new_names.get(row[0], row[0]), *row[1:]] for row in value]
        if isinstance(value, list):
            return [renamed(item) for item in value]
        return value

    return {
        key: value if key.startswith(PREFIX) else renamed(value, key)
        for key, value in record.items()
    }


def _call(new_names: Mapping[str, str], call: Sequence[str]) -> list[str]:
    """Return a call of the auction with the caller's new name and, in a redouble, the doubler's."""
    seat, bid, *doubler = call
    return [new_names.get(seat, seat), bid, *(new_names.get(name, name) for name in doubler)]
