"""Static files under names that contain a hash of their content."""

import re

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.runtime.paths import STATIC
from ledger.services.club import clubs
from tests.ledger import table
from tests.ledger.conftest import PASSCODE
from tests.ledger.web.phone import Phone


@pytest.mark.parametrize("page", ["/", "/api/v1/docs"])
def test_what_a_page_is_made_of_is_kept_for_good(app: Flask, page: str) -> None:
    """Each style and script has a name of today's contents, and its answer states that it never changes."""
    phone = app.test_client()
    named = re.findall(r'(?:href|src)="(/static/[^"]+)"', phone.get(page).get_data(as_text=True))
    assert len(named) >= 3
    for address in named:
        answer = phone.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", address)


@pytest.mark.parametrize("name", ["solo.css", "solo.0123456789ab.css"])
def test_under_another_name_the_file_of_today_is_kept_for_an_hour(app: Flask, name: str) -> None:
    """A page of before an upgrade finds its style, and nobody keeps it as if it were the old one."""
    answer = app.test_client().get(f"/static/{name}")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "public, max-age=3600"


@pytest.mark.parametrize(
    "name", ["none.css", "none.0123456789ab.css", "../app.py", "a.0123456789ab.b"]
)
def test_there_is_no_other_file(app: Flask, name: str) -> None:
    """Least of all outside the folder."""
    assert app.test_client().get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize(
    ("name", "folder", "comment"),
    [
        ("solo.css", "styles", r"/\*.*?\*/\s*|(?<=\n)[ \n]+|(?<=[,;{}])\n| (?={)|(?<=:) "),
        ("solo.js", "scripts", r"^ *(?://[^\n]*|/\*.*?\*/)\n|^ +"),
    ],
)
def test_the_style_and_the_script_are_every_file_of_theirs_in_one(
    app: Flask, name: str, folder: str, comment: str
) -> None:
    """None is left out, none is asked for by itself, and their comments stay at home."""
    joined = app.test_client().get(f"/static/{name}").get_data(as_text=True)
    comments = re.compile(comment, re.DOTALL | re.MULTILINE)
    parts = [part.read_text() for part in (STATIC / folder).iterdir()]
    assert len(parts) > 5
    for part in parts:
        assert comments.sub("", part) in joined
        removed = [text for text in comments.findall(part) if text.strip()]
        assert removed
        assert not [text for text in removed if text in joined]


def test_no_script_has_a_text_over_several_lines_which_loses_its_indentation() -> None:
    """A template literal ends on its line: every line outside comments has an even number of backticks."""
    comments = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
    folders = ("scripts", "cards", "payouts", "screen")
    scripts = [file for folder in folders for file in (STATIC / folder).glob("*.js")]
    assert len(scripts) > 20
    for script in scripts:
        for line in comments.sub("", script.read_text(encoding="utf-8")).splitlines():
            assert line.count("`") % 2 == 0, (script.name, line)


def test_cards_are_drawn_and_refereed_by_two_files_that_no_page_waits_for(app: Flask) -> None:
    """They hold every part without its comments, and the first page names neither."""
    client = app.test_client()
    for suffix in ("css", "js"):
        joined = client.get(f"/static/cards.{suffix}").get_data(as_text=True)
        parts = [part.read_text() for part in (STATIC / "cards").glob(f"*.{suffix}")]
        assert parts
        for part in parts:
            first, *rules = [line for line in part.splitlines() if line.strip()]
            assert first.startswith("/*")
            assert first not in joined
            assert rules[-1] in joined
    assert "cards." not in client.get("/").text


@pytest.mark.parametrize(
    "page", ["", "/hands/new", "/hands/1/correct", "/history", "/result", "/bank"]
)
def test_a_page_opened_with_nothing_kept_paints_before_a_slow_line_has_brought_much(
    app: Flask, database: Database, club: Access, page: str
) -> None:
    """It asks for one style and one script, which come side by side; once the style is there it shows itself.

    On 400 kbit/s and 400 ms two answers are waited for, the page's and the style's: 0.8 s. In as long again
    come 40,000 bytes: the page, and with each byte of the style one of the script. 2,000 are for headers.
    """
    phone, evening = Phone(app), table.start(database, club)
    table.record(database, club, evening, table.HEARTS_74)
    assert phone.enter(table.ask(database, club, clubs.show).name, PASSCODE, "Mia").status == 303
    address = f"/clubs/{club.club_id}/sessions/{evening}{page}"

    def size(place: str) -> int:
        return len(phone.client.get(place, headers={"Accept-Encoding": "br, gzip"}).data)

    text = phone.client.get(address).get_data(as_text=True)
    assert re.findall(r"<script[^>]* src", text) == ["<script defer src"]
    [style] = re.findall(r'rel="stylesheet" href="([^"]+)"', text)
    assert size(address) + 2 * size(style) < 38_000


@pytest.mark.parametrize(
    "page",
    [
        *("", "/evenings", "/statistics", "/head-to-head", "/players/1", "/money", "/screen"),
        *(f"/sessions/1{page}" for page in ("/screen", "/chart", "/table", "/count", "/settle")),
        "/sessions/1/how-to-play",
    ],
)
def test_a_page_paints_once_one_style_is_there(
    app: Flask, database: Database, club: Access, page: str
) -> None:
    """On a slow line another style costs another round trip; no script is waited for."""
    phone = Phone(app)
    table.record(database, club, table.start(database, club), table.HEARTS_74)
    assert phone.enter(table.ask(database, club, clubs.show).name, PASSCODE, "Mia").status == 303
    answer = phone.client.get(f"/clubs/{club.club_id}{page}")
    assert answer.status_code == 200
    head = answer.text.split("</head>")[0]
    assert head.count('rel="stylesheet"') == 1
    assert set(re.findall(r"<script[^>]* src", head)) == {"<script defer src"}


def test_the_board_view_has_the_style_of_all_pages_and_its_own(app: Flask) -> None:
    """In one file, so that it waits for one."""
    client = app.test_client()
    style, screen = (client.get(f"/static/{name}.css").text for name in ("solo", "screen"))
    assert screen.startswith(style)
    assert ".big-board" in screen.removeprefix(style)


def test_the_first_page_and_a_scoreboard_come_in_sixty_thousand_bytes(
    app: Flask, database: Database, club: Access
) -> None:
    """Both pages, the chart and all they are made of, as a browser gets them; headers are 6,000 more."""
    phone, evening = Phone(app), table.start(database, club)
    for _ in range(12):
        table.record(database, club, evening, table.HEARTS_74)
    assert phone.enter(table.ask(database, club, clubs.show).name, PASSCODE, "Mia").status == 303

    def size(address: str) -> int:
        return len(phone.client.get(address, headers={"Accept-Encoding": "br, gzip"}).data)

    board = f"/clubs/{club.club_id}/sessions/{evening}"
    pages = ["/", board, f"{board}/chart"]
    texts = [phone.client.get(page).get_data(as_text=True) for page in pages]
    files = {name for text in texts for name in re.findall(r'(?:href|src)="(/static/[^"]+)"', text)}
    shown = {name for name in files if not name.endswith(".png")}  # requested when installing
    assert len(shown) >= 3
    assert sum(map(size, [*pages, *shown])) < 54_000
