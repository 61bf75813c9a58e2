"""The digest of the ledger's last entry, in groups to compare by eye and as a QR code for a phone."""

from collections.abc import Iterator

import segno

from engine.words.sentences import say
from ledger.report.blocks import Block
from ledger.report.paper import GREY, INK, Paper
from ledger.report.sheets import MARGIN, PaperSize
from ledger.report.text import wrap
from ledger.words.translation import translate

_CODE = 58.0
"""The width of the QR code with its quiet zone, in points."""
_GROUP, _GROUPS_A_LINE = 4, 8
_SIZE = 11.0


def head_of_books(head: str, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the block of a head: its title, two lines of eight groups, and the QR code at the right edge."""
    words = say(
        "Keep it: solo-ledger verify finds out whether an entry before it was changed or removed."
    )
    room = paper_size.room - _CODE - 18

    def draw(paper: Paper, y: float) -> None:
        with paper.part("H2"):
            paper.write(MARGIN, y - 20, translate(say("Head of the books")), 9, GREY, bold=True)
        groups = [head[at : at + _GROUP] for at in range(0, len(head), _GROUP)]
        with paper.part("P"):
            for place, group in enumerate(groups):
                line, column = divmod(place, _GROUPS_A_LINE)
                paper.write(MARGIN + column * 39, y - 36 - line * 15, f"{group} ", _SIZE, INK)
        with paper.part("P"):
            paper.put_lines(MARGIN, y - 64, wrap(translate(words), room / 7.5), 7.5, 10, GREY)
        with paper.figure(translate(say("QR code of the head of the books"))):
            draw_code(paper, head.upper(), x=paper_size.right - _CODE, y=y - 12, width=_CODE)

    yield Block(_CODE + 14, draw, keep_with_previous=True)


def draw_code(paper: Paper, content: str, *, x: float, y: float, width: float) -> None:
    """Draw a QR code with its top left corner at (x, y), as one path without an image."""
    rows = [list(row) for row in segno.make_qr(content, error="m").matrix_iter(border=2)]
    module = width / len(rows)
    path = paper.canvas.beginPath()
    for down, row in enumerate(rows, start=1):
        start = 0
        while start < len(row):
            end = start
            while end < len(row) and row[end]:
                end += 1
            if end > start:
                left, top = round(x + start * module, 2), round(y - down * module, 2)
                path.rect(left, top, round((end - start) * module, 2), round(module, 2))
            start = end + 1
    paper.canvas.setFillColor(INK)
    paper.canvas.drawPath(path, stroke=0, fill=1)
