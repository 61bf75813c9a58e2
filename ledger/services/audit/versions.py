"""A hand's versions one after another, and a session's hands by their numbers."""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from itertools import pairwise

from ledger.models import HandAction, HandState
from ledger.problems import counted
from ledger.services.audit.lookups import Shelf
from ledger.services.audit.row_types import HandRow

_STANDING = HandState.STANDING.value
_RECORDED, _VOIDED = HandAction.RECORDED.value, HandAction.VOIDED.value
_RESTORED = HandAction.RESTORED.value

Turn = tuple[int, str, int | None]
"""A version's number, its action and its entry."""


def check(shelf: Shelf, turns: Mapping[int, Sequence[Turn]], reversed_: Container[int]) -> None:
    """Note what is wrong with the versions of each hand, by its id, and with the hands' numbers.

    A session's are numbered from 1 without a gap, as many as it says.
    """
    numbers: dict[int, set[int]] = defaultdict(set)
    for hand in shelf.hands.values():
        shelf.note(hand, _sequence(hand, sorted(turns.get(hand.id, ())), reversed_))
        numbers[hand.session_id].add(hand.number)
    for session in shelf.sessions.values():
        if numbers[session.id] != set(range(1, session.hands_dealt + 1)):
            shelf.note(session, f"it says {counted(session.hands_dealt, 'hand')}, and has others")


def _sequence(hand: HandRow, turns: Sequence[Turn], reversed_: Container[int]) -> str | None:
    """Say what is wrong with a hand's versions, one after another."""
    if len(turns) == hand.version == 1:  # as nearly always: recorded, and left at that
        number, action, entry_id = turns[0]
        if (number, action, hand.state) == (1, _RECORDED, _STANDING) and (
            entry_id is not None and entry_id not in reversed_
        ):
            return None
    if [number for number, _, _ in turns] != list(range(1, hand.version + 1)):
        return f"it says {hand.version} versions, and has others"
    if [action for _, action, _ in turns].count(_RECORDED) != 1 or turns[0][1] != _RECORDED:
        return "it was not recorded once, and first"
    for (_, before, _), (number, action, _) in pairwise(turns):
        if (before == _VOIDED) != (action == _RESTORED):
            return f"version {number} is {action} after one that is {before}"
    for number, action, entry_id in turns:
        if (action == _VOIDED) != (entry_id is None):
            return f"version {number} is {action}, and should {'not ' if entry_id else ''}be paid"
        if entry_id is not None and (entry_id in reversed_) != (number < hand.version):
            return f"entry {entry_id} of version {number} was reversed, or not, against its version"
    if (turns[-1][1] == _VOIDED) == (hand.state == _STANDING):
        return f"it says {hand.state}, its last version was {turns[-1][1]}"
    return None
