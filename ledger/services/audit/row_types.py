"""What verifying reads, row by row: as the database keeps it, documents and instants unread.

Whatever somebody changed by hand may stand in a row, so nothing is said here of the types in it.
"""

from collections import namedtuple
from collections.abc import Mapping
from typing import TypeVar

# fmt: off
AccountRow = namedtuple("AccountRow", [
    "id", "club_id", "key", "kind", "unit", "balance", "session_id", "seat_id", "player_id", "name",
    "closed_at"])
SeatRow = namedtuple("SeatRow", [
    "id", "club_id", "session_id", "player_id", "position", "advanced", "converted", "scored",
    "hands_bid", "hands_won", "state", "successor_id"])
HandRow = namedtuple("HandRow", ["id", "club_id", "session_id", "number", "state", "version"])
EntryRow = namedtuple("EntryRow", [
    "id", "club_id", "session_id", "kind", "hand_id", "reverses_id", "author", "reason", "details",
    "occurred_at", "entered_at", "previous_digest", "digest", "signature"])
SessionRow = namedtuple("SessionRow", [
    "id", "club_id", "state", "closed_at", "first_dealer", "hands_dealt", "game", "variant", "options",
    "starting_stack", "rate_chips", "rate_money", "unconverted"])
CountRow = namedtuple("CountRow", [
    "id", "club_id", "session_id", "seat_id", "pieces", "counted", "expected", "entry_id"])
PlayerRow = namedtuple("PlayerRow", ["id", "club_id", "name", "name_key", "by_other_entries"])
_Version = namedtuple("_Version", [
    "id", "club_id", "session_id", "hand_id", "version", "action", "record", "verdict", "seat_ids",
    "author", "reason", "cause", "played_at", "entered_at", "entry_id", "engine_version",
    "found", "hand_club_id", "hand_session_id", "number", "state", "latest"])
Voiding = namedtuple("Voiding", ["version", "record", "verdict", "seat_ids", "reversal"])
# fmt: on
"""The last: a version without an entry; of the version before it, if there is one, what it repeats, and the
entry that reversed it.
"""


class VersionRow(_Version):
    """A version, and beside its own columns those of its hand's row, of which ``found`` is the id."""

    OWN = _Version._fields[: _Version._fields.index("found")]
    __slots__ = ()

    @property
    def hand(self) -> HandRow | None:
        """The row of its hand, if there is one."""
        return None if self.found is None else HandRow._make(self[len(self.OWN) :])


PostingRow = tuple[int, int, int, int, int]
"""A posting's entry, account, amount, balance and club."""

Turn = tuple[int, str, int | None]
"""A version's number, its action and its entry."""

Row = AccountRow | SeatRow | HandRow | EntryRow | VersionRow | SessionRow | CountRow | PlayerRow
R = TypeVar("R", AccountRow, SeatRow, HandRow, SessionRow, CountRow, PlayerRow)

PLACES: Mapping[type, str] = {
    AccountRow: "account {0.key}",
    SeatRow: "session {0.session_id}, seat {0.id}",
    HandRow: "session {0.session_id}, hand {0.number}",
    EntryRow: "entry {0.id}",
    VersionRow: "hand {0.hand_id}, version {0.version}",
    SessionRow: "session {0.id}",
    CountRow: "session {0.session_id}, count {0.id}",
    PlayerRow: "player {0.id}",
}
"""Where in the books a row is found; a version is told by its hand's number, where there is the hand."""

TABLES: Mapping[type, str] = {
    AccountRow: "account",
    SeatRow: "seat",
    HandRow: "hand",
    SessionRow: "play_session",
    CountRow: "chip_count",
    PlayerRow: "player",
}
"""The tables that are read as a whole."""
