"""An evening: who sits where, which game, by which house rules; open or closed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from sqlmodel import col, func, select

from engine import games
from engine.errors import Refused
from engine.sheet import Rules, Sheet
from ledger import journal
from ledger.access import Access
from ledger.clock import now, today
from ledger.db import Database
from ledger.models import (
    Account,
    AccountKind,
    Hand,
    Player,
    PlaySession,
    Seat,
    SessionState,
)
from ledger.problems import Conflict, Invalid, NotFound, SessionClosed, Stale
from ledger.scope import ScopedSession
from ledger.services import names, players
from ledger.services.once import Answer, once


@dataclass(frozen=True, slots=True)
class SessionDraft:
    """What starts a session: players clockwise by name, the game and how it is played tonight."""

    players: Sequence[str]
    game: str
    variant: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    started_on: date | None = None
    first_dealer: str | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player's place: seat id, name, and the chips on its account."""

    id: int
    name: str
    position: int
    account_id: int
    balance: int


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session as it stands."""

    id: int
    title: str
    started_on: date
    game: str
    variant: str | None
    options: Mapping[str, Any]
    state: str
    revision: int
    hands_dealt: int
    first_dealer: int
    created_at: datetime
    closed_at: datetime | None
    seats: tuple[SeatView, ...]

    @property
    def is_open(self) -> bool:
        """Whether hands may be written."""
        return self.state == SessionState.OPEN

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, clockwise."""
        return tuple(seat.name for seat in self.seats)

    @property
    def sheet(self) -> Sheet:
        """The rule sheet of the next hand's game."""
        return games.find(self.game)

    @property
    def rules(self) -> Rules:
        """The rules of the next hand."""
        return self.sheet.rules(self.variant, self.options, len(self.seats))


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session in the club's list."""

    id: int
    title: str
    started_on: date
    game: str
    variant: str | None
    state: str
    hands_dealt: int


def start(db: Database, access: Access, key: str, draft: SessionDraft) -> Answer:
    """Start a session and open an account for each seat. Raises ``Invalid`` at the field that is wrong."""
    with db.write(access) as session:

        def act() -> Answer:
            rules = _rules(draft.game, draft.variant, draft.options, len(draft.players))
            people = players.by_names(session, draft.players, "players")
            _must_differ(people)
            title = draft.title.strip()
            row = PlaySession(
                title=names.clean(title, "title", "The session's name")
                if title
                else games.find(draft.game).title,
                started_on=draft.started_on or today(),
                game=draft.game,
                variant=rules.variant,
                options=dict(draft.options),
                first_dealer=_first_dealer(draft.first_dealer, people),
                created_at=now(),
            )
            session.add(row)
            session.flush()
            for position, player in enumerate(people):
                seat = Seat(session_id=row.id, player_id=player.id, position=position)
                session.add(seat)
                session.flush()
                journal.open_account(session, row.id, AccountKind.SEAT, seat.id)
            return {"id": row.id, "revision": row.revision}

        return once(session, key, ("start session", _said(draft)), act)


def change_rules(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    *,
    game: str,
    variant: str | None,
    options: Mapping[str, Any],
    revision: int | None = None,
) -> Answer:
    """Change game, variant or house rules from the next hand on; hands already down keep theirs."""
    said = {"id": session_id, "game": game, "variant": variant, "options": dict(options)}
    with db.write(access) as session:

        def act() -> Answer:
            row = open_row(session, session_id, revision)
            seats = session.exec(
                select(func.count()).select_from(Seat).where(Seat.session_id == session_id)
            ).one()
            rules = _rules(game, variant, options, seats)
            row.game, row.variant, row.options = game, rules.variant, dict(options)
            row.revision += 1
            return {"id": session_id, "revision": row.revision}

        return once(session, key, ("change rules", said), act)


def close(
    db: Database, access: Access, key: str, session_id: int, revision: int | None = None
) -> Answer:
    """Close a session: nothing more is written in it until it is reopened."""
    with db.write(access) as session:

        def act() -> Answer:
            row = open_row(session, session_id, revision)
            row.state, row.closed_at = SessionState.CLOSED.value, now()
            row.revision += 1
            return {"id": session_id, "revision": row.revision}

        return once(session, key, ("close session", {"id": session_id}), act)


def reopen(
    db: Database, access: Access, key: str, session_id: int, revision: int | None = None
) -> Answer:
    """Reopen a closed session."""
    with db.write(access) as session:

        def act() -> Answer:
            row = _row(session, session_id)
            if row.state == SessionState.OPEN:
                raise Conflict(f"“{row.title}” is open already.")
            _must_be_at(session, row, revision)
            row.state, row.closed_at = SessionState.OPEN.value, None
            row.revision += 1
            return {"id": session_id, "revision": row.revision}

        return once(session, key, ("reopen session", {"id": session_id}), act)


def every(db: Database, access: Access, *, offset: int = 0, limit: int = 100) -> list[SessionLine]:
    """Return the club's sessions, newest first."""
    with db.read(access) as session:
        rows = session.exec(
            select(PlaySession)
            .order_by(col(PlaySession.started_on).desc(), col(PlaySession.id).desc())
            .offset(offset)
            .limit(limit)
        ).all()
        return [
            SessionLine(
                row.id,
                row.title,
                row.started_on,
                row.game,
                row.variant,
                row.state,
                row.hands_dealt,
            )
            for row in rows
        ]


def count(db: Database, access: Access) -> int:
    """Return how many sessions the club has."""
    with db.read(access) as session:
        return session.exec(select(func.count()).select_from(PlaySession)).one()


def show(db: Database, access: Access, session_id: int) -> SessionView:
    """Return one session. Raises ``NotFound``."""
    with db.read(access) as session:
        return view(session, _row(session, session_id))


def load(session: ScopedSession, session_id: int) -> SessionView:
    """Return one session, inside a transaction. Raises ``NotFound``."""
    return view(session, _row(session, session_id))


def open_row(session: ScopedSession, session_id: int, revision: int | None) -> PlaySession:
    """Return the row of a session that may be written in.

    ``revision`` is the one the scorer saw. Raises ``NotFound``, ``SessionClosed`` or ``Stale``.
    """
    row = _row(session, session_id)
    if row.state != SessionState.OPEN:
        raise SessionClosed(row.title)
    _must_be_at(session, row, revision)
    return row


def view(session: ScopedSession, row: PlaySession) -> SessionView:
    """Return what a session's row and its seats say."""
    found = session.exec(
        select(Seat, Player, Account)
        .where(Seat.session_id == row.id)
        .where(Player.id == Seat.player_id)
        .where(Account.seat_id == Seat.id)
        .order_by(col(Seat.position))
    ).all()
    return SessionView(
        id=row.id,
        title=row.title,
        started_on=row.started_on,
        game=row.game,
        variant=row.variant,
        options=row.options,
        state=row.state,
        revision=row.revision,
        hands_dealt=row.hands_dealt,
        first_dealer=row.first_dealer,
        created_at=row.created_at,
        closed_at=row.closed_at,
        seats=tuple(
            SeatView(seat.id, player.name, seat.position, account.id, account.balance)
            for seat, player, account in found
        ),
    )


def _row(session: ScopedSession, session_id: int) -> PlaySession:
    row = session.exec(select(PlaySession).where(PlaySession.id == session_id)).one_or_none()
    if row is None:
        raise NotFound("There is no such session in this club.")
    return row


def _must_be_at(session: ScopedSession, row: PlaySession, revision: int | None) -> None:
    if revision is not None and revision != row.revision:
        raise Stale(_what_changed(session, row))


def _rules(game: str, variant: str | None, options: Mapping[str, Any], seats: int) -> Rules:
    try:
        return games.find(game).rules(variant, options, seats)
    except Refused as refused:
        raise Invalid.from_refused(refused) from refused


def _must_differ(people: Sequence[Player]) -> None:
    seen: set[int | None] = set()
    for place, player in enumerate(people):
        if player.id in seen:
            raise Invalid.at(
                f"players.{place}",
                "player-twice",
                f"{player.name} can't sit in two seats; choose somebody else.",
            )
        seen.add(player.id)


def _first_dealer(name: str | None, people: Sequence[Player]) -> int:
    if name is None:
        return 0
    keys = [player.name_key for player in people]
    if names.key(name) not in keys:
        raise Invalid.at(
            "first_dealer",
            "dealer-not-seated",
            f"{name} has no seat tonight; the first dealer is one of the players.",
            tuple(player.name for player in people),
        )
    return keys.index(names.key(name))


def _what_changed(session: ScopedSession, row: PlaySession) -> str:
    last = session.exec(
        select(Hand).where(Hand.session_id == row.id).order_by(col(Hand.number).desc()).limit(1)
    ).first()
    there = f" The last hand there is {last.number} now." if last else ""
    return (
        f"Somebody else wrote in “{row.title}” meanwhile.{there} Nothing of yours was saved; "
        "look at what is new, then save again."
    )


def _said(draft: SessionDraft) -> dict[str, Any]:
    return {
        "players": list(draft.players),
        "game": draft.game,
        "variant": draft.variant,
        "options": dict(draft.options),
        "title": draft.title,
        "started_on": draft.started_on,
        "first_dealer": draft.first_dealer,
    }
