"""A club's keys: tokens, devices and links, each made, listed and revoked by an owner, and the log of it."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import delete, func, select

from ledger.books.transactions import Database
from ledger.database.access import Access, Event, Role
from ledger.database.models import ApiToken, Club, Device, Link, RefusedTry
from ledger.runtime.clock import now
from ledger.runtime.secrets import digest
from ledger.services.club import devices, events, links, live, tokens
from ledger.services.club.passcodes import NOBODY
from tests.ledger import table
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import ask
from tests.ledger.web.club.test_clubs import NAMES
from tests.ledger.web.phone import Page, Phone


def test_a_token_is_shown_once_and_taken_back(
    owner: Phone, database: Database, club: Access
) -> None:
    """The shown secret opens the API; after that it opens nothing."""
    address = f"/clubs/{club.club_id}/keys"
    created = owner.send(
        owner.open(address).form("/tokens"), label="tablet", role="viewer", confirm=PASSCODE
    )
    assert (created.status, created.location) == (303, address)
    page = owner.open(created.location)
    match = re.search(r"solo_[\w-]+", page.response.get_data(as_text=True))
    assert match
    assert not ask(database, None, tokens.open_with, match[0]).may_write
    assert match[0] not in owner.open(address).response.get_data(as_text=True)
    revoking = owner.open(f"{address}/tokens/1").form("/revoke")
    assert owner.send(revoking, confirm="wrong").status == 403
    assert owner.send(revoking, confirm=PASSCODE).status == 303
    assert "revoked" in owner.open(address).text


def test_reloading_after_making_a_token_makes_no_second_and_shows_nothing_again(
    owner: Phone, database: Database, club: Access
) -> None:
    """The secret goes with the device for a minute, to that one page, where no script reads it."""
    address = f"/clubs/{club.club_id}/keys"
    created = owner.send(owner.open(address).form("/tokens"), label="tablet", confirm=PASSCODE)
    carried = created.response.headers["Set-Cookie"]
    for said in (f"Path={address}", "HttpOnly", "SameSite=Strict", "Max-Age=60"):
        assert said in carried
    assert "The new token" in owner.open(address).text
    for _ in range(2):
        repeated = owner.open(address)
        assert "The new token" not in repeated.text
        assert "solo_" not in repeated.response.get_data(as_text=True)
    assert [token.label for token in ask(database, club, tokens.list_all, club)] == ["tablet"]


def test_a_secret_carried_is_shown_by_its_own_clubs_page_only(owner: Phone, club: Access) -> None:
    """A cookie of another address, or one that somebody made up, shows nothing."""
    address = f"/clubs/{club.club_id}/keys"
    created = owner.send(owner.open(address).form("/tokens"), label="tablet", confirm=PASSCODE)
    value = created.response.headers["Set-Cookie"].split(";")[0].partition("=")[2]
    for forged in (value[:-2] + "AA", "solo_made-up"):
        owner.client.set_cookie("solo-ledger-secret", forged, path=address)
        assert "The new token" not in owner.open(address).text
    other = owner.send(owner.open("/start").form("/start"), name="Other", passcode="123456")
    theirs = f"{other.location}/keys"
    owner.client.set_cookie("solo-ledger-secret", value, path=theirs)
    assert "The new token" not in owner.open(theirs).text


def test_a_label_that_can_be_none_is_refused_at_the_label(owner: Phone, club: Access) -> None:
    """No token is made."""
    form = owner.open(f"/clubs/{club.club_id}/keys").form("/tokens")
    for label, sentence in NAMES:
        owner.must_refuse(form, "label", sentence, label=label, confirm=PASSCODE)


OWNERS_PAGES = ("/devices", "/devices/1", "/links/1", "/keys/tokens/1", "/log")
OWNERS_FORMS = (
    "/keys/passcode",
    "/keys/tokens",
    "/keys/tokens/1/revoke",
    "/links",
    "/links/1/revoke",
    "/devices/1",
)


@pytest.fixture
def filled(database: Database, club: Access, owner: Phone, scorer: Phone) -> str:
    """The address of a club with two devices, a link of an owner's and a token."""
    assert owner
    assert scorer
    tokens.issue(database, club, label="tablet", role=club.role)
    return f"/clubs/{club.club_id}"


def test_a_scorer_sees_and_does_nothing_of_an_owners(
    scorer: Phone, owner: Phone, filled: str, database: Database
) -> None:
    """Neither the lists nor the forms; the page of keys refers to the owners."""
    page = scorer.open(f"{filled}/keys")
    assert "Only an owner" in page.text
    assert page.reader.forms == []
    for ending in OWNERS_PAGES:
        assert scorer.open(filled + ending).status == 403, ending
        assert owner.open(filled + ending).status == 200, ending
    before = table.row_counts(database)
    token = dict(scorer.open(f"{filled}/share").form("/leave").fields)["csrf_token"]
    for ending in OWNERS_FORMS:
        body = {"csrf_token": token, "confirm": PASSCODE, "passcode": "mine now", "do": "revoke"}
        assert scorer.client.post(filled + ending, data=body).status_code == 403, ending
    assert table.row_counts(database) == before


def test_an_owner_enters_the_passcode_with_each_of_these_forms(
    owner: Phone, filled: str, database: Database
) -> None:
    """Without it, or with another, nothing is done; the field is marked."""
    before = [_rows(database), table.row_counts(database)["club"]]
    token = dict(owner.open(f"{filled}/share").form("/leave").fields)["csrf_token"]
    body = {"passcode": "mine now", "label": "x", "lasts": "hour", "role": "viewer", "do": "revoke"}
    for ending in OWNERS_FORMS:
        for confirm, status in (("", 422), ("wrong", 403)):
            _forget_tries(database)
            asked = {**body, "csrf_token": token, "confirm": confirm}
            page = Page(owner.client.post(filled + ending, data=asked))
            assert (page.status, bool(page.wrong("confirm"))) == (status, True), ending
    assert [_rows(database), table.row_counts(database)["club"]] == before


def _rows(database: Database) -> list[str]:
    """Return all rows about access."""
    with database.read() as session:
        return [
            str(
                [
                    row.model_dump(exclude={"last_used_at", "last_ids"})
                    for row in session.exec(select(kind))
                ]
            )
            for kind in (Club, Device, Link, ApiToken)
        ]


def _forget_tries(database: Database) -> None:
    with database.write() as session:
        session.exec(delete(RefusedTry))


def test_a_device_is_given_a_role_and_revoked(owner: Phone, scorer: Phone, filled: str) -> None:
    """With the passcode once more; at once, on the next request."""
    listed = owner.open(f"{filled}/devices")
    assert "Mia" in listed.text
    assert "this one" in listed.text
    form = owner.open(f"{filled}/devices/2").form("/devices/2")
    assert owner.send(form, do="revoke", confirm="wrong").status == 403
    assert owner.send(form, do="role", role="viewer", confirm=PASSCODE).status == 303
    assert scorer.open(f"{filled}/keys").status == 403
    assert owner.send(form, do="revoke", confirm=PASSCODE).status == 303
    assert scorer.open(filled).status == 401
    assert "Mia" not in owner.open(f"{filled}/devices").text
    log = owner.open(f"{filled}/log").text
    assert "Role changed" in log
    assert "Device revoked" in log


def test_the_last_owner_is_neither_revoked_nor_made_less(
    owner: Phone, club: Access, database: Database
) -> None:
    """Or nobody could let anybody out; once there is another it may be."""
    form = owner.open(f"/clubs/{club.club_id}/devices/1").form("/devices/1")
    for body in ({"do": "revoke"}, {"do": "role", "role": "scorer"}):
        page = owner.send(form, confirm=PASSCODE, **body)
        assert page.status == 409
        assert "another device an owner" in page.text
    tokens.issue(database, club, label="tablet", role=club.role)
    assert owner.send(form, do="role", role="scorer", confirm=PASSCODE).status == 303


def test_the_only_owner_neither_leaves_nor_goes_out_with_a_link(
    owner: Phone, club: Access, database: Database
) -> None:
    """The page states the reason and the first step; a form that was open before is refused with the same."""
    address = f"/clubs/{club.club_id}"
    tokens.issue(database, club, label="tablet", role=club.role)
    leaving = owner.open(f"{address}/share").form("/leave")
    tokens.revoke(database, club, 1)
    page = owner.open(f"{address}/share")
    assert "only owner of the club" in page.text
    assert f"{address}/devices" in page.reader.links
    revoking = owner.open(f"{address}/links/1").form("/revoke")
    for refused in (owner.send(leaving), owner.send(revoking, confirm=PASSCODE)):
        assert refused.status == 409
        assert "make another device an owner first" in refused.text
    tokens.issue(database, club, label="tablet", role=club.role)
    assert owner.send(leaving).status == 303
    assert owner.open(address).status == 401


def test_a_club_without_an_owner_gets_one_by_the_passcode(
    scorer: Phone, app: Flask, club: Access
) -> None:
    """So do clubs from before there were owners; the first to do so is the owner, the next is not."""
    address = f"/clubs/{club.club_id}/keys"
    other = Phone(app)
    other.enter("Kitchen Table", PASSCODE)
    forms = [phone.open(address).form("/own") for phone in (scorer, other)]
    assert scorer.send(forms[0], confirm="wrong").status == 403
    assert scorer.send(forms[0], confirm=PASSCODE).status == 303
    assert scorer.open(address).form("/passcode")
    late = other.send(forms[1], confirm=PASSCODE)
    assert late.status == 409
    assert "has an owner" in late.text


def test_of_a_links_key_only_a_digest_is_kept(database: Database, club: Access) -> None:
    """A reader of the ledger without the secret file opens nothing by it."""
    key, created = links.make(database, club, table.SECRET, role=Role.SCORER, lasts="evening")
    (told,) = [said for said in _rows(database) if created.nonce and created.nonce in said]
    assert key not in told
    assert digest(key) in told
    assert links.key_of(created, "another secret") != key


def test_a_link_lets_a_phone_in_to_score(owner: Phone, stranger: Phone, club: Access) -> None:
    """Its page shows it and a QR code; a phone that opens it gives a name, and is in."""
    address = f"/clubs/{club.club_id}"
    form = owner.open(f"{address}/devices").form("/links")
    created = owner.send(form, role="scorer", lasts="evening", confirm=PASSCODE)
    page = owner.open(created.location).response.get_data(as_text=True)
    assert "data:image/svg+xml" in page
    match = re.search(r"/v/[\w-]+", page)
    assert match
    asked = stranger.open(match[0])
    assert stranger.open(address).status == 401
    assert stranger.send(asked.form(match[0]), author="<b>").status == 422
    assert stranger.send(asked.form(match[0]), author="Zed").status == 303
    assert stranger.open(f"{address}/sessions/new").status == 200
    revoking = owner.open(created.location).form("/revoke")
    assert owner.send(revoking, confirm=PASSCODE).status == 303
    assert stranger.open(address).status == 401
    assert stranger.open(match[0]).status == 404


def test_a_link_that_would_work_too_long_is_refused(owner: Phone, club: Access) -> None:
    """The more it lets do, the sooner it ends."""
    form = owner.open(f"/clubs/{club.club_id}/devices").form("/links")
    for role, lasts in (("owner", "week"), ("scorer", "year"), ("viewer", "x")):
        page = owner.must_refuse(form, "lasts", "", role=role, lasts=lasts, confirm=PASSCODE)
        assert page.wrong("lasts")


def test_a_club_whose_link_cannot_be_shown_is_given_another(
    scorer: Phone, viewer: Phone, club: Access, database: Database
) -> None:
    """As after an upgrade: only digests were stored. Followers by the old one go on."""
    with database.write(club) as session:
        for link in session.exec(select(Link)):
            link.nonce = None
    address = f"/clubs/{club.club_id}"
    page = scorer.open(f"{address}/share")
    assert "no viewer link that can be shown" in page.text
    assert scorer.send(page.form("/make")).status == 303
    assert "/v/" in scorer.open(f"{address}/share").response.get_data(as_text=True)
    assert viewer.open(address).status == 200


def test_what_ends_by_time_says_so_and_opens_nothing(
    owner: Phone, stranger: Phone, club: Access, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links and a token: each page states its end; a form that was opened before is refused, too."""
    address = f"/clubs/{club.club_id}"
    scorers, link = links.make(database, club, table.SECRET, role=Role.SCORER, lasts="hour")
    viewers = table.viewer_key(database, club)
    tokens.issue(database, club, label="tablet", role=Role.VIEWER, days=7)
    joining = stranger.open(f"/v/{scorers}").form(scorers)
    assert "It ends" in owner.open(f"{address}/links/{link.id}").text
    assert "; ends" in owner.open(f"{address}/keys").text
    later = now() + timedelta(days=366)
    monkeypatch.setattr(live, "now", lambda: later)
    for page in (stranger.send(joining, author="Tom"), stranger.open(f"/v/{viewers}")):
        assert page.status == 404
        assert "does not open a club, or no longer" in page.text
    opened = owner.open(f"{address}/links/{link.id}").text
    assert "Ended" in opened
    assert "lets nobody in any more" in opened
    assert "Whoever opens it" not in opened
    assert "; ended" in owner.open(f"{address}/keys").text
    assert "Ended" in owner.open(f"{address}/keys/tokens/1").text
    assert "the last one has ended" in owner.open(f"{address}/share").text
    assert "no link that lets anybody in" in owner.open(f"{address}/devices").text


def test_a_program_that_looks_at_links_fills_no_list(
    app: Flask, club: Access, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of viewers' devices the newest are known; a HEAD makes none."""
    monkeypatch.setattr("ledger.services.club.devices.MOST_VIEWERS", 3)
    address = f"/v/{table.viewer_key(database, club)}"
    for _ in range(5):
        Phone(app).open(address)
    Phone(app).client.head(address)
    with database.read(club) as session:
        assert {row.id for row in session.exec(select(Device))} == {3, 4, 5}


def test_no_device_is_given_the_number_of_one_that_was_forgotten(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if a clock was put back, so that the newest seems the oldest: pages and counts go by number."""
    monkeypatch.setattr("ledger.services.club.devices.MOST_VIEWERS", 2)
    came = Access(club.club_id, Role.VIEWER, "viewer")
    numbers = []
    for hours in (0, -1, -2, -3, -4):
        at = now() + timedelta(hours=hours)
        monkeypatch.setattr("ledger.services.club.devices.now", lambda: at)  # noqa: B023
        devices.admit(database, came, NOBODY)
        with database.read(club) as session:
            numbers.append(session.exec(select(func.max(Device.id))).one())
    assert numbers == [1, 2, 3, 4, 5]


def test_strangers_failures_are_one_line_of_the_log(
    owner: Phone, stranger: Phone, club: Access, database: Database
) -> None:
    """With how many there were and from which network, and they push nothing else out."""
    for _ in range(3):
        stranger.enter("Kitchen Table", "wrong one")
    newest, *_ = ask(database, club, events.list_all, club)
    assert (newest.kind, newest.times, newest.who) == (Event.REFUSED, 3, "")
    page = owner.open(f"/clubs/{club.club_id}/log").text
    assert "Passcode refused 3 times" in page
    assert "127.0.0.0/24" in page


def test_failures_of_devices_that_are_in_are_a_line_each(
    owner: Phone, scorer: Phone, stranger: Phone, club: Access, database: Database
) -> None:
    """They are counted by device, so two in one network and a stranger there are separate, by name."""
    address = f"/clubs/{club.club_id}/keys"
    form = owner.open(address).form("/passcode")
    for sender in (owner, scorer, owner, stranger):
        if sender is owner:
            owner.send(form, confirm="wrong", passcode="five kings")
        else:
            sender.enter("Kitchen Table", "wrong")
    lines = ask(database, club, events.list_all, club)
    told = [(each.who, each.times, each.what) for each in lines if each.kind == Event.REFUSED]
    assert sorted(told) == [
        ("", 1, "from 127.0.0.0/24"),
        ("Mia", 1, "from 127.0.0.0/24"),
        ("Sue", 2, "from 127.0.0.0/24"),
    ]


def test_an_owner_who_guesses_is_told_when_to_try_again(owner: Phone, club: Access) -> None:
    """By the page in words, and by its header; in the meantime the page itself is there."""
    form = owner.open(f"/clubs/{club.club_id}/keys").form("/passcode")
    tries = [owner.send(form, confirm="wrong", passcode="five kings") for _ in range(6)]
    assert [page.status for page in tries] == [403] * 5 + [429]
    assert 0 < int(tries[-1].response.headers["Retry-After"]) <= 15
    assert "try again in" in tries[-1].text
    assert owner.open(f"/clubs/{club.club_id}/keys").status == 200


def test_the_log_keeps_the_newest_of_each_kind(
    club: Access, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many of one kind leave the others alone."""
    monkeypatch.setattr(events, "MOST", 2)
    tokens.issue(database, club, label="tablet", role=club.role)
    for _ in range(4):
        table.viewer_key(database, club)
    kinds = [each.kind for each in ask(database, club, events.list_all, club)]
    assert kinds == [Event.LINK, Event.LINK, Event.TOKEN]


def test_nobody_starts_a_club_where_sign_up_is_closed(
    stranger: Phone, app: Flask, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page does not offer it."""
    form = stranger.open("/start").form("/start")
    closed = replace(app.extensions["ledger.settings"], sign_up_closed=True)
    monkeypatch.setitem(app.extensions, "ledger.settings", closed)
    assert "/start" not in stranger.open("/").reader.links
    assert stranger.open("/start").status == 403
    assert stranger.send(form, name="Club", passcode="123456").status == 403
    assert table.row_counts(database)["club"] == 0
