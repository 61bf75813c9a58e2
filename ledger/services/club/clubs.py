"""A club: founded with a passcode, entered with it, followed by its link."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy.exc import IntegrityError
from sqlmodel import select

from engine.words.sentences import later, say
from ledger.books.transactions import Database
from ledger.database.access import Access, Event, Role
from ledger.database.models import Club, PlaySession
from ledger.database.scope import Built, Scope, ScopedSession, asked_once, narrow
from ledger.runtime.clock import now
from ledger.runtime.secrets import hash_passcode
from ledger.services.club import events, links, passcodes
from ledger.services.club.founding_limit import FoundingLimit
from ledger.services.club.passcodes import NOBODY, ClientDevice
from ledger.services.common import names
from ledger.services.common.values import of_row
from ledger.words.problems import Conflict, Invalid, NotFound, NotSignedIn, WrongPasscode

SHORTEST_PASSCODE, LONGEST_PASSCODE = 6, 128
_SOMEBODY = "scorer"


@dataclass(frozen=True, slots=True)
class ClubView:
    """What a club shows of itself.

    ``revision`` is that of the session it was asked for with; None: with none, or there is no such session.
    """

    id: int
    name: str
    revision: int | None = None


class NameTaken(Conflict):
    """There is a club, or a player, of that name already."""

    code = "name-taken"
    field = "name"
    sentence = later("There is already a club called “{name}”; choose another name.")
    player = later("There is already a player called “{name}”; choose another name.")


def found(db: Database, *, name: str, passcode: str, author: str = "") -> tuple[Access, ClubView]:
    """Found a club; its founder is its owner. Raises ``Invalid`` or ``NameTaken``."""
    with founding(db, name=name, passcode=passcode, author=author) as (_, access, club):
        return access, club


@contextmanager
def founding(
    db: Database,
    *,
    name: str,
    passcode: str,
    author: str = "",
    limit: FoundingLimit | None = None,
) -> Iterator[tuple[ScopedSession, Access, ClubView]]:
    """Found a club with what else is to be there from the start: all of it, or nothing.

    The session is of the new club, and its transaction ends with the block. Raises as ``found`` does, and
    ``TooOften`` beyond the ``limit``; both before the passcode is hashed, which takes long.
    """
    name = names.clean(name, "name", say("The club's name"))
    name_key = names.key(name)
    _check_passcode(passcode)
    author = clean_author(author)
    with db.read() as session:
        if session.exec(select(Club.id).where(Club.name_key == name_key)).first() is not None:
            raise NameTaken(name=name)
        if limit:
            limit.check(session)
    club = Club(
        name=name,
        name_key=name_key,
        passcode_hash=hash_passcode(passcode),
        created_at=now(),
    )
    with db.write() as session:
        session.author = author
        session.add(club)
        try:
            session.flush()
        except IntegrityError as error:
            raise NameTaken(name=name) from error
        if limit:
            limit.count(session)
        narrow(session, Scope(club.id))
        view = _view(club)
        yield session, Access(view.id, Role.OWNER, author), view


def enter(
    db: Database,
    *,
    name: str,
    passcode: str,
    author: str = "",
    device: ClientDevice = NOBODY,
) -> tuple[Access, ClubView]:
    """Open a club to a scorer's device. Raises ``WrongPasscode``, not telling which of both was wrong.

    Raises ``TooManyTries`` where too many were wrong before, by the rule in ``passcodes``.
    """
    author, name_key = clean_author(author), names.key(name)
    with db.read() as session:
        club = session.exec(select(Club).where(Club.name_key == name_key)).one_or_none()
    if not passcodes.check(db, club, name_key, passcode, device) or club is None:
        raise WrongPasscode()
    view = _view(club)
    return Access(view.id, Role.SCORER, author), view


def of_link(db: Database, key: str) -> tuple[Access, ClubView, int]:
    """Return what a link lets whoever opens it do, in which club, and its number. Raises ``NotFound``."""
    with db.read() as session:
        link = links.by_key(session, key)
        club = session.exec(select(Club).where(Club.id == link.club_id)).one()
    role = Role(link.role)
    author = "viewer" if role is Role.VIEWER else _SOMEBODY
    return Access(club.id, role, author), _view(club), link.id


def by_name(session: ScopedSession, name: str) -> ClubView:
    """Find a club for its keeper at the command line; ``session`` is narrowed to it. Raises ``NotFound``."""
    club = session.exec(select(Club).where(Club.name_key == names.key(name))).one_or_none()
    if club is None:
        raise NotFound(say("There is no club called “{name}” here.", name=name))
    narrow(session, Scope(club.id))
    return _view(club)


REVISION: Any = (
    select(PlaySession.revision).where(PlaySession.id == bindparam("session")).scalar_subquery()
)
SHOWN = (Club.id, Club.name)
"""What a club shows of itself, besides that."""
_SHOWN = Built(ClubView, select(*SHOWN).add_columns(REVISION))


@asked_once
def show(session: ScopedSession, session_id: int = 0) -> ClubView:
    """Return the club in hand, with the revision of a session of it. Raises ``NotSignedIn`` if it is gone."""
    for club in session.ask(_SHOWN, session=session_id):
        return club
    raise no_such_club()


@asked_once
def row(session: ScopedSession) -> Club:
    """Return the row of the club in hand. Raises ``NotSignedIn`` when it is gone."""
    club = session.exec(select(Club)).one_or_none()
    if club is None:
        raise no_such_club()
    return club


def no_such_club() -> NotSignedIn:
    """Return the refusal of a device whose club has been removed."""
    return NotSignedIn(say("This club no longer exists here."))


def change_passcode(db: Database, access: Access, *, passcode: str) -> ClubView:
    """Set a new passcode and sign every scorer's device out; owners and viewers stay. For owners only."""
    access.must_own()
    _check_passcode(passcode)
    hashed = hash_passcode(passcode)
    with db.write(access) as session:
        club = session.exec(select(Club)).one()
        club.passcode_hash = hashed
        club.devices_epoch += 1
        events.note(session, Event.PASSCODE, access)
    return _view(club)


def clean_author(author: str) -> str:
    """Return the name a device's changes are kept under; without one it is just "scorer"."""
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


def _view(club: Club) -> ClubView:
    return of_row(ClubView, club)
