"""Made-up evenings to print: seeded, so that a test sees the same one each time."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from ledger.services.money.settle_up import Payment
from ledger.services.reads.summary import EarlierVersion, HandLine, SeatLine, SessionSummary

PRINTED_AT = datetime(2025, 10, 4, 0, 12, tzinfo=UTC)
STARTED_AT = datetime(2025, 10, 3, 18, 0, tzinfo=UTC)

NAMES = (
    "Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou",
)  # fmt: skip
HOSTILE = (
    "<script>alert('&amp;')</script> & Söhne <b>", "Łukasz Żółć", "山田 太郎", "🂡 Ace 🙂👨‍👩‍👧",
    "עברית", "العربية", "हिन्दी", "W" * 64, "김철수", "x\u202egnp.exe", "\U0001faf9\u16a0",
    "q\u0301" * 30,
)  # fmt: skip

HOUSE_RULES = (
    "The payout is rounded to the nearest 5.",
    "A solo may be played in hearts; it then pays three chips a point.",
    "The spit deal is used for the first hand only.",
)


def evening(
    seats: tuple[str, ...] = NAMES[:7],
    hands: int = 44,
    *,
    changes: bool = True,
    seed: int = 1,
    closed: bool = True,
    house_rules: tuple[str, ...] = HOUSE_RULES,
) -> SessionSummary:
    """Return an evening of Crazy Solo; with `changes` some hands are corrected or void."""
    dice = Random(seed)  # noqa: S311
    balances = [0] * len(seats)
    lines: list[HandLine] = []
    for number in range(1, hands + 1):
        hand = _hand(dice, seats, number, changes=changes)
        if hand["state"] == "standing":
            balances = [old + new for old, new in zip(balances, hand["deltas"], strict=True)]
        lines.append(HandLine(**hand, balances=tuple(balances)))
    return SessionSummary(
        club="The Kitchen Table",
        title="Friday at Dee's",
        started_on=date(2025, 10, 3),
        closed=closed,
        game_title="Crazy Solo",
        variant_title=None,
        house_rules=house_rules,
        seats=seats,
        standings=_standings(seats, balances, lines),
        hands=tuple(lines),
        payments=_payments(seats, balances),
        unit="chips",
    )


def _hand(dice: Random, seats: tuple[str, ...], number: int, *, changes: bool) -> dict[str, Any]:
    """Return one hand's fields but the balances."""
    count = len(seats)
    at = STARTED_AT + timedelta(minutes=5 * number)
    hand: dict[str, Any] = {
        "number": number, "state": "standing", "version": 1, "reason": None,
        "game_title": "Crazy Solo", "dealer": seats[(number - 1) % count], "played_at": at,
        "entered_by": seats[0], "previous": (), "explanation": (), "alone": False,
        "partner": None, "called": None, "trump": None, "counts": {}, "amount": 0,
    }  # fmt: skip
    if number % 11 == 0:
        return hand | {
            "bid_title": "Passed out", "bidder": None, "outcome": "passed out",
            "deltas": (0,) * count,
        }  # fmt: skip
    bidder = dice.randrange(count)
    partner = dice.choice([None, *(seat for seat in range(count) if seat != bidder)])
    trump = dice.choice("SHDC")
    points = dice.choice([points for points in range(121) if points not in (1, 119)])
    deltas, amount = _payout(count, bidder, partner, trump, points)
    hearts = " in hearts" if trump == "H" and dice.random() < 0.5 else ""
    hand |= {
        "bid_title": f"{'Solo' if partner is not None else 'Go alone'}{hearts}",
        "bidder": seats[bidder], "partner": None if partner is None else seats[partner],
        "alone": partner is None, "trump": trump,
        "called": None if partner is None else dice.choice(["A", "T", "K"]) + dice.choice("SHDC"),
        "counts": {"points": points}, "amount": amount, "deltas": deltas,
        "outcome": "tied" if not amount else "won" if points > 60 else "lost",
    }  # fmt: skip
    if changes and number % 9 == 7:
        wrong = (points + 53) % 117 + 2
        old = _payout(count, bidder, partner, trump, wrong)[0]
        told = f"{hand['bid_title']}, {wrong} points"
        first = EarlierVersion(1, "recorded", told, old, None, seats[0], at)
        hand |= {
            "version": 2, "reason": "The points were miscounted", "previous": (first,),
            "action": "corrected",
            "entered_by": seats[-1],
        }  # fmt: skip
    if changes and number % 14 == 0:
        first = EarlierVersion(1, "recorded", f"{hand['bid_title']}", deltas, None, seats[0], at)
        hand |= {
            "state": "void", "version": 2, "reason": "Two cards were on the floor",
            "action": "voided",
            "previous": (first,),
        }  # fmt: skip
    return hand


def _payout(
    count: int, bidder: int, partner: int | None, trump: str, points: int
) -> tuple[tuple[int, ...], int]:
    """Return a payout that sums to nought, in the manner of Crazy Solo."""
    amount = round((points - 60) * (3 if trump == "H" else 2) / 5) * 5
    gang = [seat for seat in range(count) if seat not in (bidder, partner)]
    deltas = [0] * count
    for place, seat in enumerate(gang):
        deltas[seat] -= amount
        callers = partner is None or place < (len(gang) + 1) // 2
        deltas[bidder if callers else partner or 0] += amount
    return tuple(deltas), abs(amount)


def _standings(
    seats: tuple[str, ...], balances: list[int], lines: list[HandLine]
) -> tuple[SeatLine, ...]:
    """Return the standings, best first."""
    counted = [hand for hand in lines if hand.state == "standing"]
    return tuple(
        SeatLine(
            name=seats[seat],
            balance=balances[seat],
            rank=1 + sum(other > balances[seat] for other in balances),
            hands_bid=sum(hand.bidder == seats[seat] for hand in counted),
            hands_won=sum(hand.bidder == seats[seat] and hand.outcome == "won" for hand in counted),
        )
        for seat in sorted(range(len(seats)), key=lambda seat: (-balances[seat], seat))
    )


def _payments(seats: tuple[str, ...], balances: list[int]) -> tuple[Payment, ...]:
    """Return payments that leave everybody even (not always the fewest: figures to print)."""
    left = dict(zip(seats, balances, strict=True))
    results = []
    while any(left.values()):
        payer, payee = (
            min(left, key=lambda name: left[name]),
            max(left, key=lambda name: left[name]),
        )
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        results.append(Payment(payer, payee, amount))
    return tuple(results)
