"""Every write once: a retry with the same key gets the first answer, not a second hand.

The client makes the key before it sends. The answer is kept in the same transaction as what was
written, so there is never one without the other.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import select

from engine.words.sentences import say
from ledger.database.models import IdempotentResponse
from ledger.database.scope import Built, ScopedSession, insert_all
from ledger.runtime.clock import now
from ledger.words.problems import Invalid, KeyReused

SHORTEST_KEY, LONGEST_KEY = 8, 200

WriteResponse = Mapping[str, Any]


def once(
    db: ScopedSession,
    key: str,
    request: tuple[str, Mapping[str, Any]],
    act: Callable[[], WriteResponse],
) -> WriteResponse:
    """Do ``act`` unless ``key`` did it before; return its answer (JSON-able) either way.

    ``request`` names the write and all that was sent. Raises ``Invalid`` for a key that is too short to be
    unique or not plain text, and ``KeyReused`` when the key came with another request before.
    """
    must_be_a_key(key)
    fingerprint = _fingerprint(request)
    for kept, answered in db.ask(_KEPT, key=key):
        if kept != fingerprint:
            raise KeyReused(answered)
        return answered
    answer = dict(act())
    done = {"key": key, "fingerprint": fingerprint, "answer": answer, "created_at": now()}
    insert_all(db, IdempotentResponse, [done])
    return answer


def is_answered(db: ScopedSession, key: str) -> bool:
    """Whether ``key`` did its write before. Raises ``Invalid`` as ``once`` does."""
    must_be_a_key(key)
    return bool(list(db.ask(_KEPT, key=key)))


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


_KEPT: Built[tuple[str, WriteResponse]] = Built(
    lambda *kept: kept,
    select(IdempotentResponse.fingerprint, IdempotentResponse.answer).where(
        IdempotentResponse.key == bindparam("key")
    ),
)


_PRINTED = json.JSONEncoder(sort_keys=True, default=str)


def _fingerprint(request: tuple[str, Mapping[str, Any]]) -> str:
    text = _PRINTED.encode(request)
    return hashlib.sha256(text.encode()).hexdigest()
