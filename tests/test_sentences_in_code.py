"""No sentence that people read is written in code outside the catalogues."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.tree import ROOT

SPEAKING = (
    *(
        "engine/guide",
        "engine/phases",
        "engine/record",
        "engine/replay",
        "engine/rules",
        "engine/scoring",
    ),
    *("ledger/api", "ledger/report", "ledger/services", "ledger/web"),
    *("ledger/database/kinds", "ledger/words/currencies.py", "ledger/http/failures.py"),
    *("ledger/words/problems.py", "engine/errors/__init__.py"),
)
"""What speaks to people. A game's own words and a result's are held by `tests/engine/words/test_terms.py`."""

SILENT = (
    "engine/record/results.py",  # a table of terms, which tests/catalogues.py lists
    "ledger/services/audit",  # for the operator, in English
    "ledger/api/spec.py",  # describes the API to programmers
    "ledger/api/page.py",
    "ledger/words/problem_codes.py",
    "ledger/api/schemas",  # as well; its refusals are checked apart
    "ledger/report/face.py",  # a table of a PDF
)

SAYS = {"say", "later", "word"}
IN_ENGLISH = {
    "compile",
    "text",
    "warning",
    "error",
    "exception",
    "_say_once",
    "Blueprint",
    "URLSafeSerializer",
    "writes",
    "plans",
}
"""Calls whose texts nobody at the table reads: patterns, the log, the API's description, names of writes."""
FOR_PROGRAMMERS = {
    "ValueError",
    "TypeError",
    "LookupError",
    "KeyError",
    "RuntimeError",
    "OutOfScope",
}

SENTENCE = re.compile(
    r"[A-Za-z']{2,}[,;:]? [A-Za-z{]+.*[.?!…]$|^[A-Z][a-z]+(?: [a-z{]+)+|[a-z]{2,} [a-z]{2,} [a-z]{2,}"
)

LEFT = {
    "another program holds the file of the ledger (database is locked)",  # the log's
    "This server does not answer by that name.\n",  # before anybody's language is known
    'Bearer realm="solo-ledger"',  # a header
    "{} of the pots undone: {}",  # stored in the books, as the reason of later changes
    "the database failed: %s",
    # The API's description.
    "The result of a dry run; nothing is written",
    "once, whoever marks it",
    "Points that nobody pays, in a session played for chips as well or for nothing else.",
    "`chips`, or `score` for an evening of points that nobody pays, as German Solo's are.",
    "`chips`, or `score` for points that nobody pays.",
}
"""All there is besides. A new one belongs in the catalogues."""


def sentences(tree: ast.AST) -> Iterator[str]:
    """Find the texts of a module that read like a sentence and go through no catalogue."""
    quiet = {id(inner) for node in ast.walk(tree) if _is_quiet(node) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in quiet:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (
                str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values
            )
            quiet |= {id(each) for each in node.values}
            yield from filter(SENTENCE.search, ["".join(parts)])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from filter(SENTENCE.search, [node.value])


def _is_quiet(node: ast.AST) -> bool:
    """Whether nothing in it is a sentence for people that lacks its catalogue."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)  # a docstring
    if isinstance(node, ast.Call):
        named = ast.unparse(node.func).rpartition(".")[2]
        return named in SAYS | IN_ENGLISH
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return ast.unparse(node.exc.func) in FOR_PROGRAMMERS
    if isinstance(node, ast.keyword):
        return node.arg in {"examples", "description"}
    return isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Annotated"


def modules() -> Iterator[Path]:
    """Return the modules that speak to people."""
    for each in SPEAKING:
        path = ROOT / each
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if not str(module.relative_to(ROOT)).startswith(SILENT):
                yield module


def test_no_code_says_anything_outside_the_catalogues() -> None:
    """Except for these modules and their reasons; the list does not grow."""
    results: dict[str, list[str]] = {}
    for path in modules():
        for text in sentences(ast.parse(path.read_text(encoding="utf-8"))):
            results.setdefault(text, []).append(str(path.relative_to(ROOT)))
    assert {text: paths for text, paths in results.items() if text not in LEFT} == {}
    assert LEFT - set(results) == set()


def test_no_field_of_the_api_refuses_in_english_alone() -> None:
    """The errors of a shape or a validator are sentences of the catalogues."""
    plain = []
    for path in sorted((ROOT / "ledger/api").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            given: list[ast.expr] = []
            if isinstance(node, ast.keyword) and node.arg in {"error", "error_messages"}:
                given = [node.value]
            elif isinstance(node, ast.Call) and ast.unparse(node.func) in {
                "wants",
                "ValidationError",
            }:
                given = node.args[:1]
            for each in given:
                values = each.values if isinstance(each, ast.Dict) else [each]
                plain += [ast.unparse(value) for value in values if _is_text(value)]
    assert plain == []


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr | ast.Constant)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('message = f"{who} can\'t lead."', ["{} can't lead."]),
        ('"""A docstring is one."""\nmessage = say("Ann leads this hand.")', []),
        ('raise Invalid.at("points", "none", "Say the points.")', ["Say the points."]),
        ('raise ValueError("this cannot be")', []),
        ('key = "hands_played"', []),
    ],
)
def test_a_sentence_outside_the_catalogues_is_found(code: str, found: list[str]) -> None:
    """Joined or not; but no docstring, no key, nothing that only a programmer reads."""
    assert list(sentences(ast.parse(code))) == found


def test_no_message_turns_a_card_or_call_into_text_before_its_language_writes_it() -> None:
    """`say(…, card=str(card))` would show TD to everyone; pass the card itself."""
    hidden = []
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "say"):
                continue
            for keyword in node.keywords:
                texts = [
                    each
                    for each in ast.walk(keyword.value)
                    if (isinstance(each, ast.Call) and ast.unparse(each.func) == "str")
                    or ast.unparse(each).startswith("map(str")
                ]
                if texts:
                    hidden.append(f"{path.relative_to(ROOT)}:{node.lineno} {keyword.arg}")
    assert hidden == []
