"""Starting a session, changing its rules, and listing the club's sessions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlmodel import col, func, select

from engine import games
from engine.errors import Refused
from engine.rules.sheet import Rules
from engine.words.sentences import say
from ledger.database.models import EntryKind, Player, PlaySession
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import today
from ledger.services.chips import bank
from ledger.services.chips.bank import ScoresNotChips
from ledger.services.club import players
from ledger.services.common import dates, names, stakes
from ledger.services.common.writing import WriteContext, WriteResponse, writes
from ledger.services.money import convert
from ledger.services.session import seats, snapshot
from ledger.services.session.load import unclosed
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter
from ledger.services.session.view import Rate
from ledger.words.problems import Invalid, Unchanged
from ledger.words.translation import translate


@dataclass(frozen=True, slots=True)
class SessionDraft:
    """A session to start: players clockwise by name, the game, its rules and stakes.

    Without a ``title`` it is numbered, without ``started_on`` it is today's, without ``first_dealer`` the
    first player deals. ``starting_stack`` are the chips each player gets from the bank.
    """

    players: Sequence[str]
    game: str
    variant: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    started_on: date | None = None
    first_dealer: str | None = None
    starting_stack: int = 0
    rate: Rate | None = None


@writes("start session")
def start(tx: WriteContext, draft: SessionDraft) -> WriteResponse:
    """Start a session with an account and the starting stack for each seat; add new names to the club.

    Returns its id and revision. Raises ``Invalid`` at the wrong field.
    """
    return begin(tx, draft)


def begin(tx: WriteContext, draft: SessionDraft, *, on_paper: bool = False) -> WriteResponse:
    """Start a session in the caller's write as ``start`` does; return its id and revision.

    At one ``on_paper`` more or fewer than the game seats may have played: not all were there all evening.
    """
    session = tx.session
    seated = len(draft.players)
    if on_paper and draft.game in games.GAMES:
        seats_of_game = games.find(draft.game).seats
        seated = min(max(seated, seats_of_game[0]), seats_of_game[-1])
    rules = _rules(draft.game, draft.variant, draft.options, seated)
    for name in ("rate", "starting_stack"):
        if getattr(draft, name):
            _must_be_for_chips(draft.game, name)
    people = players.by_names(
        session, {f"players.{place}": name for place, name in enumerate(draft.players)}
    )
    _must_differ(people)
    title = draft.title.strip()
    row = PlaySession(
        title=names.clean(title, "title", say("The session's name"))
        if title
        else _numbered(session),
        started_on=today()
        if draft.started_on is None
        else dates.played_on(draft.started_on, "started_on"),
        game=draft.game,
        variant=rules.variant,
        options=dict(draft.options),
        first_dealer=_first_dealer(draft.first_dealer, people),
        starting_stack=stakes.check_stack(draft.starting_stack),
        created_at=tx.at,
        on_paper=on_paper,
    )
    if draft.rate is not None:
        row.rate_chips, row.rate_money = stakes.check_rate(
            draft.rate.chips, draft.rate.money, convert.currency_of(session)
        )
    session.add(row)
    session.flush()
    taken_seats = [
        seats.take(session, row.id, player.id, place) for place, player in enumerate(people)
    ]
    bank.give_stacks(tx, row, taken_seats)
    return {"id": row.id, "revision": row.revision}


@writes("change rules")
def change_rules(
    tx: WriteContext, session_id: int, *, game: str, variant: str | None, options: Mapping[str, Any]
) -> WriteResponse:
    """Change the game, variant or house rules from the next hand on; earlier hands keep theirs.

    Chips stay as they are during a game of scores. Raises ``Invalid``, ``Unchanged`` if the rules are the
    present ones, defaults included, ``SessionClosed`` and ``Stale``.
    """
    session = tx.session
    row, view = unclosed(tx, session_id)
    rules = _rules(game, variant, options, len(view.playing))
    if game == row.game:
        present = _rules(game, row.variant, row.options, len(view.playing))
        if (rules.variant, rules.options) == (present.variant, present.options):
            raise Unchanged
    then = snapshot.standing(session, row)
    row.game, row.variant, row.options = game, rules.variant, dict(options)
    return seats.changed(tx, row, snapshot.note(tx, row, EntryKind.RULES_CHANGED, then))


def list_all(
    session: ScopedSession,
    chosen: SessionFilter = EVERY_SESSION,
    *,
    offset: int = 0,
    limit: int = 100,
) -> Sequence[PlaySession]:
    """Return a page of the club's sessions that match a filter, newest first, without deleted ones."""
    newest = col(PlaySession.started_on).desc(), col(PlaySession.id).desc()
    rows = select(PlaySession).where(*chosen.of_page(session)).order_by(*newest)
    return session.exec(rows.offset(offset).limit(limit)).all()


def _rules(game: str, variant: str | None, options: Mapping[str, Any], seats: int) -> Rules:
    """Return the rules of a game for a number of seats. Raises ``Invalid`` if the engine refuses them."""
    try:
        return games.find(game).rules(variant, options, seats)
    except Refused as refused:
        raise Invalid.from_refused(refused) from refused


def _must_be_for_chips(game: str, name: str) -> None:
    """Raise ``Invalid`` at the field ``name``, which a game of scores leaves empty, if ``game`` is one."""
    try:
        bank.must_be_for_chips(game, ScoresNotChips.leave_empty)
    except ScoresNotChips as refusal:
        raise Invalid.at(name, refusal.code, refusal.message) from refusal


def _numbered(session: ScopedSession) -> str:
    """Return a title with the session's number, counting deleted ones; it stays true for any game.

    It is stored in the language of the client, as if typed, because a title is the same for all readers.
    """
    ever = session.exec(select(func.count()).select_from(PlaySession)).one()
    return translate(say("Evening {number}", number=ever + 1))


def _must_differ(people: Sequence[Player]) -> None:
    """Raise ``Invalid`` at ``players.…`` for a player who is named a second time."""
    for place, player in enumerate(people):
        if player.id in [other.id for other in people[:place]]:
            twice = say("{name} can't sit in two seats; choose somebody else.", name=player.name)
            raise Invalid.at(f"players.{place}", "player-twice", twice)


def _first_dealer(name: str | None, people: Sequence[Player]) -> int:
    """Return the index of the named first dealer, or 0 without a name.

    Raises ``Invalid`` at ``first_dealer``.
    """
    if name is None:
        return 0
    keys = [player.name_key for player in people]
    if names.key(name) not in keys:
        raise Invalid.at(
            "first_dealer",
            "dealer-not-seated",
            say("{name} has no seat tonight; the first dealer is one of the players.", name=name),
            tuple(player.name for player in people),
        )
    return keys.index(names.key(name))
