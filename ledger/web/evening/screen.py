"""The board view: the scoreboard for a tablet or television in the middle of the table."""

from unicodedata import east_asian_width

from flask.typing import ResponseReturnValue

from ledger.services.club import links
from ledger.services.reads import session
from ledger.services.reads.session import Board
from ledger.web.club.devices import link_context
from ledger.web.frame.context import SESSION, Here, secret, shows
from ledger.web.frame.plot import Plot
from ledger.words.numbers import change, number
from ledger.words.translation import translate

_ONE_LINE = 18
"""The widest name in one line, in letters; a wider one is broken into two smaller lines."""

_ROWS = (4, 5, 6, 7, 8, 10, 12, 16, 24, 48)
_WIDTHS = (11, 13, 15, 17, 20, 24, 28, 34)
_WORDS = (150, 300, 500, 1_000)
"""The steps that ``styles/board-view-steps.css`` has sizes for."""


@shows(f"{SESSION}/screen")
def screen(here: Here) -> ResponseReturnValue:
    """Return the board view: standings, next deal, last hand, charts and the viewer link."""
    board = session.board(here.session, here.session_id)
    page = here.page(
        "screen.html",
        board=board,
        plots=Plot.of_evening(here),
        sizes=_sizes(board),
        is_long=_is_long,
        **link_context(links.for_viewers(here.session, secret())),
    )
    page.cache_control.no_store = True  # shows a secret
    return page


def _sizes(board: Board) -> str:
    """Return the classes that size the text: by the rows, their width, and the length of the explanation.

    The width, in units of the font size, is that of the mark, the widest name and the figures together.
    """
    names = max(_name_width(seat.name) for seat in board.standings)
    totals = max(len(number(seat.balance)) for seat in board.standings)
    gains = max(map(len, map(change, board.last.deltas if board.last else (0,))))
    scores = max(len(number(seat.scored)) for seat in board.standings)
    width = (
        3.3
        + names
        + 0.65 * totals
        + 0.4 * gains
        + (0.65 * scores if board.view.scores_apart else 0)
    )
    words = len("".join(map(translate, board.last.explanation))) if board.last else 0
    steps = (
        ("rows", _ROWS, len(board.standings)),
        ("width", _WIDTHS, width),
        ("words", _WORDS, words),
    )
    return " ".join(f"{name}-{_step(sizes, needed)}" for name, sizes, needed in steps)


def _step(steps: tuple[int, ...], needed: float) -> int:
    """Return the first step that is large enough, else the last."""
    return next((step for step in steps if needed <= step), steps[-1])


def _name_width(name: str) -> float:
    """Return the width of a name in font sizes; a long one is measured as two smaller lines."""
    letters = _letters(name)
    return 0.65 * letters if letters <= _ONE_LINE else 0.47 * (letters / 2 + 4)


def _letters(name: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in name)


def _is_long(name: str) -> bool:
    """Return whether a name is broken into two lines."""
    return _letters(name) > _ONE_LINE
