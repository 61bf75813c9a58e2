"""The fonts a report is set in, and which of them draws a given character.

Every face is embedded, so a PDF looks the same on any machine. DejaVu Sans Condensed sets the text,
the suits and Latin, Greek, Cyrillic, Hebrew and Arabic; the others fill in what it lacks: emoji,
Chinese, Japanese, Korean, Thai and the scripts of India. A fallback is read from disk only when a
character first needs it.
"""

from functools import cache

from reportlab.pdfbase import pdfmetrics

from ledger.report.face import Face
from ledger.report.face_files import BOLD, FALLBACKS, FOLDER, REGULAR, TEXT_FILES

__all__ = ["BOLD", "FALLBACKS", "FOLDER", "REGULAR", "SHAPED", "candidates", "face", "read"]

SHAPED = frozenset(fallback.name for fallback in FALLBACKS if fallback.shaped)


def read(name: str) -> Face:
    """Read the face of that name from its file, for itself: reportlab learns of none but `face`'s."""
    files = TEXT_FILES | {fallback.name: fallback.file for fallback in FALLBACKS}
    return Face(name, str(FOLDER / files[name]))


@cache
def face(name: str) -> Face:
    """Return the face of that name, read and made known to reportlab the first time.

    Lines that are laid out name the codes that this one lent: it stays as long as they do.
    """
    known = read(name)
    pdfmetrics.registerFont(known)
    return known


def candidates(code: int, *, bold: bool) -> tuple[str, ...]:
    """Return the faces to try for a code point, best first."""
    text = (BOLD, REGULAR) if bold else (REGULAR,)
    return text + tuple(each.name for each in FALLBACKS if each.may_hold(code))
