"""A program that uses the API: it sends its token, and makes a key for each write."""

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
    """What the tests look at in a response."""

    status_code: int
    mimetype: str
    headers: Headers
    data: bytes
    json: Any


class Caller:
    """Calls the API of ``app`` with a token, or with none.

    Unless told otherwise it writes on top of whatever is there; a header that is None is not sent.
    """

    def __init__(self, app: Flask, token: str | None = None) -> None:
        self._app = app
        self._client = app.test_client(use_cookies=False)
        self._token = token

    def call(
        self, method: str, path: str, sent: Any = None, *, key: str | None = None, **more: Any
    ) -> Reply:
        """Send one request; ``sent`` goes as JSON, ``more`` to the test client."""
        headers = dict(more.pop("headers", {}))
        if self._token is not None:
            headers.setdefault("Authorization", f"Bearer {self._token}")
        if method != "GET":
            headers.setdefault("Idempotency-Key", key or new_key())
            headers.setdefault("If-Match", "*")
            headers.setdefault("Club-Passcode", "four%20aces")
        headers = {name: said for name, said in headers.items() if said is not None}
        if sent is not None:
            more["json"] = sent
        response = self._client.open(BASE + path, method=method, headers=headers, **more)
        reply = cast("Reply", response)
        if method != "GET" and reply.status_code < 300:
            self._must_be_as_documented(response.request.path, method, reply)
        return reply

    def _must_be_as_documented(self, path: str, method: str, reply: Reply) -> None:
        """Hold an answer that goes out as it is against the shape that it is documented by."""
        found, _ = self._app.url_map.bind("localhost").match(path, method)
        view: Any = self._app.view_functions[found]
        told = documentation(view)
        if told["already_json"]:
            for shape in told["response"]["responses"][reply.status_code]:
                assert shape["schema"].dump(reply.json) == reply.json

    def get(self, path: str, **more: Any) -> Reply:
        """Read."""
        return self.call("GET", path, **more)

    def post(self, path: str, sent: Any = None, **more: Any) -> Reply:
        """Write something new."""
        return self.call("POST", path, sent, **more)

    def dry(self, path: str, sent: Any = None, method: str = "POST", **more: Any) -> Reply:
        """Ask what a write would do, with neither key nor revision."""
        without = {"Idempotency-Key": None, "If-Match": None, **more.pop("headers", {})}
        return self.call(method, f"{path}?dry_run=true", sent, headers=without, **more)

    def put(self, path: str, sent: Any = None, **more: Any) -> Reply:
        """Write something anew."""
        return self.call("PUT", path, sent, **more)

    def start(self, game: str = "crazy-solo", **said: Any) -> str:
        """Start a session of seven, unless told otherwise; return its path."""
        draft = {"game": game, "players": list(SEVEN), "first_dealer": "Gus", **said}
        response = self.post("/sessions", {k: v for k, v in draft.items() if v is not None})
        assert response.status_code == 201, response.json
        return f"/sessions/{response.json['id']}"

    def balances(self, path: str) -> dict[str, int]:
        """Return what each seat of a session holds."""
        return {seat["name"]: seat["balance"] for seat in self.get(path).json["seats"]}


def complete_hands() -> list[dict[str, Any]]:
    """Return example records of all games, with every card."""
    lines = (ROOT / "tests/engine/examples/hands.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def faults(response: Reply) -> dict[str, str]:
    """Return the message at each field of a problem document, having checked its shape."""
    assert response.mimetype == "application/problem+json"
    problem: Mapping[str, Any] = response.json
    assert problem["status"] == response.status_code
    assert problem["detail"]
    return {fault["field"]: fault["message"] for fault in problem["errors"]}
