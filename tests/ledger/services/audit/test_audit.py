"""Verifying a ledger in order, after a change of wording, and with digests, types and triggers changed."""

import pytest
from sqlalchemy import text

from ledger.database.access import Access, Role
from ledger.services.audit import verify
from ledger.services.hands import versions
from ledger.services.session.view import Rate
from tests.ledger import table
from tests.ledger.evenings import CardClub, skip_ids
from tests.ledger.services.audit.books import (
    SignedLedger,
    findings,
    replace_words,
    restore_triggers,
    unguarded,
)
from tests.ledger.table import ask


def test_books_in_order_show_no_difference(ledger: SignedLedger) -> None:
    """After hands, corrections, voids, loans, leavings: no report, and every entry was read."""
    progress: list[tuple[int, int]] = []
    differences = verify(
        ledger.db, lambda done, total: progress.append((done, total)), outside=ledger.outside
    )
    assert list(differences) == []
    with ledger.db.read() as session:
        count = session.execute(text("SELECT count(*) FROM journal_entry")).scalar_one()
    assert progress[-1] == (count, count) == (52, 52)


def test_hands_whose_ids_have_gaps_are_in_order(any_club: CardClub) -> None:
    """Another session had the ids between, or a write that was rolled back."""
    evening = any_club.start()
    for _ in range(3):
        evening.record(table.HEARTS_74)
        with any_club.writing() as session:
            skip_ids(session)
    any_club.must_verify()
    with any_club.db.engine.begin() as connection:
        connection.execute(text("UPDATE result SET amount = amount + 1 WHERE hand_id > 1"))
    found = " ".join(map(str, verify(any_club.db)))
    assert "hand 2" in found
    assert "hand 1:" not in found


def test_a_conversion_in_which_the_bank_has_no_part_is_in_order(sqlite_club: CardClub) -> None:
    """The winnings sum to zero, so no chip goes to the bank: it has no posting."""
    evening = sqlite_club.start(table.SEVEN, rate=Rate(10, 5))
    evening.record(table.HEARTS_74)
    evening.convert()
    sqlite_club.must_verify()


def test_a_sentence_that_is_put_another_way_leaves_the_books_in_order(
    ledger: SignedLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ledger stores the numbers of an explanation; its words are added when it is shown."""
    replace_words(monkeypatch)
    assert list(verify(ledger.db)) == []
    reader = Access(1, Role.VIEWER, "Sue")
    view = ask(ledger.db, reader, versions.of_hand, 1, 2)[-1].localized_verdict["explanation"]
    assert view[0] == "25 more than 60 with 85 card points"


def test_a_swapped_pair_of_hashes_is_found(ledger: SignedLedger) -> None:
    """Two entries that exchanged their digests break the chain at both, and in no other club."""
    with unguarded(ledger.db) as connection:
        rows = connection.execute(text("SELECT id, digest FROM journal_entry WHERE club_id = 1"))
        digests = {row.id: row.digest for row in rows}
        for digest, entry in (("x", 3), (digests[3], 4), (digests[4], 3)):
            connection.exec_driver_sql(
                f"UPDATE journal_entry SET digest = '{digest}' WHERE club_id = 1 AND id = {entry}"
            )
        places = {report.split(": ")[0] for report in findings(connection)}
    assert {"Ours, entry 3", "Ours, entry 4", "Ours, entry 5"} <= places
    assert not any(place.startswith("Theirs") for place in places)


@pytest.mark.parametrize("ledger", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("changes", "reports"),
    [
        (["UPDATE posting SET amount = 'many' WHERE club_id = 1 AND id = 9",
          "UPDATE tally SET won = won + 1 WHERE id = 1"],
         ["holds something that is not a number", "tally of player"]),
        (["UPDATE hand SET version = 2 WHERE club_id = 1 AND id = 3",
          "UPDATE play_session SET hands_dealt = 'x'"],
         ["it says 2 versions", "they can't be read on"]),
    ],
)  # fmt: skip
def test_a_value_of_another_type_hides_no_other_difference(
    ledger: SignedLedger, changes: list[str], reports: list[str]
) -> None:
    """SQLite stores any type in any column; verify reports it and goes on."""
    with unguarded(ledger.db) as connection:
        for change in changes:
            connection.exec_driver_sql(change)
        found = findings(connection)
    for expected in reports:
        assert any(expected in report for report in found), found


def test_a_guard_that_is_gone_is_named(ledger: SignedLedger) -> None:
    """Each trigger, if all of them were dropped."""
    is_sqlite = ledger.db.is_sqlite
    with unguarded(ledger.db) as connection:
        if not is_sqlite:
            connection.exec_driver_sql("DROP TRIGGER posting_no_change ON posting")
        missing = [report for report in findings(connection) if "this trigger is missing" in report]
    tables = ("hand_version", "journal_entry", "posting") if is_sqlite else ("posting",)
    guards = {"no_update", "no_delete", "no_replace"} if is_sqlite else {"no_change"}
    removed = {f"{table}_{guard}" for table in tables for guard in guards}
    if is_sqlite:
        removed.add("posting_open_account")
    places = {report.split(": ")[0] for report in missing}
    assert places == {f"The books, {guard}" for guard in removed}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE posting SET amount = amount + 1 WHERE club_id = 2 AND id = 1",
        "UPDATE hand_version SET author = 'Tom' WHERE club_id = 2 AND id = 1",
        "UPDATE result SET amount = amount + 1 WHERE club_id = 2 AND id = 1",
        "UPDATE tally SET hands = 9 WHERE club_id = 2 AND id = 1",
        "UPDATE seat SET state = 'gone' WHERE club_id = 2 AND id = 1",
        "DELETE FROM hand WHERE club_id = 2 AND id = 1",
        "DELETE FROM account WHERE club_id = 2 AND id = 1",
        "DELETE FROM player WHERE club_id = 2 AND id = 1",
        "DELETE FROM club_name WHERE club_id = 2",
        "UPDATE club SET last_ids = '{}' WHERE id = 2",
    ],
)
def test_of_two_clubs_with_equal_ids_only_the_changed_one_is_reported(
    ledger: SignedLedger, change: str
) -> None:
    """The other club has a sound row with the same id."""
    with unguarded(ledger.db) as connection:
        assert connection.exec_driver_sql(change).rowcount
        restore_triggers(connection)
        reports = [each for each in findings(connection) if "constraint" not in each]
    assert reports
    assert [report for report in reports if not report.startswith("Theirs, ")] == []


def test_rows_of_a_club_that_is_gone_are_reported_by_its_number(ledger: SignedLedger) -> None:
    """As references of its rows, and as names and digests by which nobody must be found."""
    with unguarded(ledger.db) as connection:
        connection.exec_driver_sql("DELETE FROM club WHERE id = 2")
        reports = findings(connection, ledger.outside)
    assert {
        "club 2, player 1: its club_id is 2, which is gone",
        "club 2, club_name: 1 row for a name that the club does not have",
    } <= {*reports}
    assert not any(report.startswith("Ours, ") for report in reports)
