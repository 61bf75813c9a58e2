"""Every response that succeeds has an example in the document: a real one, and as its schema says."""

from typing import Any

import jsonschema_rs
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access
from tests.api_examples import Examples, collect
from tests.ledger.api.caller import Caller
from tests.ledger.api.test_document import operations


def documented(document: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the content of every response with status 200 or 201, by operation and key of its example."""
    return {
        (operation["operationId"], f"{status} {media_type}" if number else status): content
        for _, _, operation in operations(document)
        for status, response in operation["responses"].items()
        if status in {"200", "201"}
        for number, (media_type, content) in enumerate(response["content"].items())
    }


def test_every_response_has_an_example_that_keeps_to_its_schema(anyone: Caller) -> None:
    """Each operation has at least one."""
    document = anyone.get("/openapi.json").json
    responses = documented(document)
    names = {operation["operationId"] for _, _, operation in operations(document)}
    assert {name for name, _ in responses} == names
    for content in responses.values():
        schema = {**content["schema"], "components": document["components"]}
        jsonschema_rs.Draft202012Validator(schema).validate(content["example"])


def test_the_examples_are_what_the_api_answers_today(
    app: Flask, database: Database, club: Access, anyone: Caller
) -> None:
    """The same keys with values of the same kinds; if not, `python -m tests.api_examples` renews them."""
    examples: Examples = {}
    for (name, status), content in documented(anyone.get("/openapi.json").json).items():
        examples.setdefault(name, {})[status] = content["example"]
    assert shape(examples) == shape(collect(app, database, club))


def test_a_renewed_example_of_another_shape_is_noticed() -> None:
    """A missing key, and a value of another kind, also in a row of a list."""
    rows = [{"id": 1, "title": "Friday", "closed": None}]
    assert shape(rows) == shape([{"id": 2, "title": "Monday", "closed": None}])
    assert shape(rows) != shape([{"id": 1, "title": "Friday"}])
    assert shape(rows) != shape([{"id": "1", "title": "Friday", "closed": None}])


def shape(value: Any) -> Any:
    """Return the keys of a value and the types of what they hold."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return type(value).__name__
