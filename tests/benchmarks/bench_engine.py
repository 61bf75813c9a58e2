"""How fast hands are read, checked and scored, beside two libraries that do the like.

Run: python -m tests.benchmarks engine
Hands a second on one core: complete six-bid hands from JSON text to verdict, the same hands stepped call by
call and card by card, contract and points alone; and beside them `open_spiel`'s skat, replayed with the legal
actions looked up at each step, and `pokerkit` reading a hand and going through its states, where they are
installed. Processor time counts, the best of several rounds.
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
    """Hands a second of processor time, in the best round."""
    best = 0.0
    for _ in range(ROUNDS):
        done, start, spent = 0, process_time(), 0.0
        while spent < SECONDS:
            work()
            done += hands
            spent = process_time() - start
        best = max(best, done / spent)
    return best


def hands_played(table: House = TABLE) -> Iterator[GuidedHand]:
    """Hands played at random to their last card; the same at each run."""
    rng = dice("benchmark")
    while True:
        hand = play(table, rng)
        if hand.swap is not None and hand.ended is None:
            yield hand


def read_and_score(lines: Sequence[str]) -> None:
    """From JSON text to verdict, as `solo-ledger score` and `verify` do it; every hand is a good one."""
    for at in range(0, len(lines), BATCH):
        score_many(quick_json(lines[at : at + BATCH]))


Steps = tuple[GuidedHand, tuple[Call, ...], tuple[Card, ...]]


def steps_of(hand: GuidedHand) -> Steps:
    """Take a hand apart into its calls and cards."""
    calls = tuple(step for part, step in hand.steps if part is HandPart.AUCTION)
    cards = tuple(step for part, step in hand.steps if part is HandPart.PLAY)
    return hand, calls, cards  # type: ignore[return-value]


def step(hands: Sequence[Steps]) -> None:
    """Make every call and play every card by itself, each a new state that refuses what is illegal."""
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
    """`open_spiel`'s skat: hands a second, the actions of each replayed and looked up first."""
    if find_spec("pyspiel") is None:
        return None
    game, hands = import_module("pyspiel").load_game("skat"), [*skat_hands(OTHERS)]
    return rate(lambda: [replay_skat(game, hand) for hand in hands], OTHERS)


def poker() -> float | None:
    """`pokerkit`: hands a second, each read from its text and gone through state by state."""
    if find_spec("pokerkit") is None:
        return None
    kept, hands = import_module("pokerkit").HandHistory, [*poker_hands(OTHERS)]
    return rate(lambda: [replay_poker(kept.loads(hand)) for hand in hands], OTHERS)


def rows() -> Iterator[Row]:
    """Measure ours and the two libraries, as far as they are installed."""
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
    for what, figure, aim in (
        ("complete hands a second, text to verdict", complete, 30_000),
        ("stepped call by call, card by card", rate(lambda: step(steps), HANDS), 20_000),
        (
            "contract and points, record to verdict",
            rate(lambda: [*map(score, bare)], HANDS),
            100_000,
        ),
    ):
        yield Row(f"{what}, beside its aim", f"{figure:,.0f}", f"{aim:,}", figure / aim, 1)
    for name, other in (("open_spiel's skat", skat()), ("pokerkit's hold'em", poker())):
        if other is not None:
            what = f"complete hands, text to verdict in one process, beside {name}"
            yield Row(what, f"{complete:,.0f}", f"{other:,.0f}", complete / other)
