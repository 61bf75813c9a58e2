"""A cache of the templates compiled in a run of tests, and of compressed files and routes in this process.

``use`` takes effect for each application that is created later, also in processes forked from this one.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from flask import Flask
from flask.templating import Environment
from jinja2 import FileSystemBytecodeCache
from werkzeug.routing import Rule

from ledger.books.transactions import Database
from ledger.http.flask_app import Application
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from tests.support.templates import VARIABLE

_TEMPLATES = FileSystemBytecodeCache(os.environ[VARIABLE]) if VARIABLE in os.environ else None
"""Compiles a template again if its source changed. Outside of pytest there is none."""


class CachedEnvironment(Environment):
    """Flask's template environment with the compiled templates of all applications."""

    def __init__(self, app: Flask, **options: Any) -> None:
        super().__init__(app, bytecode_cache=_TEMPLATES, **options)


class SharedRule(Rule):
    """A route that shares the functions that build its address with the same route of other applications.

    Compiling them takes three quarters of the time in which an application is created.
    """

    _builders: ClassVar[dict[tuple[object, ...], Callable[..., tuple[str, str]]]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        key = (self.rule, *self._trace, repr(self.defaults), append_unknown)
        if key not in self._builders:
            self._builders[key] = super()._compile_builder(append_unknown)
        return self._builders[key]


def use() -> None:
    """Let applications use the caches."""
    Application.url_rule_class = SharedRule
    Application.jinja_environment = CachedEnvironment  # type: ignore[assignment]  # Flask names its own class


def fill() -> None:
    """Compile all templates, compress styles and scripts: each service would take a quarter of a second."""
    unopened = "sqlite:///never-opened.sqlite"
    app = create_app(Settings(unopened, Path(), "no secret"), Database(unopened))
    names = app.jinja_env.list_templates()
    random.shuffle(names)  # processes that do this at the same time share the work
    for name in names:
        app.jinja_env.get_template(name)
    client = app.test_client()
    for name in ("solo.css", "solo.js", "cards.css", "cards.js", "replay.css", "replay.js"):
        answer = client.get(f"/static/{name}", headers={"Accept-Encoding": "br"})
        assert answer.status_code == 200
