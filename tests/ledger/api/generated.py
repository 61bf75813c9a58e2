"""A client that a generator makes of the OpenAPI document, as a program's author would have it made."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
from flask import Flask
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType

from tests.ledger.table import new_key

PACKAGE = "solo_ledger_client"
KNOWN = {
    "application/problem+json": "application/json",
    "application/pdf": "application/octet-stream",
}
"""What a generator must be told of: a problem is JSON, a report is a file."""


def make(document: str, folder: Path) -> list[str]:
    """Generate the client into ``folder``; return what the generator had to say against the document."""
    source = folder / "openapi.json"
    source.write_text(document, encoding="utf-8")
    told = ConfigFile(post_hooks=[], content_type_overrides=KNOWN)
    config = Config.from_sources(
        told, MetaType.NONE, source, "utf-8", overwrite=False, output_path=folder / PACKAGE
    )
    return [f"{fault.header}: {fault.detail}" for fault in generate(config=config)]


class Program:
    """A program with the generated client: it calls operations by name and gets models back.

    Each answer has to be one that the document tells of, and its model holds all that was answered.
    """

    def __init__(self, app: Flask, token: str | None = None) -> None:
        client = importlib.import_module(f"{PACKAGE}.client")
        told: dict[str, Any] = {
            "base_url": "http://localhost",
            "raise_on_unexpected_status": True,
            "httpx_args": {"transport": httpx.WSGITransport(app=app)},
        }
        self.models = importlib.import_module(f"{PACKAGE}.models")
        self._client = (
            client.Client(**told)
            if token is None
            else client.AuthenticatedClient(token=token, **told)
        )

    def call(self, name: str, *place: int, body: Any = None, **more: Any) -> tuple[Any, str | None]:
        """Call an operation; return what it answers and its ETag."""
        operation = operations()[name]
        if body is not None:
            more["body"] = body
        if "idempotency_key" in operation.sync_detailed.__annotations__:
            more.setdefault("idempotency_key", new_key())
        answer = operation.sync_detailed(*place, client=self._client, **more)
        if answer.headers["Content-Type"].endswith("json"):
            assert _plain(answer.parsed) == json.loads(answer.content), name
        return answer.parsed, answer.headers.get("ETag")

    def does(self, name: str, *place: int, **more: Any) -> Any:
        """Call an operation that is not refused; return what it answers."""
        found, _ = self.call(name, *place, **more)
        assert not isinstance(found, self.models.Problem), (name, found)
        return found


def operations() -> dict[str, ModuleType]:
    """Return the generated operations, by name."""
    return dict(_operations(importlib.import_module(f"{PACKAGE}.api")))


def _operations(package: ModuleType) -> Iterator[tuple[str, ModuleType]]:
    for path in Path(*package.__path__).glob("*/[a-z]*.py"):
        yield (
            path.stem,
            importlib.import_module(f"{package.__name__}.{path.parent.name}.{path.stem}"),
        )


def _plain(parsed: Any) -> Any:
    if isinstance(parsed, list):
        return [_plain(each) for each in parsed]
    return parsed.to_dict()
