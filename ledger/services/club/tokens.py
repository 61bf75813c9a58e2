"""Bearer tokens for the API: shown once, stored as a digest, revoked at any time."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from sqlalchemy import and_, bindparam
from sqlmodel import col, select

from engine.words.sentences import say
from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.access import Access, Event, Role
from ledger.database.models import ApiToken, Club, KeyDigest
from ledger.database.narrowing import Scope
from ledger.database.revisions import StoredRevision
from ledger.database.scope import Built, ScopedSession, narrow
from ledger.runtime.clock import now
from ledger.runtime.secrets import digest, new_token
from ledger.services.club import events, owners
from ledger.services.club.live import HERE, is_live, must_not_have_left
from ledger.services.common import names
from ledger.services.common.values import of_row
from ledger.words.problems import Invalid, NotSignedIn

MOST_DAYS = 3_650


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token in the club's list; its secret is not stored."""

    id: int
    label: str
    role: Annotated[
        Role,
        "A `viewer` only reads, a `scorer` writes too, an `owner` also does what is an owner's.",
    ]
    created_at: datetime
    expires_at: Annotated[datetime | None, "The end of its validity; null if it has none."]
    last_used_at: Annotated[datetime | None, "The time of last use, to the hour; null if unused."]
    revoked_at: Annotated[datetime | None, "The time it was revoked, if it was."]

    @property
    def is_live(self) -> bool:
        """Whether it still opens the club: it was neither revoked nor has it expired."""
        return is_live(self.revoked_at, self.expires_at)


def issue(
    db: Database, access: Access, *, label: str, role: Role, days: int | None = None
) -> tuple[str, TokenView]:
    """Make a token, log it, and return its secret, which can't be read again, and its view. For owners only.

    It is valid for ``days``, or until it is revoked. Raises ``Invalid`` at ``days`` or ``label``.
    """
    access.must_own()
    if days is not None and not 1 <= days <= MOST_DAYS:
        message = say(
            "A token lasts from 1 to {most_days:,} days; without a number it lasts until it "
            "is revoked.",
            most_days=MOST_DAYS,
        )
        raise Invalid.at("days", "out-of-range", message)
    cleaned = names.clean(label, "label", say("The token's label"))
    with db.write(access) as session:
        return add(session, access, label=cleaned, role=role, days=days)


def add(
    session: ScopedSession, access: Access, *, label: str, role: Role, days: int | None = None
) -> tuple[str, TokenView]:
    """Make and log a token in the caller's write transaction, without checks; return its secret and view."""
    secret, at = new_token(), now()
    ends = None if days is None else at + timedelta(days=days)
    row = ApiToken(
        label=label, role=role.value, digest=digest(secret), created_at=at, expires_at=ends
    )
    session.add(row)
    session.add(KeyDigest(digest=row.digest, club_id=access.club_id))
    events.note(session, Event.TOKEN, access, label=label, role=role)
    return secret, of_row(TokenView, row)


def list_all(session: ScopedSession, access: Access) -> list[TokenView]:
    """Return all tokens of the club, expired and revoked ones included, newest first. For owners only."""
    access.must_own()
    rows = session.exec(select(ApiToken).order_by(col(ApiToken.id).desc())).all()
    return [of_row(TokenView, row) for row in rows]


def one(session: ScopedSession, access: Access, token_id: int) -> TokenView:
    """Return the view of a token, even one that was revoked. Raises ``NotFound``. For owners only."""
    access.must_own()
    return of_row(TokenView, find(session, token_id))


def revoke(db: Database, access: Access, token_id: int) -> TokenView:
    """Revoke a token and log it; revoking it twice changes nothing. For owners only.

    Raises ``NotFound``, and ``LastOwner`` as ``owners.must_remain`` does.
    """
    access.must_own()
    with db.write(access) as session:
        row = find(session, token_id)
        if row.revoked_at is None:
            with owners.must_remain(session):
                row.revoked_at = now()
            events.note(session, Event.TOKEN_OUT, access, label=row.label)
    return of_row(TokenView, row)


def find(session: ScopedSession, token_id: int) -> ApiToken:
    """Return the row of a token, even one that has expired or was revoked. Raises ``NotFound``."""
    return session.one(select(ApiToken).where(ApiToken.id == token_id), "token")


def open_with(session: ScopedSession, secret: str, *, writing: bool = False) -> Access:
    """Return the access of the token with this secret, and narrow ``session`` to its club.

    If ``writing``, lock the club's row and check the database's revision, as ``Database.write`` does. Raises
    ``NotSignedIn`` for a token that is unknown, expired or revoked; ``Moved`` if the club has left.
    """
    for club_id, token_id, role, label, used, revoked, expires, *lock in session.ask(
        _TO_WRITE if writing else _TO_READ, digest=digest(secret)
    ):
        if is_live(revoked, expires):
            narrow(session, Scope(club_id))
            if writing:
                revisions.must_be_ours(session.locked(*lock))
            return Access(club_id, Role(role), label, f"token {token_id}", used)
    must_not_have_left(session, secret)
    raise NotSignedIn(say("This token does not open a club; it may have ended, or been revoked."))


_BY_DIGEST: Any = (
    select(ApiToken.club_id, ApiToken.id, ApiToken.role, ApiToken.label)
    .add_columns(col(ApiToken.last_used_at), col(ApiToken.revoked_at), col(ApiToken.expires_at))
    .join(KeyDigest, col(KeyDigest.club_id) == ApiToken.club_id)
    .join(Club, and_(col(Club.id) == ApiToken.club_id, HERE))
    .where(col(KeyDigest.digest) == bindparam("digest"), col(ApiToken.digest) == KeyDigest.digest)
)
_TO_READ = Built(lambda *row: row, _BY_DIGEST, everywhere=True)
_TO_WRITE = Built(
    lambda *row: row,
    _BY_DIGEST.add_columns(StoredRevision(), col(Club.last_ids)).with_for_update(of=Club),
    everywhere=True,
)
