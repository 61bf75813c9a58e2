"""The rules over the API, without any token."""

import json

import pytest

from engine.errors.codes import examples
from tests.evening.load import GAMES, Game, load
from tests.ledger.api.caller import Caller, faults
from tests.ledger.table import HEARTS_74, PAYS_HEARTS_74, SEVEN

WHOLE = {"game": "crazy-solo", "players": list(SEVEN), "dealer": "Gus", **HEARTS_74}


def test_games_offer_all_that_a_form_needs(anyone: Caller) -> None:
    """Variants with their own defaults, options with a sentence, bids for each table."""
    games = {game["slug"]: game for game in anyone.get("/games").json}
    assert {"crazy-solo", "six-bid"} <= set(games)
    assert games["crazy-solo"]["seats"] == list(range(3, 13))
    hoyle, pagat = games["six-bid"]["variants"]
    hearts = [
        next(option for option in variant["options"] if option["slug"] == "hearts_in_solo")
        for variant in (hoyle, pagat)
    ]
    assert [option["default"] for option in hearts] == [False, True]
    assert hearts[0]["description"].endswith(".")
    four = next(table for table in hoyle["tables"] if table["seats"] == 4)
    assert (four["active"], four["bids"][0]["trumps"]) == (3, ["S", "D", "C"])
    (crazy,) = games["crazy-solo"]["variants"]
    assert crazy["slug"] is None
    three, *_, seven = crazy["tables"][:5]
    assert {bid["slug"] for bid in three["bids"]} == {"go-alone", "go-alone-in-hearts", "blind"}
    assert "6S" not in seven["deck"]


def test_a_game_says_how_many_chips_its_own_rules_start_with(anyone: Caller) -> None:
    """150 in Crazy Solo (002), the only game whose rules name a number."""
    stacks = {game["slug"]: game["stack"] for game in anyone.get("/games").json}
    assert {slug: stack for slug, stack in stacks.items() if stack} == {"crazy-solo": 150}


def test_a_group_of_house_rules_shows_its_members(anyone: Caller) -> None:
    """Pots of progressive have a stake and a factor within bounds, and the variant's rule for a loss."""
    games = {game["slug"]: game for game in anyone.get("/games").json}
    for variant, factor in zip(games["progressive"]["variants"], (1, 2), strict=True):
        pots = next(each for each in variant["options"] if each["slug"] == "pots")
        assert (pots["kind"], pots["default"]) == ("group", False)
        stake, solo_factor, on_loss = pots["members"]
        assert (stake["slug"], stake["kind"], stake["least"]) == ("stake", "amount", 1)
        assert (solo_factor["default"], solo_factor["most"]) == (factor, 100)
        assert [choice["value"] for choice in on_loss["choices"]] == ["stay", "match"]
    (german, _) = games["german-solo"]["variants"]
    (table,) = german["tables"]
    assert (table["tricks"], table["all_pass"], table["pays"]) == (8, "force", False)
    assert "matadors" in table["bids"][0]["asks"]


def test_an_unfinished_hand_is_answered_with_the_state_of_the_play(anyone: Caller) -> None:
    """The turn, and the cards that may follow; a proven revoke is refused at once."""
    players, contract = ["Ann", "Bob", "Cyd"], {"bidder": "Ann", "bid": "solo", "trump": "S"}
    hand = {"game": "six-bid", "players": players, "dealer": "Cyd", "contract": contract}
    state = anyone.post("/score", {**hand, "tricks": ["AS 6C 7S", "AH"]}).json
    assert (state["ok"], state["outcome"], state["to_play"]) == (True, "unfinished", "Bob")
    assert state["voids"] == {"Bob": ["S"]}
    assert "6C" not in state["possible"].split()
    refused = anyone.post("/score", {**hand, "tricks": ["AS 6C 7S", "AC 7C 8C", "AD 8S"]}).json
    assert [violation["code"] for violation in refused["violations"]] == ["must-follow-suit"]


def test_names_that_look_alike_are_refused_in_the_callers_language(anyone: Caller) -> None:
    """As by the command; in German, too."""
    players = [*SEVEN[:6], "\u0410nn"]
    refused = anyone.post(
        "/score",
        {**WHOLE, "players": players, "dealer": "Fay"},
        headers={"Accept-Language": "de"},
    )
    (violation,) = refused.json["violations"]
    assert violation["code"] == "name-looks-alike"
    assert violation["message"].startswith("\u0410nn sieht aus wie Ann")


def test_any_hand_is_scored_without_a_token(anyone: Caller) -> None:
    """002's worked example."""
    scored = anyone.post("/score", WHOLE)
    assert scored.status_code == 200
    assert (scored.json["ok"], scored.json["amount"]) == (True, 40)
    assert scored.json["deltas"] == PAYS_HEARTS_74
    assert list(scored.json["deltas"]) == list(SEVEN)


def test_games_are_told_in_the_caller_s_language_and_kept_for_each_by_itself(
    anyone: Caller,
) -> None:
    """Names, house rules and counts are translated; the values that a program sends back are not."""
    tags = set()
    for language, title, counts, rule in (
        ("en", "German Solo", "card points of the caller", "How the bidding goes."),
        ("de", "Deutsches Solo", "Augen des Spielmachers", "Wie gereizt wird."),
        ("ja", "ドイツソロ", "コーラーの点", "ビッドの進め方"),
    ):
        reply = anyone.get("/games", headers={"Accept-Language": language})
        games = {game["slug"]: game for game in reply.json}
        text = json.dumps(reply.json, ensure_ascii=False)
        assert (games["german-solo"]["title"] == title, counts in text, rule in text) == (True,) * 3
        assert games["frog"]["variants"][0]["options"][2]["slug"] == "all_pass"
        assert "Accept-Language" in reply.headers["Vary"]
        tags.add(reply.headers["ETag"])
        mine = {"Accept-Language": language, "If-None-Match": reply.headers["ETag"]}
        assert anyone.get("/games", headers=mine).status_code == 304
        others = {"Accept-Language": "de" if language == "en" else "en"}
        assert anyone.get("/games", headers=mine | others).status_code == 200
    assert len(tags) == 3


def test_a_refused_hand_is_an_answer_too(anyone: Caller) -> None:
    """200 with ok false, and every violation."""
    refused = anyone.post("/score", {**WHOLE, "points": 119})
    assert refused.status_code == 200
    assert refused.json["ok"] is False
    (violation,) = refused.json["violations"]
    assert (violation["code"], violation["where"]) == ("miscount", {"field": "points"})
    assert anyone.post("/score", {}).json["ok"] is False


def test_a_hand_is_explained_and_refused_in_the_caller_s_language(anyone: Caller) -> None:
    """By the header Accept-Language; codes and places are the same for everybody."""
    german = {"Accept-Language": "de"}
    scored = anyone.post("/score", WHOLE, headers=german)
    assert scored.json["explanation"][:2] == ["74 Augen, 14 über 60", "× 3 für Herz = 42"]
    refused = anyone.post("/score", {**WHOLE, "points": 119}, headers=german)
    (violation,) = refused.json["violations"]
    assert violation["code"] == "miscount"
    assert violation["message"].startswith("Mit keinen Stichen kommt man auf genau 119 Augen")


REVOKES = {
    "en": "Trick 1, card 2: Bob played A♥, but held 6♠ and had to follow spades.",
    "de": "Stich 1, 2. Karte: Bob spielte ♥A, hatte aber ♠6 und musste Pik bedienen.",
    "ja": "第1トリックの2枚目：Bobは♥Aを出しましたが、♠6があるのでスペードをフォローしなければなりません。",
}


@pytest.mark.parametrize("language", REVOKES)
def test_a_played_card_is_refused_with_the_cards_of_the_caller_s_language(
    anyone: Caller, language: str
) -> None:
    """The place and the legal cards are written as in a record, for programs."""
    hand = examples()["must-follow-suit"]
    refused = anyone.post("/score", hand, headers={"Accept-Language": language})
    assert refused.json["violations"] == [
        {
            "code": "must-follow-suit",
            "message": REVOKES[language],
            "where": {"trick": 1, "position": 2, "seat": "Bob", "card": "AH"},
            "legal": ["6S"],
        }
    ]


def test_a_problem_names_what_the_engine_refused_in_the_caller_s_language(sue: Caller) -> None:
    """In the sentence of the whole as at its field."""
    path = sue.start("crazy-solo")
    hand = {**HEARTS_74, "points": 119}
    refused = sue.post(f"{path}/hands", hand, headers={"Accept-Language": "ja"})
    assert refused.status_code == 422
    (error,) = refused.json["errors"]
    assert error["message"] == refused.json["detail"]
    assert error["message"] == "トリックの点がちょうど119点になることはありません。数え間違いです。"


def test_a_field_is_refused_in_the_caller_s_language(sue: Caller) -> None:
    """A missing, unknown or misplaced one; and an unknown parameter."""
    german = {"Accept-Language": "de"}
    refused = sue.post("/sessions", {"players": "Ann", "gmae": "frog"}, headers=german)
    assert faults(refused) == {
        "game": "Das fehlt.",
        "players": "Hierher gehört eine Liste.",
        "gmae": refused.json["errors"][-1]["message"],
    }
    assert faults(refused)["gmae"].startswith("Dieses Feld gibt es nicht; es gibt ")
    lengthy = sue.call("PATCH", "/club/money", {"denominations": [1] * 101}, headers=german)
    assert faults(lengthy)["denominations"].startswith("100 Chipwerte")
    unknown = sue.get("/players?archvied=true", headers=german)
    assert unknown.json["detail"].startswith("Diesen Parameter gibt es nicht; ")


@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_evening_goes_in_by_the_api(sue: Caller, game: Game) -> None:
    """Hands, corrections and voids as they came; every payout and balance as worked out by hand."""
    evening = load(game)
    first = evening.hands[0]
    path = sue.start(
        first["game"],
        players=list(evening.players),
        first_dealer=first["dealer"],
        variant=first.get("rules"),
    )
    rules = first.get("rules")
    for number, (hand, payout) in enumerate(
        zip(evening.hands, evening.payouts, strict=True), start=1
    ):
        if hand.get("rules") != rules:
            rules = hand["rules"]
            sue.put(f"{path}/rules", {"game": hand["game"], "variant": rules})
        assert sue.get(path).json["next"]["dealer"] == hand["dealer"]
        written = sue.post(f"{path}/hands", hand)
        assert written.status_code == 201, written.json
        verdict = written.json["verdict"]
        assert (verdict["outcome"], verdict["deltas"]) == (payout.outcome, payout.deltas)
        for change in evening.changes_due(number):
            place = f"{path}/hands/{change.hand}"
            if change.action == "void":
                response = sue.post(f"{place}/void", {"reason": change.reason})
            else:
                old = sue.get(place).json["record"]
                new = {**old, **change.record}
                response = sue.put(place, {"hand": new, "reason": change.reason})
            assert response.status_code == 200, response.json
    assert sue.balances(path) == evening.final
