"""Where pages end, and how labels keep clear of one another."""

import re
from dataclasses import replace
from itertools import pairwise

from ledger.report import render
from ledger.report.blocks import Block, stack
from ledger.report.chart import balances
from ledger.report.hands import hand_pages
from ledger.report.plotting import spread
from ledger.report.strokes import stroke
from ledger.runtime.paths import STATIC
from ledger.services.reads.summary import OtherEntry
from ledger.words.player_marks import PLAYER_COLOURS
from tests.ledger.report import reading
from tests.ledger.report.evenings import NAMES, PRINTED_AT, STARTED_AT, evening


def block(height: float, *, keeps: bool = False) -> Block:
    """Return a block that draws nothing."""
    return Block(height, lambda _paper, _y: None, keeps)


def test_note_stays_on_the_page_of_its_hand() -> None:
    """A block that keeps takes the one before it along to the next page."""
    pages = stack([block(60), block(30), block(30, keeps=True)], (100, 100), top=100, bottom=0)
    assert [len(page.blocks) for page in pages] == [1, 2]


def test_group_longer_than_a_page_is_torn() -> None:
    """Notes that fill more than a page go on over the next ones."""
    pages = stack([block(30)] + [block(30, keeps=True)] * 9, (100, 100), top=100, bottom=0)
    assert [len(page.blocks) for page in pages] == [3, 3, 3, 1]


def test_labels_keep_clear_within_the_frame() -> None:
    """Twelve labels that end together spread without touching or leaving the frame."""
    places = spread([5.0] * 6 + [3.0] * 5 + [0.0], 10, 0, 150)
    assert all(above - below >= 9.999 for above, below in pairwise(places))
    assert max(places) <= 150.001
    assert min(places) >= -0.001


def test_labels_with_room_stay_where_their_lines_end() -> None:
    """Nothing moves that need not."""
    assert spread([90, 50, 10], 10, 0, 100) == [90, 50, 10]


def test_chart_begins_before_the_first_hand() -> None:
    """Each line starts from 0, also where chips were adjusted between the first two hands."""
    played = evening(NAMES[:4], 6)
    first = replace(played.hands[0], balances=(13, 9, 9, 9))
    summary = replace(played, hands=(first, *played.hands[1:]))
    for seat, amounts in enumerate(balances(summary, summary.unit)):
        assert amounts[0] == 0
        assert amounts[1:] == [hand.balances[seat] for hand in summary.hands]


def test_a_late_comers_line_begins_where_they_sat_down() -> None:
    """It has neither point nor mark before, so that of a player after the last hand is no line at all."""
    played = evening(NAMES[:4], 6)
    late = [tuple(0 if seat == 3 else 9 for seat in range(4)) for _ in played.hands]
    hands = tuple(replace(h, balances=b) for h, b in zip(played.hands, late, strict=True))
    reports = {
        after: render(
            replace(played, hands=hands, sat_down=(0, 0, 0, after)), printed_at=PRINTED_AT
        )
        for after in (0, 2, 6)
    }
    points = {after: reading.points_of_paths(pdf) for after, pdf in reports.items()}
    a_hand = 4  # a point of the line, and three of the mark on it
    assert [points[0] - points[after] for after in (2, 6)] == [2 * a_hand, 6 * a_hand]


def test_no_page_is_begun_for_a_few_lines_where_the_rows_can_stand_closer() -> None:
    """However many hands there are, three loans at the end are not left alone."""
    for hands in range(44, 56):
        loan = OtherEntry("Loan", False, (9, 0, 0, 0), "Ann", None, STARTED_AT)
        played = replace(evening(NAMES[:4], hands, changes=False), other_entries=(loan,) * 3)
        *_, last = hand_pages(played, PRINTED_AT)
        assert sum(block.height for _, block in last.blocks) > 80, hands


def test_twelve_strokes_differ_without_colour() -> None:
    """Marks alone tell twelve players apart, and hollow ones twelve more at the same table."""
    assert len({stroke(seat).corners for seat in range(12)}) == 12
    assert len({(stroke(seat).corners, stroke(seat).hollow) for seat in range(24)}) == 24


def test_a_player_has_the_same_colour_on_paper_and_on_pages() -> None:
    """By day, each of twelve; of those who share one, the second is dashed on both."""
    sheet = (STATIC / "styles" / "players.css").read_text(encoding="utf-8")
    dashed = re.search(r"((?:\.seat-\d+,?\s+)+){\s+--dashes", sheet)
    assert dashed is not None
    hollow = [str(seat) for seat in range(24) if stroke(seat).hollow]
    assert re.findall(r"\d+", dashed[1]) == hollow
    colours = [f"#{stroke(seat).color.hexval()[2:]}" for seat in range(12)]
    assert colours == [colour.light for colour in PLAYER_COLOURS]
