"""Owners of a club: there is always one left, after any act of an owner."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.runtime.clock import now
from ledger.services.club import clubs, devices, links, live, owners, tokens
from ledger.services.club.devices import HasOwner
from ledger.services.club.owners import LastOwner
from ledger.services.club.passcodes import NOBODY, NOWHERE, ClientDevice
from ledger.words.problems import NotFound, NotSignedIn
from tests.ledger import table
from tests.ledger.table import ask

Losing = Callable[[], object]


def device(db: Database, access: Access, role: Role = Role.OWNER) -> str:
    """Let a device in; return its key."""
    return devices.admit(db, Access(access.club_id, role, "Sue"), NOBODY)


def token(db: Database, access: Access, days: int | None = None) -> int:
    """Make an owner's token; return its number."""
    return tokens.issue(db, access, label="tablet", role=Role.OWNER, days=days)[1].id


def by_revoking_its_device(db: Database, access: Access) -> Losing:
    """Let an owner's device in, to revoke it."""
    device(db, access)
    return lambda: devices.revoke(db, access, 1)


def by_another_role(db: Database, access: Access) -> Losing:
    """Let an owner's device in, to make it a scorer's."""
    device(db, access)
    return lambda: devices.change_role(db, access, 1, role=Role.SCORER)


def by_leaving(db: Database, access: Access) -> Losing:
    """Let an owner's device in, which leaves."""
    key = device(db, access)
    client = ClientDevice(NOWHERE, "phone", {access.club_id: key})
    return lambda: devices.leave(db, access.club_id, client)


def by_revoking_its_link(db: Database, access: Access) -> Losing:
    """Let an owner's device in by a link, to revoke that."""
    _, link = links.make(db, access, table.SECRET, role=Role.OWNER, lasts="hour")
    devices.admit(db, Access(access.club_id, Role.OWNER, "Sue"), NOBODY, link_id=link.id)
    return lambda: links.revoke(db, access, link.id)


def by_revoking_its_token(db: Database, access: Access) -> Losing:
    """Make an owner's token, to revoke it."""
    created = token(db, access)
    return lambda: tokens.revoke(db, access, created)


WAYS = (
    by_revoking_its_device,
    by_another_role,
    by_leaving,
    by_revoking_its_link,
    by_revoking_its_token,
)
"""How the only owner could be lost; each makes one and returns what would lose it."""


@pytest.mark.parametrize("way", WAYS)
def test_the_last_owner_is_not_lost(
    any_database: Database, access: Access, way: Callable[[Database, Access], Losing]
) -> None:
    """Nor if only a link, a token that ends or a scorer would stay; with another owner it may go.

    A refused request has done nothing.
    """
    lose = way(any_database, access)
    device(any_database, access, Role.SCORER)
    links.make(any_database, access, table.SECRET, role=Role.OWNER, lasts="evening")
    token(any_database, access, days=3650)
    before = ask(any_database, access, devices.list_all, access)
    with pytest.raises(LastOwner, match="without an owner"):
        lose()
    assert ask(any_database, access, devices.list_all, access) == before
    device(any_database, access)
    lose()
    with any_database.read(access) as session:
        assert owners.exist(session)
        assert owners.is_only(session)


def test_a_new_passcode_loses_no_owner(database: Database, club: Access) -> None:
    """Scorers have to enter it; owners stay in, and nobody else becomes one by it."""
    device(database, club)
    device(database, club, Role.SCORER)
    clubs.change_passcode(database, club, passcode="five kings")
    assert [each.role for each in ask(database, club, devices.list_all, club)] == [Role.OWNER]
    entered, _ = clubs.enter(database, name="Kitchen Table", passcode="five kings")
    assert entered.role is Role.SCORER
    with pytest.raises(HasOwner):
        devices.own(database, entered)


def test_an_owners_token_owns_the_club_until_it_ends(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a scorer with the passcode can own the club: nobody is shut out of it for good."""
    ended = token(database, club, days=7)
    key = device(database, club, Role.SCORER)
    with database.read() as session:
        scorer, _ = devices.enter(session, club.club_id, key)
    with pytest.raises(HasOwner):
        devices.own(database, scorer)
    later = now() + timedelta(days=8)
    monkeypatch.setattr(live, "now", lambda: later)
    devices.own(database, scorer)
    assert [each.role for each in ask(database, club, devices.list_all, club)] == [Role.OWNER]
    tokens.revoke(database, club, ended)


def test_who_ends_alone_may_end_at_once(database: Database, club: Access) -> None:
    """A token that ends was never counted on: revoking it loses nothing that would have stayed."""
    created = token(database, club, days=7)
    assert tokens.revoke(database, club, created).revoked_at is not None


def test_a_device_shut_out_by_a_new_passcode_is_no_device_of_the_club(
    database: Database, club: Access
) -> None:
    """It is not listed, and its number is that of nothing: no page shows it, nobody gives it a role."""
    key = device(database, club, Role.SCORER)
    clubs.change_passcode(database, club, passcode="five kings")
    assert ask(database, club, devices.list_all, club) == []
    with pytest.raises(NotFound, match="no such device"):
        ask(database, club, devices.one, club, 1)
    with pytest.raises(NotFound):
        devices.change_role(database, club, 1, role=Role.OWNER)
    with pytest.raises(NotFound):
        devices.revoke(database, club, 1)
    with database.read() as session, pytest.raises(NotSignedIn):
        devices.enter(session, club.club_id, key)
