"""The table of a season, compared with a model that computes each figure by itself."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.database.kinds.seasons import ScoringMethod, TieBreak
from ledger.services.reads.season_table import CountedEvening, season_table

ANN, BOB, CYD, DEE = range(1, 5)

Won = dict[int, int]

results = st.dictionaries(st.integers(1, 5), st.integers(-3, 3), min_size=1)
evenings = st.lists(results, max_size=8)
breaks = st.lists(st.sampled_from([*TieBreak]), unique=True)


def counted(*won: Won) -> list[CountedEvening]:
    """Return evenings whose amounts are ten times the results, so that a mix-up is noticed."""
    return [CountedEvening(each, {who: 10 * chips for who, chips in each.items()}) for each in won]


def figures(won: Sequence[Won], who: int) -> dict[str, int]:
    """Return a player's figures, each computed by a definition of its own."""
    mine = [each for each in won if who in each]
    points = sum(1 for each in mine for other in each if each[other] < each[who])
    best = [[who for who in each if each[who] == max(each.values())] for each in mine]
    wins = sum(
        who in those and len(those) < len(each) for those, each in zip(best, mine, strict=True)
    )
    amounts = [10 * each[who] for each in mine]
    return {
        "chips": sum(amounts),
        "money": sum(amounts),
        "ranks": points,
        "wins": wins,
        "evenings": len(mine),
        "best": max(amounts),
        "amount": sum(amounts),
    }


@given(evenings, st.sampled_from([*ScoringMethod]), breaks, st.integers(0, 5))
def test_the_table_has_the_figures_and_places_of_the_model(
    won: list[Won], method: ScoringMethod, tie_breaks: list[TieBreak], least: int
) -> None:
    """Everybody who attended is in it once; a place is one more than the number of better players."""
    table = season_table(counted(*won), method, least, tie_breaks)
    expected = {who: figures(won, who) for each in won for who in each}
    assert {row.id for row in table} == expected.keys()
    assert len(table) == len(expected)

    def rank(who: int) -> list[int]:
        own = expected[who]
        return [own[method.value], *(own[each.value] for each in tie_breaks)]

    placed = [who for who, own in expected.items() if own["evenings"] >= least]
    for row in table:
        own = expected[row.id]
        assert row.total == own[method.value]
        assert (row.evenings, row.wins, row.best, row.amount) == (
            *(own["evenings"], own["wins"]),
            *(own["best"], own["amount"]),
        )
        better = sum(rank(other) > rank(row.id) for other in placed)
        assert row.place == (better + 1 if row.id in placed else None)
    order = [row.place for row in table]
    assert order == sorted(order, key=lambda place: (place is None, place))
    ranks = [rank(row.id) for row in table if row.place is not None]
    assert ranks == sorted(ranks, reverse=True)


@given(evenings, st.sampled_from([*ScoringMethod]), breaks, st.randoms())
def test_the_order_of_evenings_does_not_matter(
    won: list[Won], method: ScoringMethod, tie_breaks: list[TieBreak], chance: object
) -> None:
    """Evenings entered late give the same table."""
    shuffled = [*won]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert season_table(counted(*won), method, 0, tie_breaks) == season_table(
        counted(*shuffled), method, 0, tie_breaks
    )


@given(evenings)
def test_points_of_an_evening_are_the_pairs_that_are_not_even(won: list[Won]) -> None:
    """Each pair gives one point in all, or none if the two are even."""
    table = season_table(counted(*won), "ranks")
    pairs = [
        (each[one], each[other]) for each in won for one in each for other in each if one < other
    ]
    assert sum(row.total for row in table) == sum(one != other for one, other in pairs)


@pytest.mark.parametrize(
    ("tie_breaks", "places"),
    [
        ([], {ANN: 1, BOB: 1, CYD: 3}),
        (["wins"], {ANN: 2, BOB: 1, CYD: 3}),
        (["evenings"], {ANN: 1, BOB: 2, CYD: 3}),
        (["evenings", "wins"], {ANN: 1, BOB: 2, CYD: 3}),
        (["best"], {ANN: 2, BOB: 1, CYD: 3}),
    ],
)
def test_tie_breaks_decide_in_their_order(tie_breaks: list[str], places: Won) -> None:
    """Ann and Bob have 40 each: Bob by one evening that he won, Ann by three that others won."""
    evenings = counted(
        {BOB: 4, CYD: -4},
        {ANN: 1, CYD: -6, DEE: 5},
        {ANN: 1, CYD: -6, DEE: 5},
        {ANN: 2, CYD: -7, DEE: 5},
    )
    table = season_table(evenings, "chips", 0, tie_breaks)
    assert {row.id: row.place - 1 for row in table if row.place and row.id != DEE} == places


def test_players_with_too_few_evenings_are_below_without_a_place() -> None:
    """However much they won; others move up."""
    evenings = counted({ANN: 9, BOB: -9}, {BOB: 3, CYD: -3}, {BOB: 2, CYD: -2})
    table = season_table(evenings, "chips", 2)
    assert [(row.id, row.place) for row in table] == [(BOB, 1), (CYD, 2), (ANN, None)]


def test_an_evening_in_which_all_are_even_has_no_winner() -> None:
    """And gives no points; it counts as attended."""
    (ann, bob) = season_table(counted({ANN: 0, BOB: 0}), "wins", names={ANN: "Ann", BOB: "Bob"})
    assert (ann.total, bob.total, ann.place, bob.place) == (0, 0, 1, 1)
    assert (ann.name, ann.evenings) == ("Ann", 1)


def test_players_who_are_equal_both_win_an_evening() -> None:
    """If somebody won less."""
    table = season_table(counted({ANN: 5, BOB: 5, CYD: -10}), "wins")
    assert {row.id: row.total for row in table} == {ANN: 1, BOB: 1, CYD: 0}
