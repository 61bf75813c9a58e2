"""Bring the catalogues up to date with the sentences in code and templates.

``python -m tests.catalogues`` after a sentence was written or changed: each ``ledger/locales/*.po`` then has
every sentence, without a translation where it is new, and none that is gone. What lacks one is printed.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from engine.words.english import ENGLISH
from engine.words.languages import NAMES
from ledger.runtime.paths import LOCALES, TEMPLATES
from tests.support.tree import ROOT

SAID = ("say", "later")
"""What takes a sentence in code."""
MARKED = {"_": None}
"""What takes a sentence in a template."""

OTHERS = tuple(tag for tag in NAMES if tag != ENGLISH.tag)
"""The languages that are translated into."""


def said_in(folder: str) -> dict[str, str]:
    """Return the sentences that the code of a folder says, each with the file that says it."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        for template in _said(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(template, str(path.relative_to(ROOT)))
    return found


def _said(tree: ast.AST) -> Iterator[str]:
    """Find the texts that are given to ``say`` or ``later``; joined literals are one already."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            named = ast.unparse(node.func).removeprefix("sentences.")
            first = node.args[0]
            if named in SAID and isinstance(first, ast.Constant):
                yield str(first.value)


def marked_in(folder: Path) -> dict[str, str]:
    """Return the sentences that the templates of a folder say, each with the template that says it."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.html")):
        for _, message, _, _ in extract_from_file("jinja2.ext:babel_extract", path, MARKED):
            found.setdefault(str(message), str(path.relative_to(folder.parent)))
    return found


def ledgers() -> dict[str, str]:
    """Return every sentence of the ledger's own, in code and in templates."""
    return {**marked_in(TEMPLATES), **said_in("ledger")}


def catalogue(tag: str) -> Catalog:
    """Read a catalogue as it stands in its file; an empty one where there is none yet."""
    path = LOCALES / f"{tag}.po"
    if not path.exists():
        return Catalog(tag)
    with path.open("rb") as file:
        return read_po(file, locale=tag)


def translations(tag: str) -> dict[str, str]:
    """Return what a catalogue holds: each sentence with its translation, empty where there is none."""
    return {str(each.id): str(each.string or "") for each in catalogue(tag) if each.id}


def write(tag: str, sentences: Mapping[str, str]) -> list[str]:
    """Write a catalogue anew for just these sentences, and return those without a translation.

    In the order of the alphabet and without line numbers, so that two who add to it seldom meet.
    """
    old, new = translations(tag), Catalog(tag, fuzzy=False)
    for template in sorted(sentences):
        new.add(template, old.get(template, ""))
    with (LOCALES / f"{tag}.po").open("wb") as file:
        write_po(file, new, width=0, omit_header=True, sort_output=True)
    return [template for template in sorted(sentences) if not old.get(template)]


def main() -> None:
    """Bring every catalogue up to date."""
    sentences = ledgers()
    for tag in OTHERS:
        for template in write(tag, sentences):
            sys.stdout.write(f"{tag} {sentences[template]}: {template}\n")


if __name__ == "__main__":
    main()
