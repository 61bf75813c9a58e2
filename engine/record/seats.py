"""Who may sit at a table, and which names a record may use: only those of its seats."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.errors import Violation, unknown_seat
from engine.record.parts import Spit

if TYPE_CHECKING:
    from engine.record.hand import HandRecord

FEWEST, MOST = 3, 12
RESERVED = ("widow", "spit")
"""Words that stand beside names in a record and so cannot be names."""

Named = tuple[str | None, str]


def table_problems(players: tuple[str, ...]) -> list[Violation]:
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
    return problems


def name_problems(record: "HandRecord") -> list[Violation]:
    """Every name in the record that has no seat at its table."""
    seats = set(record.players)
    return [
        unknown_seat(name, record.players, field)
        for name, field in _named(record)
        if name is not None and name not in seats
    ]


def _named(record: "HandRecord") -> Iterator[Named]:
    """Each name the record uses, with the dotted path of where it stands."""
    yield record.dealer, "dealer"
    for name in record.active or ():
        yield name, "active"
    contract = record.contract
    if contract is not None:
        yield contract.bidder, "contract.bidder"
        yield contract.partner, "contract.partner"
        for name in contract.doubled or ():
            yield name, "contract.doubled"
        for name in contract.redoubled or ():
            yield name, "contract.redoubled"
    if record.deal is not None:
        for name in record.deal.hands or ():
            yield name, "deal.hands"
    if record.spit is not None:
        yield from _named_in_spit(record.spit)
    for place, call in enumerate(record.auction or (), 1):
        yield call.seat, f"auction.{place}"
        yield call.doubler, f"auction.{place}"
    if record.exchange is not None and record.exchange.giver != "widow":
        yield record.exchange.giver, "exchange.from"
    for place, trick in enumerate(record.tricks or (), 1):
        yield trick.leader, f"tricks.{place}.leader"


def _named_in_spit(spit: Spit) -> Iterator[Named]:
    for place, (name, _) in enumerate(spit.order or (), 1):
        if name != "spit":
            yield name, f"spit.order.{place}"
    for place, (name, _, _) in enumerate(spit.drawn or (), 1):
        yield name, f"spit.drawn.{place}"
