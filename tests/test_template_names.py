"""Templates read only attributes that exist, which mypy does not check, and filter no constants."""

import ast
from datetime import datetime
from pathlib import Path

import pytest
from flask import Request
from jinja2 import Environment, nodes
from jinja2.runtime import LoopContext

from tests.support.tree import ROOT, python_files

ENVIRONMENT = Environment(extensions=["jinja2.ext.do", "jinja2.ext.i18n"], autoescape=True)
BUILT_IN = {
    *(name for kind in (str, dict, list, datetime, Request, LoopContext) for name in dir(kind)),
    *("args", "full_path"),
}
"""Attributes of built-in types, of requests and of loops."""

Templates = dict[Path, nodes.Template]


@pytest.fixture(scope="module")
def templates() -> Templates:
    """The syntax trees of all templates."""
    return {
        path.relative_to(ROOT): ENVIRONMENT.parse(path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / "templates").rglob("*.html"))
    }


def names_in_code() -> set[str]:
    """Return the names of attributes, functions, arguments, keys and variables in the product."""
    names = set()
    for path in python_files("engine", "ledger"):
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                    names.add(name)
                case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                    names.add(name)
                case ast.Constant(value=str(name)) | ast.keyword(arg=str(name)):
                    names.add(name)
    return names | {name.removeprefix("show_") for name in names}  # `show_money` is `tell.money`


def test_templates_read_no_attribute_that_the_code_does_not_define(templates: Templates) -> None:
    """A renamed attribute would silently be undefined, or answer 500."""
    macros = {macro.name for tree in templates.values() for macro in tree.find_all(nodes.Macro)}
    known = names_in_code() | macros | BUILT_IN
    assert [
        f"{path}:{node.lineno}: .{node.attr}"
        for path, tree in templates.items()
        for node in tree.find_all(nodes.Getattr)
        if node.attr not in known
    ] == []


def test_no_filter_is_applied_to_constants_alone(templates: Templates) -> None:
    """Jinja would apply it once, when it compiles the template, in the language of the first reader."""
    assert [
        f"{path}:{node.lineno}: {node.node.value!r} | {node.name}"
        for path, tree in templates.items()
        for node in tree.find_all(nodes.Filter)
        if isinstance(node.node, nodes.Const)
        and all(isinstance(argument, nodes.Const) for argument in node.args)
    ] == []
