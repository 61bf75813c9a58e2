"""The mutants of a module: each has one operator, number, condition or call changed."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import CodeType

from tests.support.tree import ROOT

OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
TYPES = {"annotation", "returns", "decorator_list"}
"""The fields of a node that hold types or decorators, which are left as they are."""

GUARDS = {"strict", "init", "repr", "compare"}
"""Keyword arguments of `zip` and of dataclass fields that only guard against mistakes; left as they are."""


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    file: str
    function: str
    line: str
    change: str
    number: int
    lines: range
    """From the first line of the changed statement to the line of the change."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The identity of the mutant after its line has moved."""
        return self.file, self.function, self.line, self.change

    def code(self) -> CodeType:
        """Compile the changed module."""
        path = ROOT / self.file
        tree = ast.parse(_source(self.file))
        parent, field, place, _, new, _, _ = list(_changes(tree))[self.number]
        if place is None:
            setattr(parent, field, new)
        else:
            getattr(parent, field)[place] = new
        return compile(ast.fix_missing_locations(tree), str(path), "exec")


@cache
def _source(file: str) -> str:
    """Return the text of a file as it was at first, so that edits during a run do not matter."""
    return (ROOT / file).read_text(encoding="utf-8")


def mutants_of(file: str) -> list[Mutant]:
    """Return every mutant of a file with this name relative to the project's folder."""
    source = _source(file)
    lines, mutants = source.splitlines(), list[Mutant]()
    for parent, _, _, old, new, function, first in _changes(ast.parse(source)):
        last = getattr(old, "lineno", 0) or parent.lineno  # type: ignore[attr-defined]
        line, change = lines[last - 1].strip(), f"{_text(old)} → {_text(new)}"
        mutants.append(Mutant(file, function, line, change, len(mutants), range(first, last + 1)))
    return mutants


Change = tuple[ast.AST, str, int | None, ast.AST, ast.AST, str, int]
"""A parent, its field and index, the node there, the new node, the function, the statement's line."""


def _changes(parent: ast.AST, function: str = "", first: int = 1) -> Iterator[Change]:
    """Yield every change below a node."""
    for field, value in ast.iter_fields(parent):
        for place, old in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(old, ast.AST) or field in TYPES or getattr(old, "arg", "") in GUARDS:
                continue
            begin = old.lineno if isinstance(old, ast.stmt) else first
            name = function
            if isinstance(old, ast.FunctionDef | ast.ClassDef):
                name = f"{function}.{old.name}".lstrip(".")
            for new in _replacements(field, old):
                yield parent, field, place, old, new, name, begin
            yield from _changes(old, name, begin)


def _replacements(field: str, node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that replace a node in its mutants."""
    if operator := OPERATORS.get(type(node)):
        yield operator()
    if field in ("test", "ifs") and not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp):
        yield ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type]
    match node:
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield ast.Constant(value + 1)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Name(id=name) if name in FUNCTIONS:
            yield ast.Name(FUNCTIONS[name], ast.Load())
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield ast.Expr(ast.Constant(None))


def _text(node: ast.AST) -> str:
    return ast.unparse(node) or type(node).__name__
