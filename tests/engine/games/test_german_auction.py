"""German Solo's auction compared with the declared contract (003 and the rules sheet)."""

from contextlib import suppress
from itertools import product
from typing import Any

import pytest

from engine.cards.card_sets import mask_of
from engine.cards.cards import SUITS, Card, Suit, read_cards
from engine.errors import Refused
from engine.games import GAMES
from engine.guide.hand import GuidedHand
from engine.guide.transcript import write_down
from engine.record import Call, Contract, HandRecord
from engine.replay.auction import make_call, obligations
from engine.replay.deal import KnownDeal
from engine.replay.holdings import PlayedContract
from engine.replay.naming import Naming
from engine.replay.replay import replay
from engine.rules.sheet import Rules
from engine.scoring.score import score
from tests.engine.games.german_table import (
    ANN,
    BOB,
    CYD,
    DEE,
    HANDS,
    TWO_QUEENS,
    called,
    named,
    opened,
    passed,
    refused,
)
from tests.engine.hands import NAMES, hand, refusal, scored, violations

ACES: dict[str, str] = {
    ANN: "QC 7D AD AH AS KS 8H 9C",
    BOB: "AC KH QH JH TH 9H 7H 8C",
    CYD: "QS QD JD TD 9D 8D KD KC",
    DEE: "JS TS 9S 8S 7S JC TC 7C",
}
"""Ann holds every ace but that of clubs, so that with clubs trumps she could call none."""


def declared(bid: str, *calls: list[str], deal: dict[str, str] | None = None, **more: Any) -> Any:
    """Build a record of an auction, the declared contract, and its result."""
    alone = bid == "solo"
    contract = {"bid": bid, "trump": "D", "called": None if alone else "AH"}
    contract |= {"partner": None if alone else BOB, **more}
    result = {"tricks_won": 4, "first_tricks_won": False, "matadors": None if deal else "split"}
    contract = {key: value for key, value in contract.items() if value is not None}
    hands = {} if deal is None else {"deal": {"hands": deal}}
    return hand("german-solo", 4, contract, auction=list(calls), **hands, **result)


WON_WITH_FRAGE = ([ANN, "frage"], [BOB, "pass"], [CYD, "pass"], [DEE, "pass"])


@pytest.mark.parametrize(("bid", "lost"), [("frage", 2), ("grossfrage", 3), ("solo", 6)])
def test_whoever_wins_the_bidding_may_declare_more(bid: str, lost: int) -> None:
    """It is scored as declared."""
    verdict = scored(declared(bid, *WON_WITH_FRAGE))
    assert (verdict.bidder, verdict.deltas[ANN]) == (ANN, -lost)


def test_nobody_declares_less_than_they_bid() -> None:
    """Nor somebody else's bid, nor anything but force when all passed."""
    solo = ([ANN, "solo"], [BOB, "pass"], [CYD, "pass"], [DEE, "pass"])
    violation = violations(declared("grossfrage", *solo))[0]
    assert (violation.code, violation.legal) == ("contract-against-auction", ("solo",))
    assert violation.message == "The auction ended in solo, not in grossfrage."
    other = violations(declared("solo", *WON_WITH_FRAGE, bidder=BOB))[0]
    assert other.message == "By the auction solo is played by Ann, not by Bob."
    nobody = [[seat, "pass"] for seat in (ANN, BOB, CYD, DEE)]
    assert violations(declared("solo", *nobody))[0].legal == ("force",)


def test_more_than_the_bid_is_not_bound_to_clubs() -> None:
    """A frage over a frage is in clubs, a solo declared upon it in any suit."""
    calls = [[ANN, "frage"], [BOB, "frage"], [ANN, "pass"], [CYD, "pass"], [DEE, "pass"]]
    assert scored(declared("solo", *calls)).bidder == BOB
    violation = violations(declared("frage", *calls, partner=CYD))[0]
    assert (violation.field, violation.legal) == ("contract.trump", ("C",))
    assert violation.message == (
        "One frage went over another, which only clubs can: they are trumps, not diamonds."
    )


BIDS = ("frage", "grossfrage", "solo")


@pytest.mark.parametrize("bid", BIDS)
def test_a_bid_that_says_it_is_in_clubs_outranks_the_same_bid(bid: str) -> None:
    """It goes over one that names no suit; an equal one over it is refused in every spelling."""
    rules = GAMES["german-solo"].rules(None, {}, 4)
    plain = rules.auction(NAMES[:4]).after(Call(ANN, bid))
    assert plain.outcome.trump is None
    clubs = plain.after(Call(BOB, f"{bid}-in-clubs"))
    assert (clubs.outcome.bidder, clubs.outcome.bid, clubs.outcome.trump) == (BOB, bid, Suit.CLUBS)
    assert clubs.after(Call(ANN, "hold")).outcome.trump is Suit.CLUBS
    opened_in_clubs = rules.auction(NAMES[:4]).after(Call(ANN, f"{bid}-in-clubs"))
    higher = [call for each in BIDS[BIDS.index(bid) + 1 :] for call in (each, f"{each}-in-clubs")]
    assert [call.call for call in opened_in_clubs.legal] == ["pass", *higher]
    for equal in (bid, f"{bid}-in-clubs"):
        with pytest.raises(Refused) as error:
            opened_in_clubs.after(Call(BOB, equal))
        violation = error.value.violations[0]
        assert (violation.code, violation.legal) == ("bid-too-low", ("pass", *higher))
        assert f"Bob bid {equal}, which is not higher than {bid}-in-clubs;" in violation.message


def test_a_bid_that_says_it_is_in_clubs_is_played_in_clubs() -> None:
    """The contract may leave the trump out, but not name another; a higher one is free again."""
    calls = ([ANN, "frage-in-clubs"], [BOB, "pass"], [CYD, "pass"], [DEE, "pass"])
    record = HandRecord.from_mapping(declared("frage", *calls, trump=None))
    assert record.contract is not None
    assert record.contract.trump is None
    rules = GAMES["german-solo"].rules(None, {}, 4)
    reading = replay(rules, rules.plan(record.players, record.dealer, None), record, [])
    assert reading.contract is not None
    assert reading.contract.trump is Suit.CLUBS
    violation = violations(declared("frage", *calls))[0]
    assert (violation.code, violation.field) == ("contract-against-auction", "contract.trump")
    assert violation.legal == ("C",)
    assert violation.message == "The bid was frage in clubs: they are trumps, not diamonds."
    assert scored(declared("frage", *calls, trump="C")).deltas[ANN] == -2
    assert scored(declared("solo", *calls)).deltas[ANN] == -6


def test_nobody_is_led_into_a_bid_in_clubs_that_they_could_not_play() -> None:
    """Ann holds every ace but that of clubs: the guide does not offer it, and a record is refused."""
    table = opened(ACES, grossfrage_duty="none")
    offered = {call.call for call in table.legal if isinstance(call, Call)}
    assert offered >= {"frage", "solo-in-clubs"}
    assert not offered & {"frage-in-clubs", "grossfrage-in-clubs"}
    calls = ([ANN, "frage-in-clubs"], [BOB, "pass"], [CYD, "pass"], [DEE, "pass"])
    stated = declared("frage", *calls, deal=ACES, trump="C", called="AC")
    assert "call-not-allowed" in {each.code for each in violations(stated)}


def test_the_guide_binds_who_won_in_clubs_to_them() -> None:
    """Ann names clubs, and calls an ace of another suit."""
    won = passed(called(opened(), (ANN, "frage-in-clubs")), BOB, CYD, DEE)
    assert won.legal == (Suit.CLUBS,)
    higher = passed(called(opened(), (ANN, "grossfrage-in-clubs")), BOB, CYD, DEE)
    for card in ("AC", "6C"):
        assert refused(higher, Card.parse(card)) == "called-card-not-allowed"
    hand = named(won, "C", "AH")
    assert hand.contract is not None
    assert (hand.contract.bid, hand.contract.trump) == ("frage", Suit.CLUBS)


def test_a_bid_that_was_overcalled_binds_nobody() -> None:
    """Whether its bidder could have called an ace in clubs is not asked; of the last one it is."""
    none = {**ACES, BOB: ACES[ANN], ANN: ACES[BOB]}
    calls = [[ANN, "frage"], [BOB, "frage"], [ANN, "solo"], [BOB, "pass"]]
    last = [[CYD, "pass"], [DEE, "pass"]]
    assert scored(declared("solo", *calls, *last, deal=none)).bidder == ANN
    stays = [[ANN, "frage"], [BOB, "frage"], [ANN, "pass"], *last]
    stated = declared("frage", *stays, deal=none, trump="C", called="AC", partner=ANN)
    assert {each.code for each in violations(stated)} >= {"call-not-allowed"}
    assert scored(declared("solo", *stays, deal=none)).bidder == BOB


def test_option_eldest_opens_lets_eldest_say_frage_or_pass() -> None:
    """By default any bid; the next ones may always bid what they like."""
    assert GAMES["german-solo"].rules(None, {}, 4).options["eldest_opens"] == "any"
    hand = opened(HANDS, grossfrage_duty="none", eldest_opens="frage")
    assert hand.legal == (Call(ANN, "pass"), Call(ANN, "frage"), Call(ANN, "frage-in-clubs"))
    for call in ("grossfrage", "grossfrage-in-clubs", "solo"):
        assert refused(hand, Call(ANN, call)) == "call-not-allowed"
    assert Call(BOB, "solo") in passed(hand, ANN).legal
    assert Call(ANN, "solo") in called(hand, (ANN, "frage"), (BOB, "grossfrage")).legal


def test_who_opens_with_frage_alone_still_owes_the_grossfrage() -> None:
    """Ann with both black queens cannot pass, and declares at least a grossfrage."""
    table = opened(TWO_QUEENS, eldest_opens="frage")
    with pytest.raises(Refused) as error:
        table.after(Call(ANN, "pass"))
    assert (error.value.violations[0].code, error.value.violations[0].legal) == (
        "bid-owed",
        ("frage", "frage-in-clubs"),
    )
    won = passed(called(table, (ANN, "frage")), BOB, CYD, DEE)
    assert won.contract is not None
    assert won.contract.bid == "grossfrage"
    options = {"eldest_opens": "frage"}
    record = {**declared("frage", *WON_WITH_FRAGE, deal=TWO_QUEENS), "options": options}
    assert refusal(record).code == "bid-owed"
    more = declared("grossfrage", *WON_WITH_FRAGE, deal=TWO_QUEENS)
    assert scored({**more, "options": options}).deltas[ANN] == -5


def test_an_auction_alone_leaves_the_whole_result_to_be_stated() -> None:
    """Every missing part is named at once."""
    record = declared("frage", *WON_WITH_FRAGE)
    del record["tricks_won"], record["matadors"]
    codes = {violation.code for violation in violations(record)}
    assert codes >= {"matadors-missing", "tricks-won-missing"}


BY_BOB = {**TWO_QUEENS, ANN: TWO_QUEENS[BOB], BOB: TWO_QUEENS[ANN]}
"""Bob was dealt both black queens; he could call the ace of hearts, which Ann holds, or that of clubs."""

CALLS_NONE = {ANN: "7D KD KS QH JH TH 9H 7H", BOB: "QC QS AS AH AD 8C 9C 8H"} | {
    CYD: "KH QD JD TD 9D 8D AC KC",
    DEE: ACES[DEE],
}
"""Bob was dealt both black queens and every ace but that of clubs: in clubs he could call none."""


def owed(hand: GuidedHand, seat: str) -> tuple[str, ...]:
    """Return the calls of which a seat must make one, as it may not pass."""
    with pytest.raises(Refused) as error:
        hand.after(Call(seat, "pass"))
    (violation,) = error.value.violations
    assert violation.code == "bid-owed"
    assert {call.call for call in hand.legal if isinstance(call, Call)} == set(violation.legal)
    return violation.legal


def test_another_grossfrage_does_not_end_the_duty_to_bid_one() -> None:
    """A seat that can still fulfil it by a bid or a hold may not pass, until solo is bid."""
    over = ("grossfrage", "grossfrage-in-clubs", "solo", "solo-in-clubs")
    assert owed(called(opened(BY_BOB), (ANN, "grossfrage")), BOB) == over
    held = called(opened(TWO_QUEENS), (ANN, "grossfrage"), (BOB, "grossfrage-in-clubs"))
    assert owed(held, ANN) == ("hold", "solo", "solo-in-clubs")
    for earlier in ("grossfrage-in-clubs", "solo"):
        assert Call(BOB, "pass") in called(opened(BY_BOB), (ANN, earlier)).legal


def test_who_cannot_honour_a_grossfrage_may_pass() -> None:
    """Where no bid goes over an equal one, or they could call no ace in clubs."""
    assert Call(BOB, "pass") in called(opened(CALLS_NONE), (ANN, "grossfrage")).legal
    hand = called(opened(BY_BOB, clubs_preference=False), (ANN, "grossfrage"))
    assert Call(BOB, "pass") in hand.legal


def test_who_passed_over_a_grossfrage_was_scored_before_the_rule_changed() -> None:
    """With the same auction, and with no auction on record: by the rules of the first engine."""
    calls = ([ANN, "grossfrage"], [BOB, "pass"], [CYD, "pass"], [DEE, "pass"])
    stated = declared("grossfrage", *calls, deal=BY_BOB, called="AC", partner=CYD, bidder=ANN)
    silent = {key: value for key, value in stated.items() if key != "auction"}
    for mapping, field in ((stated, "auction.2"), (silent, "contract.bid")):
        violation = violations(mapping)[0]
        assert (violation.code, violation.field) == ("bid-owed", field)
        assert score(HandRecord.from_mapping(mapping), "0.1.0").bidder == ANN
    in_clubs = {**silent, "contract": {**silent["contract"], "trump": "C", "called": "AD"}}
    in_clubs["contract"]["partner"] = BOB
    assert scored(in_clubs).bidder == ANN


def ways(rules: Rules, seats: tuple[str, ...], dealt: KnownDeal) -> set[tuple[str, str, Suit]]:
    """Every contract in which an auction can end, with the contracts that may be declared instead."""
    found, seen, open_ = set(), set(), [rules.auction(seats)]
    while open_:
        auction = open_.pop()
        key = (auction.turn, auction.high, auction.bidder, auction.reached, auction.out)
        if key in seen:
            continue
        seen.add(key)
        made = auction.outcome
        if auction.over and made.bidder is not None:
            for bid, suit in product(BIDS[BIDS.index(made.bid) :], SUITS):
                owes = rules.duty and rules.duty.owed_by(dealt.hands[auction.bidder])
                is_enough = not owes or bid != "frage"
                if is_enough and (bid != made.bid or made.trump in (None, suit)):
                    found.add((made.bidder, bid, suit))
        for call in auction.legal:
            with suppress(Refused):
                open_.append(make_call(rules, auction, call, dealt))
    return found


@pytest.mark.parametrize(
    "deal", [TWO_QUEENS, BY_BOB, CALLS_NONE, HANDS], ids=["1", "2", "none", "-"]
)
@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize(
    "options",
    [{}, {"clubs_preference": False}, {"eldest_opens": "frage"}, {"grossfrage_duty": "none"}],
    ids=str,
)
def test_a_contract_is_refused_if_no_auction_can_have_ended_in_it(
    deal: dict[str, str], turns: int, options: dict[str, str]
) -> None:
    """Without an auction on record every auction of these cards is tried, for every deal of them."""
    rules = GAMES["german-solo"].rules(None, options, 4)
    seats = NAMES[:4]
    hands = tuple(mask_of(read_cards(deal[seats[(at + turns) % 4]])) for at in range(4))
    dealt = KnownDeal(hands, 0, 0b1111, True)
    possible = ways(rules, seats, dealt)
    for bidder, bid, suit in product(seats, BIDS, SUITS):
        contract = Contract(bidder, bid, suit)
        case = PlayedContract(rules, seats, rules.by_slug[bid], seats.index(bidder), contract)
        problems = [*obligations(case, dealt)]
        assert ((bidder, bid, suit) in possible) is not bool(problems), (bidder, bid, suit)


def test_the_guide_lets_whoever_won_the_bidding_declare_more() -> None:
    """Before anything is named; the declared contract is not bound to clubs, and is scored as declared."""
    won = passed(called(opened(), (ANN, "frage-in-clubs")), BOB, CYD, DEE)
    assert won.declarations == (Call(ANN, "grossfrage"), Call(ANN, "solo"))
    more = called(won, (ANN, "grossfrage"))
    assert more.contract is not None
    assert (more.contract.bid, more.declarations) == ("grossfrage", (Call(ANN, "solo"),))
    assert named(more, "AH").declarations == ()
    solo = called(more, (ANN, "solo"))
    assert (solo.declarations, len(solo.legal)) == ((), 4)
    hand = named(solo, "D")
    while not hand.over:
        hand = hand.after(hand.legal[0])
    record = write_down(hand)
    assert record.auction == (
        Call(ANN, "frage-in-clubs"),
        *(Call(seat, "pass") for seat in (BOB, CYD, DEE)),
    )
    assert record.contract is not None
    assert (record.contract.bid, record.contract.trump) == ("solo", Suit.DIAMONDS)
    assert abs(score(record).deltas[ANN]) >= 6


def test_the_guide_refuses_to_declare_less_or_for_somebody_else() -> None:
    """Nor after trumps were named, nor in another game, nor for the force."""
    won = passed(called(opened(), (ANN, "frage")), BOB, CYD, DEE)
    for call in (Call(ANN, "frage"), Call(BOB, "solo"), Call(ANN, "force")):
        assert refused(won, call) == "call-not-allowed"
    with pytest.raises(Refused) as error:
        won.after(Call(ANN, "frage"))
    assert error.value.violations[0].message == (
        "Ann cannot declare frage now; whoever won the bidding may declare grossfrage or solo instead of "
        "Frage."
    )
    after = named(won, "D")
    with pytest.raises(Refused) as error:
        after.after(Call(ANN, "solo"))
    assert error.value.violations[0].message == (
        "Ann cannot declare solo now; no other contract may be declared any more."
    )
    assert passed(opened(), ANN, BOB, CYD, DEE).declarations == ()


def test_who_opened_with_frage_and_owes_a_grossfrage_may_declare_solo() -> None:
    """They declare at least what they owe."""
    won = passed(called(opened(TWO_QUEENS, eldest_opens="frage"), (ANN, "frage")), BOB, CYD, DEE)
    assert won.declarations == (Call(ANN, "solo"),)


def test_option_clubs_preference_lets_no_bid_go_over_an_equal_one() -> None:
    """Then no bid can name clubs either, and nothing binds the trump."""
    assert GAMES["german-solo"].rules(None, {}, 4).options["clubs_preference"] is True
    hand = called(opened(grossfrage_duty="none", clubs_preference=False), (ANN, "frage"))
    calls = [call.call for call in hand.legal if isinstance(call, Call)]
    assert calls == ["pass", "grossfrage", "solo"]
    assert refused(hand, Call(BOB, "frage")) == "bid-too-low"
    assert refused(hand, Call(BOB, "frage-in-clubs")) == "call-not-allowed"
    said = ([ANN, "frage"], [BOB, "frage"], [ANN, "pass"], [CYD, "pass"], [DEE, "pass"])
    stated = declared("frage", *said, trump="C", bidder=BOB, partner=CYD)
    assert scored(stated).bidder == BOB
    assert refusal({**stated, "options": {"clubs_preference": False}}).code == "bid-too-low"
    more = declared("grossfrage", *WON_WITH_FRAGE) | {"options": {"clubs_preference": False}}
    assert scored(more).deltas[ANN] == -3


def test_who_plays_the_force_follows_from_each_deal() -> None:
    """Also where no card obliges anybody to a bid: the same calls, and another holds the queen of clubs."""
    options = {"clubs_preference": False, "grossfrage_duty": "none"}
    for holder in (ANN, CYD):
        deal = {**HANDS, ANN: HANDS[holder], holder: HANDS[ANN]}
        calls = [[seat, "pass"] for seat in (ANN, BOB, CYD, DEE)]
        record = declared("force", *calls, deal=deal, trump="D")
        assert scored({**record, "options": options}).bidder == holder


@pytest.mark.parametrize("preference", [True, False])
def test_every_higher_contract_may_be_declared_instead(preference: bool) -> None:
    """With and without bids in clubs between them."""
    hand = called(
        opened(clubs_preference=preference),
        *((ANN, "frage"), (BOB, "pass"), (CYD, "pass"), (DEE, "pass")),
    )
    assert isinstance(hand.phase, Naming)
    assert [call.call for call in hand.phase.higher] == ["grossfrage", "solo"]
