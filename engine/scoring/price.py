"""The price of a result: counted, conceded, or stated as made or lost."""

from engine.cards.cards import Suit
from engine.errors import Problems, Violation
from engine.replay.stated_result import CONCEDED
from engine.rules.aims import Result
from engine.rules.bids import Bid
from engine.rules.sheet import Rules
from engine.rules.tariffs import Judgement, Price
from engine.rules.verdict import Outcome, Step
from engine.words.sentences import later, say


def price(
    rules: Rules, bid: Bid, trump: Suit | None, result: Result, problems: Problems, *, counts: bool
) -> Price | None:
    """Return the price of a result; if it is missing or wrong, add violations and return `None`.

    Without `counts`, as the cards are refused, its numbers are not judged: then only a hand conceded, or
    stated as made or lost, has a price. In a bid that is counted, a stated `made` is a violation.
    """
    before = len(problems)
    count = rules.tally.count(bid, result, problems) if counts else None
    if result.made is not None and not bid.is_flat:
        message = say(
            "{bid:term} is not made or lost for one price; count, and leave made out.",
            bid=bid.title,
        )
        problems.append(Violation("must-be-counted", message, {"field": "made"}))
        return None
    if result.conceded is not None:
        judged = _concession(bid, trump, result, problems)
    elif count is not None:
        worth = price_counted(rules, bid, trump, count)
        return None if _differs(result, worth.outcome, problems) else worth
    elif result.made is not None and len(problems) == before:
        judged = _uncounted(bid, trump, result, problems)
    else:
        return None
    if judged is None or _differs(result, judged.outcome, problems):
        return None
    return bid.tariff.price(judged, trump)


def price_counted(rules: Rules, bid: Bid, trump: Suit | None, count: Result) -> Price:
    """Return the price of a complete, valid result by the bid's aim and tariff; cached in `rules`."""
    # Neither the seats matter nor counts that do not decide the bid, so few prices recur in many hands.
    key = (bid.slug, trump, rules.judged_by[bid.slug](count))
    return rules.prices.get(key) or rules.prices.keep(
        key, bid.tariff.price(bid.aim.judge(count, trump), trump)
    )


def _differs(result: Result, outcome: Outcome, problems: Problems) -> bool:
    """Return whether the result's `made` contradicts an outcome, and then add a violation to `problems`.

    False if `made` is not stated.
    """
    if result.made is None or result.made is (outcome is Outcome.WON):
        return False
    message = say("The record says that the contract was lost, but by the rest of it it was made.")
    if result.made:
        message = say(
            "The record says that the contract was made, but by the rest of it it was lost."
        )
    problems.append(Violation("made-differs", message, {"field": "made"}))
    return True


def _uncounted(
    bid: Bid, trump: Suit | None, result: Result, problems: Problems
) -> Judgement | None:
    """Return the judgement of a contract as it is stated, made or lost, with a margin of 0.

    If stated numbers contradict it, add a violation and return `None`.
    """
    outcome, step = (Outcome.WON, "said-made") if result.made else (Outcome.LOST, "said-lost")
    decided = bid.aim.decided(result, trump)
    if decided is not None and _differs(result, decided, problems):
        return None
    return Judgement(outcome, 0, Step(step, {}, "sheet"))


def _concession(
    bid: Bid, trump: Suit | None, result: Result, problems: Problems
) -> Judgement | None:
    """Return the judgement of a conceded hand: lost for the side that conceded, with a margin of 0.

    If the side may not concede, or its win had already been decided, add a violation and return `None`.
    """
    by, where = str(result.conceded), {"field": "conceded"}
    if by not in bid.concessions:
        message = say(
            "{bid:term} is played to the end; the {by:term} cannot give it up.",
            bid=bid.title,
            by=by,
        )
        problems.append(Violation("not-concedable", message, where, bid.concessions))
        return None
    outcome = CONCEDED[by]
    points, against = result.points or 0, result.points_against or 0
    tricks = result.tricks_won or 0
    for partial, number, words in (
        (Result(points=points), points, _BY_POINTS),
        (Result(points_against=against), against, _BY_OTHERS),
        (Result(tricks_won=tricks), tricks, _BY_TRICKS),
    ):
        decided = bid.aim.decided(partial, trump)
        if decided not in (None, outcome):
            message = say(words, n=number, counts=bid.counts, decided=decided, by=by)
            problems.append(Violation("concession-too-late", message, where))
            return None
    return Judgement(outcome, 0, Step("conceded", {"by": by}, "sheet"))


_BY_POINTS = later(
    "With {n} {counts:term} the hand was already {decided:term}, so the {by:term} cannot have given it up."
)
_BY_OTHERS = later(
    "With {n} card points on the other side the hand was already {decided:term}, so the {by:term} cannot"
    " have given it up."
)
_BY_TRICKS = later(
    "With {n:0=no tricks|trick|tricks} of the bidder's the hand was already {decided:term}, so the {by:term}"
    " cannot have given it up."
)
"""The messages for a hand that was decided before it was conceded."""
