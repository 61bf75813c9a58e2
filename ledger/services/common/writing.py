"""A write is a value, and every write goes the same way.

Its key is taken, a write transaction opened, what it does is done once, and the answer kept in the same
transaction. A service that writes is a plain function of the open transaction; ``writes`` makes of it
one that takes a ``Write``.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from ledger.access import Access
from ledger.clock import now
from ledger.db import Database
from ledger.journal import NO_DETAILS, EntryHeader
from ledger.models import EntryKind
from ledger.scope import ScopedSession
from ledger.services.common.idempotency import Answer, once

__all__ = ["Answer", "Write", "Writing", "writes"]

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Write:
    """Who writes into which books, under which key, on top of which revision (None: not said)."""

    db: Database
    access: Access
    key: str
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Writing:
    """A write under way: its open transaction, who writes and when, on top of which revision."""

    session: ScopedSession
    author: str
    revision: int | None
    at: datetime

    def header(
        self,
        session_id: int | None,
        kind: EntryKind,
        *,
        reason: str | None = None,
        details: Mapping[str, Any] = NO_DETAILS,
        occurred_at: datetime | None = None,
    ) -> EntryHeader:
        """Head an entry of this write; it happened now, unless said otherwise."""
        when = occurred_at or self.at
        return EntryHeader(
            session_id, kind, self.author, when, self.at, reason=reason, details=details
        )


def writes(
    name: str,
) -> Callable[[Callable[Concatenate[Writing, P], Answer]], Callable[Concatenate[Write, P], Answer]]:
    """Make a write of what is done inside a transaction.

    ``name`` and the arguments are what its key stands for. It raises ``ReadOnly`` for a viewer,
    ``Busy``, and what ``once`` raises.
    """

    def decorate(
        body: Callable[Concatenate[Writing, P], Answer],
    ) -> Callable[Concatenate[Write, P], Answer]:
        signature = inspect.signature(body)

        @wraps(body)
        def written(write: Write, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
            said = signature.bind(write, *args, **kwargs)
            said.apply_defaults()
            _, *sent = said.arguments.items()
            # The names under which earlier releases took the prints of what they were sent.
            request = {"id" if key.endswith("_id") else key: value for key, value in sent}
            with write.db.write(write.access) as session:
                tx = Writing(session, write.access.author, write.revision, now())
                return once(session, write.key, (name, request), lambda: body(tx, *args, **kwargs))

        return written

    return decorate
