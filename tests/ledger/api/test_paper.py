"""Evenings on paper over the API: entered, corrected, removed."""

from tests.ledger.api.caller import Caller, faults

_EVENING = {"game": "frog", "started_on": "2026-05-07", "won": {"Ann": 40, "Bob": -30, "Cyd": -10}}


def test_an_evening_on_paper_is_entered_and_replaced(sue: Caller) -> None:
    """The list shows the mark; the corrected one has another number."""
    entered = sue.post("/paper-evenings", _EVENING)
    assert entered.status_code == 201
    path = entered.headers["Location"].removeprefix("/api/v1")
    shown = sue.get(path)
    assert (shown.json["on_paper"], shown.json["state"], shown.json["hands_dealt"]) == (
        True,
        "closed",
        0,
    )
    (listed,) = sue.get("/evenings").json
    assert (listed["on_paper"], listed["winners"]) == (True, ["Ann"])
    right = {**_EVENING, "won": {"Ann": 250, "Bob": -250}, "unit": "money"}
    written = sue.put(f"{path}/paper-result", right, headers={"If-Match": shown.headers["ETag"]})
    assert written.status_code == 200
    (listed,) = sue.get("/evenings").json
    assert listed["session"] == written.json["id"] != entered.json["id"]
    assert [seat["money"] for seat in listed["seats"]] == [250, -250]
    assert sue.get(path).status_code == 404


def test_the_same_evening_is_refused_and_a_wrong_sum_named(sue: Caller) -> None:
    """Each with its code."""
    sue.post("/paper-evenings", _EVENING)
    assert sue.post("/paper-evenings", _EVENING).json["code"] == "same-evening"
    odd = sue.post("/paper-evenings", {**_EVENING, "unit": "euro"})
    assert faults(odd) == {"unit": "Choose chips or money."}
    wrong = sue.post("/paper-evenings", {**_EVENING, "won": {"Ann": 40, "Bob": -30}})
    assert faults(wrong) == {"won": "What everybody won and lost must add up to 0; it is +10."}
