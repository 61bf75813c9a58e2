"""Damaged, changed and forged archives: each is refused with a sentence, and nothing is written."""

import gzip
import json
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ledger.books.transactions import Database
from ledger.keeping.archive import staging
from ledger.keeping.archive.staging import ArchiveRefused
from ledger.runtime.signing import SigningKey, new_key
from ledger.services.audit import verify
from ledger.services.club import clubs, players
from ledger.services.common import names
from ledger.services.common.pictures import digest
from tests.ledger import table
from tests.ledger.keeping.archive.archives import (
    Lines,
    exported,
    imported,
    parsed,
    resealed,
    written,
)
from tests.ledger.photos import PHOTO, photo
from tests.ledger.services.audit.books import KEY, signed_ledger

OTHER = SigningKey.from_text(new_key(datetime(2020, 1, 1, tzinfo=UTC)))
"""A key that has signed none of the entries."""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory, empty_books: Path) -> bytes:
    """The archive of a club that has done everything."""
    file = shutil.copy(empty_books, tmp_path_factory.mktemp("origin") / "origin.sqlite")
    opened = Database(f"sqlite:///{file}")
    signed_ledger(opened)
    made = exported(opened, 1, KEY)
    opened.close()
    return made


def refusal(db: Database, archive: bytes) -> str:
    """Import an archive that is refused; check that nothing was written, and return the sentence."""
    before = table.row_counts(db)
    with pytest.raises(ArchiveRefused) as raised:
        imported(db, archive)
    assert table.row_counts(db) == before
    assert raised.value.message.casefold().endswith("nothing was imported.")
    return raised.value.message


@given(st.data())
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_a_changed_byte_is_reported_with_its_line(
    database: Database, content: bytes, data: st.DataObject
) -> None:
    """Any byte of any line, also of its sum or its end."""
    text = bytearray(gzip.decompress(content))
    place = data.draw(st.integers(0, len(text) - 1))
    old, line = text[place], text[:place].count(b"\n") + 1
    text[place] = data.draw(st.integers(0, 255).filter(lambda byte: byte != old))
    assert refusal(database, gzip.compress(bytes(text))).startswith(
        f"Line {line:,} of the archive:"
    )


@given(st.data())
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_a_changed_byte_of_the_compressed_file_is_noticed(
    database: Database, content: bytes, data: st.DataObject
) -> None:
    """Unless the text in it is the same: repeated text can be compressed in several ways."""
    archive = bytearray(content)
    place = data.draw(st.integers(10, len(archive) - 1))
    archive[place] ^= 1 << data.draw(st.integers(0, 7))
    with suppress(OSError, EOFError, zlib.error):
        assume(gzip.decompress(archive) != gzip.decompress(content))
    assert "Line " in refusal(database, bytes(archive))


def test_a_shortened_file_is_refused_with_the_line_where_it_ends(
    database: Database, content: bytes
) -> None:
    """Cut anywhere, compressed or not; an empty file has no first line."""
    text = gzip.decompress(content)
    for part in range(1, 12):
        cut = len(content) * part // 12
        assert "ends too early" in refusal(database, content[:cut])
        until = text.index(b"\n", len(text) * part // 12) + 1
        number = text[:until].count(b"\n") + 1
        assert f"Line {number:,} of the archive: the file ends too early" in refusal(
            database, gzip.compress(text[:until])
        )
    for nothing in (b"", gzip.compress(b"")):
        assert refusal(database, nothing).startswith("Line 1 of the archive: the file is empty")


HOSTILE: list[Any] = [
    *(None, True, False, "", "x", "\0", "é" * 30_000, 0, -1, 1, 7, 2**31, 2**53, 2**63 - 1, 2**63),
    *(
        -(2**63),
        2**64,
        10**25,
        1.5,
        1e300,
        [],
        [1],
        {},
        {"rows": 1},
        "2026-01-01",
        "0001-01-01T00:00:00+14:00",
    ),
    *(
        "9999-12-31T23:59:59-14:00",
        "2026-01-01T00:00:00",
        "[]",
        "{}",
        "null",
        "hand",
        "chips",
        "<b>",
    ),
    *([[1, 5], [2, -5]], [[1, 10**15], [2, -(10**15)]], [[1, 0]], "a" * 64, "AAAA"),
]
"""Values of all types, at and beyond each limit."""


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place of a value in a JSON document, as its container and its key."""
    items = enumerate(value) if isinstance(value, list) else value.items()
    for key, each in list(items):
        yield value, key
        if isinstance(each, dict | list):
            yield from leaves(each)


def change_one(forged: Lines, draw: Callable[[Any], Any]) -> None:
    """Replace a value, or leave one out, of a line or of a text in it that is JSON."""
    line = draw(st.sampled_from(forged))
    places = list(leaves(line))
    container, key = draw(st.sampled_from(places))
    if key in {"sealed", "record", "verdict"}:
        inner = json.loads(container[key])
        holder, name = draw(st.sampled_from(list(leaves(inner))))
        holder[name] = draw(st.sampled_from(HOSTILE))
        container[key] = json.dumps(inner, separators=(",", ":"), ensure_ascii=False)
    elif isinstance(container, dict) and draw(st.integers(0, 5)) == 0:
        del container[key]
    else:
        container[key] = draw(st.sampled_from(HOSTILE))


@given(data=st.data())
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_a_forged_archive_is_refused_or_a_consistent_made_up_club(
    empty_books: Path, content: bytes, data: st.DataObject
) -> None:
    """With sums, and sometimes digests, computed again; whatever is accepted verifies."""
    forged = parsed(content)
    change_one(forged, data.draw)
    if data.draw(st.booleans()):
        with suppress(LookupError, TypeError, ValueError, AttributeError):
            resealed(forged)  # unless the change has spoiled an entry
    try:
        archive = written(forged)
    except (LookupError, TypeError):
        return  # it is no archive any more
    with TemporaryDirectory() as folder:
        db = Database(f"sqlite:///{shutil.copy(empty_books, Path(folder, 'ledger.sqlite'))}")
        try:
            imported(db, archive)
        except ArchiveRefused:
            assert set(table.row_counts(db).values()) == {0}
        assert [str(difference) for difference in verify(db)] == []
        db.close()


def forged_lines(change: Callable[[Lines], object]) -> Callable[[bytes], bytes]:
    """Return a function that changes an archive's lines and computes their sums again."""

    def forge(content: bytes) -> bytes:
        forged = parsed(content)
        change(forged)
        return written(forged)

    return forge


def first(kind: str, forged: Lines) -> dict[str, Any]:
    """Return the first line of a type."""
    return next(line for line in forged if line["line"] == kind)


def resealed_lines(kind: str, change: Callable[[list[Any]], object]) -> Callable[[bytes], bytes]:
    """Return a forgery that changes the sealed values of the last entry of a kind; nothing is signed."""

    def forge(forged: Lines) -> None:
        entries = [line for line in forged if line["line"] == "entry"]
        for entry in entries:
            entry["signature"] = None
        for origin in forged[0]["origins"]:
            origin["key"] = None
        chosen = [entry for entry in entries if json.loads(entry["sealed"])[2] == kind][-1]
        sealed = json.loads(chosen["sealed"])
        change(sealed)
        chosen["sealed"] = json.dumps(sealed, separators=(",", ":"), ensure_ascii=False)
        resealed(forged)
        forged[-1].update(head=entries[-1]["digest"], key=None)

    return forged_lines(forge)


FORGERIES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "another file": (lambda _: b"PK\x03\x04 no archive", "Line 1 .* can't be unpacked"),
    "a bomb of one line": (lambda _: gzip.compress(b" " * 200_000_000), "longer than|expands more"),
    "no UTF-8": (lambda _: gzip.compress(b"\xff\xfe" * 40 + b"\n"), "Line 1 "),
    "a newer format": (forged_lines(lambda forged: forged[0].update(version=2)), "version"),
    "a newer schema": (
        forged_lines(lambda forged: forged[0].update(schema="9999")),
        "schema 9999.*install",
    ),
    "an older schema": (
        forged_lines(lambda forged: forged[0].update(schema="0001")),
        "schema 0001.*install",
    ),
    "an unknown column": (
        forged_lines(lambda forged: first("player", forged).update(age=7)),
        "Line 2 of the archive: it has an unknown 'age'",
    ),
    "a missing column": (
        forged_lines(lambda forged: first("player", forged).pop("name")),
        "Line 2 of the archive: it has no name",
    ),
    "a wrong type": (
        forged_lines(lambda forged: first("player", forged).update(archived="no")),
        "Line 2 of the archive: its archived is not possible",
    ),
    "a duplicate": (
        forged_lines(lambda forged: forged.insert(1, dict(forged[1]))),
        "Line 3 of the archive: it contradicts an earlier line",
    ),
    "a picture that nobody registered": (
        forged_lines(
            lambda forged: first("player", forged).update(
                picture=PHOTO, picture_digest=digest(photo())
            )
        ),
        "contradicts itself.*picture_digest",
    ),
    "another picture": (
        forged_lines(lambda forged: first("player", forged).update(picture=PHOTO)),
        "contradicts itself.*its picture is not the one of its digest",
    ),
    "a page for a picture": (
        forged_lines(lambda forged: first("player", forged).update(picture="<html>")),
        "Line 2 of the archive: its picture is not possible",
    ),
    "an unknown type of line": (
        forged_lines(lambda forged: forged.insert(1, {"line": "joker"})),
        "Line 2 of the archive: a line of type 'joker'",
    ),
    "an unknown kind of account": (
        forged_lines(lambda forged: first("account", forged).update(kind="purse")),
        "it contradicts|purse",
    ),
    "a player who is nobody": (
        forged_lines(lambda forged: first("seat", forged).update(player_id=999)),
        "contradicts itself",
    ),
    "another balance": (
        forged_lines(lambda forged: first("account", forged).update(balance=7)),
        "contradicts itself.*its postings come to",
    ),
    "a lost entry": (
        forged_lines(lambda forged: forged.remove(first("entry", forged))),
        "does not continue the chain",
    ),
    "an endless name": (
        forged_lines(lambda forged: forged[0]["club"].update(name="x" * 500)),
        "Line 1 of the archive: The club's name",
    ),
    "last ids of no table": (
        forged_lines(lambda forged: forged[0]["club"]["last_ids"].update(joker=1)),
        "Line 1 of the archive: its last_ids have an unknown table 'joker'",
    ),
    "an id after which none is left": (
        forged_lines(lambda forged: forged[0]["club"]["last_ids"].update(hand=2**60)),
        "Line 1 ",
    ),
    "deep nesting": (
        lambda _: gzip.compress(b'{"line":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"),
        "Line 1 ",
    ),
    "more after the end": (lambda content: content + content, "Line "),
    "no origin": (forged_lines(lambda forged: forged[0].update(origins=[])), "Line 1 "),
    "a key that is none": (
        forged_lines(lambda forged: forged[0]["origins"][0].update(key="AAAA")),
        "Line 1 .*key",
    ),
    "another's key": (
        forged_lines(lambda forged: forged[0]["origins"][0].update(key=OTHER.public)),
        "contradicts itself.*signatures of no key",
    ),
    "rows outside the register": (
        resealed_lines("rate-set", lambda sealed: sealed[10].append(["rows", {"device/99": {}}])),
        "contradicts itself.*only the register changes rows",
    ),
    "a register without rows": (
        resealed_lines("register", lambda sealed: sealed.pop(10)),
        "contradicts itself.*can't be read .KeyError",
    ),
    "rows that are none": (
        resealed_lines("register", lambda sealed: sealed.__setitem__(10, [["rows", [1]]])),
        "contradicts itself.*can't be read",
    ),
    "an account without a line": (
        resealed_lines("hand", lambda sealed: sealed[9][0].__setitem__(0, 10**6)),
        "it moves account 1000000, which no line before it has",
    ),
    "an amount of nothing": (
        resealed_lines("hand", lambda sealed: sealed[9][0].__setitem__(1, 0)),
        "by nothing",
    ),
    "another club's number": (
        forged_lines(lambda forged: forged[0]["origins"][0].update(number=7)),
        "contradicts itself.*signatures of no key",
    ),
}
"""Archives changed or made by hand, with the refusal of each."""


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_is_refused_with_its_reason(
    database: Database, content: bytes, forgery: str
) -> None:
    """The sums are computed again, so that they fit."""
    forge, reason = FORGERIES[forgery]
    assert re.search(reason, refusal(database, forge(content)))


def test_a_club_whose_history_was_rewritten_is_another_club(
    database: Database, content: bytes
) -> None:
    """With all digests computed again it is consistent, and not signed; the real one still arrives."""
    forged = parsed(content)
    entry = next(line for line in forged if line["line"] == "entry" and "Sue" not in line["sealed"])
    entry["sealed"] = entry["sealed"].replace('"scorer"', '"Mallory"', 1)
    forged[0]["origins"][0]["key"] = None
    made_up = imported(database, written(resealed(forged)), name="Made up")
    real = imported(database, content)
    assert (made_up.club_id, real.club_id) == (1, 2)
    assert [str(difference) for difference in verify(database)] == []


def test_text_that_only_postgresql_refuses_is_refused_with_a_sentence(
    any_database: Database, empty_books: Path
) -> None:
    """A name too long for its index there; SQLite has room for it."""
    long = "".join(chr(0x4E00 + (number * 7919) % 20_000) for number in range(3_000))
    with TemporaryDirectory() as folder:
        origin = Database(f"sqlite:///{shutil.copy(empty_books, Path(folder, 'origin.sqlite'))}")
        access, _ = clubs.create(origin, name="Long names", passcode="four aces")
        players.add(table.write(origin, access), name="Ann")
        forged = parsed(exported(origin, access.club_id))
        origin.close()
    ann = first("player", forged)
    ann |= {"name": long, "name_key": names.key(long)}
    for line in forged:
        if line["line"] == "entry":
            line["sealed"] = line["sealed"].replace('"Ann"', f'"{long}"')
    archive = written(resealed(forged))
    if any_database.is_sqlite:
        assert imported(any_database, archive).entries == 2
    else:
        assert "The ledger refused the archive" in refusal(any_database, archive)


def test_a_temporary_folder_that_takes_nothing_is_named(
    database: Database, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk."""
    monkeypatch.setattr(staging, "_FAST", "PRAGMA query_only = ON")
    assert re.search("can't be checked in .*readonly", refusal(database, content))
