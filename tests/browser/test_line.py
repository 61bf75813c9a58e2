"""The page reads compact lines as the engine does, and errors in them are its own."""

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from engine.errors import Refused
from engine.notation.compact import read
from engine.notation.compact_text import LONGEST_LINE
from ledger.runtime.paths import STATIC
from tests.engine.notation.lines import FILE, plain
from tests.engine.notation.test_compact import sealed
from tests.engine.notation.test_compact_mutations import mutated

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

COUNT = int(os.environ.get("MUTATED_LINES", "5000"))
"""The number of mutated lines; a hundred thousand take a minute."""

READ = """(texts) => JSON.stringify(JSON.parse(texts).map((text) => {
  try {
    return soloLine.read(text);
  } catch (error) {
    if (!(error instanceof soloLine.LineError)) throw error;
    return { code: error.code, column: error.column };
  }
}))"""

UNCHECKED = {
    *("line-spelling", "ill-typed", "missing-key", "unknown-key", "unknown-seat"),
    *("name-blank", "name-twice"),
}
"""The refusals of the engine that a page doesn't know for every value."""

ROWS = [json.loads(row) for row in FILE.read_text(encoding="utf-8").splitlines()]
LINE = "six-bid/Ann,Bob,Cyd@c/c:aheart-solo+H/points=74/tr1g"


@pytest.fixture
def reader(phone: "Phones") -> "Page":
    """A page with the reader alone."""
    page = phone()
    script = (STATIC / "cards" / "line.js").read_text(encoding="utf-8")
    page.add_script_tag(content=f"{script};globalThis.soloLine = soloLine;")
    return page


def answers(page: "Page", lines: list[str]) -> list[Any]:
    """Return the page's record of each line, or its error with code and column."""
    records: list[Any] = comparable(json.loads(page.evaluate(READ, json.dumps(lines))))
    return records


def comparable(value: Any) -> Any:
    """Return plain values with all numbers as JavaScript has them."""
    return json.loads(json.dumps(value), parse_int=float)


def test_the_page_reads_every_line_of_the_file(reader: "Page") -> None:
    """Every game, table size and part, and names with escapes."""
    records = answers(reader, [row["line"] for row in ROWS])
    for row, record in zip(ROWS, records, strict=True):
        assert record == comparable(row["record"]), row["line"]


def test_the_page_reads_what_the_engine_reads_and_fails_only_with_its_own_error(
    reader: "Page",
) -> None:
    """The page's own additions are wrong in a way that it doesn't check; the errors are documented."""
    lines = [*mutated([row["line"] for row in ROWS], COUNT)]
    good = 0
    for line, answer in zip(lines, answers(reader, lines), strict=True):
        try:
            record = plain(read(line))
        except Refused as refused:
            codes = {violation.code for violation in refused.violations}
            assert "code" in answer or codes <= UNCHECKED, line
        else:
            good += 1
            assert answer == comparable(record), line
    assert good > COUNT // 30


WRONG = [
    ("", "line-cut", 1),
    (LINE[:-1], "line-cut", len(LINE)),
    (LINE.replace("74", "64"), "line-check", len(LINE) - 3),
    (sealed("six-bid/Ann,Bob,Cyd@c/points=7%4"), "line-malformed", 31),
    (sealed("six-bid/Ann,Bob@a"), "line-malformed", 16),
    (sealed("six-bid/Ann,Bob,Bob@a"), "line-malformed", 20),
    (sealed("six-bid/Ann,Bob,Cyd@c/x-a=" + "(" * 9 + ")" * 9), "line-malformed", 36),
    (sealed("six-bid/Ann,Bob,Cyd@c/options=(a=1,a=2)"), "line-malformed", 38),
    (sealed("six-bid/Ann,Bob,Cyd@c/points=a"), "line-malformed", 23),
    (sealed("six-bid/Ann,Bob,Cyd@c/constructor=1"), "line-malformed", 23),
    (sealed("six-bid/Ann,Bob,Cyd@c/dealer=Bob"), "line-malformed", 23),
    (sealed("six-bid/Ann,Bob,Cyd@c/contract=(trump=SH)"), "line-malformed", 23),
    (sealed("six-bid/Ann,Bob,Cyd@c/spread=(=)"), "line-malformed", 23),
    (sealed("six-bid/Ann,Bob,Cyd@c/note=$d800."), "line-malformed", 34),
    ("(" * 1_000_000, "line-malformed", LONGEST_LINE + 1),
]

PASTED = [
    (LINE, LINE, ""),
    (f" {LINE}\n", LINE, ""),
    (f"#{LINE}&card-17", LINE, "card-17"),
    (f"https://example.org/replay#{LINE}&result", LINE, "result"),
    (f"Look: https://example.org/replay#{LINE}. Well played!", LINE, ""),
    (f"#{LINE}".replace("/", "%2F").replace("Bob", "B%C3%B6b"), LINE.replace("Bob", "Böb"), ""),
    (f"{LINE}&card-1234&x=1", LINE, ""),
    ("100% nothing", "100", ""),
    ("", "", ""),
]


def test_an_error_names_what_is_wrong_and_where(reader: "Page") -> None:
    """A line that was cut off, one that was damaged, and those that never were right."""
    errors = [{"code": code, "column": column} for _, code, column in WRONG]
    assert answers(reader, [line for line, _, _ in WRONG]) == errors


def test_a_line_is_found_in_a_link(reader: "Page") -> None:
    """With any text that other programs added to it."""
    for text, line, step in PASTED:
        assert reader.evaluate("(text) => soloLine.split(text)", text) == {
            "line": line,
            "step": step,
        }


def test_a_link_to_a_step_is_split_again(reader: "Page") -> None:
    """A line contains no sign that separates the step from it."""
    there_and_back = "([line, step]) => soloLine.split(`/replay${soloLine.fragment(line, step)}`)"
    for row in ROWS:
        for step in ("", "deal", "card-17"):
            split = {"line": row["line"], "step": step}
            assert reader.evaluate(there_and_back, [row["line"], step]) == split
