"""Kinds of entries: one table describes each, and a new one is a row and the service that writes it."""

import ast
import re
from collections import defaultdict
from datetime import UTC, datetime

import pytest

from ledger.database.kinds.entries import KINDS, EntryKind
from ledger.services.session import activity
from ledger.services.session.activity import Action
from ledger.web.frame import messages
from tests.support.tree import ROOT, project_files, python_files

ALSO_NAMED = {
    "ledger/services/chips/count.py": {
        "ADJUSTMENT"
    },  # posts the counted chips, as the table agrees
    # Cashes in what a changed hand of a cashed-in evening moves.
    "ledger/services/hands/after_cashing_in.py": {"CONVERSION"},
    # A hand's version shows the action on the hand; if an undo made it, the words are those of a reversal.
    "ledger/database/kinds/hand_actions.py": {"HAND"},
    "ledger/services/session/activity.py": {"REVERSAL"},
    "ledger/services/session/reversals.py": {"REVERSAL"},  # states in SQL which entries stand
    # The audit knows the journal's own two kinds before it asks any other module.
    "ledger/services/audit/entries.py": {"HAND", "REVERSAL"},
    "ledger/services/audit/hands.py": {"HAND"},
    "ledger/services/audit/other_entries.py": {"REVERSAL"},
}
"""Who names a kind besides the table and the one that writes it."""


def test_every_kind_has_a_row() -> None:
    """And none has a row that is not there."""
    assert set(KINDS) == set(EntryKind)


def test_each_kind_is_named_by_the_one_that_writes_it_only() -> None:
    """Everybody else asks the table, so that nothing is forgotten when a kind is added."""
    writers = defaultdict(set)
    for path in map(str, python_files("ledger")):
        if path != "ledger/database/kinds/entries.py":
            for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
                match node:
                    case ast.Attribute(value=ast.Name(id="EntryKind"), attr=kind):
                        writers[kind].add(path)
    also = {(path, kind) for path, named in ALSO_NAMED.items() for kind in named}
    assert also <= {(path, kind) for kind, paths in writers.items() for path in paths}
    alone = {
        kind.name: {p for p in writers[kind.name] if (p, kind.name) not in also}
        for kind in EntryKind
    }
    assert {kind: paths for kind, paths in alone.items() if len(paths) != 1} == {}
    doors = ("ledger/services/", "ledger/books/journal.py", "ledger/books/register.py")
    assert [path for paths in alone.values() for path in paths if not path.startswith(doors)] == []


def test_no_page_asks_which_kind_an_entry_is_of() -> None:
    """Templates ask for its properties."""
    asked = re.compile(rf"""kind (?:==|!=|in) \(?["'](?:{"|".join(EntryKind)})["']""")
    places = [
        f"{path}: {asked.search(text)}"
        for path in project_files()
        if path.suffix == ".html" and asked.search(text := (ROOT / path).read_text("utf-8"))
    ]
    assert places == []


@pytest.mark.parametrize("kind", EntryKind)
@pytest.mark.parametrize("player", [None, "Ann"])
def test_every_kind_has_words_for_what_was_done(kind: EntryKind, player: str | None) -> None:
    """On a page and in plain text, with nothing left open, and none by the word that the books keep."""
    at = datetime(2026, 1, 2, tzinfo=UTC)
    undid = Action(EntryKind.LOAN, None, "Sue", at, "Bob", 5)
    done = Action(kind, 3 if kind == "hand" else None, "Sue", at, player, 30, undid)
    parts = (str(messages.last_word(done, part)) for part in ("done", "short"))
    said = activity.in_words(done), *parts
    assert all(said)
    assert not any(re.search(r"[{}]|None", text) for text in said)


def test_no_two_kinds_have_one_title() -> None:
    """A list names them apart."""
    titles = [messages.entry_word(kind) for kind in EntryKind]
    assert len(set(titles)) == len(titles)
