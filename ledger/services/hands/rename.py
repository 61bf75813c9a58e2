"""Records under the names of today: a hand keeps the names it was written with, its players may have others.

Names change places, too: Ann may be called now as Dee was then.
"""

from collections.abc import Mapping, Sequence
from typing import Any

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
    "done",
)


def called_now(record: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Write a record under the ``names`` that its players, in their order, now go by.

    Seats stand in it as keys of a deal's hands, and as whole texts. No other text of a record can be taken
    for a name but a note, which is left as it is.
    """
    now_called = dict(zip(record["players"], names, strict=True))

    def renamed(value: Any, key: str = "") -> Any:
        if isinstance(value, Mapping):
            seats = key == "hands"
            return {
                now_called.get(name, name) if seats else name: each
                if seats
                else renamed(each, name)
                for name, each in value.items()
            }
        if key == "auction" and isinstance(value, list):
            return [_call(now_called, call) for call in value]
        if key in _SEATS and isinstance(value, str):
            return now_called.get(value, value)
        if key in _SEATS and isinstance(value, list):
            return [renamed(each, key) for each in value]
        if key in ("order", "drawn"):
            return [[now_called.get(row[0], row[0]), *row[1:]] for row in value]
        if isinstance(value, list):
            return [renamed(each) for each in value]
        return value

    return {key: renamed(value, key) for key, value in record.items()}


def _call(now_called: Mapping[str, str], call: Sequence[str]) -> list[str]:
    """Rename who called, and whom a redouble answered; a call itself is never a name."""
    seat, said, *doubler = call
    return [now_called.get(seat, seat), said, *(now_called.get(name, name) for name in doubler)]
