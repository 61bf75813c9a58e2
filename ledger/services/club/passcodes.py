"""How often a passcode may be guessed: wrong ones are counted in the database, right ones never.

Whom a wrong one slows down:

* the network it came from (IPv4 /24, IPv6 /64), in that club: four are free; after the fifth it waits 15
  seconds, then twice as long each time, up to 15 minutes. A right one, or a day without any, ends that;
* all networks together, in that club: after 30 wrong ones, one each five minutes. A network from which none
  came in the last 30 days (of IPv6 the /32) has its first try all the same, so that nobody is kept out by
  what strangers do. Nor does this hold up a network in which a scorer's device was last used, or a device
  that was let in before: that one is counted by itself;
* the network it came from, in all clubs together: 30 are free in a day, then it waits as above. A device or
  network that is known to the club does not.

So in 30 days 60 networks can try 8,700 passcodes, and 10,000 networks 18,700: of the 2,177 million with six
small letters and digits one in 116,000. Six digits alone are a million: one chance in fifty.
A try that waits is not looked at, so it tells nothing, right or wrong. A name that no club has is counted
like a club's, under a digest of it, so that nobody learns which clubs there are. The newest 20,000 of those
counts are kept: to have one forgotten takes 10,000 wrong passcodes, of which a network may send 130 a day.

A wait lasts as long as it was meant to, also if the clock that began it was ahead of ours (``_bring_back``).
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
from ledger.database.scope import Scope, ScopedSession, narrow
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
"""How many counts are kept for names that no club has."""

TRUSTED = "known"
"""The wider network of whoever is known to the club: not counted together with strangers."""
_ALL = "*"
"""Stands for all networks together, or for all clubs."""
_NO_CLUB = 0
_OF_NO_CLUB = "?"
"""The beginning of ``whose`` for a name that no club has."""

_Key = tuple[str, str]
"""The club, or the digest of a name, and the network: the key of a count."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The networks a try comes from: the one it is counted for, and the wider one that must be new."""

    network: str
    wider: str


NOWHERE = Origin("here", "here")
"""Where a try comes from that came over no network."""


@dataclass(frozen=True, slots=True)
class ClientDevice:
    """What a request tells of the device that sent it: where it is, what it is, its key in each club."""

    origin: Origin = NOWHERE
    kind: str = "device"
    keys: Mapping[int, str] = field(default_factory=dict)


NOBODY = ClientDevice()


@dataclass(frozen=True, slots=True)
class _Count:
    failures: int
    last_at: datetime
    open_at: datetime


_Counts = dict[_Key, _Count]


def origin_of(address: str | None) -> Origin:
    """Return the networks of an address.

    >>> origin_of("203.0.113.7")
    Origin(network='203.0.113.0/24', wider='203.0.113.0/24')
    >>> origin_of("2001:db8:1:2::7")
    Origin(network='2001:db8:1:2::/64', wider='2001:db8::/32')
    >>> origin_of(None)
    Origin(network='here', wider='here')
    """
    try:
        found = ip_address(address or "")
    except ValueError:  # a Unix socket has no address
        return NOWHERE
    found = getattr(found, "ipv4_mapped", None) or found
    near, far = (24, 24) if found.version == 4 else (64, 32)
    network, wider = (str(ip_network((found, bits), strict=False)) for bits in (near, far))
    return Origin(network, wider)


def check(
    db: Database,
    club: Club | None,
    name_key: str,
    passcode: str,
    device: ClientDevice,
    access: Access | None = None,
) -> bool:
    """Whether a passcode is the club's (None: there is none of that name). Raises ``TooManyTries``.

    Whoever has ``access`` is in already.

    Tries at the same time are looked at one after another in the end: none of them tells more than it would
    have told alone.
    """
    whose = str(club.id) if club else f"{_OF_NO_CLUB}{digest(name_key)[:32]}"
    club_id = club.id if club else _NO_CLUB  # for which the same is asked, as it takes time
    with db.read() as session:
        narrow(session, Scope(club_id))
        origin, who = _as_known(session, club_id, device, access)
        counts = _counts(session, whose, origin)
        is_ahead = any(count.last_at > now() for count in counts.values())
        if not is_ahead:
            _must_not_wait(session, whose, origin, counts)
    if is_ahead:
        _bring_back(db, whose, origin)
    right = passcode_opens(club.passcode_hash if club else None, passcode)
    with db.write() as session:
        count_alone(session, whose, origin.network)
        counts = _counts(session, whose, origin)
        _must_not_wait(session, whose, origin, counts)
        if right:
            session.exec(delete(RefusedTry).where(_among([(whose, origin.network)])))
        else:
            failures = _count(session, whose, origin, counts)
            session.flush()
            if club:
                narrow(session, Scope(club.id))
                at = {"who": who, "network": device.origin.network}
                events.note_refused(session, origin.network, failures, **at)
    return right


def confirm(db: Database, access: Access, passcode: str, device: ClientDevice = NOBODY) -> None:
    """Ask whoever does an owner's act for the passcode again. Raises ``NotThePasscode`` or ``TooManyTries``.

    A device or token that is in is counted by itself: neither strangers nor its network make it wait.
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
    """Return where a try is counted, and whose it is if that is known.

    Of a device or token that was let in, by itself, also if it must enter again. In a network where a
    scorer's device was last seen, nobody waits for what strangers do elsewhere.
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
    """Wait for other transactions that count under one of these names; everybody gives them in one order.

    SQLite's writers follow one another anyway.
    """
    if session.driver.dialect.name == "postgresql":
        for name in names:
            session.exec(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


def wait_after(failures: int, free: int = FREE) -> timedelta:
    """Return how long a network waits after so many wrong passcodes in a row.

    >>> [wait_after(n).total_seconds() for n in (4, 5, 6, 11, 5000)]
    [0.0, 15.0, 30.0, 900.0, 900.0]
    """
    doublings = failures - free - 1
    if doublings < 0:
        return timedelta(0)
    return min(FIRST_WAIT * (1 << min(doublings, 10)), LONGEST_WAIT)


def _must_not_wait(session: ScopedSession, whose: str, origin: Origin, counts: _Counts) -> None:
    at, together = now(), (whose, _ALL)
    waits = {key: count.open_at - at for key, count in counts.items() if count.open_at > at}
    if together in waits and _is_new(session, whose, origin):
        del waits[together]
    if waits:
        raise TooManyTries(ceil(max(waits.values()).total_seconds()), FREE + 1)


def _bring_back(db: Database, whose: str, origin: Origin) -> None:
    """Begin waits again, from now, that a clock ahead of ours began; each as long as it was."""
    with db.write() as session:
        at, ours = now(), _among(_keys(whose, origin))
        for row in session.exec(select(RefusedTry).where(ours, col(RefusedTry.last_at) > at)):
            row.open_at, row.last_at = at + (row.open_at - row.last_at), at


def _keys(whose: str, origin: Origin) -> list[_Key]:
    """Return the keys of the counts of a try."""
    own = (whose, origin.network)
    return [own] if origin.wider == TRUSTED else [own, (whose, _ALL), (_ALL, origin.network)]


def _counts(session: ScopedSession, whose: str, origin: Origin) -> _Counts:
    rows = session.exec(select(RefusedTry).where(_among(_keys(whose, origin))))
    return {
        (row.whose, row.network): _Count(row.failures, row.last_at, row.open_at) for row in rows
    }


def _is_new(session: ScopedSession, whose: str, origin: Origin) -> bool:
    asked = select(RefusedTry.id).where(RefusedTry.whose == whose).limit(1)
    return session.exec(asked.where(RefusedTry.wider == origin.wider)).first() is None


def _among(keys: list[_Key]) -> Any:
    return tuple_(col(RefusedTry.whose), col(RefusedTry.network)).in_(keys)


def _count(session: ScopedSession, whose: str, origin: Origin, counts: _Counts) -> int:
    """Count a wrong passcode; return how many came in a row from its network."""
    at = now()
    failures = _count_network(session, whose, origin, counts, FREE)
    if origin.wider != TRUSTED:
        _count_network(session, _ALL, origin, counts, FREE_ANYWHERE)
        _count_together(session, whose, at, counts.get((whose, _ALL)))
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
    session: ScopedSession, whose: str, origin: Origin, counts: _Counts, free: int
) -> int:
    before, at = counts.get((whose, origin.network)), now()
    failures = 1 + (before.failures if before and before.last_at > at - FORGIVEN_AFTER else 0)
    _keep(session, whose, origin, _Count(failures, at, at + wait_after(failures, free)))
    return failures


def _count_together(
    session: ScopedSession, whose: str, at: datetime, together: _Count | None
) -> None:
    open_at = at - TOGETHER * TOGETHER_EACH
    if together:
        open_at = max(together.open_at, open_at)
    if open_at <= at:  # who comes newly meanwhile makes the others wait no longer
        open_at += TOGETHER_EACH
    failures = 1 + (together.failures if together else 0)
    _keep(session, whose, Origin(_ALL, _ALL), _Count(failures, at, open_at))


def _keep(session: ScopedSession, whose: str, origin: Origin, count: _Count) -> None:
    row = session.exec(select(RefusedTry).where(_among([(whose, origin.network)]))).one_or_none()
    if row is None:
        session.add(RefusedTry(whose=whose, **asdict(origin), **asdict(count)))
    else:
        row.sqlmodel_update(asdict(count))
