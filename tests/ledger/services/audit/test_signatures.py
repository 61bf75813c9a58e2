"""Signatures and heads: what nobody with the file alone can make again."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from ledger.access import Access
from ledger.chain import GENESIS
from ledger.clock import now
from ledger.db import Database
from ledger.services.audit import Head, Outside, differences
from ledger.signing import Key, new_key
from tests.ledger import table
from tests.ledger.services.audit.test_audit import unguarded

KEY = Key.kept(new_key(datetime(2020, 1, 1, tzinfo=UTC)))


@pytest.fixture
def signed(database: Database, club: Access) -> Database:
    """Books whose first entry, of the founding, is not signed and all others are."""
    database.signer = KEY
    played = table.start(database, club)
    table.record(database, club, played, table.HEARTS_74)
    table.record(database, club, played, table.ALONE_85)
    return database


def found(db: Database, outside: Outside, *changes: str) -> tuple[list[str], list[str]]:
    """Return what is found, and remarked, once the books were changed."""
    remarks: list[str] = []
    with unguarded(db) as connection:
        for change in changes:
            connection.execute(text(change))
        told = differences(connection, outside=outside, remark=remarks.append)
        return [str(each) for each in told if "trigger" not in str(each)], remarks


def since(at: datetime) -> Outside:
    """Return what is known where the key was made then."""
    return Outside([Key(KEY.public, KEY.seed, at)])


def test_what_was_made_before_there_was_a_key_is_in_order(signed: Database) -> None:
    """It is said since when entries are signed; and where nobody knows the key, that none was looked at."""
    told, remarks = found(signed, since(now()))
    assert told == []
    assert "Kitchen Table: not signed before 20" in remarks[0]
    told, remarks = found(signed, Outside())
    assert (told, remarks[1]) == ([], "3 signatures not checked: no key is known here (--key).")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE journal_entry SET signature = NULL WHERE id = 3", "entry 3: it is not signed, and an"),
        ("UPDATE journal_entry SET signature = x'00' WHERE id = 3", "entry 3: its signature is of no key"),
        ("UPDATE journal_entry SET signature = 'text' WHERE id = 4", "entry 4: its signature is of no key"),
        ("UPDATE journal_entry SET signature = (SELECT signature FROM journal_entry WHERE id = 3) "
         "WHERE id = 4", "entry 4: its signature is of no key"),
        ("UPDATE journal_entry SET signature = NULL", "entry 2: it is not signed, as all are since"),
    ],
)  # fmt: skip
def test_entries_unsigned_or_signed_by_others_are_told(
    signed: Database, change: str, said: str
) -> None:
    """Also where all signatures are gone: the key's file says since when there are some."""
    with signed.read() as session:
        founded = session.connection().scalar(text("SELECT min(entered_at) FROM journal_entry"))
    made = datetime.fromisoformat(f"{founded}+00:00") + timedelta(microseconds=1)
    told, _ = found(signed, since(made), change)
    assert any(said in each for each in told), told


def test_a_former_key_is_known_by_its_public_part(signed: Database) -> None:
    """Otherwise whatever it signed is told."""
    present = Key.kept(new_key(now() + timedelta(days=1)))
    assert found(signed, Outside([present, Key.of(KEY.public)]))[0] == []
    assert len(found(signed, Outside([present]))[0]) == 3


def test_a_head_that_was_kept_elsewhere_must_be_in_the_chain(signed: Database) -> None:
    """In full or as it begins; who takes the last entries away has taken it away."""
    with signed.read() as session:
        head = str(
            session.connection().scalar(text("SELECT digest FROM journal_entry WHERE id = 4"))
        )
    expected = Outside(heads=[Head(head, "a.pdf"), Head(GENESIS, "b.pdf")])
    assert [each for each in found(signed, expected)[0] if "head" in each] == [
        f"The books, b.pdf: no entry has the head {GENESIS}: entries were removed or rewritten since"
    ]
    cut = ("DELETE FROM posting WHERE entry_id >= 4", "DELETE FROM journal_entry WHERE id >= 4")
    told, _ = found(signed, Outside(heads=[Head(head[:16], "typed")]), *cut)
    assert any(f"typed: no entry has the head {head[:16]}" in each for each in told)


def test_a_head_typed_wrong_at_its_end_is_told_beside_the_right_one(signed: Database) -> None:
    """The newest backup's head, which begins alike, does not stand in for it."""
    with signed.read() as session:
        head = str(
            session.connection().scalar(text("SELECT digest FROM journal_entry WHERE id = 3"))
        )
    typed = head[:20] + ("0" if head[20] != "0" else "1")
    for heads in (
        [Head(typed, "typed"), Head(head, "kept")],
        [Head(head, "kept"), Head(typed, "typed")],
    ):
        told, _ = found(signed, Outside(heads=heads))
        assert len(told) == 1
        assert typed in told[0]
