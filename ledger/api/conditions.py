"""What a caller says that they saw, in ``If-Match`` (RFC 9110, section 13.1.1): a tag, several, or ``*``.

Tags are compared strongly, as they have to be there: a weak one (``W/"7"``) matches nothing. The tag of a
read says first at which state it was read, and after a dash what was answered: a write asks for the state.
"""

import re
from typing import Final

from flask import request

from engine.words.sentences import say
from ledger.services.common.seen import Seen
from ledger.words.problems import Invalid, RevisionMissing

HEADER: Final = "If-Match"
_TAG: Final = r'(W/)?"[!#-~]*"'
PATTERN: Final = rf"^(\*|{_TAG}( *, *{_TAG})*)$"
"""How the header is written, for who makes it."""

_LIST = re.compile(rf"[ \t,]*{_TAG}([ \t]*,([ \t]*{_TAG})?)*[ \t]*")


def seen(*, needed: bool) -> Seen:
    """Return the states that were seen, None for ``*`` and where nothing was said that is not ``needed``.

    Raises ``RevisionMissing``, and ``Invalid`` for a header that can't be read.
    """
    said = request.headers.get(HEADER)
    if said is None:
        if needed:
            raise RevisionMissing
        return None
    if said.strip() == "*":
        return None
    if not _LIST.fullmatch(said):
        raise Invalid.at(
            HEADER,
            "ill-formed",
            say(
                "{header} can't be read. Write the ETag as it was answered, in quotes, such as "
                '"7"; or several with commas between; or * for any revision.',
                header=HEADER,
            ),
        )
    strong = re.findall(r'(W/)?"([^"]*)"', said)
    return frozenset(tag.partition("-")[0] for weak, tag in strong if not weak)
