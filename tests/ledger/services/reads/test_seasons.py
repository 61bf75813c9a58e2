"""Seasons: which evenings count, in which unit, and the changes after closing."""

from datetime import date
from typing import Any

import pytest

from ledger.services.club import seasons
from ledger.services.club.clubs import NameTaken
from ledger.services.common.writing import Write, WriteResponse
from ledger.services.reads import seasons as season_reads
from ledger.services.reads.seasons import SeasonTable
from ledger.services.session.view import Rate
from ledger.services.table import paper, season_end
from ledger.services.table.paper import PaperEvening
from ledger.words.problems import Invalid, KeyReused, NotFound, Stale, Unchanged
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.table import ALONE_85, HEARTS_74

YEAR: dict[str, Any] = {
    "name": "2026",
    "first_day": date(2026, 1, 1),
    "last_day": date(2026, 12, 31),
}


def played(club: CardClub, day: date, *hands: Any, **started: Any) -> Evening:
    """Play an evening of seven on a day."""
    evening = club.start(table.SEVEN, first_dealer="Gus", started_on=day, **started)
    for hand in hands:
        evening.record(hand)
    return evening


def create(club: CardClub, **rules: Any) -> int:
    """Create a season, by default of 2026; return its id."""
    return int(club.do(seasons.create, **{**YEAR, **rules})["id"])


def shown(club: CardClub, season_id: int) -> SeasonTable:
    """Return a season's table."""
    return club.read(season_reads.show, season_id)


def places(found: SeasonTable, *names: str) -> list[tuple[str, int | None, int]]:
    """Return place and total of these players."""
    return [(row.name, row.place, row.total) for row in found.standings if row.name in names]


def write_as_seen(club: CardClub, tag: str) -> Write:
    """Return a write of somebody who saw the season with this tag."""
    return Write(club.db, club.access, table.new_key(), frozenset({tag}))


def test_only_evenings_of_its_days_count(any_club: CardClub) -> None:
    """The first and the last day, too; several seasons can run at once."""
    for day in (date(2024, 12, 31), date(2025, 1, 1), date(2025, 12, 31), date(2026, 1, 1)):
        played(any_club, day, HEARTS_74)
    year = create(any_club, name="2025", first_day=date(2025, 1, 1), last_day=date(2025, 12, 31))
    all_time = create(any_club, name="Ever", first_day=date(2000, 1, 1))
    found = shown(any_club, year)
    assert (found.evenings, found.unit) == (2, "chips")
    assert places(found, "Ann", "Bob") == [("Ann", 1, 240), ("Bob", 2, 160)]
    assert shown(any_club, all_time).evenings == 4
    assert [each.name for each in any_club.read(seasons.list_all)] == ["Ever", "2025"]


def test_each_method_has_a_unit_of_its_own(any_club: CardClub) -> None:
    """Money only of evenings that are cashed in; points for each player who won less; evenings won."""
    evening = played(any_club, date(2026, 3, 1), HEARTS_74, rate=Rate(10, 5))
    played(any_club, date(2026, 3, 8), ALONE_85, rate=Rate(10, 5))
    evening.convert()
    money = shown(any_club, create(any_club, name="money", method="money"))
    assert (money.unit, money.evenings, money.waiting) == ("EUR", 1, 1)
    assert places(money, "Ann", "Cyd") == [("Ann", 1, 60), ("Cyd", 3, -20)]
    ranks = shown(any_club, create(any_club, name="ranks", method="ranks"))
    assert ranks.unit == "points"
    assert places(ranks, "Ann", "Bob", "Cyd") == [("Ann", 1, 6), ("Cyd", 1, 6), ("Bob", 3, 5)]
    wins = shown(any_club, create(any_club, name="wins", method="wins"))
    assert wins.unit == "wins"
    assert [row.name for row in wins.winners] == ["Ann", "Cyd"]


def test_an_evening_counts_as_money_once_nothing_is_left_to_cash_in(any_club: CardClub) -> None:
    """Not when one player has left, but when all is cashed in or, even for all, closed; on paper at once."""
    half, even = (
        played(any_club, date(2026, 3, day), HEARTS_74, rate=Rate(10, 5)) for day in (1, 8)
    )
    played(any_club, date(2026, 3, 9), rate=Rate(10, 5))
    season_id = create(any_club, method="money")
    half.leave("Gus")
    even.void(1)
    found = shown(any_club, season_id)
    assert (found.evenings, found.waiting, found.standings) == (0, 2, ())
    even.close()
    found = shown(any_club, season_id)
    assert (found.evenings, found.waiting) == (1, 1)
    half.convert()
    on_paper = PaperEvening("frog", {"Ann": 10, "Bob": -10}, date(2026, 3, 2), rate=Rate(10, 5))
    any_club.do(paper.enter, on_paper)
    found = shown(any_club, season_id)
    assert (found.evenings, found.waiting) == (3, 0)
    assert [row.evenings for row in found.standings if row.name in ("Ann", "Gus")] == [3, 2]


def test_chips_and_scores_are_never_added_up(sqlite_club: CardClub) -> None:
    """A season of all games has chips; one of German Solo has its scores."""
    played(sqlite_club, date(2026, 3, 1), HEARTS_74)
    evening = sqlite_club.start(table.FOUR, game="german-solo", started_on=date(2026, 3, 8))
    evening.record(table.german_solo("Bob"))
    chips = shown(sqlite_club, create(sqlite_club, name="chips"))
    assert (chips.evenings, places(chips, "Bob")) == (1, [("Bob", 2, 80)])
    score = shown(sqlite_club, create(sqlite_club, name="score", game="german-solo"))
    assert (score.unit, score.evenings, places(score, "Bob")) == ("score", 1, [("Bob", 1, 6)])
    both = shown(sqlite_club, create(sqlite_club, name="wins", method="wins"))
    assert (both.evenings, both.standings[0].amount) == (2, 120)


def test_evenings_without_a_hand_do_not_count(sqlite_club: CardClub) -> None:
    """Nor is anybody in the table who only sat there."""
    played(sqlite_club, date(2026, 3, 1))
    assert shown(sqlite_club, create(sqlite_club)).standings == ()


def test_a_correction_after_closing_is_shown_beside_the_table(any_club: CardClub) -> None:
    """The stored table stays; reopening forgets it."""
    played(any_club, date(2026, 3, 1), HEARTS_74)
    wrong = played(any_club, date(2026, 3, 8), ALONE_85)
    season_id = create(any_club)
    before = shown(any_club, season_id)
    closed = any_club.do(season_end.close, season_id)
    assert closed["closed_at"] is not None
    assert shown(any_club, season_id).changes == ()
    wrong.void(1)
    found = shown(any_club, season_id)
    assert (found.evenings, found.standings) == (2, before.standings)
    cyd, ann = (
        next(each for each in found.changes if each.name == name) for name in ("Cyd", "Ann")
    )
    assert (cyd.place_before, cyd.total_before, cyd.place, cyd.total) == (1, 260, 3, -40)
    assert (ann.place_before, ann.total_before, ann.place, ann.total) == (2, 70, 1, 120)
    any_club.must_verify()
    any_club.do(seasons.reopen, season_id)
    again = shown(any_club, season_id)
    assert (again.changes, again.season.closed_at) == ((), None)
    assert places(again, "Ann") == [("Ann", 1, 120)]


def test_who_came_after_the_closing_is_a_change_too(sqlite_club: CardClub) -> None:
    """An evening that is entered late, with somebody who was in none before."""
    season_id = create(sqlite_club)
    sqlite_club.do(season_end.close, season_id)
    played(sqlite_club, date(2026, 3, 1), HEARTS_74)
    ann = next(each for each in shown(sqlite_club, season_id).changes if each.name == "Ann")
    assert (ann.place_before, ann.total_before, ann.place, ann.total) == (None, None, 1, 120)


def test_a_closed_season_is_neither_changed_deleted_nor_closed_again(sqlite_club: CardClub) -> None:
    """It is reopened first; then it can be deleted."""
    season_id = create(sqlite_club)
    sqlite_club.do(season_end.close, season_id)
    for service, rules in (
        (seasons.change, {**YEAR, "prize": "A ham"}),
        (seasons.delete, {}),
        (season_end.close, {}),
    ):
        with pytest.raises(seasons.SeasonClosed, match="“2026” is closed; reopen it first"):
            sqlite_club.do(service, season_id, **rules)
    sqlite_club.do(seasons.reopen, season_id)
    with pytest.raises(Unchanged):
        sqlite_club.do(seasons.reopen, season_id)
    sqlite_club.do(seasons.delete, season_id)
    with pytest.raises(NotFound):
        shown(sqlite_club, season_id)
    sqlite_club.must_verify()


def test_a_season_is_changed_as_a_whole(any_club: CardClub) -> None:
    """Rules left out get their defaults; the same again changes nothing; a stale writer learns of it."""
    season_id = create(any_club, prize="A ham", tie_breaks=["wins", "best"], least_evenings=3)
    before = any_club.read(seasons.show, season_id)
    assert (before.prize, before.tie_breaks, before.least_evenings) == (
        "A ham",
        ("wins", "best"),
        3,
    )
    with pytest.raises(Unchanged):
        any_club.do(
            *(seasons.change, season_id),
            **{**YEAR, "prize": "A ham", "tie_breaks": ["wins", "best"], "least_evenings": 3},
        )
    changed = seasons.change(
        write_as_seen(any_club, before.tag), season_id, **{**YEAR, "name": "The year"}
    )
    assert (changed["name"], changed["prize"], changed["tie_breaks"]) == ("The year", "", [])
    with pytest.raises(Stale):
        seasons.change(write_as_seen(any_club, before.tag), season_id, **YEAR)


def test_a_repeated_write_creates_one_season(sqlite_club: CardClub) -> None:
    """The same key with other rules is refused."""
    key = table.new_key()

    def again(**rules: Any) -> WriteResponse:
        return seasons.create(
            Write(sqlite_club.db, sqlite_club.access, key, None), **{**YEAR, **rules}
        )

    assert again() == again()
    with pytest.raises(KeyReused):
        again(prize="A ham")
    assert len(sqlite_club.read(seasons.list_all)) == 1


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 65}, "name"),
        ({"first_day": date(2027, 1, 1)}, "last_day"),
        ({"first_day": date(1899, 12, 31)}, "first_day"),
        ({"last_day": date(2200, 1, 1)}, "last_day"),
        ({"game": "poker"}, "game"),
        ({"method": "luck"}, "method"),
        ({"method": "money", "game": "german-solo"}, "method"),
        ({"tie_breaks": ["luck"]}, "tie_breaks"),
        ({"tie_breaks": ["wins", "wins"]}, "tie_breaks"),
        ({"least_evenings": -1}, "least_evenings"),
        ({"least_evenings": 1001}, "least_evenings"),
        ({"prize": "x" * 301}, "prize"),
    ],
)
def test_impossible_rules_are_refused_at_their_field(
    sqlite_club: CardClub, rules: dict[str, Any], field: str
) -> None:
    """And nothing is saved."""
    with pytest.raises(Invalid) as refused:
        create(sqlite_club, **rules)
    assert refused.value.faults[0].field == field
    assert sqlite_club.read(seasons.list_all) == []


def test_two_seasons_have_different_names(sqlite_club: CardClub) -> None:
    """However they are spelled."""
    create(sqlite_club, name="Winter")
    other = create(sqlite_club, name="Summer")
    for act in (
        lambda: create(sqlite_club, name=" winter "),
        lambda: sqlite_club.do(seasons.change, other, **{**YEAR, "name": "WINTER"}),
    ):
        with pytest.raises(NameTaken, match="already a season called “Winter”"):
            act()
