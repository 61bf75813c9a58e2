"""Templates put into code once a run, however many applications the tests make."""

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class _Kept(BytecodeCache):
    """Keeps the code of templates in memory; a bucket of another text has another checksum."""

    def __init__(self) -> None:
        self._codes: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the code over where it was kept."""
        if bucket.key in self._codes:
            bucket.bytecode_from_string(self._codes[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code."""
        self._codes[bucket.key] = bucket.bytecode_to_string()


_KEPT = _Kept()


def keep_templates(app: Flask) -> Flask:
    """Let an application share its templates' code with the others of this run."""
    app.jinja_env.bytecode_cache = _KEPT
    return app
