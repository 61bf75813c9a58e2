"""The page that replays a hand from a link."""

import gzip

from flask import Flask

from engine.games import GAMES
from tests.ledger.web.phone import Phone

LARGEST = 5_000
"""The most bytes of the compressed page, with the play sheets of all tables."""


def test_the_page_is_for_everybody_and_small(app: Flask) -> None:
    """Neither a club nor a cookie is needed; a device that has the page gets no copy."""
    client = app.test_client()
    answer = client.get("/replay")
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers
    assert (
        answer.headers["Content-Security-Policy"]
        == client.get("/how-to-play").headers["Content-Security-Policy"]
    )
    assert len(gzip.compress(answer.data)) < LARGEST
    again = client.get("/replay", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_the_page_is_in_the_reader_s_language(stranger: Phone) -> None:
    """Another language is another page, with another tag."""
    english, german = (
        stranger.client.get("/replay", headers={"Accept-Language": tag}) for tag in ("en", "de")
    )
    assert english.headers["ETag"] != german.headers["ETag"]
    assert "Replay a hand" in english.text
    assert "Ein Spiel nachspielen" in german.text
    for game in GAMES:
        assert f'"{game}"' in german.text
