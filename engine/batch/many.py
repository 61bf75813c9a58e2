"""`score_many`: scores complete hands together, and all others one by one.

Much of a hand recurs all evening: the seats, the auction and the contract. These are checked once and cached
with places instead of names, so that only the cards of a hand are new. A hand that is refused, or written in
an unusual form, is read as a record and scored by `score`.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from engine.batch.complete_hands import (
    AgreedContract,
    CompleteHand,
    PlayTables,
    play_tables,
    side_cards,
)
from engine.cards.cache import Cache
from engine.cards.cards import SPELLINGS
from engine.errors import Problems, Refused, refuse_any
from engine.games import find
from engine.record import Contract, HandRecord
from engine.record.fields import read_auction, reader_of
from engine.record.hand import KEYS
from engine.replay.auction import check_auction
from engine.replay.deal import nothing_known
from engine.rules.aims import Result
from engine.rules.bids import Undertaking
from engine.rules.card_points import TrickPoints
from engine.rules.changes import VERSION
from engine.rules.sheet import Plan, Rules
from engine.rules.verdict import Verdict
from engine.scoring.contract import check_called, undertake
from engine.scoring.price import price_counted
from engine.scoring.score import score, verdict

_SEATING_KEYS = ("game", "rules", "options", "players", "dealer", "active")
_NO_EFFECT = ("note", "played_at")
"""Keys that do not change the verdict, but may be invalid themselves."""

_USUAL_KEYS = frozenset(
    (
        *("format", "points", *_SEATING_KEYS, *_NO_EFFECT),
        *("auction", "contract", "deal", "exchange", "tricks"),
    )
)
_CONTRACT_KEYS = ("bidder", "partner", "bid", "trump")
_read_contract: Any = reader_of(Contract)


class SeatedTable(NamedTuple):
    """The rules and seats of a hand.

    `rules_key` identifies the rules in cache keys. `places` maps each active seat to its place from eldest
    hand on, and `None` to `None`.
    """

    rules: Rules
    plan: Plan
    rules_key: Hashable
    places: Mapping[str | None, int | None]


# Cached for the benchmark rules: the seats and rules of a table recur in every round of deals.
_tables: Cache[Hashable, SeatedTable | None] = Cache(4096)

# Cached for the benchmark rules: most auctions and contracts of a file recur, and checking one takes as long
# as scoring the rest of its hand.
_contracts: Cache[Hashable, AgreedContract | None] = Cache(8192)


def score_many(mappings: Sequence[object], version: str = VERSION) -> list[Verdict | Refused]:
    """Return the verdict on each hand, given as JSON or TOML have it, by the rules of an engine version.

    It is `score(HandRecord.from_mapping(mapping), version)` for each, or the `Refused` that this raises, in
    the order of the hands; nothing is raised.

    >>> hand = {"game": "frog", "players": ["Ann", "Bob", "Cyd"], "dealer": "Cyd",
    ...         "contract": {"bidder": "Ann", "bid": "frog"}, "points": 70}
    >>> [verdict.amount for verdict in score_many([hand, {**hand, "points": 75}])]
    [10, 15]
    """
    verdicts: list[Verdict | None] = [None] * len(mappings)
    groups: dict[tuple[PlayTables, int], list[tuple[int, SeatedTable, CompleteHand]]] = {}
    for number, mapping in enumerate(mappings):
        table = _seated_table(mapping, version)
        hand = None if table is None else _complete_hand(table, cast("dict[str, Any]", mapping))
        if table is not None and hand is not None:
            key = hand.agreed.tables, len(hand.values["deal"])
            groups.setdefault(key, []).append((number, table, hand))
    for (tables, _), hands in groups.items():
        sides = side_cards(tables, [hand for _, _, hand in hands])
        for (number, table, hand), cards in zip(hands, sides, strict=True):
            if cards is not None:
                verdicts[number] = _verdict(table, hand, cards)
    pairs = zip(verdicts, mappings, strict=True)
    return [one or _score_record(mapping, version) for one, mapping in pairs]


def _score_record(mapping: object, version: str) -> Verdict | Refused:
    """Return the verdict on a record's plain values, or, not raised, its `Refused`."""
    try:
        return score(HandRecord.from_mapping(mapping), version)
    except Refused as refused:
        return refused


def _seated_table(mapping: object, version: str) -> SeatedTable | None:
    """Return the rules and seats of a hand with a deal, cached for the same keys.

    `None` for hands without a deal or with unusual keys, for refused seats, and if cards can bind calls.
    """
    if (
        type(mapping) is not dict
        or type(mapping.get("deal")) is not dict
        or not mapping.keys() <= _USUAL_KEYS
    ):
        return None
    format_number = mapping.get("format", 1)
    game, rules, options, players, dealer, active = map(mapping.get, _SEATING_KEYS)
    if type(format_number) is not int or format_number != 1 or type(players) is not list:
        return None
    if active is not None:
        if type(active) is not list:
            return None
        active = tuple(active)
    # House rules are compared as they are written: True is not 1.
    key = version, game, rules, options and repr(options), tuple(players), dealer, active
    try:
        return _tables[key] if key in _tables else _tables.keep(key, _seat(mapping, version))
    except (Refused, TypeError):  # a list in place of text
        return None


def _seat(mapping: Mapping[str, Any], version: str) -> SeatedTable | None:
    """Check the rules and seats of a hand and return them; `None` if the cards can require or forbid a call.

    The other games have no partners, no forced contract and no matadors, which depend on the cards, too.
    Raises `Refused` for invalid rules or seats, and if the rules require a key that is not usual.
    """
    record = HandRecord.from_mapping(
        {name: mapping[name] for name in _SEATING_KEYS if name in mapping}
    )
    rules = find(record.game).rules(record.rules, record.options, len(record.players), version)
    refuse_any(rules.settlement.problems(record))
    if rules.cards_bind:
        return None
    plan = rules.plan(record.players, record.dealer, record.active)
    places: dict[str | None, int | None] = {None: None}
    places |= {seat: place for place, seat in enumerate(plan.table.active)}
    # The number of idle seats makes no difference to a contract.
    playing = rules.seating.count or rules.seats
    rules_key = version, record.game, rules.variant, repr(dict(rules.options)), playing
    return SeatedTable(rules, plan, rules_key, places)


def _complete_hand(table: SeatedTable, hand: Mapping[str, Any]) -> CompleteHand | None:
    """Return a hand with everything read but its cards; `None` if this is refused or in an unusual form."""
    agreed = _agreed_contract(table, hand)
    if agreed is None:
        return None
    problems: Problems = []
    points, called = hand.get("points"), hand["contract"].get("called")
    for key in _NO_EFFECT:
        if hand.get(key) is not None:
            KEYS[key][1](hand[key], key, problems)
    if called is not None:
        called = SPELLINGS.get(called) if type(called) is str else None
        if called is None:
            return None
        bid, trump = agreed.undertaking.bid, agreed.undertaking.trump
        check_called(table.rules, bid, called, trump, problems, None)
    if problems or not (points is None or type(points) is int):
        return None
    return CompleteHand(table.rules, table.plan.table.active, table.places, agreed, called, hand)


def _agreed_contract(table: SeatedTable, hand: Mapping[str, Any]) -> AgreedContract | None:
    """Return a hand's contract, checked once for the same calls and statements by the same places.

    Returns `None` if it is refused, or only the full reader can check it.
    """
    calls, contract, places = hand.get("auction"), hand.get("contract"), table.places
    if type(contract) is not dict or not contract.keys() <= {"called", *_CONTRACT_KEYS}:
        return None
    try:
        if calls is not None:
            if type(calls) is not list or set(map(type, calls)) != {list}:
                return None
            calls = tuple([(places[seat], call) for seat, call in calls])
        bidder, partner, bid, trump = map(contract.get, _CONTRACT_KEYS)
        key = table.rules_key, calls, places[bidder], places[partner], bid, trump
        if key in _contracts:
            return _contracts[key]
    except (KeyError, TypeError, ValueError):  # an idle seat; no text; a call with a doubler
        return None
    return _contracts.keep(key, _check_contract(table, hand))


def _check_contract(table: SeatedTable, hand: Mapping[str, Any]) -> AgreedContract | None:
    """Return the checked contract with its tables; `None` if refused, doubled or dependent on the cards."""
    rules, plan = table.rules, table.plan
    seats, problems = plan.table.active, cast("Problems", [])
    stated = {key: hand["contract"][key] for key in _CONTRACT_KEYS if key in hand["contract"]}
    contract = _read_contract(stated, "contract", problems) or Contract()
    if hand.get("auction") is not None and not problems:
        auction = read_auction(hand["auction"], "auction", problems)
        if auction is not None and not problems:
            nothing = nothing_known(len(seats))
            contract = check_auction(rules, plan, auction, contract, nothing, problems) or contract
    undertaking = None if problems else undertake(rules, plan.table, contract, problems)
    if undertaking is None or undertaking.doubled or problems:
        return None
    place = seats.index(undertaking.bidder)
    order, leader = rules.opening(undertaking.bid, contract, len(seats), place)
    tables = play_tables(rules.pack, len(seats), rules.tricks, order)
    return AgreedContract(undertaking, place, leader, tables)


def _verdict(table: SeatedTable, hand: CompleteHand, cards: TrickPoints) -> Verdict | None:
    """Return the verdict on a hand that was played out; `None` if it states other points than the cards."""
    rules, plan, seats, agreed = table.rules, table.plan, hand.seats, hand.agreed
    bid, _, trump, *_ = agreed.undertaking
    result = Result(**rules.tally.from_cards(bid, cards))  # type: ignore[arg-type]
    points = hand.values.get("points")
    if points is not None and points != result.points:
        return None
    undertaking = Undertaking(bid, seats[agreed.bidder], trump, hand.called, None)
    price = price_counted(rules, bid, trump, result)
    return verdict(rules, plan, price, undertaking, result.points)
