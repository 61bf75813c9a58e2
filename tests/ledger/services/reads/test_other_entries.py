"""The moves of other entries: read for the PDF, so that its figures can be added up."""

import pytest

from ledger.report import render
from ledger.report.column_widths import standings
from ledger.services.chips import adjust
from ledger.services.reads import session
from ledger.services.reads.summary import SessionSummary
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub
from tests.ledger.report import reading
from tests.ledger.report.evenings import PRINTED_AT


@pytest.fixture
def summary(sqlite_club: CardClub) -> SessionSummary:
    """All pass for 10 each; Ann gets 3 and the four share them; a pot goes to Bob, the others are shared."""
    pots = {"pots": {"stake": 5}}
    evening = sqlite_club.start(game="progressive", options=pots, starting_stack=100)
    evening.record(table.ALL_PASS)
    evening.lend("Cyd", 50)
    evening.do(adjust.adjust, player="Ann", chips=3, reason="a chip was found")
    evening.do(adjust.share_differences)
    evening.do(adjust.adjust, player="Bob", chips=7, reason="it was his", pot="frog")
    evening.undo()
    evening.do(adjust.share_pots)
    evening.play("six-bid", variant="pagat")
    evening.record(table.ALL_PASS)
    return evening.read(session.summary)


def test_hands_and_what_moved_besides_come_to_the_standings(summary: SessionSummary) -> None:
    """Every seat, to the chip; the bank's chips are in no standing."""
    columns = dict(zip(summary.seats, standings(summary), strict=True))
    assert columns == {line.name: line.balance for line in summary.standings}
    assert columns == {"Ann": 3, "Bob": -1, "Cyd": -1, "Dee": -1}


def test_everything_besides_hands_is_told_with_who_and_why(summary: SessionSummary) -> None:
    """In their order, with author and reason; an undone one appears twice, the second time reversed."""
    assert [
        (entry.title, entry.counts, entry.amounts, entry.reason) for entry in summary.other_entries
    ] == [
        ("Starting chips", False, (100, 100, 100, 100), None),
        ("Loan", False, (0, 0, 50, 0), None),
        ("Adjustment", True, (3, 0, 0, 0), "a chip was found"),
        ("Difference shared", True, (0, -1, -1, -1), None),
        ("Adjustment", True, (0, 7, 0, 0), "it was his"),
        ("Adjustment, undone", True, (0, -7, 0, 0), "undone"),
        ("Pots shared out", True, (10, 10, 10, 10), None),
    ]


def test_the_paper_adds_up_and_names_every_game_played(summary: SessionSummary) -> None:
    """The totals of hands, of other entries, and the sum; the bank's chips apart; both games."""
    text = reading.text(render(summary, printed_at=PRINTED_AT))
    assert "Progressive Solo, Pennycook (1 hand) and Six-Bid Solo, Pagat (1 hand)" in text
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "Hands −10 −10 −10 −10" in lines
    adjustment = [line for line in lines if line.startswith("Adjustment by")]
    assert any("a chip was found +3 · · ·" in line for line in adjustment)
    loan = next(place for place, line in enumerate(lines) if line.startswith("Loan by"))
    assert lines.index("Standing +3 −1 −1 −1") < loan


def test_an_evening_of_hands_alone_has_one_total_on_paper(sqlite_club: CardClub) -> None:
    """No table of nothing, no second sum."""
    evening = sqlite_club.start()
    evening.record(cash.ANN_WINS)
    summary = evening.read(session.summary)
    text = reading.text(render(summary, printed_at=PRINTED_AT))
    assert summary.other_entries == ()
    assert "Total +150 −50 −50 −50" in text
    assert "Other entries" not in text
    assert "Standing " not in text
