"""Pages of seasons: the list, the table, the forms, and the filter by a season on other pages."""

from datetime import date, timedelta
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.runtime.clock import today
from ledger.services.club import seasons
from ledger.services.session.view import Rate
from tests.ledger import table
from tests.ledger.evenings import CardClub
from tests.ledger.table import ALONE_85, HEARTS_74
from tests.ledger.web.phone import Page, Phone

FORM: dict[str, str | list[str] | None] = {
    "name": "The year",
    "first_day": "2026-01-01",
    "last_day": "2026-12-31",
    "method": "ranks",
    "least_evenings": "1",
    "prize": "A ham",
    "tie_breaks": ["wins", "", "", ""],
}


@pytest.fixture
def home(database: Database, club: Access) -> str:
    """A club with an evening that Ann won in January, and one that Cyd won in February."""
    cards = CardClub(database, club)
    for day, hand in ((date(2026, 1, 9), HEARTS_74), (date(2026, 2, 6), ALONE_85)):
        evening = cards.start(
            table.SEVEN, first_dealer="Gus", started_on=day, title=f"In {day:%B}", rate=Rate(10, 5)
        )
        evening.record(hand)
    return f"/clubs/{club.club_id}"


def created(scorer: Phone, home: str, **filled: str | list[str] | None) -> Page:
    """Fill in the form of a new season; return its page."""
    form = scorer.open(f"{home}/seasons/new").form("/seasons/new")
    sent = scorer.send(form, **{**FORM, **filled})
    return scorer.open(sent.location) if sent.status == 303 else sent


def test_a_scorer_creates_a_season_and_everybody_sees_its_table(
    scorer: Phone, viewer: Phone, home: str
) -> None:
    """With prize, rules, places and the evenings that count; the list links it."""
    page = created(scorer, home)
    assert "The season is saved." in page.text
    assert "Prize A ham" in page.text
    assert "In each evening a player gets one point for everybody who won less." in page.text
    assert "decide, in this order: more evenings won." in page.text
    assert "2 evenings count." in page.text
    shown = viewer.open(f"{home}/seasons/1")
    assert "1 Ann 2 evenings, 1 won 6" in shown.text
    assert not [form for form in shown.reader.forms if "seasons" in form.action]
    assert f"{home}/seasons/1" in viewer.open(f"{home}/seasons").reader.links
    for linking in (home, f"{home}/statistics"):
        assert f"{home}/seasons" in viewer.open(linking).reader.links


def test_the_form_of_a_new_season_proposes_this_year(scorer: Phone, home: str) -> None:
    """Chips, all games, and two tie-breaks."""
    form = scorer.open(f"{home}/seasons/new").form("/seasons/new")
    year = today().year
    assert dict(form.fields)["name"] == str(year)
    assert dict(form.fields)["first_day"] == f"{year}-01-01"
    assert dict(form.fields)["method"] == "chips"


@pytest.mark.parametrize(
    ("filled", "field", "words"),
    [
        ({"name": " "}, "name", "The season's name is missing"),
        ({"first_day": "tomorrow"}, "first_day", "A day is written as 2026-01-31."),
        ({"last_day": "2025-01-01"}, "last_day", "The last day is before the first"),
        ({"least_evenings": "many"}, "least_evenings", "a number of evenings from 0 to 1,000"),
        ({"tie_breaks": ["best", "best", "", ""]}, "tie_breaks", "Name each tie-break once."),
    ],
)
def test_a_wrong_field_is_refused_and_everything_typed_is_still_there(
    scorer: Phone, home: str, filled: dict[str, str | list[str] | None], field: str, words: str
) -> None:
    """At the field."""
    page = created(scorer, home, **filled)
    assert page.status == 422
    assert words in page.wrong(field)
    assert dict(page.form("/seasons/new").fields)["prize"] == "A ham"


def test_a_closed_season_shows_later_corrections_beside_its_table(
    scorer: Phone, home: str, database: Database, club: Access
) -> None:
    """Then it can be reopened, edited and deleted."""
    created(scorer, home, method="chips")
    page = scorer.open(f"{home}/seasons/1")
    closed = scorer.open(scorer.send(page.form("/close")).location)
    assert "The season is closed; its table is kept." in closed.text
    assert "Nothing has changed since." in closed.text
    table.void(database, club, 2, 1)
    changed = scorer.open(f"{home}/seasons/1")
    assert "1 Cyd 2 evenings, 1 won 260" in changed.text
    assert "Cyd Then: place 1 with 260. Now: place 3 with −40." in changed.text
    assert "Cyd won" in scorer.open(f"{home}/seasons").text
    scorer.send(changed.form("/reopen"))
    open_again = scorer.open(f"{home}/seasons/1")
    assert "1 Ann 2 evenings, 1 won 120" in open_again.text
    edited = scorer.send(
        scorer.open(f"{home}/seasons/1/edit").form("/edit"), **{**FORM, "name": "Short"}
    )
    assert "Short" in scorer.open(edited.location).text
    gone = scorer.send(scorer.open(f"{home}/seasons/1").form("/delete"))
    assert "No season yet" in scorer.open(gone.location).text
    assert scorer.open(f"{home}/seasons/1").status == 404


def test_a_form_of_an_older_state_is_refused(
    scorer: Phone, home: str, database: Database, club: Access
) -> None:
    """What the other person changed is not overwritten; the form, sent again, then does."""
    created(scorer, home)
    form = scorer.open(f"{home}/seasons/1/edit").form("/edit")
    other: dict[str, Any] = {"first_day": date(2026, 1, 1), "last_day": date(2026, 12, 31)}
    CardClub(database, club).do(seasons.change, 1, name="Changed", **other)
    refused = scorer.send(form, **{**FORM, "name": "Mine"})
    assert refused.status == 412
    assert "The season Changed changed since you last looked" in refused.text
    assert scorer.send(refused.form("/edit"), **{**FORM, "name": "Mine"}).status == 303


def test_money_counts_once_it_is_cashed_in(
    scorer: Phone, home: str, database: Database, club: Access
) -> None:
    """The page says how many evenings are missing."""
    CardClub(database, club).evening(1).convert()
    page = created(scorer, home, method="money")
    assert "1 evening counts. 1 evening is not cashed in yet." in page.text
    assert "1 Ann 1 evening, 1 won 0.60 EUR" in page.text


def test_other_pages_are_limited_to_a_season(scorer: Phone, viewer: Phone, home: str) -> None:
    """The history has its evenings only; its links stay in the season, and those to other days leave it."""
    created(scorer, home, last_day="2026-01-31")
    links = viewer.open(f"{home}/seasons/1").reader.links
    for page in ("evenings", "statistics", "head-to-head", "records"):
        assert f"{home}/{page}?season=1" in links
    history = viewer.open(f"{home}/evenings?season=1")
    assert "In January" in history.text
    assert "In February" not in history.text
    statistics = viewer.open(f"{home}/statistics?season=1")
    assert f"{home}/evenings?season=1" in statistics.reader.links
    assert f"{home}/statistics?by=total&from=2026-01-01&to=2026-12-31" in statistics.reader.links
    assert "In February" in viewer.open(f"{home}/evenings?season=99").text
    assert viewer.open(f"{home}/exports/file?format=csv-evenings&season=99").status == 422


def test_a_season_that_is_not_over_says_so_before_it_is_closed(scorer: Phone, home: str) -> None:
    """One that is over does not."""
    later = today() + timedelta(days=1)
    page = created(scorer, home, last_day=later.isoformat())
    assert "Its last day has not passed." in page.text
    page = created(scorer, home, name="January", last_day="2026-01-31")
    assert "Its last day has not passed." not in page.text
