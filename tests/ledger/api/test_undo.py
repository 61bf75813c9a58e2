"""Taking back over the API: undo of the last thing written, void hands that stand again."""

from ledger.db import Database
from tests.ledger.api.caller import Caller
from tests.ledger.table import ALONE_85, HEARTS_46, HEARTS_74, PAYS_HEARTS_74, row_counts


def test_undo_says_what_it_would_take_back_and_takes_it_back(sue: Caller) -> None:
    """A hand is voided, a loan reversed; an undo is undone by another."""
    path = sue.start()
    assert sue.get(f"{path}/undo").json == {"last": None}
    refused = sue.post(f"{path}/undo")
    assert (refused.status_code, refused.json["code"]) == (409, "nothing-to-undo")
    sue.post(f"{path}/hands", HEARTS_74)
    last = sue.get(f"{path}/undo").json["last"]
    assert (last["what"], last["hand"], last["author"]) == ("recorded", 1, "Sue's phone")
    undone = sue.post(f"{path}/undo")
    assert (undone.status_code, undone.json["undone"], undone.json["hand"]) == (200, "recorded", 1)
    assert set(undone.json["balances"].values()) == {0}
    assert sue.post(f"{path}/undo").json["balances"] == PAYS_HEARTS_74
    sue.post(f"{path}/loans", {"player": "Ann", "chips": 100})
    assert sue.get(f"{path}/undo").json["last"]["what"] == "loan"
    undone = sue.post(f"{path}/undo").json
    assert (undone["undone"], undone["hand"], undone["balances"]) == ("loan", None, PAYS_HEARTS_74)


def test_an_undo_heeds_what_was_seen_and_is_done_once_a_key(sue: Caller) -> None:
    """Nobody undoes what somebody else wrote meanwhile; a retry undoes nothing more."""
    path = sue.start()
    seen = {"If-Match": sue.post(f"{path}/hands", HEARTS_74).headers["ETag"]}
    sue.post(f"{path}/hands", ALONE_85)
    assert sue.post(f"{path}/undo", headers=seen).status_code == 412
    first = sue.post(f"{path}/undo", key="the-same-key")
    assert sue.post(f"{path}/undo", key="the-same-key").data == first.data
    assert sue.balances(path) == PAYS_HEARTS_74


def test_a_void_hand_stands_again(sue: Caller, database: Database) -> None:
    """Its preview shows what would move; a hand that stands can't be restored."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    before = row_counts(database)
    seen = sue.get(f"{path}/hands/1/void/preview").json
    assert (seen["record"], seen["verdict"], seen["balances"]["Ann"]) == (None, None, 0)
    assert sue.get(f"{path}/hands/1/restore/preview").json["code"] == "not-void"
    assert sue.post(f"{path}/hands/1/restore", {"reason": "why"}).status_code == 409
    assert row_counts(database) == before
    sue.post(f"{path}/hands/1/void", {"reason": "misdeal"})
    assert sue.get(f"{path}/hands/1/restore/preview").json["balances"] == PAYS_HEARTS_74
    restored = sue.post(f"{path}/hands/1/restore", {"reason": "no misdeal"})
    assert (restored.status_code, restored.json["state"]) == (200, "standing")
    assert (restored.json["balances"], restored.json["followed"]) == (PAYS_HEARTS_74, [])
    assert sue.get(f"{path}/hands/1").json["versions"][-1]["action"] == "restored"


def test_a_corrections_preview_lists_each_balance_it_would_move(sue: Caller) -> None:
    """By how much, and to what; the hand's form is the same."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    seen = sue.post(f"{path}/hands/preview?number=1", HEARTS_46).json
    moves = {move["name"]: (move["amount"], move["balance"]) for move in seen["moves"]}
    assert moves == {name: (-2 * paid, -paid) for name, paid in PAYS_HEARTS_74.items()}
    assert {move["kind"] for move in seen["moves"]} == {"seat"}
    assert seen["followed"] == []
