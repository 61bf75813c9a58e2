"""The highlights of an evening: its podium, largest hands, comeback, longest run and most bids won."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Annotated

from ledger.database.models import HandState
from ledger.services.reads.hand_line import PlayerColumns
from ledger.services.reads.hand_pages import HandWithTotals
from ledger.services.reads.summary import SeatLine
from ledger.services.session.view import SessionView


@dataclass(frozen=True, slots=True)
class Feat:
    """A feat of one or several players: its amount, and its hand's number if it was achieved in one."""

    players: Annotated[tuple[str, ...], "Several if they are equal."]
    amount: int
    hand: Annotated[int | None, "The number of its hand, if it was achieved in one."] = None


@dataclass(frozen=True, slots=True)
class Highlights:
    """The feats of an evening, None for those that nobody achieved."""

    gain: Annotated[
        Feat | None,
        "The largest gain of one player in one hand, in chips if the evening was played for both.",
    ]
    loss: Annotated[Feat | None, "The largest loss likewise."]
    comeback: Annotated[
        Feat | None,
        "The largest rise from a player's lowest total to the end, and the hand of the lowest.",
    ]
    run: Annotated[Feat | None, "The longest run of hands bid and won by one player."]
    bids: Annotated[Feat | None, "The most bids won."]
    changes: Annotated[int, "The number of changes of the lead."]
    scorers: Annotated[
        Feat | None, "The highest score, if the evening was played for chips as well."
    ] = None


def of_evening(
    view: SessionView, standings: Sequence[SeatLine], hands: Sequence[HandWithTotals]
) -> Highlights:
    """Return the feats of an evening, without void hands; of equal hands and runs, the first counts.

    ``hands`` are all of the evening's, in order.
    """
    columns = PlayerColumns.of(view)
    standing = [hand for hand in hands if hand.latest.state == HandState.STANDING]
    paid = [hand for hand in standing if hand.unit == view.unit]
    return Highlights(
        _largest(columns.names, paid, 1),
        _largest(columns.names, paid, -1),
        _comeback(columns.names, paid),
        _run(columns, standing),
        _bids(standings),
        _changes(paid),
        _most({line.name: line.scored for line in standings}) if view.scores_apart else None,
    )


def podium(standings: Sequence[SeatLine]) -> tuple[SeatLine, ...]:
    """Return the lines of the first three ranks, four at most: a rank that would make them more is left out.

    Lower ranks are then left out, too. There are none if all players are equal.
    """
    lines: list[SeatLine] = []
    for rank, tied in groupby(standings, key=attrgetter("rank")):
        equals = list(tied)
        if rank > 3 or len(lines) + len(equals) > 4 or len(equals) == len(standings):
            break
        lines += equals
    return tuple(lines)


def _most(won: Mapping[str, int]) -> Feat | None:
    """Return the feat of the players with the largest number, or None if all have the same."""
    most = max(won.values(), default=0)
    if all(amount == most for amount in won.values()):
        return None
    return Feat(tuple(name for name, amount in won.items() if amount == most), most)


def _largest(seats: Sequence[str], hands: Sequence[HandWithTotals], sign: int) -> Feat | None:
    """Return the largest gain of one player in one hand or, with -1, the largest loss; None without one."""
    extreme = max if sign > 0 else min
    amounts = [extreme(hand.deltas) for hand in hands]
    amount = extreme(amounts, default=0)
    if sign * amount <= 0:
        return None
    hand = hands[amounts.index(amount)]
    return Feat((seats[hand.deltas.index(amount)],), amount, hand.latest.number)


def _comeback(seats: Sequence[str], hands: Sequence[HandWithTotals]) -> Feat | None:
    """Return the largest rise from a lowest total below zero to the end, with the hand of the lowest.

    At least two hands must follow that. Of equal rises it is the first player's; None without one.
    """
    rises = []
    for name, totals in zip(
        seats, zip(*(hand.totals for hand in hands), strict=True), strict=False
    ):
        place = totals.index(min(totals))
        rise = totals[-1] - totals[place]
        if rise and totals[place] < 0 and place < len(hands) - 2:
            rises.append(Feat((name,), rise, hands[place].latest.number))
    return max(rises, key=lambda rise: rise.amount, default=None)


def _run(columns: PlayerColumns, hands: Sequence[HandWithTotals]) -> Feat | None:
    """Return the first of the longest runs of hands bid and won by one player; None below two hands."""
    won = (
        columns.names_of[latest.seat_ids[latest.record["players"].index(latest.verdict["bidder"])]]
        if latest.verdict["outcome"] == "won"
        else None
        for latest, *_ in hands
    )
    runs = [(len(list(run)), name) for name, run in groupby(won) if name is not None]
    longest = max((length for length, _ in runs), default=0)
    if longest < 2:
        return None
    return Feat((next(name for length, name in runs if length == longest),), longest)


def _bids(standings: Sequence[SeatLine]) -> Feat | None:
    """Return the feat of the players who won most bids, or None if nobody won one."""
    most = max((line.hands_won for line in standings), default=0)
    if not most:
        return None
    return Feat(tuple(line.name for line in standings if line.hands_won == most), most)


def _changes(hands: Sequence[HandWithTotals]) -> int:
    """Return how often the sole lead passed from one player to another; ties in between don't count."""
    leads = [leader for leader, _ in groupby(_leaders(hands))]
    return max(len(leads) - 1, 0)


def _leaders(hands: Sequence[HandWithTotals]) -> Iterator[int]:
    """Yield the index of the sole leader after each hand that has one; hands with a tied lead are skipped."""
    for hand in hands:
        totals = hand.totals
        most = max(totals)
        if totals.count(most) == 1:
            yield totals.index(most)
