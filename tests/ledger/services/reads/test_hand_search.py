"""The hands that somebody looks for, on both databases."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.hands import correct
from ledger.services.reads import hand_search
from ledger.services.reads.hand_search import HandFilter
from ledger.services.session.load import load
from tests.ledger import table
from tests.ledger.services.reads.test_hand_pages import ALL_PASS, FROG, LOST
from tests.ledger.table import ask


@pytest.fixture
def five(any_database: Database, access: Access) -> int:
    """Five hands, of which the first was corrected, so that others followed it, and the fourth is void."""
    pots = {"pots": {"stake": 5}}
    at = table.start(any_database, access, ("Ann", "Bob", "Cyd"), "progressive", options=pots)
    for hand in (FROG, LOST, ALL_PASS, LOST, FROG):
        table.record(any_database, access, at, hand)
    correct.correct(table.write(any_database, access), at, 1, LOST, reason="miscounted")
    table.void(any_database, access, at, 4)
    return at


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (HandFilter(), [5, 4, 3, 2, 1]),
        (HandFilter(player="Ann"), [5]),
        (HandFilter(player="Bob", bid="spade-solo"), [4, 2, 1]),
        (HandFilter(bid="pass"), [3]),
        (HandFilter(lost=True), [2, 1]),
        (HandFilter(changed=True), [4, 1]),
        (HandFilter(player="Zoe"), []),
    ],
)
def test_hands_are_found_by_what_holds_now(
    any_database: Database, access: Access, five: int, wanted: HandFilter, numbers: list[int]
) -> None:
    """What a corrected hand said before finds nothing; a hand that only followed is not a changed one."""
    found = ask(
        any_database,
        access,
        lambda session: hand_search.numbers(session, load(session, five), wanted),
    )
    assert found == numbers
