"""German Solo card by card, rule by rule: ranks, bidding, calling, following."""

from collections.abc import Iterable

import pytest

from engine.cards.cards import SUITS, Card, Suit, read_cards
from engine.errors import Refused
from engine.guide.hand import GuidedHand
from engine.phases.tricks import Play
from engine.record import Call, HandRecord
from engine.replay.naming import Naming
from engine.scoring.score import score
from tests.engine.games.german_table import (
    ANN,
    BOB,
    CYD,
    DEE,
    HANDS,
    PLAYERS,
    SHEET,
    TWO_QUEENS,
    called,
    frage,
    named,
    opened,
    passed,
    played,
    refused,
    written,
)
from tests.engine.hands import refusal, violations

BY_SUIT = [f"{rank}{suit}" for suit in "SHDC" for rank in "AKQJT987"]


def by_power(cards: Iterable[str], trump: Suit, led: str) -> str:
    """Order cards from high to low, as they are worth when one of them is led."""
    law = SHEET.rules(None, {}, 4).ranking.under(trump).laws[Card.parse(led)]
    powers = [strength for _, _, strength in law]
    ranked = sorted((Card.parse(card) for card in cards), key=lambda card: -powers[card])
    return " ".join(str(card) for card in ranked if powers[card])


@pytest.mark.parametrize(
    ("trump", "order"),
    [
        (Suit.HEARTS, "QC 7H QS AH KH QH JH TH 9H 8H"),
        (Suit.DIAMONDS, "QC 7D QS AD KD QD JD TD 9D 8D"),
        (Suit.CLUBS, "QC 7C QS AC KC JC TC 9C 8C"),
        (Suit.SPADES, "QC 7S QS AS KS JS TS 9S 8S"),
    ],
)
def test_trumps_are_spadille_manille_baste_and_then_a_k_q_j_10_9_8(trump: Suit, order: str) -> None:
    """The red suits have a queen of their own; ten trumps there, nine in the black ones."""
    assert by_power(BY_SUIT, trump, order[:2]) == order


@pytest.mark.parametrize(
    ("suit", "order"),
    [
        (Suit.HEARTS, "AH KH QH JH TH 9H 8H 7H"),
        (Suit.DIAMONDS, "AD KD QD JD TD 9D 8D 7D"),
        (Suit.CLUBS, "AC KC JC TC 9C 8C 7C"),
        (Suit.SPADES, "AS KS JS TS 9S 8S 7S"),
    ],
)
def test_plain_suits_are_a_k_q_j_10_9_8_7(suit: Suit, order: str) -> None:
    """Without the black queens; a led card is beaten by its suit and by trumps only."""
    trump = next(each for each in SUITS if each is not suit)
    plain = [card for card in BY_SUIT if Card.parse(card).suit is suit]
    assert by_power([card for card in plain if card not in ("QC", "QS")], trump, order[:2]) == order


def test_the_two_black_queens_are_trumps_always() -> None:
    """With any trump they follow trumps and not their own suit."""
    for trump in SUITS:
        order = SHEET.rules(None, {}, 4).ranking.under(trump)
        for queen in (Card.parse("QC"), Card.parse("QS")):
            assert order.trumps >> queen & 1
            assert order.follows[queen] == order.trumps


def test_who_holds_only_a_black_queen_of_the_suit_led_need_not_play_it() -> None:
    """And must follow with it when trumps are led."""
    hand = played(frage(), "9C 8C")
    assert [str(card) for card in hand.legal] == ["AC", "KC"]
    trumps = played(frage(), "7D 8C")
    assert {str(card) for card in trumps.legal} == {"QS", "QD", "JD", "TD", "9D", "8D"}


def calls_spades(**options: object) -> GuidedHand:
    """Bob plays a frage in hearts with the ace of spades; Ann holds it with the king, and leads."""
    bid = called(passed(opened(HANDS, **options), ANN), (BOB, "frage"))
    return named(passed(bid, CYD, DEE), "H", "AS")


def test_the_holder_of_the_called_card_who_leads_its_suit_leads_it() -> None:
    """Ann may lead any suit, but of spades only the ace; once it is out she is free."""
    hand = calls_spades()
    assert {str(card) for card in hand.legal} == {"QC", "7D", "AD", "KD", "AS", "8H", "9C"}
    with pytest.raises(Refused) as error:
        played(hand, "KS")
    violation = error.value.violations[0]
    assert (violation.code, violation.legal) == (
        "must-play-called-card",
        tuple(map(str, hand.legal)),
    )
    assert violation.message == (
        "Trick 1: Ann led KS, but held AS, the called card, which must be led by a holder who leads its suit."
    )
    later = played(hand, "AS TH 8D 7S")
    assert later.to_act == BOB
    assert Card.parse("KS") in played(hand, "AS 8C 8D 7S").legal


def test_option_called_card_leads_lets_the_holder_lead_another_card_of_the_suit() -> None:
    """A seat that follows must still play it."""
    hand = calls_spades(called_card_leads=False)
    assert Card.parse("KS") in hand.legal
    assert played(hand, "KS 8C 8D 7S").to_act == ANN
    followed = played(frage(), "8H")
    assert [str(card) for card in followed.legal] == ["AH"]


def test_there_is_no_duty_to_trump() -> None:
    """Bob is void in spades and trumps and clubs follow; Cyd, void in hearts, may throw anything."""
    hand = played(frage(), "8H AH")
    assert hand.to_act == CYD
    assert len(hand.legal) == 8


def test_eight_cards_are_dealt_3_2_3_and_six_in_sollo() -> None:
    """Four players; sollo's packets are two of three."""
    for variant, packets in (("altenburg", (3, 2, 3)), ("sollo", (3, 3))):
        rules = SHEET.rules(variant, {}, 4)
        dealt = list(rules.dealing.packets(PLAYERS, len(rules.pack.cards)))
        assert dealt == [(seat, size) for size in packets for seat in PLAYERS]
        assert rules.widow_size == 0


def test_forehand_leads() -> None:
    """For every declarer."""
    hand = named(passed(called(passed(opened(), ANN), (BOB, "solo")), CYD, DEE), "H")
    assert isinstance(hand.phase, Play)
    assert hand.to_act == ANN


def test_eldest_opens_and_who_is_overcalled_passes_holds_or_goes_higher() -> None:
    """And so on round, two at a time."""
    hand = opened(grossfrage_duty="none")
    assert hand.to_act == ANN
    hand = called(hand, (ANN, "frage"))
    assert {call.call for call in hand.legal if isinstance(call, Call)} == {
        "pass",
        "frage",
        "frage-in-clubs",
        "grossfrage",
        "grossfrage-in-clubs",
        "solo",
        "solo-in-clubs",
    }
    hand = called(hand, (BOB, "grossfrage"))
    assert hand.to_act == ANN
    assert "hold" in {call.call for call in hand.legal if isinstance(call, Call)}
    hand = called(hand, (ANN, "hold"))
    assert hand.to_act == BOB
    assert refused(hand, Call(BOB, "hold")) == "call-not-allowed"
    hand = called(hand, (BOB, "pass"))
    assert hand.to_act == CYD
    hand = passed(hand, CYD, DEE)
    assert isinstance(hand.phase, Naming)
    assert hand.contract is not None
    assert (hand.contract.bidder, hand.contract.bid) == (ANN, "grossfrage")


def test_clubs_outrank_an_equal_contract() -> None:
    """A seat that bids the same again must play it in clubs."""
    hand = called(opened(), (ANN, "frage"), (BOB, "frage"), (ANN, "pass"), (CYD, "pass"))
    hand = passed(hand, DEE)
    assert hand.legal == (Suit.CLUBS,)
    assert refused(hand, Suit.HEARTS) == "trump-not-allowed"
    assert hand.contract is not None
    assert hand.contract.bidder == BOB


def test_a_frage_names_trump_and_a_plain_ace_that_the_declarer_lacks() -> None:
    """The trump first, then the ace."""
    hand = passed(called(opened(), (ANN, "frage")), BOB, CYD, DEE)
    assert (hand.to_act, hand.legal) == (ANN, SUITS)
    hand = named(hand, "D")
    assert hand.legal == read_cards("AH AC")
    assert refused(hand, Card.parse("AS")) == "called-own-card"
    assert refused(hand, Card.parse("KH")) == "called-card-not-allowed"


def test_who_holds_all_four_aces_calls_a_plain_king() -> None:
    """One that they lack."""
    hands = {
        ANN: "AS AH AD AC KS 8H 9C 7D",
        BOB: "QC KH QH JH TH 9H 7H 8C",
        CYD: "QS QD JD TD 9D 8D KD KC",
        DEE: "JS TS 9S 8S 7S JC TC 7C",
    }
    hand = passed(called(opened(hands), (ANN, "frage")), BOB, CYD, DEE)
    assert named(hand, "D").legal == read_cards("KH KC")
    assert named(hand, "H").legal == read_cards("KD KC")


def test_the_holder_of_the_called_card_is_the_partner_in_secret() -> None:
    """It follows from the cards; a record with another value is refused with both."""
    hand = written(frage()) | {"tricks": None, "tricks_won": 4, "matadors": "split"}
    contract = hand["contract"]
    assert isinstance(contract, dict)
    assert contract.pop("partner") == BOB
    assert score(HandRecord.from_mapping(hand)).partner == BOB
    violation = refusal({**hand, "contract": {**contract, "partner": CYD}})
    assert violation.code == "partner-differs"
    assert violation.message == "AH was held by Bob; the record says that Cyd was the partner."


def test_the_called_card_must_be_played_when_its_suit_is_led() -> None:
    """Bob holds six more hearts, and none of them will do."""
    hand = played(frage(), "8H")
    assert hand.legal == read_cards("AH")
    assert refused(hand, Card.parse("KH")) == "must-play-called-card"


def test_in_a_grossfrage_the_aces_holder_names_trump_and_not_in_that_aces_suit() -> None:
    """Ann calls, Bob shows himself and names."""
    hand = passed(called(opened(), (ANN, "grossfrage")), BOB, CYD, DEE)
    assert (hand.to_act, hand.legal) == (ANN, read_cards("AH AC"))
    hand = named(hand, "AH")
    assert (hand.to_act, hand.legal) == (BOB, (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS))
    assert refused(hand, Suit.HEARTS) == "trump-not-allowed"
    assert isinstance(named(hand, "D").phase, Play)


def test_a_player_dealt_both_black_queens_owes_a_grossfrage() -> None:
    """A pass or a frage is too little; a solo discharges the duty."""
    hand = opened(TWO_QUEENS)
    for call in ("pass", "frage"):
        assert refused(hand, Call(ANN, call)) == "bid-owed"
    enough = ("grossfrage", "grossfrage-in-clubs", "solo", "solo-in-clubs")
    assert hand.legal == tuple(Call(ANN, call) for call in enough)
    assert called(hand, (ANN, "solo")).to_act == BOB


def test_the_grossfrage_is_not_owed_once_solo_is_bid() -> None:
    """Then its holder may pass."""
    hands = {
        ANN: TWO_QUEENS[BOB],
        BOB: TWO_QUEENS[ANN],
        CYD: TWO_QUEENS[CYD],
        DEE: TWO_QUEENS[DEE],
    }
    hand = called(opened(hands), (ANN, "solo"))
    assert Call(BOB, "pass") in hand.legal
    assert refused(passed(opened(hands), ANN), Call(BOB, "pass")) == "bid-owed"


@pytest.mark.parametrize(
    ("duty", "queens", "seven"),
    [("black-queens", True, False), ("spadille-and-a-seven", False, True), ("none", False, False)],
)
def test_option_grossfrage_duty_says_which_cards_oblige(
    duty: str, queens: bool, seven: bool
) -> None:
    """Both black queens; spadille and any seven; or none at all."""
    without_seven = {**TWO_QUEENS, ANN: "QC 8H AD KD AS KS QS 9C", CYD: "7D QD JD TD 9D 8D AC KC"}
    for hands, owed in ((without_seven, queens), (HANDS, seven)):
        hand = opened(hands, grossfrage_duty=duty)
        assert (Call(ANN, "pass") not in hand.legal) is owed


def test_all_pass_and_the_holder_of_the_queen_of_clubs_plays_force_as_a_grossfrage() -> None:
    """They call an ace, its holder names trump; a record with another declarer is refused."""
    hand = passed(opened(), ANN, BOB, CYD, DEE)
    assert hand.contract is not None
    assert (hand.contract.bidder, hand.contract.bid) == (ANN, "force")
    hand = named(hand, "AC")
    assert hand.to_act == CYD
    hand = named(hand, "D")
    record = written(hand)
    contract = record["contract"]
    assert isinstance(contract, dict)
    other = {**record, "contract": {**contract, "bidder": BOB}}
    assert violations(other)[0].code == "contract-against-auction"


def test_matadors_are_spadille_manille_and_baste_by_the_deal() -> None:
    """All three with the declaring side, with the other, or split; the manille hangs on trumps."""
    rules = SHEET.rules(None, {}, 4)
    for trump in SUITS:
        matadors = rules.ranking.matadors(trump)
        cards = [card for card in rules.pack.cards if matadors >> card & 1]
        assert {str(card) for card in cards} == {"QC", "QS", f"7{trump.value}"}
