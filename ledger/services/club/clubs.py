"""A club: founded with a passcode, entered with it, followed by its link."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select

from ledger.access import Access, Role
from ledger.clock import now
from ledger.db import Database
from ledger.models import Club, PlaySession
from ledger.problems import Conflict, Invalid, NotFound, NotSignedIn, WrongPasscode
from ledger.scope import Built, Scope, ScopedSession, asked_once, narrow
from ledger.security.secrets import hash_passcode, new_viewer_key
from ledger.services.club import passcodes
from ledger.services.club.passcodes import NOWHERE, Origin
from ledger.services.common import names
from ledger.services.common.values import of_row

SHORTEST_PASSCODE, LONGEST_PASSCODE = 6, 128
_SOMEBODY = "scorer"


@dataclass(frozen=True, slots=True)
class ClubView:
    """What a club shows of itself. ``devices_epoch`` is the one a device must have signed in under.

    ``revision`` is that of the session it was asked for with; None: with none, or there is no such session.
    """

    id: int
    name: str
    viewer_key: str
    devices_epoch: int
    revision: int | None = None


class NameTaken(Conflict):
    """There is a club, or a player, of that name already."""

    code = "name-taken"
    field = "name"
    sentence = "There is already a {what} called “{name}”; choose another name."


def found(db: Database, *, name: str, passcode: str, author: str = "") -> tuple[Access, ClubView]:
    """Found a club; its founder is its first scorer. Raises ``Invalid`` or ``NameTaken``."""
    name = names.clean(name, "name", "The club's name")
    _check_passcode(passcode)
    author = clean_author(author)
    club = Club(
        name=name,
        name_key=names.key(name),
        passcode_hash=hash_passcode(passcode),
        viewer_key=new_viewer_key(),
        created_at=now(),
    )
    try:
        with db.write() as session:
            session.author = author
            session.add(club)
            session.flush()
            narrow(session, Scope(club.id))
    except IntegrityError as error:
        raise NameTaken(name=name, what="club") from error
    view = _view(club)
    return Access(view.id, Role.SCORER, author), view


def enter(
    db: Database, *, name: str, passcode: str, author: str = "", origin: Origin = NOWHERE
) -> tuple[Access, ClubView]:
    """Open a club to a scorer's device. Raises ``WrongPasscode``, not telling which of both was wrong.

    Raises ``TooManyTries`` where too many were wrong before, by the rule in ``passcodes``.
    """
    author, name_key = clean_author(author), names.key(name)
    with db.read() as session:
        club = session.exec(select(Club).where(Club.name_key == name_key)).one_or_none()
    if not passcodes.check(db, club, name_key, passcode, origin) or club is None:
        raise WrongPasscode()
    view = _view(club)
    return Access(view.id, Role.SCORER, author), view


def read_along(db: Database, viewer_key: str) -> tuple[Access, ClubView]:
    """Open a club to whoever has its viewer link. Raises ``NotFound``."""
    club = None
    if viewer_key.isprintable():  # PostgreSQL can't be asked for a NUL
        with db.read() as session:
            club = session.exec(select(Club).where(Club.viewer_key == viewer_key)).one_or_none()
    if club is None:
        raise NotFound("This link does not open a club; ask the scorer for one that does.")
    view = _view(club)
    return Access(view.id, Role.VIEWER, "viewer"), view


def by_name(session: ScopedSession, name: str) -> ClubView:
    """Find a club for its keeper at the command line; ``session`` is narrowed to it. Raises ``NotFound``."""
    club = session.exec(select(Club).where(Club.name_key == names.key(name))).one_or_none()
    if club is None:
        raise NotFound(f"There is no club called “{name}” here.")
    narrow(session, Scope(club.id))
    return _view(club)


_REVISION: Any = (
    select(PlaySession.revision).where(PlaySession.id == bindparam("session")).scalar_subquery()
)
_SHOWN = Built(
    ClubView, select(Club.id, Club.name, Club.viewer_key, Club.devices_epoch).add_columns(_REVISION)
)


@asked_once
def show(session: ScopedSession, session_id: int = 0) -> ClubView:
    """Return the club in hand, with the revision of a session of it. Raises ``NotSignedIn`` if it is gone."""
    for club in session.ask(_SHOWN, session=session_id):
        return club
    raise _gone()


@asked_once
def row(session: ScopedSession) -> Club:
    """Return the row of the club in hand. Raises ``NotSignedIn`` when it is gone."""
    club = session.exec(select(Club)).one_or_none()
    if club is None:
        raise _gone()
    return club


def _gone() -> NotSignedIn:
    return NotSignedIn("This club no longer exists here.")


def among(session: ScopedSession, club_ids: Iterable[int]) -> list[ClubView]:
    """Return those of these clubs that there are; ``session`` is of every club."""
    return [_view(club) for club in session.exec(select(Club).where(col(Club.id).in_(club_ids)))]


def change_passcode(db: Database, access: Access, *, passcode: str) -> ClubView:
    """Set a new passcode and sign every device out; the viewer link stays."""
    _check_passcode(passcode)
    hashed = hash_passcode(passcode)
    with db.write(access) as session:
        club = session.exec(select(Club)).one()
        club.passcode_hash = hashed
        club.devices_epoch += 1
    return _view(club)


def renew_viewer_link(db: Database, access: Access) -> ClubView:
    """Make a new viewer link; the old one opens nothing from now on."""
    with db.write(access) as session:
        club = session.exec(select(Club)).one()
        club.viewer_key = new_viewer_key()
    return _view(club)


def clean_author(author: str) -> str:
    """Return the name a device's changes are kept under; without one it is just "scorer"."""
    return names.clean(author, "author", "Your name") if author.strip() else _SOMEBODY


def _check_passcode(passcode: str) -> None:
    if len(passcode) < SHORTEST_PASSCODE:
        short = f"The passcode needs at least {SHORTEST_PASSCODE} characters."
        raise Invalid.at("passcode", "passcode-short", short)
    if len(passcode) > LONGEST_PASSCODE:
        long = f"The passcode has more than {LONGEST_PASSCODE} characters."
        raise Invalid.at("passcode", "passcode-long", long)


def _view(club: Club) -> ClubView:
    return of_row(ClubView, club)
