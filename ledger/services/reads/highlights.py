"""What is told of an evening when it is over: who won, the largest hand, the longest run, most bids won."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ledger.services.reads.summary import HandLine, SessionSummary


@dataclass(frozen=True, slots=True)
class Feat:
    """Something told of a player: how much it came to, and in which hand, where it was one."""

    players: tuple[str, ...]
    amount: int
    hand: HandLine | None = None


@dataclass(frozen=True, slots=True)
class Highlights:
    """The feats of an evening; None where nobody did such a thing.

    ``winners`` have the most, ``gain`` and ``loss`` are the largest of one player in one hand, ``run`` the
    most hands on end that one player bid and won, ``bids`` the most bids won, ``changes`` how often the lead
    changed. Of an evening played for chips and for scores these are of the chips; ``scorers`` have the
    highest score.
    """

    winners: Feat | None
    gain: Feat | None
    loss: Feat | None
    run: Feat | None
    bids: Feat | None
    changes: int
    scorers: Feat | None = None


def of_evening(evening: SessionSummary) -> Highlights:
    """Return the feats of an evening; of equal ones the first, and all who won as many bids."""
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
    """Return who has the most; nobody where all have the same."""
    most = max(won.values(), default=0)
    if all(each == most for each in won.values()):
        return None
    return Feat(tuple(name for name, each in won.items() if each == most), most)


def _largest(seats: Sequence[str], hands: Sequence[HandLine], sign: int) -> Feat | None:
    """Return the largest gain of one player in one hand or, with -1, the largest loss."""
    found = [
        (sign * amount, -place, -seat)
        for place, hand in enumerate(hands)
        for seat, amount in enumerate(hand.deltas)
        if sign * amount > 0
    ]
    if not found:
        return None
    amount, place, seat = max(found)
    return Feat((seats[-seat],), sign * amount, hands[-place])


def _run(hands: Sequence[HandLine]) -> Feat | None:
    """Return who bid and won the most hands on end, at least two."""
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
    """Count how often somebody else came to lead alone."""
    leads = [leader for leader, _ in groupby(_leaders(len(evening.seats), hands))]
    return max(len(leads) - 1, 0)


def _leaders(seats: int, hands: Sequence[HandLine]) -> Iterator[int]:
    """Yield who leads after each hand, where one does alone."""
    for hand in hands:
        most = max(hand.balances, default=0)
        alone = [seat for seat in range(seats) if hand.balances[seat] == most]
        if len(alone) == 1:
            yield alone[0]
