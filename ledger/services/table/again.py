"""The same table as last time: another evening that starts as an earlier one did.

The same players clockwise, the same game and house rules, the same chips at the same rate; whoever was due to
deal goes on dealing. A game of scores starts without chips, whatever was played for before. Those who are
archived are left out, and named.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlmodel import col, select

from engine import games
from engine.rules.sheet import CHIPS
from engine.words.sentences import later, say
from ledger.models import Player, PlaySession, SessionState
from ledger.models.play import LISTED
from ledger.problems import Invalid, Stale
from ledger.scope import ScopedSession
from ledger.services.common.writing import Answer, Writing, writes
from ledger.services.hands import turn
from ledger.services.session.load import load
from ledger.services.session.revision import must_be_at
from ledger.services.session.view import SessionView
from ledger.services.table import start
from ledger.services.table.start import SessionDraft

_MEANWHILE = later("“{title}” was started meanwhile, so no other session was.")


@dataclass(frozen=True, slots=True)
class SameTable:
    """What starts an evening like another one: ``draft``; ``left_out`` are those who are archived now."""

    like: int
    draft: SessionDraft
    left_out: tuple[str, ...]

    @property
    def is_enough(self) -> bool:
        """Whether the game is played by as many as are left."""
        return len(self.draft.players) in games.find(self.draft.game).seats


def newest(session: ScopedSession) -> PlaySession | None:
    """Return the club's last evening, None where there was none."""
    return next(iter(start.every(session, limit=1)), None)


def being_played(session: ScopedSession, last: PlaySession | None) -> PlaySession | None:
    """Return the evening that is being played: the newest that is not closed, on the day of the ``last``.

    One of an earlier day that nobody closed is over all the same.
    """
    if last is None or last.state != SessionState.CLOSED:
        return last
    that_day = select(PlaySession).where(
        LISTED,
        PlaySession.started_on == last.started_on,
        PlaySession.state != SessionState.CLOSED.value,
    )
    return session.exec(that_day.order_by(col(PlaySession.id).desc()).limit(1)).first()


def same_table(session: ScopedSession, session_id: int) -> SameTable:
    """Return what starts an evening like this one, as it was at its end. Raises ``NotFound``."""
    view = load(session, session_id)
    names, left_out = _players(session, view)
    for_chips = view.sheet.unit == CHIPS
    draft = SessionDraft(
        players=names,
        game=view.game,
        variant=view.variant,
        options=view.options,
        first_dealer=_dealer(view, names),
        starting_stack=view.starting_stack if for_chips else 0,
        rate=view.rate if for_chips else None,
    )
    return SameTable(session_id, draft, left_out)


@writes("start the same table")
def start_again(tx: Writing, session_id: int, *, last: int | None = None) -> Answer:
    """Start an evening like a session. ``last`` is the newest one that was seen: no two phones start two.

    Raises ``Invalid`` at ``players`` where too few are left for the game, ``Stale``, ``NotFound``.
    """
    session = tx.session
    must_be_at(session, load(session, session_id), tx.seen)
    begun = newest(session)
    if last is not None and begun is not None and begun.id != last:
        raise Stale(say(_MEANWHILE, title=begun.title))
    table = same_table(session, session_id)
    return {**start.begin(tx, table.draft), "left_out": list(table.left_out)}


def _players(session: ScopedSession, view: SessionView) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who sat there, clockwise, those who left early where they sat, and who of them is archived."""
    ids = {seat.player_id for seat in view.seats}
    archived = select(Player.id).where(col(Player.id).in_(ids), col(Player.archived))
    gone = set(session.exec(archived))
    in_order = dict.fromkeys(
        (seat.name, seat.player_id)
        for seat in sorted(view.seats, key=lambda seat: (seat.position, seat.has_left, seat.id))
        if not (seat.has_left and seat.player_id in {each.player_id for each in view.present})
    )
    here = tuple(name for name, player_id in in_order if player_id not in gone)
    return here, tuple(name for name, player_id in in_order if player_id in gone)


def _dealer(view: SessionView, names: Sequence[str]) -> str | None:
    """Return who was due to deal when it ended, if they are here; None: the first seat deals."""
    with suppress(Invalid):
        due = turn.upcoming(view).dealer
        return due if due in names else None
    return None
