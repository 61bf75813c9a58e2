"""The chart of an evening, the living scoreboard and the board view."""

import re
from collections.abc import Sequence
from itertools import pairwise

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.report.strokes import stroke, strokes
from ledger.services.reads import session
from ledger.services.reads.running_totals import RunningTotals, TotalsLine
from ledger.services.table import seating
from ledger.web.frame.plot import Plot
from tests.ledger import cash, table
from tests.ledger.web.phone import Phone

EVENING = RunningTotals(
    (
        TotalsLine("Ann", (0, 1, 2), (0, 40, 1_200)),
        TotalsLine("Bob", (0, 1, 2), (0, -40, -600)),
        TotalsLine("Cyd", (1, 2), (0, -600)),
    ),
    2,
)


def test_a_chart_has_round_levels_and_a_line_a_player() -> None:
    """From the first hand at the left to the last at the right; a late comer's line begins late."""
    plot = Plot.of(EVENING)
    assert [amount for _, amount in plot.levels] == [-1_000, -500, 0, 500, 1_000, 1_500]
    assert [hand for _, hand in plot.hands] == [1, 2]
    starts = [float(line.points.split(",")[0]) for line in plot.lines]
    assert starts[0] == starts[1] == plot.left < starts[2]
    assert all(line.points.split()[-1].startswith("330") for line in plot.lines)


def test_the_initials_at_the_end_of_equal_lines_do_not_touch() -> None:
    """Bob and Cyd end at the same height; their initials stand apart."""
    labels = sorted(line.label for line in Plot.of(EVENING).lines)
    assert all(below - above >= 12 for above, below in pairwise(labels))


def test_a_chart_of_no_hands_is_one_level_line_apart() -> None:
    """Nobody has won anything yet."""
    assert len(Plot.of(RunningTotals((TotalsLine("Ann", (0,), (0,)),), 0)).levels) == 2


def test_the_scoreboard_says_in_each_row_what_the_last_hand_moved(
    viewer: Phone, database: Database, club: Access, seven: str
) -> None:
    """Ann +120 as caller; and each has a mark with the initials that the chart has."""
    table.record(database, club, int(seven.rsplit("/", 1)[1]), table.HEARTS_74)
    rows = re.findall(r"<tr><td class=\"rank\">.*?</tr>", viewer.client.get(seven).text, re.DOTALL)
    assert len(rows) == 7
    assert "+120" in rows[0]
    assert 'class="mark seat-0" aria-hidden="true">A<' in rows[0]
    assert all("−40" in row for row in rows[2:])


def test_a_chart_is_led_to_from_the_second_hand_on(
    viewer: Phone, database: Database, club: Access, seven: str
) -> None:
    """One hand is no line. The page works by itself as well."""
    number = int(seven.rsplit("/", 1)[1])
    table.record(database, club, number, table.HEARTS_74)
    assert f"{seven}/chart" not in viewer.client.get(seven).text
    table.record(database, club, number, table.ALONE_85)
    assert f"{seven}/chart" in viewer.client.get(seven).text
    page = viewer.open(f"{seven}/chart")
    assert page.status == 200
    assert viewer.client.get(f"{seven}/chart").text.count("<polyline") == 7


def test_the_board_view_shows_what_a_table_looks_for(
    viewer: Phone, database: Database, club: Access
) -> None:
    """Dealer and lead, players sitting out, standings, the moves of the last hand, and the way in."""
    number = table.start(database, club, ("Ann", "Bob", "Cyd", "Dee"), "six-bid")
    table.record(
        database,
        club,
        number,
        {"contract": {"bidder": "Bob", "bid": "heart-solo"}, "points": 74},
    )
    page = viewer.open(f"/clubs/{club.club_id}/sessions/{number}/screen").text
    for said in ("Bob deals", "Cyd leads", "Bob sits out", "king", "+56", "−28", "Heart solo"):
        assert said in page, said
    assert page.index("Bob +56") < page.index("Ann")


def test_everybody_keeps_their_colour_all_evening(
    scorer: Phone, database: Database, club: Access, seven: str
) -> None:
    """On all pages and on paper, when Bob leaves, Hal joins first and the others change seats."""
    number = int(seven.rsplit("/", 1)[1])
    for hand in (table.HEARTS_74, table.ALONE_85):
        table.record(database, club, number, hand)
    places = ("", "/chart", "/screen", "/bank", "/result")
    before = colours(scorer, seven, places)
    assert before == {place: dict(zip(table.SEVEN, range(7), strict=True)) for place in places}
    cash.leave(database, club, number, "Bob")
    cash.join(database, club, number, "Hal", position=0)
    order = ("Gus", "Fay", "Hal", "Cyd", "Eve", "Dee", "Ann")
    seating.change_seats(table.write(database, club), number, order=order)
    after = colours(scorer, seven, places)
    assert after == {place: {**before[place], "Hal": 7} for place in places}
    summary = table.ask(database, club, session.summary, number)
    on_paper = dict(zip(summary.seats, strokes(summary), strict=True))
    assert on_paper == {name: stroke(colour) for name, colour in after[""].items()}


def colours(phone: Phone, evening: str, places: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return each page's colours, by the player with the mark; lines have the same ones."""
    results = {}
    for place in places:
        page = phone.client.get(evening + place).text
        marks = re.findall(r'class="mark seat-(\d+)".*?<bdi>(\w+)</bdi>', page, re.DOTALL)
        results[place] = {name: int(colour) for colour, name in marks}
        lines = re.findall(r'<polyline class="seat-(\d+)"', page)
        assert set(map(int, lines)) <= set(results[place].values())
    return results
