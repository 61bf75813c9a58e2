"""Who may sit at a table."""

from functools import lru_cache

from engine.errors import Violation

FEWEST, MOST = 3, 12
RESERVED = ("widow", "spit")
"""Words that stand beside names in a record and so cannot be names."""


@lru_cache(maxsize=1024)
def table_problems(players: tuple[str, ...]) -> tuple[Violation, ...]:
    """Name what is wrong with the players: too few, too many, blank, reserved or twice."""
    problems = []
    if not FEWEST <= len(players) <= MOST:
        problems.append(
            Violation(
                "players-count",
                f"{FEWEST} to {MOST} players sit at a table, not {len(players)}.",
                {"field": "players"},
            )
        )
    seen: set[str] = set()
    for place, name in enumerate(players, 1):
        where = {"field": f"players.{place}", "seat": name}
        if not name.strip():
            problems.append(Violation("name-blank", f"Seat {place} has no name.", where))
        elif name in RESERVED:
            message = f"{name} cannot be a player's name: it stands for cards laid aside."
            problems.append(Violation("name-reserved", message, where))
        elif name in seen:
            message = f"Two seats are called {name}; give each its own name."
            problems.append(Violation("name-twice", message, where))
        seen.add(name)
    return tuple(problems)
