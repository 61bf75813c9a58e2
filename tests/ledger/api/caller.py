"""A client of the API that sends its token, and a new idempotency key with each write."""

import json
from collections.abc import Mapping
from typing import Any, Protocol, cast

from flask import Flask
from werkzeug.datastructures import Headers

from ledger.api.smorest_internals import documentation
from tests.ledger.table import SEVEN, new_key
from tests.support.tree import ROOT

BASE = "/api/v1"


class Reply(Protocol):
    """The parts of a response that the tests read."""

    status_code: int
    mimetype: str
    headers: Headers
    data: bytes
    json: Any


class Caller:
    """A client of ``app``, with or without a token.

    By default its writes accept any revision and send the club's passcode; a header that is None is left out.
    """

    def __init__(self, app: Flask, token: str | None = None) -> None:
        self._app = app
        self._client = app.test_client(use_cookies=False)
        self._token = token

    def call(
        self, method: str, path: str, content: Any = None, *, key: str | None = None, **more: Any
    ) -> Reply:
        """Send a request with a JSON body, and ``more`` for Flask's client; check a write's response."""
        headers = dict(more.pop("headers", {}))
        if self._token is not None:
            headers.setdefault("Authorization", f"Bearer {self._token}")
        if method != "GET":
            headers.setdefault("Idempotency-Key", key or new_key())
            headers.setdefault("If-Match", "*")
            headers.setdefault("Club-Passcode", "four%20aces")
        headers = {name: value for name, value in headers.items() if value is not None}
        if content is not None:
            more["json"] = content
        response = self._client.open(BASE + path, method=method, headers=headers, **more)
        reply = cast("Reply", response)
        if method != "GET" and reply.status_code < 300:
            self._must_be_as_documented(response.request.path, method, reply)
        return reply

    def _must_be_as_documented(self, path: str, method: str, reply: Reply) -> None:
        """Check that a response serialized without its schema has the schema's fields."""
        endpoint, _ = self._app.url_map.bind("localhost").match(path, method)
        view: Any = self._app.view_functions[endpoint]
        described = documentation(view)
        if described["already_json"]:
            for shape in described["response"]["responses"][reply.status_code]:
                assert shape["schema"].dump(reply.json) == reply.json

    def get(self, path: str, **more: Any) -> Reply:
        """Send a GET request."""
        return self.call("GET", path, **more)

    def post(self, path: str, content: Any = None, **more: Any) -> Reply:
        """Send a POST request."""
        return self.call("POST", path, content, **more)

    def dry(self, path: str, content: Any = None, method: str = "POST", **more: Any) -> Reply:
        """Send a dry run of a write, with neither key nor revision."""
        without = {"Idempotency-Key": None, "If-Match": None, **more.pop("headers", {})}
        return self.call(method, f"{path}?dry_run=true", content, headers=without, **more)

    def put(self, path: str, content: Any = None, **more: Any) -> Reply:
        """Send a PUT request."""
        return self.call("PUT", path, content, **more)

    def start(self, game: str = "crazy-solo", **settings: Any) -> str:
        """Start a session, by default of seven players, and return its path; None leaves a setting out."""
        draft = {"game": game, "players": list(SEVEN), "first_dealer": "Gus", **settings}
        response = self.post("/sessions", {k: v for k, v in draft.items() if v is not None})
        assert response.status_code == 201, response.json
        return f"/sessions/{response.json['id']}"

    def balances(self, path: str) -> dict[str, int]:
        """Return the balance of each seat of a session."""
        return {seat["name"]: seat["balance"] for seat in self.get(path).json["seats"]}


def complete_hands() -> list[dict[str, Any]]:
    """Return example records of all games, with every card."""
    lines = (ROOT / "tests/engine/examples/hands.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def faults(response: Reply) -> dict[str, str]:
    """Check a problem document and return its messages by field."""
    assert response.mimetype == "application/problem+json"
    problem: Mapping[str, Any] = response.json
    assert problem["status"] == response.status_code
    assert problem["detail"]
    return {fault["field"]: fault["message"] for fault in problem["errors"]}
