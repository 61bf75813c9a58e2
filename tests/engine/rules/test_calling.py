"""Which card may be called."""

from engine.cards.cards import FULL, Suit, read_cards
from engine.rules.calling import Calling, OwnCard

DECK = FULL.cards
ACE = Calling(OwnCard.REFUSED, first="A", then="K", plain=True)


def test_any_card_of_the_deck_may_be_called_where_nothing_is_said() -> None:
    """Crazy-solo: one's own as well, to play alone in secret."""
    crazy = Calling(OwnCard.ALONE)
    own_cards = read_cards("AS 6S")
    assert crazy.choices(DECK, Suit.SPADES, own_cards) == DECK
    assert crazy.problem(own_cards[0], DECK, Suit.SPADES, own_cards) is None


def test_a_card_of_ones_own_is_refused_where_it_may_not_be_called() -> None:
    """Six-bid, unless the table plays `call_own_card`."""
    own_cards = read_cards("AS 6S")
    problem = Calling(OwnCard.REFUSED).problem(own_cards[0], DECK, Suit.SPADES, own_cards)
    assert problem is not None
    assert problem.code == "called-own-card"
    assert "AS" not in problem.legal
    assert Calling(OwnCard.NO_EXCHANGE).problem(own_cards[0], DECK, Suit.SPADES, own_cards) is None


def test_a_plain_ace_that_the_declarer_lacks_is_called() -> None:
    """German Solo: not the trump ace, none of their own."""
    own_cards = read_cards("AS KH QH 7D")
    assert ACE.choices(DECK, Suit.DIAMONDS, own_cards) == read_cards("AH AC")
    own, trump, king = (
        ACE.problem(card, DECK, Suit.DIAMONDS, own_cards) for card in read_cards("AS AD KC")
    )
    assert own is not None
    assert trump is not None
    assert king is not None
    assert own.code == "called-own-card"
    assert trump.message == "AD is a trump; the called card must be of another suit."
    assert king.message == (
        "KC cannot be called; it must be an ace, or a king when the bidder holds every one of those."
    )
    assert {each.legal for each in (own, trump, king)} == {("AH", "AC")}


def test_a_plain_king_is_called_by_who_holds_all_four_aces() -> None:
    """Not the trump king, and none of their own; an ace is theirs already."""
    own_cards = read_cards("AS AH AD AC KS")
    assert ACE.choices(DECK, Suit.DIAMONDS, own_cards) == read_cards("KH KC")
    assert ACE.choices(DECK, Suit.DIAMONDS, read_cards("AS AH AC")) == ()


def test_without_the_bidders_hand_any_plain_ace_or_king_may_have_been_called() -> None:
    """Their hand does not follow from the result alone."""
    called = ACE.choices(DECK, Suit.HEARTS, None)
    assert set(called) == set(read_cards("AS KS AD KD AC KC"))


def test_without_the_bidders_hand_the_choices_are_of_the_rank_that_was_called() -> None:
    """No king is called unless every ace is the bidder's, and then no ace."""
    for called, trump, legal in (
        ("AD", Suit.DIAMONDS, "AS AH AC"),
        ("KD", Suit.DIAMONDS, "KS KH KC"),
        ("QD", Suit.DIAMONDS, "KS AS KH AH KC AC"),
    ):
        problem = ACE.problem(read_cards(called)[0], DECK, trump, None)
        assert problem is not None
        assert set(problem.legal) == set(legal.split())
        cannot = "QD cannot be called; it must be an ace, or a king when the bidder holds every one of those."
        other = f"{called} is a trump; the called card must be of another suit."
        assert problem.message == (cannot if called == "QD" else other)


def test_ranks_without_a_name_are_said_as_they_are() -> None:
    """The part serves ranks that no game here calls."""
    problem = Calling(OwnCard.ALONE, first="9T").problem(DECK[0], DECK, None)
    assert problem is not None
    assert problem.message == "6S cannot be called; it must be 9 or T."
