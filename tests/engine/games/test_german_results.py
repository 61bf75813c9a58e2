"""German Solo card by card: the results that follow from the cards, and the duties."""

import pytest

from engine.guide.hand import GuidedHand
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
    named,
    opened,
    passed,
    played,
    solo,
    verdict,
    written,
)
from tests.engine.hands import hand, refusal, scored, violations


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
    """Without it hands and matadors follow from the cards played."""
    record = written(solo(ALL_BUT_ONE))
    bare = {key: value for key, value in record.items() if key not in ("deal", "auction")}
    assert score(HandRecord.from_mapping(bare)) == score(HandRecord.from_mapping(record))


def without_auction(hand: GuidedHand, **keys: object) -> dict[str, object]:
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
    """With an auction and no deal: the player of both black queens had passed."""
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
    assert violation.message.endswith("Record the rest, or that the side stopped.")
    assert score(HandRecord.from_mapping({**record, "stopped": True})).amount == 10


def test_nobody_asks_for_a_partner_whose_card_is_out() -> None:
    """Before the fifth trick the partner had shown themself: what was −7 would become +3 (003)."""
    shown, hidden = (
        played(frage(), "8H AH QS TS"),
        played(frage(trump="H", ace="AC"), "QC 7H QS JS"),
    )
    for state, early in ((shown, True), (hidden, False)):
        while not state.over:
            legal = [card for card in state.legal if str(card) != "AC"] or list(state.legal)
            state = state.after(legal[0])
        record = {**written(state), "asked_partner": True}
        if not early:
            assert scored(record).partner == CYD
            continue
        for left_out in ((), ("deal", "auction")):
            bare = {key: value for key, value in record.items() if key not in left_out}
            violation = refusal(bare)
            assert (violation.code, violation.field) == ("asked-too-late", "asked_partner")
            assert violation.message.startswith("AH was played in trick 1, so")


def rows(*tricks: str) -> list[dict[str, object]]:
    """Write tricks down without their leaders."""
    return [{"cards": cards} for cards in tricks]


ALL_VOID = rows("8H 7H TH 9H", "AH 8D 7S 7D", "KH 9D 8S 9C", "QH TD 9S TC", "JH JD TS KS")
"""Bob draws trumps, and nobody else has a second one."""
FEW_TRUMPS = rows("8H 7H TH 9H", "AS 9S 8S TS", "KS JS 7S 8D", "AC TC JC 9C", "AD 9D TD JD")
"""Each seat followed the one trump led; only the manille came out, from Bob."""


def stopped(tricks: list[dict[str, object]], **keys: object) -> dict[str, object]:
    """Write down tricks after which Bob, who played a solo in hearts, stopped."""
    contract = {"bidder": BOB, "bid": "solo", "trump": "H"}
    return hand("german-solo", 4, contract, tricks=tricks, stopped=True, **keys)


def test_after_a_stop_the_matadors_are_where_alone_the_cards_let_them_be() -> None:
    """A seat that did not follow a trump holds neither queen: they need not be stated and cannot differ."""
    assert scored(stopped(ALL_VOID)).amount == 10
    for side in ("split", "defenders"):
        violation = refusal(stopped(ALL_VOID, matadors=side))
        assert (violation.code, violation.legal) == ("differs-from-cards", ("declarers",))


def test_after_a_stop_matadors_are_stated_among_those_the_cards_allow() -> None:
    """The manille was Bob's, so that the defenders had not all three; the rest is open."""
    assert scored(stopped(FEW_TRUMPS, matadors="declarers")).amount == 10
    assert scored(stopped(FEW_TRUMPS, matadors="split")).amount == 8
    wrong = refusal(stopped(FEW_TRUMPS, matadors="defenders"))
    assert (wrong.code, wrong.legal) == ("differs-from-cards", ("declarers", "split"))
    missing = refusal(stopped(FEW_TRUMPS))
    assert (missing.code, missing.legal) == ("matadors-missing", ("declarers", "split"))


def test_unplayed_cards_that_nobody_can_have_kept_back_are_refused() -> None:
    """Ann alone can have the diamonds, and three cards are left to her: not all seven."""
    tricks = rows("AD 8H 7S 8S", "AS 9S TS AC", "KS JS 9C TC", "AH 8C JH JC", "KH KC TH 7C")
    violation = refusal(stopped(tricks, matadors="split"))
    assert violation.code == "deal-against-tricks"
    assert violation.message.startswith("The unplayed cards fit no possible deal")


FEW_DIAMONDS = rows("AD 8H 7S 8S", "7H 9H TH KD", "QS JH QH QD", "AH 9S TS JD", "KH JS KS TD")
"""Nobody but Ann has a diamond after the first trick, and three are left."""


def test_nobody_keeps_back_more_unplayed_cards_than_fit_into_the_hand() -> None:
    """Whether a seat did not follow is remembered when it leads, and known cards take up room."""
    assert scored(stopped(FEW_DIAMONDS)).amount == 10
    four = [*FEW_DIAMONDS[:4], *rows("KH JS KS 7C")]
    spade = {"hands": {ANN: "AS ? ? ? ? ? ? ?"}}
    for record in (stopped(four), stopped(FEW_DIAMONDS, deal=spade)):
        assert refusal(record).code == "deal-against-tricks"


def test_a_deal_noted_in_part_excludes_what_it_shows() -> None:
    """Where the one queen noted was a defender's, the declarers had not all three."""
    contract = {"bidder": BOB, "bid": "solo", "trump": "H"}
    result = {"tricks_won": 4, "first_tricks_won": False}
    for held, can in (
        ("QC ? ? ? ? ? ? ?", ("defenders", "split")),
        ("QC 8H 9C TC KC AC 8C 7C", ("defenders", "split")),
    ):
        record = hand("german-solo", 4, contract, deal={"hands": {ANN: held}}, **result)
        assert refusal({**record, "matadors": "declarers"}).legal == can
        assert scored({**record, "matadors": "split"}).outcome == "lost"
    mine = hand(
        "german-solo", 4, contract, deal={"hands": {BOB: "QC QS 9C TC KC AC 8C 7C"}}, **result
    )
    assert refusal({**mine, "matadors": "declarers"}).legal == ("split",)


def test_no_hand_can_have_held_what_it_should_have_bid() -> None:
    """Both queens in one hand owe a grossfrage, so that after a frage they lay apart."""
    contract = {"bidder": BOB, "bid": "frage", "trump": "H", "called": "AC", "partner": CYD}
    others = {ANN: "7D 8D 9D TD JD QD KD AD", DEE: "7S 8S 9S TS JS AS KS 7C"}
    record = hand("german-solo", 4, contract, deal={"hands": others}, tricks_won=4)
    record |= {"first_tricks_won": False}
    assert scored({**record, "matadors": "declarers"}).amount == 4
    seven = {**others, CYD: "QC QS AC ? ? ? ? ?"}
    assert violations({**record, "deal": {"hands": seven}})[0].code == "bid-owed"
    partner = "AC 7D 8D 9D TD JD QD KD"
    apart = {ANN: "7H ? ? ? ? ? ? ?", CYD: partner, DEE: "7S 8S 9S TS JS AS KS 7C"}
    assert scored({**record, "deal": {"hands": apart}}).amount == 2


def test_after_an_all_pass_who_played_the_queen_of_clubs_played_force() -> None:
    """Bidder, partner and tricks follow from the cards, and nothing is asked."""
    played_out = named(passed(opened(), ANN, BOB, CYD, DEE), "AC", "D")
    while not played_out.over:
        played_out = played_out.after(played_out.legal[0])
    complete = written(played_out)
    contract = {"trump": "D", "called": "AC"}
    for stated, left_out in (
        (contract, ("deal",)),
        ({**contract, "bid": "force"}, ("deal", "auction")),
        ({**contract, "bid": "force"}, ("auction", "tricks")),
    ):
        record = {key: value for key, value in complete.items() if key not in left_out}
        told = {"tricks_won": 4, "first_tricks_won": False} if "tricks" in left_out else {}
        told_by_cards = scored({**record, **told, "contract": stated})
        assert (told_by_cards.bidder, told_by_cards.partner) == (ANN, CYD)
    trumpless = {key: value for key, value in complete.items() if key != "deal"}
    assert refusal({**trumpless, "contract": {"called": "AC"}}).code == "trump-missing"


def test_the_partner_named_has_to_play_the_called_card_when_its_suit_is_led() -> None:
    """Though the hand stopped before it came out."""
    tricks = rows("8H 7H TH 9H", "AS 9S 8S TS", "KS JS 7S 8D", "KC TC JC 9C", "AD 9D TD JD")
    contract = {"bidder": BOB, "bid": "frage", "trump": "H", "called": "AC", "partner": CYD}
    record = hand("german-solo", 4, contract, tricks=tricks, stopped=True, matadors="split")
    violation = refusal(record)
    assert (violation.code, violation.where["trick"]) == ("must-play-called-card", 4)


def test_a_trick_lost_before_the_stop_is_named() -> None:
    """By the leader of the next one; without recorded leaders, only as one missing trick."""
    led = [{**row, "leader": ANN if at == 0 else BOB} for at, row in enumerate(ALL_VOID)]
    assert dict(refusal(stopped(led[1:])).where) == {"trick": 1}
    assert refusal(stopped(ALL_VOID[1:])).code == "stopped-elsewhere"


def test_an_all_pass_with_its_tricks_is_not_asked_who_played_and_how_it_went() -> None:
    """It follows from the tricks; only the bid must be recorded."""
    violation = refusal(hand("german-solo", 4, {"bid": "pass"}, tricks=ALL_VOID))
    assert (violation.code, violation.legal) == ("all-pass-is-played", ("force",))
    assert "say who" not in violation.message
