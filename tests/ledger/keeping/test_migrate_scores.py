"""Books in which chips and scores shared a sum: each has its own above, and the way down loses neither."""

from typing import Any

from ledger.books.transactions import Database
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs
from ledger.services.reads import session
from ledger.services.session.load import load
from ledger.services.table import start
from tests.ledger import cash, table
from tests.ledger.table import ask

BEFORE = "0018"
"""The last revision that knew no scores apart."""


def test_scores_are_found_from_the_hands_that_stand(database_url: str) -> None:
    """Of a mixed evening and of one of scores alone; what is void counts in neither."""
    database = Database(database_url)
    migrate.upgrade(database)
    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
    german: dict[str, Any] = {"game": "german-solo", "variant": None, "options": {}}
    mixed = table.start(database, access, table.FOUR)
    table.record(database, access, mixed, cash.ANN_WINS)
    start.change_rules(table.write(database, access), mixed, **german)
    only = table.start(database, access, table.FOUR, "german-solo")
    for evening in (mixed, only):
        for bidder in ("Ann", "Bob"):
            table.record(database, access, evening, table.german_solo(bidder))
    table.void(database, access, only, 1)
    before = [
        (ask(database, access, load, each), ask(database, access, session.summary, each))
        for each in (mixed, only)
    ]
    migrate.downgrade(database, BEFORE)
    migrate.upgrade(database)
    assert before == [
        (ask(database, access, load, each), ask(database, access, session.summary, each))
        for each in (mixed, only)
    ]
    shown = {seat.name: (seat.net, seat.scored) for seat in before[0][0].seats}
    assert shown == {"Ann": (150, 6), "Bob": (-50, 6), "Cyd": (-50, 0), "Dee": (-50, 0)}
    assert {seat.name: seat.scored for seat in before[1][0].seats if seat.scored} == {"Bob": 6}
    assert list(verify(database)) == []
    database.close()
