"""The table of a session's hands, including their corrections and voided hands."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import chain

from reportlab.lib.colors import Color

from engine.rules.sheet import SCORE
from engine.words.language import Sentence
from engine.words.sentences import later, say, word
from ledger.database.kinds.hand_actions import ACTIONS
from ledger.database.kinds.states import HandAction, HandState
from ledger.report.blocks import Block, PdfPage, stack
from ledger.report.characters import clean, isolate
from ledger.report.column_widths import Grid, Placed, grid, standings, totals
from ledger.report.figures import moment, signed
from ledger.report.paper import FAINT, FELT, GREY, INK, RULE, Paper
from ledger.report.parts import short_names
from ledger.report.sheets import A4, MARGIN, PaperSize
from ledger.report.tags import COLUMN, Element, column_span, head_of_row
from ledger.report.text import TextLine, fit, line, wrap
from ledger.services.reads.summary import (
    UNITS,
    EarlierVersion,
    HandLine,
    OtherEntry,
    SessionSummary,
)
from ledger.words.translation import translate

_PADDING, _TIGHT = 5.6, 4.4
"""The padding of a row: the usual one, and a smaller one used if it avoids a nearly empty last page."""
_LEADING = 2.0
"""The space between the lines of a name in the table's head."""
_FEW_LINES = 60.0
"""The height in points below which the last page counts as nearly empty."""
_NOTE = 0.88
"""The size of notes relative to the table's type."""
_MOST_TAGGED = 110
"""The most hands of a table with a tagged cell for each word. In a longer one the head of a row is all words
of its hand, because a cell's tags take more bytes than its text."""
_MOST_OF_A_NOTE, _LINES_OF_A_NOTE = 12_000, 40
"""The most characters and lines of a scorer's note, so that it fits on one page."""


def hand_pages(
    summary: SessionSummary,
    printed_at: datetime,
    upright: PaperSize = A4,
    last: Callable[[PaperSize], Iterable[Block]] = lambda _: (),
) -> list[PdfPage]:
    """Return the pages of the table of hands: portrait for up to six seats, else landscape.

    They end with the blocks that `last` returns for their paper. Without hands and other entries there are
    none, nor for an evening on paper, whose only entry is the result.
    """
    if summary.on_paper or not (summary.hands or summary.other_entries):
        return []
    paper_size = upright if len(summary.seats) <= 6 else upright.lying
    end = list(last(paper_size))
    head, pages = _laid(summary, printed_at, paper_size, end)
    if len(pages) > 1 and sum(block.height for _, block in pages[-1].blocks) < _FEW_LINES:
        closer = _laid(summary, printed_at, paper_size, end, _TIGHT)
        head, pages = closer if len(closer[1]) < len(pages) else (head, pages)
    marks = [say("Hands")] + [None] * (len(pages) - 1)
    return [
        PdfPage(paper_size.size, ((paper_size.top, head), *page.blocks), mark)
        for page, mark in zip(pages, marks, strict=True)
    ]


def _laid(
    summary: SessionSummary,
    printed_at: datetime,
    paper_size: PaperSize,
    last: Iterable[Block],
    padding: float = _PADDING,
) -> tuple[Block, list[PdfPage]]:
    """Return the table's head, and pages with its rows."""
    table = HandsTable(summary, printed_at, paper_size, padding)
    head = table.head()
    rows = chain(table.rows(), last)
    pages = stack(rows, paper_size.size, top=paper_size.top - head.height, bottom=paper_size.bottom)
    return head, pages


class HandsTable:
    """The table of a session's hands, with one layout for all pages."""

    def __init__(
        self,
        summary: SessionSummary,
        printed_at: datetime,
        paper_size: PaperSize,
        padding: float,
    ) -> None:
        self.summary = summary
        self.printed_at = printed_at
        self.grid: Grid = grid(summary, MARGIN, paper_size.right)
        self.size = self.grid.size
        self.is_long = len(summary.hands) > _MOST_TAGGED
        self.height = self.size + padding
        self.names = _heads(summary.seats, [width / self.size for width in self.grid.seat_widths])
        self.head_lines = (max(map(len, self.names)) - 1) * (self.size + _LEADING)

    def head(self) -> Block:
        """Return the table's head, repeated on every page."""
        return Block(self.height + 6 + self.head_lines, self._draw_head)

    def rows(self) -> Iterator[Block]:
        """Yield all rows: the hands with their notes, the totals with other entries, and the legend."""
        for hand in self.summary.hands:
            yield Block(self.height, partial(self._draw_hand, hand))
            yield from self._notes(hand)
            yield Block(0.0, self._close, keep_with_previous=True)
        counted = [entry for entry in self.summary.other_entries if entry.counts]
        apart, unit = self.summary.scores_apart, self.summary.unit
        total = UNITS[unit] if apart else say("Total")
        hands = totals(self.summary, unit)
        yield self._sums(
            say("Hands") if counted else total, hands, keep_with_previous=bool(self.summary.hands)
        )
        if counted:
            yield from self._other_entries(say("Other entries"), counted)
            yield self._sums(say("Standing"), standings(self.summary))
        if apart:
            yield self._sums(UNITS[SCORE], totals(self.summary, SCORE))
            scored = {hand.game_title for hand in self.summary.hands if hand.unit == SCORE}
            if scored:
                games = [word(title) for title in sorted(scored)]
                words = say("Figures of {games:and} are scores, which nobody pays.", games=games)
                yield self._note(words, ())
        yield self._key()
        banked = [entry for entry in self.summary.other_entries if not entry.counts]
        if banked:
            yield from self._other_entries(
                say("Between the bank and the players: not in the standings"), banked
            )

    def _other_entries(self, title: str, entries: Sequence[OtherEntry]) -> Iterator[Block]:
        """Yield a title and a line for each entry that moved chips outside hands."""

        def draw(paper: Paper, y: float) -> None:
            base = y - self.size - 7
            self._row_of_words(paper, with_amounts=False)
            paper.write(
                self.grid.columns[1].left, base, translate(title), self.size, FELT, bold=True
            )
            paper.content = None

        yield Block(self.height + 8, draw)
        for number, entry in enumerate(entries):
            when = moment(entry.entered_at, self.printed_at)
            words = say(
                "{title} by {author}, {at}",
                title=entry.title,
                author=isolate(entry.author),
                at=when,
            )
            yield self._note(
                _because(words, entry.reason), entry.amounts, keep_with_previous=not number
            )

    def _draw_head(self, paper: Paper, y: float) -> None:
        y -= self.head_lines
        base = y - self.size - 3
        row = self._head_row(paper)
        for place in self.grid.columns:
            paper.content = row and row.add("TH", COLUMN)
            self._word(paper, place, translate(place.column.head), base, GREY)
        leading = self.size + _LEADING
        for edge, lines in zip(self.grid.seats, self.names, strict=True):
            paper.content = row and row.add("TH", COLUMN)
            top = base + (len(lines) - 1) * leading
            paper.put_lines(edge, top, lines, self.size, leading, align=1)
        paper.content = None
        paper.rule(self.grid.left, y - self.height - 2, self.grid.right, 0.7, INK)

    def _head_row(self, paper: Paper) -> Element | None:
        """Return the row of the table's heads on its first page; on the others they are artifacts."""
        table = paper.table(self)
        return None if table.kids else table.add("TR")

    def _word(
        self, paper: Paper, place: Placed, words: str, base: float, color: Color
    ) -> tuple[float, float]:
        """Draw a text in a column and return its left and right edge."""
        # Symbols and figures always fit; names may be cut.
        laid = fit(words, place.width / self.size + 0.01) if words else line("")
        start = place.anchor - place.column.align * laid.width * self.size
        paper.put(start, base, laid, self.size, color)
        return start, start + laid.width * self.size

    def _draw_hand(self, hand: HandLine, paper: Paper, y: float) -> None:
        base = y - self.size - 2
        void = hand.state == HandState.VOID
        quiet = void or hand.bidder is None
        row = paper.table(self).add("TR")
        for place in self.grid.columns:
            words = place.column.words(hand)
            if not row.kids:
                width = len(self.grid.columns) if self.is_long else 1
                paper.content = row.add("TH", head_of_row(width))
            elif not self.is_long:
                paper.content = row.add("TD")
            if not words:
                continue
            color = FAINT if quiet else place.column.color(hand)
            start, end = self._word(paper, place, words, base, color)
            if void and not place.column.is_number:
                self._strike(paper, start, end, base)
        deltas = hand.deltas
        if void and not any(deltas) and hand.previous:
            deltas = hand.previous[-1].deltas
        side = {hand.bidder, hand.partner} - {None}
        for seat, amount in enumerate(deltas):
            bold = not quiet and self.summary.seats[seat] in side
            color = FAINT if quiet or not amount else INK
            paper.content = row.add("TD")
            self._figure(paper, seat, amount, base, self.size, color, bold=bold, struck=void)
        paper.content = None

    def _close(self, paper: Paper, y: float) -> None:
        """Draw the line below a hand and its notes."""
        paper.rule(self.grid.left, y, self.grid.right, 0.3, RULE)

    def _figure(
        self,
        paper: Paper,
        seat: int,
        amount: int,
        base: float,
        size: float,
        color: Color,
        *,
        bold: bool = False,
        struck: bool = False,
    ) -> None:
        """Draw a payout, right-aligned under its seat; 0 is a dot, which is never struck out."""
        laid = line(signed(amount), bold=bold)
        edge = self.grid.seats[seat]
        paper.put(edge - laid.width * size, base, laid, size, color)
        if struck and amount:
            self._strike(paper, edge - laid.width * size, edge, base)

    def _strike(self, paper: Paper, start: float, end: float, base: float) -> None:
        """Draw a line through a text."""
        paper.rule(start - 0.5, base + self.size * 0.4, end + 0.5, 0.45, GREY)

    def _notes(self, hand: HandLine) -> Iterator[Block]:
        """Yield the scorer's note, then the hand's changes with reasons and old payouts, newest first."""
        if hand.note:
            cut = "…" if len(hand.note) > _MOST_OF_A_NOTE else ""
            words = say("Note: {note}", note=isolate(hand.note[:_MOST_OF_A_NOTE] + cut))
            yield self._note(words, (), most=_LINES_OF_A_NOTE)
        if hand.state == HandState.VOID or hand.is_changed:
            action = HandAction.VOIDED if hand.state == HandState.VOID else hand.action
            by = say(ACTIONS[action].by, author=isolate(hand.entered_by))
            yield self._note(_because(by, hand.reason), ())
        versions = hand.previous
        if hand.state == HandState.VOID:
            # The crossed-out row shows the last version; it is repeated only to show its reason.
            *before, last = [old for old in hand.previous if old.action != HandAction.VOIDED]
            versions = (*before, last) if last.reason else tuple(before)
        for old in reversed(versions):
            yield self._note(self._was(old), () if old.action == HandAction.VOIDED else old.deltas)

    def _was(self, old: EarlierVersion) -> str:
        """Return the sentence that describes an older version."""
        when = moment(old.entered_at, self.printed_at)
        by = say(ACTIONS[old.action].was_by, author=isolate(old.author), at=when)
        why = _because(by, old.reason)
        if old.action == HandAction.VOIDED:
            return say("Was void ({why})", why=why)
        return say("Was: {what} ({why})", what=translate(old.summary), why=why)

    def _note(
        self,
        words: str,
        deltas: tuple[int, ...],
        most: int = 12,
        *,
        keep_with_previous: bool = True,
    ) -> Block:
        """Return a note in smaller type, with amounts in the seats' columns."""
        size = self.size * _NOTE
        left = self.grid.columns[1].left
        end = self.grid.seats[0] - self.grid.seat_widths[0] if deltas else self.grid.right
        lines = wrap(translate(words), (end - left - 6) / size, most=most)
        height = len(lines) * (size + 2.2) + 1.6

        def draw(paper: Paper, y: float) -> None:
            row = self._row_of_words(paper, with_amounts=bool(deltas))
            paper.put_lines(left, y - size, lines, size, size + 2.2, GREY)
            for seat, amount in enumerate(deltas):
                paper.content = row.add("TD")
                self._figure(paper, seat, amount, y - size, size, GREY)
            paper.content = None

        return Block(height, draw, keep_with_previous=keep_with_previous)

    def _row_of_words(self, paper: Paper, role: str = "TD", *, with_amounts: bool) -> Element:
        """Start a row with words across the columns of text, or across all; they are the present content."""
        row = paper.table(self).add("TR")
        row.add("TD")
        columns = len(self.grid.columns) - 1 + (0 if with_amounts else len(self.grid.seats))
        paper.content = row.add(role, column_span(columns))
        return row

    def _sums(self, word: str, amounts: Sequence[int], *, keep_with_previous: bool = True) -> Block:
        """Return a row of sums below a line."""

        def draw(paper: Paper, y: float) -> None:
            base = y - self.size - 4
            row = self._row_of_words(paper, with_amounts=True)
            paper.rule(self.grid.left, y, self.grid.right, 0.7, INK)
            paper.write(self.grid.columns[1].left, base, translate(word), self.size, INK, bold=True)
            for seat, amount in enumerate(amounts):
                paper.content = row.add("TD")
                self._figure(paper, seat, amount, base, self.size, INK, bold=True)
            paper.content = None

        return Block(self.height + 4, draw, keep_with_previous)

    def _key(self) -> Block:
        """Return the legend of figures and signs."""
        words = say(_KEY[self.summary.unit], bidder=self.summary.bidder)
        size = self.size * _NOTE
        left = self.grid.columns[1].left
        lines = wrap(translate(words), (self.grid.right - left) / size)

        def draw(paper: Paper, y: float) -> None:
            self._row_of_words(paper, with_amounts=False)
            paper.put_lines(left, y - size - 4, lines, size, size + 2.2, GREY)
            paper.content = None

        height = self.height + 2 + (len(lines) - 1) * (size + 2.2)
        return Block(height, draw, keep_with_previous=True)


_KEY = {
    "chips": later(
        "Figures are chips. The {bidder:term}'s side is set in bold. * Changed after it was first recorded;"
        " a hand struck out is void and counts in no total."
    ),
    "score": later(
        "Figures are scores. The {bidder:term}'s side is set in bold. * Changed after it was first recorded;"
        " a hand struck out is void and counts in no total."
    ),
}


def _because(sentence: Sentence, reason: str | None) -> Sentence:
    """Return a sentence with its reason, if there is one."""
    return say("{what}: {reason}", what=sentence, reason=isolate(reason)) if reason else sentence


def _heads(names: Sequence[str], widths: Sequence[float]) -> list[list[TextLine]]:
    """Return the lines of each name above its column: one, or two if the first ends at a space.

    Names that would look the same are on one line with a number.
    """
    short = short_names(names, widths)
    heads = []
    for name, width, laid in zip(names, widths, short, strict=True):
        first, *more = clean(name).split() or [""]
        breaks = more and line(first, bold=True).width <= width < line(name, bold=True).width
        heads.append(wrap(name, width, bold=True, most=2) if breaks else [laid])
    return [
        [laid] if heads.count(lines) > 1 else lines
        for lines, laid in zip(heads, short, strict=True)
    ]
