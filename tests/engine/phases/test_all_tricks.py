"""All tricks at once: the same as card by card, whatever is played."""

import pytest

from engine.cards.cards import Card, Suit
from engine.cards.ranking import ACE_TEN_RANKS, AceTen, Matadors, Ranking
from engine.cards.strips import set_of, strip_of
from engine.errors import Refused
from engine.phases.all_tricks import winners
from engine.phases.tricks import Play
from tests.engine.playing import dice

SEATS = ("Ann", "Bob", "Cyd", "Dee")
TRUMPS = (None, *Suit)


def by_cards(
    ranking: Ranking, trump: Suit | None, hands: tuple[bytes, ...], cards: bytes
) -> object:
    """Play card by card; who led each trick and took the last one, or nothing where one is illegal."""
    play = Play.begin(ranking.under(trump), SEATS[: len(hands)], tuple(map(set_of, hands)), 0)
    try:
        return bytes(play.after(*map(Card, cards)).leaders)
    except Refused:
        return None


@pytest.mark.parametrize("ranking", [AceTen(), Matadors()], ids=["ace-ten", "matadors"])
@pytest.mark.parametrize("trump", TRUMPS, ids=str)
def test_all_tricks_at_once_go_as_card_by_card(ranking: Ranking, trump: Suit | None) -> None:
    """Legal hands, and with two cards exchanged, mostly illegal: by three or four, long and short."""
    rng, legal = dice(f"all tricks {trump}"), 0
    columns = ranking.under(trump).columns
    for count, size in ((3, 11), (4, 9), (3, 12), (4, 2)) * 6:
        cards = bytes(rng.sample(range(36), count * size))
        hands = tuple([cards[at : at + size] for at in range(0, len(cards), size)])
        play = Play.begin(ranking.under(trump), SEATS[:count], tuple(map(set_of, hands)), 0)
        laid: list[Card] = []
        while not play.over:
            laid.append(rng.choice(play.legal))
            play = play.after(laid[-1])
        assert winners(columns, 0, hands, bytes(laid)) == bytes(play.leaders)
        for _ in range(12):
            one, other = rng.sample(range(len(laid)), 2)
            laid[one], laid[other] = laid[other], laid[one]
            told = by_cards(ranking, trump, hands, bytes(laid))
            legal += told is not None
            assert winners(columns, 0, hands, bytes(laid)) == told
            laid[one], laid[other] = laid[other], laid[one]
    assert legal


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("AS 6S 7S TS AH", "a card is missing"),
        ("AS 6S 7S TS AH AH", "one is there twice"),
        ("AS 6S 7S TS AH KD", "one was not dealt"),
        ("6S AS 7S TS AH AD", "the second seat leads"),
        ("AS 7S 6S TS AH AD", "the third seat comes before the second"),
        ("AS AH 7S TS 6S AD", "the second seat had to follow"),
        ("AS 6S 7S AH AD TS", "the second trick is led by who did not take the first"),
    ],
)
def test_what_cannot_be_is_no_play(cards: str, why: str) -> None:
    """Cards that were not dealt so, or not laid in turn, or against the law of following."""
    hands = tuple(strip_of([each]) for each in ("AS TS", "6S AH", "7S AD"))
    columns = ACE_TEN_RANKS.under(Suit.HEARTS).columns
    assert winners(columns, 0, hands, strip_of(["AS 6S 7S TS AH AD"])) == bytes((0, 0, 1))
    assert winners(columns, 0, hands, strip_of([cards])) is None, why


def test_a_hand_led_by_another_than_it_should_be_is_no_play() -> None:
    """In a spread misère the seat after the bidder leads, and not eldest hand."""
    hands = tuple(strip_of([each]) for each in ("AS", "6S", "7S"))
    columns = ACE_TEN_RANKS.under(None).columns
    assert winners(columns, 0, hands, strip_of(["AS 6S 7S"])) == bytes((0, 0))
    assert winners(columns, 1, hands, strip_of(["AS 6S 7S"])) is None
