"""Frog, Straight Solo and Progressive card by card, rule by rule."""

import pytest

from engine.cards.cards import Card, Suit, read_cards
from engine.errors import Refused
from engine.games import GAMES
from engine.guide.hand import GuidedHand, begin
from engine.guide.transcript import write_down
from engine.phases.actions import Action, problem_of
from engine.phases.bidding.auction import Auction
from engine.phases.exchange import Exchanging
from engine.phases.tricks import Play
from engine.record import Call, Contract, Deal, HandRecord
from engine.replay.naming import Naming
from engine.scoring.score import score
from tests.engine.hands import NAMES, refusal, violations

ANN, BOB, CYD, DEE = NAMES[:4]
GAMES_FOR_THREE = ("frog", "straight-solo", "progressive")

HANDS = {
    ANN: "AH TH KH QH JH 9H 8H 7H 6H AS TS",
    BOB: "KS QS JS 9S 8S 7S AD TD KD QD JD",
    CYD: "AC TC KC QC JC 9C 8C 7C 6C 9D 8D",
}
WIDOW = "6S 7D 6D"
RICH = {**HANDS, BOB: "KS QS JS 9S 8S 7S 6S 7D KD QD JD"}
RICH_WIDOW = "AD TD 6D"
"""The widow holds 21 points."""


def opened(game: str, hands: dict[str, str] = HANDS, widow: str = WIDOW) -> GuidedHand:
    """Deal these hands; Cyd deals, so that Ann speaks and leads first."""
    rules = GAMES[game].rules(None, {}, 3)
    dealt = {seat: read_cards(cards) for seat, cards in hands.items()}
    table = rules.table(NAMES[:3], CYD)
    return begin(rules, table).deal(Deal(dealt, read_cards(widow)))


def steps(hand: GuidedHand, *actions: Action | tuple[str, str]) -> GuidedHand:
    """Take steps; a pair is a seat's call."""
    for action in actions:
        hand = hand.after(Call(*action) if type(action) is tuple else action)  # type: ignore[arg-type]
    return hand


def cards(text: str) -> tuple[Card, ...]:
    """Read cards to play."""
    return read_cards(text)


def calls(hand: GuidedHand) -> set[str]:
    """Return the calls of the seat to call."""
    return {call.call for call in hand.legal if isinstance(call, Call)}


def code(hand: GuidedHand, step: Action) -> str:
    """The code with which a step is refused."""
    with pytest.raises(Refused) as error:
        hand.after(step)
    return error.value.violations[0].code


def play_out(hand: GuidedHand) -> GuidedHand:
    """Play the rest, always the first legal card."""
    while not hand.over:
        hand = hand.after(hand.legal[0])
    return hand


@pytest.mark.parametrize("game", GAMES_FOR_THREE)
def test_the_deal_is_4_3_widow_4_and_eleven_cards_each(game: str) -> None:
    """From eldest hand; the option puts the widow before the threes."""
    sheet = GAMES[game]
    for pattern, order in (("4-3-(3)-4", (4, 3, 0, 4)), ("4-(3)-3-4", (4, 0, 3, 4))):
        options = {} if pattern == "4-3-(3)-4" else {"deal_pattern": pattern}
        dealing = sheet.rules(None, options, 3).dealing
        expected = [
            packet
            for size in order
            for packet in ([(seat, size) for seat in NAMES[:3]] if size else [("widow", 3)])
        ]
        assert list(dealing.packets(NAMES[:3], 36)) == expected
        assert sheet.rules(None, options, 3).widow_size == 3
    assert sheet.rules(None, {}, 3).tricks == 11


def test_a_record_may_name_another_active_trio() -> None:
    """The dealer may then be among them; eldest is the first of them after the dealer."""
    contract = {"bidder": DEE, "bid": "frog"}
    hand = {
        "game": "progressive",
        "players": NAMES[:4],
        "dealer": DEE,
        "active": [ANN, CYD, DEE],
        "contract": contract,
        "points": 70,
    }
    verdict = score(HandRecord.from_mapping(hand))
    assert verdict.deltas == {ANN: -10, BOB: 0, CYD: -10, DEE: 20}
    assert refusal({**hand, "contract": {**contract, "bidder": BOB}}).code == "bidder-sat-out"


@pytest.mark.parametrize("game", ["frog", "progressive"])
def test_in_frog_the_bidder_takes_the_widow_up_and_lays_any_three_cards_away(game: str) -> None:
    """Then the play begins, and hearts are trumps."""
    hand = steps(opened(game), (ANN, "pass"), (BOB, "frog"), (CYD, "pass"))
    if game == "progressive":
        assert isinstance(hand.phase, Exchanging)
    assert (hand.to_act, len(hand.legal)) == (BOB, 14)
    hand = steps(hand, *cards("6S AD KS"))
    assert isinstance(hand.phase, Play)
    assert hand.contract == Contract(bidder=BOB, bid="frog", trump=Suit.HEARTS)
    assert [len(cards_left) for cards_left in _held(hand)] == [11, 11, 11]
    assert code(hand, Card.parse("AC")) == "card-not-held"


def _held(hand: GuidedHand) -> list[list[int]]:
    assert isinstance(hand.phase, Play)
    return [[place for place in range(36) if mask >> place & 1] for mask in hand.phase.hands]


@pytest.mark.parametrize("game", ["frog", "progressive"])
def test_the_cards_laid_away_count_for_the_bidder(game: str) -> None:
    """Bob lays away fifteen points and takes no trick against nine trumps and the ace of clubs."""
    hand = steps(opened(game), (ANN, "pass"), (BOB, "frog"), (CYD, "pass"), *cards("6S AD KS"))
    hand = play_out(hand)
    record = write_down(hand)
    assert isinstance(hand.phase, Play)
    taken = hand.rules.pack.count(hand.phase.won_cards[1])
    assert score(record).points == taken + 15


@pytest.mark.parametrize(
    ("game", "bid"),
    [
        ("frog", "chico"),
        ("frog", "grand"),
        ("straight-solo", "solo"),
        ("straight-solo", "heart-solo"),
        ("progressive", "spade-solo"),
    ],
)
def test_in_the_other_bids_the_widow_lies_unseen_and_counts_for_the_bidder(
    game: str, bid: str
) -> None:
    """21 points lie in it."""
    hand = opened(game, RICH, RICH_WIDOW)
    hand = steps(hand, (ANN, "pass"), (BOB, bid), (CYD, "pass"))
    if isinstance(hand.phase, Naming):
        hand = steps(hand, Suit.SPADES)
    assert isinstance(hand.phase, Play)
    assert hand.to_act == ANN
    hand = play_out(hand)
    assert isinstance(hand.phase, Play)
    assert score(write_down(hand)).points == hand.rules.pack.count(hand.phase.won_cards[1]) + 21


def test_frogs_auction_goes_round_until_all_but_one_have_passed() -> None:
    """A pass is final, each bid strictly higher."""
    hand = opened("frog")
    assert calls(hand) == {"pass", "frog", "chico", "grand"}
    hand = steps(hand, (ANN, "frog"), (BOB, "chico"))
    assert calls(hand) == {"pass", "grand"}
    hand = steps(hand, (CYD, "pass"))
    assert (hand.to_act, calls(hand)) == (ANN, {"pass", "grand"})
    hand = steps(hand, (ANN, "grand"), (BOB, "pass"))
    assert isinstance(hand.phase, Play)
    assert hand.contract == Contract(bidder=ANN, bid="grand", trump=Suit.HEARTS)


def bidding(*made: tuple[str, ...]) -> Auction:
    """Make calls in progressive's auction; a third item names the doubler."""
    auction = GAMES["progressive"].rules(None, {}, 3).auction(NAMES[:3])
    for call in made:
        auction = auction.after(Call(*call))
    return auction


def said(auction: Auction) -> set[str]:
    """Return the legal calls."""
    return {" ".join(filter(None, call[1:])) for call in auction.legal}


BIDS = ["frog", "spade-solo", "club-solo", "diamond-solo", "heart-solo"]


def test_before_any_bid_one_passes_or_bids() -> None:
    """Nothing is there to double."""
    assert said(bidding()) == {"pass", *BIDS}
    assert said(bidding((ANN, "pass"))) == {"pass", *BIDS}


def test_after_a_bid_one_passes_doubles_or_overcalls() -> None:
    """Strictly higher."""
    assert said(bidding((ANN, "club-solo"))) == {"pass", "double", "diamond-solo", "heart-solo"}


def test_a_pass_is_final() -> None:
    """A seat that passed is not asked again, not even after an overcall."""
    auction = bidding((ANN, "pass"), (BOB, "frog"), (CYD, "club-solo"), (BOB, "heart-solo"))
    assert auction.to_act == CYD
    assert bidding((ANN, "pass"), (BOB, "frog"), (CYD, "pass")).over


def test_an_overcall_cancels_every_double() -> None:
    """The new bidder has not been doubled."""
    auction = bidding((ANN, "frog"), (BOB, "double"), (CYD, "club-solo"))
    assert auction.outcome.doubled == ()
    assert (auction.to_act, said(auction)) == (
        ANN,
        {"pass", "double", "diamond-solo", "heart-solo"},
    )


def test_the_doubled_bidder_redoubles_a_named_doubler_or_stands() -> None:
    """Standing is a pass that leaves them in."""
    doubled = bidding((ANN, "frog"), (BOB, "double"), (CYD, "double"))
    assert (doubled.to_act, said(doubled)) == (ANN, {"pass", "redouble Bob", "redouble Cyd"})
    stood = doubled.after(Call(ANN, "pass"))
    assert not stood.over
    ended = stood.after(Call(BOB, "pass")).after(Call(CYD, "pass"))
    assert ended.over
    assert (ended.outcome.bidder, ended.outcome.doubled) == (ANN, (BOB, CYD))
    again = doubled.after(Call(ANN, "redouble", CYD))
    assert again.outcome.redoubled == (CYD,)
    assert problem_of(doubled.after, Call(ANN, "redouble")) is not None


def test_it_ends_when_every_other_player_has_passed() -> None:
    """A doubler passes last."""
    auction = bidding((ANN, "frog"), (BOB, "double"), (CYD, "pass"), (ANN, "pass"))
    assert auction.to_act == BOB
    assert "double" not in said(auction)
    assert auction.after(Call(BOB, "pass")).over


def test_doubles_are_read_from_the_auction() -> None:
    """A contract that contradicts it is refused."""
    hand = {
        "game": "progressive",
        "players": NAMES[:3],
        "dealer": CYD,
        "auction": [
            [ANN, "frog"],
            [BOB, "double"],
            [CYD, "pass"],
            [ANN, "redouble", BOB],
            [BOB, "pass"],
        ],
        "points": 61,
    }
    verdict = score(HandRecord.from_mapping(hand))
    assert verdict.deltas == {ANN: 5, BOB: -4, CYD: -1}
    assert violations({**hand, "contract": {"doubled": []}})[0].message == (
        "By the auction Bob doubled; the record says nobody."
    )
    wrongs: list[dict[str, list[str]]] = [{"doubled": [CYD]}, {"doubled": []}, {"redoubled": []}]
    for wrong in wrongs:
        violation = violations({**hand, "contract": wrong})[0]
        assert violation.code == "contract-against-auction"
        assert violation.field == f"contract.{next(iter(wrong))}"
        assert violation.legal == (BOB,)


def test_both_doublers_are_redoubled_one_after_the_other() -> None:
    """Before the bidder's pass, which may be recorded, as may a closing pass of the bidder."""
    calls = [[ANN, "frog"], [BOB, "double"], [CYD, "double"]]
    both = [[ANN, "redouble", CYD], [ANN, "redouble", BOB]]
    end = [[BOB, "pass"], [CYD, "pass"]]
    hand = {"game": "progressive", "players": NAMES[:3], "dealer": CYD, "points": 61}
    for stands, closes in (([], []), ([[ANN, "pass"]], []), ([[ANN, "pass"]], [[ANN, "pass"]])):
        auction = [*calls, *both, *stands, *end, *closes]
        verdict = score(HandRecord.from_mapping({**hand, "auction": auction}))
        assert verdict.deltas == {ANN: 8, BOB: -4, CYD: -4}
    twice = violations({**hand, "auction": [*calls, both[0], both[0], *end]})[0]
    assert (twice.code, twice.legal) == ("call-not-allowed", ("pass", "redouble Bob"))
