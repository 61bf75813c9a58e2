"""The sheet of one hand: everything that is recorded of it, with its tricks."""

from dataclasses import dataclass

from engine.notation import compact
from engine.notation.compact_text import NoLine
from engine.record import HandRecord
from engine.replay.overview import HandOverview, overview
from engine.rules.bids import Bid
from ledger.database.scope import ScopedSession
from ledger.services.hands import rename, versions
from ledger.services.reads.hand_pages import lines
from ledger.services.reads.summary import HandLine
from ledger.services.session.view import SessionView
from ledger.words.problems import NoCards


@dataclass(frozen=True, slots=True)
class HandSheet:
    """A hand with cards at its current version, with the players' current names.

    ``compact`` is the hand as one line of text, `None` if that would be too long. Without a ``bid`` the table
    settled the hand before there was a contract.
    """

    line: HandLine
    record: HandRecord
    played: HandOverview
    bid: Bid | None
    compact: str | None

    @property
    def counts_points(self) -> bool:
        """Whether card points decide the contract; otherwise tricks do."""
        return self.bid is not None and "points" in self.bid.result_keys

    @property
    def points_aside(self) -> int:
        """The bidding side's card points from the widow or the discard; 0 if there are none."""
        points, last = self.line.points, self.played.tricks[-1].side_points
        if not self.counts_points or points is None or last is None or self.record.claimed:
            return 0
        return points - last


def hand_sheet(session: ScopedSession, view: SessionView, number: int) -> HandSheet:
    """Return the sheet of a hand. Raises ``NotFound``, also for a hand without recorded tricks."""
    version = versions.find(session, view, number)
    if not version.record.get("tricks"):
        raise NoCards(number=number)
    names = [view.seat(seat_id).name for seat_id in version.seat_ids]
    record = HandRecord.from_mapping(rename.called_now(version.record, names))
    rules = version.rules
    played = overview(rules, record)
    bid = rules.by_slug.get(played.contract.bid or "") if played.contract else None
    (line,) = lines(session, view, number, number)
    return HandSheet(line, record, played, bid, _compact(record))


def _compact(record: HandRecord) -> str | None:
    try:
        return compact.write(record)
    except NoLine:
        return None
