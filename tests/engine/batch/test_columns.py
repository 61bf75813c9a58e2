"""Hands played together by columns have the same results as card by card, with any other hands."""

from collections.abc import Sequence

import pytest

from engine.batch.columns import CardColumns, parse_cards, play_columns
from engine.cards.card_sets import mask_of
from engine.cards.cards import CARDS, Card, Suit, write_cards
from engine.cards.ranking import ACE_TEN_RANKS, AceTen, CardOrder, Law, Matadors, Ranking
from engine.errors import Refused
from engine.phases.tricks import Play
from tests.engine.playing import dice

SEATS = ("Ann", "Bob", "Cyd", "Dee")
TRUMPS = (None, *Suit)
Hands = tuple[bytes, ...]


def begin(ranking: Ranking, trump: Suit | None, hands: Hands) -> Play:
    """Open the play of hands, the first of which leads."""
    masks = [mask_of(CARDS[card] for card in hand) for hand in hands]
    return Play.begin(ranking.under(trump), SEATS[: len(hands)], tuple(masks), 0)


def by_cards(ranking: Ranking, trump: Suit | None, hands: Hands, cards: bytes) -> bytes | None:
    """Return the leaders of the tricks and the last winner, card by card; `None` if a card is illegal."""
    play = begin(ranking, trump, hands)
    try:
        return bytes(play.after(*map(Card, cards)).leaders)
    except Refused:
        return None


def at_once(
    columns: CardColumns, first: int, every: Sequence[tuple[Hands, bytes]]
) -> list[bytes | None]:
    """Play hands of one size together; the leader of a trick is the seat that was dealt its first card."""
    count = len(every[0][0])
    cards, holders = b"".join(cards for _, cards in every), b""
    for hands, laid in every:
        place_of = {card: place for place, hand in enumerate(hands) for card in hand}
        holders += bytes(map(place_of.__getitem__, laid))
    leaders = holders[::count]
    tricks = len(leaders) // len(every)
    played = play_columns(columns, count, bytes((first,)) * len(every), leaders, cards, holders)
    return [
        None
        if number in played.illegal
        else leaders[number * tricks : (number + 1) * tricks]
        + played.winners[-played.hands :][number : number + 1]
        for number in range(len(every))
    ]


@pytest.mark.parametrize("ranking", [AceTen(), Matadors()], ids=["ace-ten", "matadors"])
@pytest.mark.parametrize("trump", TRUMPS, ids=str)
def test_all_tricks_at_once_go_as_card_by_card(ranking: Ranking, trump: Suit | None) -> None:
    """Legal hands, and with two cards exchanged, mostly illegal: by three or four, long and short."""
    rng = dice(f"all tricks {trump}")
    columns = CardColumns.of(ranking.under(trump))
    for count, size in ((3, 11), (4, 9), (3, 12), (4, 2)):
        every: list[tuple[Hands, bytes]] = []
        for _ in range(6):
            cards = bytes(rng.sample(range(36), count * size))
            hands = tuple([cards[at : at + size] for at in range(0, len(cards), size)])
            play = begin(ranking, trump, hands)
            laid: list[Card] = []
            while not play.over:
                laid.append(rng.choice(play.legal))
                play = play.after(laid[-1])
            every.append((hands, bytes(laid)))
            for _ in range(12):
                changed, (one, other) = laid[:], rng.sample(range(len(laid)), 2)
                changed[one], changed[other] = laid[other], laid[one]
                every.append((hands, bytes(changed)))
        told = [by_cards(ranking, trump, hands, laid) for hands, laid in every]
        assert at_once(columns, 0, every) == told
        assert 6 <= sum(each is not None for each in told) < len(every)
        assert at_once(columns, 0, every[-1:]) == told[-1:]


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("6S AS 7S TS AH AD", "the second seat leads"),
        ("AS 7S 6S TS AH AD", "the third seat comes before the second"),
        ("AS AH 7S TS 6S AD", "the second seat had to follow"),
        ("AS 6S 7S AH AD TS", "the second trick is led by who did not take the first"),
    ],
)
def test_what_cannot_be_is_no_play(cards: str, why: str) -> None:
    """Cards that were laid out of turn, or without following suit; the next hand stays valid."""
    hands = tuple(parse_cards([each], 2) for each in ("AS TS", "6S AH", "7S AD"))
    columns = CardColumns.of(ACE_TEN_RANKS.under(Suit.HEARTS))
    well, unusual = (hands, parse_cards(["AS 6S 7S TS AH AD"], 6)), (hands, parse_cards([cards], 6))
    assert at_once(columns, 0, [well, unusual, well]) == [
        bytes((0, 0, 1)),
        None,
        bytes((0, 0, 1)),
    ], why


def test_a_hand_led_by_another_than_it_should_be_is_no_play() -> None:
    """In a spread misère the seat after the bidder leads, and not eldest hand."""
    hands = tuple(parse_cards([each], 1) for each in ("AS", "6S", "7S"))
    columns = CardColumns.of(ACE_TEN_RANKS.under(None))
    every = [(hands, parse_cards(["AS 6S 7S"], 3))]
    assert at_once(columns, 0, every) == [bytes((0, 0))]
    assert at_once(columns, 1, every) == [None]


def order_of(strengths: int) -> CardOrder:
    """Return an order of so many cards of one suit, each of another strength."""
    law: Law = tuple((1 << at, 1 << at, at) for at in range(strengths))
    return CardOrder((1,), (1,), (law,), (law,), trumps=0, called=0, words=("hearts",))


def test_a_strength_leaves_a_bit_of_its_byte_free() -> None:
    """Strengths are subtracted without borrowing from the next card's byte; none at all is 0."""
    power = CardColumns.of(order_of(128)).power
    assert (max(power), power[0]) == (127, 0)


def test_an_order_of_more_strengths_than_can_be_compared_is_refused() -> None:
    """A difference carried into the next byte would let the wrong player win a trick."""
    with pytest.raises(ValueError, match="129 strengths"):
        CardColumns.of(order_of(129))


def test_each_card_is_parsed_to_its_number() -> None:
    """However many there are, in one text or in several."""
    assert parse_cards([write_cards(CARDS)], 36) == bytes(CARDS)
    thirds = [write_cards(CARDS[at : at + 12]) for at in (0, 12, 24)]
    assert parse_cards(thirds, 12) == bytes(CARDS)


@pytest.mark.parametrize(
    "texts",
    [
        ["ASxKS"],
        ["A♠ KS"],
        ["AS  KS"],
        ["AS KS "],
        ["AS KS QS"],
        ["AS"],
        ["AS\nKS"],
        ["AS KS", "QS"],
        ["AS KS QS", "TS"],
        ["AS KS\nQS TS", ""],
    ],
    ids=repr,
)
def test_any_other_number_or_spacing_of_cards_is_refused(texts: list[str]) -> None:
    """Each text must have two cards, with one space between them."""
    with pytest.raises(ValueError, match=r"spaces|ascii"):
        parse_cards(texts, 2)


@pytest.mark.parametrize("texts", [["as"], ["1S"], ["AX"], ["SA"], ["??"], ["  "], ["A\n", "KS"]])
def test_a_text_that_is_no_card_gets_no_cards_number(texts: list[str]) -> None:
    """So it is in no pack."""
    assert parse_cards(texts, 1)[0] not in CARDS
