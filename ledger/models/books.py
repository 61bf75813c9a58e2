"""Double-entry books: accounts, journal entries and their postings.

Only ``ledger.journal`` writes them. Entries and postings are guarded by database triggers against
UPDATE and DELETE, as the versions of hands are; the first migration sets these up for both databases.
"""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, CheckConstraint, UniqueConstraint
from sqlmodel import Field

from ledger.models.base import ClubOwned, UTCDateTime


class AccountKind(StrEnum):
    """Whose account it is. The bank and the world have one a session."""

    SEAT = "seat"
    BANK = "bank"
    WORLD = "world"


class EntryKind(StrEnum):
    """What a journal entry is for."""

    HAND = "hand"
    REVERSAL = "reversal"


class Account(ClubOwned, table=True):
    """Chips held by a seat (or lent by the bank); ``balance`` is kept as postings are made."""

    __table_args__ = (UniqueConstraint("session_id", "kind", "seat_id"),)

    id: int = Field(default=None, primary_key=True)
    session_id: int = Field(foreign_key="play_session.id", index=True)
    kind: str
    seat_id: int | None = Field(default=None, foreign_key="seat.id", index=True)
    unit: str = "chips"
    balance: int = Field(default=0, sa_type=BigInteger)


class JournalEntry(ClubOwned, table=True):
    """A balanced change of accounts: it never changes, and is reversed at most once.

    ``digest`` seals the entry, its postings and the digest before it in the club's chain.
    """

    __tablename__ = "journal_entry"

    id: int = Field(default=None, primary_key=True)
    session_id: int = Field(foreign_key="play_session.id", index=True)
    kind: str
    hand_id: int | None = Field(default=None, foreign_key="hand.id", index=True)
    reverses_id: int | None = Field(default=None, foreign_key="journal_entry.id", unique=True)
    author: str
    reason: str | None = None
    occurred_at: datetime = Field(sa_type=UTCDateTime)
    entered_at: datetime = Field(sa_type=UTCDateTime)
    previous_digest: str
    digest: str = Field(unique=True)


class Posting(ClubOwned, table=True):
    """One account's part of an entry; ``balance`` is what the account held after it."""

    __table_args__ = (CheckConstraint("amount <> 0", name="amount_moves"),)

    id: int = Field(default=None, primary_key=True)
    entry_id: int = Field(foreign_key="journal_entry.id", index=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    amount: int = Field(sa_type=BigInteger)
    balance: int = Field(sa_type=BigInteger)
