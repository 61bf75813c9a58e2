"""What an address names has to be there before what was sent to it is found fault with.

A view finds it in the transaction that it acts in. This is asked only where something else was refused before
that, so that nobody mends a body for a session that does not exist.
"""

from collections.abc import Callable, Mapping
from typing import Final

from ledger.database.scope import ScopedSession
from ledger.services.club import devices, links, players, tokens
from ledger.services.hands import versions
from ledger.services.money import payments, statements
from ledger.services.session.load import find_row
from ledger.services.undo import entry

_FINDERS: Final[Mapping[tuple[str, ...], Callable[..., object]]] = {
    ("session_id", "number"): versions.of_hand,
    ("session_id", "entry_id"): entry.find,
    ("entry_id",): payments.find,
    ("player_id",): players.show,
    ("account_id",): statements.must_exist,
    ("token_id",): tokens.find,
    ("device_id",): devices.find,
    ("link_id",): links.find,
}
"""What finds a thing by the numbers in its address; it raises ``NotFound``."""


def must_be_there(session: ScopedSession, place: Mapping[str, int]) -> None:
    """Raise ``NotFound`` where there is nothing at an address; ``place`` are the numbers in it."""
    if "session_id" in place:
        find_row(session, place["session_id"])
    find = _FINDERS.get(tuple(place))
    if find is not None:
        find(session, *place.values())
