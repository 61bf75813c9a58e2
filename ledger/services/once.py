"""Every write once: a retry with the same key gets the first answer, not a second hand.

The client makes the key before it sends. The answer is kept in the same transaction as what was
written, so there is never one without the other.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from sqlmodel import select

from ledger.clock import now
from ledger.models import WrittenAnswer
from ledger.problems import Invalid, KeyReused
from ledger.scope import ScopedSession

_SHORTEST, _LONGEST = 8, 200

Answer = Mapping[str, Any]


def once(
    db: ScopedSession, key: str, request: tuple[str, Mapping[str, Any]], act: Callable[[], Answer]
) -> Answer:
    """Do ``act`` unless ``key`` did it before; return its answer (JSON-able) either way.

    ``request`` names the write and all that was sent. Raises ``Invalid`` for a key that is too short to
    be one of a kind, and ``KeyReused`` when the key came with another request before.
    """
    if not _SHORTEST <= len(key) <= _LONGEST:
        raise Invalid.at(
            "Idempotency-Key",
            "bad-key",
            f"An idempotency key has {_SHORTEST} to {_LONGEST} characters; a random UUID will do.",
        )
    fingerprint = _fingerprint(request)
    kept = db.exec(select(WrittenAnswer).where(WrittenAnswer.key == key)).one_or_none()
    if kept is not None:
        if kept.fingerprint != fingerprint:
            raise KeyReused()
        return kept.answer
    answer = dict(act())
    db.add(WrittenAnswer(key=key, fingerprint=fingerprint, answer=answer, created_at=now()))
    return answer


def _fingerprint(request: tuple[str, Mapping[str, Any]]) -> str:
    text = json.dumps(request, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
