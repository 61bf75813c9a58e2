"""What a hand is worth: its result counted and judged by the bid's aim, or given up, then priced."""

from engine.cards.cards import Suit
from engine.errors import Problems, Violation
from engine.reasoning.verdict import Step, counted
from engine.replay.stated_result import CONCEDED
from engine.rules.aims import Result
from engine.rules.bids import Bid
from engine.rules.sheet import Rules
from engine.rules.tariffs import Judged, Price


def price(
    rules: Rules,
    bid: Bid,
    trump: Suit | None,
    result: Result,
    problems: Problems,
    *,
    counts: bool,
) -> Price | None:
    """Price a result; `None` when it is missing or wrong, which is added to `problems`.

    It `counts` unless the cards that should tell it are refused.
    """
    count = rules.tally.count(bid, result, problems) if counts else None
    if result.conceded is not None:
        judged = _concession(bid, trump, result, problems)
        return judged and bid.tariff.price(judged, trump)
    if count is None:
        return None
    # Who sat where does not matter, nor a count that the bid is not judged by: so it comes again and again.
    key = (bid.slug, trump, rules.judged_by[bid.slug](count))
    return rules.prices.get(key) or rules.prices.keep(
        key, bid.tariff.price(bid.aim.judge(count, trump), trump)
    )


def _concession(bid: Bid, trump: Suit | None, result: Result, problems: Problems) -> Judged | None:
    """Count a hand as lost for the side that gave it up, unless points or tricks had decided it already."""
    by, where = str(result.conceded), {"field": "conceded"}
    if by not in bid.concessions:
        message = f"{bid.title} is played to the end; the {by} cannot give it up."
        problems.append(Violation("not-concedable", message, where, bid.concessions))
        return None
    outcome = CONCEDED[by]
    points, against = result.points or 0, result.points_against or 0
    tricks = result.tricks_won or 0
    for taken, words in (
        (Result(points=points), f"{points} {bid.counts}"),
        (Result(points_against=against), f"{against} card points on the other side"),
        (Result(tricks_won=tricks), f"{counted(tricks, 'trick')} of the bidder's"),
    ):
        decided = bid.aim.decided(taken, trump)
        if decided not in (None, outcome):
            message = (
                f"With {words} the hand was already {decided}, so the {by} cannot have given it up."
            )
            problems.append(Violation("concession-too-late", message, where))
            return None
    return Judged(outcome, 0, Step("conceded", {"by": by}, "sheet"))
