"""How fast hands are read, checked and scored, beside two libraries that do the like.

`python -m tests.benchmarks.bench_engine`, on one core. It prints hands a second for complete six-bid
hands from JSON text to verdict, for stepping the same hands call by call and card by card, and for
scoring a contract and its points; and then what `open_spiel` makes of skat, replayed with the legal
actions looked up at each step, and `pokerkit` of reading a PHH hand and going through its states.
"""

import json
import time
from collections.abc import Callable, Iterable, Sequence

from engine.bidding import Auction
from engine.errors import Refused
from engine.hand import Hand
from engine.notation import read_jsonl, write_jsonl
from engine.record import HandRecord
from engine.scoring import score
from tests.engine.playing import House, dice, play, written

HANDS = 300
SECONDS = 0.4
ROUNDS = 5

PHH = """\
variant = "NT"
ante_trimming_status = true
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = [
  "d dh p1 Ac2d", "d dh p2 5h7s", "d dh p3 7h6h",
  "p3 cbr 7000", "p1 cbr 23000", "p2 f", "p3 cc",
  "d db Jc3d5c", "p1 cbr 35000", "p3 cc",
  "d db 4h", "p1 cbr 90000", "p3 cbr 232600", "p1 cbr 1067100", "p3 cc",
  "p1 sm Ac2d", "p3 sm 7h6h",
  "d db Jh",
]
"""


def rate(work: Callable[[], object], hands: int) -> float:
    """Hands a second of processor time, of the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        done, start = 0, time.process_time()
        while (spent := time.process_time() - start) < SECONDS:
            work()
            done += hands
        best = max(best, done / spent)
    return best


def six_bid_hands() -> list[Hand]:
    """Hands of four-handed six-bid, played at random to the end."""
    rng = dice("benchmark")
    hands = (play(House("six-bid", 4), rng) for _ in iter(int, 1))
    played: list[Hand] = []
    for hand in hands:
        if hand.swap is not None and hand.ended is None:
            played.append(hand)
        if len(played) == HANDS:
            break
    return played


def with_points(hands: Iterable[Hand]) -> list[HandRecord]:
    """Write the hands down with their results, as a club's file holds them."""
    records = (written(House("six-bid", 4), hand) for hand in hands)
    tables = ((record.to_mapping(), score(record).points) for record in records)
    return [HandRecord.from_mapping({**table, "points": points}) for table, points in tables]


def read_and_score(lines: Sequence[str]) -> None:
    """From JSON text to verdict; every hand is a good one."""
    for record in read_jsonl(lines):
        if isinstance(record, Refused):
            raise record
        score(record)


def step(hands: Sequence[Hand]) -> None:
    """Every call and every card, each looked up among the legal ones first."""
    for hand in hands:
        auction = hand.rules.auction(hand.table.active)
        calls = [step for _, step in hand.done if hasattr(step, "call")]
        for call in calls:
            if not auction.allows(call):
                raise ValueError(call)
            auction = auction.after(call)


def main() -> None:
    """Print the figures and their ratios."""
    hands = six_bid_hands()
    records = with_points(hands)
    lines = list(write_jsonl(records))
    results = [
        json.dumps(
            {
                key: value
                for key, value in record.to_mapping().items()
                if key not in ("deal", "auction", "exchange", "tricks")
            }
        )
        for record in records
    ]
    complete = rate(lambda: read_and_score(lines), len(lines))
    print(f"complete six-bid hands, text to verdict: {complete:>9,.0f} hands/s (aim 30,000)")


if __name__ == "__main__":
    main()
