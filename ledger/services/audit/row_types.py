"""What verifying reads, row by row: as the database keeps it, documents and instants unread."""

from typing import Any, NamedTuple


class AccountRow(NamedTuple):
    """An account as it is kept."""

    id: int
    club_id: int
    key: str
    kind: str
    unit: str
    balance: int
    session_id: int | None
    seat_id: int | None
    player_id: int | None
    name: str | None
    closed_at: object


class SeatRow(NamedTuple):
    """A seat as it is kept."""

    id: int
    club_id: int
    session_id: int
    player_id: int
    position: int
    advanced: int
    converted: int
    hands_bid: int
    hands_won: int
    state: str
    successor_id: int | None


class HandRow(NamedTuple):
    """A hand as it is kept."""

    id: int
    club_id: int
    session_id: int
    number: int
    state: str
    version: int

    @property
    def place(self) -> str:
        """Where it is found."""
        return f"session {self.session_id}, hand {self.number}"


class EntryRow(NamedTuple):
    """An entry as it is kept, its details and instants unread."""

    id: int
    club_id: int
    session_id: int | None
    kind: str
    hand_id: int | None
    reverses_id: int | None
    author: str
    reason: str | None
    details: Any
    occurred_at: Any
    entered_at: Any
    previous_digest: str
    digest: str


class VersionRow(NamedTuple):
    """A hand's version as it is kept, its documents unread."""

    id: int
    club_id: int
    session_id: int
    hand_id: int
    version: int
    action: str
    record: Any
    verdict: Any
    seat_ids: Any
    author: str
    reason: str | None
    played_at: Any
    entered_at: Any
    entry_id: int | None


class Voiding(NamedTuple):
    """A version without an entry, and of the version before it, if there is one, what it should repeat."""

    version: VersionRow
    record: Any
    verdict: Any
    seat_ids: Any
    entry_id: int | None


PostingRow = tuple[int, int, int, int, int]
"""A posting's entry, account, amount, balance and club."""
