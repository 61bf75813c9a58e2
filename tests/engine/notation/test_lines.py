"""The file of lines, by which both readers are tested."""

import json

from engine.notation.compact import read, write
from engine.notation.compact_parts import PARTS
from engine.record import HandRecord
from tests.engine.notation.lines import FILE, plain
from tests.engine.playing import HOUSES

ROWS = [json.loads(row) for row in FILE.read_text(encoding="utf-8").splitlines()]


def test_the_engine_reads_and_writes_every_line_of_the_file() -> None:
    """Line and record say the same."""
    for row in ROWS:
        assert plain(read(row["line"])) == row["record"]
        assert write(HandRecord.from_mapping(row["record"] | {"format": 1.1})) == row["line"]


def test_the_file_has_every_game_table_and_part() -> None:
    """And each key of a record at least once."""
    tables = {(row["record"]["game"], len(row["record"]["players"])) for row in ROWS}
    assert tables >= {(house.game, house.seats) for house in HOUSES}
    written = [row["line"] for row in ROWS]
    assert all(any(f"/{part.letter}:" in line for line in written) for part in PARTS.values())
    keys = {key for row in ROWS for key in row["record"]}
    assert keys >= {*HandRecord.__dataclass_fields__} - {"added"}
    assert any(key.startswith("x-") for key in keys)
