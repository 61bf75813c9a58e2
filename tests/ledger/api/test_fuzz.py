"""Requests made from the OpenAPI document, right ones and wrong ones, at every operation."""

import re
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    missing_required_header,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.ledger.api.caller import BASE, Caller
from tests.ledger.table import ALONE_85, HEARTS_74

Asked = Case[Any]

RIGHT = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    ignored_auth,
]
WRONG = [*RIGHT, missing_required_header]
EXAMPLES = 12

HERE: dict[str, Any] = {
    "session_id": 1,
    "number": 2,
    "player_id": 1,
    "token_id": 1,
    "account_id": 1,
    "entry_id": 6,
}
"""What is in the books. The fuzzer's own token is another one, so it cannot take that back."""

_LAST = re.compile("leave|conversion|pause|close")

NOTHING_TO_GET_WRONG = {f"{BASE}/games"}
"""Takes neither token nor parameter nor body."""

bounded = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def bearer(sue: Caller) -> dict[str, str]:
    """The header of a token that is not number 1, with a session of two hands and a payment to work on.

    Answers are asked for as they are: what reads them here opens no brotli.
    """
    path = sue.start()
    for hand in (HEARTS_74, ALONE_85):
        assert sue.post(f"{path}/hands", hand).status_code == 201
    paid = sue.post("/payments", {"payer": "Ann", "payee": "Bob", "amount": 100})
    assert paid.json["entry"] == HERE["entry_id"]
    secret = sue.post("/tokens", {"label": "Fuzzer", "role": "scorer"}).json["secret"]
    return {"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_request_brings_the_api_down_and_each_answer_is_as_documented(
    app: Flask, bearer: dict[str, str], mode: GenerationMode, subtests: pytest.Subtests
) -> None:
    """No 5xx; status, type, headers and body as the document says; wrong ones are refused."""
    ask = ask_rightly if mode is GenerationMode.POSITIVE else ask_wrongly
    schema = schemathesis.openapi.from_wsgi(f"{BASE}/openapi.json", app)
    found = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    assert len(found) >= 60
    # once the session is closed or paused or nobody is left, little else can be written in it
    for operation in sorted(found, key=lambda each: _LAST.search(each.path) is not None):
        if mode is GenerationMode.POSITIVE or operation.path not in NOTHING_TO_GET_WRONG:
            with subtests.test(operation=operation.label):
                ask(operation.as_strategy(generation_mode=mode), bearer)


def ask_rightly(cases: SearchStrategy[Asked], bearer: dict[str, str]) -> None:
    """Send requests that keep to the document, to what is there."""

    @bounded
    @given(case=cases)
    def ask(case: Asked) -> None:
        known = {name: HERE[name] for name in case.path_parameters if name in HERE}
        case.path_parameters.update(known)
        case.call_and_validate(headers=bearer, checks=RIGHT)

    ask()


def ask_wrongly(cases: SearchStrategy[Asked], bearer: dict[str, str]) -> None:
    """Send requests that break it in one place or another."""

    @bounded
    @given(case=cases)
    def ask(case: Asked) -> None:
        response = case.call(headers=bearer)
        if response.status_code == 405:  # a wrong number made it another address
            return
        # scoring answers 200 to a wrong hand, and says so in the answer
        scores = case.operation.path.endswith("/score")
        checks = WRONG if scores else [*WRONG, negative_data_rejection]
        case.validate_response(response, headers=bearer, checks=checks)

    ask()
