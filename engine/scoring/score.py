"""`score`: from a record to a verdict, or to all violations.

The same steps for every game and depth: build the rules, seat the table, derive facts from the cards, check
contract and result, judge, price, settle, rotate. Games differ in the parts that their rule sheet composes.

Without cards, contract and result are taken as stated. With cards (deal, auction, exchange, tricks)
everything that follows from them is derived, and anything else that is stated is checked against it.
"""

from itertools import chain
from operator import attrgetter

from engine.errors import Problems, Refused, Violation, refuse_any
from engine.games import find
from engine.record import PASS, Contract, HandRecord, Pots
from engine.record.fields import to_mapping
from engine.record.incidents import LOST, decision
from engine.record.parts import BlindRound
from engine.record.results import RESULT
from engine.replay.replay import replay
from engine.rules.aims import Result
from engine.rules.bids import Undertaking
from engine.rules.changes import VERSION
from engine.rules.seating import blind_problems
from engine.rules.sheet import Plan, Rules
from engine.rules.tariffs import Price
from engine.rules.verdict import Outcome, Step, Verdict
from engine.scoring.contract import undertake
from engine.scoring.incidents import (
    NOT_PRICED,
    explained,
    has_incidents,
    incident_problems,
    lost_result,
    nothing_to_lose,
    spread_problems,
    without_price,
)
from engine.scoring.price import price
from engine.scoring.stated import stated_problems
from engine.words.language import CallCode
from engine.words.sentences import later, say

SOME_GAMES_ONLY = (
    *(key.name for key in RESULT.values() if not (key.everywhere or key.in_contract)),
    *("spit", "blind_round", "exchange", "pots"),
)
SOME_CONTRACTS_ONLY = (
    *("doubled", "redoubled"),
    *(key.name for key in RESULT.values() if key.in_contract),
)
NOT_WHEN_ALL_PASSED = (
    *(key.name for key in RESULT.values() if not key.in_contract),
    *("claimed", "spread", "exchange", "tricks"),
)
"""Keys of a record, other than those of its contract, that only a played hand has."""

SHOWN_BY_CARDS = ("bid-missing", "bidder-missing", "partner-missing")
"""The codes for values that refused cards would have shown; they need not be stated."""

THROWN_IN = Price(Outcome.PASSED_OUT, 0, (Step("thrown-in", {}, "sheet"),))
"""The price of a hand that all passed."""

_some_games_only = attrgetter(*SOME_GAMES_ONLY)
_some_contracts_only = attrgetter(*SOME_CONTRACTS_ONLY)
_NONE_OF_THEM = (None,) * len(SOME_GAMES_ONLY), (None,) * len(SOME_CONTRACTS_ONLY)


def score(record: HandRecord, version: str = VERSION) -> Verdict:
    """Return the verdict on a hand by the rules of an engine version.

    Raises `Refused` with every independent violation.

    >>> hand = {"game": "crazy-solo", "players": ["Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus"],
    ...         "dealer": "Gus", "points": 74, "contract": {"bidder": "Ann", "bid": "solo-in-hearts",
    ...         "called": "AH", "partner": "Bob"}}
    >>> verdict = score(HandRecord.from_mapping(hand))
    >>> verdict.deltas["Ann"], verdict.deltas["Bob"], verdict.deltas["Gus"]
    (120, 80, -40)
    >>> for line in verdict.explanation:
    ...     print(line)
    74 card points, 14 over 60
    × 3 for hearts = 42
    to the nearest 5 = 40
    Ann is paid by Cyd, Dee and Eve; Bob by Fay and Gus
    """
    rules = find(record.game).rules(record.rules, record.options, len(record.players), version)
    problems: Problems = []
    _check_keys(rules, record, problems)
    problems += rules.settlement.problems(record)
    plan = _plan(rules, record, problems)
    table = None if plan is None else plan.table
    if table is not None and record.blind_round is not None:
        problems += blind_problems(table.lead, record.blind_round)
    incidents = has_incidents(record)
    decisive = decision(record.irregular) if incidents else None
    if table is not None and incidents:
        wrong = [*incident_problems(rules, table, record)]
        if wrong:  # then neither the end of the hand nor its settlement is known
            raise Refused([*problems, *wrong])
    has_price = decisive is None or decisive.settled == LOST
    before = len(problems)
    if plan is not None and record.has_cards:
        contract, result, bidder_hand, is_followed = replay(rules, plan, record, problems)
    else:
        contract, result, bidder_hand, is_followed = record.contract, Result.of(record), None, True
    cards_agree = len(problems) == before and is_followed
    worth: Price | None = None
    undertaking: Undertaking | None = None
    if contract is None:
        if cards_agree:  # else the auction that decides it is refused
            message = say("Say what was played, or that all passed.")
            problems.append(Violation("contract-missing", message, {"field": "contract"}))
    elif contract.bid == PASS:
        _check_nothing_played(rules, record, contract, problems)
        if decisive is not None and has_price:
            problems.append(nothing_to_lose())
        worth = THROWN_IN
    else:
        if record.spread is not None:
            problems += spread_problems(rules, rules.by_slug.get(contract.bid or ""))
        contract_problems: Problems = []
        undertaking = undertake(rules, table, contract, contract_problems, bidder_hand)
        problems += (
            contract_problems
            if cards_agree
            else (problem for problem in contract_problems if problem.code not in SHOWN_BY_CARDS)
        )
        # The count depends on the cards, so it is not checked if they are refused.
        if undertaking is not None and has_price:
            bid, trump = undertaking.bid, undertaking.trump
            if decisive is not None:
                result = lost_result(rules, undertaking, result, decisive, problems)
            worth = price(rules, bid, trump, result, problems, counts=cards_agree)
        elif cards_agree and record.tricks is None:
            rules.tally.count(rules.by_slug.get(contract.bid or ""), result, problems)
    if plan is not None and not has_price:
        refuse_any(problem for problem in problems if problem.code not in NOT_PRICED)
        scored = without_price(rules, plan, record, contract or Contract(), result.points)
    elif plan is None or worth is None or problems:
        raise Refused(problems)
    else:
        pots, blind_round = record.pots, record.blind_round
        scored = verdict(rules, plan, worth, undertaking, result.points, pots, blind_round)
    if record.stated is not None:
        refuse_any(stated_problems(record.stated, scored))
    return explained(scored, record) if incidents else scored


def _check_keys(rules: Rules, record: HandRecord, problems: Problems) -> None:
    """Add a violation to `problems` for each stated key that the game does not have under these rules."""
    contract = record.contract or Contract()
    values = _some_games_only(record), _some_contracts_only(contract)
    if values == _NONE_OF_THEM:
        return
    keys = (*SOME_GAMES_ONLY, *(f"contract.{key}" for key in SOME_CONTRACTS_ONLY))
    stated = (key for key, value in zip(keys, chain(*values), strict=True) if value is not None)
    for key in stated:
        if key not in rules.keys:
            message = say(
                "{key} has no meaning in {game} as it is played here; leave it out.",
                key=key,
                game=rules.game,
            )
            problems.append(Violation("not-in-this-game", message, {"field": key}))


def _plan(rules: Rules, record: HandRecord, problems: Problems) -> Plan | None:
    """Return the seats of a record; add the violations and return `None` if they are refused."""
    try:
        return rules.plan(record.players, record.dealer, record.active)
    except Refused as refused:
        problems += refused.violations
        return None


def _check_nothing_played(
    rules: Rules, record: HandRecord, contract: Contract, problems: Problems
) -> None:
    """Add violations for an all-pass if somebody must then play, else for stated parts of a played hand."""
    if rules.all_pass is not None:
        with_tricks = later(
            "When all pass here, {bid} is played: write that as the bid, with its trump."
        )
        without_tricks = later(
            "When all pass here, somebody must play {bid}: say who, and how it went."
        )
        message = say(
            with_tricks if record.tricks else without_tricks, bid=CallCode(rules.all_pass)
        )
        where = {"field": "contract.bid"}
        problems.append(Violation("all-pass-is-played", message, where, (rules.all_pass,)))
        return
    stated = [
        key
        for key in NOT_WHEN_ALL_PASSED
        if getattr(record, key) is not None and (key in rules.keys or key not in SOME_GAMES_ONLY)
    ]
    stated += [f"contract.{key}" for key in to_mapping(contract) if key != "bid"]
    for key in stated:
        message = say("All passed, so nothing was played: leave {key} out.", key=key)
        problems.append(Violation("all-passed", message, {"field": key}))


def verdict(
    rules: Rules,
    plan: Plan,
    price: Price,
    undertaking: Undertaking | None,
    points: int | None,
    pots: Pots | None = None,
    blind_round: BlindRound | None = None,
) -> Verdict:
    """Return the verdict on a hand with a valid price; `undertaking` is `None` if all passed.

    `pots` are those before the antes. Raises `Refused` if a pot would exceed the limit of records.
    """
    outcome, amount, steps = price
    settlement, table = rules.settlement, plan.table
    if undertaking is None:
        slug, bidder, partner = PASS, None, None
        settled = settlement.thrown_in(pots, table)
    else:
        bid, bidder, _, _, partner, doubled, redoubled = undertaking
        slug = bid.slug
        # The terms depend on nothing else, so few of them recur in many hands.
        key = (bidder, partner, doubled, redoubled, outcome)
        terms = plan.terms.get(key) or plan.terms.keep(
            key, settlement.terms(table, undertaking, outcome)
        )
        settled = settlement.settle(terms, price, undertaking, pots)
    deltas, transfers, pots, why = settled
    following = rules.turn_after(table, slug, blind_round)
    return Verdict(
        outcome, bidder, partner, points, amount, deltas, transfers, pots, following, steps + why
    )
