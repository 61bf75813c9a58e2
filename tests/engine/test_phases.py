"""The parts of a hand as values that guide a table: who is to act, what is legal, why not, do it."""

from collections.abc import Callable

import pytest

from engine.actions import Action, Dealt, Drawn, Ending, Part
from engine.bidding import Auction
from engine.cards import Card, Suit, read_cards
from engine.contracts import Trade
from engine.errors import Refused, Violation
from engine.exchange import Exchanging
from engine.games import find
from engine.hand import Hand, begin
from engine.masks import mask_of, rank_mask
from engine.naming import Naming
from engine.packets import HandingOut
from engine.play import Play
from engine.ranking import BLACK_QUEENS, AceTen, Matadors, all_of
from engine.record import Call, Deal
from engine.scoring import score
from engine.spit import Spitting
from engine.writing import write_down
from tests.engine.hands import NAMES

SUITS_DEALT = {
    "Ann": "AS TS KS QS JS 9S 8S 7S 6S",
    "Bob": "AH TH KH QH JH 9H 8H 7H 6H",
    "Cyd": "AD TD KD QD JD 9D 8D 7D 6D",
    "Dee": "AC TC KC QC JC 9C 8C 7C 6C",
}
"""Four-handed crazy-solo with a whole suit each."""

THREE = {
    "Ann": "AS TS KS QS JS 9S 8S 7S 6S AH TH",
    "Bob": "KH QH JH 9H 8H 7H 6H AC TC KC QC",
    "Cyd": "JC 9C 8C 7C 6C AD TD KD QD JD 9D",
}
"""Three hands of eleven; 8♦ 7♦ 6♦ lie in the widow."""


def at_table(game: str, seats: int, **options: object) -> Hand:
    """Open a hand; the last seat deals."""
    rules = find(game).rules(None, options, seats)
    return begin(rules, rules.table(NAMES[:seats], NAMES[seats - 1]))


def dealt(game: str, hands: dict[str, str], **options: object) -> Hand:
    """Open a hand with the cards dealt."""
    cards = {seat: read_cards(held) for seat, held in hands.items()}
    return at_table(game, len(hands), **options).deal(Deal(dict(cards)))


def steps(hand: Hand, *actions: str) -> Hand:
    """Let whoever is to act do each thing: a call, a card, or a suit."""
    for each in actions:
        action: Action
        if isinstance(hand.phase, Auction):
            action = Call(str(hand.to_act), each)
        else:
            action = Suit.parse(each) if len(each) == 1 else Card.parse(each)
        hand = hand.after(action)
    return hand


def refused(step: Callable[[], object]) -> Violation:
    """Take a step that must be refused."""
    with pytest.raises(Refused) as error:
        step()
    return error.value.violations[0]


def test_the_deal_says_which_packet_comes_next() -> None:
    """4-3-(3)-4 from eldest hand, the dealer dealing; what remains shrinks card by card."""
    hand = at_table("six-bid", 3)
    assert isinstance(hand.phase, HandingOut)
    assert (hand.part, hand.to_act) == (Part.DEAL, "Cyd")
    assert hand.phase.packets[:4] == (("Ann", 4), ("Bob", 4), ("Cyd", 4), ("Ann", 3))
    assert [packet for packet in hand.phase.packets if packet[0] == "widow"] == [("widow", 3)]
    hand = hand.after(Dealt("Ann", Card.parse("AS")))
    assert isinstance(hand.phase, HandingOut)
    assert hand.phase.packets[0] == ("Ann", 3)
    assert len(hand.legal) == 35
    assert hand.phase.allows(Dealt("Ann", Card.parse("TS")))


def test_a_card_cannot_be_dealt_elsewhere_or_twice() -> None:
    """Nor can one that is not in the pack, or any when all are dealt."""
    hand = at_table("crazy-solo", 5).after(Dealt("Ann", Card.parse("AS")))
    assert refused(lambda: hand.after(Dealt("Cyd", Card.parse("KS")))).legal == ("Bob",)
    assert refused(lambda: hand.after(Dealt("Bob", Card.parse("AS")))).code == "card-dealt-twice"
    assert refused(lambda: hand.after(Dealt("Bob", Card.parse("6S")))).code == "card-not-in-pack"
    assert isinstance(hand.phase, HandingOut)
    assert hand.phase.why_not(Dealt("widow", Card.parse("KS"))) is not None
    done = hand.phase._replace(made=len(hand.phase.places))
    assert (done.over, done.to_act, done.legal, done.packets) == (True, None, (), ())
    assert refused(lambda: done.after(Dealt("Ann", Card.parse("KS")))).legal == ("nobody",)


def test_a_whole_deal_may_be_taken_at_once_if_every_card_is_known() -> None:
    """One with question marks cannot be played."""
    unknown = Deal(dict.fromkeys(SUITS_DEALT, (None,) * 9))
    assert refused(lambda: at_table("crazy-solo", 4).deal(unknown)).code == "deal-size"
    assert refused(lambda: at_table("crazy-solo", 4).deal(Deal({"Ann": ()}))).code == "deal-size"
    assert isinstance(dealt("crazy-solo", SUITS_DEALT).phase, Auction)


def test_in_a_spit_deal_a_card_goes_aside_when_spit_is_called() -> None:
    """Not before everyone has a card, and not once as many lie there as must go."""
    rules = find("crazy-solo").rules(None, {}, 5)
    hand = begin(rules, rules.table(NAMES[:5], "Eve"), spit=True)
    for seat, card in zip(NAMES, read_cards("6S AH KH QH"), strict=False):
        assert spitting(hand).places == (seat,)
        hand = hand.after(Dealt(seat, card))
    assert hand.to_act == "Eve"
    assert refused(lambda: hand.after(Dealt("spit", Card.parse("JH")))).code == "deal-order"
    hand = hand.after(Dealt("Eve", Card.parse("JH")))
    assert spitting(hand).places == ("Ann", "spit")
    assert refused(lambda: hand.after(Dealt("spit", Card.parse("AH")))).code == "card-dealt-twice"
    hand = hand.after(Dealt("spit", Card.parse("TH")))
    assert spitting(hand).places == ("Ann",)
    while spitting(hand).dealing:
        hand = hand.after(hand.legal[0])
    assert (hand.to_act, hand.legal) == ("Ann", (Drawn("Ann", *read_cards("6S TH")),))
    assert spitting(hand).allows(Drawn("Ann", *read_cards("6S TH")))
    assert spitting(hand).places == ()
    assert refused(lambda: hand.after(Drawn("Bob", *read_cards("AH TH")))).code == "spit-shown"
    assert refused(lambda: hand.after(Drawn("Ann", *read_cards("6S TD")))).code == "spit-drawn"
    assert isinstance(hand.after(hand.legal[0]).phase, Auction)


def spitting(hand: Hand) -> Spitting:
    """Give the spit deal that the hand is in."""
    assert isinstance(hand.phase, Spitting)
    return hand.phase


def test_the_last_cards_are_spit_if_nobody_called() -> None:
    """As many as must go are laid aside in the end."""
    state = Spitting.begin(("Ann", "Bob", "Cyd", "Dee", "Eve"), 0, 1)._replace(made=35)
    assert state.places == ("spit",)


def test_only_tables_from_which_cards_go_spit() -> None:
    """Four players use all 36."""
    rules = find("crazy-solo").rules(None, {}, 4)
    table = rules.table(NAMES[:4], "Dee")
    assert refused(lambda: begin(rules, table, spit=True)).code == "no-spit"


def test_the_auction_leads_to_the_naming_and_the_play() -> None:
    """Whoever won it names trump and a card; whoever holds that is the partner."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "solo", "pass", "pass", "pass")
    assert isinstance(hand.phase, Naming)
    assert (hand.part, hand.to_act, hand.legal) == (Part.NAMING, "Ann", tuple(Suit))
    hand = steps(hand, "S", "AH")
    assert hand.contract is not None
    assert (hand.contract.trump, hand.contract.partner, hand.contract.alone) == ("S", "Bob", None)
    assert (hand.part, hand.to_act) == (Part.PLAY, "Ann")
    assert steps(hand, "AS").to_act == "Bob"


def test_a_card_of_ones_own_is_called_to_play_alone() -> None:
    """And nobody is told: the contract says it, the play does not."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "solo", "pass", "pass", "pass", "S", "AS")
    assert hand.contract is not None
    assert (hand.contract.partner, hand.contract.alone) == (None, True)


def test_a_bid_that_says_its_trump_names_only_the_card() -> None:
    """Solo in hearts; and go-alone names only trump."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "solo-in-hearts", "pass", "pass", "pass")
    assert len(hand.legal) == 36
    assert all(isinstance(card, Card) for card in hand.legal)
    alone = steps(dealt("crazy-solo", SUITS_DEALT), "go-alone-in-hearts", "pass", "pass", "pass")
    assert alone.part is Part.PLAY


def test_what_cannot_be_named_is_refused_with_what_can() -> None:
    """A trump the bid does not have, a card that may not be called, or anything once all is named."""
    hand = steps(dealt("six-bid", THREE), "solo", "pass", "pass")
    assert refused(lambda: hand.after(Suit.HEARTS)).code == "trump-not-allowed"
    assert refused(lambda: hand.after(Suit.HEARTS)).legal == ("S", "D", "C")
    hand = steps(dealt("six-bid", THREE), "call-solo", "pass", "pass", "S")
    assert isinstance(hand.phase, Naming)
    own = refused(lambda: hand.after(Card.parse("AS")))
    assert own.code == "called-card-not-allowed"
    assert "AS" not in own.legal
    assert hand.phase.why_not(Card.parse("AD")) is None
    named = hand.phase.after(Card.parse("AD"))
    assert (named.over, named.to_act, named.legal) == (True, None, ())
    problem = named.why_not(Suit.CLUBS)
    assert problem is not None
    assert problem.code == "not-now"


def test_in_call_solo_the_holder_gives_the_card_and_takes_any_the_bidder_then_holds() -> None:
    """The called card itself may go back."""
    hand = steps(dealt("six-bid", THREE), "call-solo", "pass", "pass", "S", "AD")
    assert isinstance(hand.phase, Exchanging)
    assert (hand.part, hand.to_act, len(hand.legal)) == (Part.EXCHANGE, "Ann", 12)
    assert refused(lambda: hand.after(Card.parse("KH"))).code == "card-not-held"
    for back in ("6S", "AD"):
        after = steps(hand, back)
        assert isinstance(after.phase, Play)
        assert after.phase.hands[2] & mask_of(read_cards(back))
        assert not after.phase.hands[0] & mask_of(read_cards(back))


def test_a_called_card_in_the_widow_is_not_exchanged() -> None:
    """The bidder leads at once; the record says where the card was."""
    hand = steps(dealt("six-bid", THREE), "call-solo", "pass", "pass", "S", "8D")
    assert hand.part is Part.PLAY
    exchange = write_down(hand).exchange
    assert exchange is not None
    assert (exchange.giver, exchange.returned) == ("widow", None)


def test_option_call_own_card_exchanges_nothing() -> None:
    """The bidder may call a card of their own."""
    table = dealt("six-bid", THREE, call_own_card=True)
    hand = steps(table, "call-solo", "pass", "pass", "S", "AS")
    assert (hand.part, write_down(hand).exchange) == (Part.PLAY, None)


def test_an_exchange_says_why_not_and_when_it_is_over() -> None:
    """Three cards laid away, each once."""
    hands = (all_of("AS TS"), all_of("AH"), all_of("AD"))
    seats = ("Ann", "Bob", "Cyd")
    swap = Exchanging.begin(Trade.WIDOW, seats, hands, 0, widow=all_of("6C"))
    assert swap.legal == read_cards("AS TS 6C")
    assert swap.why_not(Card.parse("6C")) is None
    problem = swap.why_not(Card.parse("AH"))
    assert problem is not None
    assert (problem.code, problem.field) == ("card-not-held", "exchange.discarded")
    done = swap.after(Card.parse("6C"))
    assert (done.over, done.to_act, done.legal, done.parted) == (True, None, (), read_cards("6C"))
    over = done.why_not(Card.parse("AS"))
    assert over is not None
    assert over.code == "not-now"


def test_in_spread_misere_the_seat_left_of_the_bidder_leads() -> None:
    """Everywhere else eldest hand."""
    assert steps(dealt("six-bid", THREE), "pass", "spread-misere", "pass").to_act == "Cyd"
    assert steps(dealt("six-bid", THREE), "pass", "misere", "pass").to_act == "Ann"


def test_all_pass_throws_the_hand_in() -> None:
    """Nothing is left to do, and the record says so."""
    hand = steps(dealt("six-bid", THREE), "pass", "pass", "pass")
    assert (hand.over, hand.to_act, hand.legal, hand.endings) == (True, None, (), ())
    assert score(write_down(hand)).outcome == "passed-out"
    assert refused(lambda: hand.after(Call("Ann", "pass"))).code == "not-now"


def test_each_part_takes_only_what_belongs_to_it() -> None:
    """A card is no call."""
    hand = dealt("six-bid", THREE)
    assert not hand.allows(Card.parse("AS"))
    assert hand.allows(Call("Ann", "solo"))


def test_a_hand_may_be_given_up_while_it_is_played() -> None:
    """By whom the bid lets, unless the tricks have decided it the other way."""
    hand = steps(dealt("six-bid", THREE), "misere", "pass", "pass")
    assert hand.endings == (Ending.BIDDER, Ending.OPPONENTS)
    assert score(write_down(hand.after(Ending.OPPONENTS))).outcome == "won"
    hand = steps(hand, "AH", "KH", "JC")
    assert hand.endings == (Ending.BIDDER,)
    assert refused(lambda: hand.after(Ending.OPPONENTS)).code == "not-now"
    lost = hand.after(Ending.BIDDER)
    assert (lost.over, score(write_down(lost)).outcome) == (True, "lost")


def test_the_play_lets_follow_trump_or_discard() -> None:
    """Follow suit; if void, play a trump; if void of both, anything. Nobody has to beat the trick."""
    hands = (all_of("6S TS AH"), all_of("AS 7S 8H"), all_of("9H 6H AD"))
    play = Play.begin(AceTen().under(Suit.HEARTS), ("Ann", "Bob", "Cyd"), hands, 0)
    assert play.legal == read_cards("TS 6S AH")
    play = play.after(Card.parse("TS"))
    assert play.legal == read_cards("AS 7S")  # the seven need not beat the ten
    play = play.after(Card.parse("7S"))
    assert play.legal == read_cards("9H 6H")
    assert play.allows(Card.parse("6H"))
    assert play.why_not(Card.parse("6H")) is None
    play = play.after(Card.parse("6H"))
    assert (play.to_act, play.tricks) == ("Cyd", 1)  # the trump takes the trick and leads
    play = play.after(*read_cards("AD AH 8H"))
    assert play.leaders == (0, 2, 0)  # both were out of diamonds; the higher trump wins
    assert play.legal == read_cards("6S")


def test_without_trumps_who_cannot_follow_plays_anything() -> None:
    """And only the suit led wins."""
    hands = (all_of("6S"), all_of("AH"), all_of("7S"))
    play = Play.begin(AceTen().under(None), ("Ann", "Bob", "Cyd"), hands, 0)
    play = play.after(*read_cards("6S AH 7S"))
    assert (play.over, play.to_act, play.legal, play.leaders[-1]) == (True, None, (), 2)


def test_a_card_may_be_foreign_to_the_hand_the_deal_and_the_play() -> None:
    """Held by somebody else, by nobody, or played already."""
    hands = (all_of("6S TS"), all_of("AS 7S"), all_of("9H 6H"))
    play = Play.begin(AceTen().under(None), ("Ann", "Bob", "Cyd"), hands, 0)
    for card, code, word in (("AS", "card-not-held", "Bob"), ("AD", "card-not-held", "nobody")):
        problem = play.why_not(Card.parse(card))
        assert problem is not None
        assert (problem.code, word in problem.message) == (code, True)
    problem = play.after(Card.parse("6S")).why_not(Card.parse("6S"))
    assert problem is not None
    assert problem.code == "card-played-twice"


def test_before_trump_is_named_only_the_black_queens_are_trumps() -> None:
    """German Solo's permanent ones."""
    assert Matadors().under(None).trumps == BLACK_QUEENS


def test_cards_dealt_singly_leave_no_widow() -> None:
    """Every card goes to somebody."""
    assert find("crazy-solo").rules(None, {}, 4).dealing.widow == 0


def test_sets_of_cards_can_be_gathered_by_rank() -> None:
    """Four sixes."""
    assert rank_mask("6").bit_count() == 4


def test_a_hand_is_written_down_as_far_as_it_has_gone() -> None:
    """Before the deal there is none; in the middle of a trick the trick is short."""
    empty = write_down(at_table("six-bid", 3))
    assert (empty.deal, empty.auction, empty.contract, empty.tricks) == (None, None, None, None)
    hand = steps(dealt("six-bid", THREE), "solo", "pass", "pass", "S", "AS", "KH")
    tricks = write_down(hand).tricks
    assert tricks is not None
    assert [trick.cards for trick in tricks] == [read_cards("AS KH")]
