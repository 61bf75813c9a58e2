"""What a writer had seen of what they write to: so that nothing is written over what they have not.

A page says at which revision of its session it was made. A program says it by tags (``If-Match``): that of a
session is its revision; that of anything else is worked out from what was read of it.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict

from engine.words.sentences import say
from ledger.services.common.values import Value
from ledger.words.problems import Stale

Seen = int | frozenset[str] | None
"""A revision, or tags one of which has to be the right one; None where it was not said."""


def is_among(tag: int | str, seen: Seen) -> bool:
    """Whether what stands at ``tag`` now is what was seen; so it is where nothing was said.

    >>> is_among(7, 7), is_among(7, frozenset({"6", "7"})), is_among(7, None), is_among(7, frozenset())
    (True, True, True, False)
    """
    return seen is None or str(tag) in (seen if isinstance(seen, frozenset) else {str(seen)})


def tag_of(value: Value) -> str:
    """Return the same tag for the same value, and another for another."""
    told = json.dumps(asdict(value), sort_keys=True, default=str)
    return hashlib.blake2b(told.encode(), digest_size=12).hexdigest()


def must_be_as_seen(look: Callable[[], Value], seen: Seen, what: str) -> None:
    """Raise ``Stale`` where ``what`` is to be changed is no longer as it was seen; ``look`` reads it now."""
    if seen is not None and not is_among(tag_of(look()), seen):
        raise Stale(
            say(
                "{what} changed since you last looked. Nothing of yours was saved; look at what "
                "is new, then save again.",
                what=what,
            )
        )
