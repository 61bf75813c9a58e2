"""``If-Match`` as RFC 9110 has it: one tag, several, or ``*``; of a session and of the club's rows."""

from typing import Any

import pytest

from ledger.books.transactions import Database
from tests.ledger.api.caller import Caller, faults
from tests.ledger.api.test_document import operations
from tests.ledger.table import HEARTS_74, row_counts

LOAN = {"player": "Ann", "chips": 5}


def matching(sue: Caller, path: str, tag: str, sent: Any = LOAN, method: str = "POST") -> Any:
    """Write on top of ``tag``."""
    return sue.call(method, path, sent, headers={"If-Match": tag})


def test_one_tag_of_a_list_has_to_be_the_right_one(sue: Caller) -> None:
    """At any place, with or without a part after the dash; empty places between commas are ignored."""
    path = f"{sue.start()}/loans"
    for revision, written in enumerate(('"1"', '"9", "2"', '"3-0f" , "x"', ', "4",', "*"), start=1):
        answer = matching(sue, path, written)
        assert (answer.status_code, answer.json["revision"]) == (201, revision + 1), written


def test_every_read_of_a_session_is_good_to_write_on(sue: Caller) -> None:
    """Its tag begins with the revision, until somebody writes."""
    path = sue.start()
    assert sue.post(f"{path}/hands", HEARTS_74).status_code == 201
    places = ("", "/accounts", "/chips", "/entries", "/hands", "/hands/1", "/settlement")
    for place in (*places, "/standings", "/undo", "/report.pdf"):
        tag = sue.get(path + place).headers["ETag"]
        assert matching(sue, f"{path}/loans", tag).status_code == 201, place
        assert matching(sue, f"{path}/loans", tag).json["code"] == "stale", place


@pytest.mark.parametrize("written", ["7", "seven", "", ",", '"7', '"1", *', '"a b"', 'w/"1"', "é"])
def test_who_can_not_be_read_is_told_how_to_write_it(
    sue: Caller, database: Database, written: str
) -> None:
    """It is not that somebody else was first. Nothing is written."""
    path = sue.start()
    before = row_counts(database)
    refused = matching(sue, f"{path}/loans", written)
    assert refused.status_code == 422
    assert 'in quotes, such as "7"; or several with commas' in faults(refused)["If-Match"]
    assert row_counts(database) == before


def test_a_tag_that_never_was_is_not_said_to_be_old(sue: Caller) -> None:
    """Nobody else wrote; the present revision is stated."""
    path = sue.start()
    for tag in ('"12"', '"x"', 'W/"1"'):
        refused = matching(sue, f"{path}/loans", tag)
        assert (refused.status_code, refused.json["code"]) == (412, "stale")
        assert "has never been as you say" in refused.json["detail"]
        assert "it is at revision 1." in refused.json["detail"]


OF_THE_CLUB: list[tuple[str, str, str, Any]] = [
    ("/players/1", "PATCH", "/players/1", {"name": "Anna"}),
    ("/club/money", "PATCH", "/club/money", {"denominations": [5, 25]}),
    ("/club/settlement", "POST", "/payments", {"payer": "Ann", "payee": "Bob", "amount": 100}),
]


@pytest.mark.parametrize(("read", "method", "place", "sent"), OF_THE_CLUB)
def test_what_is_the_clubs_is_written_on_top_of_what_was_read(
    sue: Caller, database: Database, read: str, method: str, place: str, sent: Any
) -> None:
    """The tag that was read is good once: after a change it is refused, and nothing is saved."""
    sue.start()
    copy = sue.get(read)
    tag = copy.headers["ETag"]
    assert matching(sue, place, tag, sent, method).status_code in (200, 201)
    assert sue.get(read).headers["ETag"] != tag
    before = row_counts(database)
    refused = matching(sue, place, f'{tag}, "x"', sent, method)
    assert (refused.status_code, refused.json["code"]) == (412, "stale")
    assert "changed since you last looked" in refused.json["detail"]
    assert row_counts(database) == before
    repeated = sue.get(read)
    assert repeated.json != copy.json
    view = sue.get(read, headers={"If-None-Match": repeated.headers["ETag"]})
    assert (view.status_code, view.data) == (304, b"")


def test_a_changed_answer_has_the_tag_for_the_next_change(sue: Caller) -> None:
    """Nothing need be read between two changes."""
    sue.start()
    for place, sents in (
        ("/players/1", ({"name": "Anna"}, {"name": "Anne"})),
        ("/club/money", ({"denominations": [5]}, {"denominations": [5, 10]})),
    ):
        tag = sue.get(place).headers["ETag"]
        for body in sents:
            answer = matching(sue, place, tag, body, "PATCH")
            assert answer.status_code == 200
            tag = answer.headers["ETag"]


def test_every_read_has_a_tag_but_those_with_a_secret(sue: Caller) -> None:
    """And every write to something readable takes one; the document states it.

    An archive is made anew, and so are reports of a period, which print the time.
    """
    document = sue.get("/openapi.json").json
    untagged = {
        path.removeprefix("/api/v1")
        for method, path, operation in operations(document)
        if method == "GET" and "ETag" not in operation["responses"]["200"].get("headers", {})
    }
    made_anew = {"/club/archive", "/club/export", "/club/report.pdf"}
    made_anew |= {"/players/{player_id}/statement.pdf", "/players/{player_id}/picture"}
    made_anew |= {f"/seasons/{{season_id}}/{paper}.pdf" for paper in ("report", "poster")}
    assert untagged == {"/club", "/links", *made_anew}
