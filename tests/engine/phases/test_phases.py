"""The parts of a hand as values that guide a table: deal, auction and naming."""

from engine.cards.card_sets import cards_of, mask_of
from engine.cards.cards import FULL, Card, Suit, read_cards
from engine.games import find
from engine.guide.hand import GuidedHand, begin
from engine.phases.actions import Announcement, DealtCard, DrawnCard, HandPart, problem_of
from engine.phases.bidding.auction import Auction
from engine.phases.deal_out import HandingOut
from engine.record import Deal
from engine.replay.naming import Naming
from engine.replay.spit import Spitting
from tests.engine.hands import NAMES
from tests.engine.stepping import SUITS_DEALT, THREE, at_table, dealt, refused, steps

FIVE = {
    "Ann": "AS TS KS QS JS 9S 8S",
    "Bob": "7S AH TH KH QH JH 9H",
    "Cyd": "8H 7H 6H AD TD KD QD",
    "Dee": "JD 9D 8D 7D 6D AC TC",
    "Eve": "KC QC JC 9C 8C 7C 6C",
}
"""Five-handed crazy-solo, without the six of spades."""


def test_the_deal_says_which_packet_comes_next() -> None:
    """4-3-(3)-4 from eldest hand, the dealer dealing; the rest of the pack shrinks card by card."""
    hand = at_table("six-bid", 3)
    assert isinstance(hand.phase, HandingOut)
    assert (hand.part, hand.to_act) == (HandPart.DEAL, "Cyd")
    assert hand.phase.packets[:4] == (("Ann", 4), ("Bob", 4), ("Cyd", 4), ("Ann", 3))
    assert [packet for packet in hand.phase.packets if packet[0] == "widow"] == [("widow", 3)]
    hand = hand.after(DealtCard("Ann", Card.parse("AS")))
    assert isinstance(hand.phase, HandingOut)
    assert hand.phase.packets[0] == ("Ann", 3)
    assert len(hand.legal) == 35
    assert problem_of(hand.phase.after, DealtCard("Ann", Card.parse("TS"))) is None


def test_a_card_cannot_be_dealt_elsewhere_or_twice() -> None:
    """Nor can one that is not in the pack, or any when all are dealt."""
    hand = at_table("crazy-solo", 5).after(DealtCard("Ann", Card.parse("AS")))
    assert refused(lambda: hand.after(DealtCard("Cyd", Card.parse("KS")))).legal == ("Bob",)
    assert (
        refused(lambda: hand.after(DealtCard("Bob", Card.parse("AS")))).code == "card-dealt-twice"
    )
    assert (
        refused(lambda: hand.after(DealtCard("Bob", Card.parse("6S")))).code == "card-not-in-pack"
    )
    assert isinstance(hand.phase, HandingOut)
    assert problem_of(hand.phase.after, DealtCard("widow", Card.parse("KS"))) is not None
    done = hand.phase._replace(dealt_count=len(hand.phase.places))
    assert (done.over, done.to_act, done.legal, done.packets) == (True, None, (), ())
    none_left = refused(lambda: done.after(DealtCard("Ann", Card.parse("KS"))))
    assert (none_left.legal, none_left.message) == ((), "All cards are dealt; Ann gets no more.")


def test_each_card_goes_to_its_seat_or_the_widow() -> None:
    """The hands of the seats come first, then the widow."""
    cards = read_cards("AS KS AH AD 6C")
    deal = HandingOut.begin(
        ("Ann", "Bob"), "Bob", mask_of(cards), (("Ann", 2), ("widow", 1), ("Bob", 2))
    )
    for place, field in (("widow", "deal.widow"), ("Bob", "deal.hands.Bob")):
        problem = problem_of(deal.after, DealtCard(place, cards[0]))
        assert problem is not None
        assert problem.field == field
    for place, card in zip(("Ann", "Ann", "widow", "Bob", "Bob"), cards, strict=True):
        deal = deal.after(DealtCard(place, card))
    assert (deal.over, deal.hands) == (
        True,
        tuple(mask_of(read_cards(hand)) for hand in ("AS KS", "AD 6C", "AH")),
    )


def test_announcements_are_recorded_under_different_keys() -> None:
    """As tout, or as a question for the partner."""
    keys = {announcement: announcement.key.path for announcement in Announcement}
    assert keys == {
        Announcement.TOUT: "contract.announced_tout",
        Announcement.PARTNER: "asked_partner",
    }


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
        hand = hand.after(DealtCard(seat, card))
    assert hand.to_act == "Eve"
    assert refused(lambda: hand.after(DealtCard("spit", Card.parse("JH")))).code == "deal-order"
    hand = hand.after(DealtCard("Eve", Card.parse("JH")))
    assert spitting(hand).places == ("Ann", "spit")
    assert (
        refused(lambda: hand.after(DealtCard("spit", Card.parse("AH")))).code == "card-dealt-twice"
    )
    hand = hand.after(DealtCard("spit", Card.parse("TH")))
    assert spitting(hand).places == ("Ann",)
    while spitting(hand).dealing:
        hand = hand.after(hand.legal[0])
    assert (hand.to_act, hand.legal) == ("Ann", (DrawnCard("Ann", *read_cards("6S TH")),))
    assert problem_of(spitting(hand).after, DrawnCard("Ann", *read_cards("6S TH"))) is None
    assert spitting(hand).places == ()
    assert refused(lambda: hand.after(DrawnCard("Bob", *read_cards("AH TH")))).code == "spit-shown"
    assert refused(lambda: hand.after(DrawnCard("Ann", *read_cards("6S TD")))).code == "spit-drawn"
    assert isinstance(hand.after(hand.legal[0]).phase, Auction)


def spitting(hand: GuidedHand) -> Spitting:
    """Give the spit deal that the hand is in."""
    assert isinstance(hand.phase, Spitting)
    return hand.phase


def test_who_draws_another_card_to_be_removed_shows_and_draws_again() -> None:
    """Until nobody holds one; then only removed cards remain in the pile."""
    rules = find("crazy-solo").rules(None, {}, 11)
    state = Spitting.begin(NAMES[:11], rules.pack.mask, 3)
    sixes = read_cards("6C 6S")
    rest = [card for card in FULL.cards if card not in read_cards("6C 6S 6D TH")]
    order = [Card.parse("6D"), *rest]
    for card in order:
        state = state.after(DealtCard(state.places[0], card))
    for card in (*sixes, Card.parse("TH")):
        state = state.after(DealtCard("spit", card))
    assert (state.to_act, state.over) == ("Ann", False)
    at_once = state.after(DrawnCard("Ann", *read_cards("6D TH")))
    assert (at_once.over, cards_of(at_once.pile)) == (True, sixes[::-1])
    for shown, drawn in (("6D", "6C"), ("6C", "6S")):
        state = state.after(DrawnCard("Ann", *read_cards(f"{shown} {drawn}")))
        assert state.showing("Ann") == read_cards(drawn)
    assert state.legal == (DrawnCard("Ann", *read_cards("6S TH")),)
    state = state.after(state.legal[0])
    assert (state.over, cards_of(state.pile)) == (True, ())


def test_the_last_cards_are_spit_if_nobody_called() -> None:
    """As many as must go are laid aside in the end."""
    state = Spitting.begin(("Ann", "Bob", "Cyd", "Dee", "Eve"), 0, 1)._replace(dealt_count=35)
    assert state.places == ("spit",)


def test_only_tables_from_which_cards_go_spit() -> None:
    """Four players use all 36."""
    rules = find("crazy-solo").rules(None, {}, 4)
    table = rules.table(NAMES[:4], "Dee")
    assert refused(lambda: begin(rules, table, spit=True)).code == "no-spit"


def test_the_auction_leads_to_the_naming_and_the_play() -> None:
    """Its winner names trump and a card; the holder of that card is the partner."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "solo", "pass", "pass", "pass")
    assert isinstance(hand.phase, Naming)
    assert (hand.part, hand.to_act, hand.legal) == (HandPart.NAMING, "Ann", tuple(Suit))
    hand = steps(hand, "S", "AH")
    assert hand.contract is not None
    assert (hand.contract.trump, hand.contract.partner, hand.contract.alone) == ("S", "Bob", None)
    assert (hand.part, hand.to_act) == (HandPart.PLAY, "Ann")
    assert steps(hand, "AS").to_act == "Bob"


def test_a_card_of_ones_own_is_called_to_play_alone() -> None:
    """In secret: it is in the contract, not in the play."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "solo", "pass", "pass", "pass", "S", "AS")
    assert hand.contract is not None
    assert (hand.contract.partner, hand.contract.alone) == (None, True)


def test_a_bid_that_says_its_trump_names_only_the_card() -> None:
    """Solo in hearts; and go-alone names only trump."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "solo-in-hearts", "pass", "pass", "pass")
    assert len(hand.legal) == 36
    assert all(isinstance(card, Card) for card in hand.legal)
    alone = steps(dealt("crazy-solo", SUITS_DEALT), "go-alone-in-hearts", "pass", "pass", "pass")
    assert alone.part is HandPart.PLAY


def test_what_cannot_be_named_is_refused_with_what_can() -> None:
    """A trump the bid does not have, a card that may not be called, or anything once all is named."""
    hand = steps(dealt("six-bid", THREE), "solo", "pass", "pass")
    assert refused(lambda: hand.after(Suit.HEARTS)).code == "trump-not-allowed"
    assert refused(lambda: hand.after(Suit.HEARTS)).legal == ("S", "D", "C")
    hand = steps(dealt("six-bid", THREE), "call-solo", "pass", "pass", "S")
    assert isinstance(hand.phase, Naming)
    own = refused(lambda: hand.after(Card.parse("AS")))
    assert own.code == "called-own-card"  # as a record that says so is refused
    assert "AS" not in own.legal
    hand = steps(dealt("crazy-solo", FIVE), "solo", *["pass"] * 4, "S")
    assert refused(lambda: hand.after(Card.parse("6S"))).code == "called-card-not-allowed"
    hand = steps(dealt("six-bid", THREE), "call-solo", "pass", "pass", "S")
    assert isinstance(hand.phase, Naming)
    assert problem_of(hand.phase.after, Card.parse("AD")) is None
    named = hand.phase.after(Card.parse("AD"))
    assert (named.over, named.to_act, named.legal) == (True, None, ())
    problem = problem_of(named.after, Suit.CLUBS)
    assert problem is not None
    assert problem.code == "not-now"
