"""What other entries moved: read for the paper, so that its figures can be added up."""

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.report import render
from ledger.report.column_widths import standings
from ledger.services.chips import adjust
from ledger.services.reads import session
from ledger.services.reads.summary import SessionSummary
from ledger.services.table import start
from ledger.services.undo import last
from tests.ledger import cash, table
from tests.ledger.report import reading
from tests.ledger.report.evenings import PRINTED_AT
from tests.ledger.table import ask

POTS = {"pots": {"stake": 5}}


def evening(database: Database, club: Access) -> int:
    """All pass for 10 each; Ann gets 3 and the four share them; a pot goes to Bob, the others are shared."""
    session_id = table.start(
        database, club, table.FOUR, "progressive", options=POTS, starting_stack=100
    )
    table.record(database, club, session_id, table.ALL_PASS)
    cash.lend(database, club, session_id, "Cyd", 50)
    adjust.adjust(
        table.write(database, club), session_id, player="Ann", chips=3, reason="a chip was found"
    )
    adjust.share_differences(table.write(database, club), session_id)
    adjust.adjust(
        table.write(database, club),
        session_id,
        player="Bob",
        chips=7,
        reason="it was his",
        pot="frog",
    )
    last.undo(table.write(database, club), session_id)
    adjust.share_pots(table.write(database, club), session_id)
    start.change_rules(
        table.write(database, club), session_id, game="six-bid", variant="pagat", options={}
    )
    table.record(database, club, session_id, table.ALL_PASS)
    return session_id


def summary(database: Database, club: Access) -> SessionSummary:
    """The evening as the paper takes it."""
    return ask(database, club, session.summary, evening(database, club))


def test_hands_and_what_moved_besides_come_to_the_standings(
    database: Database, club: Access
) -> None:
    """Every seat, to the chip; the bank's chips are in no standing."""
    found = summary(database, club)
    by_name = dict(zip(found.seats, standings(found), strict=True))
    assert by_name == {line.name: line.balance for line in found.standings}
    assert by_name == {"Ann": 3, "Bob": -1, "Cyd": -1, "Dee": -1}


def test_everything_besides_hands_is_told_with_who_and_why(
    database: Database, club: Access
) -> None:
    """In the order it was done; what was taken back is told twice, the second time the other way."""
    told = [
        (each.title, each.counts, each.amounts, each.reason)
        for each in summary(database, club).other_entries
    ]
    assert told == [
        ("Starting chips", False, (100, 100, 100, 100), None),
        ("Loan", False, (0, 0, 50, 0), None),
        ("Adjustment", True, (3, 0, 0, 0), "a chip was found"),
        ("Difference shared", True, (0, -1, -1, -1), None),
        ("Adjustment", True, (0, 7, 0, 0), "it was his"),
        ("Adjustment, undone", True, (0, -7, 0, 0), "undone"),
        ("Pots shared out", True, (10, 10, 10, 10), None),
    ]


def test_the_paper_adds_up_and_names_every_game_played(database: Database, club: Access) -> None:
    """What hands came to, what came besides, and the sum; the bank's chips apart; both games."""
    text = reading.text(render(summary(database, club), printed_at=PRINTED_AT))
    assert "Progressive Solo, Pennycook (1 hand) and Six-Bid Solo, Pagat (1 hand)" in text
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "Hands −10 −10 −10 −10" in lines
    assert any(
        line.startswith("Adjustment by") and "a chip was found +3 · · ·" in line for line in lines
    )
    assert "Standing +3 −1 −1 −1" in lines
    assert lines.index("Standing +3 −1 −1 −1") < next(
        place for place, line in enumerate(lines) if line.startswith("Loan by")
    )


def test_where_nothing_came_besides_hands_the_paper_has_one_total(
    database: Database, club: Access
) -> None:
    """No table of nothing, no second sum."""
    session_id = table.start(database, club, table.FOUR)
    table.record(database, club, session_id, cash.ANN_WINS)
    found = ask(database, club, session.summary, session_id)
    text = reading.text(render(found, printed_at=PRINTED_AT))
    assert found.other_entries == ()
    assert "Total +150 −50 −50 −50" in text
    assert "Other entries" not in text
    assert "Standing " not in text
