"""The folders of files that are not code, in a checkout and in an installation.

The wheel contains ``templates`` and ``migrations`` inside the ``ledger`` package; in a checkout they are
next to it. No other module may locate files on its own.
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
