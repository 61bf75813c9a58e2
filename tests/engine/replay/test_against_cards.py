"""Values that contradict the cards, and cards that cannot have been dealt or played so."""

from typing import Any

import pytest

from engine.replay.stated_result import difference
from tests.engine.games.german_table import HANDS as GERMAN_HANDS
from tests.engine.games.test_german_solo import german
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
    """In call solo only the one returned for the called card was, and the giver had it."""
    mine = {"hands": {"Cyd": CALL_SOLO["deal"]["hands"]["Cyd"]}}
    bare = changed(CALL_SOLO, "exchange", "points", deal=mine)
    assert scored(bare).points == 120
    hand = mine["hands"]["Cyd"].replace("8C", "KH")
    violation = refusal({**bare, "deal": {"hands": {"Cyd": hand}}})
    assert violation.code == "card-not-held"
    assert violation.message == "Trick 10: Bob played 6D, which Cyd held."


def first_trick(hand: dict[str, Any], cards: str, *without: str) -> dict[str, Any]:
    """Give a hand another first trick."""
    tricks = [{**hand["tricks"][0], "cards": cards}, *hand["tricks"][1:]]
    return changed(hand, *without, "points", tricks=tricks)


@pytest.mark.parametrize(
    ("noted", "message"),
    [
        ("Ann Bob Cyd widow", "Trick 1: Ann played QS, which lay in the widow."),
        ("widow", "Trick 1: Ann played QS, which lay in the widow."),
        ("Ann", "Trick 1: Ann played QS, but did not hold it."),
        ("Ann Bob", "Trick 1: Ann played QS, but did not hold it."),
        ("Ann Bob Cyd", "Trick 1: Ann played QS, which lay in the widow."),
    ],
)
def test_a_card_that_the_player_lacked_is_placed_as_far_as_the_deal_is_noted(
    noted: str, message: str
) -> None:
    """A seat with an unknown hand is not named as its holder or non-holder."""
    deal = HANDS[0]["deal"]
    hands = {seat: holding for seat, holding in deal["hands"].items() if seat in noted}
    known = {"hands": hands} | {key: deal[key] for key in ("widow",) if key in noted}
    hand = first_trick(HANDS[0], "JC KC QS")
    violation = refusal({**hand, "deal": known})
    assert (violation.code, violation.message) == ("card-not-held", message)


@pytest.mark.parametrize("without", [(), ("deal",)], ids=["deal", "no deal"])
def test_a_discarded_card_is_not_played(without: tuple[str, ...]) -> None:
    """By nobody; also if it came from the widow."""
    for cards, seat in (("QD 7D AD", "Bob"), ("KD QD AD", "Cyd")):
        violation = refusal(first_trick(FROG, cards, *without))
        message = f"Trick 1: {seat} played QD, which the bidder had discarded."
        assert (violation.code, violation.message) == ("card-not-held", message)


def test_a_returned_card_is_the_givers_and_was_not_discarded() -> None:
    """Bob got it for the called card."""
    violation = refusal(first_trick(CALL_SOLO, "AC 6D JC"))
    assert violation.message == "Trick 1: Ann played 6D, which Bob held."


def test_a_card_that_changed_hands_unnoted_is_only_known_not_to_be_the_players() -> None:
    """The bidder was dealt or took it, and may have laid it aside."""
    violation = refusal(first_trick(FROG, "KD QD AD", "exchange"))
    assert violation.message == "Trick 1: Cyd played QD, but did not hold it."


@pytest.mark.parametrize("without", [(), ("deal",)], ids=["deal", "no deal"])
def test_the_trick_in_which_a_record_ends_is_named(without: tuple[str, ...]) -> None:
    """With the cards it has, if it lacks only some of them."""
    *complete, last = TWELVE["tricks"]
    short = {**last, "cards": last["cards"][:5]}
    for tricks, number, fact in (
        ([*complete, short], 12, "Trick 12 has only 2 cards of 3."),
        (complete, 12, "Trick 12 is missing; the record holds 11 of 12."),
        ([*complete, {**last, "cards": last["cards"][:2]}], 12, "Trick 12 has only 1 card of 3."),
        (complete[:-1], 11, "Trick 11 is missing; the record holds 10 of 12."),
        ([*complete[:-1], short], 11, "Trick 11 has only 2 cards of 3."),
        ([], 1, "Trick 1 is missing; the record holds 0 of 12."),
    ):
        violation = refusal(changed(TWELVE, *without, "points", tricks=tricks))
        assert violation.code == "tricks-missing"
        assert dict(violation.where) == {"field": "tricks", "trick": number}
        assert violation.message == f"{fact} Record the rest, or who gave the hand up."


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


def test_a_wrong_leader_is_named_with_the_winner_of_the_trick_before() -> None:
    """In the first trick with the player on the lead alone."""
    for at, message in (
        (0, "Trick 1: Ann leads, not Cyd."),
        (1, "Trick 2: Bob won trick 1 and leads, not Cyd."),
    ):
        tricks = [dict(trick) for trick in TWELVE["tricks"]]
        tricks[at]["leader"] = "Cyd"
        violation = refusal(changed(TWELVE, "points", tricks=tricks))
        assert (violation.code, violation.message) == ("wrong-leader", message)


def test_the_leader_of_a_trick_is_checked_before_its_cards() -> None:
    """The cards of a wrong leader are seldom possible."""
    tricks = [dict(trick) for trick in TWELVE["tricks"]]
    tricks[1] = {"leader": "Cyd", "cards": tricks[0]["cards"]}
    assert refusal(changed(TWELVE, "points", tricks=tricks)).code == "wrong-leader"


def test_the_last_trick_of_a_conceded_hand_may_have_one_card() -> None:
    """It need not be finished."""
    tricks = [*CALL_SOLO["tricks"][:3], {"leader": "Cyd", "cards": "QC"}]
    for without in (("points",), ("points", "deal")):
        hand = changed(CALL_SOLO, *without, tricks=tricks, conceded="opponents")
        assert scored(hand).outcome == "won"
        empty = [*tricks[:3], {"leader": "Cyd", "cards": ""}]
        assert refusal({**hand, "tricks": empty}).code == "trick-size"


def test_yes_and_no_are_words_in_a_contradiction() -> None:
    """As in the record."""
    message = difference("first_tricks_won", (True,), False).message
    assert message == "By the cards that the first tricks were won is true, not false."


@pytest.mark.parametrize(
    ("matadors", "message"),
    [(None, None), ("declarers", 'is "split", not "declarers".')],
)
def test_matadors_follow_from_the_hands_of_the_others(
    matadors: str | None, message: str | None
) -> None:
    """The declarer's own hand is the rest of the pack."""
    deal = {"hands": {seat: hand for seat, hand in GERMAN_HANDS.items() if seat != "Ann"}}
    written = german("solo", 5, matadors=matadors, deal=deal)
    if message is None:
        assert scored(written).amount == 6
    else:
        assert refusal(written).message == f"By the cards the side with the matadors {message}"


def test_a_trick_lost_in_the_middle_is_named() -> None:
    """By the first leader that had not won the trick before."""
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
    """The giver takes any card the bidder then holds; no holder is assumed without evidence."""
    hands = CALL_SOLO["deal"]["hands"]
    giver = {"hands": {"Bob": hands["Bob"]}}
    tricks = CALL_SOLO["tricks"][:6]
    hand = changed(CALL_SOLO, "exchange", "points", deal=giver, tricks=tricks, conceded="opponents")
    assert scored(hand).outcome == "won"
    shown = [*tricks, {"leader": "Cyd", "cards": "7C 9S AD"}]
    assert scored({**hand, "tricks": shown}).outcome == "won"
