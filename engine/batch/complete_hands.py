"""The card points and tricks of each side, for many hands that were dealt and played in full.

The result is that of `engine.replay`, for contracts that depend on no cards but those in the tricks. Hands
played with the same cards are checked together, which takes hardly longer than one. Illegal hands are left to
`score`, which names the violation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from engine.batch.columns import CardColumns, PlayedColumns, number_of, parse_cards, play_columns
from engine.cards.cards import CARDS, SPELLINGS, Card, Pack
from engine.cards.dealing import WIDOW
from engine.cards.ranking import CardOrder
from engine.rules.bids import Undertaking
from engine.rules.card_points import TrickPoints
from engine.rules.sheet import Rules

_hands, _leader, _cards = map(itemgetter, ("hands", "leader", "cards"))

_EQUAL = b"\1" + bytes(255)
"""A translation table from the difference of two places to 1 if they are equal, else 0."""


@dataclass(frozen=True, slots=True, eq=False)
class PlayTables:
    """The cards of a contract as tables; hands with the same tables can be played together.

    `worths` maps each card to its card points. Compared by identity.
    """

    pack: Pack
    seats: int
    tricks: int
    columns: CardColumns
    worths: bytes

    @property
    def widow_size(self) -> int:
        """The number of cards of the pack that are dealt to no seat."""
        return len(self.pack.cards) - self.seats * self.tricks


# Cached for the benchmark rules: building the tables takes longer than scoring a hand.
@lru_cache(maxsize=256)
def play_tables(pack: Pack, seats: int, tricks: int, order: CardOrder) -> PlayTables:
    """Return the tables of a pack and an order of its cards, cached.

    Raises `ValueError` for too many strengths of cards.
    """
    worths = bytes(map(pack.points, CARDS)).ljust(256, b"\0")
    return PlayTables(pack, seats, tricks, CardColumns.of(order), worths)


class AgreedContract(NamedTuple):
    """A valid contract with places instead of names; `leader` is the place that leads to the first trick."""

    undertaking: Undertaking
    bidder: int
    leader: int
    tables: PlayTables


class CompleteHand(NamedTuple):
    """A record's table of plain values with the seats, the contract and the called card read from it."""

    rules: Rules
    seats: tuple[str, ...]
    places: Mapping[str | None, int | None]
    agreed: AgreedContract
    called: Card | None
    values: Mapping[str, Any]


_RecordedCards = tuple[bytes, bytes, bytes, list[str]]
"""The cards of a record: hands as dealt, widow (or nothing), cards as played, and the leaders."""

_HeldCards = tuple[bytes, bytes, bytes]
"""The play of one hand: each trick's leader, the cards in the order played, and the places that held them."""


def side_cards(tables: PlayTables, hands: Sequence[CompleteHand]) -> list[TrickPoints | None]:
    """Return the card points and tricks of each hand's sides, in order; at least one hand is needed.

    `None` stands for a hand that is illegal, incomplete or written in an unusual form; nothing is raised.
    """
    try:
        recorded = _read(tables, hands)
    except (KeyError, TypeError, ValueError):
        recorded = None
    if recorded is not None:
        return _play(tables, hands, recorded)
    half = len(hands) // 2  # so that only the unusual hands are left out
    return side_cards(tables, hands[:half]) + side_cards(tables, hands[half:]) if half else [None]


def _read(tables: PlayTables, complete: Sequence[CompleteHand]) -> list[_RecordedCards] | None:
    """Return the recorded cards of each hand, if all hands have the usual form and the same size.

    For any other form it returns `None`, or raises `KeyError`, `TypeError` or `ValueError`.
    """
    deals = [hand.values["deal"] for hand in complete]
    rows = [hand.values["tricks"] for hand in complete]
    hands, tricks = [*map(_hands, deals)], [*chain.from_iterable(rows)]
    if (
        {*map(type, deals), *map(type, hands), *map(type, tricks)} != {dict}
        or {*map(type, rows)} != {list}
        or {*map(len, hands)} != {tables.seats}
        or {*map(len, deals)} not in ({1}, {2})
        or {*map(len, rows)} != {tables.tricks}
        or {*map(len, tricks)} != {2}
    ):
        return None
    widows = [deal["widow"] for deal in deals if len(deal) > 1]
    dealt = [
        cards[seat] for cards, hand in zip(hands, complete, strict=True) for seat in hand.seats
    ]
    together = (
        parse_cards(dealt, tables.tricks),
        parse_cards(widows, tables.widow_size) if widows else b"",
        parse_cards([*map(_cards, tricks)], tables.seats),
        [*map(_leader, tricks)],
    )
    return [*zip(*[_divided(row, len(complete)) for row in together], strict=True)]


def _divided(row: Any, hands: int) -> list[Any]:
    """Return a row cut into equal parts, one for each hand; a remainder is dropped."""
    size = len(row) // hands
    return [row[at * size : at * size + size] for at in range(hands)]


def _play(
    tables: PlayTables, hands: Sequence[CompleteHand], recorded: Sequence[_RecordedCards]
) -> list[TrickPoints | None]:
    """Return the card points and tricks of each hand's sides; `None` for an illegal hand."""
    seats, tricks = tables.seats, tables.tricks
    owners = b"".join([bytes((place,)) * tricks for place in range(seats)])
    pack = bytes(tables.pack.cards)
    plays = [
        _play_of(pack, owners, hand, *cards) for hand, cards in zip(hands, recorded, strict=True)
    ]
    nothing = bytes(tricks), bytes(len(owners)), bytes(len(owners))
    leaders, cards, holders = map(b"".join, zip(*[one or nothing for one in plays], strict=True))
    first = bytes([hand.agreed.leader for hand in hands])
    bidders = bytes([hand.agreed.bidder for hand in hands])
    played = play_columns(tables.columns, seats, first, leaders, cards, holders)
    return [
        None if one is None or number in played.illegal else sides
        for number, (one, sides) in enumerate(
            zip(plays, _sides(tables, played, bidders), strict=True)
        )
    ]


def _play_of(
    pack: bytes,
    owners: bytes,
    hand: CompleteHand,
    dealt: bytes,
    widow: bytes,
    played: bytes,
    leaders: list[str],
) -> _HeldCards | None:
    """Return the leaders, the cards played and their holders of one hand; `None` if any of them is wrong.

    The deal and the exchange must be possible, each leader a seat, and every card of a hand played.
    """
    rest = pack.translate(None, dealt)
    if len(rest) + len(dealt) != len(pack) or (widow and rest.translate(None, widow)):
        return None
    try:
        led_by = bytes([*map(hand.places.__getitem__, leaders)])  # type: ignore[list-item]
        after_exchange = _exchanged(hand, dealt, rest)
    except (KeyError, TypeError, ValueError):
        return None
    if after_exchange is None or after_exchange.translate(None, played):
        return None
    return led_by, played, played.translate(bytes.maketrans(after_exchange, owners))


def _exchanged(hand: CompleteHand, dealt: bytes, rest: bytes) -> bytes | None:
    """Return the hands after the exchange, those of the deal if nothing can be exchanged.

    Returns `None` for an exchange that only the full reader can follow or refuse. A malformed one may raise
    `KeyError`, `TypeError` or `ValueError`.
    """
    bid, called, exchange = hand.agreed.undertaking.bid, hand.called, hand.values.get("exchange")
    if bid.trade is None and called is None and exchange is None:
        return dealt
    if exchange is not None and type(exchange) is not dict:
        return None
    if called is not None and bid.takes_called and bid.calls and not bid.calls.then:
        # Which card may be called depends on no other card that the bidder holds.
        return _after_call(hand, called, dealt, rest, exchange)
    if called is None and bid.takes_widow and exchange is not None:
        return _after_discard(hand, dealt, rest, exchange)
    return None


def _after_call(
    hand: CompleteHand, called: Card, dealt: bytes, rest: bytes, exchange: dict[str, Any] | None
) -> bytes | None:
    """Return the hands with the called card and the returned one exchanged between bidder and giver.

    They are as dealt if the called card lies in the widow; `None` if the exchange is missing or wrong.
    """
    bidder = hand.agreed.bidder
    if called in rest:
        return dealt if exchange in (None, {"from": WIDOW}) else None
    if exchange is None or len(exchange) != 2:
        return None
    giver, back = hand.places[exchange["from"]], SPELLINGS[exchange["returned"]]
    called_at, back_at = [dealt.index(card) // hand.rules.tricks for card in (called, back)]
    if giver == bidder or called_at != giver or (back_at != bidder and back is not called):
        return None
    return dealt.translate(bytes.maketrans(bytes((called, back)), bytes((back, called))))


def _after_discard(
    hand: CompleteHand, dealt: bytes, widow: bytes, exchange: dict[str, Any]
) -> bytes | None:
    """Return the hands with the widow taken up and the discard removed from the bidder's.

    `None` if the cards taken are not the widow, or those discarded were not held.
    """
    if len(exchange) != 2:
        return None
    took, discarded = [parse_cards([exchange[key]], len(widow)) for key in ("took", "discarded")]
    size = hand.rules.tricks
    at = hand.agreed.bidder * size
    after_exchange = (dealt[at : at + size] + widow).translate(None, discarded)
    if len(after_exchange) != size or widow.translate(None, took):
        return None
    return dealt[:at] + after_exchange + dealt[at + size :]


def _sides(tables: PlayTables, played: PlayedColumns, bidders: bytes) -> list[TrickPoints]:
    """Return each hand's points of bidder, opponents and untaken cards, and which tricks the bidder won.

    `bidders` has the bidder's place for each hand.
    """
    hands, turns, winners, _ = played
    size = len(winners)
    worths = sum([number_of(turn.translate(tables.worths)) for turn in turns])
    difference = number_of(winners) ^ number_of(bidders * tables.tricks)
    won = difference.to_bytes(size, "little").translate(_EQUAL)
    ours, both = _sums(worths & 255 * number_of(won), hands), _sums(worths, hands)
    total = tables.pack.total
    return [
        TrickPoints(mine, all_tricks - mine, total - all_tricks, won[number::hands])
        for number, (mine, all_tricks) in enumerate(zip(ours, both, strict=True))
    ]


def _sums(worths: int, hands: int) -> bytes:
    """Return the sum of each hand's card points over its tricks, a byte for each hand.

    `worths` has a row for each trick, with a byte for each hand; the points of a whole pack fit in a byte.
    """
    for tricks in (1, 2, 4, 8):
        worths += worths >> 8 * tricks * hands
    return (worths & (1 << 8 * hands) - 1).to_bytes(hands, "little")
