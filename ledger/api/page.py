"""The API's documentation page, built from the OpenAPI document.

Both therefore always agree, and the page needs no scripts.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from markupsafe import Markup, escape

Json = Mapping[str, Any]

METHODS = ("get", "post", "put", "patch", "delete")
_FAILURE = 400
_TYPES = {"integer": "whole number", "string": "text", "boolean": "true or false", "null": "null"}


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter or a field: name, location, type and description."""

    name: str
    place: str
    kind: Markup
    required: bool
    about: Markup


@dataclass(frozen=True, slots=True)
class ResponseDoc:
    """A documented response: status, meaning, body type, headers and example."""

    status: str
    meaning: str
    kind: Markup
    headers: Sequence[Field]
    example: str

    @property
    def failed(self) -> bool:
        """Whether the status is 400 or above."""
        return int(self.status) >= _FAILURE


@dataclass(frozen=True, slots=True)
class Operation:
    """A documented operation: its URL, required role, parameters, body and responses."""

    id: str
    method: str
    path: str
    summary: Markup
    about: Markup
    role: str
    parameters: Sequence[Field]
    body: Markup
    examples: Mapping[str, str]
    answers: Sequence[ResponseDoc]


@dataclass(frozen=True, slots=True)
class Subject:
    """A group of operations."""

    id: str
    name: str
    about: Markup
    operations: Sequence[Operation]


@dataclass(frozen=True, slots=True)
class ShapeDoc:
    """A documented JSON object and its fields."""

    name: str
    fields: Sequence[Field]


@dataclass(frozen=True, slots=True)
class ApiPage:
    """The content of the page."""

    title: str
    version: str
    about: Markup
    subjects: Sequence[Subject]
    shapes: Sequence[ShapeDoc]
    failures: Sequence[ResponseDoc]


class PageBuilder:
    """Builds the page from an OpenAPI document."""

    def __init__(self, document: Json) -> None:
        self._document = document

    def page(self) -> ApiPage:
        """Return the page."""
        document, parts = self._document, self._document["components"]
        operations = [self._operation(*place) for place in self._operations()]
        subjects = [
            Subject(
                slug(tag["name"]),
                tag["name"],
                prose(tag["description"]),
                [operation for name, operation in operations if name == tag["name"]],
            )
            for tag in document["tags"]
        ]
        shapes = [
            ShapeDoc(name, self._fields(shape)) for name, shape in sorted(parts["schemas"].items())
        ]
        failures = [
            self._answer(str(HTTPStatus[name].value), response)
            for name, response in parts["responses"].items()
            if name in HTTPStatus.__members__ and HTTPStatus[name] >= _FAILURE
        ]
        failures.sort(key=lambda answer: answer.status)
        info = document["info"]
        return ApiPage(
            info["title"], info["version"], prose(info["description"]), subjects, shapes, failures
        )

    def _operations(self) -> list[tuple[str, str, Json, Sequence[Json]]]:
        """Return every operation with its path, method, object and the path's shared parameters."""
        return [
            (path, method, place[method], place.get("parameters", ()))
            for path, place in self._document["paths"].items()
            for method in METHODS
            if method in place
        ]

    def _operation(
        self, path: str, method: str, operation: Json, shared: Sequence[Json]
    ) -> tuple[str, Operation]:
        parameters = [
            self._resolved(parameter) for parameter in (*shared, *operation.get("parameters", ()))
        ]
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        examples = {
            name: indented(example["value"])
            for name, example in content.get("examples", {}).items()
        }
        if "example" in content:
            examples[""] = indented(content["example"])
        answers = [self._answer(*response) for response in sorted(operation["responses"].items())]
        return operation["tags"][0], Operation(
            operation["operationId"],
            method.upper(),
            path,
            prose(operation["summary"], inline=True),
            prose(operation.get("description", "")),
            required_role(method, operation, {parameter["name"] for parameter in parameters}),
            [
                self._field(parameter["name"], parameter, parameter.get("required", False))
                for parameter in parameters
            ],
            kind(content.get("schema", {})) if content else Markup(),
            examples,
            answers,
        )

    def _answer(self, status: str, response: Json) -> ResponseDoc:
        response = self._resolved(response)
        content: Json = next(iter(response.get("content", {}).values()), {})
        headers = [
            self._field(name, self._resolved(header), required=True)
            for name, header in response.get("headers", {}).items()
        ]
        example = indented(content["example"]) if "example" in content else ""
        meaning = response["description"]
        return ResponseDoc(status, meaning, kind(content.get("schema", {})), headers, example)

    def _fields(self, shape: Json) -> list[Field]:
        required = shape.get("required", ())
        return [
            self._field(name, field, name in required)
            for name, field in shape.get("properties", {}).items()
        ]

    def _field(self, name: str, item: Json, required: bool) -> Field:
        schema = item.get("schema", item)
        about = item.get("description", schema.get("description", ""))
        return Field(name, item.get("in", ""), kind(schema), required, prose(about, inline=True))

    def _resolved(self, item: Json) -> Json:
        """Return the object, with a reference resolved."""
        if "$ref" not in item:
            return item
        node: Any = self._document
        for step in item["$ref"].split("/")[1:]:
            node = node[step]
        resolved: Json = node
        return resolved


def required_role(method: str, operation: Json, parameters: set[str]) -> str:
    """Return a sentence about the role that an operation requires."""
    if not operation.get("security"):
        return "Anybody: no token is needed."
    if "Club-Passcode" in parameters:
        return "An owner's token, with the club's passcode."
    if method == "get":
        owners = "403" in operation["responses"]
        return "An owner's token." if owners else "Any token of the club."
    if "dry_run" in parameters:
        return "A scorer's or an owner's token; for a dry run any token of the club."
    return "A scorer's or an owner's token."


def kind(schema: Json) -> Markup:
    """Return a schema's type and bounds; a shape becomes a link."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return Markup('<a href="#shape-{0}">{0}</a>').format(name)
    if "anyOf" in schema:
        return Markup(" or ").join(map(kind, schema["anyOf"]))
    if "enum" in schema:
        return Markup(", ").join(
            Markup("<code>{}</code>").format(value) for value in schema["enum"]
        )
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    return Markup(" or ").join(_of_type(name, schema) for name in types) + _bounds(schema)


def _of_type(name: str, schema: Json) -> Markup:
    if name == "array":
        return Markup("list of {}").format(kind(schema.get("items", {})) or "anything")
    if name == "object":
        values = schema.get("additionalProperties")
        return Markup("object of {}").format(kind(values)) if values else Markup("object")
    form = schema.get("format", "")
    return escape(form if name == "string" and form else _TYPES.get(name, name))


def _bounds(schema: Json) -> Markup:
    low, high = schema.get("minimum"), schema.get("maximum")
    text = ""
    if low is not None and high is not None and high < 2**31:
        text = f", {low} to {high:,}"
    elif low is not None:
        text = f", {low} or more"
    if "default" in schema:
        text += f"; otherwise {json.dumps(schema['default'], ensure_ascii=False)}"
    return escape(text)


def slug(name: str) -> str:
    """Return a name in the form used in URLs."""
    return name.lower().replace(" ", "-")


def indented(value: Any) -> str:
    """Return a value as indented JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def prose(text: str, *, inline: bool = False) -> Markup:
    """Return HTML for a text with paragraphs, lists, code and bold words.

    >>> str(prose("**Read** `id`"))
    '<p><strong>Read</strong> <code>id</code></p>'
    """
    if inline:
        return _words(text)
    html = Markup()
    for part in re.split(r"\n\s*\n", text.strip()) if text.strip() else ():
        lines, items = [], re.split(r"(?:^|\n)- ", part)
        if items[0].strip():
            lines.append(Markup("<p>{}</p>").format(_words(items[0])))
        if items[1:]:
            listed = Markup("\n").join(Markup("<li>{}</li>").format(_words(i)) for i in items[1:])
            lines.append(Markup("<ul>{}</ul>").format(listed))
        html += Markup("\n").join(lines)
    return html


def _words(text: str) -> Markup:
    safe = str(escape(" ".join(text.split())))
    safe = re.sub(r"`([^`]+)`", r"<code>\1</code>", safe)
    return Markup(re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", safe))  # noqa: S704 - escaped above
