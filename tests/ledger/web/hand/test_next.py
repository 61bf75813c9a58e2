"""The next step on the first page and a club's: begin, go on, play with the same table again."""

from datetime import date

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import players
from ledger.services.table import lifecycle
from tests.ledger import cash, table
from tests.ledger.web.phone import Phone


def test_the_first_page_shows_a_hand_to_who_has_no_club_yet(stranger: Phone, scorer: Phone) -> None:
    """Scored by the engine, with its reasoning; a device with a club goes there."""
    page = stranger.open("/")
    assert "An example" in page.text
    assert "74 card points, 14 over 60" in page.text
    assert "An example" not in scorer.open("/").text


def test_an_empty_club_says_how_to_begin(scorer: Phone, club: Access) -> None:
    """And shows an example."""
    page = scorer.open(f"/clubs/{club.club_id}")
    assert "How to begin" in page.text
    assert "An example" in page.text
    assert "Same table as last time" not in page.text


def test_a_club_at_play_says_who_leads_and_deals_and_leads_to_the_next_hand(
    scorer: Phone, viewer: Phone, seven: str, database: Database, club: Access
) -> None:
    """Paused it leads to the scoreboard; so it does for viewers."""
    tonight, home = int(seven.rsplit("/", 1)[1]), f"/clubs/{club.club_id}"
    table.record(database, club, tonight, table.ALONE_85)
    page = scorer.open(home)
    assert "Being played now" in page.text
    assert "Cyd leads with +300" in page.text.replace("\n", " ")
    assert f"{seven}/hands/new" in page.reader.links
    assert seven in viewer.open(home).reader.links
    lifecycle.pause(table.write(database, club), tonight)
    page = scorer.open(home)
    assert "Being played now" not in page.text
    assert f"{seven}/hands/new" not in page.reader.links


def test_the_same_table_starts_with_one_tap(
    scorer: Phone, seven: str, database: Database, club: Access
) -> None:
    """Offered once the last evening is closed; a second phone is refused, as it was started."""
    tonight, home = int(seven.rsplit("/", 1)[1]), f"/clubs/{club.club_id}"
    assert "Same table as last time" not in scorer.open(home).text
    lifecycle.close(table.write(database, club), tonight)
    players.archive(table.write(database, club), 7)
    page = scorer.open(home)
    assert "Without Gus, who is archived." in page.text
    form, other = page.form("/again"), scorer.open(home).form("/again")
    answer = scorer.send(form)
    assert (answer.status, answer.location) == (303, f"{home}/sessions/{tonight + 1}?done=again")
    assert scorer.send(form).location == answer.location
    late = scorer.send(other)
    assert (late.status, "was started meanwhile" in late.text) == (412, True)
    assert "Started with the same table" in scorer.open(str(answer.location)).text


def test_too_few_for_the_game_start_no_same_table(
    scorer: Phone, database: Database, club: Access
) -> None:
    """The page states it; an older form is refused."""
    played, home = table.start(database, club, table.FOUR), f"/clubs/{club.club_id}"
    lifecycle.close(table.write(database, club), played)
    form = scorer.open(home).form("/again")
    for player in (1, 2):
        players.archive(table.write(database, club), player)
    assert "Too few are left" in scorer.open(home).text
    refused = scorer.send(form)
    assert (refused.status, "Crazy Solo" in refused.text) == (422, True)


def test_the_viewer_link_opens_the_evening_that_is_being_played(
    stranger: Phone, database: Database, club: Access
) -> None:
    """The newest, or another of that day while that one is closed; the club's page where none is."""
    link, home = f"/v/{table.viewer_key(database, club)}", f"/clubs/{club.club_id}"
    assert stranger.open(link).location == home
    tonight = table.start(database, club, table.FOUR)
    table.record(database, club, tonight, cash.ANN_WINS)
    assert stranger.open(link).location == f"{home}/sessions/{tonight}"
    beside = table.start(database, club, table.FOUR)
    lifecycle.close(table.write(database, club), beside)
    assert stranger.open(link).location == f"{home}/sessions/{tonight}"
    assert "Being played now" in stranger.open(home).text
    lifecycle.close(table.write(database, club), tonight)
    assert stranger.open(link).location == home


def test_an_evening_of_before_that_nobody_closed_is_not_being_played(
    stranger: Phone, database: Database, club: Access
) -> None:
    """Once a later one was played and closed."""
    link, home = f"/v/{table.viewer_key(database, club)}", f"/clubs/{club.club_id}"
    table.start(database, club, table.FOUR, started_on=date(2026, 1, 2))
    later = table.start(database, club, table.FOUR, started_on=date(2026, 1, 9))
    lifecycle.close(table.write(database, club), later)
    assert stranger.open(link).location == home


def test_a_new_session_offers_the_last_table_and_seats_its_players(
    scorer: Phone, seven: str
) -> None:
    """In one tap as it was, or with its players seated, to change something first."""
    home = seven.partition("/sessions")[0]
    page = scorer.open(f"{home}/sessions/new")
    assert page.text.index("Same table as last time") < page.text.index("Who plays, clockwise")
    assert not [name for name, _ in page.form("/sessions/new").fields if name == "seat"]
    seated = scorer.open(f"{home}/sessions/new?again=1")
    assert "Same table as last time" not in seated.text
    fields = seated.form("/sessions/new").fields
    assert [value for name, value in fields if name == "seat"] == [
        *("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus")
    ]


def test_a_club_shows_its_evening_and_people_before_its_administration(
    scorer: Phone, seven: str
) -> None:
    """Players at the table are shown with the evening, and not again among the others."""
    home = seven.partition("/sessions")[0]
    scorer.send(scorer.open(f"{home}/players").form("/players"), name="Hal")
    text = scorer.open(home).text
    places = [text.index(words) for words in ("Being played now", "Hal", "Administration", "Keys")]
    assert places == sorted(places)
    assert "Ann deals next" in text
    assert text.count("Ann") == 2  # the dealer, and the player at the table
