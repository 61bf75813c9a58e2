"""Records: the largest hands and evenings, the most wins and the longest series, also of a period."""

from datetime import date

import pytest

from ledger.services.reads import records
from ledger.services.reads.records import ClubRecord
from ledger.services.session.session_filter import SessionFilter
from ledger.words.problems import Invalid
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.table import ALONE_85, HEARTS_46, HEARTS_74

Found = dict[str, tuple[int, tuple[str, ...], str | None, int | None]]


@pytest.fixture
def evenings(sqlite_club: CardClub) -> list[Evening]:
    """Three evenings of seven: Ann wins with hearts; Cyd wins alone; Ann wins twice with hearts."""
    played = []
    for day, hands in (
        (1, [HEARTS_74]),
        (2, [ALONE_85]),
        (3, [HEARTS_74, HEARTS_74, HEARTS_46]),
    ):
        evening = sqlite_club.start(
            table.SEVEN, first_dealer="Gus", started_on=date(2026, 1, day), title=f"No. {day}"
        )
        for hand in hands:
            evening.record(hand)
        played.append(evening)
    return played


def found(club: CardClub, **chosen: object) -> Found:
    """Return amount, players, evening and hand of each kind of record."""
    rows = club.read(records.of_club, SessionFilter(**chosen))  # type: ignore[arg-type]
    return {row.kind: (row.amount, row.players, row.session_title, row.hand) for row in rows}


@pytest.mark.usefixtures("evenings")
def test_records_name_who_achieved_them_and_where_first(sqlite_club: CardClub) -> None:
    """Void hands don't count; equal feats name all players, the first of them first."""
    rows = found(sqlite_club)
    assert rows["best-hand"] == (300, ("Cyd",), "No. 2", 1)
    assert rows["best-evening"] == (300, ("Cyd",), "No. 2", None)
    assert rows["evenings-won"][:2] == (2, ("Ann",))
    assert rows["bids-made"] == (2, ("Ann",), "No. 3", None)
    assert rows["bids-made-in-a-row"] == (3, ("Ann",), "No. 3", None)
    assert rows["most-hands"] == (3, (), "No. 3", None)
    assert list(rows) == [kind for kind in records.RECORDS if kind in rows]


def test_corrections_and_void_hands_change_the_records(
    sqlite_club: CardClub, evenings: list[Evening]
) -> None:
    """At once, and an undo brings them back."""
    before = found(sqlite_club)
    evenings[1].void(1)
    after = found(sqlite_club)
    assert after["best-hand"] == (120, ("Ann",), "No. 1", 1)
    assert after["evenings-won-in-a-row"] == (2, ("Ann",), "No. 3", None)
    evenings[1].undo()
    assert found(sqlite_club) == before
    evenings[2].correct(2, HEARTS_46)
    assert found(sqlite_club)["bids-made-in-a-row"] == (2, ("Ann",), "No. 3", None)


@pytest.mark.usefixtures("evenings")
def test_records_are_limited_to_a_period_a_game_and_a_player(sqlite_club: CardClub) -> None:
    """One player's records are what they achieved among all."""
    assert found(sqlite_club, last_day=date(2026, 1, 1))["best-hand"][1] == ("Ann",)
    assert found(sqlite_club, game="frog") == {}
    crazy = found(sqlite_club, game="crazy-solo")
    assert crazy == found(sqlite_club)
    ann = found(sqlite_club, player="ann")
    assert ann["best-hand"] == (120, ("Ann",), "No. 1", 1)
    assert {row[1] for row in ann.values()} == {("Ann",), ()}
    with pytest.raises(Invalid, match="Nobody in this club is called Zoe"):
        found(sqlite_club, player="Zoe")


def test_scores_have_records_of_their_own(sqlite_club: CardClub) -> None:
    """An evening of nothing else is won by its score."""
    evening = sqlite_club.start(game="german-solo", title="Scores")
    evening.record(table.german_solo("Ann"))
    rows: list[ClubRecord] = sqlite_club.read(records.of_club)
    assert {row.unit for row in rows if row.kind in records.AMOUNTS} == {"score"}
    assert [row.players for row in rows if row.kind == "evenings-won"] == [("Ann",)]


def test_records_are_the_same_on_both_databases(any_club: CardClub) -> None:
    """Of all games, of one, of a player and of a period."""
    evening = any_club.start(table.SEVEN, first_dealer="Gus", started_on=date(2026, 1, 1))
    evening.record(HEARTS_74)
    evening.record(HEARTS_74)
    everything = found(any_club)
    assert everything["best-hand"][:2] == (120, ("Ann",))
    assert everything["bids-made-in-a-row"][:2] == (2, ("Ann",))
    assert found(any_club, game="crazy-solo") == everything
    assert found(any_club, first_day=date(2026, 1, 1)) == everything
    assert found(any_club, player="Ann")["most-hands"][0] == 2


def test_a_club_without_hands_has_no_records(sqlite_club: CardClub) -> None:
    """Nor has an evening without hands."""
    sqlite_club.start()
    assert sqlite_club.read(records.of_club) == []
