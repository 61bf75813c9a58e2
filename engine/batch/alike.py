"""Scores a hand straight from the table of plain values that a text holds.

Much of a hand comes again all evening: who sits where, and what was bid by which of them. Once a hand was
scored, that much of it is kept, and of the next one like it only what is new is looked at: the cards dealt
and played, and the points. They go through the same values, from masks of cards on, as any record's do.
Anything odd, and all that is refused, is read as a record and scored the ordinary way.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from engine.batch.whole import Agreed, Case, Course, course_of, read_whole
from engine.cards.cache import Cache
from engine.cards.cards import SPELLINGS
from engine.errors import Problems, Refused, refuse_any
from engine.games import find
from engine.record import Contract, HandRecord, reading
from engine.record.hand import KEYS
from engine.record.parts import reader_of
from engine.record.rows import read_auction
from engine.record.seats import table_problems
from engine.replay.auction import heed_auction
from engine.replay.deal import nothing_known
from engine.rules.aims import Result
from engine.rules.bids import Undertaking
from engine.rules.card_points import Taken
from engine.rules.changes import VERSION
from engine.rules.sheet import Plan, Rules
from engine.rules.tariffs import Price
from engine.rules.verdict import Next, Verdict
from engine.scoring.contract import check_called, undertake
from engine.scoring.price import price, price_counted
from engine.scoring.score import next_hand, score, verdict

SEATED = ("game", "rules", "options", "players", "dealer", "active")
AGREED = ("auction", "contract")
CARDS = ("deal", "exchange", "tricks")
SAYS_NOTHING = frozenset(("note", "played_at"))
"""Keys that tell nothing of the score, but may be wrong themselves."""

_USUAL = frozenset(("format", "points", *SEATED, *AGREED, *CARDS, *SAYS_NOTHING))
_STATED = ("bidder", "partner", "bid", "trump")
_MAY_STATE = frozenset(("called", *_STATED))
_read_contract: Any = reader_of(Contract)
_OF_LISTS = frozenset({list})


class Seats(NamedTuple):
    """Who sits where, by which rules, of which `house` tells one from another.

    `places` are those of the active seats, from eldest hand on; nobody has none. `following` says who deals
    and leads after each bid, as far as that was asked.
    """

    rules: Rules
    plan: Plan
    house: Hashable
    places: Mapping[str | None, int | None]
    following: dict[str, Next]


_houses: Cache[Hashable, tuple[Rules, Hashable]] = Cache(1024)
_seats: Cache[Hashable, Seats] = Cache(4096)
_agreed: Cache[Hashable, Agreed | None] = Cache(8192)


def score_mapping(mapping: object) -> Verdict:
    """Score a hand as JSON or TOML hold it; `Refused` carries every independent violation.

    >>> hand = {"game": "frog", "players": ["Ann", "Bob", "Cyd"], "dealer": "Cyd",
    ...         "contract": {"bidder": "Ann", "bid": "frog"}, "points": 70}
    >>> score_mapping(hand).amount, score_mapping({**hand, "points": 75}).amount
    (10, 15)
    """
    (scored,) = score_mappings([mapping])
    if isinstance(scored, Refused):
        raise scored
    return scored


def score_mappings(mappings: Sequence[object], version: str = VERSION) -> list[Verdict | Refused]:
    """Score many hands by the rules of an engine version, each as if by itself.

    The result is that of `score(HandRecord.from_mapping(mapping), version)` for each. It is faster if similar
    hands came before, and for many hands at once, as their cards are then read together.
    """
    scored: list[Verdict | None] = [None] * len(mappings)
    together: dict[tuple[Course, int], list[tuple[int, Seats, Case]]] = {}
    for number, mapping in enumerate(mappings):
        seats = _seats_of(mapping, version)
        case = None if seats is None else _case(seats, cast("Mapping[str, Any]", mapping))
        if seats is None or case is None:
            continue
        deal, course = case.hand.get("deal"), case.agreed.course
        if type(deal) is not dict:
            if not _has_cards(case.hand):
                scored[number] = _by_points(seats, case)
        elif course is not None:
            together.setdefault((course, len(deal)), []).append((number, seats, case))
    for (course, _), hands in together.items():
        told = read_whole(course, [case for _, _, case in hands])
        for (number, seats, case), taken in zip(hands, told, strict=True):
            if taken is not None:
                scored[number] = _by_tricks(seats, case, taken)
    pairs = zip(scored, mappings, strict=True)
    return [each or _by_record(mapping, version) for each, mapping in pairs]


def _by_record(mapping: object, version: str) -> Verdict | Refused:
    """Score a hand the ordinary way."""
    try:
        return score(HandRecord.from_mapping(mapping), version)
    except Refused as refused:
        return refused


def _seated(mapping: object, version: str) -> tuple[Any, ...] | None:
    """Return the seats and rules of a usual hand as a key of the caches; `None` for anything odd.

    Lists become tuples, so that each must be one; what they hold is text wherever a hand was scored. Only
    house rules hold other values, which are told from each other as they are written: true is not 1.
    """
    if type(mapping) is not dict or not mapping.keys() <= _USUAL:
        return None
    written = mapping.get("format", 1)
    game, rules, options, players, dealer, active = map(mapping.get, SEATED)
    if type(written) is not int or written != 1 or type(players) is not list:
        return None
    if active is not None:
        if type(active) is not list:
            return None
        active = tuple(active)
    return version, game, rules, options and repr(options), tuple(players), dealer, active


def _seats_of(mapping: object, version: str) -> Seats | None:
    """Seat the players of a usual hand; `None` for anything odd, and where they are refused."""
    key = _seated(mapping, version)
    if key is None:
        return None
    try:
        seats = _seats.get(key)
    except TypeError:  # a list where text belongs
        return None
    return seats or _seat(key, cast("Mapping[str, Any]", mapping))


def _seat(key: tuple[Any, ...], table: Mapping[str, Any]) -> Seats | None:
    """Seat the players of a table that is new; `None` where they are refused."""
    *house, players, dealer, active = key
    at = (*house, len(players))
    problems: Problems = []
    try:
        rules, name = _houses.get(at) or _houses.keep(at, _house(table, at[0]))
        names = reading.names([*players, dealer, *(active or ())], "players", problems)
        if names is None or table_problems(players):
            return None
        plan = rules.plan(players, dealer, active)
    except Refused:
        return None
    places: dict[str | None, int | None] = {None: None}
    places |= {seat: place for place, seat in enumerate(plan.table.active)}
    return _seats.keep(key, Seats(rules, plan, name, places, {}))


def _house(table: Mapping[str, Any], version: str) -> tuple[Rules, Hashable]:
    """Return a hand's rules, and a key that they share with the same rules for another number of idle seats.

    Idle seats make no difference to the parts that check a contract. Raises `Refused`, also if the rules
    require a key that no usual hand has.
    """
    record = HandRecord.from_mapping({name: table[name] for name in SEATED if name in table})
    rules = find(record.game).rules(record.rules, record.options, len(record.players), version)
    refuse_any(rules.settlement.problems(record))
    playing = rules.seating.count or rules.seats
    return rules, (version, record.game, rules.variant, repr(dict(rules.options)), playing)


def _said(seats: Seats, table: Mapping[str, Any]) -> Hashable | None:
    """Give what was called and is stated of the contract, names as places; `None` for anything odd."""
    calls, contract, places = table.get("auction"), table.get("contract"), seats.places
    if type(contract) is not dict or not contract.keys() <= _MAY_STATE:
        return None
    stated = contract.get
    try:
        if calls is not None:
            if type(calls) is not list or set(map(type, calls)) != _OF_LISTS:
                return None
            calls = tuple([(places[seat], call) for seat, call in calls])
        bidder, partner = places[stated("bidder")], places[stated("partner")]
        return seats.house, calls, bidder, partner, stated("bid"), stated("trump")
    except (KeyError, TypeError, ValueError):  # who sits out; no text; a doubler named
        return None


def _agree(seats: Seats, table: Mapping[str, Any]) -> Agreed | None:
    """Say what was agreed in a hand; `None` where it is refused, or its cards would tell of it."""
    rules, plan = seats.rules, seats.plan
    problems: Problems = []
    stated = {key: value for key, value in table["contract"].items() if key in _STATED}
    contract = _read_contract(stated, "contract", problems) or Contract()
    auction = table.get("auction")
    if auction is not None:
        auction = read_auction(auction, "auction", problems)
    if problems:
        return None
    if auction is not None:
        nothing = nothing_known(len(plan.table.active))
        contract = heed_auction(rules, plan, auction, contract, nothing, problems) or contract
    undertaking = undertake(rules, plan.table, contract, problems)
    if undertaking is None or undertaking.doubled or problems:
        return None
    active, (bid, name, _, _, partner, *_) = plan.table.active, undertaking
    bidder = active.index(name)
    course, leader = course_of(rules, len(active), contract, bid, bidder)
    return Agreed(contract, undertaking, bidder, seats.places[partner], leader, course)


def _case(seats: Seats, hand: Mapping[str, Any]) -> Case | None:
    """Say what is to be read of a hand by what; `None` for anything odd, be it well or not."""
    said = _said(seats, hand)
    if said is None:
        return None
    try:
        agreed = _agreed[said]
    except KeyError:
        agreed = _agreed.keep(said, _agree(seats, hand))
    except TypeError:  # a list where text belongs
        return None
    if agreed is None:
        return None
    problems: Problems = []
    points, called = hand.get("points"), hand["contract"].get("called")
    for key in SAYS_NOTHING:
        if hand.get(key) is not None:
            KEYS[key][1](hand[key], key, problems)
    if called is not None:
        called = SPELLINGS.get(called) if type(called) is str else None
        if called is None:
            return None
        bid, trump = agreed.undertaking.bid, agreed.contract.trump
        check_called(seats.rules, bid, called, trump, problems, None)
    if problems or not (points is None or type(points) is int):
        return None
    return Case(seats.rules, seats.plan.table.active, seats.places, agreed, called, hand)


def _has_cards(hand: Mapping[str, Any]) -> bool:
    return not all(hand.get(key) is None for key in CARDS)


def _by_points(seats: Seats, case: Case) -> Verdict | None:
    """Score a hand by its points; `None` where they are refused."""
    problems: Problems = []
    (bid, _, trump, *_), points = case.agreed.undertaking, case.hand.get("points")
    worth = price(seats.rules, bid, trump, Result(points=points), problems, counts=True)
    return None if worth is None or problems else _settled(seats, case, worth, points)


def _by_tricks(seats: Seats, case: Case, taken: Taken) -> Verdict | None:
    """Score a hand by who took what; `None` where other points are stated."""
    rules, undertaking, points = seats.rules, case.agreed.undertaking, case.hand.get("points")
    told = Result(**rules.tally.tell(undertaking.bid, taken))  # type: ignore[arg-type]
    if points is not None and points != told.points:
        return None
    worth = price_counted(rules, undertaking.bid, undertaking.trump, told)
    return _settled(seats, case, worth, told.points)


def _settled(seats: Seats, case: Case, worth: Price, points: int | None) -> Verdict:
    """Say who pays whom at these seats."""
    rules, plan, names, agreed = seats.rules, seats.plan, case.seats, case.agreed
    bid, trump = agreed.undertaking.bid, agreed.undertaking.trump
    following = seats.following.get(bid.slug)
    if following is None:
        following = seats.following[bid.slug] = next_hand(rules, plan.table, bid.slug)
    partner = None if agreed.partner is None else names[agreed.partner]
    undertaking = Undertaking(bid, names[agreed.bidder], trump, case.called, partner)
    return verdict(rules, plan, worth, following, undertaking, points=points)
