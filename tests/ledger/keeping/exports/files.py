"""Exports of a test's club, and CSV read by Python's own module."""

import csv
from io import StringIO
from typing import Any

from ledger.keeping.exports.csv_text import BOM, DIALECTS
from ledger.keeping.exports.formats import FORMATS
from ledger.services.session.session_filter import SessionFilter
from tests.ledger.evenings import CardClub

HOSTILE = ("=1+1", "+Ann", "-2", "@SUM(A1)", "＝cmd", "Jo;e", 'A "B", C')
"""Names of a table that a spreadsheet or a CSV reader may take for something else."""

SCRIPTS = ("Łukasz", "山田", "Ольга", "محمد", "Δήμητρα", "देवी", "山田 2")
"""Names in six scripts; two of them differ by a digit only."""


def exported(club: CardClub, slug: str, dialect: str = "standard", **chosen: Any) -> str:
    """Return a club's export."""
    with club.db.read(club.access) as session:
        pieces = FORMATS[slug].pieces(session, SessionFilter(**chosen), DIALECTS[dialect])
        return "".join(pieces)


def rows(text: str, separator: str = ",") -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    assert text.startswith(BOM)
    return list(csv.DictReader(StringIO(text[1:], newline=""), delimiter=separator, strict=True))
