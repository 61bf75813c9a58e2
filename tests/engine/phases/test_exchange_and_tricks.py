"""The parts of a hand as values that guide a table: exchange and play, and how a hand ends."""

from engine.cards.card_sets import mask_of
from engine.cards.cards import CARDS, Card, Suit, read_cards
from engine.cards.ranking import BLACK_QUEENS, AceTen, Matadors, all_of
from engine.games import find
from engine.guide.transcript import write_down
from engine.phases.actions import Ending, HandPart, problem_of
from engine.phases.exchange import Exchanging, Trade
from engine.phases.tricks import Play
from engine.record import Call
from engine.scoring.score import score
from tests.engine.stepping import THREE, at_table, dealt, refused, steps


def test_in_call_solo_the_holder_gives_the_card_and_takes_any_the_bidder_then_holds() -> None:
    """The called card itself may go back."""
    hand = steps(dealt("six-bid", THREE), "call-solo", "pass", "pass", "S", "AD")
    assert isinstance(hand.phase, Exchanging)
    assert (hand.part, hand.to_act, len(hand.legal)) == (HandPart.EXCHANGE, "Ann", 12)
    assert refused(lambda: hand.after(Card.parse("KH"))).code == "card-not-held"
    for back in ("6S", "AD"):
        after = steps(hand, back)
        assert isinstance(after.phase, Play)
        assert after.phase.hands[2] & mask_of(read_cards(back))
        assert not after.phase.hands[0] & mask_of(read_cards(back))


def test_a_called_card_in_the_widow_is_not_exchanged() -> None:
    """The bidder leads at once; the record contains the place of the card."""
    hand = steps(dealt("six-bid", THREE), "call-solo", "pass", "pass", "S", "8D")
    assert hand.part is HandPart.PLAY
    exchange = write_down(hand).exchange
    assert exchange is not None
    assert (exchange.giver, exchange.returned) == ("widow", None)


def test_option_call_own_card_exchanges_nothing() -> None:
    """The bidder may call a card of their own."""
    table = dealt("six-bid", THREE, call_own_card=True)
    hand = steps(table, "call-solo", "pass", "pass", "S", "AS")
    assert (hand.part, write_down(hand).exchange) == (HandPart.PLAY, None)


def test_an_exchange_says_why_not_and_when_it_is_over() -> None:
    """Three cards laid away, each once."""
    hands = (all_of("AS TS"), all_of("AH"), all_of("AD"))
    seats = ("Ann", "Bob", "Cyd")
    swap = Exchanging.begin(Trade.WIDOW, seats, hands, 0, widow=all_of("6C"))
    assert swap.legal == read_cards("AS TS 6C")
    assert problem_of(swap.after, Card.parse("6C")) is None
    problem = problem_of(swap.after, Card.parse("AH"))
    assert problem is not None
    assert (problem.code, problem.field) == ("card-not-held", "exchange.discarded")
    done = swap.after(Card.parse("6C"))
    assert (done.over, done.to_act, done.legal, done.parted) == (True, None, (), read_cards("6C"))
    over = problem_of(done.after, Card.parse("AS"))
    assert over is not None
    assert over.code == "not-now"


def test_in_spread_misere_the_seat_left_of_the_bidder_leads() -> None:
    """Everywhere else eldest hand."""
    assert steps(dealt("six-bid", THREE), "pass", "spread-misere", "pass").to_act == "Cyd"
    assert steps(dealt("six-bid", THREE), "pass", "misere", "pass").to_act == "Ann"


def test_all_pass_throws_the_hand_in() -> None:
    """No action is left, and the record states an all-pass."""
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
    """By the sides that may concede the bid, unless the tricks have decided it the other way."""
    hand = steps(dealt("six-bid", THREE), "misere", "pass", "pass")
    assert hand.endings == (Ending.BIDDER, Ending.OPPONENTS)
    assert score(write_down(hand.after(Ending.OPPONENTS))).outcome == "won"
    hand = steps(hand, "AH", "KH", "JC")
    assert hand.endings == (Ending.BIDDER,)
    assert refused(lambda: hand.after(Ending.OPPONENTS)).code == "not-now"
    lost = hand.after(Ending.BIDDER)
    assert (lost.over, score(write_down(lost)).outcome) == (True, "lost")


def test_opponents_do_not_give_up_what_their_tricks_have_beaten() -> None:
    """A call solo after their first point; scoring the record so far refuses it, too."""
    hand = steps(dealt("six-bid", THREE), "pass", "pass", "call-solo", "C", "8D")
    assert hand.endings == (Ending.BIDDER, Ending.OPPONENTS)
    hand = steps(hand, "AS", "AC", "JC")
    assert hand.endings == (Ending.BIDDER,)
    forced = write_down(hand._replace(ended=Ending.OPPONENTS))
    assert refused(lambda: score(forced)).code == "concession-too-late"


def test_the_play_lets_follow_trump_or_discard() -> None:
    """Follow suit; if void, play a trump; if void of both, anything. Nobody has to beat the trick."""
    hands = (all_of("6S TS AH"), all_of("AS 7S 8H"), all_of("9H 6H AD"))
    play = Play.begin(AceTen().under(Suit.HEARTS), ("Ann", "Bob", "Cyd"), hands, 0)
    assert play.legal == read_cards("TS 6S AH")
    play = play.after(Card.parse("TS"))
    assert play.legal == read_cards("AS 7S")  # the seven need not beat the ten
    play = play.after(Card.parse("7S"))
    assert play.legal == read_cards("9H 6H")
    assert problem_of(play.after, Card.parse("6H")) is None
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
    """Held by somebody else, or by nobody as far as the play knows, or played already."""
    hands = (all_of("6S TS"), all_of("AS 7S"), all_of("9H 6H"))
    play = Play.begin(AceTen().under(None), ("Ann", "Bob", "Cyd"), hands, 0)
    for card, code, word in (
        ("AS", "card-not-held", "which Bob held"),
        ("AD", "card-not-held", "did not hold it"),
    ):
        problem = problem_of(play.after, Card.parse(card))
        assert problem is not None
        assert (problem.code, word in problem.message) == (code, True)
    problem = problem_of(play.after(Card.parse("6S")).after, Card.parse("6S"))
    assert problem is not None
    assert problem.code == "card-played-twice"


def test_before_trump_is_named_only_the_black_queens_are_trumps() -> None:
    """German Solo's permanent ones."""
    assert Matadors().under(None).trumps == BLACK_QUEENS


def test_cards_dealt_singly_leave_no_widow() -> None:
    """Every card goes to somebody."""
    assert find("crazy-solo").rules(None, {}, 4).widow_size == 0


def test_sets_of_cards_can_be_gathered_by_rank() -> None:
    """Four sixes."""
    assert mask_of(card for card in CARDS if card.rank == "6").bit_count() == 4


def test_a_hand_is_written_down_as_far_as_it_has_gone() -> None:
    """Before the deal there is none; in the middle of a trick the trick is short."""
    empty = write_down(at_table("six-bid", 3))
    assert (empty.deal, empty.auction, empty.contract, empty.tricks) == (None, None, None, None)
    hand = steps(dealt("six-bid", THREE), "solo", "pass", "pass", "S", "AS", "KH")
    tricks = write_down(hand).tricks
    assert tricks is not None
    assert [trick.cards for trick in tricks] == [read_cards("AS KH")]
