"""Every code of a problem is explained on a page of the service, and its type leads there."""

import ast
import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from flask import Flask

from engine.errors import codes
from ledger.words.problem_codes import CODES, PAGE, type_of
from tests.ledger.api.caller import BASE, Caller
from tests.ledger.table import HEARTS_74
from tests.support.tree import ROOT

FRAMEWORK = {"bad-request", "csrf", "method-not-allowed", "not-found", "our-mistake", "too-large"}
FRAMEWORK |= {"too-many-requests", "unsupported-media-type"}
"""Codes of failures that no service raises; ``ledger.http.failures`` names them."""

OTHER_WAYS = {"more-than-advanced", "more-than-held", "pot-too-full"}
"""Codes that a service takes out of a table."""


def codes_in_the_source() -> Iterator[str]:
    """Yield each code that a problem or a fault is made with."""
    for path in (ROOT / "ledger").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not re.search(r"\bcode = |\bInvalid\.at|\bFault\b|\btexts\.", text):
            continue  # parsing the other files takes most of the time
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                yield from _of_class(node)
            if isinstance(node, ast.Call):
                yield from _of_call(node)


def _of_class(node: ast.ClassDef) -> Iterator[str]:
    for line in node.body:
        match line:
            case ast.Assign(targets=[ast.Name(id="code")], value=ast.Constant(value=code)):
                yield str(code)


def _of_call(node: ast.Call) -> Iterator[str]:
    name = ast.unparse(node.func)
    if name in {"Invalid.at", "Fault"} and len(node.args) > 1:
        if isinstance(node.args[1], ast.Constant):
            yield str(node.args[1].value)
    elif name in {"texts.one_line", "texts.check"}:
        prefix = ast.literal_eval(node.args[4])
        yield from (f"{prefix}-too-long", f"{prefix}-has-controls")


def test_every_code_has_a_meaning_and_every_meaning_a_code() -> None:
    """The framework's refusals have one, too."""
    used = set(codes_in_the_source()) | FRAMEWORK | OTHER_WAYS
    assert used - set(codes.CODES) == set(CODES) - set(codes.CODES)
    assert [meaning for meaning in CODES.values() if not meaning.endswith(".")] == []


def test_every_code_has_its_section_on_the_page(anyone: Caller) -> None:
    """Once each, so that the address of a type leads to just that one."""
    page = anyone.get(PAGE.removeprefix(BASE)).data.decode()
    sections = re.findall(r'id="([^"]+)"', page)
    assert len(sections) == len(set(sections))
    assert CODES.keys() | codes.CODES.keys() <= set(sections)


def test_the_type_of_each_problem_leads_to_its_section(app: Flask, sue: Caller) -> None:
    """From the requested address, for every kind of refusal."""
    path = sue.start()
    answers = {
        f"{path}/hands/9": sue.get(f"{path}/hands/9"),
        "/nothing": sue.get("/nothing"),
        "/club": Caller(app).get("/club"),
        "/games": sue.post("/games", {}),
        f"{path}/hands": sue.post(f"{path}/hands", {**HEARTS_74, "points": 999}),
        "/players": sue.post("/players", {"name": ""}),
        f"{path}/counts": sue.post(f"{path}/counts", data="{", content_type="application/json"),
        f"{path}/loans": sue.post(f"{path}/loans", data="x", content_type="text/plain"),
        f"{path}/undo": sue.post(f"{path}/undo", headers={"If-Match": None}),
    }
    codes = set()
    for asked, answer in answers.items():
        problem = answer.json
        codes.add(problem["code"])
        found = urlsplit(urljoin(f"http://localhost{BASE}{asked}", problem["type"]))
        assert (found.path, found.fragment) == (PAGE, problem["code"])
        page = sue.get(found.path.removeprefix(BASE)).data.decode()
        for code in (problem["code"], *(fault["code"] for fault in problem["errors"])):
            assert f'id="{code}"' in page
    assert len(codes) >= 7, codes


def test_a_failure_without_a_code_of_ours_has_the_type_that_says_nothing_more() -> None:
    """Like a new one of the framework's."""
    assert type_of("im-a-teapot") == "about:blank"
