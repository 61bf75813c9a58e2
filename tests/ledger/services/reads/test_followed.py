"""The numbers of followed sessions and clubs."""

from ledger.books.transactions import Database
from ledger.services.club import clubs
from ledger.services.reads.followed import numbers
from tests.ledger import table


def test_more_sessions_are_followed_than_a_statement_has_parameters(any_database: Database) -> None:
    """Of two clubs with the same numbers of sessions each number is its own; others are left out."""
    ours, theirs = (
        clubs.create(any_database, name=name, passcode="four aces")[0]
        for name in ("Kitchen", "Garden")
    )
    for access in (ours, theirs):
        table.start(any_database, access)
    table.record(any_database, theirs, 1, table.HEARTS_74)
    known = [(ours.club_id, 1), (theirs.club_id, 1)]
    unknown = [(ours.club_id, number) for number in range(2, 40_000)]
    with any_database.read() as session:
        read = numbers(session, [*unknown, *known, (2**62, 2**62)], [])
    assert read.sessions == {known[0]: 1, known[1]: 2}
