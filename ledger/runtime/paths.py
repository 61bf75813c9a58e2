"""Where the files that are not code live, in a checkout and in an installation.

The wheel carries ``templates`` and ``migrations`` inside the ``ledger`` package; in a checkout they are
beside it. Nothing else in the project may look for files on its own.
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def _find(name: str) -> Path:
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


TEMPLATES = _find("templates")
MIGRATIONS = _find("migrations")
STATIC = PACKAGE / "static"
LOCALES = PACKAGE / "locales"
