"""The report's fonts, and the choice of a face for each character.

Every face is embedded, so a PDF looks the same on any machine. DejaVu Sans Condensed has the suits and Latin,
Greek, Cyrillic, Hebrew and Arabic; fallbacks have emoji, Chinese, Japanese, Korean, Thai and the scripts of
India. A fallback is read from disk when a character first needs it.
"""

from functools import cache

from reportlab.pdfbase import pdfmetrics

from ledger.report.face import Face
from ledger.report.face_files import BOLD, FALLBACKS, FOLDER, REGULAR, TEXT_FILES

__all__ = ["BOLD", "FALLBACKS", "FOLDER", "REGULAR", "SHAPED", "candidates", "face", "read"]

SHAPED = frozenset(fallback.name for fallback in FALLBACKS if fallback.shaped)


def read(name: str) -> Face:
    """Return a face read from its file, without registering it with reportlab."""
    files = TEXT_FILES | {fallback.name: fallback.file for fallback in FALLBACKS}
    return Face(name, str(FOLDER / files[name]))


# Cached for the benchmark pdf: reading a font takes longer than a page.
@cache
def face(name: str) -> Face:
    """Return the face of a name, registered with reportlab on first use.

    It must be kept, because cached lines contain private code points of this object.
    """
    loaded = read(name)
    pdfmetrics.registerFont(loaded)
    return loaded


def candidates(code: int, *, bold: bool) -> tuple[str, ...]:
    """Return the names of the faces to try for a code point, best first; there is always one."""
    text = (BOLD, REGULAR) if bold else (REGULAR,)
    return text + tuple(fallback.name for fallback in FALLBACKS if fallback.may_hold(code))
