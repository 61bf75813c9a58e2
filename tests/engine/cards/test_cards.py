"""Suits, cards and packs."""

import copy
import pickle

import pytest

from engine.cards.cards import CARDS, FULL, SUITS, Card, Suit, read_cards, write_cards


def test_there_are_36_cards_of_four_suits() -> None:
    """Each with its own text, numbered from 0 to 35."""
    assert len({str(card) for card in CARDS}) == 36
    assert [int(card) for card in CARDS] == list(range(36))
    assert "".join(SUITS) == "SHDC"


def test_hearts_and_diamonds_are_red() -> None:
    """The other two are black."""
    assert [suit for suit in SUITS if suit.is_red] == [Suit.HEARTS, Suit.DIAMONDS]


def test_cards_rank_ace_ten_king_queen_jack_nine_to_six() -> None:
    """The higher card of a suit is the greater number."""
    ranked = sorted(read_cards("6H TH AH 9H KH QH JH 8H 7H"), reverse=True)
    assert write_cards(ranked) == "AH TH KH QH JH 9H 8H 7H 6H"


def test_card_points_are_30_a_suit_and_120_in_all() -> None:
    """A 11, 10 10, K 4, Q 3, J 2, the others nothing."""
    assert [FULL.points(card) for card in read_cards("AS TS KS QS JS 9S 8S 7S 6S")] == [
        11,
        10,
        4,
        3,
        2,
        0,
        0,
        0,
        0,
    ]
    for suit in SUITS:
        assert sum(FULL.points(card) for card in CARDS if card.suit is suit) == 30
    assert FULL.total == 120


def test_no_set_of_cards_holds_1_or_119_points() -> None:
    """Every other number from 0 to 120 can be held."""
    assert set(range(121)) - FULL.countable == {1, 119}


def test_a_widow_of_three_is_worth_0_to_33() -> None:
    """But neither 1 nor 27 to 29."""
    assert set(range(34)) - FULL.worths(3) == {1, 27, 28, 29}


@pytest.mark.parametrize(
    "spelling", ["TD", "10D", "T♦", "10♦", "td", "10d", "t♦", "tD", "Td", "10♦\ufe0f"]
)
def test_a_card_is_read_in_every_spelling(spelling: str) -> None:
    """And written in one."""
    assert str(Card.parse(spelling)) == "TD"


@pytest.mark.parametrize(
    ("suit", "french"),
    [
        *(("acorns", "C"), ("Acorn", "C"), ("a", "C")),
        *(("leaves", "S"), ("Leaf", "S"), ("L", "S")),
        *(("hearts", "H"), ("Heart", "H"), ("h", "H")),
        *(("bells", "D"), ("Bell", "D"), ("b", "D")),
    ],
)
def test_german_suits_stand_for_french_ones(suit: str, french: str) -> None:
    """As 003 has them; Ober is the queen and Unter the jack, by word or by letter."""
    assert Suit.parse(suit).value == french
    for rank, ours in (
        ("Ober", "Q"),
        ("o", "Q"),
        ("Unter", "J"),
        ("U", "J"),
        ("7", "7"),
        ("10", "T"),
    ):
        for joint in ("", "-"):
            assert str(Card.parse(f"{rank}{joint}{suit}")) == ours + french


def test_no_spelling_stands_for_two_cards() -> None:
    """French or German, short or in words; and nothing beyond them is read."""
    ranks = {rank: [rank] for rank in "AK9876"} | {"T": ["T", "10"]}
    ranks |= {"Q": ["Q", "O", "Ober"], "J": ["J", "U", "Unter"]}
    suits = {
        "S": "S L ♠ spade leaves",
        "H": "H ♥ heart",
        "D": "D B ♦ bell",
        "C": "C A ♣ club acorn",
    }
    for rank, spelled in ranks.items():
        for suit, words in suits.items():
            for each in spelled:
                assert {str(Card.parse(each + word)) for word in words.split()} == {rank + suit}
    for nothing in ("1S", "OS ", "XO", "DausB", "ober", "a"):
        with pytest.raises(ValueError, match="is not one of the 36 cards"):
            Card.parse(nothing)


@pytest.mark.parametrize(
    "spelling", ["", "T", "D", "1D", "TX", "DQT", "5D", "10", "T D", "?", "Joker"]
)
def test_what_is_no_card_is_not_read(spelling: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(ValueError, match="not one of the 36 cards"):
        Card.parse(spelling)


@pytest.mark.parametrize("spelling", ["D", "d", "♦", "diamonds", "Diamonds", "diamond", "♦\ufe0f"])
def test_a_suit_is_read_as_letter_sign_and_word(spelling: str) -> None:
    """In either case."""
    assert Suit.parse(spelling) is Suit.DIAMONDS


def test_what_is_no_suit_is_not_read() -> None:
    """It raises `ValueError`."""
    with pytest.raises(ValueError, match="not a suit"):
        Suit.parse("stars")


def test_a_suit_has_sign_and_word() -> None:
    """In the order of the record's letters."""
    assert [suit.symbol for suit in SUITS] == ["♠", "♥", "♦", "♣"]
    assert [suit.word for suit in SUITS] == ["spades", "hearts", "diamonds", "clubs"]


def test_a_card_is_one_of_its_kind() -> None:
    """Copied and pickled, it is still the same preset value; no other number makes one."""
    six = Card.parse("6S")
    assert Card(0) is six
    assert copy.deepcopy(six) is six
    assert pickle.loads(pickle.dumps(six)) is six  # noqa: S301 - made a moment ago
    for number in (-1, 36):
        with pytest.raises(ValueError, match="there is no card"):
            Card(number)


def test_a_card_shows_its_text() -> None:
    """In a sentence, padded, and when inspected."""
    card = Card.parse("TD")
    assert (f"{card}", f"{card:>4}", repr(card), card.rank) == ("TD", "  TD", "TD", "T")


def test_cards_are_read_from_one_text_or_from_several() -> None:
    """In either spelling."""
    assert read_cards("AS 10d") == read_cards(["AS", "T♦"])
    with pytest.raises(ValueError, match="not one of the 36 cards"):
        read_cards("AS XX")
