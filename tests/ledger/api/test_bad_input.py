"""Bad input: each its own sentence at the right field, a 4xx, and nothing saved."""

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.books.transactions import Database
from tests.ledger.api.caller import Caller, faults
from tests.ledger.table import FOUR, HEARTS_74, row_counts

CONTRACT = HEARTS_74["contract"]
BAD_HANDS: list[tuple[str, Mapping[str, Any], str, str]] = [
    ("points", {**HEARTS_74, "points": 1}, "points", "miscount"),
    ("points", {**HEARTS_74, "points": 119}, "points", "miscount"),
    ("points", {**HEARTS_74, "points": 121}, "points", "0 to 120"),
    ("points", {**HEARTS_74, "points": -3}, "points", "0 to 120"),
    ("points", {**HEARTS_74, "points": "abc"}, "points", "whole number"),
    ("points", {**HEARTS_74, "points": 74.0}, "points", "whole number"),
    ("points", {**HEARTS_74, "points": True}, "points", "whole number"),
    ("points", {**HEARTS_74, "points": 10**40}, "points", "whole number"),
    ("no points", {"contract": CONTRACT}, "points", "card points"),
    ("no contract", {"points": 74}, "contract", "all passed"),
    ("empty", {}, "contract", "all passed"),
    (
        "partner is caller",
        {**HEARTS_74, "contract": {**CONTRACT, "partner": "Ann"}},
        "contract.partner",
        "own partner",
    ),
    (
        "trump the bid does not allow",
        {**HEARTS_74, "contract": {**CONTRACT, "trump": "S"}},
        "contract.trump",
        "only hearts can be trumps, not spades",
    ),
    (
        "card out of the deck",
        {**HEARTS_74, "contract": {**CONTRACT, "called": "6S"}},
        "contract.called",
        "not in the deck",
    ),
    (
        "unknown seat",
        {**HEARTS_74, "contract": {**CONTRACT, "bidder": "Zoë"}},
        "contract.bidder",
        "no seat",
    ),
    ("unknown key", {**HEARTS_74, "poins": 74}, "poins", "no key"),
    ("another game", {**HEARTS_74, "game": "six-bid"}, "game", "This session plays Crazy Solo"),
    ("contract is a list", {**HEARTS_74, "contract": ["Ann"]}, "contract", "table of keys"),
]


@pytest.mark.parametrize(
    ("hand", "field", "says"),
    [pytest.param(*case[1:], id=f"{n}-{case[0]}") for n, case in enumerate(BAD_HANDS)],
)
def test_a_hand_that_cannot_be_is_refused_at_its_field(
    sue: Caller, database: Database, hand: Mapping[str, Any], field: str, says: str
) -> None:
    """By the preview, the recording and the correction alike."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    before, balances = row_counts(database), sue.balances(path)
    for response in (
        sue.dry(f"{path}/hands", hand),
        sue.post(f"{path}/hands", hand),
        sue.put(f"{path}/hands/1", {"hand": hand, "reason": "miscounted"}),
    ):
        assert response.status_code == 422
        assert says in faults(response)[field]
    assert row_counts(database) == before
    assert sue.balances(path) == balances


def test_a_bidder_who_sat_out_is_refused(sue: Caller, database: Database) -> None:
    """The dealer of a six-bid table of four is king; the active players are named."""
    path = sue.start("six-bid", players=list(FOUR), first_dealer="Dee")
    before = row_counts(database)
    contract = {"bidder": "Dee", "bid": "solo", "trump": "S"}
    refused = sue.post(f"{path}/hands", {"contract": contract, "points": 72})
    assert refused.status_code == 422
    assert "Dee sat out" in faults(refused)["contract.bidder"]
    assert refused.json["errors"][0]["legal"] == ["Ann", "Bob", "Cyd"]
    contract = {"bidder": "Ann", "bid": "solo", "trump": "H"}
    refused = sue.post(f"{path}/hands", {"contract": contract, "points": 72})
    assert "can be trumps, not hearts" in faults(refused)["contract.trump"]
    assert row_counts(database) == before


def test_a_closed_session_takes_no_new_hand_and_no_other_rules(
    sue: Caller, database: Database
) -> None:
    """The sentence names the way to go on; its hands can be changed as they are."""
    path = sue.start(title="Friday")
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/close")
    before = row_counts(database)
    for refused in (
        sue.post(f"{path}/hands", HEARTS_74),
        sue.put(f"{path}/rules", {"game": "crazy-solo"}),
    ):
        assert (refused.status_code, refused.json["code"]) == (409, "session-closed")
        assert "“Friday” is closed; reopen it" in refused.json["detail"]
    assert row_counts(database) == before


def test_a_hand_is_voided_once(sue: Caller, database: Database) -> None:
    """A void hand can be neither voided nor corrected nor previewed."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/hands/1/void", {"reason": "misdeal"})
    before = row_counts(database)
    for refused in (
        sue.post(f"{path}/hands/1/void", {"reason": "misdeal"}),
        sue.put(f"{path}/hands/1", {"hand": HEARTS_74, "reason": "why"}),
        sue.dry(f"{path}/hands/1", {"hand": HEARTS_74}, "PUT"),
    ):
        assert (refused.status_code, refused.json["code"]) == (409, "already-void")
        assert "Hand 1 is already void" in refused.json["detail"]
    assert row_counts(database) == before


def test_the_same_key_with_another_payload_is_refused(sue: Caller, database: Database) -> None:
    """Also at another address."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74, key="one-key-only")
    before = row_counts(database)
    for refused in (
        sue.post(f"{path}/hands", {**HEARTS_74, "points": 75}, key="one-key-only"),
        sue.post("/players", {"name": "Zoë"}, key="one-key-only"),
    ):
        assert (refused.status_code, refused.json["code"]) == (409, "key-reused")
        assert "new key" in refused.json["detail"]
    assert row_counts(database) == before


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("x" * 500, "500 characters"),
        ("   ", "missing"),
        ("", "missing"),
        ("<script>", "< or >"),
        ("Ann\x00", "NUL"),
        ("Ann\x07", "control character"),
        (7, "Text in quotes"),
        (None, "can't be null"),
        (["Ann"], "Text in quotes"),
    ],
    ids=["500", "spaces", "empty", "script", "nul", "bell", "number", "null", "list"],
)
def test_a_name_that_cannot_be_one_is_refused(
    sue: Caller, anyone: Caller, database: Database, name: object, says: str
) -> None:
    """A player's, a renamed player's and a club's."""
    ann = sue.post("/players", {"name": "Ann"}).json
    before = row_counts(database)
    for refused in (
        sue.post("/players", {"name": name}),
        sue.call("PATCH", f"/players/{ann['id']}", {"name": name}),
        anyone.post("/clubs", {"name": name, "passcode": "four aces"}),
    ):
        assert refused.status_code == 422
        assert says in faults(refused)["name"]
    assert row_counts(database) == before


BODIES: list[tuple[str, bytes, str, int, str]] = [
    ("10 MB", b'{"note": "' + b"x" * 10_000_000 + b'"}', "application/json", 413, "too much"),
    ("a list", b"[1, 2]", "application/json", 422, "is a list"),
    ("a text", b'"Ann"', "application/json", 422, "is a text"),
    ("null", b"null", "application/json", 422, "nothing"),
    ("empty", b"", "application/json", 400, "is empty"),
    ("not JSON", b'{"points": }', "application/json", 400, "line 1, column 12"),
    ("not UTF-8", b'{"note": "\xff"}', "application/json", 400, "not UTF-8"),
    ("NaN", b'{"points": NaN}', "application/json", 400, "NaN"),
    ("infinite", b'{"points": 1e999}', "application/json", 422, "out of range"),
    ("a huge number", b'{"points": ' + b"9" * 5000 + b"}", "application/json", 400, "thousands"),
    ("deep", b'{"a":' * 100 + b"1" + b"}" * 100, "application/json", 400, "too deeply"),
    ("deeper", b"[" * 5_000, "application/json", 400, "too deeply"),
    ("half a character", b'{"note": "\\ud800"}', "application/json", 422, "half a character"),
    ("half a key", b'{"\\udfff": 1}', "application/json", 422, "half a character"),
    ("NUL", b'{"note": "\\u0000"}', "application/json", 422, "NUL"),
    ("a key twice", b'{"points": 1, "points": 2}', "application/json", 400, "appears twice"),
    ("a form", b"points=74", "application/x-www-form-urlencoded", 415, "Content-Type"),
    ("no type", b'{"points": 74}', "", 415, "Content-Type"),
]


@pytest.mark.parametrize(
    ("data", "mimetype", "status", "says"),
    [pytest.param(*case[1:], id=case[0]) for case in BODIES],
)
def test_a_body_that_cannot_be_read_is_refused(
    sue: Caller, database: Database, data: bytes, mimetype: str, status: int, says: str
) -> None:
    """With a sentence about the reason, and nothing saved."""
    path = sue.start()
    before = row_counts(database)
    for place in (f"{path}/hands", f"{path}/hands?dry_run=true", "/score", "/players", "/sessions"):
        refused = sue.post(place, data=data, content_type=mimetype)
        assert refused.status_code == status, place
        assert refused.mimetype == "application/problem+json"
        assert says in refused.json["detail"]
    assert row_counts(database) == before


def test_an_unknown_field_is_refused_and_the_known_ones_named(sue: Caller) -> None:
    """So is one that is missing."""
    refused = sue.post("/tokens", {"label": "Ann", "rôle": "viewer"})
    assert refused.status_code == 422
    assert faults(refused) == {
        "role": "This is missing.",
        "rôle": "There is no such field; the fields are label, role and days.",
    }


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501, 7, "a\x00b"])
def test_a_reason_must_say_something(sue: Caller, database: Database, reason: object) -> None:
    """For a correction as for a voiding."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    before = row_counts(database)
    for refused in (
        sue.post(f"{path}/hands/1/void", {"reason": reason}),
        sue.put(f"{path}/hands/1", {"hand": {**HEARTS_74, "points": 46}, "reason": reason}),
    ):
        assert refused.status_code == 422
        assert "reason" in faults(refused)
    assert row_counts(database) == before
