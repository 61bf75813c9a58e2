"""The highlights of an evening: winners, the largest hands, the longest run, the most bids won."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ledger.services.reads.summary import HandLine, SessionSummary


@dataclass(frozen=True, slots=True)
class Feat:
    """A feat of one or several players: its amount, and its hand if it was achieved in one."""

    players: tuple[str, ...]
    amount: int
    hand: HandLine | None = None


@dataclass(frozen=True, slots=True)
class Highlights:
    """The feats of an evening, None for those that nobody achieved.

    Attributes:
        winners: The highest total; of chips, if the evening was played for chips and scores.
        gain: The largest gain of one player in one hand, in the same unit.
        loss: The largest loss likewise.
        run: The longest run of hands bid and won by one player.
        bids: The most bids won.
        changes: The number of changes of the lead.
        scorers: The highest score, if the evening was played for chips as well.
    """

    winners: Feat | None
    gain: Feat | None
    loss: Feat | None
    run: Feat | None
    bids: Feat | None
    changes: int
    scorers: Feat | None = None


def of_evening(evening: SessionSummary) -> Highlights:
    """Return the feats of an evening, without void hands; of equal hands and runs, the first."""
    standing = [hand for hand in evening.hands if hand.state == "standing"]
    paid = [hand for hand in standing if hand.unit == evening.unit]
    return Highlights(
        _most({line.name: line.balance for line in evening.standings}),
        _largest(evening.seats, paid, 1),
        _largest(evening.seats, paid, -1),
        _run(standing),
        _bids(evening),
        _changes(evening, paid),
        _most({line.name: line.scored for line in evening.standings})
        if evening.scores_apart
        else None,
    )


def _most(won: Mapping[str, int]) -> Feat | None:
    """Return the players with the most, or None if all have the same."""
    most = max(won.values(), default=0)
    if all(amount == most for amount in won.values()):
        return None
    return Feat(tuple(name for name, amount in won.items() if amount == most), most)


def _largest(seats: Sequence[str], hands: Sequence[HandLine], sign: int) -> Feat | None:
    """Return the largest gain of one player in one hand or, with -1, the largest loss; None without one."""
    amounts = [
        (sign * amount, -place, -seat)
        for place, hand in enumerate(hands)
        for seat, amount in enumerate(hand.deltas)
        if sign * amount > 0
    ]
    if not amounts:
        return None
    amount, place, seat = max(amounts)
    return Feat((seats[-seat],), sign * amount, hands[-place])


def _run(hands: Sequence[HandLine]) -> Feat | None:
    """Return the first of the longest runs of hands bid and won by one player; None below two hands."""
    won = (hand.bidder if hand.outcome == "won" else None for hand in hands)
    runs = [(len(list(run)), name) for name, run in groupby(won) if name is not None]
    longest = max((length for length, _ in runs), default=0)
    if longest < 2:
        return None
    return Feat((next(name for length, name in runs if length == longest),), longest)


def _bids(evening: SessionSummary) -> Feat | None:
    most = max((line.hands_won for line in evening.standings), default=0)
    if not most:
        return None
    return Feat(tuple(line.name for line in evening.standings if line.hands_won == most), most)


def _changes(evening: SessionSummary, hands: Sequence[HandLine]) -> int:
    """Return how often another player became the sole leader; ties in between don't count."""
    leads = [leader for leader, _ in groupby(_leaders(len(evening.seats), hands))]
    return max(len(leads) - 1, 0)


def _leaders(seats: int, hands: Sequence[HandLine]) -> Iterator[int]:
    """Yield the seat of the sole leader after each hand that has one."""
    for hand in hands:
        most = max(hand.balances, default=0)
        leading = [seat for seat in range(seats) if hand.balances[seat] == most]
        if len(leading) == 1:
            yield leading[0]
