"""No comprehension rebinds a name that its function takes from outside: CPython 3.12.1 and 3.13.0 lose it.

These two inline comprehensions and then look for the outer name in the wrong place: a ``NameError``, or
silently the comprehension's last value.
"""

import ast
import symtable
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.support.tree import ROOT, python_files

INLINED = (ast.ListComp, ast.SetComp, ast.DictComp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp)
UNNAMED = {ast.Lambda: "lambda", ast.GeneratorExp: "genexpr"}

FreeNames = dict[tuple[str, int], set[str]]
"""The names that functions take from enclosing functions, by the function's name and line."""


def shadowed(source: str) -> list[str]:
    """Return each comprehension variable that hides a free variable, as ``line: name``."""
    free: FreeNames = defaultdict(set)
    _collect(symtable.symtable(source, "source", "exec"), free)
    if not any(free.values()):
        return []
    return [
        f"{line}: {variable}"
        for function in ast.walk(ast.parse(source))
        if isinstance(function, FUNCTIONS)
        for line, variable in _comprehension_variables(function)
        if variable in free[_name(function), function.lineno]
    ]


def _collect(table: symtable.SymbolTable, free: FreeNames) -> None:
    if isinstance(table, symtable.Function):
        free[table.get_name(), table.get_lineno()] |= {*table.get_frees()}
    for inner in table.get_children():
        _collect(inner, free)


def _name(function: ast.AST) -> str:
    return UNNAMED.get(type(function)) or str(getattr(function, "name", ""))


def _comprehension_variables(scope: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and name of each variable bound by the comprehensions that run in this scope."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        if isinstance(node, INLINED):
            targets = [each for part in node.generators for each in ast.walk(part.target)]
            yield from ((each.lineno, each.id) for each in targets if isinstance(each, ast.Name))
        yield from _comprehension_variables(node)


def test_no_comprehension_hides_a_free_variable() -> None:
    """The whole tree is read, tests included: they run on these versions, too."""
    faults = [
        f"{path}:{fault}"
        for path in python_files("engine", "ledger", "migrations", "tests")
        for fault in shadowed((ROOT / path).read_text(encoding="utf-8"))
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "comprehension",
    [
        "[name for name in 'ab']",
        "{name for name in 'ab'}",
        "{name: 1 for name in 'ab'}",
        "[n for n in 'ab' for name in n]",
        "[1 for i, (name, k) in ()]",
        "print(len([[name for name in 'ab'] for i in 'cd']))",
    ],
)
def test_each_form_of_it_is_found(comprehension: str) -> None:
    """A set, a mapping, a second loop, a pair, a comprehension in another."""
    inner = f" def inner():\n  found = {comprehension}\n  return name\n"
    assert shadowed(f"def outer(name):\n{inner}") == ["3: name"]


@pytest.mark.parametrize(
    "inner",
    [
        "return [other for other in name]",
        "return list(name for name in 'ab')",
        "return [name for name in 'ab']",
        "return lambda: [name for name in 'ab']",
    ],
)
def test_what_works_on_every_version_is_allowed(inner: str) -> None:
    """Another name, a generator with a scope of its own, a name that is not taken from outside."""
    assert shadowed(f"def outer(name):\n def inner():\n  {inner}\n") == []
