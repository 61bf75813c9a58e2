"""The operator's notice about clubs without an owner."""

import shlex

from ledger.database.scope import ScopedSession
from ledger.services.club import owners

MOST_NAMED = 5


def notice(session: ScopedSession) -> str:
    """Return a sentence naming the clubs without an owner, with the remedy, or an empty text."""
    names = owners.clubs_without(session)
    if not names:
        return ""
    quoted = ", ".join(f"“{name}”" for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    clubs = "clubs have" if len(names) > 1 else "club has"
    return (
        f"{len(names):,} {clubs} no owner: {quoted}{more}. This prints a link that makes whoever opens it "
        f"an owner: solo-ledger link {shlex.quote(names[0])}"
    )
