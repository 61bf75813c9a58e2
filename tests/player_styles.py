"""Write the style sheet of the players' colours and marks again.

``python -m tests.player_styles`` after ``ledger/words/player_marks.py`` was changed.
"""

from collections.abc import Iterator

from ledger.runtime.paths import STATIC
from ledger.words.player_marks import MANY, PLAYER_COLOURS, PlayerColour

SHEET = STATIC / "styles" / "players.css"


def style_sheet() -> str:
    """Return the style sheet: colours by day and by night, and the marks as shapes."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "/* The players' colours and marks, written by `python -m tests.player_styles`. */"
    for number, colour in enumerate(PLAYER_COLOURS):
        yield ""
        yield f".seat-{number},"
        yield f".seat-{number + MANY} {{"
        yield f"  --seat: {colour.light};"
        yield f"  --shape: {_shape(colour)};"
        yield "}"
    yield ""
    yield "@media only screen and (prefers-color-scheme: dark) {"
    for number, colour in enumerate(PLAYER_COLOURS):
        yield ""
        yield f"  .seat-{number},"
        yield f"  .seat-{number + MANY} {{"
        yield f"    --seat: {colour.dark};"
        yield "  }"
    yield "}"
    yield ""
    yield "/* Of two players with the same colour the second one's mark is hollow and the line dashed. */"
    yield ",\n".join(f".seat-{number}" for number in range(MANY, 2 * MANY)) + " {"
    yield "  --dashes: 5 4;"
    yield "  --edge: dashed;"
    yield "  --ground: var(--card);"
    yield "  --ink: var(--seat);"
    yield "}"
    yield ""


def _shape(colour: PlayerColour) -> str:
    """Return a mark as a value of ``clip-path``, the shortest there is."""
    short = {"disc": "circle()", "square": "inset(0)", "bar": "inset(30% 0)"}
    if colour.mark in short:
        return short[colour.mark]
    places = (f"{50 + 50 * x:.0f}% {50 - 50 * y:.0f}%" for x, y in colour.corners)
    return f"polygon({', '.join(places)})"


def main() -> None:
    """Write the style sheet."""
    SHEET.write_text(style_sheet(), encoding="utf-8")


if __name__ == "__main__":
    main()
