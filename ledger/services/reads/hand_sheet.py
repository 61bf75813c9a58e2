"""The sheet of one hand: everything that is recorded of it, with its tricks."""

from dataclasses import dataclass, replace

from engine.notation import compact
from engine.notation.compact_text import NoLine
from engine.record import HandRecord
from engine.record.incidents import decision
from engine.replay.overview import HandOverview, overview
from engine.rules.bids import Bid
from engine.rules.sheet import Rules
from ledger.database.scope import ScopedSession
from ledger.services.hands import rename, versions
from ledger.services.reads.hand_pages import lines
from ledger.services.reads.summary import HandLine
from ledger.services.session.view import SessionView
from ledger.words.problems import NoCards


@dataclass(frozen=True, slots=True)
class HandSheet:
    """A hand with cards at its current version, with the players' current names.

    ``compact`` is the hand as one line of text, and ``shared`` the line for a link, without what is the
    club's own: notes, time, evening and other programs' keys. Either is `None` if it would be too long.
    Without a ``bid`` the table settled the hand before there was a contract. ``points_aside`` are the bidding
    side's card points from the widow or the discard.
    """

    line: HandLine
    record: HandRecord
    played: HandOverview
    bid: Bid | None
    compact: str | None
    shared: str | None
    points_aside: int

    @property
    def counts_points(self) -> bool:
        """Whether card points decide the contract; otherwise tricks do."""
        return self.bid is not None and "points" in self.bid.result_keys


def hand_sheet(session: ScopedSession, view: SessionView, number: int) -> HandSheet:
    """Return the sheet of a hand's current version.

    Raises ``NotFound``, and ``NoCards`` for a hand without recorded tricks.
    """
    version = versions.find(session, view, number)
    if not version.record.get("tricks"):
        raise NoCards(number=number)
    names = [view.seat(seat_id).name for seat_id in version.seat_ids]
    record = HandRecord.from_mapping(rename.called_now(version.record, names))
    rules = version.rules
    played = overview(rules, record)
    bid = rules.by_slug.get(played.contract.bid or "") if played.contract else None
    (line,) = lines(session, view, number, number)
    aside = _points_aside(rules, line, record, played)
    shared = replace(record, note=None, notes=None, played_at=None, evening=None, added=None)
    return HandSheet(line, record, played, bid, _compact(record), _compact(shared), aside)


def _points_aside(rules: Rules, line: HandLine, record: HandRecord, played: HandOverview) -> int:
    """Return the bidding side's card points from the widow or the discard; 0 unless the cards decided."""
    in_tricks = played.tricks[-1].side_points
    is_whole = len(played.tricks) == rules.tricks and decision(record.irregular) is None
    if line.points is None or in_tricks is None or not is_whole:
        return 0
    return line.points - in_tricks


def _compact(record: HandRecord) -> str | None:
    try:
        return compact.write(record)
    except NoLine:
        return None
