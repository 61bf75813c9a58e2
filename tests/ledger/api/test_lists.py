"""Lists are read page by page, by links that no new row shifts, and narrowed by filters."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import tokens
from tests.ledger.api.caller import Caller, Reply, faults
from tests.ledger.api.test_document import operations
from tests.ledger.evenings import CardClub, plan_of, sent_by
from tests.ledger.table import ALL_PASS, ALONE_85, FOUR, HEARTS_46, HEARTS_74

DAYS = ("2026-01-09", "2026-01-16", "2026-01-16", "2026-02-06", "2026-02-13")
"""The days of five evenings; on the third a Six-Bid table plays, on the fourth nobody is Gus."""

LISTS = {
    "sessions": ("/sessions", "id"),
    "evenings": ("/evenings", "session"),
    "players": ("/players", "id"),
    "a player's evenings": ("/players/1/evenings", "session"),
    "hands": ("/sessions/1/hands", "number"),
    "hands of one player": ("/sessions/1/hands?player=ann&state=standing", "number"),
    "entries": ("/sessions/1/entries", "id"),
    "the club's entries": ("/entries", "id"),
    "a statement": ("/players/1/statement", "entry"),
    "expenses": ("/expenses", "entry"),
}


@pytest.fixture(autouse=True)
def _evenings(sue: Caller) -> None:
    """Five evenings; the first has six hands, of which the third is void, and Ann has paid three times."""
    for number, day in enumerate(DAYS, 1):
        game = "six-bid" if number == 3 else "crazy-solo"
        names = FOUR if number == 3 else None
        settings: dict[str, Any] = {"players": list(names), "first_dealer": "Dee"} if names else {}
        path = sue.start(game, title=f"Evening {number}", started_on=day, **settings)
        assert path == f"/sessions/{number}"
    for hand in (HEARTS_74, ALONE_85, HEARTS_74, ALL_PASS, HEARTS_46, HEARTS_74):
        assert sue.post("/sessions/1/hands", hand).status_code == 201
    sue.post("/sessions/1/hands/3/void", {"reason": "misdeal"})
    sue.post("/sessions/4/close")
    for amount in (1, 2, 3):
        sue.post("/payments", {"payer": "Ann", "payee": "Bob", "amount": amount})
        pizza = {"title": "Pizza", "amount": amount, "payer": "Ann"}
        sue.post("/expenses", {**pizza, "shared_by": [{"player": "Bob"}]})


def links(reply: Reply) -> dict[str, str]:
    """Return the addresses of a response's header Link by their relation, without the API's prefix."""
    header = reply.headers["Link"]
    return {name: path for path, name in re.findall(r'</api/v1([^>]+)>; rel="(\w+)"', header)}


def rows(reply: Reply) -> list[Any]:
    """Return the rows of a list or a statement."""
    assert reply.status_code == 200, reply.json
    return [*(reply.json["lines"] if isinstance(reply.json, Mapping) else reply.json)]


def sized(path: str, size: int) -> str:
    """Return the address of a list's first page of this size."""
    return f"{path}{'&' if '?' in path else '?'}page_size={size}"


def ids(reply: Reply, key: str = "id") -> list[int]:
    """Return the rows' numbers."""
    return [row[key] for row in rows(reply)]


@pytest.mark.parametrize("name", LISTS)
def test_the_links_lead_through_every_row_once(sue: Caller, name: str) -> None:
    """In the order of the whole list, with its filters, to a last page without a next one, and back."""
    path, key = LISTS[name]
    whole = rows(sue.get(path))
    assert len(whole) >= 3
    page = sue.get(sized(path, 2))
    first, found = links(page)["first"], rows(page)
    while (following := links(page).get("next")) is not None:
        page = sue.get(following)
        assert "page" not in page.headers["X-Pagination"].split('"')
        assert links(page)["first"] == first
        found += rows(page)
    assert found == whole
    assert len({row[key] for row in found}) == len(found)
    assert rows(sue.get(first)) == whole[:2]
    assert "next" not in links(sue.get(sized(path, len(whole))))


def test_a_new_evening_shifts_no_row_to_another_page(sue: Caller) -> None:
    """Nor does one deleted meanwhile, even if the link names it; by page numbers a row would come twice."""
    first = sue.get("/sessions?page_size=2")
    sue.start(started_on="2026-02-20")
    assert ids(sue.get(links(first)["next"])) == [3, 2]
    assert ids(sue.get("/sessions?page_size=2&page=2")) == [4, 3]
    assert sue.call("DELETE", "/sessions/5").status_code == 200
    assert ids(sue.get("/sessions?after=5&page_size=1")) == [4]


@pytest.mark.parametrize("name", LISTS)
def test_a_long_page_takes_no_more_statements_than_a_short_one(
    sue: Caller, sqlite_club: CardClub, name: str
) -> None:
    """Each statement finds its rows by an index, also after a row and on filtered pages."""
    path, key = LISTS[name]
    last = ids(sue.get(path), key)[0]
    with sent_by(sqlite_club) as short:
        sue.get(f"{sized(path, 1)}&after={last}")
    with sent_by(sqlite_club) as long:
        sue.get(f"{sized(path, 200)}&after={last}")
    assert len(long) <= len(short) <= 14
    for query, parameters in short:
        for step in plan_of(sqlite_club, query, parameters):
            assert not re.match(
                r"SCAN (hand|journal_entry|posting|seat|play_session)\b(?!.*INDEX)", step
            )


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ("from=2026-01-16", [5, 4, 3, 2]),
        ("to=2026-01-16", [3, 2, 1]),
        ("from=2026-01-16&to=2026-01-16", [3, 2]),
        ("from=2026-01-16&to=2026-02-06&after=3", [2]),
        ("game=six-bid", [3]),
        ("state=closed", [4]),
        ("player=gus", [5, 4, 2, 1]),
        ("player=Ann&game=crazy-solo&state=open", [5, 2, 1]),
        ("from=2027-01-01", []),
    ],
)
def test_evenings_are_chosen_by_day_game_state_and_player(
    sue: Caller, filters: str, found: list[int]
) -> None:
    """Both lists, which count only those."""
    for path, key in (LISTS["sessions"], LISTS["evenings"]):
        reply = sue.get(f"{path}?{filters}")
        assert ids(reply, key) == found
        total = 3 if "after" in filters else len(found)
        assert f'"total": {total}' in reply.headers["X-Pagination"]


def test_a_players_evenings_of_some_days_have_the_totals_of_all(sue: Caller) -> None:
    """The running total counts evenings before the first day, too."""
    sue.post("/sessions/5/hands", HEARTS_74)
    whole = {row["session"]: row for row in rows(sue.get("/players/1/evenings"))}
    assert whole[5]["total"] > whole[4]["total"] > 0
    reply = sue.get("/players/1/evenings?from=2026-01-16&to=2026-02-06")
    assert rows(reply) == [whole[4], whole[3], whole[2]]
    assert '"total": 3' in reply.headers["X-Pagination"]
    assert rows(sue.get("/players/1/evenings?from=2026-01-01")) == [*whole.values()]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ("player=Ann", [1, 3, 5, 6]),
        ("player=Bob&state=standing", [1, 5, 6]),
        ("state=void", [3]),
        ("state=standing&after=2", [4, 5, 6]),
        ("state=standing&page=2&page_size=2", [4, 5]),
        ("player=Gus", []),
        ("after=6", []),
    ],
)
def test_hands_are_chosen_by_player_and_state(sue: Caller, filters: str, found: list[int]) -> None:
    """A player's are those bid or won as partner; each has the balances that it has in the whole list."""
    whole = {row["number"]: row for row in rows(sue.get("/sessions/1/hands"))}
    assert rows(sue.get(f"/sessions/1/hands?{filters}")) == [whole[number] for number in found]


def test_hands_include_their_records_on_request(sue: Caller) -> None:
    """The same as each hand's own, a void one's too; without it there are none."""
    records = [row["record"] for row in rows(sue.get("/sessions/1/hands?include=record"))]
    assert records == [sue.get(f"/sessions/1/hands/{n}").json["record"] for n in range(1, 7)]
    assert not any("record" in row for row in rows(sue.get("/sessions/1/hands")))


REFUSED = [
    ("/sessions?from=yesterday", "from", "A day, such as 2026-01-31, belongs here."),
    ("/sessions?from=2026-02-30", "from", "A day, such as 2026-01-31, belongs here."),
    (
        "/evenings?from=2026-02-01&to=2026-01-31",
        "to",
        "The last day, 2026-01-31, is before the first, 2026-02-01; put the earlier one in `from`.",
    ),
    ("/sessions?state=over", "state", "Choose open, paused or closed."),
    (
        "/evenings?game=poker",
        "game",
        "Choose crazy-solo, six-bid, ",
    ),
    ("/sessions?player=Zoë", "player", "Nobody in this club is called Zoë."),
    ("/sessions?player=", "player", "A name has 1 to 64 characters."),
    (f"/sessions?player={'x' * 65}", "player", "A name has 1 to 64 characters."),
    ("/sessions?after=99", "after", "This club has no evening 99."),
    ("/players/1/evenings?after=99", "after", "This club has no evening 99."),
    ("/sessions?after=0", "after", "The number of a row is 1 or more, up to 19 digits."),
    (f"/sessions?after={2**63 - 1}", "after", f"This club has no evening {2**63 - 1}."),
    (f"/sessions?after={2**63}", "after", "The number of a row is 1 or more, up to 19 digits."),
    ("/sessions?after=first", "after", "A whole number belongs here."),
    ("/sessions?after=3&page=2", "after", "Send `after` or `page`, not both."),
    ("/sessions?page_size=201", "page_size", "less than or equal to 200"),
    ("/players?after=99", "after", "Nobody in this club has the number 99."),
    ("/players/1/statement?after=1", "after", "No entry 1 moved money of Ann."),
    ("/players/7/statement?after=1", "after", "No entry 1 moved money of Gus."),
    ("/sessions/1/entries?after=2", "after", "This evening has no entry 2."),
    ("/sessions/1/hands?after=7", "after", "“Evening 1” has no hand 7."),
    ("/sessions/1/hands?player=Hal", "player", "Hal never sat in “Evening 1”."),
    ("/sessions/1/hands?state=lost", "state", "Choose standing or void."),
    ("/sessions/1/hands?include=cards", "include", "Choose record."),
]


@pytest.mark.parametrize(("path", "field", "sentence"), REFUSED)
def test_a_wrong_parameter_of_a_list_is_refused_at_its_name(
    sue: Caller, path: str, field: str, sentence: str
) -> None:
    """With a sentence that states what would be valid."""
    refused = sue.get(path)
    assert refused.status_code == 422
    assert sentence in faults(refused)[field]


def test_an_unknown_player_is_refused_with_the_names_in_the_club(sue: Caller) -> None:
    """As are those at a session's table."""
    (fault,) = sue.get("/evenings?player=Zoë").json["errors"]
    assert fault["legal"][:2] == ["Ann", "Bob"]
    (fault,) = sue.get("/sessions/3/hands?player=Gus").json["errors"]
    assert fault["legal"] == list(FOUR)


def test_a_row_of_another_club_is_no_place_in_a_list(
    app: Any, database: Database, neighbours: tuple[Access, Access]
) -> None:
    """It is refused as one that does not exist."""
    ours, theirs = (
        Caller(app, tokens.issue(database, access, label="Phone", role=access.role)[0])
        for access in neighbours
    )
    number = theirs.start().rpartition("/")[2]
    assert ours.get(f"/sessions?after={number}").status_code == 422
    assert theirs.get(f"/sessions?after={number}").status_code == 200


SHORT = {
    *("listGames", "showStandings", "listAccounts", "showChips", "showPayout"),
    *("showHeadToHead", "showRecords", "showRatings", "listSeasons"),
    *("listDevices", "listLinks", "listTokens", "listEvents"),
}
"""The lists that are answered whole: of a table, of players and pairs, and of an owner's keys."""


def test_every_list_but_some_short_ones_is_answered_page_by_page(anyone: Caller) -> None:
    """With links, and with a place to go on."""
    whole = set()
    for _, _, operation in operations(anyone.get("/openapi.json").json):
        answer = operation["responses"].get("200", {})
        content = answer.get("content", {}).get("application/json", {})
        if content.get("schema", {}).get("type") != "array":
            continue
        names = {each.get("name") for each in operation.get("parameters", ())}
        if "Link" in answer.get("headers", ()):
            assert {"after", "page", "page_size"} <= names
        else:
            whole.add(operation["operationId"])
    assert whole == SHORT
