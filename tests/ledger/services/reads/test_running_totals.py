"""The running totals of an evening: they are the history's, point by point."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.reads import running_totals, session
from ledger.services.reads.running_totals import RunningTotals
from ledger.services.session.load import load
from ledger.services.table import seating
from tests.ledger import table
from tests.ledger.services.reads.test_hand_pages import FROG, an_evening
from tests.ledger.table import ask


def of(db: Database, club: Access, at: int) -> RunningTotals:
    """Read the running totals of a session."""
    return ask(db, club, lambda session: running_totals.in_unit(session, load(session, at)))


def test_a_line_is_the_running_totals_of_the_history(database: Database, club: Access) -> None:
    """With corrected and void hands, and what other entries won; from nothing before the first."""
    at = an_evening(database, club)
    whole = ask(database, club, session.hands, at)
    found = of(database, club, at)
    assert found.hands == 9
    for place, line in enumerate(found.lines):
        after = dict(zip(line.hands, line.totals, strict=True))
        assert after[line.hands[0]] == 0
        for hand in whole:
            if hand.number > line.hands[0]:
                assert after[hand.number] == hand.balances[place], (line.name, hand.number)


def test_a_long_evening_has_no_more_points_than_can_be_told_apart(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine hands in four points: after three, six and nine, as they stand then."""
    at = an_evening(database, club)
    whole = {hand.number: hand for hand in ask(database, club, session.hands, at)}
    monkeypatch.setattr(running_totals, "MOST", 3)
    for place, line in enumerate(of(database, club, at).lines):
        assert line.hands == (0, 3, 6, 9)
        assert line.totals == (0, *(whole[number].balances[place] for number in (3, 6, 9)))


def test_who_comes_late_has_no_line_before(database: Database, club: Access) -> None:
    """Dee joins after nine hands and plays the tenth; before any hand nobody has moved."""
    at = an_evening(database, club)
    seating.join(table.write(database, club), at, player="Dee")
    assert of(database, club, at).lines[3].hands == (9,)
    table.record(database, club, at, {**FROG, "active": ["Dee", "Ann", "Bob"], "dealer": "Cyd"})
    assert of(database, club, at).lines[3].hands == (9, 10)
    empty = table.start(database, club, ("Ann", "Bob", "Cyd"), "six-bid")
    assert {line.totals for line in of(database, club, empty).lines} == {(0,)}
