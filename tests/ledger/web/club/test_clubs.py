"""The way into a club: started, entered, read along, shared, left; its keys."""

import gzip
import re
from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import select

from engine.games import GAMES
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import Device
from ledger.runtime.clock import now
from ledger.services.club import clubs
from ledger.services.table import start
from ledger.web.club import devices
from tests.ledger import table
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone

NAMES = [
    ("x" * 500, "500 characters"),
    ("   ", "missing"),
    ("<script>alert(1)</script>", "can't hold < or >"),
]


def test_a_club_is_started_and_shown(stranger: Phone) -> None:
    """The device that starts it is in it; the first page lists it."""
    form = stranger.open("/start").form("/start")
    page = stranger.send(form, name="Łukasz & 山田", passcode="123456", author="Mia")
    assert page.status == 303
    assert "Łukasz & 山田" in stranger.open(page.location).text
    assert "Łukasz & 山田 scoring" in stranger.open("/").text


def test_a_double_tap_starts_one_club(stranger: Phone, database: Database) -> None:
    """The second is of the device that owns the club, even if that got no answer, until it is let out."""
    form = stranger.open("/start").form("/start")
    first = stranger.send(form, name="Club", passcode="123456")
    second = stranger.send(form, name="Club", passcode="123456")
    assert (first.status, second.status, first.location) == (303, 303, second.location)
    stranger.client.delete_cookie("solo-ledger")
    repeated = dict(stranger.open("/start").form("/start").fields)["csrf_token"]
    assert stranger.send(form, csrf_token=repeated, name="Club", passcode="123456").status == 303
    counts = table.row_counts(database)
    assert (counts["club"], counts["device"]) == (1, 1)
    assert stranger.open(f"{first.location}/devices").status == 200
    with database.write(Access(1, Role.OWNER, "Sue")) as session:
        session.exec(select(Device)).one().revoked_at = now()
    assert stranger.send(form, csrf_token=repeated, name="Club", passcode="123456").status == 303
    assert stranger.open(f"{first.location}/devices").status == 403


def test_a_form_sent_again_with_another_name_starts_another_club(
    stranger: Phone, database: Database
) -> None:
    """As by a corrected name after an answer was lost, or by going back to the form."""
    form = stranger.open("/start").form("/start")
    pages = [stranger.send(form, name=name, passcode="123456") for name in ("Alfa", "Alpha")]
    assert [page.status for page in pages] == [303, 303]
    counts = table.row_counts(database)
    assert (counts["club"], counts["device"]) == (2, 2)
    for page in pages:
        assert stranger.open(f"{page.location}/devices").status == 200


def test_who_starts_a_club_that_is_there_comes_in_as_by_its_passcode(
    stranger: Phone, app: Flask
) -> None:
    """However new it is: nobody else's form makes an owner."""
    form = stranger.open("/start").form("/start")
    started = stranger.send(form, name="Club", passcode="123456")
    other = Phone(app)
    entered = other.send(other.open("/start").form("/start"), name="Club", passcode="123456")
    assert entered.location == started.location
    assert other.open(entered.location).status == 200
    assert other.open(f"{entered.location}/devices").status == 403


def test_a_taken_name_is_refused_at_the_name(
    stranger: Phone, club: Access, database: Database
) -> None:
    """Another passcode does not open it."""
    name = ask(database, club, clubs.show).name
    form = stranger.open("/start").form("/start")
    page = stranger.send(form, name=name, passcode="another")
    assert page.status == 409
    assert "choose another name" in page.wrong("name")


def test_a_name_that_can_be_none_is_refused_at_the_name(
    stranger: Phone, database: Database
) -> None:
    """The typed name stays, harmlessly."""
    form = stranger.open("/start").form("/start")
    for name, sentence in NAMES:
        page = stranger.must_refuse(form, "name", sentence, name=name, passcode="123456")
        assert dict(page.form("/start").fields)["name"] == name
        assert "<script>alert" not in page.response.get_data(as_text=True)
    assert table.row_counts(database)["club"] == 0


def test_a_short_passcode_is_refused_at_the_passcode(stranger: Phone) -> None:
    """Six characters are the fewest, as the form states beforehand."""
    assert "At least six characters" in stranger.open("/start").text
    page = stranger.send(stranger.open("/start").form("/start"), name="Club", passcode="12345")
    assert page.status == 422
    assert "at least 6" in page.wrong("passcode")


def test_a_wrong_passcode_opens_nothing(stranger: Phone, club: Access) -> None:
    """403 at the passcode; the club stays shut."""
    page = stranger.enter("Kitchen Table", "wrong")
    assert page.status == 403
    assert "No club with this name" in page.wrong("passcode")
    assert stranger.open(f"/clubs/{club.club_id}").status == 401


def test_after_five_wrong_passcodes_a_phone_waits(
    stranger: Phone,
    club: Access,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also with the right passcode; the page states the wait, and then it is let in."""
    statuses = [stranger.enter("Kitchen Table", "wrong").status for _ in range(5)]
    held = stranger.enter("Kitchen Table", PASSCODE)
    assert (set(statuses), held.status) == ({403}, 429)
    assert 0 < int(held.response.headers["Retry-After"]) <= 15
    assert "Too many wrong passcodes" in held.text
    later = now() + timedelta(seconds=16)
    monkeypatch.setattr("ledger.services.club.passcodes.now", lambda: later)
    assert stranger.enter("Kitchen Table", PASSCODE).status == 303


def test_any_number_of_people_enter_at_once_with_the_right_passcode(
    app: Flask,
    club: Access,  # noqa: ARG001
) -> None:
    """From one network, as a table's phones are; only wrong ones are counted."""
    statuses = {Phone(app).enter("Kitchen Table", PASSCODE).status for _ in range(20)}
    assert statuses == {303}


def test_who_is_not_let_in_is_led_to_the_passcode_and_back(stranger: Phone, seven: str) -> None:
    """The page asked for is the page shown in the end."""
    shut = stranger.open(f"{seven}/history")
    assert shut.status == 401
    assert f"/enter?next={seven}/history" in shut.reader.links
    form = stranger.open(f"/enter?next={seven}/history").form("/enter")
    page = stranger.send(form, name="Kitchen Table", passcode=PASSCODE)
    assert (page.status, page.location) == (303, f"{seven}/history")


def test_entering_leads_nowhere_else(stranger: Phone, club: Access) -> None:
    """Only an address of this site is followed."""
    form = stranger.open("/enter").form("/enter")
    for elsewhere in (
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "/\n\\evil.example",
        "",
    ):
        page = stranger.send(form, name="Kitchen Table", passcode=PASSCODE, next=elsewhere)
        assert page.location == f"/clubs/{club.club_id}", elsewhere


def test_a_form_without_its_token_is_refused(stranger: Phone, database: Database) -> None:
    """CSRF protection holds on the first page already."""
    form = stranger.open("/start").form("/start")
    assert stranger.send(form, name="Club", passcode="123456", csrf_token=None).status == 400
    assert table.row_counts(database)["club"] == 0


def test_the_viewer_link_opens_the_club_to_read(viewer: Phone, club: Access) -> None:
    """Nothing that writes is on the page."""
    page = viewer.open(f"/clubs/{club.club_id}")
    assert page.status == 200
    assert page.reader.forms == []
    assert not [link for link in page.reader.links if re.search("new|keys", link)]


def test_a_wrong_viewer_link_opens_nothing(stranger: Phone, club: Access) -> None:  # noqa: ARG001
    """404, for any key."""
    assert stranger.open("/v/nothing").status == 404


def test_a_scorer_who_opens_the_viewer_link_stays_a_scorer(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Scanning one's own code takes nothing away."""
    scorer.open(f"/v/{table.viewer_key(database, club)}")
    assert scorer.open(f"/clubs/{club.club_id}/keys").status == 200


def test_the_share_page_shows_link_and_code(
    scorer: Phone, database: Database, club: Access
) -> None:
    """And a note if only this device can reach it."""
    key = table.viewer_key(database, club)
    page = scorer.open(f"/clubs/{club.club_id}/share")
    html = page.response.get_data(as_text=True)
    assert f"http://localhost/v/{key}" in html
    assert "data:image/svg+xml" in html
    assert "only this device can reach" in page.text


def test_a_new_viewer_link_shuts_the_old_one(scorer: Phone, viewer: Phone, club: Access) -> None:
    """A viewer by the old one is out at once."""
    address = f"/clubs/{club.club_id}"
    assert scorer.send(scorer.open(f"{address}/share").form("/renew")).status == 303
    assert viewer.open(address).status == 401
    assert scorer.open(address).status == 200


def test_a_new_passcode_shuts_out_scorers_and_nobody_else(
    owner: Phone, scorer: Phone, viewer: Phone, club: Access
) -> None:
    """Owners stay, readers by their link; a scorer enters the new one."""
    address = f"/clubs/{club.club_id}"
    form = owner.open(f"{address}/keys").form("/passcode")
    assert owner.send(form, passcode="a new one", confirm=PASSCODE).status == 303
    assert [phone.open(address).status for phone in (owner, scorer, viewer)] == [200, 401, 200]
    assert scorer.enter("Kitchen Table", "a new one").status == 303


@pytest.mark.parametrize(
    ("sent", "status", "name", "sentence"),
    [
        ({"passcode": "12345", "confirm": PASSCODE}, 422, "passcode", "at least 6"),
        ({"passcode": "a new one", "confirm": "wrong"}, 403, "confirm", "not the club's passcode"),
        ({"passcode": "a new one", "confirm": ""}, 422, "confirm", "once more"),
    ],
)
def test_a_new_passcode_that_is_refused_is_so_at_its_field(
    owner: Phone, club: Access, sent: dict[str, str], status: int, name: str, sentence: str
) -> None:
    """And the old one holds."""
    page = owner.send(owner.open(f"/clubs/{club.club_id}/keys").form("/passcode"), **sent)
    assert page.status == status
    assert sentence in page.wrong(name)
    assert owner.enter("Kitchen Table", PASSCODE).status == 303


def test_leaving_makes_the_device_forget_the_club(scorer: Phone, club: Access) -> None:
    """The passcode lets it in again."""
    address = f"/clubs/{club.club_id}"
    assert scorer.send(scorer.open(f"{address}/share").form("/leave")).status == 303
    assert scorer.open(address).status == 401


def test_players_are_added_and_renamed(scorer: Phone, club: Access) -> None:
    """By name, any name."""
    address = f"/clubs/{club.club_id}/players"
    assert scorer.send(scorer.open(address).form("/players"), name="Ann").status == 303
    form = next(f for f in scorer.open(address).reader.forms if f.action != address)
    assert scorer.send(form, name="محمد علی").status == 303
    assert "محمد علی Statistics" in scorer.open(address).text


def test_a_player_that_can_be_none_is_refused_at_the_name(scorer: Phone, club: Access) -> None:
    """Adding and renaming alike."""
    address = f"/clubs/{club.club_id}/players"
    adding = scorer.open(address).form("/players")
    scorer.send(scorer.open(address).form("/players"), name="Ann")
    renaming = next(f for f in scorer.open(address).reader.forms if f.action != address)
    for name, sentence in (*NAMES, ("widow", "means something else")):
        for form in (adding, renaming):
            scorer.must_refuse(form, "name", sentence, name=name)


def test_a_double_tap_adds_one_player(scorer: Phone, club: Access, database: Database) -> None:
    """The second answer is the first one's."""
    form = scorer.open(f"/clubs/{club.club_id}/players").form("/players")
    statuses = [scorer.send(form, name="Ann").status for _ in range(2)]
    assert statuses == [303, 303]
    assert table.row_counts(database)["player"] == 1


def test_the_clubs_page_turns_its_leaves(
    scorer: Phone, database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest first; no number leads to an error."""
    monkeypatch.setattr("ledger.web.club.clubs.A_PAGE", 3)
    for number in range(4):
        table.start(database, club, title=f"Evening {number}")
    address = f"/clubs/{club.club_id}"
    first, second = scorer.open(address), scorer.open(f"{address}?page=2")
    assert "Evening 3 " in first.text
    assert "Evening 0 " not in first.text
    assert "Evening 0 " in second.text
    for odd in ("0", "-1", "x", "9" * 30):
        assert scorer.open(f"{address}?page={odd}").status == 200


def test_two_evenings_of_a_day_are_told_apart(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Without names; the game being played is shown next to the day, and is no part of the name."""
    table.start(database, club)
    second = table.start(database, club)
    write = table.write(database, club)
    start.change_rules(write, second, game="six-bid", variant=None, options={})
    text = scorer.open(f"/clubs/{club.club_id}").text
    assert ", Six-Bid Solo, 0 hands" in text[text.index("Evening 2") : text.index("Evening 1")]
    assert ", Crazy Solo, 0 hands" in text[text.index("Evening 1") :]


def test_the_first_page_names_every_game(stranger: Phone) -> None:
    """Nobody reads that only two can be scored here."""
    text = stranger.open("/").text
    assert all(sheet.title in text for sheet in GAMES.values())


def test_tries_at_both_doors_count_together(stranger: Phone, club: Access) -> None:  # noqa: ARG001
    """Founding a club under a name that is taken tries its passcode, too."""
    for _ in range(3):
        stranger.enter("Kitchen Table", "wrong one")
    form = stranger.open("/start").form("/start")
    answer = [
        stranger.send(form, name="Kitchen Table", passcode="wrong one").status for _ in range(3)
    ]
    assert answer == [409, 409, 429]


def test_founding_many_clubs_is_slowed_down(stranger: Phone, database: Database) -> None:
    """Twenty an hour; refused ones do not count, and an existing club lets its people in."""

    def start(name: str, passcode: str = PASSCODE) -> Page:
        form = stranger.open("/start").form("/start")
        return stranger.send(form, name=name, passcode=passcode)

    assert start("Club", "short").status == 422
    assert [start(f"Club {number}").status for number in range(20)] == [303] * 20
    refused = start("One more")
    assert refused.status == 429
    assert 0 < int(refused.response.headers["Retry-After"]) <= 3600
    assert "Your network has founded as many clubs as it may in an hour" in refused.text
    assert start("Club 19").status == 303
    assert table.row_counts(database)["club"] == 20


def test_a_player_who_no_longer_comes_is_archived(scorer: Phone, seven: str) -> None:
    """No new session offers them; the page of the players does, to bring them back."""
    home = seven.partition("/sessions")[0]
    for archived in (True, False):
        people = scorer.open(f"{home}/players")
        answer = scorer.send(people.form("/players/1/archive"))
        assert answer.status == 303
        assert ("archived" in scorer.open(f"{home}/players").text) is archived
        offered = [value for _, value in scorer.open(f"{home}/sessions/new").form("/new").buttons]
        assert ("Ann" in offered, "Bob" in offered) == (not archived, True)


def test_the_board_view_names_the_code_of_the_link_and_is_sent_compressed(
    scorer: Phone, database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page has no secret: the picture has it, and is neither stored nor kept when the link changes."""
    monkeypatch.setattr(devices, "only_here", lambda _link: False)
    board = f"/clubs/{club.club_id}/screen"

    def codes() -> list[str]:
        page = scorer.client.get(board, headers={"Accept-Encoding": "gzip"})
        assert page.content_encoding == "gzip"
        return re.findall(r'<img src="([^"]+)"', gzip.decompress(page.data).decode())

    assert codes() == []
    assert scorer.client.get(f"/clubs/{club.club_id}/viewers-code.svg").status_code == 404
    table.viewer_key(database, club)
    [code] = codes()
    picture = scorer.client.get(code)
    assert picture.mimetype == "image/svg+xml"
    assert picture.cache_control.no_store
    table.viewer_key(database, club)
    assert codes() != [code]


def test_a_scorer_chooses_a_colour_and_an_emoji(scorer: Phone, club: Access, seven: str) -> None:
    """They are shown on every page of the evening; what doesn't fit is refused at its field."""
    people = f"/clubs/{club.club_id}/players"
    form = scorer.open(f"{people}/1/mark").form("/mark")
    refused = scorer.send(form, colour="99", emoji="🦊")
    assert "A colour has a number from 0 to 11." in refused.wrong("colour")
    refused = scorer.send(form, colour="9", emoji="fox")
    assert "Only one emoji fits here" in refused.wrong("emoji")
    assert scorer.send(form, colour="9", emoji="🦊").status == 303
    assert 'class="mark seat-9" aria-hidden="true">🦊<' in scorer.client.get(seven).text.replace(
        "\n", ""
    )
    assert 'class="sign seat-9"' in scorer.client.get(people).text
