"""Archives for tests: exported, read, and changed with their sums computed again."""

import json
from hashlib import sha256
from io import BytesIO
from typing import Any

from ledger.books.transactions import Database
from ledger.keeping.archive import lines
from ledger.keeping.archive.export import archive
from ledger.keeping.archive.importing import Imported, import_club
from ledger.runtime.signing import SigningKey
from tests.ledger import table

Lines = list[dict[str, Any]]


def exported(db: Database, club_id: int, *keys: SigningKey) -> bytes:
    """Return a club's archive."""
    return b"".join(archive(db, club_id, keys))


def imported(db: Database, content: bytes, **options: Any) -> Imported:
    """Import an archive."""
    return import_club(db, BytesIO(content), table.SECRET, **options)


def parsed(content: bytes) -> Lines:
    """Return the lines of an archive, without their sums."""
    return [{"line": line.kind, **line.values} for line in lines.read(BytesIO(content))]


def without_home(content: bytes) -> Lines:
    """Return an archive's lines without the club's number, the origins and the key of its home."""
    header, *lines, end = parsed(content)
    del header["origins"], header["club"]["number"], header["club"]["last_ids"], end["key"]
    return [header, *lines, end]


def written(changed: Lines) -> bytes:
    """Return an archive of these lines, with their sums."""
    writer = lines.LineWriter()
    pieces = [
        writer.write(line["line"], {name: line[name] for name in line if name != "line"})
        for line in changed
    ]
    return b"".join([*pieces, writer.finish()])


def resealed(changed: Lines) -> Lines:
    """Compute the digests of all entries again, after a change of their texts or records."""
    digest = "0" * 64
    for line in changed:
        if line["line"] == lines.ENTRY:
            sealed = json.loads(line["sealed"])
            line["sealed"] = json.dumps(
                [digest, *sealed[1:]], separators=(",", ":"), ensure_ascii=False
            )
            record = line["versions"][0]["record"] if "versions" in line else ""
            digest = line["digest"] = sha256((line["sealed"] + record).encode()).hexdigest()
            line["signature"] = None
    changed[-1]["head"] = digest
    return changed
