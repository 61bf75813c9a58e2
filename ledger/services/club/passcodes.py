"""How often a passcode may be guessed: wrong ones are counted in the database, right ones never.

Whom a wrong one slows down:

* the network it came from (IPv4 /24, IPv6 /64), in that club: four are free; after the fifth it waits 15
  seconds, then twice as long each time, up to 15 minutes. A right one, or a day without any, ends that;
* all networks together, in that club: after 30 wrong ones, one each five minutes. A network from which none
  came in the last 30 days (of IPv6 the /32) has its first try all the same, so that nobody is kept out by
  what strangers do. Nor does this hold up a network in which a scorer's device was last used, or a device
  that was let in before: that one is counted by itself.

So in 30 days 60 networks can try 8,700 passcodes, and 10,000 networks 18,700: of the 2,177 million with six
small letters and digits one in 116,000. Six digits alone are a million: one chance in fifty.
A try that waits is not looked at, so it tells nothing, right or wrong. A name that no club has is counted
likewise, on one of sixteen counts, so that nobody learns which clubs there are.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from math import ceil
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select

from engine.words.sentences import say
from ledger.access import Access, Role
from ledger.clock import now
from ledger.db import Database
from ledger.models import Club, Device, RefusedTry
from ledger.problems import Invalid, NotThePasscode, TooManyTries
from ledger.scope import Scope, ScopedSession, narrow
from ledger.security.secrets import digest, passcode_opens
from ledger.services.club import events
from ledger.services.club.live import NOT_REVOKED

FREE = 4
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=15), timedelta(minutes=15)
FORGIVEN_AFTER = timedelta(days=1)
TOGETHER = 30
TOGETHER_EACH = timedelta(minutes=5)
REMEMBERED = timedelta(days=30)

KNOWN = "known"
"""The wider network of whoever is known to the club: not counted together with strangers."""
_TOGETHER = "*"
"""The network that stands for all of them."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The networks a try comes from: the one it is counted for, and the wider one that must be new."""

    network: str
    wider: str


NOWHERE = Origin("here", "here")
"""Where a try comes from that came over no network."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a request tells of the device that sent it: where it is, what it is, its key in each club."""

    origin: Origin = NOWHERE
    kind: str = "device"
    keys: Mapping[int, str] = field(default_factory=dict)


NOBODY = Seen()


@dataclass(frozen=True, slots=True)
class _Count:
    failures: int
    last_at: datetime
    open_at: datetime


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
    seen: Seen,
    access: Access | None = None,
) -> bool:
    """Whether a passcode is the club's (None: there is none of that name). Raises ``TooManyTries``.

    Whoever has ``access`` is in already.

    Tries at the same time are looked at one after another in the end: none of them tells more than it would
    have told alone.
    """
    whose = str(club.id) if club else f"?{digest(name_key)[0]}"
    origin, who = seen.origin, ""
    with db.read() as session:
        if club:
            narrow(session, Scope(club.id))
            origin, who = _as_known(session, club, seen, access)
        _must_not_wait(session, whose, origin)
    right = passcode_opens(club.passcode_hash if club else None, passcode)
    # Of a name that no club has, another process may write the first row at the same moment: that one counts.
    with suppress(IntegrityError), db.write() as session:
        if club:  # on PostgreSQL other tries at this club wait here
            session.exec(select(Club.id).where(Club.id == club.id).with_for_update()).one_or_none()
        _must_not_wait(session, whose, origin)
        if right:
            session.exec(delete(RefusedTry).where(*_of(whose, [origin.network])))
        else:
            failures = _count(session, whose, origin)
            session.flush()
            if club:
                narrow(session, Scope(club.id))
                at = {"who": who, "network": seen.origin.network}
                events.note_refused(session, origin.network, failures, **at)
    return right


def confirm(db: Database, access: Access, passcode: str, seen: Seen = NOBODY) -> None:
    """Ask whoever does an owner's act for the passcode again. Raises ``NotThePasscode`` or ``TooManyTries``.

    A device or token that is in is counted by itself: neither strangers nor its network make it wait.
    """
    if not passcode:
        missing = say("Enter the club's passcode once more. Nothing was changed.")
        raise Invalid.at(NotThePasscode.field, "passcode-missing", missing)
    with db.read(access) as session:
        club = session.exec(select(Club)).one()
    if not check(db, club, club.name_key, passcode, seen, access):
        raise NotThePasscode()


def _as_known(
    session: ScopedSession, club: Club, seen: Seen, access: Access | None
) -> tuple[Origin, str]:
    """Return where a try is counted, and whose it is if that is known.

    Of a device or token that was let in, by itself, also if it must enter again. In a network where a
    scorer's device was last seen, nobody waits for what strangers do elsewhere.
    """
    if access:
        return Origin(access.holder, KNOWN), access.author
    held = select(Device).where(Device.digest == digest(seen.keys.get(club.id, "")), NOT_REVOKED)
    device = session.exec(held).one_or_none()
    if device is not None:
        return Origin(f"device {device.id}", KNOWN), device.author
    home = select(Device.id).where(Device.network == seen.origin.network, NOT_REVOKED)
    if session.exec(home.where(Device.role != Role.VIEWER.value).limit(1)).first() is not None:
        return Origin(seen.origin.network, KNOWN), ""
    return seen.origin, ""


def wait_after(failures: int) -> timedelta:
    """Return how long a network waits after so many wrong passcodes in a row.

    >>> [wait_after(n).total_seconds() for n in (4, 5, 6, 11, 5000)]
    [0.0, 15.0, 30.0, 900.0, 900.0]
    """
    doublings = failures - FREE - 1
    if doublings < 0:
        return timedelta(0)
    return min(FIRST_WAIT * (1 << min(doublings, 10)), LONGEST_WAIT)


def _must_not_wait(session: ScopedSession, whose: str, origin: Origin) -> None:
    counts, at = _counts(session, whose, origin), now()
    until = [counts[origin.network].open_at] if origin.network in counts else []
    if _TOGETHER in counts and origin.wider != KNOWN and not _is_new(session, whose, origin):
        until.append(counts[_TOGETHER].open_at)
    if until and max(until) > at:
        raise TooManyTries(ceil((max(until) - at).total_seconds()))


def _counts(session: ScopedSession, whose: str, origin: Origin) -> dict[str, _Count]:
    rows = session.exec(select(RefusedTry).where(*_of(whose, [origin.network, _TOGETHER])))
    return {row.network: _Count(row.failures, row.last_at, row.open_at) for row in rows}


def _is_new(session: ScopedSession, whose: str, origin: Origin) -> bool:
    asked = select(RefusedTry.id).where(RefusedTry.whose == whose).limit(1)
    return session.exec(asked.where(RefusedTry.wider == origin.wider)).first() is None


def _of(whose: str, networks: Iterable[str]) -> tuple[Any, ...]:
    return RefusedTry.whose == whose, col(RefusedTry.network).in_(list(networks))


def _count(session: ScopedSession, whose: str, origin: Origin) -> int:
    counts, at = _counts(session, whose, origin), now()
    own = counts.get(origin.network)
    row = 1 + (own.failures if own and own.last_at > at - FORGIVEN_AFTER else 0)
    _keep(session, whose, origin, _Count(row, at, at + wait_after(row)))
    if origin.wider != KNOWN:
        _count_together(session, whose, at, counts.get(_TOGETHER))
    session.exec(delete(RefusedTry).where(col(RefusedTry.last_at) < at - REMEMBERED))
    return row


def _count_together(
    session: ScopedSession, whose: str, at: datetime, together: _Count | None
) -> None:
    open_at = at - TOGETHER * TOGETHER_EACH
    if together:
        open_at = max(together.open_at, open_at)
    if open_at <= at:  # who comes newly meanwhile makes the others wait no longer
        open_at += TOGETHER_EACH
    failures = 1 + (together.failures if together else 0)
    _keep(session, whose, Origin(_TOGETHER, _TOGETHER), _Count(failures, at, open_at))


def _keep(session: ScopedSession, whose: str, origin: Origin, count: _Count) -> None:
    row = session.exec(select(RefusedTry).where(*_of(whose, [origin.network]))).one_or_none()
    if row is None:
        session.add(RefusedTry(whose=whose, **asdict(origin), **asdict(count)))
    else:
        row.sqlmodel_update(asdict(count))
