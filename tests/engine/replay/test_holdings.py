"""The exchange and the hands that it leaves, checked against the deal and the tricks as far as known."""

from typing import Any

import pytest

from engine.cards.card_sets import BITS, mask_of
from engine.cards.cards import Card, read_cards
from engine.errors import Violation
from engine.games import GAMES
from engine.record import Contract, Exchange, HandRecord
from engine.replay.deal import KnownDeal, nothing_known
from engine.replay.holdings import HeldCards, PlayedContract, hands_from_play, with_called
from tests.engine.games.german_table import PLAYERS
from tests.engine.hands import refusal, scored, six
from tests.engine.replay.test_revokes import CALL_SOLO, FROG, HANDS, SOLO, changed

CALLER = {"hands": {"Cyd": CALL_SOLO["deal"]["hands"]["Cyd"]}}
FROG_BIDDER = {"Bob": FROG["deal"]["hands"]["Bob"]}


def test_the_exchange_is_read_from_the_tricks_when_the_deal_is_known() -> None:
    """The cards that the bidder no longer had were discarded or returned."""
    for hand in (CALL_SOLO, FROG):
        assert scored(changed(hand, "exchange")).deltas == scored(hand).deltas


def test_a_hand_given_up_before_the_exchange_is_noted_is_judged_by_what_was_played() -> None:
    """The cards that nobody can place are left open."""
    for tricks in (CALL_SOLO["tricks"][:3], CALL_SOLO["tricks"][:10]):
        hand = changed(CALL_SOLO, "exchange", "points", tricks=tricks, conceded="opponents")
        assert scored(hand).outcome == "won"
        assert scored(changed(hand, "deal")).outcome == "won"
    assert (
        scored(changed(CALL_SOLO, "tricks", "points", "exchange", conceded="bidder")).amount == 100
    )


def test_an_exchange_with_other_cards_than_the_deal_says_is_refused() -> None:
    """Taken, given, or laid away."""
    for hand, exchange, code, field in (
        (CALL_SOLO, {"from": "Ann", "returned": "6D"}, "exchange-differs", "exchange.from"),
        (CALL_SOLO, {"from": "widow"}, "exchange-differs", "exchange.from"),
        (CALL_SOLO, {"from": "Bob"}, "exchange-count", "exchange.returned"),
        (CALL_SOLO, {"from": "widow", "returned": "6D"}, "exchange-count", "exchange.returned"),
        (CALL_SOLO, {"from": "Bob", "returned": "KH"}, "card-not-held", "exchange.returned"),
        (CALL_SOLO, {"took": "8H QS KD"}, "no-exchange", "exchange"),
        (FROG, {"took": "KH QD AS"}, "exchange-differs", "exchange.took"),
        (
            FROG,
            {"took": "KH QD TH", "discarded": "AS 7S KH"},
            "card-not-held",
            "exchange.discarded",
        ),
        (FROG, {"discarded": "7S 7S KH"}, "exchange-count", "exchange.discarded"),
        (FROG, {"from": "Ann", "returned": "AS"}, "no-exchange", "exchange"),
        (SOLO, {"from": "Ann", "returned": "AS"}, "no-exchange", "exchange"),
    ):
        violation = refusal(changed(hand, exchange=exchange))
        assert (violation.code, violation.field) == (code, field)


@pytest.mark.parametrize(
    ("exchange", "message"),
    [
        ({"from": "Bob"}, "Say which card was returned to Bob for the called one."),
        (
            {"from": "widow", "returned": "6D"},
            "Nothing is exchanged with the widow, so no card is returned.",
        ),
    ],
)
def test_a_card_is_returned_to_a_player_and_none_to_the_widow(
    exchange: dict[str, str], message: str
) -> None:
    """The sentence says which."""
    assert refusal(changed(CALL_SOLO, exchange=exchange)).message == message


@pytest.mark.parametrize("left_out", [(), ("tricks",), ("deal",)])
def test_an_exchange_in_a_game_without_one_is_only_refused_as_such(
    left_out: tuple[str, ...],
) -> None:
    """Its cards are not compared with the deal or the tricks."""
    for exchange in ({"from": "Bob", "returned": "6D"}, {"took": "6S 7S 8S"}):
        violation = refusal(changed(HANDS[12], *left_out, exchange=exchange))
        assert (violation.code, violation.field) == ("not-in-this-game", "exchange")


@pytest.mark.parametrize(
    ("called", "giver", "message"),
    [
        ("AD", "widow", "AD was held by Bob, so it did not come from widow."),
        ("AD", "Ann", "AD was held by Bob, so it did not come from Ann."),
        ("KD", "Bob", "KD was in the widow, so it did not come from Bob."),
    ],
)
def test_the_true_place_of_the_called_card_is_named(called: str, giver: str, message: str) -> None:
    """If the whole deal is known."""
    contract = {**CALL_SOLO["contract"], "called": called}
    exchange = {"from": giver} | ({"returned": "6D"} if giver != "widow" else {})
    assert refusal(changed(CALL_SOLO, contract=contract, exchange=exchange)).message == message


def test_an_exchange_is_held_against_what_is_known_without_the_deal() -> None:
    """A card that came from elsewhere, or lay in nobody's widow."""
    complete, unknown = CALL_SOLO["deal"]["hands"], " ".join("?" for _ in range(11))
    for deal, exchange in (
        ({"hands": {**complete, "Ann": unknown}}, {"from": "Ann", "returned": "6D"}),
        (None, {"from": "widow"}),
    ):
        hand = changed(CALL_SOLO, "deal", exchange=exchange) | ({"deal": deal} if deal else {})
        violation = refusal(hand)
        assert (violation.code, violation.field) == ("exchange-differs", "exchange.from")
    for noted in ({"widow": "KH QD 6C"}, {"hands": {"Ann": f"KH {unknown[2:]}"}}):
        violation = refusal(changed(FROG, deal=noted))
        assert (violation.code, violation.field) == ("exchange-differs", "exchange.took")
    laid = {"took": "KH QD TH", "discarded": "QD 7S TD"}
    assert refusal(changed(FROG, "deal", exchange=laid)).code == "card-not-held"


def _noted(hand: dict[str, Any], deal: dict[str, Any], exchange: dict[str, Any]) -> Violation:
    """Refuse an exchange that is recorded with part of a deal, without tricks; the bidder deals."""
    points, dealer = (120, "Cyd") if hand is CALL_SOLO else (63, "Bob")
    noted = {"deal": deal, "exchange": exchange, "points": points, "dealer": dealer}
    return refusal(changed(hand, "tricks", "auction", **noted))


@pytest.mark.parametrize(
    ("deal", "exchange", "field"),
    [
        ({"hands": {"Ann": "AC KC ? ? ? ? ? ? ? ? ?"}}, {"discarded": "AC 7S KH"}, "discarded"),
        ({"hands": FROG_BIDDER, "widow": "KH QD TH"}, {"discarded": "6C 7S KH"}, "discarded"),
        ({"hands": FROG_BIDDER}, {"took": "KH QD TH", "discarded": "6C 7S KH"}, "discarded"),
    ],
)
def test_cards_laid_away_were_the_bidders_though_nobody_noted_the_play(
    deal: dict[str, Any], exchange: dict[str, Any], field: str
) -> None:
    """A card that was dealt to another, or is not among those the bidder is known to have had."""
    violation = _noted(FROG, deal, exchange)
    assert (violation.code, violation.field) == ("card-not-held", f"exchange.{field}")
    good = {**exchange, "discarded": "QD 7S KH"}
    bare = changed(FROG, "tricks", "auction", deal=deal, exchange=good, points=63)
    assert scored(bare).points == 63


@pytest.mark.parametrize(
    ("deal", "exchange", "field"),
    [
        ({"hands": {"Ann": "AC KC ? ? ? ? ? ? ? ? ?"}}, {"returned": "AC"}, "returned"),
        ({"widow": "AC ? ?"}, {"returned": "AC"}, "returned"),
        (CALLER, {"returned": "KH"}, "returned"),
        ({}, {"from": "Cyd"}, "from"),
    ],
)
def test_the_called_card_came_from_an_opponent_and_an_own_one_went_back(
    deal: dict[str, Any], exchange: dict[str, Any], field: str
) -> None:
    """Not from the bidder, nor for a card that lay elsewhere."""
    complete = {"from": "Bob", "returned": "6D", **exchange}
    violation = _noted(CALL_SOLO, deal, complete)
    assert violation.field == f"exchange.{field}"
    known = (
        ["6D", "AS", "TS", "AH", "7C", "8C", "9C", "QC", "KC", "TC", "AC", "AD"]
        if deal is CALLER
        else []
    )
    assert sorted(violation.legal) == sorted(["Ann", "Bob", "widow"] if field == "from" else known)


def test_who_sat_out_gave_no_card() -> None:
    """Nor would a page offer it."""
    exchange = {"from": "Dee", "returned": "6C"}
    violation = refusal(six(4, "call-solo", 120, called="AH", exchange=exchange))
    assert violation.message == "Dee cannot have given AH; it came from Bob, Cyd or the widow."
    assert (violation.field, violation.legal) == ("exchange.from", ("Bob", "Cyd", "widow"))


def test_a_giver_whose_cards_are_known_had_the_called_one() -> None:
    """A widow or a hand without it gave nothing."""
    widow = _noted(CALL_SOLO, {"widow": "6S 7S 8S"}, {"from": "widow"})
    bob = "6S 7S 8S 9S JS QS 6H 7H 8H 9H JH"
    hand = _noted(CALL_SOLO, {"hands": {"Bob": bob}}, {"from": "Bob", "returned": "6D"})
    assert (widow.code, hand.code) == ("exchange-differs", "exchange-differs")
    assert (widow.message, hand.message) == (
        "AD did not come from widow.",
        "AD did not come from Bob.",
    )


@pytest.mark.parametrize(
    ("hand", "deal", "exchange"),
    [
        (CALL_SOLO, {"hands": {"Ann": "KH 7D ? ? ? ? ? ? ? ? ?"}}, {"from": "widow"}),
        (CALL_SOLO, {"widow": "AD QS KD"}, {"from": "widow"}),
        (FROG, FROG["deal"], {"took": "KH QD TH", "discarded": "6S 7S KH"}),
        (FROG, {"hands": FROG_BIDDER}, {"took": "KH QD TH", "discarded": "6S 7S KH"}),
    ],
)
def test_an_exchange_that_the_known_cards_allow_is_accepted(
    hand: dict[str, Any], deal: dict[str, Any], exchange: dict[str, Any]
) -> None:
    """From a widow that is unknown or contains the called card; with the pack's first card discarded."""
    points = 120 if hand is CALL_SOLO else 63
    bare = changed(hand, "tricks", "auction", deal=deal, exchange=exchange, points=points)
    assert scored(bare).points == points


def test_a_bidders_hand_is_known_with_the_widow_and_what_was_laid_away() -> None:
    """Though both other hands are unknown, a card the bidder had laid away cannot be played."""
    deal = {"hands": {"Bob": FROG["deal"]["hands"]["Bob"]}, "widow": FROG["deal"]["widow"]}
    assert scored(changed(FROG, deal=deal)).points == 63
    assert scored(changed(FROG, deal={"hands": deal["hands"]})).points == 63
    laid = {**FROG["exchange"], "discarded": "QD 7S TD"}
    assert refusal(changed(FROG, deal=deal, exchange=laid)).code == "card-not-held"


def test_what_changed_hands_in_call_solo_hangs_on_the_called_card() -> None:
    """Without it neither exchange nor deal can be followed; the tricks alone can."""
    contract = {"bidder": "Cyd", "bid": "call-solo", "trump": "C"}
    for left_out in ((), ("exchange",), ("deal",)):
        violation = refusal(changed(CALL_SOLO, *left_out, contract=contract))
        assert (violation.code, violation.field) == ("called-missing", "contract.called")
    assert scored(changed(CALL_SOLO, "deal", "exchange", contract=contract)).points == 120


def test_any_card_may_have_been_called_from_the_widow() -> None:
    """If nobody recorded the play."""
    contract = {**CALL_SOLO["contract"], "called": "6S"}
    bare = changed(CALL_SOLO, "deal", "tricks", "auction", contract=contract)
    assert scored({**bare, "exchange": {"from": "widow"}}).amount == 100


@pytest.mark.parametrize("known", [{"widow": FROG["deal"]["widow"]}, {"took": "KH QD TH"}])
def test_a_bidder_with_the_widow_plays_no_other_card(known: dict[str, str]) -> None:
    """If both the hand as dealt and the discarded cards are known; Ann was dealt the eight."""
    tricks = [dict(trick) for trick in FROG["tricks"]]
    tricks[0]["cards"], tricks[-1]["cards"] = "8D 7D AD", "JD KC KD"
    exchange = {"discarded": "QD 7S KH"} | {key: known[key] for key in known if key == "took"}
    deal = {"hands": FROG_BIDDER} | {key: known[key] for key in known if key == "widow"}
    violation = refusal(changed(FROG, "points", deal=deal, exchange=exchange, tricks=tricks))
    assert violation.message == "Trick 1: Bob played 8D, but did not hold it."


def cards(text: str) -> int:
    """Read a set of cards."""
    return mask_of(read_cards(text))


def turned(
    hand: dict[str, Any], turns: int, known: str, exchange: dict[str, str] | None
) -> tuple[PlayedContract, KnownDeal, tuple[int, ...]]:
    """Return a hand with seats beginning elsewhere, the known part of the deal, and the cards played."""
    names = hand["players"][turns:] + hand["players"][:turns]
    record = HandRecord.from_mapping({**hand, "exchange": exchange})
    contract = record.contract or Contract()
    rules = GAMES[record.game].rules(record.rules, {}, 3)
    case = PlayedContract(
        rules,
        tuple(names),
        rules.by_slug[str(contract.bid)],
        names.index(contract.bidder),
        contract,
        record.exchange or Exchange(),
    )
    places, dealt = known.split(), hand["deal"]["hands"]
    played = dict.fromkeys(names, 0)
    for trick in hand["tricks"]:
        first = hand["players"].index(trick["leader"])
        for place, card in enumerate(read_cards(trick["cards"]), first):
            played[hand["players"][place % 3]] |= BITS[card]
    deal = KnownDeal(
        tuple(cards(dealt[name]) if name in places else 0 for name in names),
        cards(hand["deal"]["widow"]) if "widow" in places else 0,
        sum(1 << at for at, name in enumerate(names) if name in places),
        "widow" in places,
    )
    return case, deal, tuple(played.values())


GIVEN, TAKEN = CALL_SOLO["exchange"], FROG["exchange"]
DISCARDED = {"discarded": TAKEN["discarded"]}


@pytest.mark.parametrize("turns", range(3))
@pytest.mark.parametrize(
    ("hand", "known", "exchange"),
    [
        *((CALL_SOLO, known, GIVEN) for known in ("", "Bob", "Cyd", "Ann", "widow", "Bob Cyd")),
        *((CALL_SOLO, known, None) for known in ("", "Bob", "Cyd", "Ann", "widow", "Bob Cyd")),
        *((FROG, known, TAKEN) for known in ("", "Bob", "Cyd", "widow", "Bob widow", "Ann Cyd")),
        *((FROG, known, None) for known in ("", "Bob", "Cyd", "widow", "Bob widow")),
        *((FROG, known, DISCARDED) for known in ("", "Bob", "Cyd", "widow", "Bob widow")),
    ],
)
def test_who_played_all_cards_held_them_after_the_exchange(
    hand: dict[str, Any], turns: int, known: str, exchange: dict[str, str] | None
) -> None:
    """Whatever is known of deal and exchange, and wherever the bidder sits."""
    case, deal, played = turned(hand, turns, known, exchange)
    assert hands_from_play(case, deal, played).hands == played


@pytest.mark.parametrize("turns", range(3))
@pytest.mark.parametrize(
    ("known", "exchange"), [("", GIVEN), ("Bob", GIVEN), ("Cyd", GIVEN), ("Cyd", None)]
)
def test_the_deal_of_a_call_solo_follows_from_play_and_exchange(
    turns: int, known: str, exchange: dict[str, str] | None
) -> None:
    """The called card was the giver's, and the returned one the bidder's."""
    case, deal, played = turned(CALL_SOLO, turns, known, exchange)
    _, complete, _ = turned(CALL_SOLO, turns, "Ann Bob Cyd", exchange)
    dealt = hands_from_play(case, deal, played).dealt
    assert (dealt.hands, dealt.sure) == (complete.hands, 0b111)


@pytest.mark.parametrize("turns", range(3))
def test_the_bidder_was_not_dealt_a_called_card_that_somebody_gave(turns: int) -> None:
    """The other cards that the bidder played may have been dealt to them."""
    case, deal, played = turned(CALL_SOLO, turns, "", None)
    dealt = hands_from_play(case, deal, played).dealt
    assert dealt.hands[case.bidder] == played[case.bidder] & ~cards("AD")


@pytest.mark.parametrize("turns", range(3))
@pytest.mark.parametrize("known", ["", "Bob"])
def test_the_cards_a_frog_bidder_was_dealt_do_not_follow_from_the_play(
    turns: int, known: str
) -> None:
    """Those of the opponents do."""
    case, deal, played = turned(FROG, turns, known, TAKEN)
    _, complete, _ = turned(FROG, turns, "Ann Bob Cyd", TAKEN)
    dealt = hands_from_play(case, deal, played).dealt
    expected = list(complete.hands)
    expected[case.bidder] = deal.hands[case.bidder]
    assert dealt.hands == tuple(expected)
    assert dealt.sure == 0b111 & ~(0 if known else 1 << case.bidder)


def test_a_known_card_stays_in_the_hand_of_a_bid_without_exchange() -> None:
    """Though it has not been played yet, and whichever cards have."""
    case, deal, _ = turned(SOLO, 0, "", None)
    case = case._replace(bidder=0)
    known_deal = deal._replace(hands=(cards("7C JS"), 0, 0))
    assert hands_from_play(case, known_deal, (cards("6S"), 0, 0)).hands[0] == cards("7C JS 6S")


@pytest.mark.parametrize("turns", range(3))
def test_what_the_bidder_plays_is_accepted_until_the_returned_card_is_known(turns: int) -> None:
    """Then the other seats decide alone, as far as their hands are known."""
    case, deal, _ = turned(CALL_SOLO, turns, "Bob Cyd", None)
    played = [0, 0, 0]
    played[case.bidder] = cards("AC KD")
    assert hands_from_play(case, deal, tuple(played)).hands[case.bidder] == cards("AC KD")


@pytest.mark.parametrize("turns", range(3))
def test_an_opponent_whose_hand_is_known_holds_no_other_card(turns: int) -> None:
    """Though nobody knows who gave the called card."""
    case, deal, _ = turned(CALL_SOLO, turns, "Ann", None)
    ann, played = case.seats.index("Ann"), [0, 0, 0]
    played[case.bidder], played[ann] = cards("AC AD"), cards("6C KD")
    assert hands_from_play(case, deal, tuple(played)).hands[ann] == deal.hands[ann]


@pytest.mark.parametrize("place", range(1, 4))
def test_the_partner_has_the_called_card_unless_their_whole_hand_is_known(place: int) -> None:
    """As dealt and as the play begins, in German Solo."""
    rules = GAMES["german-solo"].rules(None, {}, 4)
    ace = Card.parse("AH")
    contract = Contract(PLAYERS[0], "frage", called=ace, partner=PLAYERS[place])
    case = PlayedContract(rules, PLAYERS, rules.by_slug["frage"], 0, contract)
    others = nothing_known(4)._replace(sure=0b1111 & ~(1 << place))
    hands = tuple(BITS[ace] if at == place else 0 for at in range(4))
    for known_deal in (others, nothing_known(4)):
        held = HeldCards(known_deal, known_deal.hands)
        assert with_called(case, held) == (known_deal._replace(hands=hands), hands)
    complete = nothing_known(4)._replace(sure=1 << place)
    assert with_called(case, HeldCards(complete, complete.hands)) == (complete, complete.hands)
