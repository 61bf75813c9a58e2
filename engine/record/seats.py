"""Who may sit at a table, and which names a record may use: only those of its seats."""

from functools import lru_cache
from itertools import chain
from operator import itemgetter
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
    players = record.players
    named = _named(record)
    seats: set[str | None] = {None, *players}
    # Nearly all names are well, so that all of them are looked at as a whole first.
    if seats.issuperset(chain.from_iterable(map(itemgetter(0), named))):
        return []
    return [
        unknown_seat(name, players, field.format(place))
        for names, field in named
        for place, name in enumerate(names, 1)
        if name not in seats
    ]


def _named(record: "HandRecord") -> list[Named]:
    """Each list of names that the record uses, with where one of them stands, its place in braces."""
    named: list[Named] = [((record.dealer,), "dealer")]
    if record.active is not None:
        named.append((record.active, "active"))
    contract, deal, exchange = record.contract, record.deal, record.exchange
    if contract is not None:
        named.append(((contract.bidder,), "contract.bidder"))
        named.append(((contract.partner,), "contract.partner"))
        if contract.doubled or contract.redoubled:
            named.append((contract.doubled or (), "contract.doubled"))
            named.append((contract.redoubled or (), "contract.redoubled"))
    if deal is not None:
        named.append((tuple(deal.hands or ()), "deal.hands"))
    if record.spit is not None:
        order, drawn = record.spit.order or (), record.spit.drawn or ()
        dealt = tuple([None if to == "spit" else to for to, _ in order])
        named.append((dealt, "spit.order.{}"))
        named.append((tuple([to for to, _, _ in drawn]), "spit.drawn.{}"))
    if record.auction is not None:
        named.append((tuple([call.seat for call in record.auction]), "auction.{}"))
        named.append((tuple([call.doubler for call in record.auction]), "auction.{}"))
    if exchange is not None and exchange.giver != "widow":
        named.append(((exchange.giver,), "exchange.from"))
    if record.tricks is not None:
        named.append((tuple([trick.leader for trick in record.tricks]), "tricks.{}.leader"))
    return named
