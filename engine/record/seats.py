"""Who may sit at a table, and which names a record may use: only those of its seats."""

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.errors import Violation, unknown_seat

if TYPE_CHECKING:
    from engine.record.hand import HandRecord

FEWEST, MOST = 3, 12
RESERVED = ("widow", "spit")
"""Words that stand beside names in a record and so cannot be names."""

Named = tuple[tuple[str | None, ...], str]


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


def name_problems(record: "HandRecord") -> list[Violation]:
    """Every name in the record that has no seat at its table."""
    seats: set[str | None] = {None, *record.players}
    # Most names are well, so that each list of them is looked at as a whole first.
    return [
        unknown_seat(name, record.players, field.format(place))
        for names, field in _named(record)
        if not seats.issuperset(names)
        for place, name in enumerate(names, 1)
        if name not in seats
    ]


def _named(record: "HandRecord") -> Iterator[Named]:
    """Each list of names that the record uses, with where one of them stands, its place in braces."""
    yield (record.dealer,), "dealer"
    if record.active is not None:
        yield record.active, "active"
    contract, deal, exchange = record.contract, record.deal, record.exchange
    if contract is not None:
        yield (contract.bidder,), "contract.bidder"
        yield (contract.partner,), "contract.partner"
        yield contract.doubled or (), "contract.doubled"
        yield contract.redoubled or (), "contract.redoubled"
    if deal is not None:
        yield tuple(deal.hands or ()), "deal.hands"
    if record.spit is not None:
        order, drawn = record.spit.order or (), record.spit.drawn or ()
        yield tuple([None if to == "spit" else to for to, _ in order]), "spit.order.{}"
        yield tuple([to for to, _, _ in drawn]), "spit.drawn.{}"
    if record.auction is not None:
        yield tuple([call.seat for call in record.auction]), "auction.{}"
        yield tuple([call.doubler for call in record.auction]), "auction.{}"
    if exchange is not None and exchange.giver != "widow":
        yield (exchange.giver,), "exchange.from"
    if record.tricks is not None:
        yield tuple([trick.leader for trick in record.tricks]), "tricks.{}.leader"
