"""Pots: what each standing hand says they held before it, against what went in and out by then."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ledger.services.verify.shelf import Difference, HandRow, Shelf
from ledger.services.written import POTS


class Played(NamedTuple):
    """A standing hand played for pots, and the entry it was first written by.

    What it says they held before it, and what it put into them.
    """

    hand: HandRow
    first_entry: int
    said: Mapping[str, int]
    put: Mapping[str, int]


class Apart(NamedTuple):
    """What an entry that is no hand's put into a pot, or took."""

    entry_id: int
    session_id: int | None
    pot: str
    amount: int


def check(shelf: Shelf, played: Sequence[Played], apart: Sequence[Apart]) -> Iterator[Difference]:
    """Yield each hand that says the pots held something else than they did.

    They held what the standing hands of lower number left, and what was moved apart from hands before
    the hand was first written; ``apart`` has nothing of what was taken back.
    """
    held: dict[int, Counter[str]] = {}
    for hand, first_entry, said, put in sorted(played):
        pots = held.setdefault(hand.session_id, Counter())
        moved = Counter(pots)
        for entry_id, session_id, pot, amount in apart:
            if session_id == hand.session_id and entry_id < first_entry:
                moved[pot] += amount
        if any(said[pot] != moved[pot] for pot in POTS):
            held_then = ", ".join(f"{pot} {moved[pot]}" for pot in POTS)
            yield shelf.differs(
                hand.club_id, hand.place, f"the pots before it held {held_then}, it says otherwise"
            )
        for pot, amount in put.items():
            pots[pot] += amount
