"""All tricks at once: the same as card by card, whatever is played, and whatever else is played beside it."""

from collections.abc import Sequence

import pytest

from engine.batch.all_tricks import play_all
from engine.batch.strips import strip_of
from engine.cards.card_sets import mask_of
from engine.cards.cards import CARDS, Card, Suit
from engine.cards.ranking import ACE_TEN_RANKS, AceTen, Columns, Matadors, Ranking
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
    """Play card by card; who led each trick and took the last one, or nothing where one is illegal."""
    play = begin(ranking, trump, hands)
    try:
        return bytes(play.after(*map(Card, cards)).leaders)
    except Refused:
        return None


def at_once(
    columns: Columns, first: int, every: Sequence[tuple[Hands, bytes]]
) -> list[bytes | None]:
    """Play hands of one size together; who led each trick is whoever held its first card."""
    count = len(every[0][0])
    cards, holders = b"".join(cards for _, cards in every), b""
    for hands, laid in every:
        place_of = {card: place for place, hand in enumerate(hands) for card in hand}
        holders += bytes(map(place_of.__getitem__, laid))
    leaders = holders[::count]
    tricks = len(leaders) // len(every)
    played = play_all(columns, count, bytes((first,)) * len(every), leaders, cards, holders)
    return [
        None
        if number in played.illegal
        else leaders[number * tricks : (number + 1) * tricks]
        + played.taken_by[-played.hands :][number : number + 1]
        for number in range(len(every))
    ]


@pytest.mark.parametrize("ranking", [AceTen(), Matadors()], ids=["ace-ten", "matadors"])
@pytest.mark.parametrize("trump", TRUMPS, ids=str)
def test_all_tricks_at_once_go_as_card_by_card(ranking: Ranking, trump: Suit | None) -> None:
    """Legal hands, and with two cards exchanged, mostly illegal: by three or four, long and short."""
    rng = dice(f"all tricks {trump}")
    columns = ranking.under(trump).columns
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
    """Cards that were not laid in turn, or against the law of following; a hand beside it is as it was."""
    hands = tuple(strip_of([each], 2) for each in ("AS TS", "6S AH", "7S AD"))
    columns = ACE_TEN_RANKS.under(Suit.HEARTS).columns
    well, odd = (hands, strip_of(["AS 6S 7S TS AH AD"], 6)), (hands, strip_of([cards], 6))
    assert at_once(columns, 0, [well, odd, well]) == [bytes((0, 0, 1)), None, bytes((0, 0, 1))], why


def test_a_hand_led_by_another_than_it_should_be_is_no_play() -> None:
    """In a spread misère the seat after the bidder leads, and not eldest hand."""
    hands = tuple(strip_of([each], 1) for each in ("AS", "6S", "7S"))
    columns = ACE_TEN_RANKS.under(None).columns
    every = [(hands, strip_of(["AS 6S 7S"], 3))]
    assert at_once(columns, 0, every) == [bytes((0, 0))]
    assert at_once(columns, 1, every) == [None]
