"""Hands over the API: asked for, recorded, corrected, voided, and looked up."""

import json

from ledger.books.transactions import Database
from tests.ledger.api.caller import Caller
from tests.ledger.table import (
    ALL_PASS,
    ALONE_85,
    HEARTS_46,
    HEARTS_74,
    PAYS_ALONE_85,
    PAYS_HEARTS_46,
    PAYS_HEARTS_74,
    row_counts,
    total,
)


def test_a_preview_says_what_saving_would_do_and_saves_nothing(
    sue: Caller, database: Database
) -> None:
    """Payout, reasoning and every balance after it."""
    path = sue.start()
    sue.post(f"{path}/hands", ALONE_85)
    before = row_counts(database)
    preview = sue.dry(f"{path}/hands", HEARTS_74)
    assert preview.status_code == 200
    assert preview.json["verdict"]["deltas"] == PAYS_HEARTS_74
    assert preview.json["verdict"]["explanation"][:3] == [
        "74 card points, 14 over 60",
        "× 3 for hearts = 42",
        "to the nearest 5 = 40",
    ]
    assert preview.json["balances"] == total(PAYS_ALONE_85, PAYS_HEARTS_74)
    assert preview.json["record"]["dealer"] == "Ann"
    assert row_counts(database) == before
    saved = sue.post(f"{path}/hands", HEARTS_74)
    assert saved.json["verdict"] == preview.json["verdict"]
    assert saved.json["balances"] == preview.json["balances"]


def test_the_preview_of_a_correction_moves_balances_by_the_difference(sue: Caller) -> None:
    """A hand that is not there is 404; a reason is not asked for yet."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/hands", ALONE_85)
    preview = sue.dry(f"{path}/hands/1", {"hand": HEARTS_46}, "PUT")
    assert preview.json["balances"] == total(PAYS_ALONE_85, PAYS_HEARTS_46)
    assert sue.dry(f"{path}/hands/9", {"hand": HEARTS_46}, "PUT").status_code == 404


def test_a_recorded_hand_is_found_where_the_answer_says(sue: Caller) -> None:
    """201, the place of the hand, the revision, and everybody's balance."""
    path = sue.start()
    written = sue.post(f"{path}/hands", HEARTS_74)
    assert written.status_code == 201
    assert written.headers["Location"] == f"/api/v1{path}/hands/1"
    assert written.headers["ETag"] == '"2"'
    assert written.json["balances"] == PAYS_HEARTS_74 == sue.balances(path)


def test_a_correction_moves_every_later_balance(sue: Caller) -> None:
    """The history shows old and new, author and reason."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/hands", ALONE_85)
    corrected = sue.put(f"{path}/hands/1", {"hand": HEARTS_46, "reason": "46, not 74"})
    assert corrected.status_code == 200
    assert sue.balances(path) == total(PAYS_HEARTS_46, PAYS_ALONE_85)
    first, second = sue.get(f"{path}/hands").json
    assert first["deltas"] == first["balances"] == list(PAYS_HEARTS_46.values())
    assert second["balances"] == list(total(PAYS_HEARTS_46, PAYS_ALONE_85).values())
    assert (first["version"], first["reason"], first["entered_by"]) == (
        2,
        "46, not 74",
        "Sue's phone",
    )
    assert first["previous"][0]["deltas"] == list(PAYS_HEARTS_74.values())


def test_a_hand_shows_every_version_with_its_record_and_verdict(sue: Caller) -> None:
    """Recorded, corrected, voided: three versions, the last one holds."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    sue.put(f"{path}/hands/1", {"hand": HEARTS_46, "reason": "miscounted"})
    voided = sue.post(f"{path}/hands/1/void", {"reason": "misdeal"})
    assert (voided.json["state"], voided.json["verdict"]) == ("void", None)
    assert set(sue.balances(path).values()) == {0}
    hand = sue.get(f"{path}/hands/1").json
    assert hand["state"] == "void"
    assert [version["action"] for version in hand["versions"]] == [
        "recorded",
        "corrected",
        "voided",
    ]
    assert [version["record"]["points"] for version in hand["versions"]] == [74, 46, 46]
    assert hand["versions"][0]["verdict"]["deltas"] == PAYS_HEARTS_74
    assert [version["reason"] for version in hand["versions"]] == [None, "miscounted", "misdeal"]
    assert hand["record"]["points"] == 46


def test_hands_are_listed_a_page_at_a_time(sue: Caller) -> None:
    """First to last; the balances run on across pages."""
    path = sue.start()
    for hand in (ALL_PASS, HEARTS_74, ALONE_85):
        sue.post(f"{path}/hands", hand)
    page = sue.get(f"{path}/hands?page=2&page_size=2")
    assert [line["number"] for line in page.json] == [3]
    assert page.json[0]["balances"] == list(total(PAYS_HEARTS_74, PAYS_ALONE_85).values())
    assert json.loads(page.headers["X-Pagination"])["total"] == 3
    assert sue.get(f"{path}/hands").json[0]["bid_title"] == "Passed out"


def test_what_is_not_there_is_not_found(sue: Caller) -> None:
    """Other numbers, and numbers that no database can hold."""
    path = sue.start()
    for wrong in (
        f"{path}/hands/1",
        "/sessions/2",
        "/sessions/0",
        f"/sessions/{2**63}",
        f"/sessions/{'9' * 5000}",
        f"{path}/hands/{2**63 - 1}",
        "/sessions/x",
        "/nothing",
    ):
        response = sue.get(wrong)
        assert (response.status_code, response.json["code"]) == (404, "not-found"), wrong
    assert sue.call("DELETE", f"{path}/hands").status_code == 405


def test_a_hand_with_a_claim_and_a_settled_revoke_is_saved_and_explained(sue: Caller) -> None:
    """In the preview, in the response and in the list; an impossible one is refused at its place."""
    path = sue.start()
    payments = [{"from": "Gus", "to": "Ann", "amount": 30}]
    revoke = {"what": "revoke", "seat": "Gus", "settled": "agreed", "transfers": payments}
    hand = {**HEARTS_74, "claimed": {"by": "Ann", "after": 3}, "irregular": [revoke]}
    explanation = [
        "Ann claimed the rest after 3 tricks",
        "revoke by Gus: settled by agreement",
        "Gus pays Ann 30",
    ]
    assert sue.dry(f"{path}/hands", hand).json["verdict"]["explanation"] == explanation
    saved = sue.post(f"{path}/hands", hand)
    assert (saved.status_code, saved.json["record"]["irregular"]) == (201, [revoke])
    assert sue.balances(path) == {**dict.fromkeys(PAYS_HEARTS_74, 0), "Ann": 30, "Gus": -30}
    (line,) = sue.get(f"{path}/hands").json
    assert line["explanation"] == explanation
    refused = sue.post(f"{path}/hands", {**hand, "irregular": [{**revoke, "transfers": []}]})
    assert refused.status_code == 422
    assert refused.json["errors"][0]["field"] == "irregular.1"


def test_another_token_confirms_a_hand_if_the_club_requires_it(sue: Caller, tom: Caller) -> None:
    """The hand and the list of hands say whether it waits; refusals have their codes."""
    sue.call("PATCH", "/club/money", {"confirm_from": 1})
    evening = sue.start()
    sue.post(f"{evening}/hands", HEARTS_74)
    hand, seen = f"{evening}/hands/1", {"version": 1}
    assert sue.get(hand).json["unconfirmed"] is True
    own = sue.post(f"{hand}/confirm", seen)
    assert (own.status_code, own.json["code"]) == (409, "same-device")
    other = tom.post(f"{hand}/confirm", {"version": 2})
    assert (other.status_code, other.json["code"]) == (412, "stale")
    confirmed = tom.post(f"{hand}/confirm", seen)
    assert (confirmed.status_code, confirmed.json["hand"], confirmed.json["revision"]) == (
        200,
        1,
        2,
    )
    assert confirmed.headers["ETag"] == '"2"'
    again = tom.post(f"{hand}/confirm", seen)
    assert (again.status_code, again.json["code"]) == (409, "nothing-to-confirm")
    assert sue.get(hand).json["unconfirmed"] is False
    assert [line["unconfirmed"] for line in sue.get(f"{evening}/hands").json] == [False]
