"""Bearer tokens for the API: shown once, kept as a digest, revoked at any time."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from sqlalchemy import bindparam
from sqlmodel import col, select

from ledger.access import Access, Role
from ledger.clock import now
from ledger.db import Database
from ledger.models import ApiToken, Club
from ledger.problems import NotSignedIn
from ledger.scope import Built, Scope, ScopedSession, narrow
from ledger.security.secrets import digest, new_token
from ledger.services.common import names
from ledger.services.common.values import of_row


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token as a page lists it; the secret itself is not kept."""

    id: int
    label: str
    role: Annotated[Role, "A `scorer` reads and writes, a `viewer` only reads."]
    created_at: datetime
    revoked_at: Annotated[datetime | None, "When it was revoked, if it was."]


def issue(db: Database, access: Access, *, label: str, role: Role) -> tuple[str, TokenView]:
    """Make a token; its secret is returned now and never again."""
    cleaned = names.clean(label, "label", "The token's label")
    secret = new_token()
    row = ApiToken(label=cleaned, role=role.value, digest=digest(secret), created_at=now())
    with db.write(access) as session:
        session.add(row)
    return secret, of_row(TokenView, row)


def every(session: ScopedSession, access: Access) -> list[TokenView]:
    """Return the club's tokens, newest first. Only scorers may look."""
    access.must_write()
    rows = session.exec(select(ApiToken).order_by(col(ApiToken.id).desc())).all()
    return [of_row(TokenView, row) for row in rows]


def revoke(db: Database, access: Access, token_id: int) -> TokenView:
    """Revoke a token; revoking it twice does no harm."""
    with db.write(access) as session:
        row = find(session, token_id)
        row.revoked_at = row.revoked_at or now()
    return of_row(TokenView, row)


def find(session: ScopedSession, token_id: int) -> ApiToken:
    """Return the row of a token, revoked or not. Raises ``NotFound``."""
    return session.one(select(ApiToken).where(ApiToken.id == token_id), "token")


def open_with(session: ScopedSession, secret: str, *, writing: bool = False) -> Access:
    """Return the access a token gives, ``session`` narrowed to its club from now on.

    In a transaction that is ``writing`` it waits for the club's turn, as ``Database.write`` does.
    Raises ``NotSignedIn`` for a token that is unknown or revoked.
    """
    for club_id, role, label in session.ask(
        _TO_WRITE if writing else _VALID, digest=digest(secret)
    ):
        narrow(session, Scope(club_id))
        return Access(club_id, Role(role), label)
    raise NotSignedIn("This token does not open a club; it may have been revoked.")


_FOUND: Any = (
    select(ApiToken.club_id, ApiToken.role, ApiToken.label)
    .where(ApiToken.digest == bindparam("digest"))
    .where(col(ApiToken.revoked_at).is_(None))
)
_VALID = Built(lambda *held: held, _FOUND, everywhere=True)
_TO_WRITE = Built(
    lambda *held: held,
    _FOUND.where(Club.id == ApiToken.club_id).with_for_update(of=Club),
    everywhere=True,
)
