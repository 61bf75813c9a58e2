"""The API's document as a page: what each operation takes and answers, told by what the document says of it.

It is made of the document that programs read, so it can say nothing else, and needs no script to be read.
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
    """A parameter, or a field of a shape: its name, where it is sent, what it takes and means."""

    name: str
    place: str
    kind: Markup
    required: bool
    about: Markup


@dataclass(frozen=True, slots=True)
class Answer:
    """A way of being answered: its status in figures and words, what comes with it, and what it means."""

    status: str
    meaning: str
    kind: Markup
    headers: Sequence[Field]
    example: str

    @property
    def failed(self) -> bool:
        """Whether it is a refusal or a failure."""
        return int(self.status) >= _FAILURE


@dataclass(frozen=True, slots=True)
class Operation:
    """What a program may do: its address, who may call it, what it sends, and how it is answered."""

    id: str
    method: str
    path: str
    summary: Markup
    about: Markup
    who: str
    parameters: Sequence[Field]
    body: Markup
    examples: Mapping[str, str]
    answers: Sequence[Answer]


@dataclass(frozen=True, slots=True)
class Subject:
    """Operations that belong together."""

    id: str
    name: str
    about: Markup
    operations: Sequence[Operation]


@dataclass(frozen=True, slots=True)
class Shape:
    """A JSON object that is sent or answered, with its fields."""

    name: str
    fields: Sequence[Field]


@dataclass(frozen=True, slots=True)
class ApiPage:
    """All that the page shows."""

    title: str
    version: str
    about: Markup
    subjects: Sequence[Subject]
    shapes: Sequence[Shape]
    failures: Sequence[Answer]


class Told:
    """A document, told in the values of its page."""

    def __init__(self, document: Json) -> None:
        self._document = document

    def page(self) -> ApiPage:
        """Return the page."""
        told, parts = self._document, self._document["components"]
        operations = [self._operation(*each) for each in self._every()]
        subjects = [
            Subject(
                slug(tag["name"]),
                tag["name"],
                prose(tag["description"]),
                [each for name, each in operations if name == tag["name"]],
            )
            for tag in told["tags"]
        ]
        shapes = [
            Shape(name, self._fields(shape)) for name, shape in sorted(parts["schemas"].items())
        ]
        failures = [
            self._answer(str(HTTPStatus[name].value), response)
            for name, response in parts["responses"].items()
            if name in HTTPStatus.__members__ and HTTPStatus[name] >= _FAILURE
        ]
        failures.sort(key=lambda answer: answer.status)
        info = told["info"]
        return ApiPage(
            info["title"], info["version"], prose(info["description"]), subjects, shapes, failures
        )

    def _every(self) -> list[tuple[str, str, Json, Sequence[Json]]]:
        """Return every operation with its address, its method, and what all at its address take."""
        return [
            (path, method, place[method], place.get("parameters", ()))
            for path, place in self._document["paths"].items()
            for method in METHODS
            if method in place
        ]

    def _operation(
        self, path: str, method: str, said: Json, shared: Sequence[Json]
    ) -> tuple[str, Operation]:
        parameters = [self._found(each) for each in (*shared, *said.get("parameters", ()))]
        sent = said.get("requestBody", {}).get("content", {}).get("application/json", {})
        examples = {name: shown(each["value"]) for name, each in sent.get("examples", {}).items()}
        if "example" in sent:
            examples[""] = shown(sent["example"])
        answers = [self._answer(*each) for each in sorted(said["responses"].items())]
        return said["tags"][0], Operation(
            said["operationId"],
            method.upper(),
            path,
            prose(said["summary"], inline=True),
            prose(said.get("description", "")),
            who_may(method, said, {each["name"] for each in parameters}),
            [self._field(each["name"], each, each.get("required", False)) for each in parameters],
            kind(sent.get("schema", {})) if sent else Markup(),
            examples,
            answers,
        )

    def _answer(self, status: str, said: Json) -> Answer:
        said = self._found(said)
        content: Json = next(iter(said.get("content", {}).values()), {})
        headers = [
            self._field(name, self._found(each), required=True)
            for name, each in said.get("headers", {}).items()
        ]
        example = shown(content["example"]) if "example" in content else ""
        meaning = said["description"]
        return Answer(status, meaning, kind(content.get("schema", {})), headers, example)

    def _fields(self, shape: Json) -> list[Field]:
        required = shape.get("required", ())
        return [
            self._field(name, each, name in required)
            for name, each in shape.get("properties", {}).items()
        ]

    def _field(self, name: str, said: Json, required: bool) -> Field:
        told = said.get("schema", said)
        about = said.get("description", told.get("description", ""))
        return Field(name, said.get("in", ""), kind(told), required, prose(about, inline=True))

    def _found(self, said: Json) -> Json:
        """Return what a reference means."""
        if "$ref" not in said:
            return said
        found: Any = self._document
        for step in said["$ref"].split("/")[1:]:
            found = found[step]
        meant: Json = found
        return meant


def who_may(method: str, said: Json, parameters: set[str]) -> str:
    """Say whose token an operation asks for."""
    if not said.get("security"):
        return "Anybody: no token is needed."
    if "Club-Passcode" in parameters:
        return "An owner's token, with the club's passcode."
    if method == "get":
        owners = "403" in said["responses"]
        return "An owner's token." if owners else "Any token of the club."
    if "dry_run" in parameters:
        return "A scorer's or an owner's token; for a dry run any token of the club."
    return "A scorer's or an owner's token."


def kind(schema: Json) -> Markup:
    """Say what a schema takes: of a shape by a link to it."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return Markup('<a href="#shape-{0}">{0}</a>').format(name)
    if "anyOf" in schema:
        return Markup(" or ").join(map(kind, schema["anyOf"]))
    if "enum" in schema:
        return Markup(", ").join(Markup("<code>{}</code>").format(each) for each in schema["enum"])
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    said = Markup(" or ").join(_of_type(each, schema) for each in types)
    return said + _bounds(schema)


def _of_type(name: str, schema: Json) -> Markup:
    if name == "array":
        return Markup("list of {}").format(kind(schema.get("items", {})) or "anything")
    if name == "object":
        held = schema.get("additionalProperties")
        return Markup("object of {}").format(kind(held)) if held else Markup("object")
    form = schema.get("format", "")
    return escape(form if name == "string" and form else _TYPES.get(name, name))


def _bounds(schema: Json) -> Markup:
    low, high = schema.get("minimum"), schema.get("maximum")
    said = ""
    if low is not None and high is not None and high < 2**31:
        said = f", {low} to {high:,}"
    elif low is not None:
        said = f", {low} or more"
    if "default" in schema:
        said += f"; otherwise {json.dumps(schema['default'], ensure_ascii=False)}"
    return escape(said)


def slug(name: str) -> str:
    """Return a name as an address has it."""
    return name.lower().replace(" ", "-")


def shown(value: Any) -> str:
    """Write an example as JSON that people read."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def prose(text: str, *, inline: bool = False) -> Markup:
    """Make HTML of what the document says: paragraphs, lists, code and what stands out.

    >>> str(prose("**Read** `id`"))
    '<p><strong>Read</strong> <code>id</code></p>'
    """
    if inline:
        return _words(text)
    made = Markup()
    for part in re.split(r"\n\s*\n", text.strip()) if text.strip() else ():
        lines, items = [], re.split(r"(?:^|\n)- ", part)
        if items[0].strip():
            lines.append(Markup("<p>{}</p>").format(_words(items[0])))
        if items[1:]:
            listed = Markup("\n").join(Markup("<li>{}</li>").format(_words(i)) for i in items[1:])
            lines.append(Markup("<ul>{}</ul>").format(listed))
        made += Markup("\n").join(lines)
    return made


def _words(text: str) -> Markup:
    safe = str(escape(" ".join(text.split())))
    safe = re.sub(r"`([^`]+)`", r"<code>\1</code>", safe)
    return Markup(re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", safe))  # noqa: S704 - escaped above
