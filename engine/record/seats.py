"""Who may sit at a table."""

import unicodedata
from functools import lru_cache

from engine.errors import Violation
from engine.words.sentences import say

FEWEST, MOST = 3, 12
RESERVED = ("widow", "spit")
"""Words that appear beside names in a record and so cannot be names."""


LONGEST = 500
"""How many characters a name may have. One that has more may be compared as it is written."""

_UNSEEN = {"Cc", "Cf"}
_FILLERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0\ufe0e\ufe0f"
)
"""Marks and letters that Unicode counts as such and that show nothing."""


def name_key(name: str) -> str:
    """Give what can be seen of a name: two that differ only in blanks, invisible marks or form are one.

    Ann and ANN stay two: nothing is guessed.

    >>> name_key(" Ann\u200b"), name_key("Mary  Ann"), name_key("Zoe\u0308") == name_key("Zo\u00eb")
    ('Ann', 'Mary Ann', True)
    """
    if (name.isascii() and name.isprintable()) or len(name) > LONGEST:
        return " ".join(name.split())
    seen = "".join(
        each
        for each in name
        if each.isspace() or (unicodedata.category(each) not in _UNSEEN and each not in _FILLERS)
    )
    return " ".join(unicodedata.normalize("NFKC", seen).split())


def table_problems(players: tuple[str, ...]) -> tuple[Violation, ...]:
    """Name what is wrong with the players: too few, too many; a name that is long, blank, reserved or twice.

    What is kept by the names at a table is kept for names of a bounded length.
    """
    long = tuple(
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
    )
    judge = _table_problems if len(players) <= MOST else _table_problems.__wrapped__
    return long or judge(players)


@lru_cache(maxsize=1024)
def _table_problems(players: tuple[str, ...]) -> tuple[Violation, ...]:
    problems = []
    if not FEWEST <= len(players) <= MOST:
        message = say(
            "{fewest} to {most} players sit at a table, not {n}.",
            fewest=FEWEST,
            most=MOST,
            n=len(players),
        )
        problems.append(Violation("players-count", message, {"field": "players"}))
    seen: set[str] = set()
    for place, name in enumerate(players, 1):
        where, key = {"field": f"players.{place}", "seat": name}, name_key(name)
        if not key:
            message = say("Seat {place} has no name.", place=place)
            problems.append(Violation("name-blank", message, where))
        elif key in RESERVED:
            message = say(
                "{name} cannot be a player's name: it stands for cards laid aside.", name=key
            )
            problems.append(Violation("name-reserved", message, where))
        elif key in seen:
            message = say("Two seats are called {name}; give each its own name.", name=key)
            problems.append(Violation("name-twice", message, where))
        seen.add(key)
    return tuple(problems)
