"""What a page's form goes out and comes back with: key, revision, and what is wrong at each input."""

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
"""What is wrong, sentence by sentence, at each input of a form; ``""`` holds what is wrong as a whole."""


NOTHING_WRONG: Errors = {}


class Wrong(dict[str, list[str]]):
    """What is wrong at each input, and the ``problem`` that all of it came of."""

    def __init__(self, problem: Problem, at: Mapping[str, list[str]]) -> None:
        super().__init__(at)
        self.problem = problem


def new_key() -> str:
    """Make the idempotency key of a form, when its page is made."""
    return str(uuid4())


def standing_key(session_id: int, revision: int, deed: str) -> str:
    """Return the key of what can be done once at a revision, such as closing the session.

    It is this device's own: who does the same on another is told that it was done.
    """
    generate_csrf()  # the device has its secret from now on, if it had none
    said = repr((flask_session["csrf_token"], session_id, revision, deed))
    return STANDING + blake2b(said.encode(), digest_size=16).hexdigest()


def sent_key() -> str:
    """Return the key of the form that was sent; a form that lost its own gets a new one."""
    return request.form.get("key", "").strip() or new_key()


def sent_revision() -> int | None:
    """Return the session's revision that the form was made at."""
    return number_of(request.form.get("revision"))


def form_key(problem: Problem | None) -> str:
    """Return the key that a form goes out with: its own, or a new one where that has done its write."""
    return new_key() if isinstance(problem, KeyReused) else sent_key()


def form_revision(read_at: int, problem: Problem | None) -> int:
    """Return the session's revision that a form goes out with, on a page that was ``read_at`` one.

    A form shown again keeps the revision it was made at, or what somebody else wrote since would be written
    over untold; only who has just been told so takes up the new one. Where a form was saved before, its own
    write is not news.
    """
    if isinstance(problem, Stale):
        return read_at
    if isinstance(problem, KeyReused):
        written: int = problem.answer.get("revision", read_at)
        return written
    return sent_revision() or read_at


def errors_of(problem: Problem, inputs: Mapping[str, str] | None = None) -> Wrong:
    """Sort what is wrong by the form's inputs.

    ``inputs`` maps a field's path to an input of another name. What belongs to no input, or what
    the problem itself says without faults, stands at ``""``.
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
    """Add why what a page is for can't be done any more to what was wrong with doing it."""
    said = errors.get("", [])
    if refusal.message in said:
        return errors
    together = {**errors, "": [*said, refusal.message]}
    return Wrong(errors.problem, together) if isinstance(errors, Wrong) else together
