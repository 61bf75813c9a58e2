"""The page on the archive: its tables, its examples and its program agree with real archives."""

import gzip
import hashlib
import json
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.keeping.archive import lines
from ledger.keeping.archive.export import archive
from ledger.runtime.signing import SigningKey
from ledger.services.club import clubs
from tests.ledger.conftest import migrated
from tests.ledger.services.audit.books import KEY, signed_ledger

PAGE = (Path(__file__).parents[2] / ".docs" / "ARCHIVE.md").read_text(encoding="utf-8")
SECTIONS = {
    section.partition("\n")[0]: section
    for section in re.split(r"^### ", PAGE.partition("\n## Check")[0], flags=re.MULTILINE)[1:]
}
(PROGRAM,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```json\n(.*)\n```$", re.MULTILINE)
OPTIONAL = {"versions", "seals_record"}
HIDDEN = ("line", "sum")
"""The members of every line, which the page describes once."""

Line = dict[str, Any]


@pytest.fixture(scope="module", params=["sqlite"])
def db(request: pytest.FixtureRequest) -> Iterator[Database]:
    """A ledger with a club (1) that has done everything."""
    with migrated(request) as empty:
        yield signed_ledger(empty).db


@pytest.fixture(scope="module")
def content(db: Database) -> bytes:
    """The archive of that club."""
    return b"".join(archive(db, 1, [KEY]))


def written(content: bytes) -> list[Line]:
    """Return the lines of an archive."""
    return [json.loads(line) for line in gzip.decompress(content).splitlines()]


def packed(lines_: list[Line]) -> bytes:
    """Return an archive of lines whose sums are computed again."""
    writer = lines.LineWriter()
    pieces = []
    for line in lines_:
        values = {name: value for name, value in line.items() if name not in HIDDEN}
        pieces.append(writer.write(line["line"], values))
    return b"".join([*pieces, writer.finish()])


def run(content: bytes, folder: Path) -> tuple[int, str]:
    """Run the page's program on an archive; return its status and its output."""
    program, file = folder / "check.py", folder / "club.solo.gz"
    program.write_text(PROGRAM, encoding="utf-8")
    file.write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-I", str(program), str(file)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_each_type_of_line_is_described_by_its_members(content: bytes) -> None:
    """In the order of the file, each member in the order of the line."""
    assert [name for name in SECTIONS if name in lines.ORDER] == [*lines.ORDER]
    found: dict[str, list[str]] = {}
    for line in written(content):
        names = found.setdefault(line["line"], [])
        names += [name for name in line if name not in (*names, *HIDDEN)]
    for kind in lines.ORDER:
        table = re.findall(r"^\| (`.*?`) \|", SECTIONS[kind], re.MULTILINE)
        named = re.findall(r"`(\w+)`", " ".join(table))
        assert sorted(named) == sorted({*found[kind], *(OPTIONAL if kind == "entry" else ())}), kind
        if kind == "version":
            version = next(line for line in written(content) if "versions" in line)["versions"][0]
            assert [*version] == found[kind]


def test_the_parts_of_the_header_are_described(content: bytes) -> None:
    """All that it says of the club and of each origin."""
    header = written(content)[0]
    for name in (*header["club"], *header["origins"][0]):
        assert f"`{name}`" in SECTIONS["header"].rpartition("```")[2]


@pytest.mark.parametrize("kind", lines.ORDER)
def test_each_type_of_line_has_an_example(content: bytes, kind: str) -> None:
    """With the members of a real one."""
    (example,) = EXAMPLE.findall(SECTIONS[kind])
    parsed = json.loads(example)
    real = next(line for line in written(content) if line["line"] == kind)
    assert [name for name in parsed if name not in OPTIONAL] == [
        name for name in real if name not in OPTIONAL
    ]


def test_the_example_of_an_entry_has_its_digest_and_signature() -> None:
    """By the key in the example of the header."""
    header, example = (
        json.loads(EXAMPLE.findall(SECTIONS[kind])[0]) for kind in ("header", "entry")
    )
    (origin,) = header["origins"]
    digest = example["digest"]
    assert hashlib.sha256(example["sealed"].encode()).hexdigest() == digest
    signature = b64decode(example["signature"])
    assert SigningKey.from_public(origin["key"]).verifies(signature, origin["number"], digest)


def test_the_program_has_twenty_lines_and_prints_the_head(content: bytes, tmp_path: Path) -> None:
    """Of a real archive, also without a hand."""
    assert len(PROGRAM.strip().splitlines()) <= 20
    end = written(content)[-1]
    assert run(content, tmp_path) == (0, f"{end['entries']} entries, head {end['head']}\n")


def test_the_program_reads_the_archive_of_a_new_club(db: Database, tmp_path: Path) -> None:
    """And one of the first ledgers, which sealed no records."""
    access, _ = clubs.create(db, name="New", passcode="four aces")
    new = b"".join(archive(db, access.club_id))
    assert run(new, tmp_path)[1].startswith("1 entries, head ")
    changed = written(new)
    changed[1]["seals_record"] = False
    changed[1]["versions"] = [{"record": "no part of the digest"}]
    assert run(packed(changed), tmp_path)[0] == 0


CHANGES: dict[str, Callable[[list[Line]], object]] = {
    "an amount": lambda found: entry(found, 3).update(sealed=entry(found, 3)["sealed"] + " "),
    "a record": lambda found: hand(found).update(record=hand(found)["record"].replace("74", "75")),
    "an entry missing": lambda found: found.remove(entry(found, 3)),
    "two entries exchanged": lambda found: found.insert(
        found.index(entry(found, 3)), found.pop(found.index(entry(found, 4)))
    ),
    "the last entry missing": lambda found: found.remove(entry(found, -1)),
}


def entry(found: list[Line], place: int) -> Line:
    """Return an entry by its place in the journal."""
    return [line for line in found if line["line"] == lines.ENTRY][place]


def hand(found: list[Line]) -> Line:
    """Return the first version of a hand."""
    version: Line = next(line for line in found if "versions" in line)["versions"][0]
    return version


@pytest.mark.parametrize("change", CHANGES)
def test_the_program_finds_a_changed_journal_whose_sums_are_right(
    content: bytes, tmp_path: Path, change: str
) -> None:
    """By its digests, or by the head at the end."""
    found = written(content)
    assert run(packed(found), tmp_path)[0] == 0
    CHANGES[change](found)
    status, output = run(packed(found), tmp_path)
    assert status == 1
    assert "does not continue the chain" in output or output == "the end is missing\n"


def test_the_program_finds_every_changed_line(content: bytes, tmp_path: Path) -> None:
    """Whatever was changed, added, removed or cut off, it names the line."""
    text = gzip.decompress(content)
    whole = text.splitlines(keepends=True)
    for changed, reason in (
        (text.replace(b'"name":"Ann"', b'"name":"Eve"'), "line 2 was changed"),
        (b"".join([*whole[:5], *whole[6:]]), "line 6 was changed"),
        (b"".join([*whole[:5], whole[5], whole[5], *whole[6:]]), "line 7 was changed"),
        (b"".join(whole[:-1]), "the end is missing"),
        (text[:-5], f"line {len(whole)} was changed"),
    ):
        status, output = run(gzip.compress(changed), tmp_path)
        assert (status, reason in output) == (1, True), output
    assert run(content[:-100], tmp_path)[0] == 1
