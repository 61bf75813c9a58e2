"""Imported clubs: the keys of their origins, and the first entry written in them here."""

from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from ledger.books.chain import origin_statement
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import ClubOrigin, JournalEntry, Link
from ledger.database.scope import insert
from ledger.runtime.clock import now
from ledger.runtime.signing import SigningKey, new_key
from ledger.services.audit import Outside, differences
from ledger.services.club import devices, links, moving, tokens
from ledger.services.club.passcodes import NOBODY
from tests.ledger import table
from tests.ledger.services.audit.books import KEY, an_evening, unguarded

HERE = SigningKey.from_text(new_key(now()))
"""The key of the installation that imported the club."""

OUTSIDE = Outside([HERE], in_use=True, remedy="put the key back")


@pytest.fixture
def imported(database: Database, club: Access) -> Database:
    """A copy of a club: all entries are signed by ``KEY``, and nobody has access to it here."""
    with unguarded(database) as connection:  # the founding is not signed
        digest = connection.scalar(text("SELECT digest FROM journal_entry"))
        values: dict[str, Any] = {"signature": KEY.sign(club.club_id, str(digest))}
        connection.execute(text("UPDATE journal_entry SET signature = :signature"), values)
        connection.commit()
    database.signer = KEY
    tokens.issue(database, club, label="a script", role=Role.SCORER)
    devices.admit(database, club, NOBODY)
    an_evening(database, club)
    database.signer = HERE
    with database.read(club) as session:
        last = session.exec(
            select(JournalEntry.id, JournalEntry.digest).order_by(col(JournalEntry.id).desc())
        ).first()
    assert last is not None
    row: dict[str, Any] = {"number": club.club_id, "public_key": KEY.public}
    signed = HERE.sign(club.club_id, origin_statement(club.club_id, KEY.public, last))
    row |= {"last_entry_id": last[0], "signature": signed, "arrived_at": now()}
    with database.write(club) as session:
        insert(session, ClubOrigin, row)
    with unguarded(database) as connection:
        for rows in ("key_digest", "api_token", "device", "link"):
            connection.execute(text(f"DELETE FROM {rows}"))
        values = {"hash": "nobody has it"}
        connection.execute(text("UPDATE club SET passcode_hash = :hash"), values)
        connection.commit()
    return database


def found(db: Database, *changes: str) -> list[str]:
    """Return the findings after changes of the books, which are not kept."""
    with unguarded(db) as connection:
        for change in changes:
            connection.execute(text(change.replace(":another", f"'{HERE.public}'")))
        findings = differences(connection, outside=OUTSIDE)
        return [str(each) for each in findings if "trigger" not in str(each)]


def test_a_copy_verifies_without_the_rows_that_gave_access_at_its_origin(
    imported: Database,
) -> None:
    """And with its entries signed by the origin's key, which this installation does not trust else."""
    assert found(imported) == []


def test_the_first_write_in_a_copy_registers_who_has_access_here(
    imported: Database, club: Access
) -> None:
    """The rows that stayed behind are registered as gone, once."""
    links.make(imported, club, table.SECRET, role=Role.VIEWER, lasts="year")
    with imported.read(club) as session:
        rows = session.exec(
            select(JournalEntry.details).order_by(col(JournalEntry.id).desc()).limit(1)
        ).one()["rows"]
    assert {name for name, values in rows.items() if values is None} == {"api_token/1", "device/1"}
    assert rows["club/1"]["name"] == "Kitchen Table"
    assert rows["link/1"]["role"] == "viewer"
    assert found(imported) == []
    tokens.issue(imported, club, label="a script", role=Role.SCORER)
    an_evening(imported, club)
    assert found(imported) == []
    assert found(imported, "UPDATE club SET passcode_hash = 'mine'") == [
        f"Kitchen Table, club 1: its passcode_hash is not what entry {_adopted(imported)} says"
    ]


def _adopted(db: Database) -> int:
    with db.read() as session:
        last = session.exec(select(ClubOrigin.last_entry_id)).one()
    return last + 1


def test_a_link_made_by_the_import_itself_is_registered_with_the_first_write(
    imported: Database, club: Access
) -> None:
    """The register did not note it, so that the copy has its origin's entries only."""
    row = {"role": "owner", "digest": "d", "made_by": "Sue", "created_at": now()}
    with imported.write(club) as session:
        link_id = insert(session, Link, row)
    with unguarded(imported) as connection:
        connection.execute(text("INSERT INTO key_digest (digest, club_id) VALUES ('d', 1)"))
        connection.commit()
    assert found(imported) == []
    devices.admit(imported, club, NOBODY, link_id=link_id)
    assert found(imported) == []
    assert any(
        "link 1: its made_by is Eve" in each
        for each in found(imported, "UPDATE link SET made_by = 'Eve'")
    )


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("UPDATE club_origin SET number = 3", "no key that is known here has signed its key"),
        ("UPDATE club_origin SET number = 3", "signatures of no key that is known here"),
        ("UPDATE club_origin SET public_key = NULL", "signatures of no key that is known here"),
        ("UPDATE club_origin SET public_key = :another", "signatures of no key that is known here"),
        ("UPDATE club_origin SET public_key = 'forged'", "signatures of no key that is known here"),
        ("UPDATE club_origin SET signature = NULL", "no key that is known here has signed its key"),
        ("UPDATE club_origin SET last_entry_id = 3", "no key that is known here has signed its key"),
        ("UPDATE club_origin SET last_entry_id = 99", "origin 1: its last entry 99 is gone"),
        ("DELETE FROM club_origin", "signatures of no key that is known here"),
        ("UPDATE journal_entry SET id = id + 50 WHERE id = (SELECT last_entry_id FROM club_origin)",
         "is gone"),
    ],
)  # fmt: skip
def test_an_origin_changed_past_the_program_is_a_difference(
    imported: Database, change: str, finding: str
) -> None:
    """A forger can't state another key: this installation has not signed it."""
    assert any(finding in each for each in found(imported, change)), found(imported, change)


@pytest.mark.parametrize("number", [1, 7])
def test_a_first_write_that_changes_the_club_registers_all_of_its_row(
    imported: Database, club: Access, number: int
) -> None:
    """Also if the club has another number here than at its origin, where its row was registered."""
    stated = origin_statement(number, KEY.public, _last(imported))
    with unguarded(imported) as connection:
        values = {"number": number, "signature": HERE.sign(club.club_id, stated)}
        connection.execute(
            text("UPDATE club_origin SET number = :number, signature = :signature"), values
        )
        connection.commit()
    moving.leave(imported, club, "https://cards.example.org")
    faults = [each for each in found(imported) if "signatures" not in each]
    assert faults == []
    assert any(
        "passcode_hash is not" in each
        for each in found(imported, "UPDATE club SET passcode_hash = 'mine'")
    )


def _last(db: Database) -> tuple[int, str]:
    with db.read() as session:
        entries = select(JournalEntry.id, JournalEntry.digest)
        row = session.exec(entries.order_by(col(JournalEntry.id).desc()).limit(1)).one()
    return row[0], row[1]


def test_verify_remarks_where_the_entries_of_an_imported_club_come_from(imported: Database) -> None:
    """Otherwise a made-up club would verify like one that was written here."""
    remarks: list[str] = []
    with unguarded(imported) as connection:
        assert list(differences(connection, outside=OUTSIDE, remark=remarks.append))
    assert remarks[0].startswith("Kitchen Table: imported, written elsewhere up to entry")
    assert KEY.public in remarks[0]
