"""The form of an evening that was scored on paper: entered by taps, corrected, removed."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.reads import sessions
from tests.ledger.evenings import CardClub
from tests.ledger.web.phone import Page, Phone


@pytest.fixture
def paper_club(database: Database, club: Access) -> CardClub:
    """The club of the pages."""
    return CardClub(database, club)


def _filled(scorer: Phone, club: Access, *amounts: str) -> Page:
    """Return the form with a player for each amount."""
    page = scorer.open(f"/clubs/{club.club_id}/paper")
    for name in ("Ann", "Bob", "Cyd")[: len(amounts)]:
        page = scorer.send(page.form("/paper"), do="add", new_name=name)
    return scorer.send(
        page.form("/paper"), won=[*amounts], do="look", day="2026-05-07", game="frog"
    )


def test_an_evening_is_entered_with_the_rest_for_one_player(
    scorer: Phone, club: Access, paper_club: CardClub
) -> None:
    """The page shows what is missing to 0; saving leads to the result, marked."""
    page = _filled(scorer, club, "40", "-10", "")
    assert "Must add up to 0; it is +30." in page.text
    page = scorer.send(page.form("/paper"), rest="Cyd", game="frog")
    assert "It adds up to 0." in page.text
    saved = scorer.send(page.form("/paper"), do="save", game="frog")
    result = scorer.open(saved.location)
    assert "Frog, on paper." in result.text
    assert "Ann won" in result.text
    (evening,) = paper_club.read(sessions.of_club)
    assert {seat.player: seat.won for seat in evening.seats} == {"Ann": 40, "Bob": -10, "Cyd": -30}
    assert str(evening.started_on) == "2026-05-07"
    for place in ("evenings", "", "players/1"):
        assert "on paper" in scorer.open(f"/clubs/{club.club_id}/{place}".rstrip("/")).text
    board = scorer.open(f"/clubs/{club.club_id}/sessions/{evening.session_id}")
    assert board.location.split("?")[0].endswith("/result")


def test_a_wrong_sum_keeps_what_was_typed(
    scorer: Phone, club: Access, paper_club: CardClub
) -> None:
    """So does a text that is no number, or a day that is none."""
    page = _filled(scorer, club, "40", "-10")
    refused = scorer.send(page.form("/paper"), do="save", game="frog")
    assert "must add up to 0; it is +30" in refused.text
    assert [value for name, value in refused.form("/paper").fields if name == "won"] == [
        "40",
        "-10",
    ]
    refused = scorer.send(page.form("/paper"), won=["many", "0"], do="save", game="frog")
    assert "“many” is not a whole number of chips" in refused.text
    refused = scorer.send(
        page.form("/paper"), won=["0", "0"], day="yesterday", do="save", game="frog"
    )
    assert "This is not a day" in refused.text
    assert paper_club.read(sessions.of_club) == []


def test_amounts_in_money_and_lost_ones_by_a_tap(
    scorer: Phone, club: Access, paper_club: CardClub
) -> None:
    """A keypad without a minus is enough."""
    page = _filled(scorer, club, "2.50", "2.50")
    form = page.form("/paper")
    scorer.send(form, lost="Bob", unit="money", do="save", game="frog")
    (evening,) = paper_club.read(sessions.of_club)
    assert {seat.player: seat.money for seat in evening.seats} == {"Ann": 250, "Bob": -250}


def test_an_evening_is_corrected_and_removed(
    scorer: Phone, club: Access, paper_club: CardClub
) -> None:
    """By one form; then it is in no list."""
    page = _filled(scorer, club, "40", "-40")
    scorer.send(page.form("/paper"), do="save", game="frog")
    page = scorer.open(f"/clubs/{club.club_id}/sessions/1/paper")
    page = scorer.send(page.form("/paper"), won=["30", "30"], do="save", game="frog")
    (evening,) = paper_club.read(sessions.of_club)
    assert {seat.player: seat.won for seat in evening.seats} == {"Ann": 30, "Bob": -30}
    page = scorer.open(f"/clubs/{club.club_id}/sessions/{evening.session_id}/paper")
    page = scorer.open(scorer.send(page.form("/table/delete")).location)
    assert "The session is deleted; nothing of it counts." in page.text
    assert paper_club.read(sessions.of_club) == []
    paper_club.must_verify()


def test_a_played_evening_has_no_such_form(
    scorer: Phone, club: Access, paper_club: CardClub
) -> None:
    """Its address leads to the scoreboard."""
    played = paper_club.start()
    shown = scorer.open(f"/clubs/{club.club_id}/sessions/{played.id}/paper")
    assert shown.location.split("?")[0].endswith(f"/sessions/{played.id}")
