"""Named failures: each is given all values of its sentence."""

import ast
from collections.abc import Iterator
from string import Formatter

import pytest

import ledger.server.app  # noqa: F401  (so that every kind is known)
from ledger.words.problems import Problem, SessionClosed
from tests.support.tree import ROOT, python_files


def kinds(of: type[Problem] = Problem) -> Iterator[type[Problem]]:
    """Yield every kind of problem that there is."""
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


def raised() -> Iterator[tuple[str, set[str | None]]]:
    """Yield the bare names called in the program, and the names of their keyword arguments."""
    for file in python_files("ledger"):
        for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args:
                yield node.func.id, {given.arg for given in node.keywords}


def test_every_problem_is_told_what_its_sentence_says() -> None:
    """No more and no less, wherever it is raised: a name that is missed would end in our own mistake."""
    said = {
        kind.__name__: {name for _, name, _, _ in Formatter().parse(kind.sentence) if name}
        for kind in kinds()
        if kind.sentence
    }
    told = [(name, given) for name, given in raised() if name in said]
    assert len(told) > 15
    assert [(name, given, said[name]) for name, given in told if given != said[name]] == []


def test_a_problem_says_its_sentence() -> None:
    """Its values are in it unchanged, braces and all."""
    assert SessionClosed(title="{a} Friday").message == (
        "“{a} Friday” is closed; reopen it to make changes."
    )
    assert str(SessionClosed(title="x")) == "“x” is closed; reopen it to make changes."
    with pytest.raises(KeyError):
        SessionClosed()
