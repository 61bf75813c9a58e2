"""The sheet of one hand: deal, auction, tricks with their winners, payout and its explanation."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from reportlab.lib.colors import Color

from engine.cards.cards import Card, Suit
from engine.words.sentences import say, word
from ledger.report.blocks import Block, stack
from ledger.report.characters import isolate
from ledger.report.figures import moment, signed
from ledger.report.pages import Footer, to_pdf
from ledger.report.paper import FELT, INK, RED
from ledger.report.parts import Cell, ReportColumn, StyledText, heading, paragraph, quiet, table
from ledger.report.sheets import A4, PaperSize
from ledger.services.reads.hand_sheet import HandSheet
from ledger.services.reads.summary import COUNTS
from ledger.services.session.view import SessionView
from ledger.words.numbers import card, number
from ledger.words.translation import reader, translate

_GAP = "  "


def render_hand(
    sheet: HandSheet,
    view: SessionView,
    club: str,
    *,
    printed_at: datetime,
    paper_size: PaperSize = A4,
) -> bytes:
    """Return the sheet of a hand of a session as a PDF; equal arguments give equal bytes."""
    title = translate(say("Hand {number}", number=sheet.line.number))
    blocks = [
        paragraph(club, paper_size, size=11, color=FELT),
        heading(title, 1),
        *_facts(sheet, view, printed_at, paper_size),
        *_payout(sheet, view, paper_size),
        *_deal(sheet, paper_size),
        *_auction(sheet, paper_size),
        *_tricks(sheet, paper_size),
        *_notes(sheet, paper_size),
    ]
    pages = stack(blocks, paper_size.size, top=paper_size.top, bottom=paper_size.bottom)
    footer = Footer((club, view.title), view.started_on, printed_at)
    return to_pdf(pages, f"{title}, {view.title}", club, footer)


def _facts(
    sheet: HandSheet, view: SessionView, printed_at: datetime, paper_size: PaperSize
) -> Iterator[Block]:
    """Yield the contract and its outcome, who dealt, when it was played, and whether it is void."""
    line = sheet.line
    bid = translate(word(line.bid_title))
    words = [f"{isolate(line.bidder)}{reader().colon}{bid}" if line.bidder else bid]
    if line.trump:
        words[0] += f" {Suit(line.trump).symbol}"
    if line.called:
        words.append(translate(say("called {card}", card=card(Card.parse(line.called)))))
    if line.partner:
        words.append(translate(say("with {partner}", partner=isolate(line.partner))))
    words += [translate(say(COUNTS[one], n=value)) for value, one in line.counted]
    if line.bidder:
        words.append(translate(word(line.outcome)))
    yield paragraph("  ·  ".join(words), paper_size, size=11)
    when = moment(line.played_at, printed_at)
    dealt = say("{dealer} dealt. Played {at}.", dealer=isolate(line.dealer), at=when)
    yield quiet(f"{isolate(view.title)}  ·  {translate(dealt)}", paper_size)
    if line.state == "void":
        yield paragraph(say("This hand is void and counts in no total."), paper_size)


def _payout(sheet: HandSheet, view: SessionView, paper_size: PaperSize) -> Iterator[Block]:
    """Yield everybody's payout in a table, and the steps that lead to it."""
    names = list(dict.fromkeys(seat.name for seat in view.seats))
    yield heading(say("Payout") if sheet.line.unit == "chips" else say("Score"))
    side = {sheet.line.bidder, sheet.line.partner}
    rows: list[list[Cell]] = [
        [isolate(name), [StyledText(signed(amount), bold=name in side)]]
        for name, amount in zip(names, sheet.line.deltas, strict=True)
        if amount
    ]
    if rows:
        columns = (
            ReportColumn(say("Player"), names_row=True),
            ReportColumn(say("Payout"), 80, align=1),
        )
        yield from table(columns, rows, paper_size)
    for step in sheet.line.explanation:
        yield quiet(step, paper_size)


def _deal(sheet: HandSheet, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the known cards of each player and the widow by suits, as in a bridge column."""
    hands = [*sheet.played.hands.items()]
    if sheet.played.widow:
        hands.append((translate(say("Widow")), sheet.played.widow))
    if not hands:
        return
    yield heading(say("Deal"))
    suits = sorted({found.suit for _, cards in hands for found in cards}, key=_ORDER.index)
    columns = [
        ReportColumn(say("Player"), 130, names_row=True),
        *(ReportColumn(suit.symbol) for suit in suits),
    ]
    rows: list[list[Cell]] = [
        [isolate(name), *([_of_suit(cards, suit)] for suit in suits)] for name, cards in hands
    ]
    yield from table(columns, rows, paper_size)


_ORDER = [Suit(letter) for letter in "SHCD"]


def _of_suit(cards: Sequence[Card], suit: Suit) -> StyledText:
    """Return the ranks of a hand's cards in one suit."""
    ranks = [card(found).replace(suit.symbol, "") for found in cards if found.suit == suit]
    return StyledText(" ".join(ranks) or "–", _color(suit))


def _color(suit: Suit) -> Color:
    return RED if suit.is_red else INK


def _auction(sheet: HandSheet, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the calls in their order, and the cards exchanged."""
    if sheet.record.auction:
        yield heading(say("Auction"))
        calls = [
            f"{isolate(call.seat)}{reader().colon}{reader().call(call.call)}"
            for call in sheet.record.auction
        ]
        yield paragraph("  ·  ".join(calls), paper_size)
    if exchange := sheet.record.exchange:
        for words, cards in (
            (say("From the widow:"), exchange.took),
            (say("Discarded:"), exchange.discarded),
        ):
            if cards:
                listed = " ".join(map(card, cards))
                yield paragraph(f"{translate(words)} {listed}", paper_size)


def _tricks(sheet: HandSheet, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the tricks: who led, the cards with the best one bold, who won, and the side's running total."""
    yield heading(say("Tricks"))
    columns = [
        ReportColumn(say("Trick"), 34, names_row=True),
        ReportColumn(say("Leads"), 88),
        ReportColumn(say("Cards")),
        ReportColumn(say("Wins"), 88),
        *([ReportColumn(say("Points"), 44, align=1)] if sheet.counts_points else []),
        ReportColumn(say("Bidding side"), 66, align=1),
    ]
    rows: list[list[Cell]] = []
    for place, trick in enumerate(sheet.played.tricks, start=1):
        cards = [
            StyledText(
                f"{card(found) if found else '?'}{_GAP}",
                _color(found.suit) if found else INK,
                bold=at == trick.best,
            )
            for at, found in enumerate(trick.cards)
        ]
        total = trick.side_points if sheet.counts_points else trick.side_tricks
        points = [_figure(trick.points)] if sheet.counts_points else []
        row: list[Cell] = [
            f"{place}",
            isolate(trick.leader or ""),
            cards,
            isolate(trick.winner or ""),
        ]
        rows.append([*row, *points, _figure(total)])
    yield from table(columns, rows, paper_size)
    if sheet.points_aside:
        aside = say(
            "And from the widow or the discard: {points:point|points}.", points=sheet.points_aside
        )
        yield quiet(aside, paper_size)


def _figure(value: int | None) -> str:
    return "–" if value is None else number(value)


def _notes(sheet: HandSheet, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the scorer's note, and those on single calls and tricks."""
    notes = [sheet.line.note, *(note.text for note in sheet.record.notes or ())]
    if any(notes):
        yield heading(say("Notes"))
        for note in filter(None, notes):
            yield paragraph(isolate(note), paper_size)
