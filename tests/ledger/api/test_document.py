"""The OpenAPI document is complete, and its page works offline."""

import re
from collections.abc import Iterator
from typing import Any

import schemathesis
from flask import Flask

from engine.record.results import RESULT
from ledger.runtime.clock import now
from tests.ledger.api.caller import BASE, Caller

DOCUMENT = f"{BASE}/openapi.json"


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the method, the path and the document of each operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield method.upper(), path, operation


def parameters(document: dict[str, Any], operation: dict[str, Any]) -> set[str]:
    """Return the names of an operation's parameters."""
    named = document["components"]["parameters"]
    return {
        named[each["$ref"].rpartition("/")[2]]["name"] if "$ref" in each else each["name"]
        for each in operation.get("parameters", [])
    }


def test_the_document_has_every_route_of_the_api(app: Flask, anyone: Caller) -> None:
    """Nothing is served under the API's address that it does not describe."""
    document = anyone.get("/openapi.json").json
    told = {(method, path) for method, path, _ in operations(document)}
    served = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith(BASE)
    }
    assert served - told == {
        ("GET", DOCUMENT),
        ("GET", f"{BASE}/docs"),
        ("GET", f"{BASE}/docs/errors"),
    }
    assert document["openapi"].startswith("3.1")


def test_every_operation_says_what_it_does_and_how_it_fails(anyone: Caller) -> None:
    """A summary, an id of its own, its failures; bodies have an example or are described."""
    document = anyone.get("/openapi.json").json
    names_seen = set()
    for method, path, operation in operations(document):
        assert operation["summary"].strip(), path
        names_seen.add(operation["operationId"])
        codes = set(operation["responses"])
        free = path in {f"{BASE}/clubs", f"{BASE}/games", f"{BASE}/score"}
        assert ("security" in operation, "401" in codes) == (not free, not free), path
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= codes, path
        if "{" in path:
            assert "404" in codes, path
        if method != "GET" and not free and not path.endswith("/chips/payout"):
            assert "403" in codes, path
    assert len(names_seen) == len(list(operations(document)))
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert all(tag["description"] for tag in document["tags"])


def test_every_parameter_that_is_heeded_is_told(anyone: Caller) -> None:
    """As any other parameter is refused: each list has its page, a balance its time, a read its tag."""
    document = anyone.get("/openapi.json").json
    for method, path, operation in operations(document):
        told = parameters(document, operation)
        pages = "X-Pagination" in str(operation["responses"])
        assert ({"page", "page_size"} <= told) == pages, path
        assert ("If-None-Match" in told) == ("304" in operation["responses"]), path
        assert ("If-Match" in told) == ("412" in operation["responses"]), path
        assert ("at" in told) == path.endswith("/balance"), path
        owning = "Club-Passcode" in told  # an answer kept under a key would keep a secret, too
        conflicting = method != "GET" and "409" in operation["responses"]
        keyed = conflicting and not owning and not path.endswith(("/clubs", "/archives"))
        assert ("Idempotency-Key" in told) == keyed, path


def test_every_key_of_a_result_is_told_with_its_type(anyone: Caller) -> None:
    """Those of the contract in there; a key with a set of words lists them."""
    hand = anyone.get("/openapi.json").json["components"]["schemas"]["SessionHand"]["properties"]
    for name, key in RESULT.items():
        told = (hand["contract"]["properties"] if key.in_contract else hand)[name]
        assert key.kind in told["type"]
        assert told["description"].startswith(key.help)
        assert all(f"`{word}`" in told["description"] for word in key.words)


def test_the_document_keeps_to_openapi(app: Flask) -> None:
    """Held against the specification's own schema."""
    schemathesis.openapi.from_wsgi(DOCUMENT, app).validate()


def test_the_examples_can_be_sent_as_they_are(sue: Caller, anyone: Caller) -> None:
    """Each example of a club, a session, a hand and a score is taken; a club's by anybody."""
    document = sue.get("/openapi.json").json

    def examples(path: str) -> dict[str, Any]:
        body = document["paths"][BASE + path]["post"]["requestBody"]["content"]
        return {
            name: example["value"] for name, example in body["application/json"]["examples"].items()
        }

    assert anyone.post("/clubs", examples("/clubs")["a club"]).status_code == 201
    started = sue.post("/sessions", examples("/sessions")["an evening"])
    assert started.status_code == 201
    hands = examples("/sessions/{session_id}/hands")
    path = f"/sessions/{started.json['id']}/hands"
    assert sue.post(path, hands["Crazy Solo"]).status_code == 201
    assert sue.post(path, hands["all passed"]).status_code == 201
    assert sue.post("/score", examples("/score")["a hand"]).json["ok"] is True


def test_every_429_has_the_headers_that_are_documented_and_no_others(
    anyone: Caller, sue: Caller
) -> None:
    """Of founding clubs too often, and of each act of an owner's after wrong passcodes."""
    document = anyone.get("/openapi.json").json
    response = document["components"]["responses"]["TOO_MANY_REQUESTS"]
    documented = {name for name, header in response["headers"].items() if header["required"]}
    assert documented == set(response["headers"])
    limited = [each for each in operations(document) if "429" in each[2]["responses"]]
    assert {method for method, *_ in limited} >= {"POST", "PATCH", "DELETE"}
    for method, path, operation in limited:
        caller = sue if "security" in operation else anyone
        address = re.sub(r"{\w+}", "1", path.removeprefix(BASE))
        default = set(caller.call(method, f"{address}/nothing").headers.keys())
        for number in range(30):
            body = {"name": f"Club {number}", "passcode": "four aces"}
            fields = None if method == "DELETE" else body
            answer = caller.call(method, address, fields, headers={"Club-Passcode": "wrong"})
            if answer.status_code == 429:
                break
        assert answer.status_code == 429, path
        assert set(answer.headers.keys()) - default == documented, path
        limit, remaining, reset = (
            int(answer.headers[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")
        )
        assert (limit > 0, remaining) == (True, 0), path
        waits = reset - now().timestamp()
        assert abs(waits - int(answer.headers["Retry-After"])) <= 2, path
