"""Limits on guessing a passcode: wrong ones are counted in the database, right ones never.

A wrong passcode slows down:

* its network (IPv4 /24, IPv6 /64) in that club: four are free, the fifth waits 15 seconds, each further one
  twice as long, up to 15 minutes. A right one, or a day without a wrong one, resets this.
* all networks together in that club: after 30 wrong ones, one try is allowed every five minutes. The first
  try of a network without a wrong one in the last 30 days (for IPv6 the /32) is exempt, so that strangers can
  lock nobody out. Also exempt are a network in which a scorer's device was last used, and a device admitted
  before, which is counted by itself.
* its network in all clubs together: 30 in a day are free, then it waits as above. Devices and networks known
  to the club are exempt.

So in 30 days 60 networks can try 8,700 passcodes, and 10,000 networks 18,700: of the 2,177 million with six
small letters and digits one in 116,000. Six digits alone are a million: one chance in fifty.
A try during a wait is not checked, so it reveals nothing. A name without a club is counted like a club's,
under a digest, so that nobody learns which clubs exist. The newest 20,000 of those counts are stored: to have
one deleted takes 10,000 wrong passcodes, of which a network may send 130 a day.

A wait keeps its length even if the clock that began it was ahead of ours (``_bring_back``).
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from math import ceil
from typing import Any

from sqlalchemy import tuple_
from sqlmodel import col, delete, func, select

from engine.words.sentences import say
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import Club, Device, RefusedTry
from ledger.database.narrowing import Scope
from ledger.database.scope import ScopedSession, narrow
from ledger.runtime.clock import now
from ledger.runtime.secrets import digest, passcode_opens
from ledger.services.club import events
from ledger.services.club.live import NOT_REVOKED
from ledger.words.problems import Invalid, NotThePasscode, TooManyTries

FREE, FREE_ANYWHERE = 4, 30
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=15), timedelta(minutes=15)
FORGIVEN_AFTER = timedelta(days=1)
TOGETHER = 30
TOGETHER_EACH = timedelta(minutes=5)
REMEMBERED = timedelta(days=30)
MOST_OF_NO_CLUB = 20_000
"""The number of counts stored for names without a club."""

TRUSTED = "known"
"""The wider network of devices known to the club, which are not counted with strangers."""
_ALL = "*"
"""The key for all networks together, or for all clubs."""
_NO_CLUB = 0
_OF_NO_CLUB = "?"
"""The first character of ``whose`` for a name without a club."""

_Key = tuple[str, str]
"""The key of a count: the club, or the digest of a name, and the network."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The networks of a try: the one it is counted for, and the wider one that must be new."""

    network: str
    wider: str


NOWHERE = Origin("here", "here")
"""The origin of a try that came over no network."""


@dataclass(frozen=True, slots=True)
class ClientDevice:
    """The device that sent a request: its networks, its kind, such as iPhone, and its keys by club id."""

    origin: Origin = NOWHERE
    kind: str = "device"
    keys: Mapping[int, str] = field(default_factory=dict)


NOBODY = ClientDevice()


_Counts = dict[_Key, RefusedTry]


def origin_of(address: str | None) -> Origin:
    """Return the networks of an address, by which wrong passcodes are counted; without one, ``NOWHERE``.

    >>> origin_of("203.0.113.7")
    Origin(network='203.0.113.0/24', wider='203.0.113.0/24')
    >>> origin_of("2001:db8:1:2::7")
    Origin(network='2001:db8:1:2::/64', wider='2001:db8::/32')
    >>> origin_of(None)
    Origin(network='here', wider='here')
    """
    try:
        ip = ip_address(address or "")
    except ValueError:  # a Unix socket has no address
        return NOWHERE
    ip = getattr(ip, "ipv4_mapped", None) or ip
    near, far = (24, 24) if ip.version == 4 else (64, 32)
    network, wider = (str(ip_network((ip, bits), strict=False)) for bits in (near, far))
    return Origin(network, wider)


def check(
    db: Database,
    club: Club | None,
    name_key: str,
    passcode: str,
    device: ClientDevice,
    access: Access | None = None,
) -> bool:
    """Return whether a passcode is the club's. Raises ``TooManyTries``.

    A wrong one is counted, and noted among the club's events; the right one resets its sender's count.
    Simultaneous tries are judged one after another, so that together they reveal no more than alone.

    Args:
        db: The database.
        club: The club, or None if none has the name; the same work is done then, as it takes time.
        name_key: The key of the club's name.
        passcode: The passcode to check.
        device: The device that sent it.
        access: The sender's access, if it is signed in already.
    """
    subject = str(club.id) if club else f"{_OF_NO_CLUB}{digest(name_key)[:32]}"
    club_id = club.id if club else _NO_CLUB
    with db.read() as session:
        narrow(session, Scope(club_id))
        origin, author = _as_known(session, club_id, device, access)
        counts = _counts(session, subject, origin)
        is_ahead = any(count.last_at > now() for count in counts.values())
        if not is_ahead:
            _must_not_wait(session, subject, origin, counts)
    if is_ahead:
        _bring_back(db, subject, origin)
    is_right = passcode_opens(club.passcode_hash if club else None, passcode)
    with db.write() as session:
        count_alone(session, subject, origin.network)
        counts = _counts(session, subject, origin)
        _must_not_wait(session, subject, origin, counts)
        if is_right:
            session.exec(delete(RefusedTry).where(_has_key([(subject, origin.network)])))
        else:
            failures = _count(session, subject, origin, counts)
            session.flush()
            if club and not club.moved_to:
                narrow(session, Scope(club.id))
                at = {"who": author, "network": device.origin.network}
                events.note_refused(session, origin.network, failures, **at)
    return is_right


def confirm(db: Database, access: Access, passcode: str, device: ClientDevice = NOBODY) -> None:
    """Check the passcode sent with an owner's action as ``check`` does; a wrong one is counted.

    Raises ``NotThePasscode`` for it, ``TooManyTries``, or ``Invalid`` for an empty one. An admitted device or
    token is counted by itself: neither strangers nor its network make it wait.
    """
    if not passcode:
        missing = say("Enter the club's passcode once more. Nothing was changed.")
        raise Invalid.at(NotThePasscode.field, "passcode-missing", missing)
    with db.read(access) as session:
        club = session.exec(select(Club)).one()
    if not check(db, club, club.name_key, passcode, device, access):
        raise NotThePasscode()


def _as_known(
    session: ScopedSession, club_id: int, device: ClientDevice, access: Access | None
) -> tuple[Origin, str]:
    """Return the origin that a try is counted for, and the author's name, which is empty if unknown.

    A device or token admitted before is counted by itself, even if it must enter the passcode again. A
    network in which a scorer's device was last used does not wait for tries elsewhere.
    """
    if access:
        return Origin(access.holder, TRUSTED), access.author
    query = select(Device).where(Device.digest == digest(device.keys.get(club_id, "")), NOT_REVOKED)
    row = session.exec(query).one_or_none()
    if row is not None:
        return Origin(f"device {row.id}", TRUSTED), row.author
    home = select(Device.id).where(Device.network == device.origin.network, NOT_REVOKED)
    if session.exec(home.where(Device.role != Role.VIEWER.value).limit(1)).first() is not None:
        return Origin(device.origin.network, TRUSTED), ""
    return device.origin, ""


def count_alone(session: ScopedSession, *names: str) -> None:
    """Lock these names until the transaction ends; callers pass them in one order, to avoid deadlocks.

    SQLite's writers run one after another anyway.
    """
    if session.driver.dialect.name == "postgresql":
        for name in names:
            session.exec(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


def wait_after(failures: int, free: int = FREE) -> timedelta:
    """Return the time a network waits after a number of wrong passcodes in a row, none for ``free`` ones.

    >>> [wait_after(n).total_seconds() for n in (4, 5, 6, 11, 5000)]
    [0.0, 15.0, 30.0, 900.0, 900.0]
    """
    doublings = failures - free - 1
    if doublings < 0:
        return timedelta(0)
    return min(FIRST_WAIT * (1 << min(doublings, 10)), LONGEST_WAIT)


def _must_not_wait(session: ScopedSession, subject: str, origin: Origin, counts: _Counts) -> None:
    """Raise ``TooManyTries`` with the longest wait if one of the counts still has to wait.

    The count of all networks together does not apply to a wider network without a wrong try in this club.
    """
    at, together = now(), (subject, _ALL)
    waits = {key: count.open_at - at for key, count in counts.items() if count.open_at > at}
    if together in waits and _is_new(session, subject, origin):
        del waits[together]
    if waits:
        raise TooManyTries(ceil(max(waits.values()).total_seconds()), FREE + 1)


def _bring_back(db: Database, subject: str, origin: Origin) -> None:
    """Restart waits that begin in the future, by a wrong clock, from now and with their length."""
    with db.write() as session:
        at, has_key = now(), _has_key(_keys(subject, origin))
        for row in session.exec(select(RefusedTry).where(has_key, col(RefusedTry.last_at) > at)):
            row.open_at, row.last_at = at + (row.open_at - row.last_at), at


def _keys(subject: str, origin: Origin) -> list[_Key]:
    """Return the keys of the counts of a try; a known device or network has only its own."""
    own = (subject, origin.network)
    return [own] if origin.wider == TRUSTED else [own, (subject, _ALL), (_ALL, origin.network)]


def _counts(session: ScopedSession, subject: str, origin: Origin) -> _Counts:
    rows = session.exec(select(RefusedTry).where(_has_key(_keys(subject, origin))))
    return {(row.whose, row.network): row for row in rows}


def _is_new(session: ScopedSession, subject: str, origin: Origin) -> bool:
    """Return whether no wrong passcode for this club or name is stored from the wider network."""
    query = select(RefusedTry.id).where(RefusedTry.whose == subject).limit(1)
    return session.exec(query.where(RefusedTry.wider == origin.wider)).first() is None


def _has_key(keys: list[_Key]) -> Any:
    return tuple_(col(RefusedTry.whose), col(RefusedTry.network)).in_(keys)


def _count(session: ScopedSession, subject: str, origin: Origin, counts: _Counts) -> int:
    """Count a wrong passcode in every count of its try; return the number in a row from its network.

    Deletes counts that are too old, and those for names without a club beyond the newest.
    """
    at = now()
    failures = _count_network(session, subject, origin, counts, FREE)
    if origin.wider != TRUSTED:
        _count_network(session, _ALL, origin, counts, FREE_ANYWHERE)
        _count_together(session, subject, at, counts)
    session.exec(delete(RefusedTry).where(col(RefusedTry.last_at) < at - REMEMBERED))
    newest = select(func.max(RefusedTry.id)).scalar_subquery()
    session.exec(
        delete(RefusedTry).where(
            col(RefusedTry.whose).startswith(_OF_NO_CLUB),
            col(RefusedTry.id) <= newest - MOST_OF_NO_CLUB,
        )
    )
    return failures


def _count_network(
    session: ScopedSession, subject: str, origin: Origin, counts: _Counts, free: int
) -> int:
    """Count a wrong passcode of a network, and set its wait.

    Return the number in a row, within a day of each other.
    """
    before, at = counts.get((subject, origin.network)), now()
    failures = 1 + (before.failures if before and before.last_at > at - FORGIVEN_AFTER else 0)
    open_at = at + wait_after(failures, free)
    _store(session, counts, subject, origin, failures=failures, last_at=at, open_at=open_at)
    return failures


def _count_together(session: ScopedSession, subject: str, at: datetime, counts: _Counts) -> None:
    """Count a wrong passcode in the count of all networks.

    Each uses one of ``TOGETHER`` free tries, of which one is regained every ``TOGETHER_EACH``.
    """
    together = counts.get((subject, _ALL))
    open_at = at - TOGETHER * TOGETHER_EACH
    if together:
        open_at = max(together.open_at, open_at)
    if open_at <= at:  # a new network's first try does not prolong the wait of others
        open_at += TOGETHER_EACH
    failures = 1 + (together.failures if together else 0)
    origin = Origin(_ALL, _ALL)
    _store(session, counts, subject, origin, failures=failures, last_at=at, open_at=open_at)


def _store(
    session: ScopedSession, counts: _Counts, subject: str, origin: Origin, **values: Any
) -> None:
    """Set the values of the count for a subject and an origin's network; add its row if there is none."""
    row = counts.get((subject, origin.network))
    if row is None:
        session.add(RefusedTry(whose=subject, **asdict(origin), **values))
    else:
        row.sqlmodel_update(values)
