"""Compressed responses: for which clients, which ones, and by how much."""

import gzip

import brotli
import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.http.compression import LEAST_BYTES
from ledger.services.club import clubs
from tests.ledger import table
from tests.ledger.conftest import PASSCODE
from tests.ledger.web.phone import Phone

UNPACKED = {"br": brotli.decompress, "gzip": gzip.decompress}
SAME = "/api/v1/games"
FILES = ["/static/solo.css", "/static/solo.js"]


@pytest.mark.parametrize("path", [SAME, "/api/v1/openapi.json", *FILES])
@pytest.mark.parametrize("way", ["br", "gzip"])
def test_who_takes_a_way_gets_the_same_answer_in_less(app: Flask, path: str, way: str) -> None:
    """Decoded, it is the same as the plain one; static files too, the second time as the first."""
    client = app.test_client()
    plain = client.get(path)
    for _ in range(2):
        packed = client.get(path, headers={"Accept-Encoding": way})
        assert packed.headers["Content-Encoding"] == way
        assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
        assert UNPACKED[way](packed.data) == plain.data


@pytest.mark.parametrize(
    ("takes", "way"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip;q=1.0, br;q=0.5", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("*", "br"),
        ("identity", None),
        ("deflate", None),
        ("gzip;q=0", None),
        ("", None),
    ],
)
def test_the_client_chooses_the_way(app: Flask, takes: str, way: str | None) -> None:
    """Brotli if it takes both alike, nothing it does not take; caches are informed."""
    answer = app.test_client().get(SAME, headers={"Accept-Encoding": takes})
    assert answer.headers.get("Content-Encoding") == way
    assert "Accept-Encoding" in answer.headers["Vary"]


def test_a_small_answer_stays_as_it_is(app: Flask) -> None:
    """It fits one packet anyhow."""
    answer = app.test_client().get("/health", headers={"Accept-Encoding": "br, gzip"})
    assert len(answer.data) < LEAST_BYTES
    assert "Content-Encoding" not in answer.headers


def test_the_head_of_an_answer_tells_the_same_length(app: Flask) -> None:
    """HEAD answers as GET does, without the body."""
    client, said = app.test_client(), {"Accept-Encoding": "gzip"}
    shown, head = client.get(SAME, headers=said), client.head(SAME, headers=said)
    assert head.headers["Content-Length"] == shown.headers["Content-Length"]
    assert (head.data, head.headers["Content-Encoding"]) == (b"", "gzip")


def test_a_file_in_less_is_known_again(app: Flask) -> None:
    """A device that has it gets 304, for every encoding."""
    client, said = app.test_client(), {"Accept-Encoding": "br"}
    tag = client.get(FILES[0], headers=said).headers["ETag"]
    assert tag.startswith("W/")
    repeated = client.get(FILES[0], headers={**said, "If-None-Match": tag})
    assert (repeated.status_code, repeated.data) == (304, b"")


@pytest.fixture
def scorer(app: Flask, database: Database, club: Access) -> Phone:
    """A device let in by the passcode."""
    phone = Phone(app)
    assert phone.enter(table.ask(database, club, clubs.show).name, PASSCODE, "Mia").status == 303
    return phone


def test_a_pdf_stays_as_it_is(scorer: Phone, database: Database, club: Access) -> None:
    """It is compressed in itself."""
    place = f"/clubs/{club.club_id}/sessions/{table.start(database, club)}"
    for path, way in ((f"{place}/report.pdf", None), (place, "br")):
        answer = scorer.client.get(path, headers={"Accept-Encoding": "br, gzip"})
        assert (answer.status_code, answer.headers.get("Content-Encoding")) == (200, way)


@pytest.mark.parametrize("page", ["share", "keys"])
def test_a_page_that_shows_a_secret_stays_as_it_is(scorer: Phone, club: Access, page: str) -> None:
    """The length of a text that repeats a request and holds a lasting secret would reveal it."""
    path = f"/clubs/{club.club_id}/{page}"
    answer = scorer.client.get(path, headers={"Accept-Encoding": "br, gzip"})
    assert len(answer.data) > LEAST_BYTES
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Content-Encoding" not in answer.headers
