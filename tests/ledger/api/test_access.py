"""Access: a token opens its club and no other, a viewer's only reads."""

from typing import Any

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Role
from ledger.services.club import clubs, tokens
from tests.ledger.api.caller import Caller, faults
from tests.ledger.photos import PHOTO
from tests.ledger.table import HEARTS_74, SEVEN, row_counts

OF_THE_CLUB = [
    *("/club", "/players", "/sessions", "/club/money", "/club/settlement", "/head-to-head"),
    *(
        "/evenings",
        "/club/statistics",
        "/club/records",
        "/club/ratings",
        "/seasons",
        "/club/report.pdf",
    ),
]
OF_ONE_THING = [
    "/sessions/1",
    "/sessions/1/hands",
    "/sessions/1/hands/1",
    "/sessions/1/undo",
    "/sessions/1/chips",
    "/sessions/1/standings",
    "/sessions/1/accounts",
    "/sessions/1/entries",
    "/sessions/1/settlement",
    "/sessions/1/highlights",
    "/sessions/1/report.pdf",
    "/sessions/1/score-sheet.pdf",
    "/players/1/statement",
    "/players/1/statistics",
    "/accounts/1/balance?at=2026-01-31T21:15:00Z",
]
READS = [*OF_THE_CLUB, *OF_ONE_THING]
Writing = tuple[str, str, Any]
TO_THE_CLUB: list[Writing] = [
    ("PATCH", "/club/passcode", {"passcode": "five aces"}),
    ("POST", "/club/viewer-link", None),
    ("PATCH", "/club/money", {"denominations": [5, 10]}),
    ("POST", "/tokens", {"label": "Ann", "role": "scorer"}),
    ("DELETE", "/tokens/1", None),
    ("PATCH", "/devices/1", {"role": "viewer"}),
    ("DELETE", "/devices/1", None),
    ("POST", "/links", {"role": "viewer", "lasts": "week"}),
    ("DELETE", "/links/1", None),
    ("POST", "/players", {"name": "Zoë"}),
    ("PATCH", "/players/1", {"name": "Zoë"}),
    ("PUT", "/players/1/archived", {"archived": True}),
    ("PUT", "/players/1/mark", {"colour": 3}),
    ("PUT", "/players/1/picture", {"picture": PHOTO}),
    ("DELETE", "/players/1/picture", None),
    ("POST", "/sessions", {"game": "crazy-solo", "players": ["A", "B", "C"]}),
    ("POST", "/paper-evenings", {"game": "frog", "won": {"A": 1, "B": -1}}),
    ("POST", "/seasons", {"name": "X", "first_day": "2026-01-01", "last_day": "2026-12-31"}),
    (
        "POST",
        "/club/money-imports",
        {"content": "Date,What,Type,Cost,Currency,Ann,Bob\n2026-01-31,Pizza,Food,2,EUR,1,-1\n"},
    ),
    ("POST", "/payments", {"payer": "Ann", "payee": "Bob", "amount": 100}),
    (
        "POST",
        "/expenses",
        {"title": "Pizza", "amount": 100, "payer": "Ann", "shared_by": [{"player": "Bob"}]},
    ),
]
TO_ONE_THING: list[Writing] = [
    ("PUT", "/sessions/1/rules", {"game": "crazy-solo"}),
    ("PATCH", "/sessions/1", {"title": "Friday"}),
    ("DELETE", "/sessions/1", None),
    ("PUT", "/sessions/1/paper-result", {"game": "frog", "won": {"A": 1, "B": -1}}),
    ("POST", "/sessions/1/again", None),
    ("POST", "/sessions/1/pause", None),
    ("POST", "/sessions/1/resume", None),
    ("POST", "/sessions/1/close", None),
    ("POST", "/sessions/1/reopen", None),
    ("POST", "/sessions/1/seats", {"player": "Hal"}),
    ("PUT", "/sessions/1/seats", {"order": list(SEVEN)}),
    ("POST", "/sessions/1/seats/sit-out", {"player": "Ann"}),
    ("POST", "/sessions/1/seats/come-back", {"player": "Ann"}),
    ("POST", "/sessions/1/seats/leave", {"player": "Ann"}),
    ("POST", "/sessions/1/seats/take-leaving-back", {"player": "Ann", "reason": "why"}),
    ("POST", "/sessions/1/hands", HEARTS_74),
    ("PUT", "/sessions/1/hands/1", {"hand": HEARTS_74, "reason": "miscounted"}),
    ("POST", "/sessions/1/hands/1/void", {"reason": "misdeal"}),
    ("POST", "/sessions/1/hands/1/restore", {"reason": "no misdeal"}),
    ("POST", "/sessions/1/hands/1/confirm", {"version": 1}),
    ("POST", "/sessions/1/undo", None),
    ("POST", "/sessions/1/redo", None),
    ("POST", "/sessions/1/loans", {"player": "Ann", "chips": 150}),
    ("POST", "/sessions/1/repayments", {"player": "Ann", "chips": 150}),
    ("POST", "/sessions/1/adjustments", {"player": "Ann", "chips": 5, "reason": "found"}),
    ("POST", "/sessions/1/pots/share", {}),
    ("POST", "/sessions/1/differences/share", {}),
    ("POST", "/sessions/1/counts", {"counts": {"Ann": {"5": 6}}}),
    ("PUT", "/sessions/1/rate", {"rate": {"chips": 10, "money": 5}}),
    ("POST", "/sessions/1/conversion", {"rate": {"chips": 10, "money": 5}}),
    ("POST", "/payments/1/take-back", {"reason": "why"}),
    ("POST", "/expenses/1/take-back", {"reason": "why"}),
]
WRITES = [*TO_THE_CLUB, *TO_ONE_THING]


@pytest.fixture
def evening(sue: Caller) -> str:
    """A session with one hand in it; return its path."""
    path = sue.start()
    assert sue.post(f"{path}/hands", HEARTS_74).status_code == 201
    return path


def test_without_a_token_nothing_of_a_club_is_answered(anyone: Caller, evening: str) -> None:
    """Each read and write is answered 401, with the scheme."""
    for method, path, body in [*(("GET", path, None) for path in READS), *WRITES]:
        response = anyone.call(method, path, body)
        assert response.status_code == 401, path
        assert response.headers["WWW-Authenticate"].startswith("Bearer"), path
        assert "token" in response.json["detail"]
    assert evening == "/sessions/1"


@pytest.mark.parametrize("header", ["Bearer", "Bearer  ", "Bearer solo_unknown", "Basic c3VlOng="])
def test_a_header_that_opens_no_club_is_refused(anyone: Caller, header: str) -> None:
    """So are another scheme and an empty token."""
    response = anyone.get("/club", headers={"Authorization": header})
    assert (response.status_code, response.json["code"]) == (401, "not-signed-in")


def test_a_viewer_reads_everything_and_previews(viewer: Caller, evening: str) -> None:
    """A viewer's token reads along."""
    assert [viewer.get(path).status_code for path in READS] == [200] * len(READS)
    assert viewer.dry(f"{evening}/hands", HEARTS_74).status_code == 200
    assert viewer.get("/club").json["role"] == "viewer"
    assert viewer.get("/club").json["viewer_link"] is None


def test_a_viewer_writes_nothing(viewer: Caller, evening: str, database: Database) -> None:
    """Each write is answered 403 before its body is read; the tokens stay unlisted."""
    before = row_counts(database)
    for method, path, fields in WRITES:
        for body in (fields, {"wrong": True}):
            response = viewer.call(method, path, body)
            assert (response.status_code, response.json["code"]) == (403, "read-only"), path
    assert viewer.get("/tokens").status_code == 403
    assert row_counts(database) == before
    assert evening == "/sessions/1"


def test_another_clubs_rows_are_not_there(app: Flask, database: Database, evening: str) -> None:
    """A token of one club finds nothing of another, neither to read nor to write."""
    access, _ = clubs.create(database, name="Other Club", passcode="four kings")
    secret, _ = tokens.issue(database, access, label="Spy", role=Role.SCORER)
    spy, before = Caller(app, secret), row_counts(database)
    for path in OF_ONE_THING:
        assert spy.get(path).status_code == 404, path
    for method, path, body in TO_ONE_THING:
        assert spy.call(method, path, body).status_code == 404, path
    assert spy.get("/players").json == []
    assert spy.get("/sessions").json == []
    assert row_counts(database) == before
    assert evening == "/sessions/1"


def test_a_revoked_token_opens_nothing(sue: Caller, app: Flask) -> None:
    """Taken back is taken back, at once; doing so twice is no mistake."""
    made = sue.post("/tokens", {"label": "Old phone", "role": "scorer"}).json
    old = Caller(app, made["secret"])
    assert old.get("/club").status_code == 200
    for _ in range(2):
        assert sue.call("DELETE", f"/tokens/{made['id']}").json["revoked_at"]
    assert old.get("/club").status_code == 401


def test_a_browsers_cookie_opens_nothing(app: Flask, club: Any) -> None:
    """The API reads no cookies, so that it needs no protection from other sites' forms."""
    client = app.test_client()
    with client.session_transaction() as cookie:
        cookie["clubs"] = [{"club": club.club_id, "role": "scorer", "author": "Sue", "seal": "1"}]
    assert client.get("/api/v1/club").status_code == 401


def test_a_write_without_a_key_names_the_header(sue: Caller, database: Database) -> None:
    """And one with a key that is too short, too long or no plain text."""
    before = row_counts(database)
    for key in ("", "short", "k" * 201, "schlüssel-schlüssel"):
        response = sue.post("/players", {"name": "Ann"}, headers={"Idempotency-Key": key})
        assert response.status_code == 422
        assert "key" in faults(response)["Idempotency-Key"]
    assert row_counts(database) == before


def test_the_same_key_gets_the_first_answer_again(sue: Caller, database: Database) -> None:
    """The same status and body, and one hand only, even when the revision has moved on."""
    path = sue.start()
    condition = {"If-Match": sue.get(path).headers["ETag"]}
    first = sue.post(f"{path}/hands", HEARTS_74, key="the-same-key", headers=condition)
    before = row_counts(database)
    repeated = sue.post(f"{path}/hands", HEARTS_74, key="the-same-key", headers=condition)
    assert (
        (repeated.status_code, repeated.data)
        == (first.status_code, first.data)
        == (201, first.data)
    )
    assert repeated.headers["ETag"] == first.headers["ETag"]
    assert row_counts(database) == before
