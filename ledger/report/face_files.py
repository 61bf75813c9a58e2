"""The font files used by reports and by the pages' letter subsets. Nothing is read here."""

from dataclasses import dataclass

from ledger.runtime.paths import STATIC

FOLDER = STATIC / "fonts"

REGULAR = "LedgerSans"
BOLD = "LedgerSans-Bold"

TEXT_FILES = {REGULAR: "DejaVuSansCondensed.ttf", BOLD: "DejaVuSansCondensed-Bold.ttf"}


@dataclass(frozen=True, slots=True)
class Fallback:
    """A face for characters that the text face lacks; `spans` are the ranges of code points it may have.

    Text in `shaped` faces needs OpenType rules (matras, emoji sequences) and goes through HarfBuzz.
    """

    name: str
    file: str
    spans: tuple[tuple[int, int], ...]
    shaped: bool = True

    def may_hold(self, code: int) -> bool:
        """Return whether a code point is in the face's ranges."""
        return any(first <= code <= last for first, last in self.spans)


def _noto(script: str, first: int, last: int) -> Fallback:
    """Return the Noto Sans face of a script with one Unicode block."""
    spans = ((first, last), (0x200C, 0x200D))
    return Fallback(f"Ledger{script}", f"NotoSans{script}-Regular.ttf", spans)


FALLBACKS = (
    Fallback(
        "LedgerEmoji",
        "NotoEmoji-Regular.ttf",
        ((0x200D, 0x200D), (0x203C, 0x3299), (0xFE0F, 0xFE0F), (0x1F000, 0x1FAFF)),
    ),
    _noto("Devanagari", 0x0900, 0x097F),
    _noto("Bengali", 0x0980, 0x09FF),
    _noto("Gurmukhi", 0x0A00, 0x0A7F),
    _noto("Gujarati", 0x0A80, 0x0AFF),
    _noto("Tamil", 0x0B80, 0x0BFF),
    _noto("Telugu", 0x0C00, 0x0C7F),
    _noto("Kannada", 0x0C80, 0x0CFF),
    _noto("Malayalam", 0x0D00, 0x0D7F),
    _noto("Thai", 0x0E00, 0x0E7F),
    Fallback("LedgerCJK", "DroidSansFallback.ttf", ((0x1100, 0xFFFF),), shaped=False),
)
