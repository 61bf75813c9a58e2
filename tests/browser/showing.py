"""A club to look at: a club's books with two evenings in them, one settled, one being played."""

import random
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.runtime.clock import today
from ledger.services.club import clubs, devices, links, seasons, tokens
from ledger.services.club.passcodes import ClientDevice, origin_of
from ledger.services.table import lifecycle, season_end
from tests.ledger import cash, table

PLAYERS = ("Annika", "Bernd", "Charlotte", "Dmitri", "Esther", "Felix", "Greta")
AWKWARD = (
    "Maximiliane-Henriette von Trips",
    "🂡 Ace 🎉",
    "محمد عبد الرحمن",
    "佐藤 さくら",
    "Bo",
    "Łukasz Brzęczyszczykiewicz",
    "אביגיל",
)
"""Names that are long, short, written from the right, or of signs that few faces have."""

CLUB, PASSCODE, AUTHOR = "Kitchen table", "four aces", "Annika"
SETTLED, TONIGHT = 1, 2
"""The numbers of the two sessions."""


def written(
    url: str, folder: Path, players: tuple[str, ...] = PLAYERS, tonight: int = 18, lent: int = 100
) -> dict[str, Any]:
    """Write the club into a service's ``folder`` directly; return the values in its pages' addresses.

    ``tonight`` is the number of hands played so far, ``lent`` the number of chips borrowed by a player.
    """
    database = Database(url)
    try:
        secret = (folder / "secret-key").read_text().strip()
        return _written(database, secret, players, tonight, lent)
    finally:
        database.close()


def _written(
    database: Database, secret: str, players: tuple[str, ...], tonight: int, lent: int
) -> dict[str, Any]:
    access, club = clubs.create(database, name=CLUB, passcode=PASSCODE, author=AUTHOR)
    hands = _hands(random.Random(36), players)  # noqa: S311 (hands, not keys)
    for title, many in (("At Bernd's", 24), ("At Annika's", tonight)):
        session = table.start(database, access, players, title=title, starting_stack=300)
        dealer, _ = table.turn(database, access, session)
        table.record(database, access, session, table.with_cards("crazy-solo", players, dealer))
        for _ in range(many - 1):
            table.record(database, access, session, next(hands))
        if session == SETTLED:
            cash.convert(database, access, session, cash.TEN_FOR_ONE)
            lifecycle.close(table.write(database, access), session)
    table.void(database, access, TONIGHT, 5)
    table.correct(database, access, TONIGHT, 9, next(hands))
    entry = cash.lend(database, access, TONIGHT, players[5], lent)["entry"]
    season = _seasons(database, access)
    tokens.issue(database, access, label="A script", role=Role.VIEWER, days=30)
    key, link = links.make(database, access, secret, role=Role.SCORER, lasts="evening")
    links.make(database, access, secret, role=Role.VIEWER, lasts="year")
    device = ClientDevice(origin_of("192.0.2.7"), "iPhone", {})
    devices.admit(database, Access(1, Role.SCORER, "Bernd"), device, link_id=link.id)
    known = {"player": players[0], "game": "crazy-solo", "viewer_key": key, "link_id": link.id}
    numbers = {
        "player_id": 1,
        "token_id": 1,
        "device_id": 2,
        "number": 5,
        "entry": entry,
        "season_id": season,
    }
    return {"club_id": club.id, "session_id": TONIGHT, **numbers, **known}


def _seasons(database: Database, access: Access) -> int:
    """Create an open season and a closed one that a correction would change; return the closed one's id."""
    days: dict[str, Any] = {"first_day": today() - timedelta(days=300), "last_day": today()}
    rules: dict[str, Any] = {
        "least_evenings": 2,
        "tie_breaks": ["wins", "best"],
        "prize": "A ham",
    }
    seasons.create(
        table.write(database, access), name="Points all year", method="ranks", **days, **rules
    )
    season = seasons.create(table.write(database, access), name="Chips of the year", **days)
    season_end.close(table.write(database, access), season["id"])
    table.void(database, access, TONIGHT, 2)
    return int(season["id"])


def _hands(
    chance: random.Random, players: tuple[str, ...] = PLAYERS
) -> Iterator[Mapping[str, Any]]:
    """Make hands without end, as a table might play them."""
    while True:
        bidder, partner = chance.sample(players, 2)
        trump = chance.choice("SHDC")
        points = min(max(round(chance.gauss(64, 16)), 15), 118)
        if chance.random() < 0.25:
            yield {
                "contract": {"bidder": bidder, "bid": "go-alone", "trump": trump},
                "points": points,
            }
        else:
            called = "A" + chance.choice([suit for suit in "SHDC" if suit != trump])
            bid = {"bid": "solo-in-hearts"} if trump == "H" else {"bid": "solo", "trump": trump}
            with_partner = {"bidder": bidder, "partner": partner, "called": called}
            yield {"contract": {**bid, **with_partner}, "points": points}
