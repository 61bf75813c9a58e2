"""Hands per second on one core, relative to targets and to two libraries with similar tasks.

Run: python -m tests.benchmarks engine
Complete six-bid hands from JSON text to verdict; the same hands stepped call by call and card by card;
contract and points alone. If installed: `open_spiel`'s skat, replayed with a look-up of the legal actions
at each step, and `pokerkit` reading a hand and replaying its states. Processor time of the best round
counts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from time import process_time

from engine.batch import score_many
from engine.cards.cards import Card
from engine.guide.hand import GuidedHand
from engine.notation.json_text import write_jsonl
from engine.phases.actions import HandPart
from engine.record import Call, HandRecord
from engine.scoring.score import score
from ledger.cli.answers import quick_json
from ledger.cli.score import BATCH
from tests.benchmarks.other_games import poker_hands, replay_poker, replay_skat, skat_hands
from tests.benchmarks.rows import Row
from tests.engine.playing import House, dice, play, written

HANDS, OTHERS = 300, 50
SECONDS = 0.25
ROUNDS = 9
TABLE = House("six-bid", 4)


def rate(work: Callable[[], object], hands: int) -> float:
    """Return the hands per second of processor time in the best round."""
    best = 0.0
    for _ in range(ROUNDS):
        finished, start, spent = 0, process_time(), 0.0
        while spent < SECONDS:
            work()
            finished += hands
            spent = process_time() - start
        best = max(best, finished / spent)
    return best


def hands_played(table: House = TABLE) -> Iterator[GuidedHand]:
    """Yield random hands with all cards, the same in each run."""
    rng = dice("benchmark")
    while True:
        hand = play(table, rng)
        if hand.swap is not None and hand.ended is None:
            yield hand


def read_and_score(lines: Sequence[str]) -> None:
    """Score valid hands from JSON text, as `solo-ledger score` and `verify` do."""
    for at in range(0, len(lines), BATCH):
        score_many(quick_json(lines[at : at + BATCH]))


Steps = tuple[GuidedHand, tuple[Call, ...], tuple[Card, ...]]


def steps_of(hand: GuidedHand) -> Steps:
    """Return a hand with its calls and its cards."""
    calls = tuple(step for part, step in hand.steps if part is HandPart.AUCTION)
    cards = tuple(step for part, step in hand.steps if part is HandPart.PLAY)
    return hand, calls, cards  # type: ignore[return-value]


def step(hands: Sequence[Steps]) -> None:
    """Make every call and play every card, each a new state that rejects illegal actions."""
    for hand, calls, cards in hands:
        rules, contract, swap = hand.rules, hand.contract, hand.swap
        if contract is None or swap is None:
            raise ValueError("no hand that was played")
        auction = rules.auction(hand.table.active)
        for call in calls:
            auction = auction.after(call)
        bid = rules.by_slug[str(contract.bid)]
        state = rules.play(bid, contract, swap.seats, swap.bidder, swap.hands)
        for card in cards:
            state = state.after(card)
        if not (auction.over and state.over):
            raise ValueError("not played to the end")


def skat() -> float | None:
    """Return `open_spiel`'s skat hands per second, each action looked up among the legal ones."""
    if find_spec("pyspiel") is None:
        return None
    game, hands = import_module("pyspiel").load_game("skat"), [*skat_hands(OTHERS)]
    return rate(lambda: [replay_skat(game, hand) for hand in hands], OTHERS)


def poker() -> float | None:
    """Return `pokerkit`'s hands per second, each parsed and replayed state by state."""
    if find_spec("pokerkit") is None:
        return None
    history, hands = import_module("pokerkit").HandHistory, [*poker_hands(OTHERS)]
    return rate(lambda: [replay_poker(history.loads(hand)) for hand in hands], OTHERS)


def rows() -> Iterator[Row]:
    """Yield our figures, and those of the installed libraries."""
    played = hands_played()
    hands = [next(played) for _ in range(HANDS)]
    records: list[HandRecord] = []
    for hand in hands:
        record = written(TABLE, hand)
        records.append(replace(record, points=score(record).points))
    lines = list(write_jsonl(records))
    bare = [
        replace(record, deal=None, auction=None, exchange=None, tricks=None) for record in records
    ]
    steps = [steps_of(hand) for hand in hands]
    complete = rate(lambda: read_and_score(lines), HANDS)
    for label, figure, target in (
        ("complete hands a second, text to verdict", complete, 30_000),
        ("stepped call by call, card by card", rate(lambda: step(steps), HANDS), 20_000),
        (
            "contract and points, record to verdict",
            rate(lambda: [*map(score, bare)], HANDS),
            100_000,
        ),
    ):
        yield Row(
            f"{label}, relative to the target", f"{figure:,.0f}", f"{target:,}", figure / target, 1
        )
    for name, other in (("open_spiel's skat", skat()), ("pokerkit's hold'em", poker())):
        if other is not None:
            label = f"complete hands, text to verdict in one process, relative to {name}"
            yield Row(label, f"{complete:,.0f}", f"{other:,.0f}", complete / other)
