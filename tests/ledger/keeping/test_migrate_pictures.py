"""Migration 0035: players' pictures."""

from ledger.books.transactions import Database
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs, players
from tests.ledger import table
from tests.ledger.photos import PHOTO


def test_a_downgrade_deletes_pictures_and_an_upgrade_brings_none_back(
    own_database: Database,
) -> None:
    """On both databases; the books verify each time, and a player gets a picture again."""
    access, _ = clubs.create(own_database, name="Kitchen", passcode="four aces", author="Sue")
    table.record(own_database, access, table.start(own_database, access), table.HEARTS_74)
    players.change_mark(table.write(own_database, access), 2, emoji="🦊", picture=PHOTO)
    assert list(verify(own_database)) == []
    migrate.downgrade(own_database, "0034")
    migrate.upgrade(own_database)
    assert list(verify(own_database)) == []
    with own_database.read(access) as session:
        everyone = players.everyone(session)
        assert {player.picture for player in everyone} == {""}
        assert {player.emoji for player in everyone} == {"", "🦊"}
    assert players.change_mark(table.write(own_database, access), 2, picture=PHOTO)["picture"]
    assert list(verify(own_database)) == []
