"""Ledgers of earlier versions: a migration fills new columns from their rows, and the way down loses nothing.

Each test goes down to the last revision without something, and up again.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from ledger.books.transactions import Database
from ledger.database.access import Access, Event, Role
from ledger.database.models import SecurityEvent
from ledger.database.revisions import NotMigrated
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.chips import adjust, count
from ledger.services.club import clubs, devices, events, links, players, tokens
from ledger.services.club.passcodes import ClientDevice, origin_of
from ledger.services.hands import correct, versions
from ledger.services.money import expenses
from ledger.services.reads import session, sessions
from ledger.services.session.hand_versions import HandVersion
from ledger.services.session.load import load
from ledger.services.table import start
from ledger.services.undo import last
from tests.ledger import cash, table
from tests.ledger.table import ask


@pytest.fixture
def database(own_database: Database) -> Database:
    """A migrated database for each test alone, on SQLite, then on PostgreSQL."""
    return own_database


def down_and_up(database: Database, revision: str) -> None:
    """Downgrade a database to a revision, and upgrade it again."""
    migrate.downgrade(database, revision)
    migrate.upgrade(database)


def test_who_was_archived_is_back_below_and_stays_back_above(
    database: Database, club: Access
) -> None:
    """The register has it; a column that older entries don't know is compared all the same."""
    table.start(database, club, table.FOUR)
    players.archive(table.write(database, club), 1)
    assert list(verify(database)) == []
    down_and_up(database, "0016")
    assert [each.archived for each in ask(database, club, players.everyone)] == [False] * 4
    assert list(verify(database)) == []
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE player SET archived = true WHERE id = 2"))
    assert "its archived" in str([each.message for each in verify(database)])


def test_a_viewer_link_goes_on_working_and_is_kept_as_a_digest(
    database: Database, club: Access
) -> None:
    """Without an end; it is revoked like any. It can't be shown again."""
    for label, role in (("tablet", Role.SCORER), ("owner", Role.OWNER)):
        tokens.issue(database, club, label=label, role=role)
    migrate.downgrade(database, "0015")
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE club SET viewer_key = 'an old key'"))
    migrate.upgrade(database)
    found, _, link_id = clubs.of_link(database, "an old key")
    assert (found.role, found.club_id) == (Role.VIEWER, club.club_id)
    (kept,) = ask(database, club, links.list_all, club)
    assert (kept.id, kept.expires_at, kept.nonce) == (link_id, None, None)
    assert ask(database, club, links.for_viewers, table.SECRET) is None
    with database.engine.begin() as connection:
        rows = connection.execute(text("SELECT * FROM link")).all()
    assert "an old key" not in str(rows)
    listed = ask(database, club, tokens.list_all, club)
    assert [(each.label, each.role) for each in listed] == [
        ("owner", Role.SCORER),
        ("tablet", Role.SCORER),
    ]
    assert list(verify(database)) == []


def test_links_and_devices_from_before_are_entered_as_they_stand(
    database: Database, club: Access
) -> None:
    """Those with write access, so that verify notices changes of them; going down they are left out again."""
    _, link = links.make(database, club, table.SECRET, role=Role.SCORER, lasts="evening")
    device = ClientDevice(origin_of("192.0.2.7"), "iPhone", {})
    for role in (Role.SCORER, Role.VIEWER):
        devices.admit(database, Access(club.club_id, role, "Mia"), device, link_id=link.id)
    migrate.downgrade(database, "0017")
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE device SET author = 'Tom'"))  # nobody looks there yet
    migrate.upgrade(database)
    assert list(verify(database)) == []
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE device SET role = 'owner'"))
        connection.execute(text("UPDATE link SET expires_at = NULL"))
    findings = "; ".join(map(str, verify(database)))
    assert "device 1: its role is owner, not scorer" in findings
    assert "device 2: no entry says that it is there" in findings
    assert "link 1: its expires_at is None" in findings


def test_scores_are_found_from_the_hands_that_stand(database: Database, club: Access) -> None:
    """Of a mixed evening and of one of scores alone; void hands count in neither."""
    german: dict[str, Any] = {"game": "german-solo", "variant": None, "options": {}}
    mixed = table.start(database, club, table.FOUR)
    table.record(database, club, mixed, cash.ANN_WINS)
    start.change_rules(table.write(database, club), mixed, **german)
    only = table.start(database, club, table.FOUR, "german-solo")
    for evening in (mixed, only):
        for bidder in ("Ann", "Bob"):
            table.record(database, club, evening, table.german_solo(bidder))
    table.void(database, club, only, 1)
    down_and_up(database, "0030")  # forgets the players' own colours, as any such downgrade does
    before = [
        (ask(database, club, load, each), ask(database, club, session.summary, each))
        for each in (mixed, only)
    ]
    down_and_up(database, "0018")
    assert before == [
        (ask(database, club, load, each), ask(database, club, session.summary, each))
        for each in (mixed, only)
    ]
    shown = {seat.name: (seat.net, seat.scored) for seat in before[0][0].seats}
    assert shown == {"Ann": (150, 6), "Bob": (-50, 6), "Cyd": (-50, 0), "Dee": (-50, 0)}
    assert {seat.name: seat.scored for seat in before[1][0].seats if seat.scored} == {"Bob": 6}
    assert list(verify(database)) == []


def test_what_was_won_by_other_entries_is_found_from_the_books(
    database: Database, club: Access
) -> None:
    """Adjusted, counted and shared out, less the undone; hands, loans and stacks are no part of it."""
    to = partial(table.write, database, club)
    tonight = table.start(database, club, table.FOUR, starting_stack=100)
    table.record(database, club, tonight, cash.ANN_WINS)
    cash.lend(database, club, tonight, "Bob", 40)
    adjust.adjust(to(), tonight, player="Bob", chips=-10, reason="fell under the sofa")
    count.record(to(), tonight, {"Cyd": {5: 12}}, post=True)
    adjust.adjust(to(), tonight, player="Dee", chips=7, reason="by mistake")
    last.undo(to(), tonight)
    pots: dict[str, Any] = {"variant": None, "options": {"pots": {"stake": 5}}}
    start.change_rules(to(), tonight, game="progressive", **pots)
    table.record(database, club, tonight, table.ALL_PASS)
    adjust.share_pots(to(), tonight)
    before = [ask(database, club, sessions.of_player, who) for who in (1, 2, 3, 4)]
    down_and_up(database, "0020")
    assert [ask(database, club, sessions.of_player, who) for who in (1, 2, 3, 4)] == before
    with database.engine.connect() as connection:
        found = connection.execute(text("SELECT name, by_other_entries FROM player")).all()
    assert set(found) == {("Ann", 10), ("Bob", 0), ("Cyd", 20), ("Dee", 10)}
    assert list(verify(database)) == []


def test_books_take_corrections_after_a_leaving_once_they_are_upgraded(
    database: Database, club: Access
) -> None:
    """Down and up again while there are none; with one, down is refused and nothing is lost."""
    tonight = table.start(database, club, starting_stack=150, rate=cash.TEN_FOR_ONE)
    table.record(database, club, tonight, cash.ANN_WINS)
    cash.leave(database, club, tonight, "Bob")
    down_and_up(database, "0021")
    assert list(verify(database)) == []
    table.void(database, club, tonight, 1)
    assert list(verify(database)) == []
    assert cash.owed(database, club) == {}
    with pytest.raises(NotMigrated, match="corrected after a player had left"):
        migrate.downgrade(database, "0021")
    assert list(verify(database)) == []


def test_books_with_expenses_can_not_go_below_them(database: Database, club: Access) -> None:
    """Without any, books go down and up; with one they stay as they are, and verify."""
    table.start(database, club, table.FOUR)
    down_and_up(database, "0032")
    cost: Any = {"title": "Pizza", "amount": 900, "payer": "Ann", "shared_by": [("Bob", 1)]}
    expenses.share(table.write(database, club), **cost)
    with pytest.raises(NotMigrated, match="shared expenses"):
        migrate.downgrade(database, "0032")
    assert list(verify(database)) == []


FROG: Mapping[str, Any] = {"contract": {"bidder": "Ann", "bid": "frog"}, "points": 40}


def causes(database: Database, club: Access, played: int, number: int) -> list[object]:
    """Return the causes of a hand's versions, without the numbers of entries."""
    results: tuple[HandVersion, ...] = ask(database, club, versions.of_hand, played, number)
    return [
        version.cause if version.cause is None or "hand" in version.cause else sorted(version.cause)
        for version in results
    ]


def test_an_undo_of_older_books_is_told_by_its_reason(database: Database, club: Access) -> None:
    """And the hand that was followed; the causes written by a later release stay, up and down."""
    played = table.start(
        database, club, table.SEVEN[:3], game="progressive", options={"pots": {"stake": 5}}
    )
    for _ in range(2):
        table.record(database, club, played, FROG)
    correct.void(table.write(database, club), played, 1, reason="undone")
    last.undo(table.write(database, club), played)
    last.redo(table.write(database, club), played)
    told = [[None, [], ["undo"], ["redo"]], [None, {"hand": 1}, {"hand": 1}, {"hand": 1}]]
    assert [causes(database, club, played, number) for number in (1, 2)] == told
    down_and_up(database, "0023")
    assert [causes(database, club, played, number) for number in (1, 2)] == told
    assert list(verify(database)) == []
    migrate.downgrade(database, "0023")
    with database.engine.begin() as connection:
        as_of_old(connection)
    migrate.upgrade(database)
    told = [[None, ["undo"], ["undo"], None], [None, {"hand": 1}, {"hand": 1}, {"hand": 1}]]
    assert [causes(database, club, played, number) for number in (1, 2)] == told
    assert not any("cause" in str(difference) for difference in verify(database))


def as_of_old(connection: Any) -> None:
    """Write the entries as an earlier release did, without causes."""
    is_sqlite = connection.dialect.name == "sqlite"
    guard = "SELECT sql FROM sqlite_master WHERE name = 'journal_entry_no_update'"
    if is_sqlite:
        made = connection.execute(text(guard)).scalar_one()
        connection.execute(text("DROP TRIGGER journal_entry_no_update"))
    else:
        turned = "ALTER TABLE journal_entry {} TRIGGER journal_entry_no_change"
        connection.execute(text(turned.format("DISABLE")))
    connection.execute(text("UPDATE journal_entry SET details = '{}' WHERE hand_id IS NOT NULL"))
    connection.execute(text(made if is_sqlite else turned.format("ENABLE")))


LINES: tuple[tuple[Event, str, dict[str, str]], ...] = (
    (Event.REFUSED, "from 192.0.2.0/24", {"network": "192.0.2.0/24"}),
    (Event.PASSCODE, "", {}),
    (Event.CAME, "iPhone, as scorer", {"kind": "iPhone", "role": "scorer"}),
    (Event.LEFT, "Ann's device's device", {"author": "Ann's device", "kind": "device"}),
    (Event.OUT, "山田's iPad", {"author": "山田", "kind": "iPad"}),
    (
        Event.ROLE,
        "Ann: b, now c's Linux: viewer, now owner",
        {"author": "Ann: b, now c", "kind": "Linux", "before": "viewer", "role": "owner"},
    ),
    (Event.LINK, "viewer's link, for 30 days", {"role": "viewer", "lasts": "month"}),
    (Event.LINK, "scorer's link, for a fortnight", {"role": "scorer", "lasts": "a fortnight"}),
    (Event.LINK_OUT, "owner's link", {"role": "owner"}),
    (Event.TOKEN, "“a “b””, a viewer's", {"label": "a “b”", "role": "viewer"}),
    (Event.TOKEN_OUT, "“{label}”", {"label": "{label}"}),
    (Event.TOKEN_OUT, "something else", {"text": "something else"}),
)
"""Lines of each kind: sentences of earlier releases, and the values in them."""


def test_the_log_of_an_older_ledger_reads_as_before(database: Database, club: Access) -> None:
    """Each sentence becomes values that render the same sentence; a downgrade restores the text."""
    migrate.downgrade(database, "0024")
    insert = text(
        "INSERT INTO security_event (club_id, at, kind, who, what, network, times)"
        " VALUES (:club, '2025-11-20 20:00:00.000000', :kind, 'Sue', :what, '', 1)"
    )
    with database.engine.begin() as connection:
        connection.execute(text("DELETE FROM security_event"))
        for kind, what, _ in LINES:
            connection.execute(insert, {"club": club.club_id, "kind": kind.value, "what": what})
    sentences = [what for _, what, _ in LINES]
    migrate.upgrade(database)
    for kind, what, values in LINES:
        assert str(events.sentence(kind, values)) == what
    assert [line.what for line in ask(database, club, events.list_all, club)][::-1] == sentences
    with database.engine.begin() as connection:
        stored = connection.execute(select(SecurityEvent.details).order_by(col(SecurityEvent.id)))
        rows = list(stored.scalars())
    assert rows == [values for _, _, values in LINES]
    migrate.downgrade(database, "0024")
    with database.engine.begin() as connection:
        kept = connection.execute(text("SELECT what FROM security_event ORDER BY id"))
        assert list(kept.scalars()) == sentences
    migrate.upgrade(database)
    assert [line.what for line in ask(database, club, events.list_all, club)][::-1] == sentences
