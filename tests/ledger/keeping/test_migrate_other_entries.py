"""Books from before players had a sum of what they won by other entries: it is found from these."""

from functools import partial
from typing import Any

from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.chips import adjust, count
from ledger.services.club import clubs
from ledger.services.reads import sessions
from ledger.services.table import start
from ledger.services.undo import last
from tests.ledger import cash, table
from tests.ledger.table import ask

BEFORE = "0020"
"""The last revision without the sum."""


def test_what_was_won_by_other_entries_is_found_from_the_books(database_url: str) -> None:
    """Adjusted, counted and shared out, less what was undone; hands, loans and stacks are no part of it."""
    database = Database(database_url)
    migrate.upgrade(database)
    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
    to = partial(table.write, database, access)
    tonight = table.start(database, access, table.FOUR, starting_stack=100)
    table.record(database, access, tonight, cash.ANN_WINS)
    cash.lend(database, access, tonight, "Bob", 40)
    adjust.adjust(to(), tonight, player="Bob", chips=-10, reason="fell under the sofa")
    count.record(to(), tonight, {"Cyd": {5: 12}}, post=True)
    adjust.adjust(to(), tonight, player="Dee", chips=7, reason="by mistake")
    last.undo(to(), tonight)
    pots: dict[str, Any] = {"variant": None, "options": {"pots": {"stake": 5}}}
    start.change_rules(to(), tonight, game="progressive", **pots)
    table.record(database, access, tonight, table.ALL_PASS)
    adjust.share_pots(to(), tonight)
    before = [ask(database, access, sessions.of_player, who) for who in (1, 2, 3, 4)]
    migrate.downgrade(database, BEFORE)
    migrate.upgrade(database)
    assert [ask(database, access, sessions.of_player, who) for who in (1, 2, 3, 4)] == before
    with database.engine.connect() as connection:
        found = connection.execute(text("SELECT name, by_other_entries FROM player")).all()
    assert set(found) == {("Ann", 10), ("Bob", 0), ("Cyd", 20), ("Dee", 10)}
    assert list(verify(database)) == []
    database.close()
