"""Scores a hand straight from the table of plain values that a text holds.

Much of a hand comes again all evening: who sits where, and what was bid by which of them. Once a hand was
scored, that much of it is kept, and of the next one like it only what is new is looked at: the cards dealt
and played, and the points. They go through the same values, from masks of cards on, as any record's do.
Anything odd, and all that is refused, is read as a record and scored the ordinary way.
"""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple, cast

from engine.cache import Cache
from engine.errors import Problems, Refused
from engine.games import find
from engine.reasoning.verdict import Next, Verdict
from engine.record import Contract, HandRecord
from engine.record.hand import KEYS
from engine.record.rows import usual_tricks
from engine.replay.auction import heed_auction
from engine.replay.deal import nothing_known, read_texts
from engine.replay.revokes import walk
from engine.replay.stated_result import side_takes
from engine.rules.aims import Result
from engine.rules.bids import Bid, Undertaking
from engine.rules.seating import Table
from engine.rules.sheet import Rules
from engine.scoring.contract import undertake
from engine.scoring.price import price
from engine.scoring.score import next_hand, score, verdict

SEATED = ("game", "rules", "options", "players", "dealer", "active")
NEW_EACH_TIME = ("deal", "tricks", "points")
SAYS_NOTHING = ("note", "played_at")
"""Keys that tell nothing of the score, but may be wrong themselves."""

_USUAL = frozenset(
    ("format", "auction", "contract", *SEATED, *NEW_EACH_TIME, *SAYS_NOTHING),
)
_STATED = ("bidder", "partner", "bid", "trump", "called")
_MAY_STATE = frozenset(_STATED)
_OF_LISTS = frozenset({list})


class Seats(NamedTuple):
    """Who sits where, by which rules, of which `house` tells one from another.

    `places` are those of the active seats, from eldest hand on; nobody has none. `following` says who deals
    and leads after each bid, as far as that was asked.
    """

    rules: Rules
    table: Table
    house: Hashable
    places: Mapping[str | None, int | None]
    following: dict[str, Next]


class Agreed(NamedTuple):
    """What auction and contract came to, by places, whoever sits there; nothing of it is to be refused.

    The tricks `tell_all` where nothing but who took what follows from the cards.
    """

    contract: Contract
    undertaking: Undertaking
    bidder: int
    partner: int | None
    tell_all: bool


_seats: Cache[Hashable, Seats] = Cache(1024)
_agreed: Cache[Hashable, Agreed] = Cache(8192)


def score_mapping(mapping: object) -> Verdict:
    """Score a hand as JSON or TOML hold it; `Refused` carries every independent violation.

    It is `score(HandRecord.from_mapping(mapping))`, sooner where the like of it came before.

    >>> hand = {"game": "frog", "players": ["Ann", "Bob", "Cyd"], "dealer": "Cyd",
    ...         "contract": {"bidder": "Ann", "bid": "frog"}, "points": 70}
    >>> score_mapping(hand).amount, score_mapping({**hand, "points": 75}).amount
    (10, 15)
    """
    seats = _seats_of(mapping)
    if seats is None:
        return score(HandRecord.from_mapping(mapping))
    table = cast("Mapping[str, Any]", mapping)
    said = _said(seats, table)
    agreed = None if said is None else _agreed.get(said)
    if agreed is not None:
        found = _like(seats, agreed, table)
        if found is not None:
            return found
    record = HandRecord.from_mapping(mapping)
    scored = score(record)
    if said is not None and agreed is None:
        agreed = _agreed_in(seats, record)
        if agreed is not None:
            _agreed.keep(said, agreed)
    return scored


def _seated(mapping: object) -> Hashable | None:
    """Give who sits where of a usual hand, so that only the same is equal to it; `None` for anything odd.

    Lists become tuples, so that each must be one; what they hold is text wherever a hand was scored. Only
    house rules hold other values, which are told from each other as they are written: true is not 1.
    """
    if type(mapping) is not dict or not mapping.keys() <= _USUAL:
        return None
    version = mapping.get("format", 1)
    game, rules, options, players, dealer, active = map(mapping.get, SEATED)
    if type(version) is not int or version != 1 or type(players) is not list:
        return None
    if active is not None:
        if type(active) is not list:
            return None
        active = tuple(active)
    key = (game, rules, options and repr(options), tuple(players), dealer, active)
    try:
        hash(key)
    except TypeError:  # a list where text belongs
        return None
    return key


def _seats_of(mapping: object) -> Seats | None:
    """Seat the players of a usual hand; `None` for anything odd, and where they are refused."""
    key, table = _seated(mapping), cast("Mapping[str, object]", mapping)
    if key is None or key in _seats:
        return _seats.get(key)
    try:
        record = HandRecord.from_mapping({name: table[name] for name in SEATED if name in table})
        rules = find(record.game).rules(record.rules, record.options, len(record.players))
        seated = rules.table(record.players, record.dealer, record.active)
    except Refused:
        return None
    if rules.settlement.problems(record):
        return None
    house = (record.game, rules.variant, rules.seats, repr(dict(rules.options)))
    places: dict[str | None, int | None] = {None: None}
    places |= {seat: place for place, seat in enumerate(seated.active)}
    return _seats.keep(key, Seats(rules, seated, house, places, {}))


def _said(seats: Seats, table: Mapping[str, Any]) -> Hashable | None:
    """Give what was called and is stated of the contract, names as places; `None` for anything odd."""
    calls, contract, places = table.get("auction"), table.get("contract"), seats.places
    if type(contract) is not dict or not contract.keys() <= _MAY_STATE:
        return None
    bidder, partner, *rest = map(contract.get, _STATED)
    try:
        if calls is not None:
            if type(calls) is not list or set(map(type, calls)) != _OF_LISTS:
                return None
            calls = tuple([(places[seat], call) for seat, call in calls])
        said = (seats.house, calls, places[bidder], places[partner], *rest)
        hash(said)
    except (KeyError, TypeError, ValueError):  # who sits out; no text; a doubler named
        return None
    return said


def _agreed_in(seats: Seats, record: HandRecord) -> Agreed | None:
    """Say what was agreed in a hand that was scored; `None` where its cards told who plays what with whom."""
    rules, table, contract = seats.rules, seats.table, record.contract or Contract()
    bid = rules.by_slug.get(contract.bid or "")
    tell_all = bid is not None and _tell_all(rules, bid, contract)
    if not tell_all and not (record.deal is None and record.tricks is None):
        return None
    problems: Problems = []
    if record.auction is not None:
        plan = rules.plan(record.players, record.dealer, record.active)
        nothing = nothing_known(len(table.active))
        contract = heed_auction(rules, plan, record, nothing, problems) or contract
    undertaking = undertake(rules, table, contract, problems)
    if undertaking is None or undertaking.doubled or problems:
        return None
    bidder, partner = undertaking.bidder, undertaking.partner
    places = table.active.index(bidder), seats.places[partner]
    return Agreed(contract, undertaking, *places, tell_all)


def _tell_all(rules: Rules, bid: Bid, contract: Contract) -> bool:
    """Whether cards tell no more of a contract than who took what, and that the play was legal."""
    trump = contract.trump or (bid.trumps[0] if bid.trumps else None)
    return not (
        bid.trade
        or bid.calls
        or bid.has_partner
        or bid.slug == rules.all_pass
        or rules.cards_bind
        or (trump and rules.ranking.matadors(trump))
    )


def _like(seats: Seats, agreed: Agreed, hand: Mapping[str, Any]) -> Verdict | None:
    """Score a hand by what is new in it; `None` for anything odd, be it well or not."""
    problems: Problems = []
    for key in SAYS_NOTHING:
        if key in hand and hand[key] is not None:
            KEYS[key][1](hand[key], key, problems)
    deal, tricks, points = map(hand.get, NEW_EACH_TIME)
    if problems or not (points is None or type(points) is int):
        return None
    if deal is None and tricks is None:
        result = Result(points=points)
    else:
        told = _played(seats, agreed, deal, tricks)
        if told is None or points not in (None, told.points):
            return None
        result = told
    rules, table, (bid, _, trump, called, *_) = seats.rules, seats.table, agreed.undertaking
    worth = price(rules, bid, trump, result, problems, counts=True)
    if worth is None or problems:
        return None
    following = seats.following.get(bid.slug)
    if following is None:
        following = seats.following[bid.slug] = next_hand(rules, table, bid.slug)
    partner = None if agreed.partner is None else table.active[agreed.partner]
    undertaking = Undertaking(bid, table.active[agreed.bidder], trump, called, partner)
    return verdict(rules, None, table, worth, following, undertaking, result.points)


def _played(seats: Seats, agreed: Agreed, deal: object, rows: object) -> Result | None:
    """Play a hand to its end that was dealt in full; the result is what the tricks tell."""
    rules, active, (contract, (bid, *_), bidder, *_) = seats.rules, seats.table.active, agreed
    if not agreed.tell_all or type(rows) is not list or len(rows) != rules.tricks:
        return None
    known, tricks = read_texts(rules, active, deal), usual_tricks(rows)
    if known is None or tricks is None or tricks.sizes[0] != len(active):
        return None
    try:
        done = walk(rules.play(bid, contract, active, bidder, known.hands), tricks)
    except Refused:
        return None
    taken = side_takes(rules, 1 << bidder, done, ended=True)
    return Result(**rules.tally.tell(bid, taken))  # type: ignore[arg-type]
