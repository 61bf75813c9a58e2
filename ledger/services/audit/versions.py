"""A hand's versions one after another, and a session's hands by their numbers."""

from collections.abc import Container, Sequence
from itertools import pairwise

from sqlalchemy import Connection

from ledger.database.kinds.states import HandAction, HandState
from ledger.services.audit.lookups import Shelf, as_recorded
from ledger.services.audit.lookups import turns as read_turns
from ledger.services.audit.row_types import HandRow, Turn
from ledger.words.problems import counted

_STANDING = HandState.STANDING.value
_RECORDED, _VOIDED = HandAction.RECORDED.value, HandAction.VOIDED.value
_RESTORED = HandAction.RESTORED.value


def check(connection: Connection, shelf: Shelf, reversed_: Container[int]) -> None:
    """Note what is wrong with the versions of each hand, session by session, and with the hands' numbers.

    A session's are numbered from 1 without a gap, as many as it says.
    """
    dealt = as_recorded(connection)
    for session_id in [each for each, number in dealt.items() if number is None]:
        numbers: set[int] = set()
        for hand, turns in read_turns(connection, session_id):
            shelf.note(hand, _sequence(hand, turns, reversed_))
            numbers.add(hand.number)
        has_gaps = numbers != set(range(1, len(numbers) + 1))
        dealt[session_id] = None if has_gaps else len(numbers)
    for session in shelf.sessions.values():
        if dealt.get(session.id, 0) not in range(session.hands_dealt, session.hands_dealt + 1):
            shelf.note(session, f"it says {counted(session.hands_dealt, 'hand')}, and has others")


def _sequence(hand: HandRow, turns: Sequence[Turn], reversed_: Container[int]) -> str | None:
    """Say what is wrong with a hand's versions, one after another."""
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
