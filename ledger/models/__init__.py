"""The tables. Import them from here: importing any of them registers all with the one metadata."""

from ledger.accounts import AccountKind
from ledger.entry_kinds import EntryKind
from ledger.models.base import ClubOwned, UTCDateTime, metadata
from ledger.models.books import Account, JournalEntry, Posting
from ledger.models.club import ApiToken, Club, IdempotentResponse, Player, RefusedTry
from ledger.models.doors import Device, Link, SecurityEvent
from ledger.models.play import Hand, HandVersion, PlaySession, Seat
from ledger.models.sums import ChipCount, HeadToHead, Result, Tally
from ledger.sides import Side
from ledger.states import HandAction, HandState, SeatState, SessionState

__all__ = [
    "Account",
    "AccountKind",
    "ApiToken",
    "ChipCount",
    "Club",
    "ClubOwned",
    "Device",
    "EntryKind",
    "Hand",
    "HandAction",
    "HandState",
    "HandVersion",
    "HeadToHead",
    "IdempotentResponse",
    "JournalEntry",
    "Link",
    "PlaySession",
    "Player",
    "Posting",
    "RefusedTry",
    "Result",
    "Seat",
    "SeatState",
    "SecurityEvent",
    "SessionState",
    "Side",
    "Tally",
    "UTCDateTime",
    "metadata",
]
