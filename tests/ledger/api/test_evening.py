"""An evening's changes over the API: arrivals, breaks, departures, changes of seats and pauses."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.runtime.clock import now
from ledger.services.audit import verify
from tests.ledger.api.caller import Caller, faults
from tests.ledger.table import ALONE_85, FOUR, HEARTS_74, PAYS_HEARTS_74, SEVEN, row_counts


def names(caller: Caller, path: str) -> list[str]:
    """Return the names of the seats, clockwise, with those left at the end."""
    return [seat["name"] for seat in caller.get(path).json["seats"]]


def test_a_latecomer_takes_a_seat_and_the_stack(sue: Caller) -> None:
    """The bank gives as much as to the others; nothing is won by it."""
    path = sue.start(players=list(FOUR), first_dealer="Dee", starting_stack=150)
    joined = sue.post(f"{path}/seats", {"player": "Zoë", "position": 1})
    assert joined.status_code == 201
    assert joined.json["balances"] == dict.fromkeys([*FOUR, "Zoë"], 150)
    assert joined.headers["ETag"] == f'"{joined.json["revision"]}"'
    view = sue.get(path).json
    assert [seat["name"] for seat in view["seats"]] == ["Ann", "Zoë", "Bob", "Cyd", "Dee"]
    assert {seat["net"] for seat in view["seats"]} == {0}
    assert view["seats"][1]["id"] == joined.json["seat"]
    assert view["starting_stack"] == 150
    assert view["next"]["dealer"] == "Dee"


def test_who_sits_out_is_dealt_no_hand_until_they_come_back(sue: Caller) -> None:
    """Their chips stay; a hand names only the active players."""
    path = sue.start()
    assert sue.post(f"{path}/seats/sit-out", {"player": "Fay"}).status_code == 200
    assert sue.post(f"{path}/seats/sit-out", {"player": "Fay"}).status_code == 409
    paid = sue.post(f"{path}/hands", ALONE_85).json["balances"]
    assert (paid["Fay"], paid["Gus"]) == (0, -50)
    assert sue.post(f"{path}/seats/come-back", {"player": "Fay"}).status_code == 200
    states = {seat["name"]: seat["state"] for seat in sue.get(path).json["seats"]}
    assert set(states.values()) == {"playing"}


def test_a_leaving_is_quoted_in_chips_alone_and_the_score_stays(sue: Caller) -> None:
    """German Solo's scores are nobody's money: the preview states it, as the leaving does."""
    path = sue.start("german-solo", players=SEVEN[:4], first_dealer="Ann")
    hand = {
        "contract": {"bidder": "Ann", "bid": "solo", "trump": "C"},
        "tricks_won": 5,
        "matadors": "split",
        "first_tricks_won": False,
    }
    assert sue.post(f"{path}/hands", hand).status_code == 201
    scored = sue.get(path).json["seats"][0]["scored"]
    assert scored > 0
    assert sue.put(f"{path}/rules", {"game": "six-bid"}).status_code == 200
    assert sue.put(f"{path}/rate", {"rate": {"chips": 10, "money": 5}}).status_code == 200
    quote = sue.dry(f"{path}/seats/leave", {"player": "Ann"}).json
    assert (quote["chips"], quote["won"], quote["money"]) == (0, 0, 0)
    assert sue.post(f"{path}/seats/leave", {"player": "Ann"}).status_code == 200
    (left,) = (seat for seat in sue.get(path).json["seats"] if seat["name"] == "Ann")
    assert (left["state"], left["scored"], left["net"]) == ("left", scored, 0)
    assert sue.get("/club/settlement").json["payments"] == []


def test_who_leaves_is_cashed_out_and_can_come_back_by_taking_it_back(sue: Caller) -> None:
    """Chips go to the bank, the seat to the end of the list; then all is as it was."""
    path = sue.start(starting_stack=100)
    sue.post(f"{path}/hands", HEARTS_74)
    left = sue.post(f"{path}/seats/leave", {"player": "Bob", "reason": "the last bus"})
    assert left.status_code == 200
    assert "Bob" not in left.json["balances"]
    view = sue.get(path).json["seats"][-1]
    assert (view["name"], view["state"], view["balance"]) == ("Bob", "left", 0)
    assert view["net"] == PAYS_HEARTS_74["Bob"]
    back = sue.post(f"{path}/seats/take-leaving-back", {"player": "Bob", "reason": "no bus"})
    assert back.json["balances"]["Bob"] == 100 + PAYS_HEARTS_74["Bob"]
    assert names(sue, path) == list(SEVEN)


def test_a_hand_is_corrected_after_somebody_left_and_says_what_they_owe(sue: Caller) -> None:
    """Bob won 80 and left; he lost 80, so he owes 160 chips, at ten chips for five cents."""
    path = sue.start(starting_stack=100, rate={"chips": 10, "money": 5})
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/seats/leave", {"player": "Bob"})
    change = {"hand": {**HEARTS_74, "points": 46}, "reason": "counted again"}
    expected = [{"player": "Bob", "chips": -160, "money": -80, "currency": "EUR"}]
    looked = sue.dry(f"{path}/hands/1", change, method="PUT")
    assert looked.json["after_leaving"] == expected
    corrected = sue.put(f"{path}/hands/1", change)
    assert corrected.status_code == 200
    assert corrected.json["after_leaving"] == expected
    assert "Bob" not in [move["name"] for move in corrected.json["moves"] if move["kind"] == "seat"]
    view = sue.get(path).json
    assert view["after_leaving"] == expected
    (bob,) = (seat for seat in view["seats"] if seat["name"] == "Bob")
    assert (bob["balance"], bob["net"]) == (0, -80)
    balances = {
        each["player"]: each["balance"] for each in sue.get("/club/settlement").json["balances"]
    }
    assert balances == {"Bob": -40}


def test_seats_change_and_the_first_dealer_stays_the_same(sue: Caller) -> None:
    """Everybody is named once, clockwise."""
    path = sue.start(players=list(FOUR), first_dealer="Dee")
    order = ["Dee", "Bob", "Ann", "Cyd"]
    assert sue.put(f"{path}/seats", {"order": order}).status_code == 200
    assert names(sue, path) == order
    assert sue.get(path).json["next"]["dealer"] == "Dee"


def test_with_too_few_left_a_session_is_still_shown(sue: Caller) -> None:
    """Nobody is due and nothing can be bid; a hand is refused, and joining helps."""
    path = sue.start(players=["Ann", "Bob", "Cyd"], first_dealer="Ann")
    sue.post(f"{path}/seats/leave", {"player": "Cyd"})
    view = sue.get(path)
    assert view.status_code == 200
    assert (view.json["next"], view.json["rules"]) == (None, None)
    assert sue.post(f"{path}/hands", {"contract": {"bid": "pass"}}).status_code == 422
    sue.post(f"{path}/seats", {"player": "Dee"})
    assert sue.get(path).json["next"]["dealer"] == "Ann"


def test_a_paused_session_takes_no_hand_until_it_goes_on(sue: Caller, database: Database) -> None:
    """The sentence names the way; seats may change in the meantime."""
    path = sue.start(title="Friday")
    assert sue.post(f"{path}/pause").status_code == 200
    before = row_counts(database)
    refused = sue.post(f"{path}/hands", HEARTS_74)
    assert (refused.status_code, refused.json["code"]) == (409, "session-paused")
    assert row_counts(database) == before
    assert sue.post(f"{path}/seats", {"player": "Hal"}).status_code == 201
    assert sue.get(path).json["state"] == "paused"
    assert sue.post(f"{path}/resume").status_code == 200
    assert sue.post(f"{path}/resume").status_code == 409


def test_a_session_is_renamed_closed_or_not(sue: Caller, database: Database) -> None:
    """Its revision shows it, and verifying finds nothing; a client with an old revision is refused."""
    path = sue.start(title="Friday")
    sue.post(f"{path}/close")
    renamed = sue.call("PATCH", path, {"title": " Friday  at Dee's "})
    assert (renamed.status_code, renamed.json["revision"]) == (200, 3)
    assert sue.get(path).json["title"] == "Friday at Dee's"
    late = sue.call("PATCH", path, {"title": "Saturday"}, headers={"If-Match": '"2"'})
    assert (late.status_code, sue.get(path).json["title"]) == (412, "Friday at Dee's")
    assert list(verify(database)) == []


def test_a_session_in_which_nothing_was_recorded_is_deleted(sue: Caller) -> None:
    """At its current revision; then it is not found any more. One with a hand is kept."""
    path, played = sue.start(), sue.start()
    sue.post(f"{played}/hands", HEARTS_74)
    assert sue.call("DELETE", path, headers={"If-Match": None}).status_code == 428
    assert sue.call("DELETE", path, headers={"If-Match": '"1"'}).status_code == 200
    assert sue.get(path).status_code == 404
    assert [each["id"] for each in sue.get("/sessions").json] == [2]
    view = sue.call("DELETE", played, headers={"If-Match": '"2"'})
    assert (view.status_code, view.json["code"]) == (409, "something-written")


def test_another_evening_starts_with_the_same_table(sue: Caller) -> None:
    """As the first was at its end; archived players are left out, and named."""
    path = sue.start("six-bid", players=["Ann", "Bob", "Cyd", "Dee"], first_dealer="Bob")
    sue.put("/players/1/archived", {"archived": True})
    begun = sue.post(f"{path}/again")
    assert (begun.status_code, begun.json["left_out"]) == (201, ["Ann"])
    assert begun.headers["Location"] == "/api/v1/sessions/2"
    tonight = sue.get("/sessions/2").json
    assert [seat["name"] for seat in tonight["seats"]] == ["Bob", "Cyd", "Dee"]
    assert (tonight["game"], tonight["next"]["dealer"]) == ("six-bid", "Bob")


WRONG: list[tuple[str, str, Any, str, str]] = [
    ("POST", "/seats", {"player": "ann"}, "player", "has a seat"),
    ("POST", "/seats", {"player": ""}, "player", "missing"),
    ("POST", "/seats", {"player": "Hal", "position": 9}, "position", "0 to 7"),
    ("POST", "/seats", {"player": "Hal", "position": "1"}, "position", "whole number"),
    ("POST", "/seats", {"player": "Hal", "seat": 1}, "seat", "no such field"),
    ("PUT", "/seats", {"order": ["Ann", "Bob"]}, "order", "everybody"),
    ("PUT", "/seats", {"order": [*SEVEN, "Ann"]}, "order", "everybody"),
    ("POST", "/seats/sit-out", {"player": "Zoë"}, "player", "no seat"),
    ("POST", "/seats/come-back", {}, "player", "missing"),
    ("POST", "/seats/leave", {"player": "Zoë"}, "player", "no seat"),
    ("POST", "/seats/leave", {"player": "Ann", "reason": "x" * 501}, "reason", "500"),
    ("POST", "/seats/take-leaving-back", {"player": "Ann", "reason": "x"}, "player", "not left"),
]


@pytest.mark.parametrize(("method", "place", "sent", "field", "says"), WRONG)
def test_what_cannot_be_is_refused_at_its_field(
    sue: Caller, database: Database, method: str, place: str, sent: Any, field: str, says: str
) -> None:
    """And nothing of it is saved."""
    path = sue.start()
    before = row_counts(database)
    refused = sue.call(method, path + place, sent)
    assert refused.status_code == 422
    assert says in faults(refused)[field]
    assert row_counts(database) == before


def test_a_table_agrees_on_the_end_of_its_evening(sue: Caller, database: Database) -> None:
    """At the next such time by the ledger's clock; an empty text removes it, and no hand waits for it."""
    path = sue.start()
    assert sue.get(path).json["ends_at"] is None
    agreed = sue.put(f"{path}/end", {"at": "22:30"})
    assert (agreed.status_code, agreed.json["revision"]) == (200, 2)
    end = datetime.fromisoformat(sue.get(path).json["ends_at"])
    assert timedelta() < end - now() <= timedelta(days=1)
    assert end.astimezone().strftime("%H:%M") == "22:30"
    assert sue.put(f"{path}/end", {"at": "22:30"}).status_code == 409
    for at in ("late", "25:00"):
        refused = sue.put(f"{path}/end", {"at": at})
        assert (refused.status_code, list(faults(refused))) == (422, ["at"])
    assert sue.put(f"{path}/end", {"at": ""}).status_code == 200
    assert sue.get(path).json["ends_at"] is None
    assert list(verify(database)) == []
