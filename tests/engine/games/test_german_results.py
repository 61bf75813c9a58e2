"""German Solo card by card: what the cards tell of the result, and oblige to."""

import pytest

from engine.guide.hand import Hand
from engine.phases.actions import Ending
from engine.record import HandRecord
from engine.scoring.score import score
from tests.engine.games.german_table import (
    ALL_BUT_ONE,
    ANN,
    BOB,
    CYD,
    DEE,
    FIRST_FIVE,
    TWO_QUEENS,
    frage,
    solo,
    verdict,
    written,
)
from tests.engine.hands import refusal, violations


def test_having_won_the_first_five_they_may_stop() -> None:
    """Prime: two more, scored from the cards alone; not a card earlier."""
    assert solo(FIRST_FIVE).endings == (Ending.STOPPED,)
    assert solo(FIRST_FIVE[:-3]).endings == ()
    assert solo(f"{FIRST_FIVE} QH").endings == ()
    stopped = verdict(solo(FIRST_FIVE).after(Ending.STOPPED))
    assert stopped.deltas == {ANN: 0, BOB: 10, CYD: 0, DEE: 0}
    assert stopped.explanation == (
        "5 of 8 tricks, 5 needed: made",
        "Solo counts 6",
        "prime: 2 more = 8",
        "all three matadors on the declarer's side: 2 more = 10",
        "Bob scores 10 points",
    )


def test_if_they_play_on_the_aim_becomes_every_trick() -> None:
    """The eight of clubs is lost: four more for tout, and all of it taken from Bob."""
    lost = verdict(solo(ALL_BUT_ONE))
    assert (lost.outcome, lost.amount, lost.deltas[BOB]) == ("lost", 12, -12)
    assert lost.explanation[0] == "7 of 8 tricks, 8 needed: 1 short"


def test_what_the_cards_tell_is_held_against_what_is_stated() -> None:
    """Tricks, matadors, and whether the first were won, each with both figures."""
    record = written(solo(FIRST_FIVE).after(Ending.STOPPED))
    for key, stated, told in (
        ("tricks_won", 6, "5"),
        ("matadors", "split", "declarers"),
        ("first_tricks_won", False, "true"),
    ):
        violation = refusal({**record, key: stated})
        assert (violation.code, violation.field) == ("differs-from-cards", key)
        assert told in violation.message
    right = {**record, "tricks_won": 5, "matadors": "declarers", "first_tricks_won": True}
    assert score(HandRecord.from_mapping(right)).amount == 10


def test_the_deal_changes_nothing_that_the_tricks_tell() -> None:
    """Without it hands and matadors follow from what was played."""
    record = written(solo(ALL_BUT_ONE))
    bare = {key: value for key, value in record.items() if key not in ("deal", "auction")}
    assert score(HandRecord.from_mapping(bare)) == score(HandRecord.from_mapping(record))


def without_auction(hand: Hand, **keys: object) -> dict[str, object]:
    """Write down deal, contract and result alone."""
    record = written(hand) | {"auction": None, "tricks": None, "tricks_won": 4}
    return {**record, **keys}


def test_matadors_follow_from_the_deal_alone() -> None:
    """They may be left out, and are refused when they differ."""
    hand = without_auction(frage())
    assert score(HandRecord.from_mapping(hand)).amount == 2
    violation = refusal({**hand, "matadors": "declarers"})
    assert (
        violation.message == 'By the cards the side with the matadors is "split", not "declarers".'
    )


def test_force_is_played_by_who_was_dealt_the_queen_of_clubs() -> None:
    """Even where nobody noted the bidding."""
    contract = {"bidder": CYD, "bid": "force", "trump": "D", "called": "AH", "partner": BOB}
    violation = refusal(without_auction(frage(), contract=contract))
    assert (violation.code, violation.legal) == ("forced-elsewhere", (ANN,))
    mine = without_auction(frage(), contract={**contract, "bidder": ANN})
    assert score(HandRecord.from_mapping(mine)).bidder == ANN


@pytest.mark.parametrize("bid", ["force", "frage"])
def test_the_bidding_cannot_end_below_what_a_hand_owes(bid: str) -> None:
    """Even where nobody noted it; a grossfrage or a solo can have been the end."""
    deal = {"hands": TWO_QUEENS}
    contract = {"bidder": ANN, "bid": bid, "trump": "D", "called": "AH", "partner": BOB}
    hand = without_auction(frage(), deal=deal, contract=contract)
    violation = refusal(hand)
    assert (violation.code, violation.legal) == ("bid-owed", ("grossfrage", "solo"))
    assert refusal({**hand, "deal": deal}).where["seat"] == ANN
    for higher in ({**contract, "bid": "grossfrage"}, {"bidder": BOB, "bid": "solo", "trump": "H"}):
        assert score(HandRecord.from_mapping({**hand, "contract": higher})).outcome == "lost"
    free = {**hand, "options": {"grossfrage_duty": "none"}}
    assert score(HandRecord.from_mapping(free)).outcome == "lost"


def test_the_tricks_show_that_a_grossfrage_was_owed() -> None:
    """With an auction and no deal: who played both black queens had passed."""
    record = written(solo(ALL_BUT_ONE))
    assert record.pop("deal")
    calls = [[ANN, "frage"], [BOB, "pass"], [CYD, "solo"], [ANN, "pass"], [DEE, "pass"]]
    contract = {"bidder": CYD, "bid": "solo", "trump": "H"}
    violation = violations({**record, "auction": calls, "contract": contract})[0]
    assert (violation.code, violation.where["field"]) == ("bid-owed", "auction.2")


def test_tricks_that_end_early_need_a_word_that_the_side_stopped() -> None:
    """It is not taken for granted; nobody gives up here."""
    record = written(solo(FIRST_FIVE))
    violation = refusal(record)
    assert violation.code == "tricks-missing"
    assert violation.message.endswith("write the rest down, or that the side stopped.")
    assert score(HandRecord.from_mapping({**record, "stopped": True})).amount == 10
