"""Pots: what each standing hand says they held before it, against what had gone in and out."""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ledger.books.hand_effects import POTS
from ledger.services.audit.lookups import Shelf
from ledger.services.audit.row_types import HandRow


class PotHand(NamedTuple):
    """A standing hand played for pots, and the entry it was first written by.

    What it says they held before it, and what it put into them.
    """

    hand: HandRow
    first_entry: int
    said: Mapping[str, int]
    put: Mapping[str, int]


class PotMove(NamedTuple):
    """Chips that an entry other than a hand put into a pot or, if negative, took from it.

    ``place`` is its number or, if it repeats an entry that was undone, that one's.
    """

    place: int
    entry_id: int
    session_id: int | None
    pot: str
    amount: int


def check(shelf: Shelf, played: Sequence[PotHand], apart: Sequence[PotMove]) -> None:
    """Note each hand that says the pots held something else than they did.

    They held what the standing hands of lower number left, and what was moved apart from hands before
    the hand was first written; ``apart`` has nothing of what was undone.
    """
    ahead: dict[int | None, deque[PotMove]] = defaultdict(deque)
    for each in sorted(apart):
        ahead[each.session_id].append(each)
    pots: dict[int, Counter[str]] = defaultdict(Counter)
    for hand, first_entry, said, put in sorted(played):
        held, waiting = pots[hand.session_id], ahead[hand.session_id]
        while waiting and waiting[0].place < first_entry:
            moved = waiting.popleft()
            held[moved.pot] += moved.amount
        if any(said[pot] != held[pot] for pot in POTS):
            held_then = ", ".join(f"{pot} {held[pot]}" for pot in POTS)
            shelf.note(hand, f"the pots before it held {held_then}, it says otherwise")
        for pot, amount in put.items():
            held[pot] += amount
