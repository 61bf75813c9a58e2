"""Parsing of ``If-Match`` (RFC 9110, section 13.1.1): one tag, several, or ``*``.

Tags are compared strongly, as the RFC requires: a weak one (``W/"7"``) never matches. A response's tag is its
state, then a dash and the digest of its content; a write compares the state.
"""

import re
from typing import Final

from flask import request

from engine.words.sentences import say
from ledger.services.common.writing import Seen
from ledger.words.problems import Invalid, RevisionMissing

HEADER: Final = "If-Match"
_TAG: Final = r'(W/)?"[!#-~]*"'
PATTERN: Final = rf"^(\*|{_TAG}( *, *{_TAG})*)$"
"""The header's form, for the OpenAPI document."""

_LIST = re.compile(rf"[ \t,]*{_TAG}([ \t]*,([ \t]*{_TAG})?)*[ \t]*")


def expected_states(*, needed: bool) -> Seen:
    """Return the states in ``If-Match``, or None for ``*`` or a missing header.

    Weak tags are left out, so there may be none. Raises ``RevisionMissing`` if a ``needed`` header is
    missing, ``Invalid`` for a malformed one.
    """
    header = request.headers.get(HEADER)
    if header is None:
        if needed:
            raise RevisionMissing
        return None
    if header.strip() == "*":
        return None
    if not _LIST.fullmatch(header):
        raise Invalid.at(
            HEADER,
            "ill-formed",
            say(
                "{header} can't be read. Write the ETag as it was answered, in quotes, such as "
                '"7"; or several with commas between; or * for any revision.',
                header=HEADER,
            ),
        )
    strong = re.findall(r'(W/)?"([^"]*)"', header)
    return frozenset(tag.partition("-")[0] for weak, tag in strong if not weak)
