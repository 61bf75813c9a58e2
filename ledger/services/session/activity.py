"""What was done in a session: what an undo takes back, and what a second scorer missed.

An action is what one write left behind: a version of a hand, or an entry that is not a hand. Hands that were
only recalculated belong to the change that made it necessary. Each action is one revision of the session, so
there are as many of them after a revision as it is old.
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
from ledger.services.session.steps import UNDO, SessionStep
from ledger.services.session.stored import EVERY_VERSION, StoredHand, StoredVersion, pair
from ledger.services.session.view import SessionView

UNDONE = "undone"
"""The reason that an undo gives; its cause, not this, says that it is one."""

MOST_NAMED = 3
"""How many actions a sentence names; of more it gives the number."""


@dataclass(frozen=True, slots=True)
class Action:
    """What was done: an entry's kind or, to a hand, its number and what was done to it.

    ``player`` is whom it was about, where it was about one, and ``chips`` what they got (or, negative, gave);
    ``undid`` is what it undid, if it undid something; ``was_undo``: it undid what a hand said.
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
        """Say what was done, to which hand, about whom, by whom and when."""
        return {
            "what": self.what,
            "hand": self.hand,
            "player": self.player,
            "author": self.author,
            "entered_at": self.entered_at.isoformat(),
        }


def words(action: Action) -> Words:
    """Return an action in the words of the table, what it was about left open as ``{who}`` and so on."""
    if action.undid is not None:
        return KINDS[EntryKind.REVERSAL].words
    if action.hand is not None:
        return ACTIONS[action.what].words
    kind = KINDS[action.what]
    return (kind.words_of_one if action.player else None) or kind.words


def in_words(action: Action) -> Sentence:
    """Say in plain text what was done, names fenced off that are written from right to left."""
    return say(
        words(action).done,
        hand=action.hand,
        who=texts.isolate(action.player) if action.player else say("somebody"),
        chips=chips(action),
        undid=in_words(action.undid) if action.undid else "",
    )


def chips(action: Action) -> Sentence:
    """Say how many chips changed hands, whichever way."""
    return say("{n:chip|chips}", n=abs(action.chips or 0))


def of_hand(hand: StoredHand, version: StoredVersion) -> Action:
    """Return what made a version of a hand."""
    was_undo = UNDO in (version.cause or {})
    return Action(
        version.action, hand.number, version.author, version.entered_at, was_undo=was_undo
    )


def of_entry(session: ScopedSession, entry: JournalEntry) -> Action:
    """Return the action of an entry that is not a hand."""
    undid = None
    if entry.reverses_id is not None:
        reversed_entry = session.exec(
            select(JournalEntry).where(JournalEntry.id == entry.reverses_id)
        ).one()
        undid = of_entry(session, reversed_entry)
    player, moved = _about(session, entry)
    return Action(entry.kind, None, entry.author, entry.entered_at, player, moved, undid)


def of_step(session: ScopedSession, step: SessionStep) -> Action:
    """Return what a step did, by whom and when; if it redid something, that is what it did."""
    first = steps.origin(session, step)
    changed = steps.hand_change(session, first)
    action = of_entry(session, first.others[-1]) if changed is None else of_hand(*changed[0])
    newest = step.entries[-1]
    return replace(action, author=newest.author, entered_at=newest.entered_at)


def _of_turn(session: ScopedSession, hand: StoredHand, version: StoredVersion) -> Action:
    """Return what made a version of a hand and, of an undo, the action that it undid."""
    action, undone = of_hand(hand, version), (version.cause or {}).get(UNDO)
    if undone is None:
        return action
    return replace(action, undid=of_step(session, steps.at(session, undone)))


def _about(session: ScopedSession, entry: JournalEntry) -> tuple[str | None, int | None]:
    """Return whom an entry was about and what they got; nobody, where it was about several or none."""
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
    found = session.exec(
        select(Player.name).join(Seat, col(Seat.player_id) == Player.id).where(Seat.id == seat_id)
    ).first()
    return found, amounts.get(seat_id)


LAST_TURNS = Built(
    pair,
    EVERY_VERSION.where(HandVersionTable.session_id == bindparam("session"))
    .where(HandVersionTable.action != HandAction.FOLLOWED.value)
    .order_by(col(HandVersionTable.id).desc())
    .limit(bindparam("most")),
)
"""The hands changed last of their own accord, not because they followed another, each with what it said."""


def since(session: ScopedSession, row: PlaySession | SessionView, revision: int) -> list[Action]:
    """Return what was done since a session's ``revision`` was seen: the last of it, oldest first."""
    missed = min(row.revision - revision, MOST_NAMED)
    if missed <= 0:
        return []
    turns = session.ask(LAST_TURNS, session=row.id, most=missed)
    entries = session.exec(
        select(JournalEntry)
        .where(JournalEntry.session_id == row.id, col(JournalEntry.hand_id).is_(None))
        .where(_is_action())
        .order_by(col(JournalEntry.id).desc())
        .limit(missed)
    ).all()
    # Of what was done in one write the hand comes last, which its loans were for.
    found = [of_entry(session, entry) for entry in entries] + [
        _of_turn(session, *turn) for turn in turns
    ]
    return sorted(found, key=lambda action: action.entered_at)[-missed:]


def _is_action() -> ColumnElement[bool]:
    """Leave out entries that are part of a hand's change or, reversed, of the undoing of a leaving."""
    parts = kinds(lambda kind: kind.of_hand)
    original = aliased(JournalEntry)
    reversed_part = select(original.id).where(
        original.id == JournalEntry.reverses_id, col(original.kind).in_(parts)
    )
    return and_(col(JournalEntry.kind).not_in(parts), ~reversed_part.exists())


def summary(done: list[Action], missed: int) -> Sentence:
    """Tell who did what and when, in one line: the newest last, of more than are named only how many.

    >>> at = datetime(2025, 11, 20, 21, 40).astimezone()
    >>> summary([Action("voided", 2, "Sue", at), Action("loan", None, "Sue", at, "Ann", 30)], 4)
    '2 earlier changes, hand 2 was voided (Sue, 21:40), the bank lent Ann 30 chips (Sue, 21:40)'
    """
    named = [
        say(
            "{what} ({who}, {at})",
            what=in_words(action),
            who=texts.isolate(action.author),
            at=f"{local(action.entered_at):%H:%M}",
        )
        for action in done
    ]
    more = missed - len(named)
    earlier = [say("{n:earlier change|earlier changes}", n=more)] if more > 0 else []
    return say("{all:list}", all=(*earlier, *named))
