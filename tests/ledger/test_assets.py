"""Static files under names that hold what they contain."""

import re

import pytest
from flask import Flask

from ledger.paths import STATIC


@pytest.mark.parametrize("page", ["/", "/api/v1/docs"])
def test_what_a_page_is_made_of_is_kept_for_good(app: Flask, page: str) -> None:
    """Each style and script has a name of today's contents, and its answer says that it never changes."""
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


def test_the_style_is_every_room_of_it_in_one_file(app: Flask) -> None:
    """None is left out, none is asked for by itself, and its comments stay at home."""
    style = app.test_client().get("/static/solo.css").get_data(as_text=True)
    rooms = [room.read_text() for room in (STATIC / "styles").glob("*.css")]
    assert rooms
    for room in rooms:
        comments = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
        assert comments.sub("", room) in style
        assert not [said for said in comments.findall(room) if said in style]
