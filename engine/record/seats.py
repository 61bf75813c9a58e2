"""Checks of the names and number of players at a table."""

from collections.abc import Iterable
from functools import lru_cache

from engine.errors import Violation, printable, suggest
from engine.record.names import look_alike, name_key
from engine.words.sentences import later, say

FEWEST, MOST = 3, 12
RESERVED = ("widow", "spit")
"""Words that stand in place of names in a record."""

LONGEST = 500
"""The most characters of a name."""


def table_problems(players: tuple[str, ...]) -> tuple[Violation, ...]:
    """Return violations for fewer than 3 or more than 12 players, and for wrong names of players.

    A name is wrong if it is too long, blank, reserved, or the same as an earlier one (`name_key`). If names
    are too long, only they are reported. Results are cached for names of a bounded number and length.
    """
    is_bounded = len(players) <= MOST and all(len(name) <= LONGEST for name in players)
    return (_table_problems if is_bounded else _table_problems.__wrapped__)(players)


# Cached for the benchmark rules: a table plays many hands, and comparing its names takes a tenth of scoring
# one.
@lru_cache(maxsize=1024)
def _table_problems(players: tuple[str, ...]) -> tuple[Violation, ...]:
    problems = [
        Violation(
            "name-too-long",
            say(
                "The name of seat {place} has {n:,} characters; it may have {most}.",
                place=place,
                n=len(name),
                most=LONGEST,
            ),
            {"field": f"players.{place}"},
        )
        for place, name in enumerate(players, 1)
        if len(name) > LONGEST
    ]
    if problems:
        return tuple(problems)
    if not FEWEST <= len(players) <= MOST:
        message = say(
            "{fewest} to {most} players sit at a table, not {n}.",
            fewest=FEWEST,
            most=MOST,
            n=len(players),
        )
        problems.append(Violation("players-count", message, {"field": "players"}))
    first_names: dict[str, str] = {}
    for place, name in enumerate(players, 1):
        where, key = {"field": f"players.{place}", "seat": name}, name_key(name)
        if not key:
            message = say("Seat {place} has no name.", place=place)
            problems.append(Violation("name-blank", message, where))
        elif key in RESERVED:
            message = say(
                "{name} cannot be a player's name: it stands for cards laid aside.", name=name
            )
            problems.append(Violation("name-reserved", message, where))
        elif key in first_names:
            message = say(_ONE_NAME[first_names[key] == name], name=name, other=first_names[key])
            problems.append(Violation("name-twice", message, where))
        first_names.setdefault(key, name)
    return tuple(problems)


_ONE_NAME = {
    True: later("Two seats are called {name}; give each its own name."),
    False: later(
        "{other} and {name} are one name, as capitals, spaces and invisible marks make no difference;"
        " give each seat its own."
    ),
}
"""The message for two seats with one name, by whether both are written alike."""


# Cached for the benchmark rules: a table plays many hands, and comparing its names takes a tenth of scoring
# one.
@lru_cache(maxsize=1024)
def look_alikes(players: tuple[str, ...]) -> tuple[Violation, ...]:
    """Return a violation for each name that looks like an earlier one in letters of another script.

    Only hands from elsewhere are checked: players of a club may have had look-alike names before these were
    refused. The names must have passed `table_problems`, which bounds them.
    """
    return tuple(
        Violation(
            "name-looks-alike",
            say(
                "{name} looks like {other}, but has letters of another alphabet; change one of the two.",
                name=name,
                other=other,
            ),
            {"field": f"players.{place}", "seat": name},
        )
        for place, name in enumerate(players, 1)
        if (other := look_alike(name, players[: place - 1])) is not None
    )


def unknown_seat(name: object, players: Iterable[str], field: str) -> Violation:
    """Return the violation for a name without a seat, with the seats as valid values.

    Its message names the seat with the same name in another spelling, with a look-alike, or most similar.
    """
    seats, text = tuple(players), printable(name)
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}…"
    key = name_key(text)
    same = next((seat for seat in seats if name_key(seat) == key), None)
    twin = look_alike(text, seats)
    template = _READ_EXACTLY if same else _LOOKS_ALIKE if twin else _UNKNOWN
    message = say(template, name=text, seats=seats, seat=same or twin)
    if template is _UNKNOWN:
        message = suggest(message, text, seats)
    return Violation("unknown-seat", message, {"field": field, "seat": text}, seats)


_UNKNOWN = later("{name} has no seat at this table; seated are {seats:list}.")
_READ_EXACTLY = later(
    "{name} has no seat at this table; the seat is called {seat}, and a reference must match it exactly."
)
_LOOKS_ALIKE = later(
    "{name} has no seat at this table; {seat} only looks the same, with letters of another alphabet."
)
