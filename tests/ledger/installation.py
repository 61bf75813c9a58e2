"""An installation of many clubs on PostgreSQL: its rows, its pages, and their statements' plans."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import psycopg
from flask import Flask
from sqlalchemy import text
from werkzeug.routing import BuildError

from ledger.books.transactions import Database
from ledger.cli.demo_club.hands import draw
from ledger.database.access import Role
from ledger.database.models import ClubOrigin, ClubOwned, metadata
from ledger.database.scope import insert
from ledger.runtime.clock import now
from ledger.services.chips import adjust
from ledger.services.club import devices, links, tokens
from ledger.services.club.passcodes import NOBODY
from ledger.services.hands import record
from ledger.services.money import expenses
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, sent_by
from tests.ledger.web.phone import Phone

GAMES = {"crazy-solo": 7, "six-bid": 4, "frog": 3, "progressive": 4, "german-solo": 4}
"""The games, each with the number of players of an evening."""
UNOPENED = {
    *("web.live", "web.club_live", "api-clubs.show_picture"),
    *("web.trust", "web.authority_certificate", "web.arrive"),
}
"""Streams, the picture of a player, who has none, and the pages of a server with HTTPS at home."""

OWNED = {str(model.__tablename__) for model in ClubOwned.__subclasses__()}
"""The tables of the clubs' rows; each of their keys and indexes starts with the club."""

OF_CLUBS = OWNED | {"club", "club_name", "key_digest"}
KINDS_OF_PLANS = ("custom", "generic")
"""PostgreSQL plans for a statement's values at first, and without them once it is prepared and often sent."""

Numbers = Mapping[str, Any]


def furnish(club: CardClub) -> Numbers:
    """Add an evening of every game, money, and ways to enter; return the values in addresses of pages."""
    tokens.issue(club.db, club.access, label="A script", role=Role.VIEWER)
    _, link = links.make(club.db, club.access, table.SECRET, role=Role.SCORER, lasts="evening")
    devices.admit(club.db, club.access, NOBODY, link_id=link.id)
    table.viewer_key(club.db, club.access)
    with club.writing() as session:
        insert(session, ClubOrigin, {"number": 1, "last_entry_id": 1, "arrived_at": now()})
    chance = Random(7)  # noqa: S311 - the same hands every time
    for game, seats in GAMES.items():
        closed = club.start(table.SEVEN[:seats], game)
        for _ in range(3):
            closed.record(draw(chance, game, closed.read(record.propose).table.active))
        closed.void(2)
        if game != "german-solo":
            closed.lend("Ann", 20)
            closed.count({"Bob": {5: 1}}, post=True)
            closed.do(adjust.share_differences)
            closed.leave("Cyd")
            closed.convert(cash.TEN_FOR_ONE)
        closed.close()
    club.pay("Ann", "Bob", 5)
    cost: Any = {"title": "Pizza", "amount": 50, "payer": "Ann", "shared_by": [("Bob", 1)]}
    club.do(expenses.share, **cost, separate=True)
    evening = club.start(table.SEVEN)
    evening.record(table.with_cards("crazy-solo", table.SEVEN, evening.turn[0]))
    evening.record(table.HEARTS_74)
    evening.void(2)
    loan = evening.lend("Bob", 20)["entry"]
    return {
        "session_id": evening.id,
        "player_id": club.player("Ann"),
        "account_id": evening.seat("Ann").account_id,
        "token_id": 1,
        "device_id": 1,
        "link_id": link.id,
        "number": 1,
        "entry": loan,
        "game": "crazy-solo",
    }


def multiply(database: Database, club_id: int, last: int) -> None:
    """Copy a club and its rows, as the clubs with the next numbers up to ``last``; update the statistics.

    The copied rows fit each other as the club's do, so that no trigger needs to check them.
    """
    copies = "generate_series(:club + 1, :last) AS copy"
    with database.engine.begin() as connection:
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        for each in metadata.sorted_tables:
            if each.name not in OF_CLUBS:
                continue
            owner = "id" if each.name == "club" else "club_id"
            values = {column.name: column.name for column in each.columns} | {owner: "copy"}
            if each.name not in OWNED:  # these are unique in the installation
                unique = {"name_key", "key", "digest"} & values.keys()
                values |= {name: f"{name} || copy" for name in unique}
            query = (
                f"INSERT INTO {each.name} ({', '.join(values)}) "
                f"SELECT {', '.join(values.values())} FROM {each.name}, {copies} "
                f"WHERE {owner} = :club"
            )
            connection.execute(text(query), {"club": club_id, "last": last})
        connection.execute(
            text("SELECT setval(pg_get_serial_sequence('club', 'id'), :last)"), {"last": last}
        )
    with database.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE"))


_READING = ("SELECT", "WITH")


class Plan(NamedTuple):
    """A statement's plan with its milliseconds; those of one that writes are None, as it is not executed."""

    root: Mapping[str, Any]
    milliseconds: float | None

    @property
    def whole_tables(self) -> list[str]:
        """The tables of clubs of which more is read than the rows of one club, each with the kind of scan."""
        return [
            f"{node['Node Type']} of {node['Relation Name']}"
            for node in nodes(self.root)
            if node.get("Relation Name") in OF_CLUBS and not _is_narrow(node)
        ]


def nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a plan's nodes."""
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)


def _is_narrow(node: Mapping[str, Any]) -> bool:
    """Return whether a node writes, or enters its table by an index with the club."""
    if node["Node Type"] == "ModifyTable":
        return True
    condition = node.get("Index Cond") or node.get("Recheck Cond") or ""
    return "club_id =" in condition or (node["Relation Name"] not in OWNED and bool(condition))


class Statement(NamedTuple):
    """SQL text and its parameters, of a statement or of several with the same text."""

    text: str
    values: Any

    @property
    def is_planned(self) -> bool:
        """Return whether PostgreSQL has a plan for it."""
        return self.text.startswith((*_READING, "INSERT", "UPDATE", "DELETE"))

    def plan(self, raw: psycopg.Connection[Any], kind: str) -> Plan:
        """Return PostgreSQL's plan for these values, or its generic one, according to ``kind``."""
        values = self.values[0] if isinstance(self.values, list) else self.values
        names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", self.text)))
        numbered = re.sub(r"%\((\w+)\)s", lambda m: f"${names.index(m[1]) + 1}", self.text)
        is_read = self.text.startswith(_READING)
        options = "ANALYZE, FORMAT JSON" if is_read else "FORMAT JSON"
        given = f"({', '.join(f'%({name})s' for name in names)})" if names else ""
        cursor = psycopg.ClientCursor(raw)
        cursor.execute(f"SET plan_cache_mode = force_{kind}_plan".encode())
        cursor.execute(f"PREPARE explained AS {numbered.replace('%%', '%')}".encode())
        try:
            cursor.execute(f"EXPLAIN ({options}) EXECUTE explained{given}".encode(), values or None)
            ((plans,),) = cursor.fetchall()
        finally:
            cursor.execute(b"DEALLOCATE explained")
        return Plan(plans[0]["Plan"], plans[0].get("Execution Time"))


class Pages:
    """The addresses that an owner and a program with a token can open in a club, and their statements."""

    def __init__(self, app: Flask, club: CardClub, numbers: Numbers) -> None:
        self.club = club
        self._phone = Phone(app)
        key, _ = links.make(club.db, club.access, table.SECRET, role=Role.OWNER, lasts="hour")
        self._phone.send(self._phone.open(f"/v/{key}").form(key), author="Sue")
        token, _ = tokens.issue(club.db, club.access, label="Reader", role=Role.OWNER)
        self._program = {"Authorization": f"Bearer {token}"}
        self.addresses = dict(
            self._addresses(app, {**numbers, "club_id": club.access.club_id, "viewer_key": key})
        )

    @staticmethod
    def _addresses(app: Flask, numbers: Numbers) -> Iterator[tuple[str, str]]:
        more: Mapping[str, dict[str, Any]] = {
            "api-money.show_balance": {"at": "2026-01-31T21:15:00Z"},
            "web.leave_table": {"player": "Ann"},
            "web.restore_hand": {"number": 2},
        }
        urls = app.url_map.bind("")
        for rule in app.url_map.iter_rules():
            if "GET" in (rule.methods or ()) and rule.endpoint not in UNOPENED:
                values = {name: numbers[name] for name in rule.arguments if name in numbers}
                try:
                    yield (
                        rule.endpoint,
                        urls.build(rule.endpoint, values | more.get(rule.endpoint, {})),
                    )
                except BuildError:
                    continue  # a file

    def statements(self, address: str) -> list[Statement]:
        """Open a page, and return the statements that it sent."""
        with sent_by(self.club, many=True) as sent:
            program = self._program if address.startswith("/api/") else {}
            response = self._phone.client.get(address, headers=program)
            assert response.status_code < 400, (address, response.get_data(as_text=True))
        return [Statement(*each) for each in sent]
