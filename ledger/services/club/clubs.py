"""Creating a club, entering it by passcode or link, and changing its passcode."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select

from engine.words.sentences import later, say
from ledger.books.transactions import Database
from ledger.database.access import Access, Event, Role
from ledger.database.models import Club, ClubName, PlaySession
from ledger.database.models.play import LIVE_NUMBER
from ledger.database.narrowing import Scope
from ledger.database.scope import Built, ScopedSession, asked_once, narrow
from ledger.runtime.clock import now
from ledger.runtime.secrets import hash_passcode
from ledger.services.club import events, links, passcodes
from ledger.services.club.founding_limit import FoundingLimit
from ledger.services.club.live import Moved
from ledger.services.club.passcodes import NOBODY, ClientDevice
from ledger.services.common import names
from ledger.services.common.values import of_row
from ledger.words.problems import Conflict, Invalid, NotFound, NotSignedIn, WrongPasscode

SHORTEST_PASSCODE, LONGEST_PASSCODE = 6, 128
_SOMEBODY = "scorer"


@dataclass(frozen=True, slots=True)
class ClubView:
    """A club's public data; ``live_number`` is that of the session it was loaded with, if there is one."""

    id: int
    name: str
    live_number: int | None = None


class NameTaken(Conflict):
    """Raised when a club, or a player of the club, already has this name."""

    code = "name-taken"
    field = "name"
    sentence = later("There is already a club called “{name}”; choose another name.")
    player = later("There is already a player called “{name}”; choose another name.")


def create(db: Database, *, name: str, passcode: str, author: str = "") -> tuple[Access, ClubView]:
    """Create a club and return its owner's access and its view. Raises ``Invalid`` or ``NameTaken``.

    No device is admitted yet.
    """
    with creating(db, name=name, passcode=passcode, author=author) as (_, access, club):
        return access, club


@contextmanager
def creating(
    db: Database, *, name: str, passcode: str, author: str = "", limit: FoundingLimit | None = None
) -> Iterator[tuple[ScopedSession, Access, ClubView]]:
    """Create a club in one transaction with the writes of the block, and count it in ``limit``.

    Yields the transaction, narrowed to the new club, the owner's access and the club's view. Raises as
    ``create`` does, and ``TooOften`` beyond the ``limit``; mostly before the passcode is hashed, which takes
    long.
    """
    name = names.clean(name, "name", say("The club's name"))
    name_key = names.key(name)
    _check_passcode(passcode)
    author = clean_author(author)
    with db.read() as session:
        if _named(session, name_key) is not None:
            raise NameTaken(name=name)
        if limit:
            limit.check(session)
    club = Club(
        name=name, name_key=name_key, passcode_hash=hash_passcode(passcode), created_at=now()
    )
    with db.write() as session:
        session.author = author
        session.add(club)
        try:
            session.flush()
            session.add(ClubName(key=name_key, club_id=club.id))
            session.flush()
        except IntegrityError as error:
            raise NameTaken(name=name) from error
        if limit:
            limit.count(session)
        narrow(session, Scope(club.id))
        view = of_row(ClubView, club)
        yield session, Access(view.id, Role.OWNER, author), view


def enter(
    db: Database, *, name: str, passcode: str, author: str = "", device: ClientDevice = NOBODY
) -> tuple[Access, ClubView]:
    """Return a scorer's access to a club by name and passcode, and its view; no device is admitted yet.

    Raises ``WrongPasscode`` for a wrong name as for a wrong passcode, both of which are counted;
    ``TooManyTries`` by the rule in ``passcodes``; ``Moved`` if the club has left; and ``Invalid`` for an
    unsuitable author.
    """
    author, name_key = clean_author(author), names.key(name)
    with db.read() as session:
        club = _named(session, name_key)
    if not passcodes.check(db, club, name_key, passcode, device) or club is None:
        raise WrongPasscode()
    if club.moved_to:
        raise Moved(club.moved_to)
    view = of_row(ClubView, club)
    return Access(view.id, Role.SCORER, author), view


def _named(session: ScopedSession, name_key: str) -> Club | None:
    """Return the club with a normalized name; ``session`` must see every club."""
    query = select(Club).join(ClubName, col(ClubName.club_id) == Club.id)
    return session.exec(query.where(ClubName.key == name_key)).one_or_none()


def of_link(db: Database, key: str) -> tuple[Access, ClubView, int]:
    """Return the access by the link with this key, its club and the link's id; no device is admitted yet.

    Raises ``NotFound`` for a link that is unknown, expired or revoked, and ``Moved`` if the club has left.
    """
    with db.read() as session:
        link = links.by_key(session, key)
        club = session.exec(select(Club).where(Club.id == link.club_id)).one()
    role = Role(link.role)
    author = "viewer" if role is Role.VIEWER else _SOMEBODY
    return Access(club.id, role, author), of_row(ClubView, club), link.id


def by_name(session: ScopedSession, name: str) -> ClubView:
    """Return a club by name, and narrow ``session``, which sees every club, to it. Raises ``NotFound``."""
    club = _named(session, names.key(name))
    if club is None:
        raise NotFound(say("There is no club called “{name}” here.", name=name))
    narrow(session, Scope(club.id))
    return of_row(ClubView, club)


SESSION_NUMBER: Any = (
    select(LIVE_NUMBER).where(PlaySession.id == bindparam("session")).scalar_subquery()
)
PUBLIC_COLUMNS = (Club.id, Club.name)
_VIEW = Built(ClubView, select(*PUBLIC_COLUMNS).add_columns(SESSION_NUMBER))


@asked_once
def show(session: ScopedSession, session_id: int = 0) -> ClubView:
    """Return the club of the session, with the live number of session ``session_id``, None if there is none.

    Raises ``NotSignedIn`` if the club was removed.
    """
    for club in session.ask(_VIEW, session=session_id):
        return club
    raise no_such_club()


@asked_once
def row(session: ScopedSession) -> Club:
    """Return the row of the session's club. Raises ``NotSignedIn`` if the club was removed."""
    club = session.exec(select(Club)).one_or_none()
    if club is None:
        raise no_such_club()
    return club


def no_such_club() -> NotSignedIn:
    """Return, without raising it, the error for a device whose club was removed."""
    return NotSignedIn(say("This club no longer exists here."))


def change_passcode(db: Database, access: Access, *, passcode: str) -> ClubView:
    """Set a new passcode, log it, and sign out scorers' devices; owners, viewers and tokens stay.

    Raises ``OwnersOnly``, and ``Invalid`` at ``passcode`` for one that is too short or too long.
    """
    access.must_own()
    _check_passcode(passcode)
    hashed = hash_passcode(passcode)
    with db.write(access) as session:
        club = session.exec(select(Club)).one()
        club.passcode_hash = hashed
        club.devices_epoch += 1
        events.note(session, Event.PASSCODE, access)
    return of_row(ClubView, club)


def clean_author(author: str) -> str:
    """Return the checked name under which a device's changes are recorded; "scorer" for an empty one.

    Raises ``Invalid`` at ``author``.
    """
    return names.clean(author, "author", say("Your name")) if author.strip() else _SOMEBODY


def _check_passcode(passcode: str) -> None:
    if len(passcode) < SHORTEST_PASSCODE:
        short = say(
            "The passcode needs at least {shortest_passcode} characters.",
            shortest_passcode=SHORTEST_PASSCODE,
        )
        raise Invalid.at("passcode", "passcode-short", short)
    if len(passcode) > LONGEST_PASSCODE:
        long = say(
            "The passcode has more than {longest_passcode} characters.",
            longest_passcode=LONGEST_PASSCODE,
        )
        raise Invalid.at("passcode", "passcode-long", long)
