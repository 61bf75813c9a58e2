"""The example hand on pages without hands, scored by the engine."""

from dataclasses import dataclass

from engine import games
from engine.record import HandRecord
from engine.rules.verdict import Verdict
from engine.scoring.score import score

_SEVEN = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus")
_HAND = {
    "game": "crazy-solo",
    "players": _SEVEN,
    "dealer": "Gus",
    "contract": {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob"},
    "points": 74,
}


@dataclass(frozen=True, slots=True)
class Example:
    """The example hand and its verdict."""

    bidder: str
    partner: str
    bid_title: str
    trump: str
    called: str
    points: int
    verdict: Verdict


def example() -> Example:
    """Return the example: a won solo in hearts, Crazy Solo with seven players and default rules."""
    record = HandRecord.from_mapping({**_HAND, "format": 1, "players": list(_SEVEN)})
    contract, verdict = record.contract, score(record)
    assert contract is not None
    rules = games.find(record.game).rules(record.rules, record.options, len(record.players))
    bid = rules.by_slug[str(contract.bid)]
    return Example(
        str(contract.bidder),
        str(contract.partner),
        bid.title,
        bid.trumps[0].value,
        str(contract.called),
        int(str(_HAND["points"])),
        verdict,
    )
