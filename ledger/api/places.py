"""Existence checks for the ids in a URL, so that a missing session is reported before an invalid body.

Views look their objects up in their own transaction; these checks run only after a request was refused.
"""

from collections.abc import Callable, Mapping
from typing import Final

from ledger.database.scope import ScopedSession
from ledger.services.club import devices, links, players, seasons, tokens
from ledger.services.hands import versions
from ledger.services.money import expenses, payments, statements
from ledger.services.session.load import find_row
from ledger.services.undo import entry

_FINDERS: Final[Mapping[tuple[str, ...], Callable[..., object]]] = {
    ("session_id", "number"): versions.of_hand,
    ("session_id", "entry_id"): entry.find,
    ("entry_id",): payments.find,
    ("expense_id",): expenses.find,
    ("player_id",): players.show,
    ("account_id",): statements.must_exist,
    ("token_id",): tokens.find,
    ("device_id",): devices.find,
    ("link_id",): links.find,
    ("season_id",): seasons.find,
}
"""Lookups by the ids of a URL; each raises ``NotFound``."""


def must_be_there(session: ScopedSession, place: Mapping[str, int]) -> None:
    """Raise ``NotFound`` if an id in a URL names nothing; ``place`` maps its parameters to ids."""
    if "session_id" in place:
        find_row(session, place["session_id"])
    find = _FINDERS.get(tuple(place))
    if find is not None:
        find(session, *place.values())
