"""A Python client generated from the OpenAPI document, as an author of a program would generate it."""

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
MEDIA_TYPES = {
    "application/problem+json": "application/json",
    "application/pdf": "application/octet-stream",
    "image/jpeg": "application/octet-stream",
}
"""Media types that the generator does not know: a problem is JSON, a report or a picture a file."""


def make(document: str, folder: Path) -> list[str]:
    """Generate the client into ``folder`` and return the generator's complaints about the document."""
    source = folder / "openapi.json"
    source.write_text(document, encoding="utf-8")
    settings = ConfigFile(post_hooks=[], content_type_overrides=MEDIA_TYPES)
    config = Config.from_sources(
        settings, MetaType.NONE, source, "utf-8", overwrite=False, output_path=folder / PACKAGE
    )
    return [f"{fault.header}: {fault.detail}" for fault in generate(config=config)]


class Program:
    """A program with the generated client: it calls operations by name and gets models back.

    A response that is not documented raises an error.
    """

    def __init__(self, app: Flask, token: str | None = None) -> None:
        client = importlib.import_module(f"{PACKAGE}.client")
        options: dict[str, Any] = {
            "base_url": "http://localhost",
            "raise_on_unexpected_status": True,
            "httpx_args": {"transport": httpx.WSGITransport(app=app)},
        }
        self.models = importlib.import_module(f"{PACKAGE}.models")
        self._client = (
            client.Client(**options)
            if token is None
            else client.AuthenticatedClient(token=token, **options)
        )

    def call(self, name: str, *place: int, body: Any = None, **more: Any) -> tuple[Any, str | None]:
        """Call an operation, check that its model has the whole response, and return it with the ETag."""
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
        """Call an operation that must succeed, and return its model."""
        model, _ = self.call(name, *place, **more)
        assert not isinstance(model, self.models.Problem), (name, model)
        return model


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
        return [_plain(item) for item in parsed]
    return parsed.to_dict()
