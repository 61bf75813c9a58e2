"""Check the pots: the content each standing hand records before it, against the deposits and payouts."""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ledger.books.hand_effects import POTS
from ledger.services.audit.lookups import Lookups
from ledger.services.audit.row_types import HandRow


class PotHand(NamedTuple):
    """A standing hand played for pots: its first entry, the recorded pots before it, and its net deposits."""

    hand: HandRow
    first_entry: int
    before: Mapping[str, int]
    deposits: Mapping[str, int]


class PotMove(NamedTuple):
    """Chips that an entry other than a hand put into a pot or, if negative, took from it.

    ``place`` is the entry's id or, for a redo, the id of the entry it repeats.
    """

    place: int
    entry_id: int
    session_id: int | None
    pot: str
    amount: int


def check(lookups: Lookups, hands: Sequence[PotHand], moves: Sequence[PotMove]) -> None:
    """Note each hand whose recorded pots differ from the computed ones.

    A pot holds the deposits of standing hands with lower numbers, and the moves written before the hand
    was first recorded; ``moves`` contains none that were undone.
    """
    pending: dict[int | None, deque[PotMove]] = defaultdict(deque)
    for move in sorted(moves):
        pending[move.session_id].append(move)
    pots: dict[int, Counter[str]] = defaultdict(Counter)
    for hand, first_entry, before, deposits in sorted(hands):
        contents, waiting = pots[hand.session_id], pending[hand.session_id]
        while waiting and waiting[0].place < first_entry:
            move = waiting.popleft()
            contents[move.pot] += move.amount
        if any(before[pot] != contents[pot] for pot in POTS):
            expected = ", ".join(f"{pot} {contents[pot]}" for pot in POTS)
            lookups.note(hand, f"the pots before it held {expected}, it says otherwise")
        for pot, amount in deposits.items():
            contents[pot] += amount
