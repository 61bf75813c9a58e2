"""A pytest plugin: all processes of a run share a folder of compiled templates.

Compiling them all takes seconds, and each worker and each fork server would do so; see `compiled`.
"""

import os
from tempfile import TemporaryDirectory

import pytest

VARIABLE = "COMPILED_TEMPLATES"
"""The environment variable that names the folder."""


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Create the folder unless the process that started this one has; remove it at the end of the run."""
    if VARIABLE in os.environ:
        return
    folder = TemporaryDirectory(prefix="templates-")
    os.environ[VARIABLE] = folder.name

    def remove() -> None:
        del os.environ[VARIABLE]
        folder.cleanup()

    early_config.add_cleanup(remove)
