"""Every cache of the program states the benchmark that needs it, and their number is limited.

A cache is a function or property with a decorator of `functools`, a `Cache`, or a dictionary of a module that
its functions fill. Above it stands a comment `# Cached for the benchmark NAME: reason`.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.tree import ROOT, python_files

MOST, MOST_IN_ENGINE = 35, 13
"""The most caches there may be."""

DECORATORS = {"cache", "lru_cache", "cached_property"}
CACHE_TYPES = {"Cache", "TTLCache", "LRUCache"}
FILLS = {"setdefault", "update", "keep"}
COMMENT = re.compile(r"# Cached for the benchmark (?:bench_)?(\w+): \S")


def name_of(node: ast.expr | None) -> str:
    """Return the last name of an expression: `cache` of `functools.cache` and of `cache(...)`."""
    match node:
        case ast.Call(func=called):
            return name_of(called)
        case ast.Subscript(value=value):
            return name_of(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def filled_names(module: ast.Module) -> set[str]:
    """Return the names of variables that functions of the module assign items of."""
    names = set()
    for function in ast.walk(module):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                names.add(name_of(node.value))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                names |= {name_of(node.func.value)} if node.func.attr in FILLS else set()
    return names


def caches(source: str) -> Iterator[int]:
    """Yield the first line of each cache in a module."""
    module = ast.parse(source)
    filled = filled_names(module)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if DECORATORS & {name_of(decorator) for decorator in node.decorator_list}:
                yield min(decorator.lineno for decorator in node.decorator_list)
        elif isinstance(node, ast.AnnAssign) and name_of(node.annotation) in CACHE_TYPES:
            yield node.lineno
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            called = node.value.func if isinstance(node.value, ast.Call) else None
            is_wrapped = name_of(called) in DECORATORS | CACHE_TYPES
            if is_wrapped or (node in module.body and is_memo(node, filled)):
                yield node.lineno


def is_memo(node: ast.Assign | ast.AnnAssign, filled: set[str]) -> bool:
    """Return whether a module's variable is a dictionary that its functions fill."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    is_mapping = isinstance(node.value, ast.Dict) or name_of(node.value).lower().endswith(
        ("dict", "dictionary")
    )
    return is_mapping and bool(filled & {name_of(target) for target in targets})


def comment_above(lines: list[str], number: int) -> str:
    """Return the comment that ends in the line before a numbered one."""
    comment: list[str] = []
    for line in reversed(lines[: number - 1]):
        if not line.strip().startswith("#"):
            break
        comment.insert(0, line.strip().lstrip("# "))
    return f"# {' '.join(comment)}"


@cache
def every_cache(*trees: str) -> list[tuple[Path, int]]:
    """Return each cache by its file and line."""
    return [
        (path, line)
        for path in python_files(*trees)
        for line in caches((ROOT / path).read_text(encoding="utf-8"))
    ]


def test_every_cache_names_the_benchmark_that_needs_it() -> None:
    """One that makes no benchmark slower when it is removed is not worth its code."""
    unexplained = []
    for path, line in every_cache("engine", "ledger"):
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        stated = COMMENT.match(comment_above(lines, line))
        if stated is None or not (ROOT / f"tests/benchmarks/bench_{stated[1]}.py").exists():
            unexplained.append(f"{path}:{line}")
    assert unexplained == []


def test_there_are_no_more_caches_than_agreed() -> None:
    """A new one replaces another, or has to be worth a higher limit."""
    assert len(every_cache("engine")) <= MOST_IN_ENGINE
    assert len(every_cache("engine", "ledger")) <= MOST


@pytest.mark.parametrize(
    "source",
    [
        "@cache\ndef f(): ...",
        "class C:\n @functools.cached_property\n def f(self): ...",
        "@lru_cache(maxsize=5)\ndef f(): ...",
        "f = lru_cache(maxsize=5)(g)",
        "f = functools.cache(g)",
        "_kept: Cache[int, str] = Cache(5)",
        "_kept = Cache(5)",
        "class C:\n kept: Cache[int, str] = field(default_factory=new)",
        "_kept = {}\ndef f(x):\n _kept[x] = 1",
        "_kept: dict[int, int] = WeakKeyDictionary()\ndef f(x):\n return _kept.setdefault(x, 1)",
    ],
)
def test_each_kind_of_cache_is_found(source: str) -> None:
    """Decorated functions, fields, and dictionaries that are filled as they are asked."""
    assert len([*caches(source)]) == 1


def test_a_table_that_nothing_fills_is_no_cache() -> None:
    """Nor are the names that a function fills for itself."""
    assert [*caches("TABLE = {1: 2}\ndef f():\n found = {}\n found[1] = 2\n return found")] == []
