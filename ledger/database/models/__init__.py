"""The tables; import them from here, so that all of them are registered with the metadata."""

from ledger.database.kinds.accounts import AccountKind
from ledger.database.kinds.entries import EntryKind
from ledger.database.kinds.seasons import ScoringMethod, TieBreak
from ledger.database.kinds.states import HandAction, HandState, SeatState, SessionState, Side
from ledger.database.models.base import ClubOwned, UTCDateTime, metadata
from ledger.database.models.books import Account, JournalEntry, Posting
from ledger.database.models.club import (
    ApiToken,
    Club,
    ClubName,
    ClubOrigin,
    IdempotentResponse,
    KeyDigest,
    Player,
    RefusedTry,
)
from ledger.database.models.devices import Device, Link, SecurityEvent
from ledger.database.models.play import Hand, HandVersionTable, PlaySession, Seat
from ledger.database.models.seasons import Season
from ledger.database.models.sums import ChipCount, HeadToHead, PlayerResult, PlayerTally

__all__ = [
    "Account",
    "AccountKind",
    "ApiToken",
    "ChipCount",
    "Club",
    "ClubName",
    "ClubOrigin",
    "ClubOwned",
    "Device",
    "EntryKind",
    "Hand",
    "HandAction",
    "HandState",
    "HandVersionTable",
    "HeadToHead",
    "IdempotentResponse",
    "JournalEntry",
    "KeyDigest",
    "Link",
    "PlaySession",
    "Player",
    "PlayerResult",
    "PlayerTally",
    "Posting",
    "RefusedTry",
    "ScoringMethod",
    "Season",
    "Seat",
    "SeatState",
    "SecurityEvent",
    "SessionState",
    "Side",
    "TieBreak",
    "UTCDateTime",
    "metadata",
]
