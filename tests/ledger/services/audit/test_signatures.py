"""Signatures and heads: the things that nobody with the file alone can make again."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from ledger.books.chain import GENESIS
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.runtime.clock import now
from ledger.runtime.signing import SigningKey, new_key
from ledger.services.audit import Head, Outside, differences
from ledger.services.audit.signatures import UnknownSignatures
from tests.ledger import table
from tests.ledger.services.audit.books import KEY, unguarded


@pytest.fixture
def signed(database: Database, club: Access) -> Database:
    """Books with an unsigned first entry, of the founding, and all others signed."""
    database.signer = KEY
    played = table.start(database, club)
    table.record(database, club, played, table.HEARTS_74)
    table.record(database, club, played, table.ALONE_85)
    return database


def found(db: Database, outside: Outside, *changes: str) -> tuple[list[str], list[str]]:
    """Return the findings and remarks after a change of the books."""
    remarks: list[str] = []
    with unguarded(db) as connection:
        for change in changes:
            connection.execute(text(change))
        findings = differences(connection, outside=outside, remark=remarks.append)
        return [str(each) for each in findings if "trigger" not in str(each)], remarks


def since(at: datetime) -> Outside:
    """Return the knowledge about a key made at this time."""
    return Outside([SigningKey(KEY.public, KEY.seed, at)])


def test_what_was_made_before_there_was_a_key_is_in_order(signed: Database) -> None:
    """The starting time of signatures is stated; without any known key, that none was checked."""
    findings, remarks = found(signed, since(now()))
    assert findings == []
    assert "Kitchen Table: not signed before 20" in remarks[0]
    findings, remarks = found(signed, Outside())
    assert (findings, remarks[1]) == ([], "3 signatures not checked: no key is known here (--key).")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE journal_entry SET signature = NULL WHERE id = 3", "entry 3: it is not signed, and an"),
        ("UPDATE journal_entry SET signature = x'00' WHERE id = 3", "known here (Kitchen Table, entry 3)"),
        ("UPDATE journal_entry SET signature = 'text' WHERE id = 4", "known here (Kitchen Table, entry 4)"),
        ("UPDATE journal_entry SET signature = (SELECT signature FROM journal_entry WHERE id = 3) "
         "WHERE id = 4", "known here (Kitchen Table, entry 4)"),
        ("UPDATE journal_entry SET signature = NULL", "entry 2: it is not signed, as all are since"),
    ],
)  # fmt: skip
def test_entries_unsigned_or_signed_by_others_are_told(
    signed: Database, change: str, said: str
) -> None:
    """Also if all signatures are gone: the key's file has their starting time."""
    with signed.read() as session:
        founded = session.connection().scalar(text("SELECT min(entered_at) FROM journal_entry"))
    made = datetime.fromisoformat(f"{founded}+00:00") + timedelta(microseconds=1)
    findings, _ = found(signed, since(made), change)
    assert any(said in each for each in findings), findings


def test_a_former_key_is_known_by_its_public_part(signed: Database) -> None:
    """Otherwise all its signatures are reported."""
    present = SigningKey.from_text(new_key(now() + timedelta(days=1)))
    assert found(signed, Outside([present, SigningKey.from_public(KEY.public)]))[0] == []
    assert found(signed, Outside([present]))[0] == [
        "The books, signatures: 3 signatures of no key that is known here (Kitchen Table, entries 2 to 4)"
    ]


def test_a_head_that_was_kept_elsewhere_must_be_in_the_chain(signed: Database) -> None:
    """In full or its beginning; removing the last entries removes it."""
    with signed.read() as session:
        head = str(
            session.connection().scalar(text("SELECT digest FROM journal_entry WHERE id = 4"))
        )
    expected = Outside(heads=[Head(head, "a.pdf"), Head(GENESIS, "b.pdf")])
    assert [each for each in found(signed, expected)[0] if "head" in each] == [
        f"The books, b.pdf: no entry has the head {GENESIS}: entries were removed or rewritten since"
    ]
    cut = ("DELETE FROM posting WHERE entry_id >= 4", "DELETE FROM journal_entry WHERE id >= 4")
    findings, _ = found(signed, Outside(heads=[Head(head[:16], "typed")]), *cut)
    assert any(f"typed: no entry has the head {head[:16]}" in each for each in findings)


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
        findings, _ = found(signed, Outside(heads=heads))
        assert len(findings) == 1
        assert typed in findings[0]


def test_a_head_that_was_signed_must_still_be(signed: Database) -> None:
    """A signature is not part of the chain: taking it away leaves every digest as it was."""
    with signed.read() as session:
        head = str(
            session.connection().scalar(text("SELECT digest FROM journal_entry WHERE id = 4"))
        )
    unsigned = "UPDATE journal_entry SET signature = NULL"
    assert found(signed, Outside(heads=[Head(head, "a.heads")]), unsigned)[0] == []
    findings, _ = found(signed, Outside(heads=[Head(head, "a.heads", KEY.public)]), unsigned)
    assert findings == ["Kitchen Table, entry 4: it is not signed, and was when a.heads was made"]


def test_a_key_that_signed_here_must_have_signed_something(signed: Database) -> None:
    """The operator named it; nobody with the file alone can change that."""
    outside = Outside([SigningKey.from_public(KEY.public)], signed=[KEY.public])
    assert found(signed, outside)[0] == []
    findings, _ = found(signed, outside, "UPDATE journal_entry SET signature = NULL")
    assert len(findings) == 1
    assert f"no entry is signed, though some were by {KEY.public}" in findings[0]


def test_a_ledger_in_use_without_any_key_is_told(signed: Database) -> None:
    """With signed entries or not: they could all have been forged."""
    outside = Outside(in_use=True, remedy="put it back")
    (findings,) = found(signed, outside)[0]
    assert findings == (
        "The books, signatures: 3 signatures can't be checked, as no key is known here; put it back"
    )
    (findings,) = found(signed, outside, "UPDATE journal_entry SET signature = NULL")[0]
    assert findings == (
        "The books, signatures: no key is known here, and a ledger in use has one; put it back"
    )


def test_only_some_places_of_unknown_signatures_are_named() -> None:
    """The line stays a line, with the number of all."""
    unknown = UnknownSignatures()
    for entry_id in range(0, 20, 2):
        unknown.add(1, entry_id)
        unknown.end(1)
    assert unknown.message({1: "K"}, "") == (
        "10 signatures of no key that is known here (K, entry 0; K, entry 2; K, entry 4; K, entry 6; "
        "K, entry 8; 5 more)"
    )
