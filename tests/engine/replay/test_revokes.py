"""Incomplete records of hands: consequences are derived, impossible hands are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.record import HandRecord
from engine.scoring.score import score
from tests.engine.hands import crazy, refusal, scored, six, violations

HANDS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "examples" / "hands.jsonl").read_text().splitlines()
]
SOLO, MISERE, CALL_SOLO, FROG, BLIND, SPIT = (HANDS[at] for at in (0, 2, 5, 7, 17, 16))


def changed(hand: dict[str, Any], *left_out: str, **changes: object) -> dict[str, Any]:
    """Leave keys out of a hand and change others."""
    return {key: value for key, value in hand.items() if key not in left_out} | changes


def deal_of(hand: dict[str, Any], **hands: str) -> dict[str, Any]:
    """Change hands of the deal, or its widow."""
    deal = hand["deal"]
    widow = hands.pop("widow", deal.get("widow"))
    return {"hands": {**deal["hands"], **hands}} | ({} if widow is None else {"widow": widow})


def test_a_revoke_names_the_card_and_the_later_one_that_proves_it() -> None:
    """Without a deal: Ann discarded on diamonds in the second trick and held two."""
    hand = changed(HANDS[12], "deal", "points")
    tricks = [dict(trick) for trick in hand["tricks"]]
    tricks[1]["cards"], tricks[7]["cards"] = "TD JD 8C", "6S 8S QD"
    assert refusal({**hand, "tricks": tricks}).to_mapping() == {
        "code": "must-follow-suit",
        "message": "Trick 2: Ann played 8C, but held QD and 7D and had to follow diamonds."
        " 7D was played in trick 4.",
        "where": {
            "trick": 2,
            "position": 3,
            "seat": "Ann",
            "card": "8C",
            "proof": "7D",
            "proof_trick": 4,
            "proof_position": 2,
        },
        "legal": ["QD", "7D"],
    }


def test_a_revoke_against_the_deal_is_said_as_the_format_shows() -> None:
    """The sentence, the place and the legal card, with nothing more."""
    tricks = [dict(trick) for trick in HANDS[12]["tricks"]]
    tricks[3]["cards"], tricks[7]["cards"] = "AD 8C 6D", "6S 8S 7D"
    assert refusal(changed(HANDS[12], "points", tricks=tricks)).to_mapping() == {
        "code": "must-follow-suit",
        "message": "Trick 4: Ann played 8C, but held 7D and had to follow diamonds.",
        "where": {"trick": 4, "position": 2, "seat": "Ann", "card": "8C"},
        "legal": ["7D"],
    }


def test_a_widow_may_be_unknown_or_the_only_thing_unknown() -> None:
    """With every hand noted the rest is the widow."""
    assert scored(changed(SOLO, deal=deal_of(SOLO, widow="? ? ?"))).points == 64
    assert scored(changed(SOLO, deal={"hands": SOLO["deal"]["hands"]})).points == 64
    other = deal_of(SOLO, widow="QS 8S 9H")
    assert refusal(changed(SOLO, deal=other)).code == "card-dealt-twice"


def test_a_card_noted_in_one_hand_is_not_played_from_another() -> None:
    """Even when the other hand is unknown."""
    bob = " ".join("?" for _ in range(10))
    deal = {"hands": {"Cyd": f"JC {bob}"}}
    violation = refusal(changed(SOLO, deal=deal))
    assert (violation.code, violation.where["seat"], violation.where["card"]) == (
        "card-not-held",
        "Bob",
        "JC",
    )


def test_the_partner_is_whoever_held_the_called_card() -> None:
    """Another one, or one where the caller was alone, is refused."""
    contract = HANDS[13]["contract"]
    for partner, field in (("Bob", "contract.partner"),):
        violation = refusal(changed(HANDS[13], contract={**contract, "partner": partner}))
        assert (violation.code, violation.field, violation.legal) == (
            "partner-differs",
            field,
            ("Ann",),
        )
    alone = {**contract, "alone": True}
    del alone["partner"]
    assert refusal(changed(HANDS[13], contract=alone)).field == "contract.alone"
    spit = SPIT["contract"]
    assert refusal(changed(SPIT, contract={**spit, "partner": "Bob"})).code == "partner-differs"
    assert refusal(changed(SPIT, contract={**spit, "alone": False})).field == "contract.alone"


def test_a_deal_alone_tells_the_partner() -> None:
    """No trick need be noted."""
    hand = changed(HANDS[13], "tricks", "auction")
    contract = {key: value for key, value in hand["contract"].items() if key != "partner"}
    assert scored(changed(hand, contract=contract)).partner == "Ann"


def test_cards_do_not_hide_what_else_is_wrong() -> None:
    """An idle bidder, an unknown bid, a trump it does not have: reported once, with the cards."""
    for contract, code in (
        ({"bidder": "Dee", "bid": "heart-solo"}, "bidder-sat-out"),
        ({"bidder": "Bob", "bid": "grand"}, "unknown-bid"),
        ({"bidder": "Bob", "bid": "solo", "trump": "H"}, "trump-not-allowed"),
        ({"bidder": "Bob", "bid": "solo"}, "trump-missing"),
        ({"bidder": "Bob", "bid": "misere", "trump": "S"}, "trump-not-allowed"),
    ):
        assert refusal(changed(HANDS[1], "auction", contract=contract)).code == code


def test_an_auction_tells_the_contract_but_for_what_is_named() -> None:
    """Alone it makes none: trump is missing; an illegal one is the only violation."""
    auction = [["Ann", "heart-solo"], ["Bob", "pass"], ["Cyd", "pass"]]
    hand = six(3, "solo", 64, auction=auction)
    del hand["contract"]
    assert scored(hand).deltas == {"Ann": 16, "Bob": -8, "Cyd": -8}
    hand["auction"] = [["Bob", "pass"]]
    assert refusal(hand).code == "out-of-turn"
    hand["auction"] = [["Ann", "pass"], ["Bob", "pass"], ["Cyd", "pass"]]
    assert refusal(hand).code == "all-passed"
    del hand["points"]
    assert scored(hand).outcome == "passed-out"


def test_blind_is_bid_with_a_heart() -> None:
    """By the deal, by the auction, or by both; without either there is no violation."""
    deal = {"hands": {"Ann": "AS KS QS JS TS 9S 8S"}}
    hand = crazy(5, "blind", 74, called="AH")
    assert refusal({**hand, "deal": deal}).code == "blind-without-heart"
    called = [["Ann", "blind"]]
    assert refusal({**hand, "deal": deal, "auction": called}).code == "blind-without-heart"
    assert scored({**hand, "auction": called}).outcome == "won"
    assert scored(BLIND).outcome == "won"


def test_a_blind_bid_without_a_heart_is_named_before_a_call_after_it() -> None:
    """Nobody bids over it; but it is the first wrong call."""
    calls = [["Ann", "blind"], ["Bob", "solo"]]
    hand = crazy(5, "blind", 74, called="AH", auction=calls)
    assert refusal(hand).code == "not-now"
    deal = {"hands": {"Ann": "AS KS QS JS TS 9S 8S"}}
    assert refusal({**hand, "deal": deal}).code == "blind-without-heart"


def test_whoever_bids_blind_without_the_lead_needs_a_heart_too() -> None:
    """Both are named."""
    deal = {"hands": {"Bob": "AS KS QS JS TS 9S 8S"}}
    hand = crazy(5, "blind", 74, called="AH", bidder="Bob", partner="Cyd", deal=deal)
    codes = ["blind-without-heart", "not-on-the-lead"]
    assert [violation.code for violation in violations(hand)] == codes


def test_the_seat_under_with_a_heart_is_named_if_the_bidding_was_open() -> None:
    """It is the one on the lead."""
    hand = crazy(5, "solo", 74, called="KH", deal={"hands": {"Ann": "AH KS QS JS TS 9S 8S"}})
    violation = refusal(hand | {"blind_round": {}})
    assert (violation.code, violation.where["seat"]) == ("bid-owed", "Ann")
    assert violation.message == "Ann was under and held hearts, so the bid is blind."


def test_a_spit_deal_ends_in_the_deal() -> None:
    """The hands follow from the order, so the deal may be left out."""
    assert scored(changed(SPIT, "deal")).deltas == scored(SPIT).deltas
    order = SPIT["spit"]["order"]
    short = refusal(changed(SPIT, spit={"order": order[:-1]}))
    assert (short.code, short.field) == ("spit-unfinished", "spit.order")
    assert scored(changed(SPIT, spit={})).deltas == scored(SPIT).deltas


def test_all_independent_problems_are_named() -> None:
    """An auction out of turn and a deal of too few cards have nothing to do with each other."""
    deal = {"hands": {"Ann": "AS"}}
    problems = violations(changed(SOLO, deal=deal, auction=[["Ann", "pass"]]))
    assert [violation.code for violation in problems] == ["deal-size", "out-of-turn"]


@pytest.mark.parametrize("hand", HANDS)
def test_removing_all_but_tricks_and_contract_keeps_the_verdict(hand: dict[str, Any]) -> None:
    """The depth `cards`: the rest follows from contract and tricks."""
    kept = ("format", "game", "rules", "options", "players", "dealer", "active", "contract")
    bare = {key: hand[key] for key in (*kept, "tricks", "pots", "stopped") if key in hand}
    assert score(HandRecord.from_mapping(bare)).deltas == scored(hand).deltas


def test_a_called_card_that_nobody_named_leaves_the_partner_to_be_stated() -> None:
    """It does not follow from the cards."""
    contract = {"bidder": "Cyd", "bid": "solo-in-hearts"}
    bare = changed(HANDS[13], contract=contract)
    assert refusal(bare).code == "partner-missing"
    assert scored(changed(bare, contract={**contract, "partner": "Ann"})).points == 84


def test_a_misere_given_up_is_held_against_the_tricks_so_far() -> None:
    """Opponents cannot give up a misère that is broken; the bidder may."""
    tricks = [{"leader": "Cyd", "cards": "QC AC 8C"}]
    hand = changed(MISERE, "deal", "auction", "points", tricks=tricks)
    assert scored(changed(hand, conceded="opponents")).outcome == "won"
    tricks = [{"leader": "Cyd", "cards": "7H KH AH"}, {"leader": "Ann", "cards": "6C QC"}]
    broken = changed(hand, tricks=tricks, conceded="opponents")
    assert refusal(broken).code == "concession-too-late"
    assert scored(changed(broken, conceded="bidder")).outcome == "lost"


def test_a_revoke_against_a_card_that_was_never_played_has_no_other_proof() -> None:
    """The deal noted it; the hand was given up before it came out."""
    deal = {"hands": {"Dee": "AS ? ? ? ? ? ? ? ? ? ?"}}
    tricks = [{"leader": "Cyd", "cards": "QS KH 8S"}]
    hand = changed(MISERE, "points", "auction", deal=deal, tricks=tricks, conceded="bidder")
    violation = refusal(hand)
    assert violation.message == "Trick 1: Dee played KH, but held AS and had to follow spades."
    assert "proof" not in violation.where


def test_a_card_that_is_none_is_named_in_the_deal() -> None:
    """Among unknown ones, too."""
    violation = refusal(changed(SOLO, deal={"hands": {"Ann": "AS ? XX"}}))
    assert (violation.code, violation.field) == ("unknown-card", "deal.hands.Ann")
