"""The actions in a session, for undo and for scorers who missed some.

An action is the result of one write: a version of a hand, or an entry that is not a hand's. Hands that were
only recalculated belong to the change that caused it. Each action is one revision of the session, so the
number of actions after a revision is the number of revisions since.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.database.kinds.entries import KINDS, EntryKind, Words, kinds, seat_about
from ledger.database.kinds.hand_actions import ACTIONS
from ledger.database.models import (
    Account,
    HandAction,
    HandVersionTable,
    JournalEntry,
    Player,
    PlaySession,
    Posting,
    Seat,
)
from ledger.database.scope import Built, ScopedSession
from ledger.runtime.clock import local
from ledger.services.common import texts
from ledger.services.session import steps
from ledger.services.session.hand_versions import ALL_VERSIONS, UNDO, HandVersion
from ledger.services.session.steps import SessionStep
from ledger.services.session.view import SessionView

UNDONE = "undone"
"""The reason stored with an undo. Code reads the cause instead."""

MOST_NAMED = 3
"""The most actions that a sentence names; it counts the others."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action: the kind of an entry or, for a hand, its number and the change.

    ``player`` is the player concerned, if it was one, and ``chips`` what they got (or, negative, gave).
    ``undid`` is the action that this one undid, if any; ``was_undo`` is true if it undid a change of a hand.
    """

    what: str
    hand: int | None
    author: str
    entered_at: datetime
    player: str | None = None
    chips: int | None = None
    undid: "Action | None" = None
    was_undo: bool = False

    def to_mapping(self) -> dict[str, Any]:
        """Return the action in JSON values."""
        return {
            "what": self.what,
            "hand": self.hand,
            "player": self.player,
            "author": self.author,
            "entered_at": self.entered_at.isoformat(),
        }


def words(action: Action) -> Words:
    """Return the words of an action's kind, as templates with placeholders such as ``{who}``."""
    if action.undid is not None:
        return KINDS[EntryKind.REVERSAL].words
    if action.hand is not None:
        return ACTIONS[action.what].words
    kind = KINDS[action.what]
    return (kind.words_of_one if action.player else None) or kind.words


def in_words(action: Action) -> Sentence:
    """Return an action's description as a sentence, with right-to-left names isolated.

    It begins in lower case and has neither author nor time: "the bank lent Ann 30 chips".
    """
    return say(
        words(action).done,
        hand=action.hand,
        who=texts.isolate(action.player) if action.player else say("somebody"),
        chips=chips(action),
        undid=in_words(action.undid) if action.undid else "",
    )


def chips(action: Action) -> Sentence:
    """Return the number of chips that an action moved, in words and without a sign: "30 chips"."""
    return say("{n:chip|chips}", n=abs(action.chips or 0))


def of_hand(version: HandVersion) -> Action:
    """Return the action that made a version of a hand."""
    was_undo = UNDO in (version.cause or {})
    return Action(
        version.action, version.number, version.author, version.entered_at, was_undo=was_undo
    )


def of_entry(session: ScopedSession, entry: JournalEntry) -> Action:
    """Return the action of an entry that is not a hand's; for a reversal, with the action that it undid."""
    undid = None
    if entry.reverses_id is not None:
        query = select(JournalEntry).where(JournalEntry.id == entry.reverses_id)
        undid = of_entry(session, session.exec(query).one())
    player, amount = _about(session, entry)
    return Action(entry.kind, None, entry.author, entry.entered_at, player, amount, undid)


def of_step(session: ScopedSession, step: SessionStep) -> Action:
    """Return the action of a step with the step's author and time; a redo's is the action that it repeats."""
    first = steps.origin(session, step)
    changed = steps.hand_change(session, first)
    action = of_entry(session, first.others[-1]) if changed is None else of_hand(changed[0])
    newest = step.entries[-1]
    return replace(action, author=newest.author, entered_at=newest.entered_at)


def _of_change(session: ScopedSession, version: HandVersion) -> Action:
    """Return the action that made a version of a hand; for an undo, with the action that it undid."""
    action, undone = of_hand(version), (version.cause or {}).get(UNDO)
    if undone is None:
        return action
    return replace(action, undid=of_step(session, steps.at(session, undone)))


def _about(session: ScopedSession, entry: JournalEntry) -> tuple[str | None, int | None]:
    """Return the player that an entry is about, and the chips they got.

    These are None if none of theirs moved. Both are None if it is about several players or none.
    """
    seat_id = seat_about(entry.details)
    amounts = dict(
        session.exec(
            select(Account.seat_id, Posting.amount)
            .join(Posting, col(Posting.account_id) == Account.id)
            .where(Posting.entry_id == entry.id, col(Account.seat_id).is_not(None))
        ).all()
    )
    if seat_id is None and len(amounts) == 1:
        (seat_id,) = amounts
    if seat_id is None:
        return None, None
    query = (
        select(Player.name).join(Seat, col(Seat.player_id) == Player.id).where(Seat.id == seat_id)
    )
    return session.exec(query).first(), amounts.get(seat_id)


LAST_CHANGES = Built(
    HandVersion,
    ALL_VERSIONS.where(HandVersionTable.session_id == bindparam("session"))
    .where(HandVersionTable.action != HandAction.FOLLOWED.value)
    .order_by(col(HandVersionTable.id).desc())
    .limit(bindparam("most")),
)
"""The last versions of hands, without recalculations."""


def since(session: ScopedSession, row: PlaySession | SessionView, revision: int) -> list[Action]:
    """Return the newest ``MOST_NAMED`` actions of a session since a ``revision``, or fewer, oldest first.

    Empty if the session has not changed since.
    """
    missed = min(row.revision - revision, MOST_NAMED)
    if missed <= 0:
        return []
    versions = session.ask(LAST_CHANGES, session=row.id, most=missed)
    entries = session.exec(
        select(JournalEntry)
        .where(JournalEntry.session_id == row.id, col(JournalEntry.hand_id).is_(None))
        .where(_is_action())
        .order_by(col(JournalEntry.id).desc())
        .limit(missed)
    ).all()
    # A hand comes after the loans that were written with it, at the same time.
    actions = [of_entry(session, entry) for entry in entries]
    actions += [_of_change(session, version) for version in versions]
    return sorted(actions, key=lambda action: action.entered_at)[-missed:]


def _is_action() -> ColumnElement[bool]:
    """Return the SQL condition that an entry is neither part of a hand's change nor reverses such a part."""
    parts = kinds(lambda kind: kind.of_hand)
    original = aliased(JournalEntry)
    reversed_part = select(original.id).where(
        original.id == JournalEntry.reverses_id, col(original.kind).in_(parts)
    )
    return and_(col(JournalEntry.kind).not_in(parts), ~reversed_part.exists())


def summary(actions: list[Action], missed: int) -> Sentence:
    """List actions with author and time in one line, then the number of the older actions missed.

    >>> at = datetime(2025, 11, 20, 21, 40).astimezone()
    >>> summary([Action("voided", 2, "Sue", at), Action("loan", None, "Sue", at, "Ann", 30)], 4)
    'hand 2 was voided (Sue, 21:40), the bank lent Ann 30 chips (Sue, 21:40), and 2 more before'
    """
    named = [
        say(
            "{what} ({who}, {at})",
            what=in_words(action),
            who=texts.isolate(action.author),
            at=f"{local(action.entered_at):%H:%M}",
        )
        for action in actions
    ]
    more = missed - len(named)
    earlier = [say("and {n} more before", n=more)] if more > 0 else []
    return say("{all:list}", all=(*named, *earlier))
