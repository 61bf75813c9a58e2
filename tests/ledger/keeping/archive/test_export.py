"""Writing a club's archive: everything of one club and moment, in constant memory, and no secret."""

import base64
import gzip
import hashlib
import json
import sqlite3
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import metadata
from ledger.keeping import migrate
from ledger.keeping.archive import lines
from ledger.keeping.archive.export import CLUB_COLUMNS, NotExported, archive
from ledger.keeping.archive.lines import Line
from ledger.runtime.signing import SigningKey, new_key
from ledger.services.club import clubs
from tests.benchmarks.filling import Filler, found
from tests.ledger import table
from tests.ledger.conftest import migrated
from tests.ledger.evenings import CardClub
from tests.ledger.first_books import EVENINGS, FirstBooks
from tests.ledger.services.audit.books import KEY, SignedLedger, signed_ledger

SECRETS = {
    "club": ("passcode_hash",),
    "api_token": ("digest",),
    "link": ("nonce", "digest"),
    "device": ("digest", "network"),
    "security_event": ("network",),
    "written_answer": ("key", "fingerprint"),
    "key_digest": ("digest",),
    "refused_try": ("network", "whose"),
}
"""The columns that never leave an installation."""


SEALED = (
    "session_id",
    "kind",
    "hand_id",
    "reverses_id",
    "author",
    "reason",
    "occurred_at",
    "entered_at",
)


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def ledger(request: pytest.FixtureRequest) -> Iterator[SignedLedger]:
    """Two clubs with signed entries, on either database."""
    with migrated(request) as empty:
        yield signed_ledger(empty)


def exported(db: Database, club_id: int, *keys: SigningKey) -> bytes:
    """Return a club's archive."""
    return b"".join(archive(db, club_id, keys))


def read(content: bytes) -> list[Line]:
    """Return the lines of an archive, whose sums were checked."""
    return list(lines.read(BytesIO(content)))


def rows(db: Database, name: str, club_id: int) -> list[dict[str, Any]]:
    """Return a club's rows of a table, by id."""
    own = metadata.tables[name]
    query = select(own).where(own.c.club_id == club_id).order_by(own.c.id)
    with db.engine.connect() as connection:
        return [dict(row) for row in connection.execute(query).mappings()]


def plain(value: Any) -> Any:
    """Return a stored value as it stands in a line."""
    return json.loads(json.dumps(value, default=lambda time: time.isoformat()))


def test_an_archive_holds_every_row_of_the_club(ledger: SignedLedger) -> None:
    """Of each table that is no secret; entries and versions are checked by another test."""
    written = read(exported(ledger.db, 1, KEY))
    for name in (*lines.ROWS_BEFORE, *lines.ROWS_AFTER):
        found = [line.values for line in written if line.kind == name]
        expected = rows(ledger.db, name, 1)
        assert found, name
        for row in expected:
            del row["club_id"]
        assert found == plain(expected), name


def test_entries_have_the_sealed_text_and_the_versions_as_they_are_stored(
    ledger: SignedLedger,
) -> None:
    """Their texts give the digests, which the key has signed; postings follow from the sealed amounts."""
    written = read(exported(ledger.db, 1, KEY))
    entries = [line.values for line in written if line.kind == lines.ENTRY]
    versions = {
        version["id"]: version for entry in entries for version in entry.get("versions", ())
    }
    versions |= {line.values["id"]: line.values for line in written if line.kind == "version"}
    postings, previous = [], "0" * 64
    stored = rows(ledger.db, "journal_entry", 1)
    for entry, row in zip(entries, stored, strict=True):
        sealed = json.loads(entry["sealed"])
        record = entry["versions"][0]["record"] if "versions" in entry else ""
        assert hashlib.sha256((entry["sealed"] + record).encode()).hexdigest() == entry["digest"]
        assert (entry["id"], entry["digest"]) == (row["id"], row["digest"])
        assert base64.b64decode(entry["signature"]) == row["signature"]
        assert KEY.verifies(base64.b64decode(entry["signature"]), 1, entry["digest"])
        assert sealed[:9] == [previous, *(plain(row[name]) for name in SEALED)]
        assert dict(sealed[10] if len(sealed) > 10 else []) == row["details"]
        postings += [(entry["id"], *pair) for pair in sealed[9]]
        previous = entry["digest"]
    assert postings == [
        (row["entry_id"], row["account_id"], row["amount"]) for row in rows(ledger.db, "posting", 1)
    ]
    assert written[-1].values == {"entries": len(entries), "head": previous, "key": KEY.public}
    for row in rows(ledger.db, "hand_version", 1):
        for name in ("club_id", "entry_id"):
            del row[name]
        version = versions.pop(row["id"])
        for name in ("record", "verdict"):
            version[name] = json.loads(version[name])
        assert version == plain(row)
    assert versions == {}


def test_the_header_names_the_format_the_club_and_its_origin(ledger: SignedLedger) -> None:
    """The time is the last entry's, so that an unchanged club has an unchanged archive."""
    header, *_, end = read(exported(ledger.db, 1, KEY))
    last = rows(ledger.db, "journal_entry", 1)[-1]
    assert header.values["as_of"] == plain(last["entered_at"])
    assert header.values["origins"] == [{"number": 1, "key": KEY.public, "last_entry": last["id"]}]
    assert header.values["units"] == {"chips": 0, "score": 0, "EUR": 2}
    club = header.values["club"]
    assert (club["number"], club["name"], club["currency"]) == (1, "Ours", "EUR")
    assert (end.values["entries"], end.values["head"]) == (last["id"], last["digest"])


def test_every_column_of_the_club_is_exported_or_has_a_reason_to_stay() -> None:
    """Its number is of this installation, the passcode is secret, and the new address is an entry."""
    stays = {"id", "passcode_hash", "moved_to"}
    assert {*CLUB_COLUMNS, *stays} == {*metadata.tables["club"].c.keys()}


def test_an_archive_holds_nothing_of_another_club(ledger: SignedLedger) -> None:
    """Its name is nowhere, and neither is any of its digests."""
    whole = gzip.decompress(exported(ledger.db, 1))
    assert b"Theirs" not in whole
    for entry in rows(ledger.db, "journal_entry", 2):
        assert entry["digest"].encode() not in whole


def test_an_archive_holds_no_secret(ledger: SignedLedger) -> None:
    """No hash, nonce, digest, network or key of either club, also not as part of an entry."""
    whole = gzip.decompress(exported(ledger.db, 1, KEY)).decode()
    assert KEY.seed
    secrets = [base64.b64encode(KEY.seed).decode(), KEY.seed.hex()]
    with ledger.db.engine.connect() as connection:
        for name, columns in SECRETS.items():
            found = connection.execute(text(f"SELECT {', '.join(columns)} FROM {name}")).all()
            secrets += [value for row in found for value in row if value]
    assert len(secrets) > 50
    assert [secret for secret in secrets if secret in whole] == []


def test_two_archives_of_an_unchanged_club_are_equal_bytes(ledger: SignedLedger) -> None:
    """Whenever they are made."""
    assert exported(ledger.db, 1, KEY) == exported(ledger.db, 1, KEY)


@pytest.mark.postgres
def test_a_club_has_the_same_archive_on_both_databases(
    database: Database, postgres_books: Database
) -> None:
    """Its rows were copied from one into the other."""
    signed_ledger(database)
    with database.engine.connect() as here, postgres_books.engine.begin() as there:
        there.execute(text("SET LOCAL session_replication_role = replica"))
        there.execute(text("TRUNCATE club, refused_try RESTART IDENTITY CASCADE"))
        for own in metadata.sorted_tables:
            if found := [dict(row) for row in here.execute(select(own)).mappings()]:
                there.execute(insert(own), found)
    assert exported(postgres_books, 1, KEY) == exported(database, 1, KEY)


def test_an_archive_is_of_one_moment_while_others_save(
    any_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand saved after its first byte is not in it."""
    evening = any_club.start()
    evening.record(table.HEARTS_74)
    before = exported(any_club.db, any_club.access.club_id)
    pieces = archive(any_club.db, any_club.access.club_id)
    monkeypatch.setattr(lines, "_BLOCK", 1)
    first = next(pieces)
    monkeypatch.undo()
    evening.record(table.ALONE_85)
    assert gzip.decompress(first + b"".join(pieces)) == gzip.decompress(before)
    assert exported(any_club.db, any_club.access.club_id) != before


def test_memory_does_not_grow_with_the_club(database: Database, club: Access) -> None:
    """Three times as many hands need no more of it."""
    peaks = []
    for access, number in ((club, 1000), (found(database, "Many"), 3000)):
        Filler(database, access).fill(number)
        tracemalloc.start()
        for _ in archive(database, access.club_id):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0] < 20 * 2**20


def test_progress_is_reported_by_entries(sqlite_club: CardClub) -> None:
    """Up to their number."""
    sqlite_club.start().record(table.HEARTS_74)
    progress: list[tuple[int, int]] = []
    for _ in archive(
        sqlite_club.db, 1, progress=lambda done, total: progress.append((done, total))
    ):
        pass
    count = len(rows(sqlite_club.db, "journal_entry", 1))
    assert progress == [(number, count) for number in range(1, count + 1)]


def test_a_new_club_has_an_archive(database: Database, club: Access) -> None:
    """Without players, evenings and hands: only its founding is entered."""
    header, *entries, end = read(exported(database, club.club_id))
    assert {line.kind for line in entries} == {lines.ENTRY}
    assert header.values["origins"][0]["key"] is end.values["key"] is None
    assert end.values["entries"] == len(entries) > 0


@pytest.mark.parametrize(
    "name", ["山田 🂡", "שלום", 'a "quoted" \\ name', "=SUM(A1)", "é" * 40, "Ann,\u2028Bob"]
)
def test_names_are_exported_in_any_letters(any_database: Database, name: str) -> None:
    """A line stays one line."""
    access, _ = clubs.create(any_database, name=name, passcode="four aces")
    CardClub(any_database, access).start((name, "Bob", "Cyd"))
    header, *others = read(exported(any_database, access.club_id))
    stored = rows(any_database, "player", access.club_id)[0]["name"]
    assert header.values["club"]["name"]
    assert next(line.values["name"] for line in others if line.kind == "player") == stored


def test_a_ledger_of_the_first_version_is_exported(database_url: str) -> None:
    """Its entries have no details and no signatures, and seal no records."""
    database = Database(database_url)
    migrate.upgrade(database, "0001")
    with database.engine.begin() as connection:
        books = FirstBooks(connection)
        for game, seats, variant, hands in EVENINGS:
            names = table.SEVEN[:seats]
            played = books.start(game, names, variant)
            for hand in hands:
                books.record(played, {"dealer": names[-1], **hand})
    migrate.upgrade(database)
    written = read(exported(database, books.access.club_id))
    database.close()
    entries = [line.values for line in written if line.kind == lines.ENTRY]
    hands_entered = [entry for entry in entries if "versions" in entry]
    assert len(hands_entered) == sum(len(hands) for *_, hands in EVENINGS)
    previous = "0" * 64
    for entry in entries:
        assert json.loads(entry["sealed"])[0] == previous
        sealed = entry["sealed"]
        if entry.get("seals_record", True) and "versions" in entry:
            sealed += entry["versions"][0]["record"]
        previous = entry["digest"]
        assert hashlib.sha256(sealed.encode()).hexdigest() == previous
        assert entry["signature"] is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("journal_entry SET author = 'Eve'", "Entry {} does not match its digest"),
        ("journal_entry SET kind = 'theft'", "Entry {} can't be read"),
        ("journal_entry SET details = '[1]'", "Entry {} can't be read"),
        ("journal_entry SET occurred_at = 'noon'", "Rows of journal_entry can't be read"),
        ("journal_entry SET digest = 'x'", "Entry {} does not match its digest"),
        ("posting SET amount = amount + 1", "Entry {} does not match its digest"),
        ("posting SET amount = 'many'", "Entry {} does not match its digest"),
        ("hand_version SET record = replace(record, '74', '75')", "Entry {} does not match"),
        ("hand_version SET record = NULL", "Entry {} does not match"),
        ("player SET created_at = 'noon'", "Rows of player can't be read"),
        ("play_session SET options = '{'", "Rows of play_session can't be read"),
        ("player SET name = x'ff'", "The player 1 can't be exported"),
    ],
)
def test_changed_rows_end_the_export_with_a_sentence(
    sqlite_club: CardClub, change: str, reason: str
) -> None:
    """It names the entry, or the table, and recommends to verify."""
    sqlite_club.start().record(table.HEARTS_74)
    file = sqlite_club.db.url.database
    with closing(sqlite3.connect(str(file))) as raw, raw:
        ((entry,),) = raw.execute("SELECT entry_id FROM hand_version")
        for (trigger,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            raw.execute(f"DROP TRIGGER {trigger}")
        raw.execute("PRAGMA ignore_check_constraints = ON")
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute(
            "UPDATE sqlite_master SET sql = replace(sql, 'record JSON NOT NULL', 'record JSON')"
        )
        ids = "id" if change.startswith("journal") else "entry_id"
        where = f" WHERE {ids} = {entry}" if "play" not in change else ""
    with closing(sqlite3.connect(str(file))) as raw, raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        raw.execute(f"UPDATE {change}{where}")
    with pytest.raises(NotExported, match=reason.format(entry)) as refused:
        exported(sqlite_club.db, sqlite_club.access.club_id)
    assert "solo-ledger verify" in str(refused.value)


def test_an_imported_club_has_its_origins_before_this_installation(
    database: Database, club: Access
) -> None:
    """As long as nothing was written here, this installation is none of them."""
    last = rows(database, "journal_entry", 1)[-1]["id"]
    there = {"number": 7, "public_key": KEY.public, "last_entry_id": last}
    with database.engine.begin() as connection:
        row = {"club_id": 1, "id": 1, **there, "arrived_at": datetime(2026, 1, 1, tzinfo=UTC)}
        connection.execute(insert(metadata.tables["club_origin"]), [row])
    here = SigningKey.from_text(new_key(datetime(2020, 1, 1, tzinfo=UTC)))
    header, *_, end = read(exported(database, 1, here))
    origin = {"number": 7, "key": KEY.public, "last_entry": last}
    assert header.values["origins"] == [origin]
    assert end.values["key"] == KEY.public
    database.signer = here
    CardClub(database, club).start()
    header, *_, end = read(exported(database, 1, here, KEY))
    newest = rows(database, "journal_entry", 1)[-1]["id"]
    ours = {"number": 1, "key": here.public, "last_entry": newest}
    assert header.values["origins"] == [origin, ours]
    assert end.values["key"] == here.public


def test_a_replaced_key_makes_another_origin(sqlite_club: CardClub) -> None:
    """Each with the last entry that its key signed; the newest one goes to the end."""
    former, present = (
        SigningKey.from_text(new_key(datetime(year, 1, 1, tzinfo=UTC))) for year in (2020, 2021)
    )
    evening = sqlite_club.start()
    ends = []
    for signer in (None, former, present, former, present):
        sqlite_club.db.signer = signer
        evening.record(table.HEARTS_74)
        ends.append(rows(sqlite_club.db, "journal_entry", 1)[-1]["id"])
    public = SigningKey.from_public(former.public)
    written = read(exported(sqlite_club.db, 1, present, public))
    keys = [former.public, present.public, former.public, present.public]
    assert written[0].values["origins"] == [
        {"number": 1, "key": key, "last_entry": end}
        for key, end in zip(keys, ends[1:], strict=True)
    ]
    stranger = SigningKey.from_text(new_key(datetime(2022, 1, 1, tzinfo=UTC)))
    unknown = read(exported(sqlite_club.db, 1, stranger, public))[0].values["origins"]
    assert [origin["key"] for origin in unknown] == [former.public, None, former.public, None]
    assert unknown[-1]["last_entry"] == ends[-1]
