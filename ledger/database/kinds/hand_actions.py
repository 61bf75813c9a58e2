"""The words for each action on a hand, in one table: for lists, badges, notices, reasons and the report."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.words.sentences import later, say
from ledger.database.kinds.entries import KINDS, EntryKind, Words
from ledger.database.kinds.states import HandAction

UNDONE, REDONE = "undone", "redone"
"""The keys of the words for an action that was an undo or a redo."""


@dataclass(frozen=True, slots=True)
class ActionWords:
    """The words for an action: ``title`` begins a line, ``badge`` stands beside a hand.

    ``by`` and ``was_by`` credit the author of a hand's current and earlier content in the report; ``words``
    name the action where undos and missed changes are listed.
    """

    title: str
    badge: str
    by: str
    was_by: str
    words: Words


ACTIONS: Mapping[str, ActionWords] = {
    HandAction.RECORDED: ActionWords(
        say("Recorded"),
        say("recorded"),
        later("Recorded by {author}"),
        later("recorded by {author}, {at}"),
        KINDS[EntryKind.HAND].words,
    ),
    HandAction.CORRECTED: ActionWords(
        say("Corrected"),
        say("corrected"),
        later("Corrected by {author}"),
        later("corrected by {author}, {at}"),
        Words(later("hand {hand} was corrected"), later("the correction")),
    ),
    HandAction.VOIDED: ActionWords(
        say("Voided"),
        say("voided"),
        later("Void by {author}"),
        later("voided by {author}, {at}"),
        Words(later("hand {hand} was voided"), later("the voiding"), later("it counts again")),
    ),
    HandAction.RESTORED: ActionWords(
        say("Restored"),
        say("restored"),
        later("Restored by {author}"),
        later("restored by {author}, {at}"),
        Words(later("hand {hand} was restored"), later("the restoring"), later("it is void again")),
    ),
    HandAction.FOLLOWED: ActionWords(
        say("Recalculated"),
        say("recalculated"),
        later("Recalculated by {author}"),
        later("recalculated by {author}, {at}"),
        KINDS[EntryKind.HAND].words,
    ),
}
"""The words for every ``HandAction``."""

TITLES: Mapping[str, str] = {
    **{action: words.title for action, words in ACTIONS.items()},
    UNDONE: say("Undone"),
    REDONE: say("Redone"),
}
"""The titles of the actions, and of an undo and a redo."""

BADGES: Mapping[str, str] = {
    **{action: words.badge for action, words in ACTIONS.items()},
    UNDONE: say("undone"),
    REDONE: say("redone"),
}
"""The badges of the actions, and of an undo and a redo."""
