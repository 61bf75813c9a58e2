"""All tricks of a hand looked at at once: the same laws as card by card, each checked for whole columns.

Each seat plays its whole hand. So a card that did not follow was legal where its seat shows none of what it
then owed in any later trick, and nothing need be taken out of a hand card by card.
"""

from functools import lru_cache

from engine.cards.ranking import PLACES, Columns
from engine.cards.strips import Strip, added

_PLACE_OF = bytes(power % PLACES for power in range(256))


def winners(columns: Columns, leader: int, hands: tuple[bytes, ...], cards: bytes) -> bytes | None:
    """Give the place that led each trick, and who took the last one; `None` where any card is illegal.

    `hands` hold as many cards each, and no card twice; `cards` are all of them trick by trick, each from its
    leader on.
    """
    dealt, count, size = b"".join(hands), len(hands), len(cards)
    if size != len(dealt) or dealt.translate(None, cards):
        return None
    holders, places, turns = _places(count, size)
    holder = cards.translate(bytes.maketrans(dealt, holders))
    led_by = holder[::count]
    for at, turn in enumerate(turns, 1):
        if holder[at::count] != led_by.translate(turn):
            return None
    # From here on the cards of each trick stand in the order of the seats, and with each what was led.
    laid, led, suits = bytearray(size), bytearray(size), cards[::count].translate(columns.led)
    for place, hand in enumerate(hands):
        laid[place::count] = cards.translate(None, dealt.translate(None, hand))
        led[place::count] = suits
    played = added(laid, led)
    if _bits(played.translate(columns.denies)) & _later(
        _bits(laid.translate(columns.shows)), 8 * count
    ):
        return None
    powers = added(played.translate(columns.power), places)
    best = map(max, *[powers[place::count] for place in range(count)])
    taken_by = bytes(best).translate(_PLACE_OF)
    return led_by + taken_by[-1:] if led_by == bytes((leader,)) + taken_by[:-1] else None


@lru_cache(maxsize=64)
def _places(count: int, size: int) -> tuple[bytes, bytes, tuple[bytes, ...]]:
    """Say whose each card is as they were dealt; the places trick by trick; who plays how long after whom."""
    tricks, places = size // count, bytes(range(count))
    holders = b"".join([bytes((place,)) * tricks for place in places])
    turns = (bytes((place + turn) % count for place in range(256)) for turn in range(1, count))
    return holders, places * tricks, tuple(turns)


def _bits(strip: Strip) -> int:
    return int.from_bytes(strip, "little")


def _later(shown: int, trick: int) -> int:
    """Gather for each card what its seat shows in all later tricks, of which there are 15 at most."""
    later = shown >> trick
    for tricks in (1, 2, 4, 8):
        later |= later >> tricks * trick
    return later
