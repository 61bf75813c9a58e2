"""Links that admit devices with a role until they expire or are revoked; also shown as QR codes.

A link's key is derived from the secret beside the ledger file when it is shown; the database holds a digest.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from sqlmodel import col, select

from engine.words.sentences import say
from ledger.books.transactions import Database
from ledger.database.access import Access, Event, Role
from ledger.database.models import Device, KeyDigest, Link
from ledger.database.scope import ScopedSession, insert
from ledger.runtime.clock import now
from ledger.runtime.secrets import digest, link_key, new_key
from ledger.services.club import events, owners
from ledger.services.club.live import NOT_REVOKED, is_live, must_not_have_left
from ledger.services.common.values import of_row
from ledger.words.problems import Invalid, NotFound

LASTS = {
    "hour": timedelta(hours=1),
    "evening": timedelta(hours=12),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}
"""The lifetimes of links, by name."""
LONGEST = {Role.OWNER: "evening", Role.SCORER: "month", Role.VIEWER: "year"}
"""The longest lifetime of a link for each role."""


@dataclass(frozen=True, slots=True)
class LinkView:
    """A link in the club's list; its key is not stored."""

    id: int
    role: Annotated[Role, "The role of devices admitted by it."]
    made_by: str
    created_at: datetime
    expires_at: Annotated[datetime | None, "The end of its validity; null if it has none."]
    revoked_at: Annotated[datetime | None, "The time it was revoked, if it was."]
    nonce: str | None

    @property
    def is_live(self) -> bool:
        """Whether it still admits devices: it was neither revoked nor has it expired."""
        return is_live(self.revoked_at, self.expires_at)


def make(
    db: Database, access: Access, secret: str, *, role: Role, lasts: str
) -> tuple[str, LinkView]:
    """Make a link, log it, and return its key and view.

    Scorers make links for viewers, owners those for all roles. Raises ``ReadOnly``, ``OwnersOnly``, and
    ``Invalid`` at ``lasts`` for an unknown or too long lifetime.
    """
    (access.must_write if role is Role.VIEWER else access.must_own)()
    _check_lasting(role, lasts)
    with db.write(access) as session:
        key, row = add(session, access, secret, role, lasts)
    return key, of_row(LinkView, row)


def renew(db: Database, access: Access, secret: str) -> str:
    """Make a viewer link for a year and return its key; revoke the other viewer links and their devices.

    Raises ``ReadOnly`` for a viewer.
    """
    with db.write(access) as session:
        for row in session.exec(select(Link).where(Link.role == Role.VIEWER.value)):
            _end(session, row, access)
        key, _ = add(session, access, secret, Role.VIEWER, "year")
    return key


def revoke(db: Database, access: Access, link_id: int) -> LinkView:
    """Revoke a link and every device admitted by it, and log it; a revoked one is left unchanged.

    For owners only. Raises ``NotFound``, and ``LastOwner`` as ``owners.must_remain`` does.
    """
    access.must_own()
    with db.write(access) as session:
        row = find(session, link_id)
        with owners.must_remain(session):
            _end(session, row, access)
    return of_row(LinkView, row)


def list_all(session: ScopedSession, access: Access) -> list[LinkView]:
    """Return the club's valid links, newest first. For owners only."""
    access.must_own()
    rows = session.exec(select(Link).order_by(col(Link.id).desc())).all()
    return [view for row in rows if (view := of_row(LinkView, row)).is_live]


def one(session: ScopedSession, access: Access, link_id: int) -> LinkView:
    """Return the view of a link, even one that has expired or was revoked. Raises ``NotFound``.

    For owners only.
    """
    access.must_own()
    return of_row(LinkView, find(session, link_id))


def find(session: ScopedSession, link_id: int) -> Link:
    """Return the row of a link, even one that has expired or was revoked. Raises ``NotFound``."""
    return session.one(select(Link).where(Link.id == link_id), "link")


def for_viewers(session: ScopedSession, secret: str) -> str | None:
    """Return the key of the newest valid viewer link that can be shown, or None."""
    query = select(Link).where(Link.role == Role.VIEWER.value)
    for row in session.exec(query.order_by(col(Link.id).desc())):
        view = of_row(LinkView, row)
        if view.is_live and (key := key_of(view, secret)) and digest(key) == row.digest:
            return key
    return None


def works_unseen(session: ScopedSession) -> bool:
    """Return whether the club has a valid viewer link, even one whose key can't be shown any more."""
    rows = session.exec(select(Link).where(Link.role == Role.VIEWER.value))
    return any(is_live(row.revoked_at, row.expires_at) for row in rows)


def key_of(link: LinkView, secret: str) -> str | None:
    """Derive a link's key from the secret key and the link's nonce; None for an old link without a nonce."""
    return None if link.nonce is None else link_key(secret, link.nonce)


def by_key(session: ScopedSession, key: str) -> Link:
    """Return the valid link with this key. ``session`` must see every club.

    Raises ``NotFound``, and ``Moved`` if the club has left, also for a link that has ended.
    """
    must_not_have_left(session, key)
    query = select(Link).join(KeyDigest, col(KeyDigest.club_id) == Link.club_id)
    query = query.where(KeyDigest.digest == digest(key), Link.digest == KeyDigest.digest)
    row = session.exec(query).one_or_none()
    if row is None or not is_live(row.revoked_at, row.expires_at):
        raise NotFound(
            say("This link does not open a club, or no longer; ask the scorer for one that does.")
        )
    return row


def add(
    session: ScopedSession, access: Access, secret: str, role: Role, lasts: str
) -> tuple[str, Link]:
    """Make and log a link in the caller's write transaction, without checks; return its key and row."""
    key, values = _new(access, secret, role, lasts)
    row = Link(**values)
    session.add(row)
    _make_known(session, access, row.digest, role, lasts)
    return key, row


def add_for_import(session: ScopedSession, access: Access, secret: str) -> str:
    """Make and log an owner's link into an imported club, as ``add`` does, and return its key.

    It is not registered: the club stays a copy until its adoption registers it (``ledger.books.register``).
    """
    lasts = LONGEST[Role.OWNER]
    key, values = _new(access, secret, Role.OWNER, lasts)
    insert(session, Link, values)
    _make_known(session, access, values["digest"], Role.OWNER, lasts)
    return key


def _new(access: Access, secret: str, role: Role, lasts: str) -> tuple[str, dict[str, Any]]:
    """Return the key of a new link, and the values of its row, which is not inserted yet."""
    nonce = new_key()
    key, at = link_key(secret, nonce), now()
    return key, {
        "role": role.value,
        "nonce": nonce,
        "digest": digest(key),
        "made_by": access.author,
        "created_at": at,
        "expires_at": at + LASTS[lasts],
    }


def _make_known(
    session: ScopedSession, access: Access, link_digest: str, role: Role, lasts: str
) -> None:
    """Store the lookup of a new link's club by its digest, and log the link."""
    session.add(KeyDigest(digest=link_digest, club_id=access.club_id))
    session.flush()
    events.note(session, Event.LINK, access, role=role, lasts=lasts)


def _end(session: ScopedSession, row: Link, access: Access) -> None:
    """Revoke a link and the devices admitted by it, and log it; do nothing if it was revoked before."""
    if row.revoked_at is None:
        row.revoked_at = now()
        for device in session.exec(select(Device).where(Device.link_id == row.id, NOT_REVOKED)):
            device.revoked_at = row.revoked_at
        events.note(session, Event.LINK_OUT, access, role=row.role)


def _check_lasting(role: Role, lasts: str) -> None:
    """Raise ``Invalid`` at ``lasts`` for an unknown lifetime, or one longer than the role's ``LONGEST``."""
    if lasts not in LASTS:
        raise Invalid.at(
            "lasts",
            "ill-formed",
            say("Choose how long: {choices}.", choices=", ".join(LASTS)),
            tuple(LASTS),
        )
    if LASTS[lasts] > LASTS[LONGEST[role]]:
        longest = events.LIFETIMES[LONGEST[role]]
        raise Invalid.at(
            "lasts",
            "too-long",
            say("A link for this role works for {longest} at most.", longest=longest),
        )
