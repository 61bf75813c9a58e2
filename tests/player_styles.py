"""Write the style sheet of the players' colours and marks again.

``python -m tests.player_styles`` after ``ledger/words/player_marks.py`` was changed.
"""

from collections.abc import Iterator

from ledger.runtime.paths import STATIC
from ledger.words.player_marks import MANY, PLAYER_COLOURS

SHEET = STATIC / "styles" / "players.css"


def style_sheet() -> str:
    """Return the style sheet: colours by day and by night, and the marks as shapes."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "/* The players' colours and marks, written by `python -m tests.player_styles`. */"
    yield ""
    yield ":root {"
    for number, colour in enumerate(PLAYER_COLOURS):
        yield f"  --seat-{number}: {colour.light};"
    yield "}"
    yield ""
    yield "@media only screen and (prefers-color-scheme: dark) {"
    yield "  :root {"
    for number, colour in enumerate(PLAYER_COLOURS):
        yield f"    --seat-{number}: {colour.dark};"
    yield "  }"
    yield "}"
    for number, colour in enumerate(PLAYER_COLOURS):
        corners = ", ".join(f"{50 + 50 * x:.0f}% {50 - 50 * y:.0f}%" for x, y in colour.corners)
        yield ""
        yield f".seat-{number},"
        yield f".seat-{number + MANY} {{"
        yield f"  --seat: var(--seat-{number});"
        yield f"  --shape: polygon({corners});"
        yield "}"
    yield ""


def main() -> None:
    """Write the style sheet."""
    SHEET.write_text(style_sheet(), encoding="utf-8")


if __name__ == "__main__":
    main()
