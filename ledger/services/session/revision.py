"""Two devices, one session: who saw an older revision is told what was done since, and writes nothing.

A session's revision goes up with every write. Each form carries the one it was made at; a second phone
that saves the same form is stopped here (one phone that sends twice: ``common.idempotency``).
"""

from ledger.models import PlaySession
from ledger.problems import Stale
from ledger.scope import ScopedSession
from ledger.services.session import activity
from ledger.services.session.view import SessionView


def must_be_at(
    session: ScopedSession, row: PlaySession | SessionView, revision: int | None
) -> None:
    """Raise ``Stale`` where somebody wrote since ``revision`` was seen: it tells who did what and when."""
    if revision is None or revision == row.revision:
        return
    done = activity.since(session, row, revision)
    what = f": {activity.summary(done, row.revision - revision)}" if done else ""
    raise Stale(
        f"Somebody else changed “{row.title}” meanwhile{what}. Nothing of yours was saved; look "
        "at what is new, then save again.",
        hands={action.hand for action in done if action.hand is not None},
    )
