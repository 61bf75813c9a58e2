"""Kinds of accounts, and the keys that identify accounts, built and parsed only here."""

from collections.abc import Mapping
from enum import StrEnum

from engine.words.sentences import say


class AccountKind(StrEnum):
    """The owner of an account.

    A session has accounts in chips for each seat, the bank, each pot, the world (scores that are not
    payments) and the differences agreed on at a chip count; and one in money: the till, with the chips that
    single players cashed out early. The club has an account in money for each player.
    """

    SEAT = "seat"
    BANK = "bank"
    POT = "pot"
    WORLD = "world"
    DIFFERENCES = "differences"
    TILL = "till"
    PLAYER = "player"


_SEAT = AccountKind.SEAT.value  # plain text: faster, for thousands of keys

TITLES: Mapping[str, str] = {
    AccountKind.BANK: say("The bank"),
    AccountKind.TILL: say("The till"),
    AccountKind.DIFFERENCES: say("Differences"),
    AccountKind.WORLD: say("Unpaid score"),
}
"""The labels of balances that belong to no player and no pot; no player can have such a name."""


def key_of(
    kind: AccountKind,
    session_id: int | None,
    seat_id: int | None,
    player_id: int | None,
    name: str | None,
    unit: str,
) -> str:
    """Return the key of an account: a seat's contains the seat, a player's the player and the currency.

    All others contain the session, the kind and, for a pot, its name. Other arguments are ignored.

    >>> key_of(AccountKind.PLAYER, None, None, 4, None, "EUR")
    'player/4/EUR'
    >>> key_of(AccountKind.POT, 3, None, None, "frog", "chips")
    'session/3/pot/frog'
    """
    if kind is AccountKind.SEAT:
        return seat_key(seat_id)
    if kind is AccountKind.PLAYER:
        return f"{kind}/{player_id}/{unit}"
    return session_key(session_id, kind, name)


def seat_key(seat_id: int | None) -> str:
    """Return the key of a seat's account.

    >>> seat_key(7)
    'seat/7'
    """
    return f"{_SEAT}/{seat_id}"


def session_key(session_id: int | None, kind: AccountKind, name: str | None = None) -> str:
    """Return the key of a session's own account; ``name`` is a pot's.

    >>> session_key(3, AccountKind.POT, "frog"), session_key(3, AccountKind.WORLD)
    ('session/3/pot/frog', 'session/3/world')
    """
    return f"session/{session_id}/{kind}" + (f"/{name}" if name else "")


def read_key(key: str) -> tuple[AccountKind, str | None]:
    """Parse a key: return the account's kind and, for a pot, its name (else None).

    Raises ``ValueError`` for another kind.

    >>> read_key("session/3/pot/frog")
    (<AccountKind.POT: 'pot'>, 'frog')
    >>> read_key("session/3/world"), read_key("seat/7")
    ((<AccountKind.WORLD: 'world'>, None), (<AccountKind.SEAT: 'seat'>, None))
    """
    parts = key.split("/", 3)
    kind = parts[2] if parts[0] == "session" else parts[0]
    return AccountKind(kind), parts[3] if len(parts) == 4 else None


Amounts = Mapping[str, int]
"""The nonzero changes of accounts, by key."""
