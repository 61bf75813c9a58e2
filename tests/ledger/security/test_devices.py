"""Devices: what a signed cookie lets in, and what shuts it out."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.access import Access, Role
from ledger.db import Database
from ledger.problems import NotSignedIn
from ledger.security import devices
from ledger.services.club import clubs
from ledger.services.club.clubs import ClubView
from tests.ledger.table import ask

T = TypeVar("T")


class Device:
    """A browser that keeps its cookies; each call is a request of its own."""

    def __init__(self) -> None:
        self.app = Flask(__name__)
        self.app.secret_key = "for this test"
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

    def refused(self, act: Callable[[], object]) -> str:
        """Return why a device is not let in."""

        def attempt() -> str:
            with pytest.raises(NotSignedIn) as caught:
                act()
            return caught.value.message

        return self.ask(attempt)


@pytest.fixture
def device() -> Device:
    """A new device, which knows no club."""
    made = Device()
    made.app.add_url_rule("/", "ask", lambda: "")
    return made


def scorer(view: ClubView, author: str = "Sue") -> Access:
    """Return a scorer's access, as a passcode earns it."""
    return Access(view.id, Role.SCORER, author)


def viewer(view: ClubView) -> Access:
    """Return a viewer's access, as a link gives it."""
    return Access(view.id, Role.VIEWER, "viewer")


@pytest.fixture
def view(database: Database, club: Access) -> ClubView:
    """The club that devices are let into."""
    return ask(database, club, clubs.show)


def test_a_device_is_let_in_once_for_good(
    device: Device, database: Database, view: ClubView
) -> None:
    """As scorer, under the name given with the passcode, on every later request."""
    device.ask(lambda: devices.remember(scorer(view), view))
    for _ in range(2):
        assert device.ask(lambda: ask(database, None, devices.enter, view.id)) == (
            scorer(view),
            view,
        )
    cookie = device.client.get_cookie("session")
    assert cookie is not None
    assert cookie.expires is not None


def test_a_device_that_was_never_let_in_is_asked_for_the_passcode(
    device: Device, database: Database, view: ClubView
) -> None:
    """Also by an id of a club that is not there."""
    for club_id in (view.id, 99):
        refusal = device.refused(lambda: ask(database, None, devices.enter, club_id))  # noqa: B023
        assert "does not know this club" in refusal


def test_a_cookie_for_one_club_opens_no_other(
    device: Device, database: Database, ours: Access, theirs: Access
) -> None:
    """A device holds the clubs it was let into, each by itself."""
    view = ask(database, ours, clubs.show)
    device.ask(lambda: devices.remember(scorer(view), view))
    device.refused(lambda: ask(database, None, devices.enter, theirs.club_id))


def test_a_new_passcode_shuts_scorers_out_and_leaves_viewers_in(
    device: Device, database: Database, view: ClubView
) -> None:
    """At once, on the next request."""
    watching = Device()
    watching.app.add_url_rule("/", "ask", lambda: "")
    device.ask(lambda: devices.remember(scorer(view), view))
    watching.ask(lambda: devices.remember(viewer(view), view))
    clubs.change_passcode(database, scorer(view), passcode="five kings")
    assert "keys were changed" in device.refused(
        lambda: ask(database, None, devices.enter, view.id)
    )
    access, _ = watching.ask(lambda: ask(database, None, devices.enter, view.id))
    assert access == viewer(view)


def test_a_new_link_shuts_viewers_out_and_leaves_scorers_in(
    device: Device, database: Database, view: ClubView
) -> None:
    """The cookie holds a print of the link it came by, not the link."""
    watching = Device()
    watching.app.add_url_rule("/", "ask", lambda: "")
    device.ask(lambda: devices.remember(scorer(view), view))
    watching.ask(lambda: devices.remember(viewer(view), view))
    clubs.renew_viewer_link(database, scorer(view))
    assert "keys were changed" in watching.refused(
        lambda: ask(database, None, devices.enter, view.id)
    )
    access, _ = device.ask(lambda: ask(database, None, devices.enter, view.id))
    assert access.may_write


def test_a_scorer_who_opens_the_viewer_link_stays_a_scorer(
    device: Device, database: Database, view: ClubView
) -> None:
    """The link is sent round; whoever scores may tap it, too."""
    device.ask(lambda: devices.remember(scorer(view), view))
    device.ask(lambda: devices.remember(viewer(view), view))
    access, _ = device.ask(lambda: ask(database, None, devices.enter, view.id))
    assert access == scorer(view)


def test_a_scorer_shut_out_by_a_new_passcode_may_still_read_along(
    device: Device, database: Database, view: ClubView
) -> None:
    """Their old right is worth nothing, so the link gives what it gives to anybody."""
    device.ask(lambda: devices.remember(scorer(view), view))
    changed = clubs.change_passcode(database, scorer(view), passcode="five kings")
    device.ask(lambda: devices.remember(viewer(changed), changed))
    access, _ = device.ask(lambda: ask(database, None, devices.enter, view.id))
    assert access == viewer(view)


def test_a_viewer_who_enters_the_passcode_becomes_a_scorer(
    device: Device, database: Database, view: ClubView
) -> None:
    """And back to the name given last."""
    device.ask(lambda: devices.remember(viewer(view), view))
    device.ask(lambda: devices.remember(scorer(view, "Tom"), view))
    access, _ = device.ask(lambda: ask(database, None, devices.enter, view.id))
    assert access == scorer(view, "Tom")


def test_a_device_let_out_of_a_club_keeps_the_others(
    device: Device, database: Database, ours: Access, theirs: Access
) -> None:
    """Forgetting what it never knew is no mistake."""
    for access in (ours, theirs):
        view = ask(database, access, clubs.show)
        device.ask(lambda: devices.remember(scorer(view), view))  # noqa: B023
    device.ask(lambda: devices.forget(ours.club_id))
    device.ask(lambda: devices.forget(99))
    known = device.ask(lambda: ask(database, None, devices.known))
    assert [view.id for _, view in known] == [theirs.club_id]
    device.refused(lambda: ask(database, None, devices.enter, ours.club_id))


def test_a_device_knows_the_last_twenty_clubs_it_was_let_into(
    device: Device, database: Database
) -> None:
    """A cookie holds no more; the one let in longest ago goes first, also past club 9."""
    founded = [
        clubs.found(database, name=f"Club {number}", passcode="x" * 8) for number in range(21)
    ]
    views = [view for _, view in founded[11:] + founded[:11]]
    for view in views:
        device.ask(lambda: devices.remember(scorer(view), view))  # noqa: B023
    known = device.ask(lambda: ask(database, None, devices.known))
    assert [view.id for _, view in known] == [view.id for view in views[1:]]
