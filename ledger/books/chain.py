"""The chain of digests: an entry's header, and the digest that seals it with the club's previous entry."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from ledger.database import json
from ledger.database.kinds.entries import EntryKind

GENESIS = "0" * 64
"""The previous digest of a club's first entry."""

NO_DETAILS: Mapping[str, Any] = MappingProxyType({})


class EntryHeader(NamedTuple):
    """An entry's kind, author, times and reason, without its amounts.

    ``session_id`` is None for an entry of the club, such as a payment between players. ``occurred_at`` is the
    time of the event, ``entered_at`` that of writing. ``reverses_id`` is the entry that a reversal cancels.
    ``details`` are JSON values. ``record`` is the JSON text of a hand's record, which is stored with the hand
    and sealed by the entry.
    """

    session_id: int | None
    kind: EntryKind
    author: str
    occurred_at: datetime
    entered_at: datetime
    hand_id: int | None = None
    reason: str | None = None
    reverses_id: int | None = None
    details: Mapping[str, Any] = NO_DETAILS
    record: str | None = None


def seal(previous: str, header: EntryHeader, amounts: Mapping[int, int]) -> str:
    """Return the digest of an entry, given the previous digest and the amounts by account id."""
    return digest(sealed_text(previous, header, amounts), header.record)


def digest(sealed: bytes, record: str | None) -> str:
    """Return the SHA-256 in hexadecimal of an entry's sealed text, followed by its hand's record, if any."""
    return hashlib.sha256(sealed if record is None else sealed + record.encode()).hexdigest()


def sealed_text(previous: str, header: EntryHeader, amounts: Mapping[int, int]) -> bytes:
    """Return the JSON list of the previous digest and an entry's content, without its hand's record.

    Amounts are sorted by account id. Times are sealed in UTC, as they are stored, so that the digest can be
    recomputed. Details are only sealed if there are any, because the first ledgers had none.
    """
    content: list[Any] = [
        previous,
        header.session_id,
        header.kind,
        header.hand_id,
        header.reverses_id,
        header.author,
        header.reason,
        header.occurred_at.astimezone(UTC),
        header.entered_at.astimezone(UTC),
        sorted(amounts.items()),
    ]
    if header.details:
        content.append(sorted(header.details.items()))
    return json.write(content, in_order=True)


def origin_statement(number: int, public_key: str | None, last: tuple[int, str]) -> str:
    """Return the text that this installation signs, like a digest, to vouch for an origin's key.

    ``number`` is the club's id there, and ``last`` the id and digest of the last entry written there. Without
    the signature a changed database file could name a forger's key as that of an origin.
    """
    return f"origin {number} {public_key} {last[0]} {last[1]}"
