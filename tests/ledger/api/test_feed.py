"""The club's journal as a feed: a program that follows it has every entry once, and can check the chain."""

from typing import Any

import pytest
from flask import Flask

from ledger.books.chain import GENESIS
from ledger.books.transactions import Database
from ledger.database import json as json_text
from ledger.database.access import Access, Role
from ledger.services.club import tokens
from tests.ledger import cash, table
from tests.ledger.api.caller import Caller, Reply
from tests.ledger.evenings import CardClub, another_club

FEED = "/entries"


def followed(caller: Caller, after: int = 0, size: int = 3) -> list[Any]:
    """Follow a club's feed to its end, in small pages."""
    entries: list[Any] = []
    while True:
        place = f"&after={after}" if after else ""
        page = caller.get(f"{FEED}?page_size={size}{place}").json
        if not page:
            return entries
        entries += page
        after = page[-1]["id"]


@pytest.fixture
def evening(database: Database, club: Access) -> int:
    """An evening with a correction, a loan and money, beside another club's."""
    another_club(database).start()
    played = CardClub(database, club).start(table.SEVEN, rate=cash.TEN_FOR_ONE)
    played.record(table.HEARTS_74)
    played.correct(1, table.HEARTS_46)
    played.lend("Ann", 20)
    played.leave("Bob")
    return played.id


@pytest.fixture
def owner(app: Flask, database: Database, club: Access, evening: int) -> Caller:
    """A program of the club's owner."""
    assert evening
    return Caller(app, tokens.issue(database, club, label="bot", role=Role.OWNER)[0])


def test_whoever_follows_has_each_entry_once_and_in_order(owner: Caller, evening: int) -> None:
    """Whatever the size of its pages; the chain of digests is whole, and each unit sums to zero."""
    entries = followed(owner)
    assert entries == followed(owner, size=1000)
    assert [entry["id"] for entry in entries] == sorted({entry["id"] for entry in entries})
    heads = [GENESIS, *(entry["digest"] for entry in entries)]
    assert [entry["previous_digest"] for entry in entries] == heads[:-1]
    for entry in entries:
        units = {posting["unit"] for posting in entry["postings"]}
        for unit in units:
            assert sum(each["amount"] for each in entry["postings"] if each["unit"] == unit) == 0
    assert {"register", "hand", "reversal", "loan"} <= {entry["kind"] for entry in entries}
    hands = [entry for entry in entries if entry["kind"] in ("hand", "reversal")]
    assert {(entry["session"], entry["hand"]) for entry in hands} == {(evening, 1)}


def test_new_entries_follow_the_last_one_read(
    owner: Caller, database: Database, club: Access, evening: int
) -> None:
    """At the end of the feed there is nothing, until something is written."""
    last = followed(owner)[-1]["id"]
    assert owner.get(f"{FEED}?after={last}").json == []
    unknown = owner.get(f"{FEED}?after={last + 1}")
    assert (unknown.status_code, unknown.json["errors"][0]["field"]) == (422, "after")
    CardClub(database, club).evening(evening).lend("Cyd", 5)
    (entry,) = owner.get(f"{FEED}?after={last}").json
    assert (entry["id"], entry["kind"]) == (last + 1, "loan")
    amounts = {each["account"]: each["amount"] for each in entry["postings"]}
    assert amounts[f"session/{evening}/bank"] == -5


def test_the_rows_of_the_register_are_for_owners(
    app: Flask, owner: Caller, database: Database, club: Access
) -> None:
    """They name devices, links and tokens; a viewer sees that there was a change, and all other details."""
    viewer = Caller(app, tokens.issue(database, club, label="screen", role=Role.VIEWER)[0])
    for theirs, all_of_it in zip(followed(viewer), followed(owner), strict=True):
        if theirs["kind"] == "register":
            assert all_of_it["details"]["rows"]
            all_of_it["details"] = {}
        assert theirs == all_of_it


def streamed(caller: Caller, last: str | None = None, query: str = "") -> Reply:
    """Ask for the feed as a stream, which a server that can't hold connections ends at once."""
    headers = {"Accept": "text/event-stream"} | ({} if last is None else {"Last-Event-ID": last})
    return caller.get(f"{FEED}{query}", headers=headers)


def test_a_stream_has_the_lists_entries_as_events(owner: Caller) -> None:
    """After the last event, if there is one, else after the entry in the address; up to the newest."""
    entries = followed(owner)

    def events(entries: list[Any]) -> str:
        lines = (
            f"id: {each['id']}\ndata: {json_text.write(each).decode()}\n\n" for each in entries
        )
        return "".join(lines)

    stream = streamed(owner)
    assert stream.mimetype == "text/event-stream"
    assert stream.headers["Cache-Control"] == "no-store"
    assert stream.data.decode() == events(entries)
    assert streamed(owner, "2").data.decode() == events(entries[2:])
    assert streamed(owner, query="?after=3").data.decode() == events(entries[3:])
    assert streamed(owner, "2", "?after=3").data.decode() == events(entries[2:])
    assert streamed(owner, str(len(entries))).data == b""
    assert "Accept, " in stream.headers["Vary"]
    assert "Accept, " in owner.get(FEED).headers["Vary"]


@pytest.mark.parametrize(
    "last", ["", "first", "-1", "0", "1.5", "1,2", "999999", str(2**63 - 1), str(2**63), "9" * 5000]
)
def test_an_odd_last_event_is_refused(owner: Caller, last: str) -> None:
    """At `after`, whose place it takes."""
    refused = streamed(owner, last)
    assert (refused.status_code, refused.json["errors"][0]["field"]) == (422, "after")


def test_a_stream_has_no_pages(owner: Caller) -> None:
    """A parameter of the list alone is refused, not ignored."""
    refused = streamed(owner, query="?page=2")
    assert (refused.status_code, refused.json["errors"][0]["field"]) == (422, "page")
