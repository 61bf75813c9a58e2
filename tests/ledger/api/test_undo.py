"""Taking back over the API: undo of the last thing written, void hands that stand again."""

from ledger.books.transactions import Database
from tests.ledger.api.caller import Caller
from tests.ledger.table import ALONE_85, HEARTS_46, HEARTS_74, PAYS_HEARTS_74, row_counts


def test_undo_says_what_it_would_take_back_and_takes_it_back(sue: Caller) -> None:
    """A hand is voided, a loan reversed; a redo brings either back, the last one undone first."""
    path = sue.start()
    assert sue.get(f"{path}/undo").json == {"last": None, "redo": None}
    refused = sue.post(f"{path}/undo")
    assert (refused.status_code, refused.json["code"]) == (409, "nothing-to-undo")
    sue.post(f"{path}/hands", HEARTS_74)
    last = sue.get(f"{path}/undo").json["last"]
    assert (last["what"], last["hand"], last["author"]) == ("recorded", 1, "Sue's phone")
    undone = sue.post(f"{path}/undo")
    assert (undone.status_code, undone.json["undone"], undone.json["hand"]) == (200, "recorded", 1)
    assert set(undone.json["balances"].values()) == {0}
    repeated = sue.post(f"{path}/undo")
    assert (repeated.status_code, repeated.json["code"]) == (409, "nothing-to-undo")
    assert sue.dry(f"{path}/redo").json["balances"] == PAYS_HEARTS_74
    redone = sue.post(f"{path}/redo").json
    assert (redone["redone"], redone["hand"], redone["balances"]) == ("recorded", 1, PAYS_HEARTS_74)
    refused = sue.post(f"{path}/redo")
    assert (refused.status_code, refused.json["code"]) == (409, "nothing-to-redo")
    sue.post(f"{path}/loans", {"player": "Ann", "chips": 100})
    assert sue.get(f"{path}/undo").json["last"]["what"] == "loan"
    undone = sue.post(f"{path}/undo").json
    assert (undone["undone"], undone["hand"], undone["balances"]) == ("loan", None, PAYS_HEARTS_74)
    undone = sue.post(f"{path}/undo").json
    assert (undone["undone"], undone["hand"], set(undone["balances"].values())) == (
        *("recorded", 1),
        {0},
    )
    view = sue.get(f"{path}/undo").json
    assert (view["last"], view["redo"]["what"], view["redo"]["hand"]) == (None, "recorded", 1)
    assert [sue.post(f"{path}/redo").json["redone"] for _ in range(2)] == ["recorded", "loan"]
    assert sue.balances(path) == {**PAYS_HEARTS_74, "Ann": PAYS_HEARTS_74["Ann"] + 100}


def test_an_undo_heeds_what_was_seen_and_is_done_once_a_key(sue: Caller) -> None:
    """Nobody undoes a write by somebody else in the meantime; a retry undoes nothing more."""
    path = sue.start()
    condition = {"If-Match": sue.post(f"{path}/hands", HEARTS_74).headers["ETag"]}
    sue.post(f"{path}/hands", ALONE_85)
    assert sue.post(f"{path}/undo", headers=condition).status_code == 412
    first = sue.post(f"{path}/undo", key="the-same-key")
    assert sue.post(f"{path}/undo", key="the-same-key").data == first.data
    assert sue.balances(path) == PAYS_HEARTS_74
    condition = {"If-Match": first.headers["ETag"]}
    assert sue.post(f"{path}/redo", headers={"If-Match": None}).status_code == 428
    first = sue.post(f"{path}/redo", key="another-key-yet", headers=condition)
    assert sue.post(f"{path}/redo", key="another-key-yet", headers=condition).data == first.data
    assert sue.post(f"{path}/redo", headers=condition).status_code == 412
    assert sue.post(f"{path}/redo", key="the-same-key").json["code"] == "key-reused"


def test_a_void_hand_stands_again(sue: Caller, database: Database) -> None:
    """Its preview shows the amounts; a hand that stands can't be restored."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    before = row_counts(database)
    preview = sue.dry(f"{path}/hands/1/void", {}).json
    assert (preview["record"], preview["verdict"], preview["balances"]["Ann"]) == (None, None, 0)
    assert sue.dry(f"{path}/hands/1/restore", {}).json["code"] == "not-void"
    assert sue.post(f"{path}/hands/1/restore", {"reason": "why"}).status_code == 409
    assert row_counts(database) == before
    sue.post(f"{path}/hands/1/void", {"reason": "misdeal"})
    assert sue.dry(f"{path}/hands/1/restore", {}).json["balances"] == PAYS_HEARTS_74
    restored = sue.post(f"{path}/hands/1/restore", {"reason": "no misdeal"})
    assert (restored.status_code, restored.json["state"]) == (200, "standing")
    assert (restored.json["balances"], restored.json["recalculated"]) == (PAYS_HEARTS_74, [])
    assert sue.get(f"{path}/hands/1").json["versions"][-1]["action"] == "restored"


def test_a_corrections_preview_lists_each_balance_it_would_move(sue: Caller) -> None:
    """By how much, and to what; the hand's form is the same."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    preview = sue.dry(f"{path}/hands/1", {"hand": HEARTS_46}, "PUT").json
    moves = {move["name"]: (move["amount"], move["balance"]) for move in preview["moves"]}
    assert moves == {name: (-2 * paid, -paid) for name, paid in PAYS_HEARTS_74.items()}
    assert {move["kind"] for move in preview["moves"]} == {"seat"}
    assert preview["recalculated"] == []


def test_a_preview_says_how_many_later_hands_are_recalculated(sue: Caller) -> None:
    """And which: the change itself then answers with the same."""
    players = ["Ann", "Bob", "Cyd"]
    path = sue.start(
        "progressive", players=players, first_dealer="Ann", options={"pots": {"stake": 5}}
    )
    lost = {"contract": {"bidder": "Ann", "bid": "frog"}, "points": 40}
    for _ in range(13):
        assert sue.post(f"{path}/hands", lost).status_code == 201
    for address, body, method in (
        ("", {"hand": {"contract": {"bid": "pass"}}, "reason": "why"}, "PUT"),
        ("/void", {"reason": "misdeal"}, "POST"),
    ):
        preview = sue.dry(f"{path}/hands/1{address}", body, method).json
        assert preview["hands_recalculated"] == len(preview["recalculated"])
        assert preview["hands_recalculated"] == (12 if address else 0)
    response = sue.post(f"{path}/hands/1/void", {"reason": "misdeal"}).json
    assert (response["hands_recalculated"], response["recalculated"]) == (
        12,
        preview["recalculated"],
    )
    assert sue.dry(f"{path}/hands/1/restore", {}).json["hands_recalculated"] == 12


def test_previews_and_deeds_are_refused_alike_in_a_break_and_after_the_end(sue: Caller) -> None:
    """409 with the same code and sentence for looking and for doing; nothing of it is 200."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/hands", ALONE_85)
    sue.post(f"{path}/hands/2/void", {"reason": "misdeal"})
    why = {"reason": "why"}
    for turn, code in (("pause", "session-paused"), ("close", "session-closed")):
        sue.post(f"{path}/{turn}")
        answers = [
            sue.dry(f"{path}/hands", HEARTS_74),
            sue.post(f"{path}/hands", HEARTS_74),
        ]
        if turn == "pause":
            answers += [
                sue.dry(f"{path}/hands/1", {"hand": HEARTS_46}, "PUT"),
                sue.put(f"{path}/hands/1", {"hand": HEARTS_46, **why}),
                sue.dry(f"{path}/hands/1/void", {}),
                sue.post(f"{path}/hands/1/void", why),
                sue.dry(f"{path}/hands/2/restore", {}),
                sue.post(f"{path}/hands/2/restore", why),
            ]
        else:
            answers += [sue.dry(f"{path}/undo"), sue.post(f"{path}/undo"), sue.post(f"{path}/redo")]
        assert {(each.status_code, each.json["code"]) for each in answers} == {(409, code)}
        assert len({each.json["detail"] for each in answers}) == 1


def test_every_undo_shows_each_balance_that_it_moves(sue: Caller) -> None:
    """A loan, a leaving for money, a correction: by how much and to what, then just that."""
    path = sue.start(starting_stack=100, rate={"chips": 10, "money": 5})
    sue.post(f"{path}/hands", HEARTS_74)
    sue.put(f"{path}/hands/1", {"hand": HEARTS_46, "reason": "47, not 74"})
    seen = sue.dry(f"{path}/undo")
    assert seen.headers["ETag"] == '"3"'
    assert (seen.json["last"]["what"], seen.json["last"]["hand"]) == ("corrected", 1)
    moves = {move["name"]: (move["amount"], move["balance"]) for move in seen.json["moves"]}
    assert moves == {name: (2 * paid, 100 + paid) for name, paid in PAYS_HEARTS_74.items()}
    sue.post(f"{path}/loans", {"player": "Ann", "chips": 30})
    seen = sue.dry(f"{path}/undo").json
    assert (seen["last"]["what"], seen["last"]["player"]) == ("loan", "Ann")
    assert (seen["record"], seen["verdict"], seen["recalculated"]) == (None, None, [])
    assert [(move["kind"], move["name"], move["amount"]) for move in seen["moves"]] == [
        ("seat", "Ann", -30),
        ("bank", "bank", 30),
    ]
    sue.post(f"{path}/seats/leave", {"player": "Gus"})
    seen = sue.dry(f"{path}/undo").json
    assert seen["last"]["player"] == "Gus"
    assert {
        (move["kind"], move["name"]): (move["amount"], move["unit"]) for move in seen["moves"]
    } == {
        ("seat", "Gus"): (140, "chips"),
        ("bank", "bank"): (-140, "chips"),
        ("player", "Gus"): (-20, "EUR"),
        ("till", "till"): (20, "EUR"),
    }
    back = sue.dry(f"{path}/seats/take-leaving-back", {"player": "gus"}).json
    assert back["moves"] == seen["moves"]
    refused = sue.dry(f"{path}/seats/take-leaving-back", {"player": "Ann"})
    assert refused.status_code == 422
    sue.post(f"{path}/undo", headers={"If-Match": f'"{seen["revision"]}"'})
    assert sue.balances(path) == seen["balances"]


def test_what_moves_no_chip_is_undone_and_nothing_older_instead(sue: Caller) -> None:
    """Sitting out after a hand: undo names that, reverses it, and the hand stands."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    sat = sue.post(f"{path}/seats/sit-out", {"player": "Fay"})
    assert sat.json["entry"] is not None
    preview = sue.dry(f"{path}/undo").json
    assert (preview["last"]["what"], preview["last"]["player"]) == ("sitting-out", "Fay")
    assert preview["moves"] == []
    assert sue.post(f"{path}/undo").json["undone"] == "sitting-out"
    assert {seat["state"] for seat in sue.get(path).json["seats"]} == {"playing"}
    assert sue.balances(path) == PAYS_HEARTS_74
    assert sue.post(f"{path}/undo").json["undone"] == "recorded"
    assert [sue.post(f"{path}/redo").json["redone"] for _ in range(2)] == [
        "recorded",
        "sitting-out",
    ]
    assert sue.balances(path) == PAYS_HEARTS_74


def test_taking_a_payment_back_shows_what_both_are_owed_then(sue: Caller) -> None:
    """In the club's currency; a payment taken back already is refused by both."""
    path = sue.start(starting_stack=100, rate={"chips": 10, "money": 5})
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/conversion", {"rate": None, "reason": None})
    paid = sue.post("/payments", {"payer": "Gus", "payee": "Ann", "amount": 15}).json["entry"]
    address = f"/payments/{paid}/take-back"
    moves = sue.dry(f"{address}", {}).json["moves"]
    assert {move["name"]: (move["amount"], move["balance"], move["unit"]) for move in moves} == {
        "Ann": (15, 60, "EUR"),
        "Gus": (-15, -20, "EUR"),
    }
    sue.post(address, {"reason": "it was Fay"})
    for answer in (sue.dry(f"{address}", {}), sue.post(address, {"reason": "why"})):
        assert (answer.status_code, answer.json["code"]) == (409, "taken-back-already")
    assert sue.dry("/payments/999/take-back", {}).status_code == 404


def test_an_older_entry_is_looked_at_and_taken_back(sue: Caller, database: Database) -> None:
    """A conversion at a wrong rate, though a loan was made and undone since; once a key, with a reason."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    entry = sue.post(f"{path}/conversion", {"rate": {"chips": 1, "money": 100}}).json["entry"]
    sue.post(f"{path}/loans", {"player": "Ann", "chips": 5})
    sue.post(f"{path}/undo")
    assert sue.get(f"{path}/undo").json["last"]["what"] == "conversion"
    way = f"{path}/entries/{entry}/take-back"
    before = row_counts(database)
    preview = sue.dry(f"{way}", {})
    assert preview.json["balances"] == PAYS_HEARTS_74
    ann = next(
        move for move in preview.json["moves"] if move["name"] == "Ann" and move["unit"] == "EUR"
    )
    assert (ann["amount"], ann["balance"]) == (-12000, 0)
    assert sue.post(way, {}).status_code == 422
    assert sue.post(way, {"reason": " "}).json["errors"][0]["field"] == "reason"
    assert row_counts(database) == before
    said = {"reason": "the rate was wrong"}
    response = sue.post(
        way, said, key="the-same-key", headers={"If-Match": preview.headers["ETag"]}
    )
    assert (response.status_code, response.json["takes_back"], response.json["recalculated"]) == (
        200,
        entry,
        [],
    )
    assert response.json["balances"] == PAYS_HEARTS_74
    stale = sue.post(way, said, headers={"If-Match": preview.headers["ETag"]})
    assert stale.status_code == 412
    assert (
        sue.post(way, said, key="the-same-key", headers={"If-Match": preview.headers["ETag"]}).data
        == response.data
    )
    assert sue.get("/club/settlement").json["balances"] == []
    assert sue.post(way, said).json["code"] == "taken-back-already"
    assert sue.dry(f"{way}", {}).json["code"] == "taken-back-already"
    assert sue.post(f"{path}/entries/{entry + 90}/take-back", said).status_code == 404


def test_who_only_looks_takes_no_entry_back(sue: Caller, viewer: Caller) -> None:
    """A viewer sees the preview."""
    path = sue.start()
    entry = sue.post(f"{path}/loans", {"player": "Ann", "chips": 5}).json["entry"]
    way = f"{path}/entries/{entry}/take-back"
    assert viewer.dry(f"{way}", {}).status_code == 200
    assert viewer.post(way, {"reason": "why"}).status_code == 403
