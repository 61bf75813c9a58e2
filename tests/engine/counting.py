"""Counts the auctions of each procedure by plain recursions, knowing nothing of the engine's own."""

from functools import cache


def duels(seats: int, bids: int) -> int:
    """Count duels by chains: the survivor meets the next challenger in a rising chain of bids."""

    @cache
    def meet(level: int, left: int) -> int:
        # Somebody stands at `level`; `left` challengers are to come.
        return 1 if not left else reply(level, left - 1)

    @cache
    def reply(level: int, left: int) -> int:
        # One of two may go higher, and then the other may; a pass brings the next challenger.
        return meet(level, left) + sum(reply(higher, left) for higher in range(level + 1, bids + 1))

    @cache
    def unopened(left: int) -> int:
        if not left:
            return 1
        return unopened(left - 1) + sum(meet(level, left - 1) for level in range(1, bids + 1))

    return unopened(seats)


def holds(seats: int, bids: int) -> int:
    """Count duels where the earlier of the two may hold the later one's bid."""

    @cache
    def meet(level: int, left: int) -> int:
        return 1 if not left else later(level, left - 1)

    @cache
    def later(level: int, left: int) -> int:
        # The later one speaks against a bid of the earlier one's.
        higher = (earlier(rung, left) for rung in range(level + 1, bids + 1))
        return meet(level, left) + sum(higher)

    @cache
    def earlier(level: int, left: int) -> int:
        # The earlier one passes, holds, or goes higher; the last two leave it to the later one.
        higher = (later(rung, left) for rung in range(level + 1, bids + 1))
        return meet(level, left) + later(level, left) + sum(higher)

    @cache
    def unopened(left: int) -> int:
        if not left:
            return 1
        return unopened(left - 1) + sum(meet(level, left - 1) for level in range(1, bids + 1))

    return unopened(seats)


def turns(seats: int, bids: int) -> int:
    """Count auctions in turn with a queue: a bidder goes to its end, a seat that passes leaves it."""

    def go(queue: tuple[int, ...], high: int, bidder: int | None) -> int:
        if not queue or queue == (bidder,):
            return 1
        speaker, rest = queue[0], queue[1:]
        raises = (go((*rest, speaker), rung, speaker) for rung in range(high + 1, bids + 1))
        return go(rest, high, bidder) + sum(raises)

    return go(tuple(range(seats)), 0, None)


def doubles(seats: int, bids: int) -> int:
    """Count progressive's auctions seat by seat, with sets of seats."""

    def go(
        seat: int,
        high: int,
        bidder: int | None,
        out: frozenset[int],
        doubled: frozenset[int],
        redoubled: frozenset[int],
    ) -> int:
        if len(out) == seats or (bidder is not None and len(out) == seats - 1):
            return 1
        following = (seat + 1) % seats
        if seat in out:
            return go(following, high, bidder, out, doubled, redoubled)
        if seat == bidder:
            # Having redoubled one, they may redouble another before they stand.
            chosen = (
                go(seat, high, bidder, out, doubled, redoubled | {each})
                for each in doubled - redoubled
            )
            return go(following, high, bidder, out, doubled, redoubled) + sum(chosen)
        ways = go(following, high, bidder, out | {seat}, doubled, redoubled)
        for rung in range(high + 1, bids + 1):
            ways += go(following, rung, seat, out, frozenset(), frozenset())
        if bidder is not None and seat not in doubled:
            ways += go(following, high, bidder, out, doubled | {seat}, redoubled)
        return ways

    nobody: frozenset[int] = frozenset()
    return go(0, 0, None, nobody, nobody, nobody)
