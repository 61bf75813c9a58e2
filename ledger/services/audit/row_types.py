"""The rows that verification reads: tuples of the stored values, with JSON and times not yet parsed.

All are of one club. Anything may stand in a row that was changed by hand, so the fields have no types.
"""

from collections import namedtuple
from collections.abc import Mapping
from typing import TypeVar

# fmt: off
AccountRow = namedtuple("AccountRow", [
    "id", "key", "kind", "unit", "balance", "session_id", "seat_id", "player_id", "name",
    "closed_at"])
SeatRow = namedtuple("SeatRow", [
    "id", "session_id", "player_id", "position", "advanced", "converted", "scored",
    "hands_bid", "hands_won", "state", "successor_id"])
HandRow = namedtuple("HandRow", ["id", "session_id", "number", "state", "version"])
EntryRow = namedtuple("EntryRow", [
    "id", "session_id", "kind", "hand_id", "reverses_id", "author", "reason", "details",
    "occurred_at", "entered_at", "previous_digest", "digest", "signature"])
SessionRow = namedtuple("SessionRow", [
    "id", "state", "closed_at", "first_dealer", "hands_dealt", "game", "variant", "options",
    "starting_stack", "rate_chips", "rate_money", "unconverted"])
CountRow = namedtuple("CountRow", [
    "id", "session_id", "seat_id", "pieces", "counted", "expected", "entry_id"])
OriginRow = namedtuple("OriginRow", ["id", "number", "public_key", "last_entry_id", "signature"])
PlayerRow = namedtuple("PlayerRow", [
    "id", "name", "name_key", "by_other_entries", "colour", "emoji", "picture_digest", "picture"])
_Version = namedtuple("_Version", [
    "id", "session_id", "hand_id", "version", "action", "record", "verdict", "seat_ids",
    "author", "reason", "cause", "played_at", "entered_at", "entry_id", "engine_version",
    "hand_row_id", "hand_session_id", "number", "state", "latest"])
Voiding = namedtuple("Voiding", ["version", "record", "verdict", "seat_ids", "reversal"])
# fmt: on
"""The last: a version without an entry, the previous version's contents, and the entry that reversed it."""


class VersionRow(_Version):
    """A version's own columns, followed by those of its hand, which are None if the hand is gone."""

    OWN = _Version._fields[: _Version._fields.index("hand_row_id")]
    __slots__ = ()

    @property
    def hand(self) -> HandRow | None:
        """The row of its hand, or None if the hand is gone."""
        return None if self.hand_row_id is None else HandRow._make(self[len(self.OWN) :])


PostingRow = tuple[int, int, int, int]
"""A posting's entry, account, amount and balance."""

VersionStep = tuple[int, str, int | None]
"""A version's number, action and entry."""

Row = (
    AccountRow
    | SeatRow
    | HandRow
    | EntryRow
    | VersionRow
    | SessionRow
    | CountRow
    | PlayerRow
    | OriginRow
)
R = TypeVar("R", AccountRow, SeatRow, HandRow, SessionRow, CountRow, PlayerRow, OriginRow)

PLACES: Mapping[type, str] = {
    AccountRow: "account {0.key}",
    SeatRow: "session {0.session_id}, seat {0.id}",
    HandRow: "session {0.session_id}, hand {0.number}",
    EntryRow: "entry {0.id}",
    VersionRow: "hand {0.hand_id}, version {0.version}",
    SessionRow: "session {0.id}",
    CountRow: "session {0.session_id}, count {0.id}",
    PlayerRow: "player {0.id}",
    OriginRow: "origin {0.id}",
}
"""The place of a row in the report; a version whose hand exists is named by the hand's number instead."""

TABLES: Mapping[type, str] = {
    AccountRow: "account",
    SeatRow: "seat",
    HandRow: "hand",
    SessionRow: "play_session",
    CountRow: "chip_count",
    PlayerRow: "player",
    OriginRow: "club_origin",
}
"""The tables that are read as a whole."""
