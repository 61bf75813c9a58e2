"""The chain: what an entry says, and the digest that seals it after the one before it in its club."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from ledger.database import json
from ledger.database.kinds.entries import EntryKind

GENESIS = "0" * 64
"""What stands before the first entry of a club."""

NO_DETAILS: Mapping[str, Any] = MappingProxyType({})


class EntryHeader(NamedTuple):
    """What an entry is for: its kind, who made it, when it happened and was entered, and why.

    ``session_id`` is None where the entry is the club's, such as a payment between players.
    ``details`` are plain values that JSON can hold. ``record`` is the text of a hand's record: the ledger
    keeps it with the hand, and the entry seals it.
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
    """Return the digest of an entry: SHA-256 over the digest before it and all it says.

    Instants are sealed in UTC, as they are kept, so that the digest can be recomputed from the ledger.
    Details are sealed where there are any, and records: the first books had no details and sealed no record.
    """
    said: list[Any] = [
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
        said.append(sorted(header.details.items()))
    sealed = json.write(said, in_order=True)
    if header.record is not None:
        sealed += header.record.encode()
    return hashlib.sha256(sealed).hexdigest()
