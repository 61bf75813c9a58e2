"""Reading before writing: the response has the revision to send along."""

from collections.abc import Callable

import pytest

from ledger.books.transactions import Database
from tests.ledger import cash
from tests.ledger.api.caller import BASE, Caller, Reply
from tests.ledger.api.test_document import operations
from tests.ledger.table import ALONE_85, FOUR, HEARTS_46, HEARTS_74, row_counts

COUNT = {"counts": {"Ann": {"5": 6}}}

LOOKS: dict[str, tuple[Callable[[Caller, str], Reply], str, object]] = {
    "a leaving": (
        lambda sue, path: sue.dry(f"{path}/seats/leave", {"player": "Ann"}),
        "seats/leave",
        {"player": "Ann"},
    ),
    "a conversion": (
        lambda sue, path: sue.dry(f"{path}/conversion", {}),
        "conversion",
        {},
    ),
    "a count": (
        lambda sue, path: sue.dry(f"{path}/counts", COUNT),
        "counts",
        {**COUNT, "post": True},
    ),
    "an undo": (lambda sue, path: sue.get(f"{path}/undo"), "undo", None),
    "the accounts": (
        lambda sue, path: sue.get(f"{path}/accounts"),
        "loans",
        {"player": "Ann", "chips": 5},
    ),
}


@pytest.mark.parametrize("what", LOOKS)
def test_what_was_looked_at_is_written_or_nothing(sue: Caller, what: str) -> None:
    """The ETag of the look is refused once somebody has written, and good as long as nobody has."""
    path = sue.start(
        players=list(FOUR), first_dealer=None, rate={"chips": 10, "money": 10}, starting_stack=150
    )
    sue.post(f"{path}/hands", cash.ANN_WINS)
    look, deed, body = LOOKS[what]
    stale = {"If-Match": look(sue, path).headers["ETag"]}
    sue.post(f"{path}/hands", cash.ANN_WINS)
    assert sue.post(f"{path}/{deed}", body, headers=stale).status_code == 412
    fresh = {"If-Match": look(sue, path).headers["ETag"]}
    assert sue.post(f"{path}/{deed}", body, headers=fresh).status_code in (200, 201)


ON_PAPER = {"game": "crazy-solo", "started_on": "2026-05-07", "won": {"Ann": 1, "Bob": -1}}

NEEDED: dict[str, tuple[str, str, object]] = {
    "a correction": ("PUT", "/hands/1", {"hand": HEARTS_46, "reason": "why"}),
    "a voiding": ("POST", "/hands/1/void", {"reason": "why"}),
    "a restoring": ("POST", "/hands/2/restore", {"reason": "why"}),
    "an undo": ("POST", "/undo", None),
    "a redo": ("POST", "/redo", None),
    "the taking back of a loan": ("POST", "/entries/6/take-back", {"reason": "why"}),
    "the taking back of a leaving": (
        "POST",
        "/seats/take-leaving-back",
        {"player": "Bob", "reason": "why"},
    ),
    "closing": ("POST", "/close", None),
    "reopening": ("POST", "/reopen", None),
    "deleting": ("DELETE", "", None),
    "a result on paper": ("PUT", "/paper-result", {**ON_PAPER, "won": {"Ann": 2, "Bob": -2}}),
}


def played(sue: Caller, what: str) -> str:
    """Play an evening in which all of these can be written."""
    if what == "a result on paper":
        entered = sue.post("/paper-evenings", ON_PAPER)
        return entered.headers["Location"].removeprefix(BASE)
    path = sue.start()
    if what == "deleting":
        return path  # only where nothing was written
    for hand in (HEARTS_74, ALONE_85):
        sue.post(f"{path}/hands", hand)
    assert sue.post(f"{path}/loans", {"player": "Ann", "chips": 5}).json["entry"] == 6
    sue.post(f"{path}/hands/2/void", {"reason": "why"})
    if "leaving" in what:
        sue.post(f"{path}/seats/leave", {"player": "Bob"})
    if what == "a redo":
        sue.post(f"{path}/undo")
    if what == "reopening":
        sue.post(f"{path}/close")
    return path


@pytest.mark.parametrize("what", NEEDED)
def test_what_changes_or_ends_what_is_written_says_on_top_of_what(
    sue: Caller, database: Database, what: str
) -> None:
    """Without `If-Match` it is 428 and nothing is written; the last read's tag will do, and so will `*`."""
    path = played(sue, what)
    method, place, body = NEEDED[what]
    before = row_counts(database)
    refused = sue.call(method, path + place, body, headers={"If-Match": None})
    assert (refused.status_code, refused.json["code"]) == (428, "revision-missing")
    assert "Send the header If-Match" in refused.json["detail"]
    assert row_counts(database) == before
    condition = {"If-Match": sue.get(path).headers["ETag"]}
    assert sue.call(method, path + place, body, headers=condition).status_code == 200
    assert sue.call(method, path + place, body, headers=condition).status_code in (404, 409, 412)


def test_428_is_documented_for_these_and_no_others(sue: Caller) -> None:
    """Recording a hand, as scripts do, goes without."""
    document = sue.get("/openapi.json").json
    told = {
        (method, path.removeprefix(f"{BASE}/sessions/{{session_id}}"))
        for method, path, operation in operations(document)
        if "428" in operation["responses"]
    }
    known = {"1": "{number}", "2": "{number}", "6": "{entry_id}"}
    expected = {
        (method, "/".join(known.get(part, part) for part in place.split("/")))
        for method, place, _ in NEEDED.values()
    }
    assert told == expected
    path = sue.start()
    without = {"If-Match": None}
    assert sue.post(f"{path}/hands", HEARTS_74, headers=without).status_code == 201
    loan = {"player": "Ann", "chips": 5}
    assert sue.post(f"{path}/loans", loan, headers=without).status_code == 201
