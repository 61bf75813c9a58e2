"""Claims, spread hands and irregularities: their violations, their settlements, and their explanation."""

from collections.abc import Iterator
from operator import attrgetter

from engine.cards.card_sets import BITS
from engine.errors import Problems, Violation
from engine.record import PASS, Contract, HandRecord, Tricks
from engine.record.incidents import VOID, Irregularity, decision
from engine.replay.claims import claim_problems
from engine.replay.irregularities import settlement_problems
from engine.rules.aims import Result
from engine.rules.bids import Bid, Undertaking
from engine.rules.card_points import TrickPoints
from engine.rules.seating import SeatingTable, left_of
from engine.rules.sheet import Plan, Rules
from engine.rules.verdict import NextTurn, Outcome, Step, Verdict
from engine.words.sentences import say

NOT_PRICED = (
    *("contract-missing", "bid-missing", "bidder-missing", "partner-missing", "trump-missing"),
    *("points-missing", "tricks-won-missing", "first-tricks-missing", "matadors-missing"),
)
"""The codes for values that a hand needs only if it has a price."""

_incidents = attrgetter("claimed", "spread", "irregular")
_NONE = (None, None, None)


def has_incidents(record: HandRecord) -> bool:
    """Return whether a claim, a spread hand or irregularities are recorded."""
    return _incidents(record) != _NONE


def incident_problems(rules: Rules, table: SeatingTable, record: HandRecord) -> Iterator[Violation]:
    """Yield the violations of a record's claim, irregularities and spread hand that need no replay."""
    if record.claimed is not None:
        yield from claim_problems(rules, table.active, record, record.claimed)
    if record.irregular is not None:
        yield from settlement_problems(record.irregular, table.active)
    if record.spread is not None:
        tricks = None if record.tricks is None else Tricks.of(record.tricks)
        card = record.spread.after
        in_play = tricks is None or tricks.gap is not None or card in tricks.cards
        if not in_play or not rules.pack.mask & BITS[card]:
            message = say(
                "The hand was laid open after a card that was not played: {card}.", card=card
            )
            where = {"field": "spread.after", "card": str(card)}
            yield Violation("spread-elsewhere", message, where)


def spread_problems(rules: Rules, bid: Bid | None) -> Iterator[Violation]:
    """Yield a violation unless the bidder's hand is laid open in this bid; none for an unknown bid (`None`).

    It is called if the record states that the hand was laid open.
    """
    if bid is not None and not bid.is_spread:
        legal = tuple(other.slug for other in rules.bids if other.is_spread)
        message = say("In {bid:term} the hand is not laid open; leave spread out.", bid=bid.title)
        yield Violation("no-spread", message, {"field": "spread"}, legal)


def nothing_to_lose() -> Violation:
    """Return the violation of an irregularity settled as lost in a hand that all passed."""
    message = say("All passed, so no contract can be lost; settle it in another way.")
    return Violation("nothing-to-lose", message, {"field": "irregular"})


def lost_result(
    rules: Rules, undertaking: Undertaking, result: Result, one: Irregularity, problems: Problems
) -> Result:
    """Return the result if the side of the irregularity's seat loses everything.

    The other side gets every point and trick; in a bid with one price the contract is made or lost. No source
    states this. Stated numbers that no hand has add violations to `problems`; otherwise they are ignored.
    """
    check_numbers(rules, result, problems)
    won = one.seat not in (undertaking.bidder, undertaking.partner)
    if undertaking.bid.is_flat:
        return Result(made=won)
    total = rules.pack.total
    counted = TrickPoints(total * won, total * (not won), 0, (won,) * rules.tricks)
    facts = rules.tally.from_cards(undertaking.bid, counted)
    return Result(
        announced_tout=result.announced_tout,
        matadors=result.matadors,
        asked_partner=result.asked_partner,
        **facts,  # type: ignore[arg-type]
    )


def check_numbers(rules: Rules, result: Result, problems: Problems) -> None:
    """Add violations to `problems` for stated numbers that no hand can have; none for missing ones."""
    counted: Problems = []
    rules.tally.count(None, result, counted)
    problems += (problem for problem in counted if problem.code not in NOT_PRICED)


def without_price(
    rules: Rules, plan: Plan, record: HandRecord, contract: Contract, points: int | None
) -> Verdict:
    """Return the verdict on a hand that is void or settled by agreement, whatever its result.

    A void hand moves nothing, and the same dealer deals again. Agreed payments replace all others; pots get
    their antes, as if all passed. The outcome is won or lost if the bidding side gains or loses by them.
    """
    table, one = plan.table, decision(record.irregular)
    if one is None or one.settled == VOID:
        turn = NextTurn(table.dealer, left_of(table.players, table.dealer))
        deltas = dict.fromkeys(table.players, 0)
        return Verdict(Outcome.PASSED_OUT, None, None, None, 0, deltas, (), record.pots, turn, ())
    antes, ante_transfers, pots, steps = rules.settlement.thrown_in(record.pots, table)
    gains = dict.fromkeys(table.players, 0)
    for payer, payee, amount in one.transfers or ():
        gains[payer] -= amount
        gains[payee] += amount
    bidder, partner = contract.bidder, contract.partner
    side = sum(gains[seat] for seat in (bidder, partner) if seat is not None)
    outcome = Outcome.WON if side > 0 else Outcome.LOST if side < 0 else Outcome.TIED
    return Verdict(
        Outcome.PASSED_OUT if bidder is None else outcome,
        bidder,
        partner,
        points,
        0,
        {seat: gain + antes[seat] for seat, gain in gains.items()},
        (*(one.transfers or ()), *ante_transfers),
        pots,
        rules.turn_after(table, contract.bid or PASS, record.blind_round),
        steps,
    )


def explained(verdict: Verdict, record: HandRecord) -> Verdict:
    """Return the verdict with the steps of the record's claim and irregularities first, then its own."""
    steps = [*_claim_steps(record), *_irregular_steps(record)]
    return verdict._replace(steps=(*steps, *verdict.steps))


def _claim_steps(record: HandRecord) -> Iterator[Step]:
    """Yield the step that states the record's claim, if it has one."""
    claim = record.claimed
    if claim is not None:
        by, after, tricks, points, _ = claim
        key = "claimed" if tricks is None else "claimed-tricks"
        values = {"by": by, "after": after, "tricks": tricks, "points": points}
        known = {name: value for name, value in values.items() if value is not None}
        yield Step(key if points is None else "claimed-points", known, "sheet")


def _irregular_steps(record: HandRecord) -> Iterator[Step]:
    """Yield a step for each irregularity of the record, each followed by those of its agreed payments."""
    for what, settled, seat, trick, _, transfers in record.irregular or ():
        values = {"what": what, "seat": seat, "trick": trick, "settled": settled}
        yield Step("irregular", values, "sheet")
        for payer, payee, amount in transfers or ():
            values = {"payer": payer, "payee": payee, "amount": amount}
            yield Step("agreed-payment", values, "sheet")
