"""Rating lists: one for each game, computed from the evenings as they stand."""

from datetime import date, timedelta

import pytest

from ledger.services.reads import ratings
from ledger.services.reads.evening_sums import EveningSums
from ledger.services.session.session_filter import SessionFilter
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.table import ALONE_85, HEARTS_46, HEARTS_74

FIRST = date(2026, 1, 1)


@pytest.fixture
def evenings(sqlite_club: CardClub) -> list[Evening]:
    """Three evenings that Ann wins, and one of German Solo."""
    played = []
    for day in range(3):
        evening = sqlite_club.start(
            table.SEVEN, first_dealer="Gus", started_on=FIRST + timedelta(days=day)
        )
        evening.record(HEARTS_74)
        played.append(evening)
    scores = sqlite_club.start(game="german-solo", started_on=FIRST)
    scores.record(table.german_solo("Bob"))
    return played


def ranked(club: CardClub, **chosen: object) -> dict[str, list[str]]:
    """Return the names of each game's list, best first."""
    lists = club.read(ratings.of_club, SessionFilter(**chosen))  # type: ignore[arg-type]
    return {each.game: [line.name for line in each.players] for each in lists}


@pytest.mark.usefixtures("evenings")
def test_each_game_has_a_list_with_the_standings_beside_the_ratings(sqlite_club: CardClub) -> None:
    """Equal players have equal ratings, and few evenings make them provisional."""
    crazy, german = sqlite_club.read(ratings.of_club)
    assert (crazy.game, crazy.unit, crazy.evenings) == ("crazy-solo", "chips", 3)
    assert (german.game, german.unit, german.evenings) == ("german-solo", "score", 1)
    ann = crazy.players[0]
    assert (ann.name, ann.evenings, ann.hands, ann.total) == ("Ann", 3, 3, 360)
    assert ann.strength > ratings.AVERAGE > crazy.players[-1].strength
    assert ann.uncertainty < ratings.AVERAGE / 3
    assert all(line.provisional for line in crazy.players)
    payers = {(line.rating, line.total) for line in crazy.players if line.total < 0}
    assert len({rating for rating, _ in payers}) == len({total for _, total in payers})


def test_a_correction_changes_the_ratings_as_if_it_had_always_stood(
    sqlite_club: CardClub, evenings: list[Evening]
) -> None:
    """Also that of an old evening; and a void hand is as if it had not been played."""
    before = sqlite_club.read(ratings.of_club)
    evenings[0].correct(1, HEARTS_46)
    corrected = sqlite_club.read(ratings.of_club)
    assert corrected != before
    evenings[0].correct(1, HEARTS_74)
    assert sqlite_club.read(ratings.of_club) == before
    evenings[0].void(1)
    crazy = sqlite_club.read(ratings.of_club)[0]
    assert (crazy.evenings, crazy.players[0].evenings) == (2, 2)


@pytest.mark.usefixtures("evenings")
def test_lists_are_limited_to_a_period_a_game_and_a_player(sqlite_club: CardClub) -> None:
    """A player's line has the rating they got among all."""
    assert list(ranked(sqlite_club, game="german-solo")) == ["german-solo"]
    first = sqlite_club.read(ratings.of_club, SessionFilter(last_day=FIRST))
    assert {each.game: each.evenings for each in first} == {"crazy-solo": 1, "german-solo": 1}
    alone = sqlite_club.read(ratings.of_club, SessionFilter(player="ann", game="crazy-solo"))
    everybody = sqlite_club.read(ratings.of_club)[0]
    assert alone[0].players == everybody.players[:1]
    assert ranked(sqlite_club, first_day=date(2027, 1, 1)) == {}


def test_an_evening_ranks_by_what_was_won_in_the_game(sqlite_club: CardClub) -> None:
    """Cyd's large win comes before Ann's small one."""
    evening = sqlite_club.start(table.SEVEN, first_dealer="Gus")
    evening.record(HEARTS_74)
    evening.record(ALONE_85)
    assert ranked(sqlite_club)["crazy-solo"][:1] == ["Cyd"]


def test_lists_are_the_same_on_both_databases(any_club: CardClub) -> None:
    """PostgreSQL adds up in decimals."""
    evening = any_club.start(table.SEVEN, first_dealer="Gus")
    evening.record(HEARTS_74)
    (crazy,) = any_club.read(ratings.of_club)
    assert (crazy.players[0].name, crazy.players[0].total) == ("Ann", 120)


def test_equal_players_of_an_evening_are_tied() -> None:
    """And a new player's rating is 0."""
    tied = ratings.rate([EveningSums(1, FIRST, "", {1: 5, 2: 5, 3: -10})])
    assert tied[1].mu == tied[2].mu > ratings.AVERAGE > tied[3].mu
    assert tied[1].sigma < ratings.AVERAGE / 3


def test_only_the_latest_evenings_are_rated(
    sqlite_club: CardClub, evenings: list[Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a list takes as long in a club of any age."""
    assert len(evenings) == 3
    monkeypatch.setattr(ratings, "MOST_EVENINGS", 2)
    latest = sqlite_club.read(ratings.of_club, SessionFilter(game="crazy-solo"))[0]
    monkeypatch.undo()
    chosen = SessionFilter(first_day=FIRST + timedelta(days=1), game="crazy-solo")
    assert latest.evenings == 2
    later = sqlite_club.read(ratings.of_club, chosen)[0]
    assert [line.rating for line in latest.players] == [line.rating for line in later.players]
