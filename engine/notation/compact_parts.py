"""The parts of a compact line with a notation of their own: deal, auction, contract, tricks and others.

Each part is a pair of functions between the plain value of a record's key and its text in a line. A writer
raises `NoNotation` or `KeyError` for a value that its notation can't express; the value is then written like
that of any other key.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.cards.cards import RANKS, SUITS
from engine.cards.dealing import WIDOW
from engine.notation.compact_text import LineReader
from engine.phases.bidding.auction import DOUBLE, REDOUBLE
from engine.record import PASS
from engine.replay.spit import SPIT

SEATS = "abcdefghijkl"
"""The letters of the seats, clockwise from the first of a record's players."""

SUIT_LETTERS, DESCENDING, UNKNOWN = "".join(SUITS), RANKS[::-1], "?"
_SHORT_CALLS = {DOUBLE: "x", REDOUBLE: "y"}
_CALLS = {short: call for call, short in _SHORT_CALLS.items()}

_SUIT, _RANK = re.compile(f"[{SUIT_LETTERS}]"), re.compile(f"[{RANKS}]")
_CARD = re.compile(f"[{SUIT_LETTERS}][{RANKS}]")
_RUN = re.compile(f"[{SUIT_LETTERS}][{RANKS}]+")
_LEAD = re.compile(f"[{SUIT_LETTERS.lower()}][{RANKS}]|-")
_LETTERS = re.compile(f"[{SEATS}]+")
_SLUG = re.compile(r"[a-z]{2}[a-z0-9-]*|[xy]", re.ASCII)
_DIGIT = re.compile("[0-9]")


class NoNotation(Exception):
    """Raised for a value that the notation of its part can't express."""


class TableSeats(NamedTuple):
    """The names and letters of the seats, and the dealer's letter."""

    players: Sequence[str]
    letters: Mapping[str, str]
    dealer: str

    @classmethod
    def of(cls, players: Sequence[str], dealer: str) -> "TableSeats":
        """Build with a letter for each player, `a`, `b` and so on in order; the dealer is one of them."""
        letters = dict(zip(players, SEATS, strict=False))
        return cls(players, letters, letters[dealer])

    def name(self, letter: str) -> str:
        """Return the player with a letter; the letter itself if the table has no such seat."""
        at = SEATS.find(letter)
        return self.players[at] if 0 <= at < len(self.players) else letter

    def names(self, letters: str) -> list[str]:
        """Return the players with these letters, in order; a letter without a seat stands for itself."""
        return [self.name(letter) for letter in letters]

    def write(self, names: Iterable[str]) -> str:
        """Return the letters of players as one text, in order. Raises `KeyError` for another name."""
        return "".join(self.letters[name] for name in names)

    def left_of(self, letter: str) -> str:
        """Return the letter of the next seat clockwise; after the last one, `a`."""
        return SEATS[(SEATS.index(letter) + 1) % len(self.players)]


def _only(table: Any, *keys: str) -> Mapping[str, Any]:
    """Return a table unchanged. Raises `NoNotation` for other values, or if it has other keys than these."""
    if not isinstance(table, Mapping) or not set(table) <= {*keys}:
        raise NoNotation
    return table


def _suited(text: str) -> str:
    """Return cards suit by suit, the suit's letter once and its ranks from high to low, unknown ones last.

    >>> _suited("7H ? TS AS")
    'SATH7?'
    """
    cards = text.split()
    pairs = sorted(
        (SUIT_LETTERS.index(card[1]), DESCENDING.index(card[0]))
        for card in cards
        if card != UNKNOWN
    )
    written, last = "", -1
    for suit, rank in pairs:
        written += (SUIT_LETTERS[suit] if suit != last else "") + DESCENDING[rank]
        last = suit
    return written + UNKNOWN * cards.count(UNKNOWN)


def _read_suited(source: LineReader) -> str:
    """Read the cards that `_suited` writes, and return them as a record has them, `AS TS 7H ?`."""
    cards = []
    while run := source.maybe(_RUN):
        cards += [rank + run[0] for rank in run[1:]]
    while source.sign(UNKNOWN):
        cards.append(UNKNOWN)
    return " ".join(cards)


def _card(text: str) -> str:
    """Return a card with its two characters swapped: `TD` in a record is `DT` in a line."""
    return text[::-1]


def _write_deal(deal: Any, seats: TableSeats) -> str:
    """Return a deal: each seat's letter with its cards as `_suited`, then `w` with the widow's."""
    parts = _only(deal, "hands", WIDOW)
    hands = parts.get("hands", {})
    written = [
        letter + _suited(hands[name]) for name, letter in seats.letters.items() if name in hands
    ]
    if WIDOW in parts:
        written.append("w" + _suited(parts[WIDOW]))
    return "".join(written)


def _read_deal(source: LineReader, seats: TableSeats) -> object:
    """Read a part as `_write_deal` writes it, and return the deal's keys."""
    deal: dict[str, object] = {}
    hands: dict[str, str] = {}
    while not source.over:
        if source.sign("w"):
            deal[WIDOW] = _read_suited(source)
        else:
            seat = _read_seat(source, seats)
            hands[seat] = _read_suited(source)
    return {"hands": hands, **deal} if hands else deal


def _read_seat(source: LineReader, seats: TableSeats) -> str:
    """Read the letter of a seat and return its player. Raises `Refused` if there is none."""
    letter = source.sign(SEATS[: len(seats.players)])
    if not letter:
        raise source.refused("seat")
    return seats.name(letter)


def _write_auction(calls: Any, seats: TableSeats) -> str:
    """Return the calls: a seat's letter with `-` for a pass, else with the bid and a comma, `afrage,b-`.

    A double is `x`, a redouble `y` with a point and the doubler's letter. Raises `NoNotation` for other
    forms.
    """
    written = ""
    for seat, call, *doubler in calls:
        if (call == REDOUBLE) is not bool(doubler):
            raise NoNotation
        if call == PASS:
            written += seats.letters[seat] + "-"
        else:
            word = _SHORT_CALLS.get(call) or _slug(call)
            written += f"{seats.letters[seat]}{word}{'.' * bool(doubler)}{seats.write(doubler)},"
    return written


def _slug(word: Any) -> str:
    """Return a slug unchanged. Raises `NoNotation` for other values and for the words `x` and `y`."""
    if not isinstance(word, str) or word in _CALLS or _SLUG.fullmatch(word) is None:
        raise NoNotation
    return word


def _read_auction(source: LineReader, seats: TableSeats) -> object:
    """Read a part as `_write_auction` writes it, and return the list of calls."""
    calls = []
    while not source.over:
        seat = _read_seat(source, seats)
        if source.sign("-"):
            calls.append([seat, PASS])
            continue
        word = source.take(_SLUG, "call")
        doubler = [_read_seat(source, seats)] if source.sign(".") else []
        if not source.sign(","):
            raise source.refused("call")
        calls.append([seat, _CALLS.get(word, word), *doubler])
    return calls


_DETAILS = ("bidder", "bid", "trump", "called", "partner", "alone", "doubled", "redoubled")
_TOUT = "announced_tout"


def _write_contract(contract: Any, seats: TableSeats) -> str:
    """Return a contract: bidder's letter and bid, then `+` trump, `!` called card and `=` partner, if any.

    `=0` stands for alone, `.` for no bidder; `,x` and `,y` precede the letters of doubled and redoubled
    seats, and `,t` is an announced tout. Raises `NoNotation` for a value that has no mark.
    """
    parts = _only(contract, *_DETAILS, _TOUT)
    bidder, bid, trump, called, partner, alone, doubled, redoubled = map(parts.get, _DETAILS)
    if alone is False or parts.get(_TOUT) is False or (alone and partner is not None):
        raise NoNotation
    written = seats.letters[bidder] if bidder is not None else "."
    written += "" if bid is None else _slug(bid)
    written += "" if trump is None else f"+{trump}"
    written += "" if called is None else f"!{_card(called)}"
    written += "=0" if alone else "" if partner is None else f"={seats.letters[partner]}"
    for mark, names in (("x", doubled), ("y", redoubled)):
        if names is not None:
            written += f",{mark}{seats.write(names)}"
    return written + ",t" * (_TOUT in parts)


def _read_contract(source: LineReader, seats: TableSeats) -> object:
    """Read a part as `_write_contract` writes it, and return the contract's keys."""
    contract: dict[str, object] = {}
    if not source.sign("."):
        contract["bidder"] = _read_seat(source, seats)
    if bid := source.maybe(_SLUG):
        contract["bid"] = bid
    while not source.over:
        mark = source.sign("+!=,")
        if mark == "+":
            contract["trump"] = source.take(_SUIT, "card")
        elif mark == "!":
            contract["called"] = _card(source.take(_CARD, "card"))
        elif mark == "=" and source.sign("0"):
            contract["alone"] = True
        elif mark == "=":
            contract["partner"] = _read_seat(source, seats)
        elif mark and source.sign("t"):
            contract[_TOUT] = True
        elif mark and (detail := source.sign("xy")):
            key = "doubled" if detail == "x" else "redoubled"
            contract[key] = seats.names(source.maybe(_LETTERS))
        else:
            raise source.refused("contract")
    return contract


_EXCHANGE = {"took": "t", "discarded": "d", "from": "f", "returned": "r"}


def _write_exchange(exchange: Any, seats: TableSeats) -> str:
    """Return an exchange: `t` and `d` with the cards taken and discarded, `f` giver, `r` returned card.

    The giver is a seat's letter, or `w` for the widow.
    """
    parts, written = _only(exchange, *_EXCHANGE), ""
    for key, mark in _EXCHANGE.items():
        value = parts.get(key)
        if value is None:
            continue
        if key == "from":
            written += mark + ("w" if value == WIDOW else seats.letters[value])
        else:
            written += mark + (_card(value) if key == "returned" else _suited(value))
    return written


def _read_exchange(source: LineReader, seats: TableSeats) -> object:
    """Read a part as `_write_exchange` writes it, and return the exchange's keys."""
    exchange: dict[str, object] = {}
    while not source.over:
        mark = source.sign("tdfr")
        if mark == "f":
            exchange["from"] = WIDOW if source.sign("w") else _read_seat(source, seats)
        elif mark == "r":
            exchange["returned"] = _card(source.take(_CARD, "card"))
        elif mark:
            exchange["took" if mark == "t" else "discarded"] = _read_suited(source)
        else:
            raise source.refused("exchange")
    return exchange


def _write_tricks(tricks: Any, seats: TableSeats) -> str:
    """Return the tricks: the card led with its suit in lower case, then the other cards, `sAKT`.

    Of these only a suit other than the one led is written. `@` and a letter name a recorded leader; an
    unknown card led is `-`, any other `?`. Raises `NoNotation` for a trick without cards.
    """
    written = ""
    for trick in tricks:
        parts = _only({"cards": trick} if isinstance(trick, str) else trick, "leader", "cards")
        cards = parts["cards"].split()
        if not cards:
            raise NoNotation
        leader, suit = parts.get("leader"), cards[0][1:]
        written += "" if leader is None else f"@{seats.letters[leader]}"
        written += "-" if cards[0] == UNKNOWN else suit.lower() + cards[0][0]
        for card in cards[1:]:
            written += card if card == UNKNOWN else (card[1] if card[1] != suit else "") + card[0]
    return written


def _read_tricks(source: LineReader, seats: TableSeats) -> object:
    """Read a part as `_write_tricks` writes it, and return the list of tricks."""
    tricks = []
    while not source.over:
        leader = {"leader": _read_seat(source, seats)} if source.sign("@") else {}
        lead = source.take(_LEAD, "lead")
        led = "" if lead == "-" else lead[0].upper()
        cards = [lead[1] + led if led else UNKNOWN]
        while True:
            if source.sign(UNKNOWN):
                cards.append(UNKNOWN)
                continue
            suit = source.maybe(_SUIT)
            if not (suit or (led and _RANK.match(source.line, source.at, source.end))):
                break
            cards.append(source.take(_RANK, "card") + (suit or led))
        tricks.append({**leader, "cards": " ".join(cards)})
    return tricks


def _write_spit(spit: Any, seats: TableSeats) -> str:
    """Return a spit deal: the cards in order, after `-` if spit, after a seat's letter if not in turn.

    A suit is written if it differs from that of the card before. After a comma come the cards drawn: seat,
    card shown, card drawn. Raises `KeyError` without an order.
    """
    parts = _only(spit, "order", "drawn")
    turn, suit, written = seats.left_of(seats.dealer), "", ""
    for place, card in parts["order"]:
        if place == SPIT:
            written += "-"
        else:
            letter = seats.letters[place]
            written += "" if letter == turn else letter
            turn = seats.left_of(letter)
        written += ("" if card[1] == suit else card[1]) + card[0]
        suit = card[1]
    if "drawn" in parts:
        rows = (
            seats.letters[seat] + _card(other) + _card(card) for seat, other, card in parts["drawn"]
        )
        written += "," + "".join(rows)
    return written


def _read_spit(source: LineReader, seats: TableSeats) -> object:
    """Read a part as `_write_spit` writes it, and return the spit deal's keys."""
    turn, suit = seats.left_of(seats.dealer), ""
    order: list[list[str]] = []
    drawn: list[list[str]] | None = None
    while not source.over and drawn is None:
        if source.sign(","):
            drawn = []
            break
        is_spit, letter = source.sign("-"), source.sign(SEATS[: len(seats.players)])
        suit = source.maybe(_SUIT) or suit
        if not suit or (is_spit and letter):
            raise source.refused("card")
        card = source.take(_RANK, "card") + suit
        letter = letter or turn
        order.append([SPIT if is_spit else seats.name(letter), card])
        turn = turn if is_spit else seats.left_of(letter)
    while not source.over and drawn is not None:
        row = [_read_seat(source, seats)]
        drawn.append(row + [_card(source.take(_CARD, "card")) for _ in "12"])
    return {"order": order} if drawn is None else {"order": order, "drawn": drawn}


def _write_blind_round(blind: Any, seats: TableSeats) -> str:
    """Return a blind round: the letters of `done`, then the number `heartless`, if stated."""
    parts = _only(blind, "done", "heartless")
    return seats.write(parts.get("done", ())) + str(parts.get("heartless", ""))


def _read_blind_round(source: LineReader, seats: TableSeats) -> object:
    """Read a part as `_write_blind_round` writes it, and return the blind round's keys."""
    blind: dict[str, object] = {}
    if letters := source.maybe(_LETTERS):
        blind["done"] = seats.names(letters)
    if not source.over:
        blind["heartless"] = int(source.take(_DIGIT, "value"))
    return blind


class LinePart(NamedTuple):
    """The notation of a record's key: its letter in a line, and the functions that write and read it."""

    letter: str
    write: Callable[[Any, TableSeats], str]
    read: Callable[[LineReader, TableSeats], object]


PARTS: Mapping[str, LinePart] = {
    "blind_round": LinePart("b", _write_blind_round, _read_blind_round),
    "spit": LinePart("s", _write_spit, _read_spit),
    "deal": LinePart("d", _write_deal, _read_deal),
    "auction": LinePart("a", _write_auction, _read_auction),
    "contract": LinePart("c", _write_contract, _read_contract),
    "exchange": LinePart("e", _write_exchange, _read_exchange),
    "tricks": LinePart("t", _write_tricks, _read_tricks),
}
"""The notations, by key, in the order of a line."""
