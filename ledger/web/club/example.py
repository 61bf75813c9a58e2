"""A hand as an example, for those who have none yet: scored by the engine like any other."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from engine import games
from engine.record import HandRecord
from engine.rules.verdict import Verdict
from engine.scoring.score import score
from ledger.words.translation import reader

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
    """A hand as pages tell it, with its reasoning and what everybody gets by it."""

    bidder: str
    partner: str
    bid_title: str
    trump: str
    called: str
    points: int
    verdict: Verdict

    @property
    def explanation(self) -> Sequence[str]:
        """The reasoning, in the language of whoever reads it."""
        return [step.spoken(reader()) for step in self.verdict.steps]


@cache
def example() -> Example:
    """Return the example: Crazy Solo by its usual rules, seven players, a solo in hearts that is made."""
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
