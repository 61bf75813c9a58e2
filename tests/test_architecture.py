"""The architecture: the direction of imports, the only writer of the journal, the place of files.

Read from the source by `ast`, never by importing it, so that a broken module cannot hide a broken
wall. Each test collects every fault before it fails, one a line, with the file and the line.
"""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.support.tree import ROOT, VENDOR, project_files, python_files

LAYERS = {
    "engine": (
        *("cards", "words", "errors", "record", "phases", "rules", "games", "replay", "scoring"),
        *("notation", "batch", "guide"),
    ),
    "ledger": (
        *("runtime", "words", "database", "http", "books", "services", "report", "keeping"),
        *("api", "web", "server", "cli"),
    ),
    "ledger/services": (
        *(
            "common",
            "club",
            "session",
            "hands",
            "chips",
            "money",
            "reads",
            "audit",
            "undo",
            "table",
        ),
    ),
    "ledger/web": ("frame", "club", "money", "evening", "hand"),
}
"""The packages of each tree, from the lowest layer to the highest.

A module imports from its own package or from those below it. A module that lies beside the packages, as
`ledger/__main__.py` and `ledger/web/__init__.py` do, may import from all of them.
"""

TOP_LEVEL = {"README.md", "engine", "ledger", "migrations", "pyproject.toml", "templates", "tests"}
"""What the top level holds, besides names that begin with a dot."""

MOST_LINES = 400
"""No Python file may be longer: a room that outgrew itself is split."""

LONGEST_TEMPLATE_LINE = 119
"""The most characters in a line of a template, as no formatter breaks them without changing whitespace."""

BOOKS = {"Account", "JournalEntry", "Posting"}
"""The tables that only the journal writes."""

WRITES_BOOKS = re.compile(
    r"\b(insert\s+into|update|delete\s+from)\s+\"?(account|journal_entry|posting)\b", re.IGNORECASE
)
"""The same, written as SQL."""

REGISTRIES = tuple(
    ".".join(parts)
    for parts in (
        ("registry", "npmjs"),
        ("registry", "yarnpkg"),
        ("pythonhosted", "org"),
        ("pypi", "org"),
        ("deb", "debian", "org"),
    )
)
"""Hosts that no file may name (put together here, so that this file does not either)."""

HOME_PATH = re.compile(r"(?<![\w.])/(?:root|home/[\w.-]+|Users/[\w.-]+)/")
"""A path into somebody's home, which exists on their machine only."""


def parsed(path: Path) -> ast.Module:
    """Parse a file of the project."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), filename=str(path))


def module_name(path: Path) -> str:
    """Name the module that a file holds: `ledger/web/__init__.py` is `ledger.web`."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache  # several tests look at every import
def imports(path: Path) -> list[tuple[int, str]]:
    """Return the line and the full name of each thing a file imports, wherever the import stands.

    `from ledger import journal` is `ledger.books.journal`, so that a part is seen as itself.
    """
    package = path.parent.parts
    results = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            results += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*above, *filter(None, [node.module])))
            results += [(node.lineno, f"{base}.{alias.name}") for alias in node.names]
    return results


def is_in(module: str, *packages: str) -> bool:
    """Return whether a module is one of these packages or modules, or inside one."""
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


def named(node: ast.expr) -> str:
    """Give the last name of an expression: `Posting` of both `Posting` and `models.Posting`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def agree(faults: list[str]) -> None:
    """Fail with every fault, one a line."""
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


def test_engine_imports_the_standard_library_and_itself_only() -> None:
    """The rules know no web, no database, no third party."""
    agree(
        [
            f"{path}:{line}: engine imports {name}"
            for path in python_files("engine")
            for line, name in imports(path)
            if name.split(".")[0] not in {"engine", *sys.stdlib_module_names}
        ]
    )


@pytest.mark.parametrize("tree", LAYERS)
def test_every_package_has_a_layer(tree: str) -> None:
    """A new package is added to LAYERS; a removed one is taken out."""
    there = {path.relative_to(tree).parts[0] for path in python_files(tree)}
    assert {name for name in there if not name.endswith(".py")} == set(LAYERS[tree])


@pytest.mark.parametrize("tree", LAYERS)
def test_no_package_imports_from_a_layer_above_its_own(tree: str) -> None:
    """Layers also rule out import cycles between packages."""
    height = {name: at for at, name in enumerate(LAYERS[tree])}
    prefix = tree.replace("/", ".") + "."
    faults = []
    for path in python_files(tree):
        package = path.relative_to(tree).parts[0]
        for line, name in imports(path):
            other = name.removeprefix(prefix).split(".")[0] if name.startswith(prefix) else ""
            if height.get(other, 0) > height.get(package, len(height)):
                faults.append(f"{path}:{line}: {package} imports {name} from a layer above")
    agree(faults)


@pytest.mark.parametrize("top", ["engine", "ledger"])
def test_no_two_modules_import_each_other(top: str) -> None:
    """There is no circle of modules, also where an import is for a type only."""
    modules = {module_name(path): path for path in python_files(top)}
    graph: dict[str, set[str]] = {}
    for module, path in modules.items():
        named = {name if name in modules else name.rpartition(".")[0] for _, name in imports(path)}
        faces = {name for name, its in modules.items() if its.name == "__init__.py"}
        graph[module] = {name for name in named if name in modules} - {module} - faces
    done: set[str] = set()
    while free := {
        module for module in graph if module not in done and graph[module] <= done | faces
    }:
        done |= free
    agree([f"{module}: stands in a circle" for module in sorted(set(graph) - done)])


def test_nothing_but_the_app_factory_imports_web() -> None:
    """The pages are a door: the house behind it stands without them."""
    agree(
        [
            f"{path}:{line}: imports {name}"
            for path in python_files("engine", "ledger", "migrations")
            if not is_in(module_name(path), "ledger.web", "ledger.server.app")
            for line, name in imports(path)
            if is_in(name, "ledger.web")
        ]
    )


def test_the_product_imports_no_tests() -> None:
    """The shipped code does not depend on the rest."""
    agree(
        [
            f"{path}:{line}: imports {name}"
            for path in python_files("engine", "ledger", "migrations")
            for line, name in imports(path)
            if name.split(".")[0] == "tests"
        ]
    )


def test_only_the_journal_writes_the_books() -> None:
    """Nobody else makes an account, an entry or a posting, or changes a balance."""
    faults = []
    for path in python_files("engine", "ledger"):
        if is_in(module_name(path), "ledger.books.journal", "ledger.database.models"):
            continue
        faults += [
            f"{path}:{getattr(node, 'lineno', 0)}: {fault}"
            for node in ast.walk(parsed(path))
            if (fault := writes_the_books(node))
        ]
    agree(faults)


def writes_the_books(node: ast.AST) -> str | None:
    """Return how a node writes the books, or None if it does not."""
    match node:
        case ast.Call(func=called) if named(called) in BOOKS:
            return f"makes a row of {named(called)}"
        case ast.Call(func=called, args=[first, *_]) if (
            named(called) in {"insert", "update", "delete"} and named(first) in BOOKS
        ):
            return f"{named(called)}s rows of {named(first)}"
        case ast.Assign(targets=targets) if any(is_balance(target) for target in targets):
            return "sets a balance"
        case ast.AugAssign(target=target) if is_balance(target):
            return "changes a balance"
        case ast.Constant(value=str(text)) if WRITES_BOOKS.search(text):
            return "writes the books by SQL"
        case _:
            return None


def is_balance(target: ast.AST) -> bool:
    """Whether an assignment's target is somebody's `.balance`, alone or in a tuple."""
    return any(
        isinstance(node, ast.Attribute) and node.attr == "balance" for node in ast.walk(target)
    )


@pytest.mark.parametrize(
    "source",
    [
        "Posting(amount=5)",
        "models.JournalEntry()",
        "session.add(Account(player_id=1))",
        "connection.execute(insert(models.Posting))",
        "account.balance += 5",
        "account.balance = 0",
        "text('UPDATE account SET balance = 0')",
    ],
)
def test_each_way_to_write_the_books_is_seen(source: str) -> None:
    """The test above would notice."""
    assert any(writes_the_books(node) for node in ast.walk(ast.parse(source)))


def test_nothing_prints_but_the_command_line() -> None:
    """Output goes through the command line's door or a log."""
    agree(
        [
            f"{path}:{node.lineno}: prints"
            for path in python_files("engine", "ledger")
            if not is_in(module_name(path), "ledger.cli")
            for node in ast.walk(parsed(path))
            if isinstance(node, ast.Call) and named(node.func) == "print"
        ]
    )


def test_no_line_of_a_template_is_too_long_to_read() -> None:
    """A line is broken within a tag or an expression, or where the page has whitespace anyway."""
    for path in (ROOT / "templates").rglob("*.html"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            assert len(line) <= LONGEST_TEMPLATE_LINE, f"{path}:{number}"


def test_every_class_name_has_one_meaning() -> None:
    """No two classes of the product share a name, except the `Meta` classes that marshmallow asks for."""
    places: dict[str, list[str]] = {}
    for path in python_files("engine", "ledger"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef) and node.name != "Meta":
                places.setdefault(node.name, []).append(f"{path}:{node.lineno}")
    agree([f"{name}: {', '.join(found)}" for name, found in places.items() if len(found) > 1])


def test_no_file_outgrows_its_room() -> None:
    """A Python file has at most MOST_LINES lines."""
    agree(
        [
            f"{path}: {n} lines, {MOST_LINES} allowed"
            for path in python_files("engine", "ledger", "migrations", "tests")
            if (n := len((ROOT / path).read_bytes().splitlines())) > MOST_LINES
        ]
    )


def test_the_top_level_holds_the_agreed_names_only() -> None:
    """Everything else has a place inside them, or begins with a dot."""
    found = {path.parts[0] for path in project_files()}
    agree([f"{name}: not at the top level" for name in sorted(found - TOP_LEVEL) if name[0] != "."])


def test_no_file_names_a_registry_or_a_home() -> None:
    """A clone works anywhere: it fetches from no host it names and needs nobody's folder."""
    faults = []
    for path in project_files():
        text = (ROOT / path).read_bytes().decode("utf-8", errors="replace")
        faults += [f"{path}: names {host}" for host in REGISTRIES if host in text]
        if VENDOR not in path.parents and (home := HOME_PATH.search(text)):
            faults.append(f"{path}: names the path {home[0]}")
    agree(faults)
