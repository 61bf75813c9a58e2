"""The plan of a change: what a hand is to say, and which later hands follow it because of the pots.

Making a plan writes nothing, so that a preview and a saving make the same one.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import bindparam

from engine.rules.verdict import Verdict
from engine.words.sentences import later, say
from ledger.database.kinds.accounts import Amounts
from ledger.database.models import Hand, HandAction, HandState
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.hands import after_leaving, posting, pots, recalculate, rename, turn
from ledger.services.hands import draft as hands_draft
from ledger.services.hands.after_leaving import Settling
from ledger.services.hands.draft import Draft
from ledger.services.hands.stored import HandChange, Written
from ledger.services.session.stored import AS_IT_HOLDS, Pair, StoredHand, StoredVersion, pair
from ledger.services.session.view import SessionView
from ledger.words.problems import AlreadyVoid, Conflict, NoSuchHand, Unchanged


class NotVoid(Conflict):
    """Only a void hand can be restored."""

    code = "not-void"
    sentence = later("Hand {number} is not void; only a void hand can be restored.")


class PlannedChange(NamedTuple):
    """The change that was asked for, with its verdict where it is to stand, then what follows.

    ``moved`` is what all of it moves, net, with what is settled with players who have left: ``settlings``.
    """

    changes: tuple[HandChange, ...]
    verdict: Verdict | None
    moved: Amounts
    settlings: tuple[Settling, ...] = ()

    @property
    def first(self) -> HandChange:
        """The change that was asked for."""
        return self.changes[0]


def plan_correction(
    session: ScopedSession, view: SessionView, number: int, draft: Draft
) -> PlannedChange:
    """Plan to correct a hand, by the rules it was scored by and for the pots it was played for.

    These are the rules of the engine version stored with it, even if a later one changed them.

    Raises ``Invalid``, ``NotFound``, ``AlreadyVoid``, ``Unchanged``, ``PotsSpent``, ``PotTooFull``,
    ``CannotStand``.
    """
    hand, old = standing(session, view, number)
    given = _given(old, view)
    names = given["players"]
    due, version = turn.of_hand(old.rules, old.record, names), old.rules_version
    record = hands_draft.complete(draft, given, due, version)
    if dict(record.to_mapping()) == rename.called_now(old.record, given["players"]):
        raise Unchanged(
            say("Hand {number} already says this; there is nothing to correct.", number=number)
        )
    verdict = hands_draft.judge(record, version)
    scored = Written.scored(record, verdict, old.seat_ids, version), verdict
    return _stand(session, view, hand, old, scored, HandAction.CORRECTED)


def plan_return(
    session: ScopedSession,
    view: SessionView,
    hand: StoredHand,
    old: StoredVersion,
    to: StoredVersion,
) -> PlannedChange:
    """Plan to let a hand say again what an earlier version said.

    Raises ``PotsSpent``, ``PotTooFull``, ``CannotStand``.
    """
    said = {key: value for key, value in to.record.items() if key != "pots"}
    if "pots" in old.record:
        said["pots"] = old.record["pots"]
    scored = _again(hand, old, said, to.rules_version)
    return _stand(session, view, hand, old, scored, HandAction.CORRECTED)


def plan_back(
    session: ScopedSession, view: SessionView, number: int, before: StoredVersion | None
) -> PlannedChange:
    """Plan to bring a hand back to the version ``before`` a change; None: to where it was not recorded.

    Raises what ``plan_return`` raises.
    """
    hand, now = find(session, view, number)
    if before is None or before.action == HandAction.VOIDED:
        return plan_voiding(session, view, number)
    if hand.state == HandState.VOID:
        return plan_restoring(session, view, number, before)
    return plan_return(session, view, hand, now, before)


def plan_voiding(session: ScopedSession, view: SessionView, number: int) -> PlannedChange:
    """Plan to take a hand out of every balance.

    Raises ``NotFound``, ``AlreadyVoid``, ``PotsSpent``, ``PotTooFull``, ``CannotStand``.
    """
    hand, old = standing(session, view, number)
    change = HandChange(hand, old, None, HandAction.VOIDED)
    return _with_followers(session, view, change, None)


def plan_restoring(
    session: ScopedSession, view: SessionView, number: int, to: StoredVersion | None = None
) -> PlannedChange:
    """Plan to let a void hand stand again, for the pots as they would have been before it.

    It says what it said when it was voided, or what the version ``to`` says.

    Raises ``NotFound``, ``NotVoid``, ``PotsSpent``, ``PotTooFull``, ``CannotStand``.
    """
    hand, old = find(session, view, number)
    if hand.state != HandState.VOID:
        raise NotVoid(number=number)
    to = to or old
    said = dict(to.record)
    if "pots" in said:
        played = [version for _, version in recalculate.later(session, view, number)]
        said["pots"] = pots.before(session, hand, played)
        pots.must_hold(said["pots"])
    scored = _again(hand, old, said, to.rules_version)
    return _stand(session, view, hand, old, scored, HandAction.RESTORED)


_HAND = Built(
    pair,
    AS_IT_HOLDS.where(Hand.session_id == bindparam("session"), Hand.number == bindparam("number")),
)


@asked_once
def find(session: ScopedSession, view: SessionView, number: int) -> Pair:
    """Return a hand and the version that holds now. Raises ``NotFound``."""
    for found in session.ask(_HAND, session=view.id, number=number):
        return found
    raise NoSuchHand(number, view.title, view.hands_dealt)


def standing(session: ScopedSession, view: SessionView, number: int) -> Pair:
    """Return a hand that stands, and its version. Raises ``NotFound``, ``AlreadyVoid``."""
    hand, version = find(session, view, number)
    if hand.state == HandState.VOID:
        raise AlreadyVoid(number=number)
    return hand, version


def _again(
    hand: StoredHand, old: StoredVersion, said: Mapping[str, Any], version: str
) -> tuple[Written, Verdict]:
    """Score a record of the books again, by the rules of an engine version."""
    record, verdict = recalculate.scored_anew(hand.number, said, version)
    return Written.scored(record, verdict, old.seat_ids, version), verdict


def _stand(
    session: ScopedSession,
    view: SessionView,
    hand: StoredHand,
    old: StoredVersion,
    scored: tuple[Written, Verdict],
    action: HandAction,
) -> PlannedChange:
    written, verdict = scored
    change = HandChange(hand, old, written, action)
    return _with_followers(session, view, change, verdict)


def _with_followers(
    session: ScopedSession,
    view: SessionView,
    change: HandChange,
    verdict: Verdict | None,
) -> PlannedChange:
    changes = (change, *recalculate.followers(session, view, change))
    settlings = after_leaving.plan(session, view, changes)
    moved = posting.together(recalculate.moves(view, changes), after_leaving.chips(view, settlings))
    return PlannedChange(changes, verdict, moved, settlings)


def _given(version: StoredVersion, view: SessionView) -> dict[str, Any]:
    """What a correction need not repeat: whose hand it was, when, by which rules, for which pots."""
    keep = ("format", "game", "rules", "options", "pots", "played_at")
    names = {seat.id: seat.name for seat in view.seats}
    players = [names[seat_id] for seat_id in version.seat_ids]
    return {
        **{key: version.record[key] for key in keep if key in version.record},
        "players": players,
    }
