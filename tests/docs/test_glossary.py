"""The glossary: each thing has one word, and no page, message, name or document uses a replaced one."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from ledger.words.languages import LANGUAGES
from tests.support.tree import ROOT, VENDOR, project_files, python_files

GLOSSARY = Path(".docs/GLOSSARY.md")
WORDS = ("At the table", "Chips and money", "Plain words")
NAMES = "Names in code"
IN_GERMAN = "In German"
IN_JAPANESE = "In Japanese"
MOST_WORDS = 4
"""How many words `…` stands for at most."""


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading of the glossary."""
    part = (
        (ROOT / GLOSSARY)
        .read_text(encoding="utf-8")
        .split(f"\n## {heading}\n")[1]
        .split("\n## ")[0]
    )
    table = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def replaced(*headings: str) -> list[str]:
    """Return the words that are replaced by others."""
    return [
        old
        for heading in headings
        for cells in rows(heading)
        for old in re.findall("`([^`]+)`", cells[-1])
    ]


def finder(phrases: list[str]) -> re.Pattern[str]:
    """Return a pattern that finds these phrases in ``plain`` text, in any capitalisation.

    >>> finder(["take … back"]).findall("Take it back, or what was taken.")
    ['Take it back']
    """
    words = (
        re.escape(plain(phrase)).replace("…\\ ", rf"(?:\S+ ){{0,{MOST_WORDS}}}")
        for phrase in phrases
    )
    return re.compile(rf"(?<!\w)(?<!there )(?:{'|'.join(words)})(?!\w| longer)", re.IGNORECASE)


def plain(text: str) -> str:
    """Return a text in one line, with straight apostrophes and without names in code."""
    return " ".join(re.sub(r"``[^`]*``|`[^` ]*`", "``", text).replace("’", "'").split())


REPLACED = finder(replaced(*WORDS))


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield a file's texts with their lines: of a module its strings, docstrings and comments."""
    source = (ROOT / path).read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield 1, source
        return
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "0" for part in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
    yield 1, " ".join(re.findall(r"^(?:.*\s)?# (.*)$", source, re.MULTILINE))


@cache
def tree(path: Path) -> ast.Module:
    """Return a module of the project, parsed."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def faults(paths: Iterable[Path]) -> list[str]:
    """Return each use of a replaced word with its place."""
    return [
        f"{path}:{line}: {old}"
        for path in paths
        for line, text in strings(path)
        for old in REPLACED.findall(plain(text))
    ]


def test_no_page_or_document_uses_a_replaced_word() -> None:
    """Templates, scripts and documents."""
    paths = [
        path
        for path in project_files()
        if path.suffix in {".html", ".js", ".md"}
        and path != GLOSSARY
        and VENDOR not in path.parents
    ]
    assert {path.suffix for path in paths} == {".html", ".js", ".md"}
    assert faults(paths) == []


@pytest.mark.parametrize("folder", ["engine", "ledger"])
def test_no_message_or_docstring_uses_a_replaced_word(folder: str) -> None:
    """Refusals, problems, the API's document, the command line, the printed report, and the code itself."""
    assert faults(python_files(folder)) == []


@pytest.mark.parametrize("folder", ["engine", "ledger", "tests"])
def test_no_module_class_or_function_has_a_replaced_name(folder: str) -> None:
    """A module's tests are named after it."""
    old = {name for names in replaced(NAMES) for name in (names, f"test_{names}")}
    names = {
        (str(path), name)
        for path in python_files(folder)
        for name in [path.stem, path.parent.name, *defined(path)]
    }
    assert sorted(f"{path}: {name}" for path, name in names if name in old) == []


def defined(path: Path) -> list[str]:
    """Return the names of the classes and functions that a module defines."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in ast.walk(tree(path)) if isinstance(node, kinds)]


def test_german_has_one_word_for_each_thing() -> None:
    """No replaced word is in the German catalogue, with any ending."""
    texts = spoken("de")
    stems = "|".join(map(re.escape, replaced(IN_GERMAN)))
    assert "Spielansager" in stems
    used = re.compile(rf"\b(?:{stems})", re.IGNORECASE)
    assert [text for text in texts if used.search(re.sub(r"{.*?}", "", text))] == []
    assert used.findall("Die Besitzerin verdoppelt; Abrechnung") == ["Besitzer", "verdoppel"]


def test_japanese_has_one_word_for_each_thing() -> None:
    """No replaced word is in the Japanese catalogue."""
    old = replaced(IN_JAPANESE)
    assert "換金" in old
    assert [text for text in spoken("ja") if any(word in text for word in old)] == []


def spoken(tag: str) -> list[str]:
    """Return a language's translations."""
    return [*LANGUAGES[tag].messages.values()]


def test_every_word_of_the_glossary_is_explained_and_in_it_once() -> None:
    """In one plain sentence; and no word is one that another replaces."""
    explained = [cells for heading in WORDS[:2] for cells in rows(heading)]
    words = [cells[0] for cells in explained]
    assert len(words) == len(set(words))
    assert [word for word, meaning, _ in explained if not re.fullmatch(r"[A-Z].*\.", meaning)] == []
    assert [word for word in words if REPLACED.search(word)] == []


def test_a_replaced_word_is_found_wherever_the_line_breaks() -> None:
    """In upper or lower case, with either apostrophe; not as a part of a word, nor in a name of code."""
    for text in ("Paid\n    anew.", "Turn all\nthe chips into money", "chips of the bank’s"):
        assert REPLACED.search(plain(text)), text
    for text in ("``taken_back``", "manewal", "what the bank has taken, back at the table"):
        assert not REPLACED.search(plain(text)), text


def test_an_apostrophe_is_written_one_way() -> None:
    """Straight, as it is typed: on every page, in every message, and in the sentences of the catalogues."""
    paths = [
        *python_files("engine"),
        *python_files("ledger"),
        *(ROOT / "templates").rglob("*.html"),
    ]
    texts = {str(path): (ROOT / path).read_text(encoding="utf-8") for path in paths}
    assert [path for path, text in texts.items() if "\u2019" in text] == []
