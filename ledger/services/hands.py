"""A hand: previewed, recorded, corrected, voided. The engine scores it, the journal pays it.

Recording writes the record, its verdict and one balanced entry, all or nothing. A correction
reverses the entry and makes a new one; a voiding only reverses it. Old versions stay for the history.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from engine.record import HandRecord
from engine.verdict import Verdict
from ledger import __version__, journal
from ledger.access import Access
from ledger.clock import now
from ledger.db import Database
from ledger.journal import Occasion
from ledger.models import (
    Account,
    AccountKind,
    EntryKind,
    Hand,
    HandAction,
    HandState,
    HandVersion,
    PlaySession,
)
from ledger.problems import AlreadyVoid, Conflict, Invalid, NotFound
from ledger.scope import ScopedSession
from ledger.services import drafts, sessions
from ledger.services.drafts import Draft
from ledger.services.once import Answer, once
from ledger.services.sessions import SessionView

LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Preview:
    """What saving would do: the verdict, and every balance after it. Nothing is saved by looking."""

    record: HandRecord
    verdict: Verdict
    balances: Mapping[str, int]
    revision: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """Who deals and leads next, unless the table says otherwise."""

    dealer: str
    lead: str


class Unchanged(Conflict):
    """A correction that says what is written already."""

    code = "unchanged"

    def __init__(self, number: int) -> None:
        super().__init__(f"Hand {number} says this already; there is nothing to correct.")


def propose(db: Database, access: Access, session_id: int) -> Proposal:
    """Return who deals and leads the next hand: as the last hand that stands says, else the first dealer."""
    with db.read(access) as session:
        return _proposal(session, sessions.load(session, session_id))


def preview(
    db: Database, access: Access, session_id: int, draft: Draft, *, number: int | None = None
) -> Preview:
    """Score a hand without saving: a new one, or the correction of hand ``number``.

    The same code as saving runs. Raises ``Invalid``, ``NotFound``, ``AlreadyVoid``.
    """
    with db.read(access) as session:
        view = sessions.load(session, session_id)
        old: Mapping[int, int] = {}
        if number is None:
            given = drafts.base(view, _proposal(session, view).dealer)
        else:
            _, version = _standing(session, view, number)
            given, old = _given(version, view), deltas_by_seat(version)
        record = drafts.complete(draft, given)
        verdict = drafts.judge(record)
    balances = {
        seat.name: seat.balance + verdict.deltas[seat.name] - old.get(seat.id, 0)
        for seat in view.seats
    }
    return Preview(record, verdict, balances, view.revision)


def record(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    draft: Draft,
    *,
    revision: int | None = None,
) -> Answer:
    """Write the next hand and pay it.

    Raises ``Invalid`` at the field that is wrong, ``SessionClosed``, ``Stale``, ``KeyReused``.
    """
    with db.write(access) as session:

        def act() -> Answer:
            row = sessions.open_row(session, session_id, revision)
            view = sessions.view(session, row)
            whole = drafts.complete(draft, drafts.base(view, _proposal(session, view).dealer))
            verdict = drafts.judge(whole)
            row.hands_dealt += 1
            hand = Hand(session_id=session_id, number=row.hands_dealt, version=0)
            session.add(hand)
            session.flush()
            at = drafts.played_at(whole, now())
            _write(session, access, row, hand, view, whole, verdict, HandAction.RECORDED, at, None)
            return _answer(session, row, hand, verdict)

        return once(session, key, ("record hand", {"id": session_id, "hand": draft}), act)


def correct(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    number: int,
    draft: Draft,
    *,
    reason: str,
    revision: int | None = None,
) -> Answer:
    """Write hand ``number`` anew, by the rules it was played by, and move every balance by the difference.

    Raises what ``record`` raises, and ``AlreadyVoid``, ``Unchanged``.
    """
    said = {"id": session_id, "number": number, "hand": draft, "reason": reason}
    with db.write(access) as session:

        def act() -> Answer:
            why = _reason(reason)
            row = sessions.open_row(session, session_id, revision)
            view = sessions.view(session, row)
            hand, old = _standing(session, view, number)
            whole = drafts.complete(draft, _given(old, view))
            if _same(whole, old):
                raise Unchanged(number)
            verdict = drafts.judge(whole)
            _reverse(session, access, old, why)
            at = drafts.played_at(whole, old.played_at)
            _write(session, access, row, hand, view, whole, verdict, HandAction.CORRECTED, at, why)
            return _answer(session, row, hand, verdict)

        return once(session, key, ("correct hand", said), act)


def void(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    number: int,
    *,
    reason: str,
    revision: int | None = None,
) -> Answer:
    """Take hand ``number`` out of every balance; it stays in the history. Raises ``AlreadyVoid``."""
    said = {"id": session_id, "number": number, "reason": reason}
    with db.write(access) as session:

        def act() -> Answer:
            why = _reason(reason)
            row = sessions.open_row(session, session_id, revision)
            hand, old = _standing(session, sessions.view(session, row), number)
            _reverse(session, access, old, why)
            at = now()
            hand.state = HandState.VOID.value
            hand.version += 1
            session.add(
                HandVersion(
                    session_id=session_id,
                    hand_id=hand.id,
                    version=hand.version,
                    action=HandAction.VOIDED.value,
                    record=old.record,
                    verdict=old.verdict,
                    seat_ids=old.seat_ids,
                    engine_version=__version__,
                    reason=why,
                    author=access.author,
                    played_at=old.played_at,
                    entered_at=at,
                )
            )
            row.revision += 1
            return _answer(session, row, hand, None)

        return once(session, key, ("void hand", said), act)


def _write(
    session: ScopedSession,
    access: Access,
    row: PlaySession,
    hand: Hand,
    view: SessionView,
    whole: HandRecord,
    verdict: Verdict,
    action: HandAction,
    when: datetime,
    reason: str | None,
) -> None:
    at = now()
    entry = journal.post(
        session,
        Occasion(
            session_id=view.id,
            kind=EntryKind.HAND,
            author=access.author,
            occurred_at=when,
            entered_at=at,
            hand_id=hand.id,
            reason=reason,
        ),
        _amounts(session, view, verdict),
    )
    hand.version += 1
    seat_ids = {seat.name: seat.id for seat in view.seats}
    session.add(
        HandVersion(
            session_id=view.id,
            hand_id=hand.id,
            version=hand.version,
            action=action.value,
            record=dict(whole.to_mapping()),
            verdict=dict(verdict.to_mapping()),
            seat_ids=[seat_ids[name] for name in whole.players],
            engine_version=__version__,
            entry_id=entry.id,
            reason=reason,
            author=access.author,
            played_at=when,
            entered_at=at,
        )
    )
    row.revision += 1


def _amounts(session: ScopedSession, view: SessionView, verdict: Verdict) -> dict[int, int]:
    """Return what each account gets. A score that is no payment comes from the world's account."""
    amounts = {seat.account_id: verdict.deltas[seat.name] for seat in view.seats}
    world = -sum(amounts.values())
    if world:
        amounts[_world(session, view.id)] = world
    return amounts


def _world(session: ScopedSession, session_id: int) -> int:
    account = session.exec(
        select(Account).where(
            Account.session_id == session_id, Account.kind == AccountKind.WORLD.value
        )
    ).one_or_none() or journal.open_account(session, session_id, AccountKind.WORLD)
    return account.id


def _reverse(session: ScopedSession, access: Access, old: HandVersion, reason: str) -> None:
    assert old.entry_id is not None
    journal.reverse(session, old.entry_id, author=access.author, at=now(), reason=reason)


def _standing(session: ScopedSession, view: SessionView, number: int) -> tuple[Hand, HandVersion]:
    found = session.exec(
        select(Hand, HandVersion)
        .where(Hand.session_id == view.id, Hand.number == number)
        .where(HandVersion.hand_id == Hand.id, HandVersion.version == Hand.version)
    ).one_or_none()
    if found is None:
        raise NotFound(
            f"There is no hand {number} in “{view.title}”; it has {view.hands_dealt} hands."
        )
    hand, version = found
    if hand.state == HandState.VOID:
        raise AlreadyVoid(number)
    return hand, version


def deltas_by_seat(version: HandVersion) -> dict[int, int]:
    """Return what a version moved, by seat id: players may be called otherwise by now."""
    deltas = version.verdict["deltas"]
    return {
        seat_id: deltas[name]
        for seat_id, name in zip(version.seat_ids, version.record["players"], strict=True)
    }


def _given(version: HandVersion, view: SessionView) -> dict[str, Any]:
    """What a correction need not repeat: whose hand it was, when, and by which rules."""
    keep = ("format", "game", "rules", "options", "played_at")
    names = {seat.id: seat.name for seat in view.seats}
    players = [names[seat_id] for seat_id in version.seat_ids]
    dealer = version.record["players"].index(version.record["dealer"])
    return {
        **{key: version.record[key] for key in keep if key in version.record},
        "players": players,
        "dealer": players[dealer],
    }


def _same(whole: HandRecord, old: HandVersion) -> bool:
    return bool(dict(whole.to_mapping()) == old.record)


def _proposal(session: ScopedSession, view: SessionView) -> Proposal:
    last = session.exec(
        select(HandVersion)
        .join(Hand, col(Hand.id) == HandVersion.hand_id)
        .where(Hand.session_id == view.id, Hand.state == HandState.STANDING.value)
        .where(HandVersion.version == Hand.version)
        .order_by(col(Hand.number).desc())
        .limit(1)
    ).first()
    dealer = view.names[view.first_dealer]
    if last is not None:
        place = last.record["players"].index(last.verdict["next"]["dealer"])
        dealer = next(seat.name for seat in view.seats if seat.id == last.seat_ids[place])
    return Proposal(dealer, view.rules.table(view.names, dealer).lead)


def _answer(
    session: ScopedSession, row: PlaySession, hand: Hand, verdict: Verdict | None
) -> dict[str, Any]:
    session.flush()
    return {
        "session": row.id,
        "hand": hand.number,
        "version": hand.version,
        "state": hand.state,
        "revision": row.revision,
        "verdict": dict(verdict.to_mapping()) if verdict else None,
        "balances": {seat.name: seat.balance for seat in sessions.view(session, row).seats},
        "at": _stamp(now()),
    }


def _stamp(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def _reason(text: str) -> str:
    why = " ".join(text.split())
    if not why:
        raise Invalid.at("reason", "reason-missing", "Say why, so that the history can show it.")
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in why):
        raise Invalid.at(
            "reason",
            "reason-has-controls",
            "The reason holds an invisible control character; leave it out.",
        )
    if len(why) > LONGEST_REASON:
        raise Invalid.at(
            "reason",
            "reason-too-long",
            f"The reason has {len(why)} characters; {LONGEST_REASON} are the most that fit.",
        )
    return why
