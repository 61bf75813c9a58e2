"""Pages, refusals and the API in the language of their readers."""

import re

import pytest

from engine.words.language import READER
from ledger.books.transactions import Database
from ledger.database.access import Access, Event
from ledger.http.reader_language import COOKIE
from ledger.services.club.events import sentence
from ledger.words.languages import LANGUAGES
from ledger.words.translation import translate
from tests.ledger import cash, table
from tests.ledger.web.phone import Phone


def titled(page: str) -> tuple[str, str]:
    """Return a page's stated language, and its title."""
    match = re.search(r'<html lang="(\w+)".*?<title>(.*?)</title>', page, re.DOTALL)
    assert match
    return match[1], match[2]


def test_the_browser_chooses_until_the_device_has_a_choice_of_its_own(viewer: Phone) -> None:
    """Its choice is kept in a cookie, and given up again."""
    german = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
    first = viewer.client.get("/display", headers=german)
    assert titled(first.text) == ("de", "Anzeige")
    assert first.headers["Content-Language"] == "de"
    assert "Accept-Language" in first.vary
    viewer.send(viewer.open("/display").form("/display"), language="ja")
    assert titled(viewer.client.get("/display", headers=german).text) == ("ja", "表示")
    assert viewer.client.get_cookie(COOKIE) is not None
    viewer.send(viewer.open("/display").form("/display"), language="tlh")
    assert viewer.client.get_cookie(COOKIE) is None
    assert titled(viewer.client.get("/display").text) == ("en", "Display")


def test_a_page_in_one_language_is_not_shown_to_who_reads_another(
    viewer: Phone, seven: str
) -> None:
    """Neither a board that was made for another follower, nor the one that this browser has kept."""
    english = viewer.client.get(seven)
    kept = {"If-None-Match": english.headers["ETag"]}
    assert viewer.client.get(seven, headers=kept).status_code == 304
    german = viewer.client.get(seven, headers={**kept, "Accept-Language": "de"})
    assert german.status_code == 200
    assert titled(german.text)[0] == "de"


def test_a_refusal_is_said_in_the_language_of_who_is_refused(viewer: Phone) -> None:
    """On a page and in the API, with the same codes."""
    german = {"Accept-Language": "de"}
    assert "Unter dieser Adresse gibt es nichts." in viewer.client.get("/no", headers=german).text
    japanese = {"Accept-Language": "ja"}
    refused = viewer.client.get("/api/v1/no", headers=japanese)
    assert refused.json is not None
    assert (refused.json["title"], refused.json["code"]) == ("見つかりません", "not-found")
    assert refused.headers["Content-Language"] == "ja"


def test_a_suit_is_named_in_the_language_of_each_reader(scorer: Phone, seven: str) -> None:
    """One after the other, as the sign is kept for the next one."""
    for tag, word in (("en", "hearts"), ("de", "Herz"), ("en", "hearts")):
        page = scorer.client.get(f"{seven}/hands/new", headers={"Accept-Language": tag}).text
        assert f'title="{word}"' in page


def test_the_engine_refuses_in_the_language_of_who_scores(scorer: Phone, four: str) -> None:
    """At the input of the form, with its words for bids and suits."""
    page = scorer.open(f"{four}/hands/new")
    scorer.client.set_cookie(COOKIE, "de")
    filled = {"bidder": "Bob", "bid": "solo", "trump": "H", "points": "74"}
    refused = scorer.send(page.form("/new"), **filled, do="save")
    assert refused.status == 422
    assert refused.wrong("trump") == "Solo: Trumpf kann nur Pik, Karo oder Kreuz sein, nicht Herz."


ENGLISH = re.compile(r"\b[a-z]{3,}")
"""A word in English; names begin with a capital."""


@pytest.mark.parametrize("tag", ["de", "ja"])
def test_the_log_is_said_in_its_reader_s_language(owner: Phone, tag: str) -> None:
    """Roles, links, devices: stored there in English; names stay as they are."""
    owner.client.set_cookie(COOKIE, tag)
    log = owner.open("/clubs/1/log").text
    assert {"de": "Link für Verwalter", "ja": "管理者用リンク（1時間）"}[tag] in log
    assert "owner" not in log


OF_ANN = {"author": "Ann's", "kind": "device"}
LINES = {
    Event.REFUSED: ({"network": "192.0.2.0/24"}, "von 192.0.2.0/24"),
    Event.PASSCODE: ({}, ""),
    Event.CAME: ({"kind": "device", "role": "scorer"}, "Gerät, als Schreiber"),
    Event.LEFT: (OF_ANN, "Gerät von Ann's"),
    Event.OUT: (OF_ANN, "Gerät von Ann's"),
    Event.ROLE: (
        {**OF_ANN, "before": "scorer", "role": "owner"},
        "Gerät von Ann's: vorher Schreiber, jetzt Verwalter",
    ),
    Event.LINK: ({"role": "viewer", "lasts": "evening"}, "Link für Mitleser, gilt 12 Stunden"),
    Event.LINK_OUT: ({"role": "viewer"}, "Link für Mitleser"),
    Event.TOKEN: ({"label": "owner", "role": "scorer"}, "„owner“, für Schreiber"),
    Event.TOKEN_OUT: ({"label": "owner"}, "„owner“"),
}


@pytest.mark.parametrize("event", Event)
def test_a_line_of_any_kind_in_the_log_is_said_in_german(event: Event) -> None:
    """Its words are translated, its names are not."""
    details, german = LINES[event]
    token = READER.set(LANGUAGES["de"])
    try:
        assert translate(sentence(event, details)) == german
    finally:
        READER.reset(token)


def test_a_japanese_page_has_no_english_and_no_space_between_sentences(
    owner: Phone, database: Database, club: Access
) -> None:
    """How to play each game, forms, the club's devices, the preview of an undo, evenings of any game."""
    evenings = {
        "six-bid": table.start(database, club, table.FOUR, "six-bid", title="一"),
        "german-solo": table.start(database, club, table.FOUR, "german-solo", title="二"),
    }
    entry = cash.lend(database, club, evenings["six-bid"], "Bob", 20)["entry"]
    table.record(database, club, evenings["german-solo"], table.german_solo("Bob"))
    owner.client.set_cookie(COOKIE, "ja")
    here = f"/clubs/{club.club_id}"
    chips, scores = (f"{here}/sessions/{session}" for session in evenings.values())
    games = ("crazy-solo", "six-bid", "frog", "progressive", "german-solo", "straight-solo")
    pages = [
        *(f"/how-to-play/{game}" for game in games),
        *(f"{here}/{page}" for page in ("devices", "devices/1", "log", "keys", "evenings")),
        *(f"{chips}{page}" for page in ("", "/hands/new", f"/entries/{entry}/take-back", "/undo")),
        *(f"{scores}{page}" for page in ("", "/hands/new", "/undo", "/history", "/rules")),
    ]
    for page in pages:
        answer = owner.client.get(page)
        assert answer.status_code == 200, page
        text = re.sub(r"<(script|style|code)\b.*?</\1>|<[^>]*>", " ", answer.text, flags=re.DOTALL)
        assert ENGLISH.findall(text) == [], page
        assert re.findall(r"。\s+[^\s<].{9}", answer.text) == [], page
