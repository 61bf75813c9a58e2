"""Each game's own words on its pages: a caller, a declarer, a bidder; chips, or a score that nobody pays."""

import re
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.report import render
from ledger.runtime.clock import now
from ledger.services.reads.session import summary
from ledger.services.table import start
from tests.ledger import cash, table
from tests.ledger.report import reading
from tests.ledger.table import ask
from tests.ledger.web.phone import Phone

PAGES = ("", "/hands/new", "/history", "/table", "/undo", "/seats", "/hands/1/correct")
"""The pages of a session that a scorer comes by in an evening; the one of the rules lists every game."""

FRAGE = {
    "contract": {"bidder": "Ann", "bid": "frage", "trump": "H", "called": "AS", "partner": "Cyd"},
    "tricks_won": 5,
    "first_tricks_won": False,
    "matadors": "split",
}


@pytest.fixture
def german(database: Database, club: Access) -> str:
    """The address of an evening of German Solo, one hand down."""
    session = table.start(database, club, table.FOUR, "german-solo")
    table.record(database, club, session, FRAGE)
    return f"/clubs/{club.club_id}/sessions/{session}"


def words(phone: Phone, address: str) -> str:
    """Return the text of all pages of a session."""
    return " ".join(phone.open(address + page).text for page in PAGES).lower()


def test_german_solo_has_a_declarer_and_a_score_and_no_chips(scorer: Phone, german: str) -> None:
    """Nobody pays for a score, so no page of the evening speaks of chips (003)."""
    text = words(scorer, german)
    assert "declarer" in text
    assert "score" in text
    assert not re.search(r"\bchips?\b", text)
    assert not re.search(r"\b(bidder|caller)\b", text)


@pytest.mark.parametrize("page", ["bank", "count", "settle"])
def test_no_page_of_german_solo_offers_chips(scorer: Phone, german: str, page: str) -> None:
    """The bank, a count and the cashing in are refused, as scores are not chips."""
    text = scorer.open(f"{german}/{page}")
    assert text.status == 409
    assert "German Solo is played for scores, not for chips" in text.text


@pytest.mark.usefixtures("german")
def test_scores_stand_apart_from_chips_on_the_pages_of_many_evenings(
    scorer: Phone, database: Database, club: Access
) -> None:
    """In a club of German Solo no page has chips; with an evening for chips each has its own column."""
    home = f"/clubs/{club.club_id}"
    pages = ("/evenings", "/players/1", "/players/1/evenings")
    only = {page: scorer.open(home + page).text for page in pages}
    assert not re.search(r"\bchips\b", only["/players/1"])
    assert "Score, evening by evening" in only["/players/1"]
    assert "points where it says score" in only["/evenings"]
    table.record(
        database, club, table.start(database, club, table.FOUR, "crazy-solo"), cash.ANN_WINS
    )
    both = {page: scorer.open(home + page).text for page in pages}
    assert "Evening Won Score Total" in both["/players/1/evenings"]
    assert "+150 150 chips" in both["/players/1/evenings"]
    assert "Chips, evening by evening" in both["/players/1"]
    assert "Score, evening by evening" in both["/players/1"]


def test_an_evening_of_both_shows_a_score_beside_the_chips(
    scorer: Phone, database: Database, club: Access
) -> None:
    """On board, screen, history, result and player's page; and on paper. No figure adds them up."""
    evening = table.start(database, club, table.FOUR, "crazy-solo")
    table.record(database, club, evening, cash.ANN_WINS)
    german: dict[str, Any] = {"game": "german-solo", "variant": None, "options": {}}
    start.change_rules(table.write(database, club), evening, **german)
    table.record(database, club, evening, table.german_solo("Ann"))
    home = f"/clubs/{club.club_id}"
    here = f"{home}/sessions/{evening}"
    said = {
        page: scorer.open(f"{here}{page}").text
        for page in ("", "/screen", "/chart", "/history", "/result")
    }
    assert "Player bids made Chips Score" in said[""]
    assert "150 6 +6" in said[""]
    assert "150 6" in said["/screen"]
    assert "Chips" in said["/chart"]
    assert "150 score 6" in said["/chart"]
    assert "score" in said["/history"]
    assert "Highest score Ann +6" in said["/result"]
    assert "+150 score 6" in said["/result"]
    paper = reading.text(render(ask(database, club, summary, evening), printed_at=now()))
    assert "Chips after each hand" in paper
    assert "Score after each hand" in paper
    assert "Score +6 ·" in paper
    assert "Figures of German Solo are scores, which nobody pays." in paper
    pages = (*said.values(), scorer.open(f"{home}/evenings").text, paper)
    assert not any(re.search(r"\b156\b", page) for page in pages)  # a digest may contain the digits


def test_german_solo_is_begun_without_a_rate(scorer: Phone, club: Access) -> None:
    """A typed one is refused at its input, with the reason."""
    page = scorer.open(f"/clubs/{club.club_id}/sessions/new")
    money = {"rate_chips": "10", "rate_money": "0.05"}
    seats = list(table.FOUR)
    page = scorer.send(page.form("/new"), game="german-solo", seat=seats, **money, do="start")
    assert page.status == 422
    assert "for scores, not for chips; leave this empty." in page.wrong("rate_money")


def test_the_report_of_german_solo_speaks_of_scores(
    database: Database, club: Access, german: str
) -> None:
    """Nor does the paper that goes round speak of chips."""
    evening = int(german.rpartition("/")[2])
    paper = render(ask(database, club, summary, evening), printed_at=now())
    text = reading.text(paper).lower()
    assert "figures are scores" in text
    assert not re.search(r"\bchips?\b", text)


def test_crazy_solo_has_a_caller(
    scorer: Phone, database: Database, club: Access, seven: str
) -> None:
    """The player calling the card is the caller (002)."""
    table.record(database, club, int(seven.rpartition("/")[2]), table.HEARTS_74)
    text = words(scorer, seven)
    assert "caller" in text
    assert not re.search(r"\b(bidder|declarer)\b", text)


def test_six_bid_has_a_bidder(scorer: Phone, four: str) -> None:
    """The word of the sources (000, 002)."""
    text = scorer.open(f"{four}/hands/new").text.lower()
    assert "bidder" in text
    assert not re.search(r"\b(caller|declarer)\b", text)
