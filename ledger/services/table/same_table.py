"""Starting a session like an earlier one.

It has the same players clockwise, game, house rules, starting stack and rate. The next dealer
deals first, even after leaving. A game of scores starts without chips. Archived players are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from sqlmodel import col, select

from engine import games
from engine.rules.seating import current_holder
from engine.rules.sheet import CHIPS
from engine.words.sentences import later, say
from ledger.database.models import Player, PlaySession, SessionState
from ledger.database.models.play import LISTED
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import WriteContext, WriteResponse, writes
from ledger.services.hands import turn
from ledger.services.session import reversals
from ledger.services.session.load import load, must_be_at
from ledger.services.session.view import SeatView, SessionView
from ledger.services.table import start
from ledger.services.table.start import SessionDraft
from ledger.words.problems import Stale

_OTHER_STARTED = later("“{title}” was started meanwhile, so no other session was.")


@dataclass(frozen=True, slots=True)
class SameTable:
    """The draft of a session like session ``like``, and the archived players ``left_out``."""

    like: int
    draft: SessionDraft
    left_out: tuple[str, ...]

    @property
    def is_enough(self) -> bool:
        """Whether the game can be played with the number of players in the draft."""
        return len(self.draft.players) in games.find(self.draft.game).seats


def newest(session: ScopedSession) -> PlaySession | None:
    """Return the club's session with the latest day, the last started one of that day; None if there is none.

    It may be closed; deleted ones don't count.
    """
    return next(iter(start.list_all(session, limit=1)), None)


def being_played(session: ScopedSession, last: PlaySession | None) -> PlaySession | None:
    """Return the session in play: the ``last`` or, if it is closed, the newest of the same day that isn't.

    None if all of them are closed. An open session of an earlier day does not count.
    """
    if last is None or last.state != SessionState.CLOSED:
        return last
    same_day = select(PlaySession).where(
        LISTED,
        PlaySession.started_on == last.started_on,
        PlaySession.state != SessionState.CLOSED.value,
    )
    return session.exec(same_day.order_by(col(PlaySession.id).desc()).limit(1)).first()


def same_table(session: ScopedSession, session_id: int) -> SameTable:
    """Return the draft of a session with the players, game and stakes of this one. Raises ``NotFound``.

    Nothing is written.
    """
    view = load(session, session_id)
    around = _around(session, view)
    ids = [seat.player_id for seat in around]
    query = select(Player.id).where(col(Player.id).in_(ids), col(Player.archived))
    archived = set(session.exec(query))
    names = tuple(seat.name for seat in around if seat.player_id not in archived)
    left_out = tuple(seat.name for seat in around if seat.player_id in archived)
    for_chips = view.sheet.unit == CHIPS
    draft = SessionDraft(
        players=names,
        game=view.game,
        variant=view.variant,
        options=view.options,
        first_dealer=_dealer(view, around, names),
        starting_stack=view.starting_stack if for_chips else 0,
        rate=view.rate if for_chips else None,
    )
    return SameTable(session_id, draft, left_out)


@writes("start the same table")
def start_again(tx: WriteContext, session_id: int, *, last: int | None = None) -> WriteResponse:
    """Start a session like an earlier one; the response has the archived players ``left_out``.

    ``last`` is the newest session on the client's page, so that two phones don't start two. Raises
    ``Invalid`` at ``players`` if too few are left for the game, ``Stale`` and ``NotFound``.
    """
    session = tx.session
    must_be_at(session, load(session, session_id), tx.seen)
    latest = newest(session)
    if last is not None and latest is not None and latest.id != last:
        raise Stale(say(_OTHER_STARTED, title=latest.title))
    table = same_table(session, session_id)
    return {**start.begin(tx, table.draft), "left_out": list(table.left_out)}


def _around(session: ScopedSession, view: SessionView) -> list[SeatView]:
    """Return each player's last seat, clockwise, with departed players in their old places.

    A departed player sat right before the seat's successor, which for the last seat is the first. The last to
    leave is put back first.
    """
    around = list(view.present)
    for leaving in reversals.newest_first(session, view.id, reversals.LEAVINGS):
        seat = view.seat(leaving.details["seat"])
        ids = [other.id for other in around]
        at = ids.index(seat.successor_id) if seat.successor_id in ids else 0
        around.insert(at or (len(around) if seat.position else 0), seat)
    newest = {seat.player_id: seat.id for seat in sorted(around, key=attrgetter("id"))}
    return [seat for seat in around if newest[seat.player_id] == seat.id]


def _dealer(view: SessionView, around: Sequence[SeatView], names: Sequence[str]) -> str | None:
    """Return the name of the next dealer or, if not in ``names``, of the next player to the left in them.

    None without names. The turn of a seat that no longer exists, because its joining was undone, goes to its
    successor.
    """
    order = [seat.name for seat in around]
    absent = {seat.id for seat in view.seats if seat.name not in order}
    successors = {seat: left for seat, left in view.successors.items() if seat in absent}
    at = order.index(view.seat(current_holder(turn.next_dealer(view), successors)).name)
    return next((name for name in (*order[at:], *order[:at]) if name in names), None)
