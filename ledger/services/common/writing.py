"""A write is a value, and every write goes the same way.

Its key is taken, a write transaction opened, what it does is done once, and the answer kept in the same
transaction. A service that writes is a plain function of the open transaction; ``writes`` makes of it
one that takes a ``Write``.

What can be looked at first is made by ``plans``: the same function, asked with a ``DryRun``, checks the same,
makes the same plan, and answers what carrying it out would come to.
"""

import inspect
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from ledger.books.chain import NO_DETAILS, EntryHeader
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import EntryKind
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import now
from ledger.services.common.idempotency import WriteResponse, once
from ledger.services.common.seen import Seen

__all__ = [
    "DryRun",
    "PlannableWrite",
    "Write",
    "WriteContext",
    "WritePlan",
    "WritePreview",
    "WriteResponse",
    "plans",
    "writes",
]


class WritePreview(Protocol):
    """What a write comes to, as a dry run answers it."""

    @property
    def revision(self) -> int | None:
        """The session's revision that it was worked out at; None for what is the club's."""

    def to_mapping(self) -> WriteResponse:
        """Return it in values that JSON can hold."""


P = ParamSpec("P")
S = TypeVar("S", bound=WritePreview, covariant=True)


@dataclass(frozen=True, slots=True)
class Write:
    """Who writes in which club, under which key, on top of what they have seen.

    ``begun`` is the transaction that it is done in, where one was opened to find out who writes.
    """

    db: Database
    access: Access
    key: str
    seen: Seen = None
    begun: ScopedSession | None = None

    def transaction(self) -> AbstractContextManager[ScopedSession]:
        """Open the transaction that it is done in, or go on in the one that was."""
        return self.db.write(self.access) if self.begun is None else nullcontext(self.begun)


@dataclass(frozen=True, slots=True)
class DryRun:
    """A write asked what it would do, by whoever reads in an open transaction; it needs no key."""

    session: ScopedSession
    seen: Seen = None


@dataclass(frozen=True, slots=True)
class WriteContext:
    """A write under way: its open transaction, who writes and when, on top of what they have seen."""

    session: ScopedSession
    author: str
    seen: Seen
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


@dataclass(frozen=True, slots=True)
class WritePlan(Generic[S]):
    """What a write comes to, worked out without writing, and how it is carried out.

    Carrying out answers what is known only then, or has changed by that time: the revision, the entry made.
    """

    shown: S
    carry_out: Callable[[], WriteResponse]


class PlannableWrite(Protocol[P, S]):
    """A write that can be asked what it would do."""

    @overload
    def __call__(self, write: Write, /, *args: P.args, **kwargs: P.kwargs) -> WriteResponse: ...
    @overload
    def __call__(self, write: DryRun, /, *args: P.args, **kwargs: P.kwargs) -> S: ...


R = TypeVar("R")
_Body = Callable[Concatenate[WriteContext, P], R]
_Service = Callable[Concatenate[Write, P], WriteResponse]

_ADDED = frozenset({"converted_at"})
"""Arguments that earlier releases did not know: left out, they must not change what a key stands for."""


def writes(
    name: str,
) -> Callable[
    [Callable[Concatenate[WriteContext, P], WriteResponse]],
    Callable[Concatenate[Write, P], WriteResponse],
]:
    """Make a write of what is done inside a transaction.

    ``name`` and the arguments are what its key stands for. It raises ``ReadOnly`` for a viewer,
    ``Busy``, and what ``once`` raises.
    """

    def decorate(body: _Body[P, WriteResponse]) -> _Service[P]:
        _, *taken = inspect.signature(body).parameters.values()
        names = [each.name for each in taken]
        # The names under which earlier releases took the prints of what they were sent.
        printed = {each: "id" if each.endswith("_id") else each for each in names}
        left_out = {each.name: each.default for each in taken if each.default is not each.empty}

        @wraps(body)
        def written(write: Write, /, *args: P.args, **kwargs: P.kwargs) -> WriteResponse:
            sent = {**left_out, **dict(zip(names, args, strict=False)), **kwargs}
            request = {
                printed[each]: sent[each]
                for each in names
                if each in sent and not (each in _ADDED and sent[each] is None)
            }
            with write.transaction() as session:
                session.author = write.access.author
                tx = WriteContext(session, write.access.author, write.seen, now())
                return once(session, write.key, (name, request), lambda: body(tx, *args, **kwargs))

        return written

    return decorate


def plans(
    name: str,
) -> Callable[[Callable[Concatenate[WriteContext, P], WritePlan[S]]], PlannableWrite[P, S]]:
    """Make a write of what is planned inside a transaction and then carried out, as ``writes`` does."""

    def decorate(body: _Body[P, WritePlan[S]]) -> PlannableWrite[P, S]:
        @writes(name)
        @wraps(body)
        def written(tx: WriteContext, /, *args: P.args, **kwargs: P.kwargs) -> WriteResponse:
            prepared = body(tx, *args, **kwargs)
            return {**prepared.shown.to_mapping(), **prepared.carry_out()}

        @wraps(body)
        def planned(write: Write | DryRun, /, *args: P.args, **kwargs: P.kwargs) -> Any:
            if isinstance(write, Write):
                return written(write, *args, **kwargs)
            return body(WriteContext(write.session, "", write.seen, now()), *args, **kwargs).shown

        return planned

    return decorate
