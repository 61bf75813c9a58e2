"""Kinds of accounts, and their keys: one word that says whose an account is, spelled and read only here."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from engine.words.sentences import say


class AccountKind(StrEnum):
    """Whose account it is.

    Of a session, in chips: a seat's, the bank's, each pot's, the world's (a score that is not a payment) and
    that of differences agreed on when chips were counted. Of a session, in money: the till, which holds
    what was cashed out before the others were. Of the club, in money: a player's.
    """

    SEAT = "seat"
    BANK = "bank"
    POT = "pot"
    WORLD = "world"
    DIFFERENCES = "differences"
    TILL = "till"
    PLAYER = "player"


_SEAT = AccountKind.SEAT.value  # plain text: keys of seats are spelled by the thousand


TITLES: Mapping[str, str] = {
    AccountKind.BANK: say("The bank"),
    AccountKind.TILL: say("The till"),
    AccountKind.DIFFERENCES: say("Differences"),
    AccountKind.WORLD: say("Unpaid score"),
}
"""What is shown beside a balance that is neither a player's nor a pot's, and so can't be a player's name."""


def key_of(
    kind: AccountKind,
    session_id: int | None,
    seat_id: int | None,
    player_id: int | None,
    name: str | None,
    unit: str,
) -> str:
    """Say in one word whose account it is, so that there is one of a kind."""
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
    """Return the key of an account that is a session's own; ``name`` is a pot's.

    >>> session_key(3, AccountKind.POT, "frog"), session_key(3, AccountKind.WORLD)
    ('session/3/pot/frog', 'session/3/world')
    """
    return f"session/{session_id}/{kind}" + (f"/{name}" if name else "")


def read_key(key: str) -> tuple[AccountKind, str | None]:
    """Return the kind of an account and, of a pot, its name.

    >>> read_key("session/3/pot/frog")
    (<AccountKind.POT: 'pot'>, 'frog')
    >>> read_key("session/3/world"), read_key("seat/7")
    ((<AccountKind.WORLD: 'world'>, None), (<AccountKind.SEAT: 'seat'>, None))
    """
    parts = key.split("/", 3)
    kind = parts[2] if parts[0] == "session" else parts[0]
    return AccountKind(kind), parts[3] if len(parts) == 4 else None


Amounts = Mapping[str, int]
"""What accounts get (or, negative, give), by their keys. Nobody is in it with nothing."""


class Moved(NamedTuple):
    """What a hand moves: what each seat, each pot and the world's side get (or, negative, give)."""

    seats: Mapping[int, int]
    pots: Mapping[str, int]
    world: int


def by_key(session_id: int, what: Moved) -> Amounts:
    """Spell what a hand moves by the keys of the accounts."""
    seats, pots, world = what
    keys = {seat_key(seat_id): amount for seat_id, amount in seats.items()}
    keys |= {
        session_key(session_id, AccountKind.POT, name): amount for name, amount in pots.items()
    }
    keys[session_key(session_id, AccountKind.WORLD)] = world
    return {key: amount for key, amount in keys.items() if amount}
