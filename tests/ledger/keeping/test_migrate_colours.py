"""Migration 0031: players' colours and emoji."""

from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.models import Player
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs, players
from tests.ledger import table


def test_a_downgrade_forgets_colours_and_an_upgrade_gives_those_of_the_order_of_entry(
    own_database: Database,
) -> None:
    """On both databases; the books verify, and later players get the rarest colour again."""
    access, _ = clubs.create(own_database, name="Kitchen", passcode="four aces", author="Sue")
    table.record(own_database, access, table.start(own_database, access), table.HEARTS_74)
    players.change_mark(table.write(own_database, access), 2, colour=11, emoji="🦊")
    assert list(verify(own_database)) == []
    migrate.downgrade(own_database, "0030")
    migrate.upgrade(own_database)
    assert list(verify(own_database)) == []
    with own_database.read(access) as session:
        assert set(session.exec(select(Player.colour)).all()) == {None}
        everyone = sorted(players.everyone(session), key=lambda player: player.id)
    assert [player.colour for player in everyone] == list(range(len(everyone)))
    assert {player.emoji for player in everyone} == {""}
    added = players.add(table.write(own_database, access), name="Zoë")
    assert added["colour"] == len(everyone)
    assert list(verify(own_database)) == []
