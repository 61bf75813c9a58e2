"""What is stated against the cards, and what the cards themselves cannot have been."""

from typing import Any

import pytest

from tests.engine.hands import crazy, refusal, scored, six
from tests.engine.replay.test_revokes import CALL_SOLO, FROG, HANDS, changed

TWELVE = HANDS[12]


def test_a_card_of_the_widow_was_not_an_opponents() -> None:
    """Though nobody noted the exchange: the bidder had taken it up."""
    tricks = [dict(trick) for trick in FROG["tricks"]]
    tricks[4]["cards"] = "KH TH JH"
    noted = {"widow": FROG["deal"]["widow"]}
    for deal in (noted, {**noted, "hands": {"Bob": FROG["deal"]["hands"]["Bob"]}}):
        hand = changed(FROG, "exchange", "points", "deal", tricks=tricks, deal=deal)
        violation = refusal(hand)
        assert violation.code == "card-not-held"
        assert violation.message == "Trick 5: Ann played KH, which Bob held."


def test_a_card_dealt_to_the_bidder_was_not_an_opponents() -> None:
    """In call solo only the one that went back for the called card was, and whoever gave it had it."""
    mine = {"hands": {"Cyd": CALL_SOLO["deal"]["hands"]["Cyd"]}}
    bare = changed(CALL_SOLO, "exchange", "points", deal=mine)
    assert scored(bare).points == 120
    hand = mine["hands"]["Cyd"].replace("8C", "KH")
    violation = refusal({**bare, "deal": {"hands": {"Cyd": hand}}})
    assert violation.code == "card-not-held"
    assert violation.message == "Trick 10: Bob played 6D, which Cyd held."


@pytest.mark.parametrize(
    ("key", "said", "right"),
    [("points", 99, "31"), ("tricks_won", 4, "3"), ("points_against", 4, "0")],
)
def test_a_hand_given_up_has_the_points_and_tricks_it_had_so_far(
    key: str, said: int, right: str
) -> None:
    """A call solo after three tricks; its widow was not turned up, so the verdict names no points."""
    hand = changed(CALL_SOLO, "points", tricks=CALL_SOLO["tricks"][:3], conceded="opponents")
    assert scored(hand).points is None
    assert scored({**hand, key: int(right)}).outcome == "won"
    violation = refusal({**hand, key: said})
    assert (violation.code, violation.field) == ("differs-from-cards", key)
    assert violation.legal == (right,)


def test_a_trick_lost_in_the_middle_is_named() -> None:
    """By the first leader who had not won the trick before."""
    for lost in (1, 3, 7):
        tricks = [trick for at, trick in enumerate(TWELVE["tricks"], 1) if at != lost]
        violation = refusal(changed(TWELVE, "points", tricks=tricks))
        assert (violation.code, dict(violation.where)) == ("tricks-missing", {"trick": lost})
    assert violation.message == (
        "Trick 7 is missing: Cyd led it, and the next one recorded was led by Bob."
    )
    nameless = [{"cards": trick["cards"]} for trick in tricks]
    assert refusal(changed(TWELVE, "points", tricks=nameless)).field == "tricks"


def test_the_size_of_a_trick_is_looked_at_before_its_cards() -> None:
    """One card too many is no revoke of the next seat, nor one too few."""
    for cards, size in (("TC QC 9C TS", 4), ("TC QC", 2), ("TC", 1)):
        tricks = [dict(trick) for trick in TWELVE["tricks"]]
        tricks[4]["cards"] = cards
        for deal in (TWELVE["deal"], None):
            violation = refusal(changed(TWELVE, "points", tricks=tricks, deal=deal))
            assert (violation.code, dict(violation.where)) == ("trick-size", {"trick": 5})
            assert f"has {size} card" in violation.message


def test_what_might_have_been_played_instead_of_a_card_twice_is_not_guessed() -> None:
    """Without the deal nobody knows; with it the legal cards are listed, and that one is not among them."""
    tricks = [dict(trick) for trick in TWELVE["tricks"]]
    tricks[4]["cards"] = "TC QC TH"
    violation = refusal(changed(TWELVE, "points", "deal", tricks=tricks))
    assert (violation.code, violation.legal) == ("card-played-twice", ())
    with_deal = refusal(changed(TWELVE, "points", tricks=tricks))
    assert (with_deal.code, with_deal.legal) == ("card-played-twice", ("9C", "6C"))


@pytest.mark.parametrize("trump", ["H", None])
def test_a_wrong_trump_is_all_that_is_wrong(trump: str | None) -> None:
    """Points, partner and bidder are in the tricks, and are not asked for."""
    spades = {"bidder": "Bob", "bid": "go-alone", "trump": trump}
    options = {"hearts_in_solo": False}
    violation = refusal(changed(TWELVE, "points", "auction", contract=spades, options=options))
    assert violation.field == "contract.trump"
    dealt = changed(TWELVE, "tricks", "auction", contract=spades, options=options)
    assert refusal(dealt).field == "contract.trump"
    four = crazy(4, "solo", None, trump=trump, called="AH", partner=None)
    four |= {"options": options, "tricks": [{"cards": "AS KS QS JS"}] * 9}
    assert refusal(four).field == "contract.trump"


def test_points_so_far_need_the_tricks_that_they_lie_in() -> None:
    """A call solo given up without a trick has none."""
    given_up: dict[str, Any] = {"called": "AH", "conceded": "bidder"}
    assert scored(six(3, "call-solo", 40, tricks_won=2, **given_up)).outcome == "lost"
    assert (
        refusal(six(3, "call-solo", 40, tricks_won=0, **given_up)).code == "tricks-against-points"
    )


def test_who_did_not_hold_the_called_card_is_not_the_partner() -> None:
    """Also where its holder is not known, but every card of the one named is."""
    hand = crazy(4, "solo", 74, called="AH", partner="Bob")
    deal = {"hands": {"Bob": "AS TS KS QS JS 9S 8S 7S 6S"}}
    violation = refusal({**hand, "deal": deal})
    assert (violation.code, violation.field) == ("partner-differs", "contract.partner")
    nobody = crazy(4, "solo", 74, called="AH", partner=None)
    assert refusal({**nobody, "deal": deal}).code == "partner-missing"


def test_the_called_card_itself_may_have_gone_back() -> None:
    """Who gave it takes any card the bidder then holds: nobody is said to hold what nobody was seen to."""
    hands = CALL_SOLO["deal"]["hands"]
    giver = {"hands": {"Bob": hands["Bob"]}}
    tricks = CALL_SOLO["tricks"][:6]
    hand = changed(CALL_SOLO, "exchange", "points", deal=giver, tricks=tricks, conceded="opponents")
    assert scored(hand).outcome == "won"
    shown = [*tricks, {"leader": "Cyd", "cards": "7C 9S AD"}]
    assert scored({**hand, "tricks": shown}).outcome == "won"
