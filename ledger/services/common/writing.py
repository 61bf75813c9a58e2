"""Writes: each runs once per idempotency key, in one transaction, on the state that its client has seen.

A service that writes is a plain function of the open transaction; the decorator ``writes`` makes of it one
that takes a ``Write``. With ``plans`` the service plans first: called with a ``DryRun`` it makes the same
checks and returns the preview of the plan, and writes nothing.

The client makes the key before it sends. The response is stored in the same transaction as the changes, so a
retry with the same key gets the first response, not a second hand.
"""

import hashlib
import inspect
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial, wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from sqlalchemy import bindparam
from sqlmodel import col, select, update

from engine.words.sentences import say
from ledger.books.chain import NO_DETAILS, EntryHeader
from ledger.books.repeating import repeat
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import EntryKind, IdempotentResponse
from ledger.database.scope import Built, Change, ScopedSession, insert_all
from ledger.runtime.clock import now
from ledger.services.common.values import Value
from ledger.words.problems import Invalid, KeyReused, Stale

SHORTEST_KEY, LONGEST_KEY = 8, 200

WriteResponse = Mapping[str, Any]
"""The response to a write, in JSON values."""

Seen = int | frozenset[str] | None
"""The revision that a form was made at, or the ETags of ``If-Match``; None for any state."""


class WritePreview(Protocol):
    """The preview of a write, as a dry run returns it."""

    @property
    def revision(self) -> int | None:
        """The session's revision that the preview was computed at; None for a write to the club."""

    def to_mapping(self) -> WriteResponse:
        """Return the preview in JSON values."""


P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound=WritePreview, covariant=True)


@dataclass(frozen=True, slots=True)
class Write:
    """A request to write: the club and author, the idempotency key, and the state that the client has seen.

    ``begun`` is the transaction to use if one was opened to authenticate the client.
    """

    db: Database
    access: Access
    key: str
    seen: Seen = None
    begun: ScopedSession | None = None

    def transaction(self) -> AbstractContextManager[ScopedSession]:
        """Open the write transaction, or continue the one that was ``begun``, without committing it."""
        return self.db.write(self.access) if self.begun is None else nullcontext(self.begun)


@dataclass(frozen=True, slots=True)
class DryRun:
    """A request to preview a write in an open transaction: nothing is written, so it needs no key."""

    session: ScopedSession
    seen: Seen = None


@dataclass(frozen=True, slots=True)
class WriteContext:
    """The context of a write: transaction, author, time, device, and the state that the client has seen."""

    session: ScopedSession
    author: str
    seen: Seen
    at: datetime
    device: str = ""

    def header(
        self,
        session_id: int | None,
        kind: EntryKind,
        *,
        reason: str | None = None,
        details: Mapping[str, Any] = NO_DETAILS,
        occurred_at: datetime | None = None,
    ) -> EntryHeader:
        """Return the header of an entry by this write's author, entered at the time of the write.

        The event occurred at ``occurred_at``, by default also then.
        """
        when = occurred_at or self.at
        return EntryHeader(
            session_id, kind, self.author, when, self.at, reason=reason, details=details
        )


@dataclass(frozen=True, slots=True)
class WritePlan(Generic[S]):
    """The plan of a write: its preview, and the function that carries it out.

    That function returns the values that are known only then: the new revision, the time, an entry's number.
    """

    preview: S
    carry_out: Callable[[], WriteResponse]


class PlannableWrite(Protocol[P, S]):
    """A write that returns its response or, called with a ``DryRun``, only the preview."""

    @overload
    def __call__(self, write: Write, /, *args: P.args, **kwargs: P.kwargs) -> WriteResponse: ...
    @overload
    def __call__(self, write: DryRun, /, *args: P.args, **kwargs: P.kwargs) -> S: ...


_Body = Callable[Concatenate[WriteContext, P], R]
_Service = Callable[Concatenate[Write, P], WriteResponse]

_ADDED = frozenset({"converted_at", "confirm_from", "separate", "picture"})
"""Arguments that earlier releases lacked: left out, they must not change a request's fingerprint."""


def writes(
    name: str, ahead: Callable[[ScopedSession, int], None] | None = None
) -> Callable[[_Body[P, WriteResponse]], _Service[P]]:
    """Decorate a function of an open transaction as a service that takes a ``Write`` in its place.

    ``name`` and the arguments are the request that the key identifies: if it was answered before, the service
    returns the stored response and does not call the function. ``ahead`` sends the first query of the
    function, for its ``session_id``, together with the key's. The service raises ``ReadOnly`` for a viewer,
    ``Busy``, ``Invalid`` for a malformed key, and ``KeyReused`` if the key came with another request.
    """

    def decorate(body: _Body[P, WriteResponse]) -> _Service[P]:
        _, *parameters = inspect.signature(body).parameters.values()
        names = [parameter.name for parameter in parameters]
        # The argument names that earlier releases used in fingerprints.
        printed = {key: "id" if key.endswith("_id") else key for key in names}
        defaults = {
            parameter.name: parameter.default
            for parameter in parameters
            if parameter.default is not parameter.empty
        }

        @wraps(body)
        def service(write: Write, /, *args: P.args, **kwargs: P.kwargs) -> WriteResponse:
            arguments = {**defaults, **dict(zip(names, args, strict=False)), **kwargs}
            request = {
                printed[key]: arguments[key]
                for key in names
                if key in arguments and not (key in _ADDED and arguments[key] is None)
            }

            def attempt() -> WriteResponse:
                with write.transaction() as session:
                    session.author = write.access.author
                    access = write.access
                    tx = WriteContext(session, access.author, write.seen, now(), access.holder)
                    act = partial(body, tx, *args, **kwargs)
                    if ahead is not None:
                        ahead(session, arguments["session_id"])
                    return _once(session, write.key, (name, request), act)

            return repeat(attempt) if write.begun is None else attempt()

        return service

    return decorate


def plans(
    name: str, ahead: Callable[[ScopedSession, int], None] | None = None
) -> Callable[[_Body[P, WritePlan[S]]], PlannableWrite[P, S]]:
    """Decorate a function that returns a plan as ``writes`` does; the service also takes a ``DryRun``.

    A write carries out the plan and returns the preview's values with those of ``carry_out``. A dry run
    returns the preview and stores nothing.
    """

    def decorate(body: _Body[P, WritePlan[S]]) -> PlannableWrite[P, S]:
        @writes(name, ahead)
        @wraps(body)
        def carry_out(tx: WriteContext, /, *args: P.args, **kwargs: P.kwargs) -> WriteResponse:
            plan = body(tx, *args, **kwargs)
            return {**plan.preview.to_mapping(), **plan.carry_out()}

        @wraps(body)
        def service(write: Write | DryRun, /, *args: P.args, **kwargs: P.kwargs) -> Any:
            if isinstance(write, Write):
                return carry_out(write, *args, **kwargs)
            return body(WriteContext(write.session, "", write.seen, now()), *args, **kwargs).preview

        return service

    return decorate


def _once(
    session: ScopedSession,
    key: str,
    request: tuple[str, Mapping[str, Any]],
    act: Callable[[], WriteResponse],
) -> WriteResponse:
    """Run ``act`` and store its response under the key, or return the response that is stored already.

    In the second case the session is ``replayed``. Raises ``Invalid`` for a malformed key, and ``KeyReused``
    if the key came with another request before.
    """
    must_be_a_key(key)
    fingerprint = hashlib.sha256(_FINGERPRINT.encode(request).encode()).hexdigest()
    for stored_fingerprint, stored_response in session.ask(_RESPONSE, key=key):
        if stored_fingerprint != fingerprint:
            raise KeyReused(stored_response)
        session.replayed = True
        if session.driver.dialect.name != "sqlite":
            session.change(_REPLICATE, {"replayed": key})
        return stored_response
    response = dict(act())
    row = {"key": key, "fingerprint": fingerprint, "answer": response, "created_at": now()}
    insert_all(session, IdempotentResponse, [row])
    return response


_FINGERPRINT = json.JSONEncoder(sort_keys=True, default=str)

_RESPONSE: Built[tuple[str, WriteResponse]] = Built(
    lambda *row: row,
    select(IdempotentResponse.fingerprint, IdempotentResponse.answer).where(
        IdempotentResponse.key == bindparam("key")
    ),
)

_REPLICATE = Change(
    update(IdempotentResponse)
    .where(col(IdempotentResponse.key) == bindparam("replayed"))
    .values(created_at=col(IdempotentResponse.created_at))
)
"""Writes a response's row unchanged, so that the commit waits for the synchronous standby.

The first write's commit may have been broken off while it waited: it is saved on the primary, but a standby
that takes over may not have it. A transaction that only reads would not wait.
"""


def is_answered(session: ScopedSession, key: str) -> bool:
    """Return whether a response is stored under a key. Raises ``Invalid`` for a malformed key."""
    must_be_a_key(key)
    return bool(session.ask(_RESPONSE, key=key))


def must_be_a_key(key: str) -> None:
    """Raise ``Invalid`` for a key that is too short to be unique, too long, or not plain text."""
    if not (SHORTEST_KEY <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise Invalid.at(
            "Idempotency-Key",
            "bad-key",
            say(
                "An idempotency key has {shortest_key} to {longest_key} plain characters; a "
                "random UUID will do.",
                shortest_key=SHORTEST_KEY,
                longest_key=LONGEST_KEY,
            ),
        )


def is_among(tag: int | str, seen: Seen) -> bool:
    """Return whether the client has seen the state with this ETag or revision; true if ``seen`` is None.

    >>> is_among(7, 7), is_among(7, frozenset({"6", "7"})), is_among(7, None), is_among(7, frozenset())
    (True, True, True, False)
    """
    return seen is None or str(tag) in (seen if isinstance(seen, frozenset) else {str(seen)})


def tag_of(value: Value) -> str:
    """Return the ETag of a value, a hash in hexadecimal: the same for equal values."""
    text = json.dumps(asdict(value), sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def must_be_as_seen(look: Callable[[], Value], seen: Seen, what: str) -> None:
    """Raise ``Stale`` if the ETag of the value that ``look`` returns is not in ``seen``.

    ``what`` names the value. If ``seen`` is None, nothing is read or raised.
    """
    if seen is not None and not is_among(tag_of(look()), seen):
        raise Stale(
            say(
                "{what} changed since you last looked. Nothing of yours was saved; look at what "
                "is new, then save again.",
                what=what,
            )
        )
