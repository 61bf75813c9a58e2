"""Plans of changes: the new version of a hand, and the later hands that follow because of the pots.

Making a plan writes nothing, so that a preview and a write make the same one.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.rules.verdict import Verdict
from engine.words.sentences import later, say
from ledger.database.kinds.accounts import Amounts
from ledger.database.models import HandAction, HandState
from ledger.database.scope import ScopedSession
from ledger.services.hands import after_leaving, posting, pots, recalculate, rename, turn
from ledger.services.hands import draft as hands_draft
from ledger.services.hands.after_leaving import Settling
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.versions import find, standing
from ledger.services.session.hand_versions import HandChange, HandVersion
from ledger.services.session.view import SessionView
from ledger.words.problems import Conflict, Unchanged


class NotVoid(Conflict):
    """Raised when a hand that is not void is to be restored."""

    code = "not-void"
    sentence = later("Hand {number} is not void; only a void hand can be restored.")


class PlannedChange(NamedTuple):
    """The requested change of a hand, followed by the changes of later hands.

    ``verdict`` is the hand's new one, None for a voiding. ``moved`` are the net amounts of all changes, with
    the settlements with players who have left.
    """

    changes: tuple[HandChange, ...]
    verdict: Verdict | None
    moved: Amounts
    settlings: tuple[Settling, ...] = ()


def plan_correction(
    session: ScopedSession, view: SessionView, number: int, draft: HandDraft
) -> PlannedChange:
    """Plan the correction of a hand, by the rules that scored it and for the pots it was played for.

    These are the rules of its stored engine version, even if a later version changed them. Raises
    ``Invalid``, ``NotFound``, ``AlreadyVoid``, ``Unchanged``, ``PotsSpent``, ``PotTooFull``, ``CannotStand``.
    """
    old = standing(session, view, number)
    hand_keys = _hand_keys(old, view)
    names = hand_keys["players"]
    hand_turn, version = turn.of_hand(old.rules, old.record, names), old.rules_version
    record = hands_draft.complete(draft, hand_keys, hand_turn, version)
    if dict(record.to_mapping()) == rename.called_now(old.record, names):
        raise Unchanged(
            say("Hand {number} already says this; there is nothing to correct.", number=number)
        )
    verdict = hands_draft.judge(record, version)
    new = recalculate.next_version(old, record, verdict, version, HandAction.CORRECTED)
    return _with_followers(session, view, HandChange(old, new), verdict)


def plan_back(
    session: ScopedSession, view: SessionView, number: int, before: HandVersion | None
) -> PlannedChange:
    """Plan the return of a hand to the version ``before`` a change.

    None, or a void one, means voiding the hand. The pots stay those that the hand is played for now. Raises
    ``NotFound``, ``AlreadyVoid``, ``PotsSpent``, ``PotTooFull``, ``CannotStand``.
    """
    old = find(session, view, number)
    if before is None or before.action == HandAction.VOIDED:
        return plan_voiding(session, view, number)
    if old.state == HandState.VOID:
        return plan_restoring(session, view, number, before)
    keys = {key: value for key, value in before.record.items() if key != "pots"}
    if "pots" in old.record:
        keys["pots"] = old.record["pots"]
    return _scored_again(session, view, old, keys, before.rules_version, HandAction.CORRECTED)


def plan_voiding(session: ScopedSession, view: SessionView, number: int) -> PlannedChange:
    """Plan removing a hand from every balance, and recalculating the later hands that this changes.

    Raises ``NotFound``, ``AlreadyVoid``, ``PotsSpent``, ``PotTooFull``, ``CannotStand``.
    """
    old = standing(session, view, number)
    new = old._replace(
        version=old.version + 1, state=HandState.VOID.value, action=HandAction.VOIDED.value
    )
    return _with_followers(session, view, HandChange(old, new), None)


def plan_restoring(
    session: ScopedSession, view: SessionView, number: int, to: HandVersion | None = None
) -> PlannedChange:
    """Plan restoring a void hand, and recalculating the later hands that this changes.

    Its content is that of the version ``to``, by default the last one, with the pots as they would have
    been. It is scored by the rules of that version's engine. Raises ``NotFound``, ``NotVoid``,
    ``PotsSpent``, ``PotTooFull``, and ``CannotStand`` if it or a later hand can't be scored.
    """
    old = find(session, view, number)
    if old.state != HandState.VOID:
        raise NotVoid(number=number)
    to = to or old
    keys = dict(to.record)
    if "pots" in keys:
        keys["pots"] = pots.before(session, old, recalculate.later(session, view, number))
        pots.must_hold(keys["pots"])
    return _scored_again(session, view, old, keys, to.rules_version, HandAction.RESTORED)


def _scored_again(
    session: ScopedSession,
    view: SessionView,
    old: HandVersion,
    keys: Mapping[str, Any],
    version: str,
    action: HandAction,
) -> PlannedChange:
    """Plan a new version of a hand from a stored record, scored by the rules of an engine version.

    Raises ``CannotStand``, ``PotsSpent`` and ``PotTooFull``.
    """
    record, verdict = recalculate.scored_anew(old.number, keys, version)
    new = recalculate.next_version(old, record, verdict, version, action)
    return _with_followers(session, view, HandChange(old, new), verdict)


def _with_followers(
    session: ScopedSession, view: SessionView, change: HandChange, verdict: Verdict | None
) -> PlannedChange:
    """Plan a change of a hand with the changes of later hands and the settlements that follow from it."""
    changes = (change, *recalculate.followers(session, view, change))
    settlings = after_leaving.plan(session, view, changes)
    moved = posting.together(posting.net_amounts(changes), after_leaving.chips(view, settlings))
    return PlannedChange(changes, verdict, moved, settlings)


def _hand_keys(version: HandVersion, view: SessionView) -> dict[str, Any]:
    """Return the record keys that a correction may leave out: players, rules, pots and time of the hand.

    The players have their current names.
    """
    unchanged = ("game", "rules", "options", "pots", "played_at")
    names = {seat.id: seat.name for seat in view.seats}
    keys = {key: version.record[key] for key in unchanged if key in version.record}
    return {**keys, "players": [names[seat_id] for seat_id in version.seat_ids]}
