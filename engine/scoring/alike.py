"""Scores a hand straight from the table of plain values that a text holds.

Much of a hand comes again all evening: who sits where, what was called, what is played. Once a hand was
scored, that much of it is kept as a `Head`, and of the next one like it only what is new is looked at: the
cards dealt and played, and the points. They go through the same values, from masks of cards on, as any
record's do. Anything odd, and all that is refused, is read as a record and scored the ordinary way.
"""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

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
from engine.rules.sheet import Plan, Rules
from engine.scoring.price import price
from engine.scoring.score import score, verdict

COMES_AGAIN = ("game", "rules", "players", "dealer", "active", "auction", "contract")
NEW_EACH_TIME = ("deal", "tricks", "points")
SAYS_NOTHING = ("note", "played_at")
"""Keys that tell nothing of the score, but may be wrong themselves."""

_USUAL = frozenset(("format", "options", *COMES_AGAIN, *NEW_EACH_TIME, *SAYS_NOTHING))
_OF_LISTS = frozenset({list})


class Head(NamedTuple):
    """What is known of a hand before its cards and its points: all agreed, and nothing of it to be refused.

    The tricks `tell_all` where nothing but who took what follows from the cards.
    """

    rules: Rules
    plan: Plan
    contract: Contract
    undertaking: Undertaking
    following: Next
    tell_all: bool

    def score(self, table: Mapping[str, Any]) -> Verdict | None:
        """Score a hand by what is new in it; `None` for anything odd, be it well or not."""
        problems: Problems = []
        for key in SAYS_NOTHING:
            if key in table and table[key] is not None:
                KEYS[key][1](table[key], key, problems)
        deal, tricks, points = map(table.get, NEW_EACH_TIME)
        if problems or not (points is None or type(points) is int):
            return None
        if deal is None and tricks is None:
            result = Result(points=points)
        else:
            told = self._played(deal, tricks)
            if told is None or points not in (None, told.points):
                return None
            result = told
        rules, seats, undertaking = self.rules, self.plan.table, self.undertaking
        bid, trump = undertaking.bid, undertaking.trump
        worth = price(rules, bid, trump, result, problems, counts=True)
        if worth is None or problems:
            return None
        return verdict(rules, None, seats, worth, self.following, undertaking, result.points)

    def _played(self, deal: object, rows: object) -> Result | None:
        """Play a hand to its end that was dealt in full; the result is what the tricks tell."""
        rules, seats, contract = self.rules, self.plan.table.active, self.contract
        if not self.tell_all or type(rows) is not list or len(rows) != rules.tricks:
            return None
        known, tricks = read_texts(rules, seats, deal), usual_tricks(rows)
        if known is None or tricks is None or tricks.sizes[0] != len(seats):
            return None
        bid, bidder = self.undertaking.bid, seats.index(self.undertaking.bidder)
        try:
            done = walk(rules.play(bid, contract, seats, bidder, known.hands), tricks)
        except Refused:
            return None
        taken = side_takes(rules, contract, done, ended=True)
        return Result(**rules.tally.tell(bid, taken))  # type: ignore[arg-type]


_heads: Cache[Hashable, Head] = Cache(4096)


def score_mapping(mapping: object) -> Verdict:
    """Score a hand as JSON or TOML hold it; `Refused` carries every independent violation.

    It is `score(HandRecord.from_mapping(mapping))`, sooner where the like of it came before.

    >>> hand = {"game": "frog", "players": ["Ann", "Bob", "Cyd"], "dealer": "Cyd",
    ...         "contract": {"bidder": "Ann", "bid": "frog"}, "points": 70}
    >>> score_mapping(hand).amount, score_mapping({**hand, "points": 75}).amount
    (10, 15)
    """
    key = _key(mapping)
    head = None if key is None else _heads.get(key)
    if head is not None:
        found = head.score(mapping)  # type: ignore[arg-type]
        if found is not None:
            return found
    record = HandRecord.from_mapping(mapping)
    scored = score(record)
    if key is not None and head is None and (head := _head(record)) is not None:
        _heads.keep(key, head)
    return scored


def _key(mapping: object) -> Hashable | None:
    """Give what comes again of a usual hand, so that only the same is equal to it; `None` for anything odd.

    Lists become tuples, so that each must be one; what they hold is text wherever a hand was scored. Only
    house rules hold other values, which are told from each other as they are written: true is not 1.
    """
    if type(mapping) is not dict or not mapping.keys() <= _USUAL:
        return None
    version, options = mapping.get("format", 1), mapping.get("options")
    game, rules, players, dealer, active, calls, contract = map(mapping.get, COMES_AGAIN)
    if (
        type(version) is not int
        or version != 1
        or type(players) is not list
        or not (active is None or type(active) is list)
        or not (calls is None or (type(calls) is list and set(map(type, calls)) == _OF_LISTS))
        or not (contract is None or type(contract) is dict)
    ):
        return None
    key = (
        *(game, rules, dealer, tuple(players), None if options is None else repr(options)),
        active and tuple(active),
        calls and tuple(map(tuple, calls)),
        contract and tuple(contract.items()),
    )
    try:
        hash(key)
    except TypeError:  # a list where text belongs, or a contract with those who doubled
        return None
    return key


def _head(record: HandRecord) -> Head | None:
    """Work out what is known of a hand like one that was scored before its cards and points are.

    `None` where they tell who plays what with whom.
    """
    rules = find(record.game).rules(record.rules, record.options, len(record.players))
    plan = rules.plan(record.players, record.dealer, record.active)
    contract = record.contract or Contract()
    if contract.alone is not None or contract.announced_tout is not None:
        return None  # true, in a key, is equal to 1
    bid = rules.by_slug.get(contract.bid or "")
    tell_all = bid is not None and _tell_all(rules, bid, contract)
    if not tell_all and not (record.deal is None and record.tricks is None):
        return None
    if record.auction is not None:
        nothing = nothing_known(len(plan.table.active))
        contract = heed_auction(rules, plan, record, nothing, []) or contract
    kept = plan.undertaken.get((contract, None, None))
    return kept and Head(rules, plan, contract, *kept, tell_all)


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
