"""Statistics over the API, and the quotes of leaving and converting."""

from tests.ledger.api.caller import Caller
from tests.ledger.table import ALONE_85, HEARTS_74, PAYS_ALONE_85, PAYS_HEARTS_74


def test_a_player_has_statistics_over_all_hands_that_stand(sue: Caller) -> None:
    """By contract and game, with average, best and worst; void hands count nowhere."""
    path = sue.start(title="Friday", started_on="2026-01-30")
    for hand in (HEARTS_74, ALONE_85, HEARTS_74):
        sue.post(f"{path}/hands", hand)
    sue.post(f"{path}/hands/3/void", {"reason": "misdeal"})
    ann = next(each["id"] for each in sue.get("/players").json if each["name"] == "Ann")
    view = sue.get(f"/players/{ann}/statistics").json
    assert (view["name"], view["played"]["hands"], view["as_bidder"]["won"]) == ("Ann", 2, 1)
    total = PAYS_HEARTS_74["Ann"] + PAYS_ALONE_85["Ann"]
    assert (view["played"]["total"], view["played"]["average"]) == (total, "35.00")
    assert view["best"] == {
        "amount": 120,
        "session": 1,
        "title": "Friday",
        "played_on": "2026-01-30",
        "hand": 1,
        "unit": "chips",
    }
    assert (view["worst"]["amount"], view["worst"]["hand"]) == (-50, 2)
    assert [(each["bid"], each["record"]["hands"]) for each in view["contracts"]] == [
        ("solo-in-hearts", 1)
    ]
    assert [each["game"] for each in view["games"]] == ["crazy-solo"]
    assert [(each["title"], each["won"]) for each in view["evenings"]] == [("Friday", total)]
    assert view["sessions"] == 1
    assert view["money"] == []


def test_the_clubs_evenings_are_listed_newest_first_and_paged(sue: Caller, viewer: Caller) -> None:
    """Who sat, who won, what it came to; also to who reads along."""
    path = sue.start(title="First", started_on="2026-01-09")
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/conversion", {"rate": {"chips": 10, "money": 5}})
    sue.start(title="Second", started_on="2026-01-16")
    reply = viewer.get("/evenings?page_size=1")
    assert [each["title"] for each in reply.json] == ["Second"]
    assert '"total": 2' in reply.headers["X-Pagination"]
    (first,) = viewer.get("/evenings?page_size=1&page=2").json
    assert first["seats"][0] == {"player": "Ann", "won": 120, "money": 60, "scored": 0}
    del first["seats"]
    assert first == {
        "session": 1,
        "title": "First",
        "started_on": "2026-01-09",
        "game": "crazy-solo",
        "game_title": "Crazy Solo",
        "variant": None,
        "state": "open",
        "hands_dealt": 1,
        "winners": ["Ann"],
        "currency": "EUR",
        "unit": "chips",
        "on_paper": False,
    }


def test_a_players_evenings_are_paged(sue: Caller) -> None:
    """With what all of them came to by then; nobody's number has none."""
    for day in (1, 2):
        path = sue.start(title=f"Day {day}", started_on=f"2026-01-0{day}")
        sue.post(f"{path}/hands", HEARTS_74)
    ann = next(each["id"] for each in sue.get("/players").json if each["name"] == "Ann")
    reply = sue.get(f"/players/{ann}/evenings?page_size=1&page=2")
    assert reply.json == [
        {
            "session": 1,
            "title": "Day 1",
            "started_on": "2026-01-01",
            "won": 120,
            "total": 120,
            "money": 0,
            "unit": "chips",
            "scored": 0,
            "total_scored": 0,
            "on_paper": False,
        }
    ]
    assert '"total": 2' in reply.headers["X-Pagination"]
    assert sue.get(f"/players/{ann}/evenings").json[0]["total"] == 240
    assert sue.get("/players/999/evenings").status_code == 404


def test_head_to_head_shows_each_pair_from_both_sides(sue: Caller) -> None:
    """What Cyd, who was alone, got of Ann, and paid her before."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/hands", ALONE_85)
    pairs = {(each["player"], each["other"]): each for each in sue.get("/head-to-head").json}
    ann, cyd = pairs["Ann", "Cyd"], pairs["Cyd", "Ann"]
    assert (ann["paid"], ann["hands_paid"]) == (cyd["got"], cyd["hands_got"]) == (50, 1)
    assert ann["net"] == -cyd["net"] == ann["got"] - 50


def test_what_converting_and_leaving_would_pay_is_shown_first(sue: Caller, viewer: Caller) -> None:
    """A viewer may look; chips that differ have to be settled first."""
    path = sue.start(starting_stack=150)
    sue.post(f"{path}/hands", HEARTS_74)
    rate = {"chips": 10, "money": 5}
    preview = viewer.dry(f"{path}/conversion", {"rate": rate}).json
    assert {each["player"]: each["money"] for each in preview["players"]} == {
        name: chips // 2 for name, chips in PAYS_HEARTS_74.items()
    }
    assert (preview["rate"], preview["paid_before"]) == (rate, 0)
    assert preview["balances"] == dict.fromkeys(PAYS_HEARTS_74, 0)
    quote = viewer.dry(f"{path}/seats/leave", {"player": "bob"}).json
    shown = {"player": "Bob", "chips": 230, "borrowed": 150, "won": 80, "money": None}
    assert {key: quote[key] for key in shown} == shown
    sue.post(f"{path}/adjustments", {"player": "Ann", "chips": -5, "reason": "lost"})
    waits = viewer.dry(f"{path}/conversion", {"rate": rate})
    assert (waits.status_code, waits.json["code"]) == (409, "chips-elsewhere")
    assert "Counted chips" in waits.json["detail"]
    wrong = {"rate": {"chips": 0, "money": 5}}
    assert viewer.dry(f"{path}/conversion", wrong).status_code == 422
    sue.post(f"{path}/close")
    closed = viewer.dry(f"{path}/conversion", {"rate": rate})
    assert (closed.status_code, closed.json["code"]) == (409, "session-closed")


def test_a_session_settles_a_player_of_two_seats_once(sue: Caller) -> None:
    """Who left and came back is one person: nobody pays themselves."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/seats/leave", {"player": "Bob"})
    sue.post(f"{path}/seats", {"player": "Bob"})
    sue.post(f"{path}/hands", {**ALONE_85, "dealer": "Gus"})
    paid: dict[str, int] = {}
    for payment in sue.get(f"{path}/settlement").json["payments"]:
        assert payment["payer"] != payment["payee"]
        paid[payment["payee"]] = paid.get(payment["payee"], 0) + payment["amount"]
    assert paid["Bob"] == PAYS_HEARTS_74["Bob"] + PAYS_ALONE_85["Bob"]


def test_statistics_are_limited_to_days_a_game_and_a_player(sue: Caller, viewer: Caller) -> None:
    """The first and the last day included; days in the wrong order and strangers are refused."""
    for year in (2025, 2026):
        path = sue.start(title=f"In {year}", started_on=f"{year}-05-01")
        sue.post(f"{path}/hands", HEARTS_74)
    ann = next(each["id"] for each in sue.get("/players").json if each["name"] == "Ann")
    days = "from=2026-05-01&to=2026-05-01"
    view = viewer.get(f"/players/{ann}/statistics?{days}&game=crazy-solo").json
    assert (view["played"]["hands"], view["sessions"], view["best"]["title"]) == (1, 1, "In 2026")
    (unit,) = viewer.get(f"/club/statistics?{days}&player=ann").json["units"]
    assert [(each["name"], each["total"]) for each in unit["standings"]] == [("Ann", 120)]
    assert viewer.get(f"/club/statistics?{days}&game=frog").json == {"units": [], "games": []}
    pairs = viewer.get(f"/head-to-head?{days}&player=Ann").json
    assert sum(pair["net"] for pair in pairs) == 120
    assert {pair["player"] for pair in pairs} == {"Ann"}
    for path in ("/club/statistics", "/head-to-head", f"/players/{ann}/statistics"):
        wrong = viewer.get(f"{path}?from=2026-05-02&to=2026-05-01")
        assert (wrong.status_code, wrong.json["errors"][0]["field"]) == (422, "to")
        assert viewer.get(f"{path}?game=whist").status_code == 422
    assert viewer.get("/club/statistics?player=Zoe").status_code == 422
