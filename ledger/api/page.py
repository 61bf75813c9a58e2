"""The functions with which a template renders the OpenAPI document as the API's documentation page.

The page contains nothing else, so both always agree, and it needs no scripts.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from markupsafe import Markup, escape

Json = Mapping[str, Any]

METHODS = ("get", "post", "put", "patch", "delete")
_TYPES = {"integer": "whole number", "string": "text", "boolean": "true or false", "null": "null"}


def operations(document: Json, tag: str) -> Iterator[tuple[str, str, Json, Sequence[Json]]]:
    """Yield the method, path, object and resolved parameters of each operation with this tag."""
    for path, place in document["paths"].items():
        for method in METHODS:
            operation = place.get(method)
            if operation and operation["tags"][0] == tag:
                parameters = (*place.get("parameters", ()), *operation.get("parameters", ()))
                yield method, path, operation, [resolved(document, item) for item in parameters]


def failures(document: Json) -> list[tuple[int, Json]]:
    """Return the statuses of 400 and above that have a documented response, each with it."""
    responses = document["components"]["responses"].items()
    by_status = {HTTPStatus[name].value: response for name, response in responses}
    return [(status, by_status[status]) for status in sorted(by_status) if status >= 400]


def resolved(document: Json, item: Json) -> Json:
    """Return the object that a reference names; any other object is returned unchanged."""
    if "$ref" not in item:
        return item
    node: Any = document
    for step in item["$ref"].split("/")[1:]:
        node = node[step]
    return node  # type: ignore[no-any-return]


def required_role(method: str, operation: Json, parameters: Sequence[Json]) -> str:
    """Return the sentence about an operation's token: none, any of the club, a scorer's or an owner's.

    It follows from ``security``, a documented 403, "For owners only." in the text, and the parameters:
    ``Club-Passcode`` needs an owner and the passcode; with ``dry_run`` any token may preview.
    """
    names = {parameter["name"] for parameter in parameters}
    if not operation.get("security"):
        return "Anybody: no token is needed."
    if "Club-Passcode" in names:
        return "An owner's token, with the club's passcode."
    if method == "get":
        if "403" not in operation["responses"]:
            return "Any token of the club."
        is_for_owners = (
            "For owners only." in f"{operation['summary']} {operation.get('description')}"
        )
        return "An owner's token." if is_for_owners else "A scorer's or an owner's token."
    if "dry_run" in names:
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
