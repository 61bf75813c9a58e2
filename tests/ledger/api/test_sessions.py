"""Sessions over the API: started, shown with all that a form needs, changed, closed, reopened."""

import json

from ledger.books.transactions import Database
from tests.ledger.api.caller import Caller, faults
from tests.ledger.table import FOUR, HEARTS_74, PAYS_HEARTS_74, SEVEN, row_counts


def test_a_session_shows_seats_clockwise_and_who_deals(sue: Caller) -> None:
    """The first dealer deals, the player on their left leads."""
    view = sue.get(sue.start(title="Friday", started_on="2026-01-30")).json
    assert [seat["name"] for seat in view["seats"]] == list(SEVEN)
    assert (view["title"], view["started_on"]) == ("Friday", "2026-01-30")
    assert (view["next"]["dealer"], view["next"]["lead"]) == ("Gus", "Ann")
    assert view["state"] == "open"


def test_the_king_is_shown_to_sit_out(sue: Caller) -> None:
    """Four at a six-bid table: the dealer is idle."""
    view = sue.get(sue.start("six-bid", players=list(FOUR), first_dealer="Dee")).json
    assert view["next"] == {
        "dealer": "Dee",
        "lead": "Ann",
        "active": ["Ann", "Bob", "Cyd"],
        "idle": ["Dee"],
        "under": None,
        "blind_round": None,
    }


def test_a_session_shows_the_bids_its_house_rules_allow(sue: Caller) -> None:
    """A house rule changes the offered bids, and is described in a sentence."""
    path = sue.start(options={"hearts_in_solo": False})
    rules = sue.get(path).json["rules"]
    assert next(bid for bid in rules["bids"] if bid["slug"] == "solo")["trumps"] == ["S", "D", "C"]
    assert rules["options"]["hearts_in_solo"] is False
    assert len(rules["house_rules"]) == 1
    assert "6S" not in rules["deck"]
    assert len(rules["deck"]) == 35


def test_a_session_with_pots_shows_its_group_of_house_rules(sue: Caller) -> None:
    """Related options are an object within the options, whole and as resolved."""
    path = sue.start(
        "progressive",
        players=["Ann", "Bob", "Cyd"],
        first_dealer="Ann",
        options={"pots": {"stake": 5}},
    )
    view = sue.get(path)
    assert view.status_code == 200
    assert view.json["rules"]["options"]["pots"]["stake"] == 5


def test_after_a_hand_balances_dealer_and_revision_move_on(sue: Caller) -> None:
    """002's example: the old lead deals next."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    shown = sue.get(path)
    assert sue.balances(path) == PAYS_HEARTS_74
    assert (shown.json["next"]["dealer"], shown.json["hands_dealt"]) == ("Ann", 1)
    assert shown.headers["ETag"].partition("-")[0] == f'"{shown.json["revision"]}' == '"2'


def test_in_a_blind_round_the_next_hand_says_who_is_under(sue: Caller) -> None:
    """Declared with the hand; without a heart it is the same player's again, as the record states."""
    path = sue.start()
    body = {"contract": {"bid": "pass"}, "blind_round": {}}
    preview = sue.dry(f"{path}/hands", body).json
    assert preview["record"]["blind_round"] == {}
    written = sue.post(f"{path}/hands", body).json
    assert written["verdict"]["next"] == {"dealer": "Gus", "lead": "Ann"}
    settlement = sue.get(path).json["next"]
    assert (settlement["dealer"], settlement["lead"], settlement["under"]) == ("Gus", "Ann", "Ann")
    assert settlement["blind_round"] == {"heartless": 1}
    sue.post(f"{path}/hands", {"contract": {"bid": "pass"}, "blind_round": False})
    settlement = sue.get(path).json["next"]
    assert (settlement["under"], settlement["blind_round"]) == (None, None)
    wrong = sue.post(f"{path}/hands", {**body, "blind_round": {"done": ["Ann"]}})
    assert (wrong.status_code, wrong.json["errors"][0]["field"]) == (422, "blind_round.done")


def test_sessions_are_listed_newest_first_a_page_at_a_time(sue: Caller) -> None:
    """X-Pagination states the place of the page; a page beyond the end is empty."""
    for day in (1, 2, 3):
        sue.start(title=f"Evening {day}", started_on=f"2026-01-0{day}")
    pages = [sue.get(f"/sessions?page_size=2&page={number}") for number in (1, 2, 3)]
    assert [[line["title"] for line in page.json] for page in pages] == [
        ["Evening 3", "Evening 2"],
        ["Evening 1"],
        [],
    ]
    where = json.loads(pages[0].headers["X-Pagination"])
    assert (where["total"], where["total_pages"], where["next_page"]) == (3, 2, 2)
    assert sue.get(f"/sessions?page={10**30}").json == []


def test_rules_change_from_the_next_hand_on(sue: Caller) -> None:
    """From hoyle's tariff to pagat's; the hand before keeps its own."""
    path = sue.start("six-bid", players=list(FOUR), first_dealer="Dee")
    contract = {"bidder": "Ann", "bid": "solo", "trump": "S"}
    sue.post(f"{path}/hands", {"contract": contract, "points": 72})
    assert sue.put(f"{path}/rules", {"game": "six-bid", "variant": "pagat"}).status_code == 200
    body = {"contract": {**contract, "bidder": "Bob"}, "points": 72}
    answer = sue.post(f"{path}/hands", body)
    assert answer.json["verdict"]["amount"] == 24
    assert sue.get(f"{path}/hands/1").json["record"]["rules"] == "hoyle"
    assert sue.get(f"{path}/hands/2").json["record"]["rules"] == "pagat"


def test_a_closed_session_is_reopened_to_write_in_it(sue: Caller) -> None:
    """Closing twice is refused, as is reopening an open one."""
    path = sue.start()
    assert sue.post(f"{path}/close").status_code == 200
    assert sue.get(path).json["state"] == "closed"
    assert sue.post(f"{path}/close").json["code"] == "session-closed"
    assert sue.post(f"{path}/reopen").status_code == 200
    assert sue.post(f"{path}/reopen").status_code == 409
    assert sue.post(f"{path}/hands", HEARTS_74).status_code == 201


def test_who_writes_on_top_of_an_older_revision_is_told(sue: Caller, database: Database) -> None:
    """Every write to a session heeds If-Match: 412, and nothing is saved."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    before = row_counts(database)
    writes = [
        ("POST", "/hands", HEARTS_74),
        ("PUT", "/hands/1", {"hand": {**HEARTS_74, "points": 46}, "reason": "miscounted"}),
        ("POST", "/hands/1/void", {"reason": "misdeal"}),
        ("PUT", "/rules", {"game": "crazy-solo"}),
        ("POST", "/close", None),
    ]
    for method, place, body in writes:
        for tag in ('"1"', 'W/"2"', '"abc"', '"1", "3"', '"2e"', '"-2"'):
            stale = sue.call(method, path + place, body, headers={"If-Match": tag})
            assert (stale.status_code, stale.json["code"]) == (412, "stale"), (place, tag)
    assert row_counts(database) == before
    assert sue.post(f"{path}/close", headers={"If-Match": '"2"'}).status_code == 200
    assert sue.post(f"{path}/reopen", headers={"If-Match": '"2"'}).status_code == 412
    assert sue.post(f"{path}/reopen", headers={"If-Match": "*"}).status_code == 200


def test_what_starts_a_session_is_checked_field_by_field(sue: Caller, database: Database) -> None:
    """Each fault is named where it lies, and no player is entered."""
    seven = {"game": "crazy-solo", "players": list(SEVEN)}
    wrong = {
        "game": {**seven, "game": "whist"},
        "variant": {**seven, "variant": "hoyle"},
        "players": {**seven, "players": ["Ann", "Bob"]},
        "players.1": {**seven, "players": ["Ann", 7, "Cyd"]},
        "players.2": {**seven, "players": ["Ann", "Bob", "ann"]},
        "options.rounding": {**seven, "options": {"rounding": 7}},
        "options.jokers": {**seven, "options": {"jokers": True}},
        "options": {**seven, "options": [True]},
        "first_dealer": {**seven, "first_dealer": "Zoë"},
        "started_on": {**seven, "started_on": "yesterday"},
        "title": {**seven, "title": 7},
        "dealer": {**seven, "dealer": "Ann"},
    }
    before = row_counts(database)
    for field, body in wrong.items():
        refused = sue.post("/sessions", body)
        assert refused.status_code == 422, field
        assert list(faults(refused)) == [field]
    assert row_counts(database) == before
