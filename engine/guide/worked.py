"""Worked examples for the rules of one table: each bid made and missed, scored like any other hand."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from engine.cards.cards import Suit
from engine.record import Contract, HandRecord, Pots
from engine.record.parts import BlindRound
from engine.record.results import RESULT
from engine.rules.bids import Bid
from engine.rules.sheet import Rules
from engine.rules.verdict import Verdict
from engine.scoring.score import score


class WorkedExample(NamedTuple):
    """One example: the bid, its trump, whether it was made, and the verdict."""

    bid: Bid
    trump: Suit | None
    made: bool
    verdict: Verdict


def examples(rules: Rules, players: Sequence[str]) -> Iterator[WorkedExample]:
    """Yield two examples for each bid of a game, made and then missed, scored by the rules.

    Trump is the bid's first suit. The last of the `players` deals, eldest hand plays, and the partner, if
    any, sits two places on. Pots were empty before.
    """
    for bid, made in product(rules.bids, (True, False)):
        trump = bid.trumps[0] if bid.trumps else None
        yield WorkedExample(
            bid, trump, made, score(_record(rules, tuple(players), bid, trump, made=made))
        )


def _record(
    rules: Rules, players: tuple[str, ...], bid: Bid, trump: Suit | None, *, made: bool
) -> HandRecord:
    """Return the record of an example: a contract with the stated result of `Aim.example`, without cards."""
    eldest, _, partner, *_ = players
    result = bid.aim.example(made=made, trump=trump)
    values = {name: getattr(result, name) for name, key in RESULT.items() if not key.in_contract}
    return HandRecord(
        game=rules.game,
        rules=rules.variant,
        options=rules.options,
        players=players,
        dealer=players[-1],
        contract=Contract(
            bidder=eldest, bid=bid.slug, trump=trump, partner=partner if bid.has_partner else None
        ),
        blind_round=BlindRound() if bid.lead_only else None,
        pots=Pots(0, 0) if "pots" in rules.keys else None,
        **values,
    )
