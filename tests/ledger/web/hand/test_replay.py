"""The page that replays a hand from a link."""

import gzip
import json
import os
import re
from itertools import islice

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.games import GAMES
from engine.guide.random_hands import NAMES, random_hands
from engine.notation.compact import write
from engine.record import HandRecord
from ledger.web.hand.replay import link_to
from tests.ledger.web.phone import Phone

LARGEST = 2_500
LARGEST_PLAYER = 3_500
"""The most bytes of the compressed page, and of the player with the play sheets of all tables."""

HANDS = int(os.environ.get("LINKED_HANDS", "60"))
"""How many random hands of each game are linked; set it to 1,000 for the whole proof."""

ORDINARY = (
    "Anna",
    "Ben",
    "Carla",
    "David",
    "Emma",
    "Felix",
    "Greta",
    "Henry",
    "Ida",
    "Jonas",
    "Karl",
    "Lena",
)


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
    assert len(gzip.compress(player(client, answer).encode())) < LARGEST_PLAYER


def player(client: FlaskClient, page: TestResponse) -> str:
    """Return the player of a page, which is cached for good."""
    (address,) = re.findall(r'data-player="(.*?)"', page.text)
    answer = client.get(address, headers={"Accept-Language": page.headers["Content-Language"]})
    assert answer.cache_control.immutable
    return answer.text


def test_the_page_is_in_the_reader_s_language(stranger: Phone) -> None:
    """Another language is another page, with another tag."""
    english, german = (
        stranger.client.get("/replay", headers={"Accept-Language": tag}) for tag in ("en", "de")
    )
    assert english.headers["ETag"] != german.headers["ETag"]
    assert "Replay a hand" in english.text
    assert "Spiel nachspielen" in german.text
    for game in GAMES:
        assert f'"{game}"' in player(stranger.client, german)
    assert "Stich {trick}" in player(stranger.client, german)


def renamed(record: HandRecord) -> HandRecord:
    """Return a random hand, played by people with ordinary names."""
    text = json.dumps(record.to_mapping())
    for name, other in zip(NAMES, ORDINARY, strict=True):
        text = text.replace(f'"{name}"', f'"{other}"')
    return HandRecord.from_mapping(json.loads(text))


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_hand_fits_into_a_link(app: Flask, game: str) -> None:
    """Into 300 characters, or 400 with a spit deal; but for two in a thousand, where most of twelve bid."""
    hands = map(renamed, islice(random_hands(game, seed="links"), HANDS))
    with app.test_request_context(base_url="https://solo.example.org"):
        links = [(link_to(write(record)), 400 if record.spit else 300) for record in hands]
    assert all(link.startswith("https://solo.example.org/replay#") for link, _ in links)
    assert sum(len(link) > most for link, most in links) <= HANDS // 500
    assert all(len(link) <= most + 40 for link, most in links)


def test_letters_of_other_scripts_are_encoded_as_browsers_do(app: Flask) -> None:
    """So that no program cuts a link off at them; all signs of a line stand for themselves."""
    signs = "/$!+,.:=?@()_-"
    with app.test_request_context():
        assert link_to(f"Zoë{signs}") == f"http://localhost/replay#Zo%C3%AB{signs}"
