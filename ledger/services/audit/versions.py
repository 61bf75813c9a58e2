"""Check the sequence of each hand's versions, and the numbers of a session's hands."""

from collections.abc import Container, Sequence
from itertools import pairwise

from ledger.database.kinds.states import HandAction, HandState
from ledger.services.audit.lookups import Lookups, hand_histories, unchanged_hand_counts
from ledger.services.audit.row_types import HandRow, VersionStep
from ledger.words.problems import counted

_STANDING = HandState.STANDING.value
_RECORDED, _VOIDED = HandAction.RECORDED.value, HandAction.VOIDED.value
_RESTORED = HandAction.RESTORED.value


def check(lookups: Lookups, reversed_: Container[int]) -> None:
    """Note the first fault in each hand's versions, and each session without hands 1 to ``hands_dealt``."""
    counts = unchanged_hand_counts(lookups)
    for session_id in [key for key, number in counts.items() if number is None]:
        numbers: set[int] = set()
        for hand, steps in hand_histories(lookups, session_id):
            lookups.note(hand, _fault(hand, steps, reversed_))
            numbers.add(hand.number)
        has_gaps = numbers != set(range(1, len(numbers) + 1))
        counts[session_id] = None if has_gaps else len(numbers)
    for session in lookups.sessions.values():
        if counts.get(session.id, 0) not in range(session.hands_dealt, session.hands_dealt + 1):
            lookups.note(session, f"it says {counted(session.hands_dealt, 'hand')}, and has others")


def _fault(hand: HandRow, steps: Sequence[VersionStep], reversed_: Container[int]) -> str | None:
    """Return the first fault in the sequence of a hand's versions, or None."""
    if [number for number, _, _ in steps] != list(range(1, hand.version + 1)):
        return f"it says {hand.version} versions, and has others"
    if [action for _, action, _ in steps].count(_RECORDED) != 1 or steps[0][1] != _RECORDED:
        return "it was not recorded once, and first"
    for (_, before, _), (number, action, _) in pairwise(steps):
        if (before == _VOIDED) != (action == _RESTORED):
            return f"version {number} is {action} after one that is {before}"
    for number, action, entry_id in steps:
        if (action == _VOIDED) != (entry_id is None):
            return f"version {number} is {action}, and should {'not ' if entry_id else ''}be paid"
        if entry_id is not None and (entry_id in reversed_) != (number < hand.version):
            return f"entry {entry_id} of version {number} was reversed, or not, against its version"
    if (steps[-1][1] == _VOIDED) == (hand.state == _STANDING):
        return f"it says {hand.state}, its last version was {steps[-1][1]}"
    return None
