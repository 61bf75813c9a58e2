"""Devices: the access by a signed cookie, and its ends."""

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from flask import Flask
from flask import session as cookie
from flask.testing import FlaskClient
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import Club, Device, Link
from ledger.runtime.clock import now
from ledger.runtime.secrets import digest
from ledger.services.club import clubs, links
from ledger.services.club import devices as rows
from ledger.services.club.clubs import ClubView
from ledger.web.frame import cookies
from ledger.words.problems import NotSignedIn
from tests.ledger import table
from tests.ledger.table import ask

T = TypeVar("T")


class Browser:
    """A browser that keeps its cookies; each call is a request of its own."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.app = Flask(__name__)
        self.app.secret_key = "for this test"
        self.app.add_url_rule("/", "ask", lambda: "")
        self.client: FlaskClient = self.app.test_client()

    def ask(self, act: Callable[[], T]) -> T:
        """Do something inside a request of this device."""
        answers: list[T] = []

        def view() -> str:
            answers.append(act())
            return ""

        self.app.view_functions["ask"] = view
        assert self.client.get("/").status_code == 200
        return answers[0]

    def come_in(self, access: Access, link_id: int | None = None) -> None:
        """Be let into a club."""
        self.ask(lambda: cookies.remember(self.database, access, link_id=link_id))

    def enter(self, club_id: int) -> tuple[Access, ClubView]:
        """Ask for a page of a club."""
        with self.database.read() as session:
            return self.ask(lambda: cookies.enter(self.database, session, club_id))

    def refused(self, club_id: int) -> str:
        """Return why this device is not let in."""

        def attempt() -> str:
            with pytest.raises(NotSignedIn) as caught, self.database.read() as session:
                cookies.enter(self.database, session, club_id)
            return caught.value.message

        return self.ask(attempt)


@pytest.fixture
def device(database: Database) -> Browser:
    """A new device, which knows no club."""
    return Browser(database)


def scorer(club: Access, author: str = "Sue") -> Access:
    """Return a scorer's access, as a passcode earns it."""
    return Access(club.club_id, Role.SCORER, author)


def viewer(club: Access) -> Access:
    """Return a viewer's access, as a link gives it."""
    return Access(club.club_id, Role.VIEWER, "viewer")


def test_a_device_is_let_in_once_for_good(
    device: Browser, database: Database, club: Access
) -> None:
    """As scorer, under the name given with the passcode, on every later request."""
    device.come_in(scorer(club))
    for _ in range(2):
        assert device.enter(club.club_id) == (scorer(club), ask(database, club, clubs.show))
    stored = device.client.get_cookie("session")
    assert stored is not None
    assert stored.expires is not None


def test_of_a_devices_key_only_a_digest_is_kept(
    device: Browser, database: Database, club: Access
) -> None:
    """A reader of the ledger gets in nowhere by it."""
    device.come_in(scorer(club))
    (key,) = device.ask(lambda: [held["key"] for held in cookie["clubs"]])
    with database.read(club) as session:
        row = session.exec(select(Device)).one()
    assert row.digest == digest(key)
    assert key not in str(row.model_dump())


def test_a_device_that_was_never_let_in_is_asked_for_the_passcode(
    device: Browser, club: Access
) -> None:
    """Also by an id of a club that is not there."""
    for club_id in (club.club_id, 99):
        assert "does not know this club" in device.refused(club_id)


def test_a_cookie_for_one_club_opens_no_other(
    device: Browser, ours: Access, theirs: Access
) -> None:
    """A device holds the clubs it was let into, each by itself, and a key opens its own club only."""
    device.come_in(scorer(ours))
    device.refused(theirs.club_id)

    def swap() -> None:
        cookie["clubs"] = [{**held, "club": theirs.club_id} for held in cookie["clubs"]]

    device.ask(swap)
    device.refused(theirs.club_id)


def test_a_new_passcode_shuts_scorers_out_and_leaves_owners_and_viewers_in(
    device: Browser, database: Database, club: Access
) -> None:
    """At once, on the next request; after entering the new one it is the same device."""
    others = {role: Browser(database) for role in (Role.OWNER, Role.VIEWER)}
    device.come_in(scorer(club))
    for role, other in others.items():
        other.come_in(Access(club.club_id, role, "Tom"))
    clubs.change_passcode(database, club, passcode="five kings")
    assert "keys were changed" in device.refused(club.club_id)
    assert [other.enter(club.club_id)[0].role for other in others.values()] == list(others)
    device.come_in(scorer(club))
    assert device.enter(club.club_id)[0].may_write
    assert table.row_counts(database)["device"] == 3


def test_a_new_link_shuts_viewers_out_and_leaves_scorers_in(
    device: Browser, database: Database, club: Access
) -> None:
    """A device that came by an older one is out with it."""
    watching = Browser(database)
    device.come_in(scorer(club))
    _, _, link_id = clubs.of_link(database, table.viewer_key(database, club))
    watching.come_in(viewer(club), link_id)
    links.renew(database, club, table.SECRET)
    assert "let out" in watching.refused(club.club_id)
    assert device.enter(club.club_id)[0].may_write


@pytest.mark.parametrize("role", [Role.SCORER, Role.OWNER])
def test_who_may_do_more_and_opens_the_viewer_link_stays_so(
    device: Browser, club: Access, role: Role
) -> None:
    """The link is sent round; scorers may tap it, too."""
    device.come_in(Access(club.club_id, role, "Sue"))
    device.come_in(viewer(club))
    assert device.enter(club.club_id)[0] == Access(club.club_id, role, "Sue")


def test_who_may_do_more_goes_out_with_no_link_that_was_opened_since(
    device: Browser, database: Database, club: Access
) -> None:
    """An owner tries the link that was made for a scorer, and revokes it."""
    _, link = links.make(database, club, table.SECRET, role=Role.SCORER, lasts="evening")
    device.come_in(Access(club.club_id, Role.OWNER, "Sue"))
    device.come_in(scorer(club), link.id)
    links.revoke(database, club, link.id)
    assert device.enter(club.club_id)[0].role is Role.OWNER


def test_the_passcode_gives_nobody_for_good_what_a_link_gave(
    device: Browser, database: Database, club: Access
) -> None:
    """An owner by a link goes out with it, also after entering the scorers' passcode."""
    Browser(database).come_in(Access(club.club_id, Role.OWNER, "Ann"))
    _, link = links.make(database, club, table.SECRET, role=Role.OWNER, lasts="hour")
    device.come_in(Access(club.club_id, Role.OWNER, "Sue"), link.id)
    device.come_in(scorer(club))
    links.revoke(database, club, link.id)
    assert "let out" in device.refused(club.club_id)


def test_nobody_whom_an_owner_gave_a_role_goes_out_with_the_link_they_came_by(
    device: Browser, database: Database, club: Access
) -> None:
    """A scorer may renew the viewer link, and must not let an owner out by it."""
    _, _, link_id = clubs.of_link(database, table.viewer_key(database, club))
    device.come_in(viewer(club), link_id)
    rows.change_role(database, club, 1, role=Role.OWNER)
    links.renew(database, scorer(club), table.SECRET)
    assert device.enter(club.club_id)[0].role is Role.OWNER


def test_an_owner_who_enters_the_passcode_stays_one(device: Browser, club: Access) -> None:
    """It is the same device, under the name given last."""
    device.come_in(Access(club.club_id, Role.OWNER, "Sue"))
    device.come_in(scorer(club, "Susan"))
    assert device.enter(club.club_id)[0] == Access(club.club_id, Role.OWNER, "Susan")


def test_a_scorer_shut_out_by_a_new_passcode_may_still_read_along(
    device: Browser, database: Database, club: Access
) -> None:
    """Their old right is worth nothing, so the link gives them a viewer's, like anybody."""
    device.come_in(scorer(club))
    clubs.change_passcode(database, club, passcode="five kings")
    device.come_in(viewer(club))
    assert device.enter(club.club_id)[0] == viewer(club)


def test_a_viewer_who_enters_the_passcode_becomes_a_scorer(device: Browser, club: Access) -> None:
    """Under the name given; the key it had as a viewer opens nothing any more."""
    device.come_in(viewer(club))
    before: Any = device.ask(lambda: list(cookie["clubs"]))
    device.come_in(scorer(club, "Tom"))
    assert device.enter(club.club_id)[0] == scorer(club, "Tom")
    device.ask(lambda: cookie.update(clubs=before))
    device.refused(club.club_id)


def test_a_device_that_leaves_a_club_keeps_the_others(
    device: Browser, database: Database, ours: Access, theirs: Access
) -> None:
    """Leaving a club without being in it is no mistake."""
    for access in (ours, theirs):
        device.come_in(scorer(access))
    for club_id in (ours.club_id, 99):
        device.ask(lambda: cookies.leave(database, club_id))  # noqa: B023
    known = device.ask(lambda: ask(database, None, cookies.entered_clubs))
    assert [view.id for _, view in known] == [theirs.club_id]
    device.refused(ours.club_id)


def test_a_copy_of_the_cookie_of_a_device_that_left_opens_nothing(
    device: Browser, database: Database, club: Access
) -> None:
    """Leaving revokes the device; it does not only forget."""
    device.come_in(scorer(club))
    copied: Any = device.ask(lambda: list(cookie["clubs"]))
    device.ask(lambda: cookies.leave(database, club.club_id))
    device.ask(lambda: cookie.update(clubs=copied))
    assert "let out" in device.refused(club.club_id)


def test_a_device_knows_the_last_twenty_clubs_it_was_let_into(
    device: Browser, database: Database
) -> None:
    """A cookie holds no more; the one let in longest ago goes first, also past club 9."""
    founded = [
        clubs.create(database, name=f"Club {number}", passcode="x" * 8)[0] for number in range(21)
    ]
    inside = founded[11:] + founded[:11]
    for access in inside:
        device.come_in(access)
    known = device.ask(lambda: ask(database, None, cookies.entered_clubs))
    assert [view.id for _, view in known] == [access.club_id for access in inside[1:]]


def old_cookie(role: Role, seal: str) -> None:
    """Hold the cookie of a version that kept no list of devices."""
    cookie["csrf_token"] = "this device's own"
    cookie["clubs"] = [{"club": 1, "role": role.value, "author": "Sue", "seal": seal}]


@pytest.fixture
def seals(database: Database, club: Access) -> dict[Role, str]:
    """The content of old cookies of scorers and viewers: the passcode's number, and a hash of the link."""
    with database.write(club) as session:
        epoch = session.exec(select(Club)).one().devices_epoch
        kept: dict[str, Any] = {"digest": digest("an old key"), "created_at": now()}
        session.add(Link(role=Role.VIEWER.value, made_by="an earlier version", **kept))
    return {Role.SCORER: str(epoch), Role.VIEWER: digest("an old key")[:16]}


@pytest.mark.parametrize("role", [Role.SCORER, Role.VIEWER])
def test_who_was_in_before_there_were_lists_of_devices_stays_in(
    device: Browser, database: Database, club: Access, seals: dict[Role, str], role: Role
) -> None:
    """Under the same name, as one device, however many requests come with the old cookie."""
    for _ in range(2):
        device.ask(lambda: old_cookie(role, seals[role]))
        device.ask(lambda: cookies.renew_old(database))
        assert device.enter(club.club_id)[0] == Access(club.club_id, role, "Sue")
    assert table.row_counts(database)["device"] == 1


def test_an_old_cookie_opens_nothing_once_its_device_has_left(
    device: Browser, database: Database, club: Access, seals: dict[Role, str]
) -> None:
    """Nor does one from before the passcode was changed, or the link."""
    for role, seal in seals.items():
        device.ask(lambda: old_cookie(role, seal))  # noqa: B023
        device.ask(lambda: cookies.renew_old(database))
        device.ask(lambda: cookies.leave(database, club.club_id))
        for held in (seal, "another"):
            device.ask(lambda: old_cookie(role, held))  # noqa: B023
            device.ask(lambda: cookies.renew_old(database))
            device.refused(club.club_id)
