"""Chips that no hand moves, over the API: the bank, adjustments, counts, paying in chips."""

from typing import Any

import pytest

from ledger.books.transactions import Database
from tests.ledger.api.caller import Caller, faults
from tests.ledger.table import HEARTS_74, PAYS_HEARTS_74, row_counts

COUNTED = {"Ann": {"5": 6, "20": 12}, "Bob": {"5": 6, "20": 10}}
"""270 and 230: what 150 and the payout of 120 and 80 come to."""


@pytest.fixture
def path(sue: Caller) -> str:
    """A session with stacks of 150 and one hand in it."""
    started = sue.start(starting_stack=150)
    assert sue.post(f"{started}/hands", HEARTS_74).status_code == 201
    return started


def test_a_loan_is_in_hand_and_not_won(sue: Caller, path: str) -> None:
    """So is its repayment; the journal has both, with the bank on the other side."""
    lent = sue.post(f"{path}/loans", {"player": "Cyd", "chips": 100, "reason": "broke"})
    assert (lent.status_code, lent.json["balances"]["Cyd"]) == (201, 210)
    repaid = sue.post(f"{path}/repayments", {"player": "Cyd", "chips": 60})
    assert (repaid.status_code, repaid.json["balances"]["Cyd"]) == (201, 150)
    cyd = sue.get(path).json["seats"][2]
    assert (cyd["advanced"], cyd["net"]) == (190, PAYS_HEARTS_74["Cyd"])
    entries = sue.get(f"{path}/entries").json
    assert [entry["kind"] for entry in entries] == ["stack", "hand", "loan", "repayment"]
    assert entries[2]["reason"] == "broke"
    assert {posting["kind"] for posting in entries[2]["postings"]} == {"bank", "seat"}


def test_an_adjustment_has_the_differences_on_its_other_side(sue: Caller, path: str) -> None:
    """The differences are shared by all active players, once they agree."""
    sue.post(f"{path}/adjustments", {"player": "Ann", "chips": -14, "reason": "lost"})
    accounts = {row["kind"]: row["balance"] for row in sue.get(f"{path}/accounts").json}
    assert accounts["differences"] == 14
    shared = sue.post(f"{path}/differences/share", {"reason": "agreed"})
    assert shared.json["balances"]["Ann"] == 150 + 120 - 14 + 2
    assert sue.post(f"{path}/differences/share", {}).status_code == 409
    assert sue.post(f"{path}/pots/share", {}).status_code == 409


def test_a_count_is_held_against_the_ledger_and_posted_if_the_table_agrees(
    sue: Caller, viewer: Caller, path: str, database: Database
) -> None:
    """A preview writes nothing; posting makes the ledger follow the counted chips."""
    short = {**COUNTED, "Bob": {"5": 6, "20": 9}}
    before = row_counts(database)
    looked = viewer.dry(f"{path}/counts", {"counts": short}).json
    assert row_counts(database) == before
    assert looked["difference"] == -20
    assert looked["players"][1] == {
        "player": "Bob",
        "counted": 210,
        "expected": 230,
        "difference": -20,
    }
    counted = sue.post(f"{path}/counts", {"counts": short})
    assert (counted.status_code, counted.json["entry"]) == (201, None)
    posted = sue.post(f"{path}/counts", {"counts": short, "post": True, "reason": "agreed"})
    assert posted.json["differences"] == {"Ann": 0, "Bob": -20}
    assert sue.balances(path)["Bob"] == 210
    entry = sue.get(f"{path}/entries").json[-1]
    assert (entry["id"], entry["kind"]) == (posted.json["entry"], "adjustment")


def test_a_payout_says_how_it_is_paid_in_chips(sue: Caller, viewer: Caller, path: str) -> None:
    """With the pieces last counted; a viewer may ask."""
    sue.post(f"{path}/counts", {"counts": COUNTED})
    held = {each["player"]: each["pieces"] for each in viewer.get(f"{path}/chips").json}
    assert held["Ann"] == {"5": 6, "20": 12}
    transfers = [{"from": "Ann", "to": "Bob", "amount": 45}]
    (paid,) = viewer.post(f"{path}/chips/payout", {"transfers": transfers}).json
    assert (paid["payer"], paid["payee"], paid["pieces"]) == ("Ann", "Bob", {"5": 1, "20": 2})
    assert (paid["gives"], paid["borrows"], paid["rest"]) == ({}, {}, 0)


def test_a_preview_s_transfers_can_be_sent_as_they_are(sue: Caller, path: str) -> None:
    """Each payment of the next hand has the transfer's value."""
    preview = sue.dry(f"{path}/hands", HEARTS_74).json["verdict"]
    paid = sue.post(f"{path}/chips/payout", {"transfers": preview["transfers"]}).json
    assert len(paid) == len(preview["transfers"]) == 5
    for payment in paid:
        worth = sum(int(value) * number for value, number in payment["pieces"].items())
        assert worth == payment["amount"] - payment["rest"]


def test_a_hand_played_for_pots_is_paid_in_chips_with_all_its_transfers(sue: Caller) -> None:
    """The preview's, antes and the pot taken among them."""
    path = sue.start(
        "progressive",
        players=["Ann", "Bob", "Cyd"],
        first_dealer="Ann",
        options={"pots": {"stake": 5, "solo_factor": 1}},
        starting_stack=150,
    )
    hand = {"contract": {"bidder": "Ann", "bid": "spade-solo"}, "points": 70}
    preview = sue.dry(f"{path}/hands", hand).json["verdict"]
    answer = sue.post(f"{path}/chips/payout", {"transfers": preview["transfers"]})
    assert answer.status_code == 200
    taken = answer.json[-1]
    assert (taken["payer"], taken["payee"], taken["pieces"]) == ("solo pot", "Ann", {"5": 3})


WRONG: list[tuple[str, Any, str, str]] = [
    ("loans", {"player": "Zoë", "chips": 5}, "player", "no seat"),
    ("loans", {"player": "Ann", "chips": 0}, "chips", "from 1"),
    ("loans", {"player": "Ann", "chips": 10**40}, "chips", "from 1"),
    ("loans", {"player": "Ann", "chips": 5.5}, "chips", "whole number"),
    ("repayments", {"player": "Ann", "chips": 151}, "chips", "can't be paid back"),
    ("adjustments", {"player": "Ann", "chips": 5}, "reason", "missing"),
    ("adjustments", {"player": "Ann", "chips": 5, "reason": " "}, "reason", "Give a reason"),
    (
        "adjustments",
        {"player": "Ann", "chips": 5, "reason": "x", "pot": "frog"},
        "pot",
        "no pot called “frog”",
    ),
    ("counts", {"counts": {}}, "counts", "at least one"),
    ("counts", {"counts": {"Zoë": {"5": 1}}}, "counts.Zoë", "no seat"),
    ("counts", {"counts": {"Ann": {"7": 1}}}, "counts.Ann.7", "no chip worth 7"),
    ("counts", {"counts": {"Ann": {"5": -1}}}, "counts.Ann.5", "can't hold"),
    ("counts", {"counts": {"Ann": {"5": "six"}}}, "counts.Ann.5", "whole number"),
    ("counts", {"counts": {"Ann": {"05": 1}}}, "counts.Ann.05", "value"),
    ("counts", {"counts": {"Ann": {"0": 1}}}, "counts.Ann.0", "value"),
    ("counts", {"counts": {"Ann": [5]}}, "counts.Ann", "object"),
    ("counts", {"counts": {"Ann": {"5": 1}}, "post": "yes"}, "post", "true or false"),
    ("counts?dry_run=true", {"counts": {"Ann": None}}, "counts.Ann", "null"),
    (
        "chips/payout",
        {"transfers": [{"from": "Ann", "to": "Zoë", "amount": 5}]},
        "transfers",
        "no",
    ),
    (
        "chips/payout",
        {"transfers": [{"from": "Ann", "to": "Bob", "amount": 0}]},
        "transfers.0.amount",
        "1 to",
    ),
]


@pytest.mark.parametrize(("place", "sent", "field", "says"), WRONG)
def test_what_cannot_be_is_refused_at_its_field(
    sue: Caller, path: str, database: Database, place: str, sent: Any, field: str, says: str
) -> None:
    """And nothing of it is saved."""
    before = row_counts(database)
    refused = sue.post(f"{path}/{place}", sent)
    assert refused.status_code == 422
    assert says in faults(refused)[field]
    assert row_counts(database) == before


def test_scores_are_not_chips(sue: Caller) -> None:
    """German Solo has no rate, no stack, no bank: each is answered with the one reason."""
    rate, four = {"chips": 10, "money": 5}, ["Ann", "Bob", "Cyd", "Dee"]
    for said in ({"rate": rate}, {"starting_stack": 100}):
        body = {"game": "german-solo", "players": four, **said}
        refused = sue.post("/sessions", body)
        assert (refused.status_code, refused.json["code"]) == (422, "invalid")
        assert [(each["field"], each["code"]) for each in refused.json["errors"]] == [
            (*said, "scores-not-chips")
        ]
    path = sue.start("german-solo", players=four, first_dealer="Ann")
    for refused in (
        sue.post(f"{path}/loans", {"player": "Ann", "chips": 5}),
        sue.post(f"{path}/counts", {"counts": {"Ann": {"5": 1}}}),
        sue.put(f"{path}/rate", {"rate": rate}),
        sue.post(f"{path}/conversion", {"rate": None}),
        sue.get(f"{path}/chips"),
    ):
        assert (refused.status_code, refused.json["code"]) == (409, "scores-not-chips")
        assert "German Solo is played for scores, not for chips" in refused.json["detail"]
