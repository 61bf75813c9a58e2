"""Double-entry bookkeeping: accounts, journal entries and their postings.

Only ``ledger.books.journal`` writes them. Database triggers, created by the migrations, protect entries,
postings and versions of hands against UPDATE, DELETE and, on SQLite, REPLACE. A new unique key on one of
these tables must be added to the trigger against REPLACE.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, Column, Index, LargeBinary, text
from sqlmodel import Field

from ledger.database.kinds.accounts import AccountKind
from ledger.database.kinds.entries import EntryKind
from ledger.database.models.base import ClubOwned, UTCDateTime, one_of, refers_to, unique_in_club

_TILL_NOT_EMPTY = "kind = 'till' AND balance <> 0"


class Account(ClubOwned, table=True):
    """An account in chips or money; each posting updates its ``balance``.

    ``key`` identifies it in one word, for example ``session/3/pot/frog``, and makes it unique; ``name`` is a
    pot's name. ``unit`` is ``chips`` or a currency. A closed account accepts no posting.
    """

    __table_args__ = (
        unique_in_club("key"),
        one_of("kind", AccountKind),
        CheckConstraint("(unit = 'chips') = (kind NOT IN ('till', 'player'))", name="unit_fits"),
        Index(
            "ix_account_till_not_empty",
            "club_id",
            sqlite_where=text(_TILL_NOT_EMPTY),
        ),
        refers_to("play_session", "session_id"),
        refers_to("seat", "seat_id"),
        refers_to("player", "player_id"),
        Index("ix_account_club_id_session_id", "club_id", "session_id"),
        Index("ix_account_club_id_seat_id", "club_id", "seat_id"),
        Index("ix_account_club_id_player_id", "club_id", "player_id"),
    )

    key: str
    kind: str
    session_id: int | None = Field(default=None, sa_type=BigInteger)
    seat_id: int | None = Field(default=None, sa_type=BigInteger)
    player_id: int | None = Field(default=None, sa_type=BigInteger)
    name: str | None = None
    unit: str = "chips"
    balance: int = Field(default=0, sa_type=BigInteger)
    closed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


class JournalEntry(ClubOwned, table=True):
    """A balanced change of accounts: it is never updated, and reversed at most once.

    ``details`` holds further facts, for example the rate of a conversion. ``digest`` covers the entry, its
    postings and the previous digest of the club's chain; ``signature`` signs it, and is None in entries older
    than signatures. The few entries of a session without a hand (stacks, loans, money) have their own index.
    The index by hand leaves them out.
    """

    __tablename__ = "journal_entry"
    __table_args__ = (
        one_of("kind", EntryKind),
        Index("ix_journal_entry_club_id_entered_at_id", "club_id", "entered_at", "id"),
        Index("ix_journal_entry_club_id_session_id_id", "club_id", "session_id", "id"),
        Index(
            "ix_journal_entry_club_id_hand_id",
            "club_id",
            "hand_id",
            sqlite_where=text("hand_id IS NOT NULL"),
        ),
        Index(
            "ix_journal_entry_beside_hands",
            "club_id",
            "session_id",
            sqlite_where=text("hand_id IS NULL"),
        ),
        refers_to("play_session", "session_id"),
        refers_to("hand", "hand_id"),
        refers_to("journal_entry", "reverses_id"),
        unique_in_club("reverses_id"),
        unique_in_club("digest"),
    )

    session_id: int | None = Field(default=None, sa_type=BigInteger)
    kind: str
    hand_id: int | None = Field(default=None, sa_type=BigInteger)
    reverses_id: int | None = Field(default=None, sa_type=BigInteger)
    author: str
    reason: str | None = None
    details: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    occurred_at: datetime = Field(sa_type=UTCDateTime)
    entered_at: datetime = Field(sa_type=UTCDateTime)
    previous_digest: str
    digest: str
    signature: bytes | None = Field(default=None, sa_type=LargeBinary)


class Posting(ClubOwned, table=True):
    """One account's part of an entry; ``balance`` is the account's balance after it."""

    __table_args__ = (
        CheckConstraint("amount <> 0", name="amount_moves"),
        Index("ix_posting_club_id_account_id_entry_id", "club_id", "account_id", "entry_id"),
        refers_to("journal_entry", "entry_id"),
        refers_to("account", "account_id"),
        Index("ix_posting_club_id_entry_id", "club_id", "entry_id"),
    )

    entry_id: int = Field(sa_type=BigInteger)
    account_id: int = Field(sa_type=BigInteger)
    amount: int = Field(sa_type=BigInteger)
    balance: int = Field(sa_type=BigInteger)
