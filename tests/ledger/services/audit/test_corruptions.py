"""Two hundred changes of a ledger past the program: verify reports each, or the threat page lists it."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from sqlalchemy import Connection

from ledger.books.chain import GENESIS, EntryHeader, seal
from ledger.database import json
from ledger.database.kinds.entries import EntryKind
from ledger.services.audit import Outside
from ledger.services.audit.raw import instant
from tests.ledger.services.audit.books import SignedLedger, findings, restore_triggers, unguarded
from tests.support.tree import ROOT

Change = str | Callable[[Connection], None]

THREATS = (ROOT / ".docs" / "THREATS.md").read_text(encoding="utf-8")
GROUPS = tomllib.loads(Path(__file__).with_name("corruptions.toml").read_text("utf-8"))["group"]
HAND = "(SELECT max(id) FROM journal_entry WHERE kind = 'hand' AND club_id = 1)"
OLD = "'2020-01-01 00:00:00.000000'"
PLACEHOLDERS = {
    "$POSTING": "(SELECT min(id) FROM posting WHERE club_id = 1 AND entry_id = $HAND)",
    "$HAND": HAND,
    "$LAST": "(SELECT max(id) FROM journal_entry WHERE club_id = 1)",
    "$OLD": OLD,
}
"""The abbreviations of `corruptions.toml`."""


def seal_again(connection: Connection) -> None:
    """Seal the chain of club 1 again over all that its entries state now."""
    previous = GENESIS
    entries = connection.exec_driver_sql(
        "SELECT id, session_id, kind, author, occurred_at, entered_at, hand_id, reason, reverses_id, details "
        "FROM journal_entry WHERE club_id = 1 ORDER BY id"
    )
    for entry in entries.all():
        postings = connection.exec_driver_sql(
            f"SELECT account_id, amount FROM posting WHERE club_id = 1 AND entry_id = {entry.id}"
        )
        record = connection.exec_driver_sql(
            f"SELECT record FROM hand_version WHERE club_id = 1 AND entry_id = {entry.id}"
        ).scalar()
        header = EntryHeader(
            session_id=entry.session_id,
            kind=EntryKind(entry.kind),
            author=entry.author,
            occurred_at=instant(entry.occurred_at),
            entered_at=instant(entry.entered_at),
            hand_id=entry.hand_id,
            reason=entry.reason,
            reverses_id=entry.reverses_id,
            details=json.read(entry.details),
            record=record,
        )
        digest = seal(previous, header, {posting[0]: posting[1] for posting in postings})
        connection.exec_driver_sql(
            f"UPDATE journal_entry SET previous_digest = '{previous}', digest = '{digest}' "
            f"WHERE club_id = 1 AND id = {entry.id}"
        )
        previous = digest


def remove_club(connection: Connection) -> None:
    """Delete every row of the second club."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%club_id%'"
    for (name,) in connection.exec_driver_sql(tables).all():
        connection.exec_driver_sql(f"DELETE FROM {name} WHERE club_id = 2")
    connection.exec_driver_sql("DELETE FROM club WHERE id = 2")


def corrupted(
    ledger: SignedLedger, changes: Sequence[Change], outside: Outside | None = None
) -> list[str]:
    """Return verify's report after these changes, which are rolled back."""
    with unguarded(ledger.db) as connection:
        for change in changes:
            if callable(change):
                change(connection)
                continue
            for abbreviation, sql in PLACEHOLDERS.items():
                change = change.replace(abbreviation, sql)
            if ledger.db.is_sqlite:
                change = change.replace("::json", "")
            assert connection.exec_driver_sql(change).rowcount, change
        restore_triggers(connection)
        return findings(connection, outside or ledger.outside)


def reported_corruptions(group: Mapping[str, object]) -> list[list[str]]:
    """Return the rows of a group: each a report and the statements that cause it."""
    rows = group["corruptions"]
    assert isinstance(rows, list)
    return rows


on_sqlite = pytest.mark.parametrize("ledger", ["sqlite"], indirect=True)


def check_reports(ledger: SignedLedger, group: Mapping[str, object]) -> None:
    """Make all changes of a group, and check that each is reported."""
    rows = reported_corruptions(group)
    reports = corrupted(ledger, [change for _, *changes in rows for change in changes])
    for expected, *_ in rows:
        assert any(expected in report for report in reports), expected


@pytest.mark.parametrize("group", [group for group in GROUPS if group["on"] == "both"])
def test_what_somebody_with_the_database_changes_is_reported(
    ledger: SignedLedger, group: Mapping[str, object]
) -> None:
    """Each change of a group by a report of its own, which no other change of the group causes."""
    check_reports(ledger, group)


@on_sqlite
@pytest.mark.parametrize("group", [group for group in GROUPS if group["on"] == "sqlite"])
def test_what_only_sqlite_stores_is_reported(
    ledger: SignedLedger, group: Mapping[str, object]
) -> None:
    """Text in a column of numbers, broken JSON, other ways to write a value."""
    check_reports(ledger, group)


def test_there_are_two_hundred_of_them() -> None:
    """The threat page states so."""
    assert sum(len(reported_corruptions(group)) for group in GROUPS) >= 200


SCORED_AGAIN: tuple[Change, ...] = (
    "UPDATE hand_version SET record = replace(record, '\"points\":74', '\"points\":75') "
    "WHERE club_id = 1 AND entry_id = $HAND",
    seal_again,
)


@on_sqlite
@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        ("of no key that is known here", SCORED_AGAIN),
        (
            "it is not signed, as all are",
            (*SCORED_AGAIN, "UPDATE journal_entry SET signature = NULL"),
        ),
        (
            "of no key that is known here",
            ("UPDATE journal_entry SET author = 'Tom'", seal_again),
        ),
        ("no entry has the head", (remove_club,)),
    ],
)
def test_a_chain_that_was_sealed_again_or_removed_is_reported(
    ledger: SignedLedger, expected: str, changes: tuple[Change, ...]
) -> None:
    """By signatures and by heads that were kept elsewhere."""
    reports = corrupted(ledger, changes)
    assert any(expected in report for report in reports), reports


@on_sqlite
def test_triggers_that_were_emptied_are_reported(ledger: SignedLedger) -> None:
    """Each has its name and does nothing."""
    triggers = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'"
    with ledger.db.engine.connect() as connection:
        names = connection.exec_driver_sql(triggers).all()
    with unguarded(ledger.db) as connection:
        for name, table_name in names:
            connection.exec_driver_sql(
                f"CREATE TRIGGER {name} BEFORE UPDATE ON {table_name} BEGIN SELECT 1; END"
            )
        reports = findings(connection, ledger.outside)
    assert {
        f"The books, {name}: this trigger is not what the program makes" for name, _ in names
    } <= {report.partition(" makes")[0] + " makes" for report in reports}


LISTED: Mapping[str, Sequence[str]] = {
    "revision of a session": ["UPDATE play_session SET revision = 99 WHERE club_id = 1 AND id = 1"],
    "engine version": [
        "UPDATE hand_version SET engine_version = '0.0.1' WHERE club_id = 1 AND id = 1"
    ],
    "Stored responses for retries": [
        "UPDATE written_answer SET answer = '{\"id\":9}' WHERE club_id = 1 AND id = 1",
        "DELETE FROM written_answer",
    ],
    "Devices that only read": [
        "UPDATE device SET author = 'Tom' WHERE club_id = 1 AND id = 3",
        "DELETE FROM device WHERE club_id = 1 AND id = 3",
    ],
    "last use": [f"UPDATE device SET last_used_at = {OLD}, network = 'there'"],
    "a club's log": ["DELETE FROM security_event"],
}
"""Changes that verify can't report, by their words on the threat page."""


@on_sqlite
@pytest.mark.parametrize("length", [1, 2])
def test_what_is_not_reported_is_on_the_threat_page(ledger: SignedLedger, length: int) -> None:
    """All at once; corruptions reported from now on are taken off that page."""
    changes = [change for listed in LISTED.values() for change in listed[:length]]
    assert corrupted(ledger, changes) == []
    assert [words for words in LISTED if words not in THREATS] == []


@on_sqlite
def test_a_removed_club_is_missed_by_a_head_alone(ledger: SignedLedger) -> None:
    """Without a head nothing shows that the club ever existed, as the threat page states."""
    assert corrupted(ledger, [remove_club], Outside(ledger.outside.keys)) == []
    assert "A removed club" in THREATS
