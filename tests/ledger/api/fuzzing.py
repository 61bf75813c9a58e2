"""Valid and invalid requests to every operation, generated from the OpenAPI document by schemathesis.

All checks are enabled. The phases are the document's examples, boundary values of every parameter and body,
random requests, and sequences of operations.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from unittest.mock import patch

import schemathesis
from flask import Flask
from schemathesis.config import SchemathesisConfig
from schemathesis.core.result import Ok
from schemathesis.engine import events, from_schema
from schemathesis.transport.wsgi import WSGITransport

from tests.ledger.api.caller import BASE

PHASES = ("examples", "coverage", "fuzzing", "stateful")
SEED = 7

REFUSED_ALTHOUGH_IT_FITS = ("403", "404", "409", "412", "422", "428", "429")
"""Statuses of refusals that a schema can't predict: roles, existence, rules of the game, revisions."""

DRY_RUN, LEFT_OUT_BY_DRY_RUNS = "?dry_run=true", "Missing required property: reason"
"""The document says in words that a dry run can leave it out; its schema can't depend on the query."""

SCORES_WRONG_HANDS = f"{BASE}/score"
"""An operation that answers 200 to an invalid hand, with the reasons in the body."""


class Report(NamedTuple):
    """The responses by status, the operations called and left out, and contradictions of the document."""

    statuses: Mapping[int, int]
    operations: int
    left_out: int
    faults: list[str]

    @property
    def requests(self) -> int:
        """The number of requests."""
        return sum(self.statuses.values())


_send = WSGITransport.send


def _without_sockets(self: WSGITransport, case: Any, *, session: Any = None, **how: Any) -> Any:
    """Send a request without the arguments about sockets.

    schemathesis passes them when it repeats a request without a token, but its WSGI transport rejects them.
    """
    for name in ("max_redirects", "verify", "cert", "proxies") if session is None else ():
        how.pop(name, None)
    return _send(self, case, session=session, **how)


def fuzz(
    app: Flask,
    headers: Mapping[str, str],
    place: Mapping[str, int],
    *,
    examples: int,
    phases: tuple[str, ...] = PHASES,
) -> Report:
    """Send ``examples`` requests to each operation, with these headers and ids in URLs; return the report."""
    schema = schemathesis.openapi.from_wsgi(
        f"{BASE}/openapi.json", app, config=_config(headers, place, examples, phases)
    )
    statuses: Counter[int] = Counter()
    labels = {item.ok().label for item in schema.get_all_operations() if isinstance(item, Ok)}
    operations: set[str] = set()
    faults: list[str] = []
    with patch.object(WSGITransport, "send", _without_sockets):
        for event in from_schema(schema).execute():
            if isinstance(event, events.NonFatalError):
                faults.append(f"{event.label}: {event.info.format()}")
            elif isinstance(event, events.FatalError):
                raise event.exception
            elif isinstance(event, events.ScenarioFinished):
                operations |= labels & {str(event.label)}
                for call in event.recorder.interactions.values():
                    statuses[call.response.status_code if call.response else 0] += 1
                faults += _faults(event.recorder)
    return Report(statuses, len(operations), len(labels - operations), faults)


def _config(
    headers: Mapping[str, str], place: Mapping[str, int], examples: int, phases: tuple[str, ...]
) -> SchemathesisConfig:
    expected = {"expected-statuses": ["2xx", "3xx", "401", *REFUSED_ALTHOUGH_IT_FITS]}
    return SchemathesisConfig.from_dict(
        {
            "seed": SEED,
            "headers": dict(headers),
            "continue-on-failure": True,
            "generation": {"max-examples": examples, "database": "none"},
            "parameters": {f"path.{name}": number for name, number in place.items()},
            "phases": {
                "coverage": {
                    "enabled": "coverage" in phases,
                    "unexpected-methods": ["DELETE", "PATCH"],
                },
                **{name: {"enabled": name in phases} for name in PHASES if name != "coverage"},
            },
            "checks": {"enabled": True, "positive_data_acceptance": expected},
            "operations": [
                {
                    "include-path": SCORES_WRONG_HANDS,
                    "checks": {"negative_data_rejection": {"enabled": False}},
                },
                {  # its body holds the shape that recording a hand covers
                    "include-operation-id": "correctHand",
                    "phases": {"coverage": {"enabled": False}},
                },
            ],
        }
    )


def _faults(recorder: Any) -> Iterator[str]:
    for checks in recorder.checks.values():
        for check in checks:
            if check.failure_info is not None:
                failure, request = check.failure_info.failure, check.failure_info.code_sample
                if DRY_RUN in request and failure.message.endswith(LEFT_OUT_BY_DRY_RUNS):
                    continue
                yield f"{check.name}: {failure.title}: {failure.message}\n{request}"
