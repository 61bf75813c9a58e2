"""Two devices, one session: who saw an older revision is told what was done since, and writes nothing.

A session's revision goes up with every write. Each form carries the one it was made at; a second phone
that saves the same form is stopped here (one phone that sends twice: ``common.idempotency``).
"""

from collections.abc import Iterator

from engine.words.sentences import later, say
from ledger.database.models import PlaySession
from ledger.database.scope import ScopedSession
from ledger.services.common.seen import Seen, is_among
from ledger.services.session import activity
from ledger.services.session.view import SessionView
from ledger.words.problems import Stale


def must_be_at(session: ScopedSession, row: PlaySession | SessionView, seen: Seen) -> None:
    """Raise ``Stale`` where somebody wrote since it was seen: it tells who did what and when."""
    if is_among(row.revision, seen):
        return
    older = [revision for revision in _revisions(seen) if revision < row.revision]
    if not older:
        raise Stale(
            say(
                "“{title}” has never been as you say that you saw it; it is at revision "
                "{revision}. Nothing of yours was saved; look at it, then save again.",
                title=row.title,
                revision=row.revision,
            )
        )
    latest = max(older)
    done = activity.since(session, row, latest)
    told = later(
        "Somebody else changed “{title}” meanwhile: {what}. Nothing of yours was saved; look at what "
        "is new, then save again."
    )
    bare = later(
        "Somebody else changed “{title}” meanwhile. Nothing of yours was saved; look at what is new, "
        "then save again."
    )
    what = activity.summary(done, row.revision - latest) if done else ""
    raise Stale(
        say(told if done else bare, title=row.title, **({"what": what} if done else {})),
        hands={action.hand for action in done if action.hand is not None},
        what=what,
    )


def _revisions(seen: Seen) -> Iterator[int]:
    """Yield the revisions that were seen; a tag that names none is something else's."""
    for tag in seen if isinstance(seen, frozenset) else {str(seen)}:
        if tag.isascii() and tag.isdigit() and len(tag) <= 18:
            yield int(tag)
