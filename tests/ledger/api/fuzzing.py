"""Requests made from the OpenAPI document by schemathesis, right ones and wrong ones, at every operation.

All of its checks are on and all of its phases: the document's examples, the edges of every parameter and
body, made-up ones, and operations after one another.
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
"""What no schema can say: who may, what is there, which hands the rules allow, what was seen."""

DRY_RUN, LEFT_OUT_BY_DRY_RUNS = "?dry_run=true", "Missing required property: reason"
"""The document says in words that a dry run can leave it out; its schema can't depend on the query."""

SCORES_WRONG_HANDS = f"{BASE}/score"
"""It answers 200 to a hand that is wrong, and says so in the answer."""


class Report(NamedTuple):
    """What was answered how often, by how many operations, and what went against the document."""

    statuses: Mapping[int, int]
    operations: int
    left_out: int
    faults: list[str]

    @property
    def requests(self) -> int:
        """How many were sent."""
        return sum(self.statuses.values())


_send = WSGITransport.send


def _without_sockets(self: WSGITransport, case: Any, *, session: Any = None, **how: Any) -> Any:
    """Send a request to the application without what is about sockets.

    When schemathesis asks again without a token it passes that on, which no application in-process takes.
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
    """Send requests with ``headers`` to what is at ``place``; so many ``examples`` of each operation."""
    schema = schemathesis.openapi.from_wsgi(
        f"{BASE}/openapi.json", app, config=_config(headers, place, examples, phases)
    )
    statuses: Counter[int] = Counter()
    told = {each.ok().label for each in schema.get_all_operations() if isinstance(each, Ok)}
    operations: set[str] = set()
    faults: list[str] = []
    with patch.object(WSGITransport, "send", _without_sockets):
        for event in from_schema(schema).execute():
            if isinstance(event, events.NonFatalError):
                faults.append(f"{event.label}: {event.info.format()}")
            elif isinstance(event, events.FatalError):
                raise event.exception
            elif isinstance(event, events.ScenarioFinished):
                operations |= told & {str(event.label)}
                for sent in event.recorder.interactions.values():
                    statuses[sent.response.status_code if sent.response else 0] += 1
                faults += _faults(event.recorder)
    return Report(statuses, len(operations), len(told - operations), faults)


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
                failure, sent = check.failure_info.failure, check.failure_info.code_sample
                if DRY_RUN in sent and failure.message.endswith(LEFT_OUT_BY_DRY_RUNS):
                    continue
                yield f"{check.name}: {failure.title}: {failure.message}\n{sent}"
