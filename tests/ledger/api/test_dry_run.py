"""A write tried by a dry run: for any reader, without a key, answered as the write is; nothing is written."""

from typing import Any

import pytest
from sqlalchemy import event

from ledger.books.transactions import Database
from tests.ledger.api.caller import BASE, Caller
from tests.ledger.api.test_broken_off import SPLITWISE
from tests.ledger.api.test_document import operations
from tests.ledger.table import ALONE_85, FOUR, HEARTS_46, HEARTS_74, row_counts

WHY = {"reason": "why"}
ANN = {"player": "Ann"}
WRITES: dict[str, tuple[str, str, Any]] = {
    "a hand": ("POST", "/hands", HEARTS_74),
    "a correction": ("PUT", "/hands/1", {"hand": HEARTS_46, **WHY}),
    "a voiding": ("POST", "/hands/1/void", WHY),
    "a restoring": ("POST", "/hands/2/restore", WHY),
    "an undo": ("POST", "/undo", None),
    "a redo": ("POST", "/redo", None),
    "the taking back of a loan": ("POST", "/entries/{loan}/take-back", WHY),
    "the taking back of a leaving": ("POST", "/seats/take-leaving-back", {"player": "Gus", **WHY}),
    "a leaving": ("POST", "/seats/leave", ANN),
    "a conversion": ("POST", "/conversion", {}),
    "a count": ("POST", "/counts", {"counts": {"Ann": {"5": 6}}, "post": True}),
    "the taking back of a payment": ("POST", "{payment}", WHY),
    "the taking back of an expense": ("POST", "{expense}", WHY),
    "an import": ("POST", "{imports}", {"content": SPLITWISE}),
}


OF_CLUB = {
    "payment": "/payments/{entry_id}/take-back",
    "expense": "/expenses/{expense_id}/take-back",
    "imports": "/club/money-imports",
}
"""The addresses of writes to the club, and not to a session."""


@pytest.fixture
def evening(sue: Caller) -> dict[str, str]:
    """A session in which all of these can be written, and the addresses of their objects."""
    rate = {"chips": 10, "money": 10}
    path = sue.start(starting_stack=150, rate=rate)
    for hand in (HEARTS_74, ALONE_85):
        sue.post(f"{path}/hands", hand)
    sue.post(f"{path}/hands/2/void", WHY)
    sue.post(f"{path}/seats", {"player": "Hal"})
    loan = sue.post(f"{path}/loans", {"player": "Hal", "chips": 5}).json["entry"]
    paid = sue.post("/payments", {"payer": "Cyd", "payee": "Dee", "amount": 5}).json["entry"]
    for _ in range(2):
        sue.post(f"{path}/hands", {"contract": {"bid": "pass"}})
    sue.post(f"{path}/undo")
    pizza = {"title": "Pizza", "amount": 9, "payer": "Cyd", "shared_by": [{"player": "Dee"}]}
    shared = sue.post("/expenses", pizza).json["entry"]
    return {
        "path": path,
        "loan": str(loan),
        "imports": "/club/money-imports",
        "payment": f"/payments/{paid}/take-back",
        "expense": f"/expenses/{shared}/take-back",
    }


def at(evening: dict[str, str], place: str) -> str:
    """Return the address of a write."""
    return (
        place.format(**evening)
        if place.startswith("{")
        else evening["path"] + place.format(**evening)
    )


@pytest.mark.parametrize("what", WRITES)
def test_a_dry_run_answers_as_the_write_then_does_and_writes_nothing(
    sue: Caller, viewer: Caller, database: Database, evening: dict[str, str], what: str
) -> None:
    """The same keys and, except for those known only after writing, the same values; to a viewer, too."""
    if what == "the taking back of a leaving":
        sue.post(f"{evening['path']}/seats/leave", {"player": "Gus"})
    method, place, body = WRITES[what]
    before, begun = row_counts(database), []

    def begins(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        begun.append(statement)

    event.listen(database.engine, "before_cursor_execute", begins)
    preview = viewer.dry(at(evening, place), body, method)
    event.remove(database.engine, "before_cursor_execute", begins)
    assert preview.status_code == 200, preview.json
    assert "BEGIN IMMEDIATE" not in begun
    assert row_counts(database) == before
    response = sue.call(method, at(evening, place), body)
    assert response.status_code in (200, 201), response.json
    assert preview.json.keys() == response.json.keys()
    later = {"revision", "entry", "at", "entries"}
    assert {key: said for key, said in preview.json.items() if key not in later} == {
        key: said for key, said in response.json.items() if key not in later
    }
    assert {preview.json.get(key) for key in ("entry", "at")} == {None}
    if "ETag" in preview.headers:
        assert int(response.headers["ETag"][1:-1]) == int(preview.headers["ETag"][1:-1]) + 1


def _body(document: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an operation's body, or an empty one."""
    content = operation.get("requestBody", {}).get("content", {})
    name = content.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
    results: dict[str, Any] = document["components"]["schemas"].get(name, {})
    return results


@pytest.mark.parametrize("what", [what for what, (*_, body) in WRITES.items() if body])
def test_a_reason_is_documented_as_required_where_the_write_requires_it(
    sue: Caller, evening: dict[str, str], what: str
) -> None:
    """A dry run needs none, as documented."""
    if what == "the taking back of a leaving":
        sue.post(f"{evening['path']}/seats/leave", {"player": "Gus"})
    method, place, body = WRITES[what]
    address = at(evening, place)
    document = sue.get("/openapi.json").json
    route = {"/hands/1": "/hands/{number}", "/hands/2": "/hands/{number}"}
    path = BASE + place.format(path="", loan="{entry_id}", **OF_CLUB)
    for number, name in route.items():
        path = path.replace(number, name)
    if place.strip("{}") not in OF_CLUB:
        path = path.replace(BASE, f"{BASE}/sessions/{{session_id}}")
    schema = _body(document, document["paths"][path][method.lower()])
    without = {name: value for name, value in body.items() if name != "reason"}
    assert sue.dry(address, without, method).status_code == 200
    refused = sue.call(method, address, without)
    codes = [fault["code"] for fault in refused.json.get("errors", ())]
    assert ("reason" in schema.get("required", ())) == (codes == ["reason-missing"])
    if "reason" in body:
        assert (refused.status_code, codes) == (422, ["reason-missing"])
        assert "A dry run can leave it out" in schema["properties"]["reason"]["description"]


def test_a_dry_run_uses_no_key_up_but_reads_it(sue: Caller) -> None:
    """The same key writes afterwards; an unsuitable one is refused now."""
    path, key = f"{sue.start()}/hands", "the-key-of-this-hand"
    asked = sue.post(f"{path}?dry_run=true", HEARTS_74, key=key)
    assert (asked.status_code, sue.post(path, HEARTS_74, key=key).status_code) == (200, 201)
    for bad in ("short", ""):
        said = {"Idempotency-Key": bad}
        refused = sue.post(f"{path}?dry_run=true", HEARTS_74, headers=said)
        assert refused.json["errors"][0]["code"] == "bad-key"


def test_a_dry_run_is_documented_for_these_and_no_others(sue: Caller) -> None:
    """And no other address shows the effect of a write."""
    document = sue.get("/openapi.json").json
    refs = {
        (method, path): str(operation.get("parameters"))
        for method, path, operation in operations(document)
    }
    asked = {key for key, parameters in refs.items() if "/DRY_RUN" in parameters}
    session = f"{BASE}/sessions/{{session_id}}"
    of_club = {f"{{{kind}}}": f"{BASE}{path}" for kind, path in OF_CLUB.items()}
    known = {"/hands/1": "/hands/{number}", "/hands/2": "/hands/{number}"}
    expected = set()
    for method, place, _ in WRITES.values():
        for said, told in known.items():
            place = place.replace(said, told)
        place = place.replace("{loan}", "{entry_id}")
        expected.add((method, of_club.get(place, session + place)))
    assert asked == expected
    assert not [path for _, path in refs if "preview" in path]


def test_what_is_meant_to_be_asked_is_never_written(sue: Caller, database: Database) -> None:
    """If an operation has no dry run, or the parameter is misspelt."""
    path = sue.start(players=list(FOUR), first_dealer=None)
    before = row_counts(database)
    for place, body in (
        (f"{path}/loans?dry_run=true", {"player": "Ann", "chips": 5}),
        (f"{path}/close?dry_run=true", None),
        (f"{path}/hands?dry_run=yes", HEARTS_74),
        (f"{path}/hands?dry_run=", HEARTS_74),
        (f"{path}/hands?dry_run=false&dry_run=true", HEARTS_74),
        ("/club/viewer-link?dry_run=true", None),
    ):
        refused = sue.post(place, body)
        assert refused.status_code == 422, place
        assert "Nothing was written" in refused.json["detail"]
        assert [each["field"] for each in refused.json["errors"]] == ["dry_run"]
    assert row_counts(database) == before
    assert sue.post(f"{path}/hands?dry_run=false", {"contract": {"bid": "pass"}}).status_code == 201


def test_a_dry_run_on_top_of_what_is_no_more_is_refused_as_the_write_is(sue: Caller) -> None:
    """412, as it would no longer show the effect of the write."""
    path = sue.start()
    condition = {"If-Match": sue.post(f"{path}/hands", HEARTS_74).headers["ETag"]}
    sue.post(f"{path}/hands", ALONE_85)
    assert sue.dry(f"{path}/hands/1/void", {}, headers=condition).status_code == 412
    assert sue.dry(f"{path}/hands/1/void", {}).status_code == 200
