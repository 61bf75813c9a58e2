"""Idempotency key, revision and errors of forms."""

from collections.abc import Mapping
from hashlib import blake2b
from uuid import uuid4

from flask import request
from flask import session as flask_session
from flask_wtf.csrf import generate_csrf

from ledger.http.etags import STANDING
from ledger.http.request_log import refused as refused_with
from ledger.web.frame.figures import number_of
from ledger.words.problems import KeyReused, Problem, Stale

Errors = Mapping[str, list[str]]
"""The errors of a form by input, each a sentence; ``""`` has errors of the whole form."""


NOTHING_WRONG: Errors = {}


class Wrong(dict[str, list[str]]):
    """The errors of a form, and the ``problem`` they come from."""

    def __init__(self, problem: Problem, at: Mapping[str, list[str]]) -> None:
        super().__init__(at)
        self.problem = problem


def new_key() -> str:
    """Return a new idempotency key for a form."""
    return str(uuid4())


def standing_key(session_id: int, revision: int, deed: str) -> str:
    """Return the key of an action that can happen once at a revision, for example closing the session.

    The key belongs to this device, which gets a CSRF token for it; the same action on another device is
    answered as already done.
    """
    generate_csrf()  # creates the device's CSRF token, if it has none
    content = repr((flask_session["csrf_token"], session_id, revision, deed))
    return STANDING + blake2b(content.encode(), digest_size=16).hexdigest()


def sent_key() -> str:
    """Return the submitted form's key, or a new one if it is missing."""
    return request.form.get("key", "").strip() or new_key()


def sent_revision() -> int | None:
    """Return the session's revision at which the submitted form was rendered, or None if it is missing."""
    return number_of(request.form.get("revision"))


def form_key(problem: Problem | None) -> str:
    """Return the key for a form shown again: its own, or a new one if that was already used for a write."""
    return new_key() if isinstance(problem, KeyReused) else sent_key()


def form_revision(read_at: int, problem: Problem | None) -> int:
    """Return the revision for a form on a page read at revision ``read_at``.

    A form shown again keeps its revision; otherwise it could overwrite changes that its writer has not
    seen. After ``Stale`` the writer knows of the changes and the form gets the new revision. If the form
    was saved before, it gets the revision after its own write.
    """
    if isinstance(problem, Stale):
        return read_at
    if isinstance(problem, KeyReused):
        written: int = problem.answer.get("revision", read_at)
        return written
    return sent_revision() or read_at


def errors_of(problem: Problem, inputs: Mapping[str, str] | None = None) -> Wrong:
    """Return a problem's errors by input, and note its code for the request's log line.

    ``inputs`` maps the path of a field to the name of an input; without it paths are names. Errors without an
    input, and the message of a problem without faults, are at ``""``.
    """
    refused_with(problem.code)
    if not problem.faults:
        return Wrong(problem, {"": [problem.at_the_table]})
    errors = Wrong(problem, {})
    for fault in problem.faults:
        path = fault.field
        name = inputs.get(path, inputs.get(path.split(".")[0], "")) if inputs is not None else path
        errors.setdefault(name, []).append(fault.message)
    return errors


def with_refusal(errors: Errors, refusal: Problem) -> Errors:
    """Return the errors with the message of a refusal added, unless it is there already."""
    content = errors.get("", [])
    if refusal.message in content:
        return errors
    together = {**errors, "": [*content, refusal.message]}
    return Wrong(errors.problem, together) if isinstance(errors, Wrong) else together
