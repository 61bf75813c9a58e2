"""The ways to deal the cards: in packets with a widow, or singly, with crazy-solo's spit deal.

A rule sheet chooses one. Each has the number of cards to `spit` (laid aside if crazy-solo's first deal is
made from all 36), and the packets with their places, in order. A recorded deal is checked by
`engine.replay.deal`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

WIDOW = "widow"


class Packets(NamedTuple):
    """Packets in rounds from eldest hand on, with the widow's in brackets: `4-3-(3)-4`.

    >>> list(Packets("3-(2)").packets(("Ann", "Bob"), 8))
    [('Ann', 3), ('Bob', 3), ('widow', 2)]
    """

    pattern: str

    @property
    def spit(self) -> int:
        """Always 0: only crazy-solo lays cards aside."""
        return 0

    def packets(self, seats: tuple[str, ...], cards: int) -> Iterator[tuple[str, int]]:  # noqa: ARG002
        """Yield each packet in dealing order: the place that gets it and its number of cards.

        Each number of the pattern is dealt to every seat in turn, one in brackets to the `widow`. `cards` is
        ignored.
        """
        for bracket, count in re.findall(r"(\(?)(\d+)", self.pattern):
            for seat in (WIDOW,) if bracket else seats:
                yield seat, int(count)


class Singly(NamedTuple):
    """All the cards one at a time from the dealer's left (002).

    `spit` is the number of cards the dealer lays aside if the first deal is made from all 36.
    """

    spit: int = 0

    def packets(self, seats: tuple[str, ...], cards: int) -> Iterator[tuple[str, int]]:
        """Yield `(seat, 1)` once for each of `cards` cards in all, round the seats again and again."""
        for place in range(cards):
            yield seats[place % len(seats)], 1


Dealing = Packets | Singly
