"""What a hand's change takes with it: the later hands that are played again for the pots as they now are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, select

from engine.record import HandRecord
from engine.rules.verdict import Verdict
from engine.words import sentences
from ledger.books.hand_effects import POTS
from ledger.database.kinds.accounts import Amounts
from ledger.database.models import Hand, HandAction, HandState, HandVersionTable
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.hands import draft, posting, pots
from ledger.services.hands.stored import HandChange, Written
from ledger.services.session.stored import AS_IT_HOLDS, Pair, pair
from ledger.services.session.view import SessionView
from ledger.words.problems import Conflict, Invalid


class CannotStand(Conflict):
    """A hand that was written before could not be written like that now."""

    code = "cannot-stand"
    sentence = sentences.later(
        "This would make hand {number} invalid: {why} Correct or void that hand first, "
        "or undo what was put into the pots before it."
    )


def scored_anew(number: int, said: Mapping[str, Any], version: str) -> tuple[HandRecord, Verdict]:
    """Read a stored hand's record and score it by the rules of an engine version. Raises ``CannotStand``.

    Nobody sent it, so there is no field to mark where the engine refuses it.
    """
    try:
        record = draft.read(said)
        return record, draft.judge(record, version)
    except Invalid as invalid:
        raise CannotStand(number=number, why=invalid.message) from invalid


def followers_of(
    session: ScopedSession, view: SessionView, entry_id: int, shift: Mapping[str, int]
) -> tuple[HandChange, ...]:
    """Plan what follows if an entry that is not a hand had never moved a pot.

    ``shift`` is what each pot had more without it. Raises ``PotsSpent``, ``PotTooFull``, ``CannotStand``.
    """
    since = set(
        session.exec(
            select(HandVersionTable.hand_id)
            .where(HandVersionTable.session_id == view.id, HandVersionTable.version == 1)
            .where(col(HandVersionTable.entry_id) > entry_id)
        )
    )
    hands = [(hand, old) for hand, old in later(session, view, 0) if hand.id in since]
    return tuple(_follow(session, view, {name: shift.get(name, 0) for name in POTS}, hands))


def moves(view: SessionView, changes: Iterable[HandChange]) -> Amounts:
    """Return the net amounts that changes move."""
    return posting.together(*(part for each in changes for part in posting.parts(view.id, each)))


def followers(
    session: ScopedSession, view: SessionView, change: HandChange
) -> Iterator[HandChange]:
    """Play the later hands again after a hand's change."""
    shift = change.into_pots
    if any(shift.values()):
        yield from _follow(session, view, shift, later(session, view, change.hand.number))


def _follow(
    session: ScopedSession,
    view: SessionView,
    shift: Mapping[str, int],
    hands: Sequence[Pair],
) -> Iterator[HandChange]:
    """Play hands again for the pots as they now are, until nothing differs any more."""
    for hand, old in hands:
        held = {name: old.record["pots"][name] + shift[name] for name in POTS}
        pots.must_hold(held)
        version = old.rules_version
        record, verdict = scored_anew(hand.number, {**old.record, "pots": held}, version)
        new = Written.scored(record, verdict, old.seat_ids, version)
        followed = HandChange(hand, old, new, HandAction.FOLLOWED)
        yield followed
        more = followed.into_pots
        shift = {name: shift[name] + more[name] for name in POTS}
        if not any(shift.values()):
            return
    held_now = pots.held(session, view.id)
    pots.must_hold({name: held_now[name] + shift[name] for name in POTS})


_LATER = Built(
    pair,
    AS_IT_HOLDS.where(Hand.session_id == bindparam("session"), Hand.number > bindparam("number"))
    .where(Hand.state == HandState.STANDING.value)
    .order_by(col(Hand.number)),
)


@asked_once
def later(session: ScopedSession, view: SessionView, number: int) -> Sequence[Pair]:
    """Return the standing hands dealt after a hand that were played for pots, first to last."""
    rows = session.ask(_LATER, session=view.id, number=number)
    return [(hand, version) for hand, version in rows if "pots" in version.record]
