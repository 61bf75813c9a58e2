"""The hands of a club for exports, evening by evening, oldest first, in constant memory."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import bindparam, tuple_
from sqlmodel import col, select

from ledger.books.hand_effects import HandEffects
from ledger.database.models import Hand, HandState, Player, PlaySession, Seat
from ledger.database.scope import Built, ScopedSession
from ledger.services.reads.hand_line import VersionText
from ledger.services.session.hand_versions import CURRENT_VERSIONS, HandVersion
from ledger.services.session.session_filter import SessionFilter

PAGE = 200
"""The most hands or evenings in memory at a time."""


class ExportedEvening(NamedTuple):
    """An evening of exported hands."""

    id: int
    title: str
    started_on: date


class SeatOwner(NamedTuple):
    """A seat's player."""

    seat_id: int
    player_id: int
    name: str


class ExportedHand(NamedTuple):
    """A hand's current version with its evening, its payments, its contract and the ids of its players.

    ``text`` and ``ids`` have the players' present names.
    """

    evening: ExportedEvening
    version: HandVersion
    effects: HandEffects
    text: VersionText
    ids: Mapping[str, int]

    @property
    def is_void(self) -> bool:
        """Whether it is void, and pays nobody."""
        return self.version.state == HandState.VOID


class PlayedHand(NamedTuple):
    """One player's part in a hand; ``place`` is their place in its record."""

    hand: ExportedHand
    place: int
    owner: SeatOwner

    @property
    def won(self) -> int:
        """What they won or, if negative, lost; nothing in a void hand."""
        return 0 if self.hand.is_void else self.hand.effects.amounts[self.place]


def played_hands(session: ScopedSession, chosen: SessionFilter) -> Iterator[PlayedHand]:
    """Yield every hand of the chosen evenings, void ones included, once for each of its players.

    ``chosen.game`` chooses hands by their own game, not by the evening's last one.
    """
    for evening in _evenings(session, chosen):
        owners = {owner.seat_id: owner for owner in session.ask(_OWNERS, session=evening.id)}
        names = {owner.seat_id: owner.name for owner in owners.values()}
        ids = {owner.name: owner.player_id for owner in owners.values()}
        for version in _hands(session, evening.id, chosen):
            text = VersionText(version, names)
            hand = ExportedHand(evening, version, version.effects, text, ids)
            for place, seat_id in enumerate(version.seat_ids):
                yield PlayedHand(hand, place, owners[seat_id])


def standing_hands(session: ScopedSession, chosen: SessionFilter) -> Iterator[HandVersion]:
    """Yield the current version of the chosen hands, as in ``played_hands``, without void ones."""
    for evening in _evenings(session, chosen):
        for version in _hands(session, evening.id, chosen):
            if version.state == HandState.STANDING:
                yield version


def _evenings(session: ScopedSession, chosen: SessionFilter) -> Iterator[ExportedEvening]:
    conditions = [*replace(chosen, game=None).conditions(session)]
    place = tuple_(col(PlaySession.started_on), col(PlaySession.id))
    columns: tuple[Any, ...] = PlaySession.id, PlaySession.title, PlaySession.started_on
    query = select(*columns).where(*conditions).limit(PAGE)
    query = query.order_by(col(PlaySession.started_on), col(PlaySession.id))
    page = session.exec(query).all()
    while page:
        yield from (ExportedEvening(*row) for row in page)
        last, _, day = page[-1]
        page = session.exec(query.where(place > (day, last))).all()


def _hands(session: ScopedSession, session_id: int, chosen: SessionFilter) -> Iterator[HandVersion]:
    after = 0
    while page := session.ask(_HANDS, session=session_id, after=after):
        yield from (hand for hand in page if chosen.game in (None, hand.record["game"]))
        after = page[-1].number


_HANDS = Built(
    HandVersion,
    CURRENT_VERSIONS.where(Hand.session_id == bindparam("session"))
    .where(Hand.number > bindparam("after"))
    .order_by(col(Hand.number))
    .limit(PAGE),
)
_OWNERS = Built(
    SeatOwner,
    select(Seat.id, Seat.player_id, Player.name)
    .join(Player, col(Player.id) == Seat.player_id)
    .where(Seat.session_id == bindparam("session")),
)
