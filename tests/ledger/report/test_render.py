"""The session summary as a reader of the PDF finds it."""

import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from ledger.keeping import heads
from ledger.report import PAPER_SIZES, render
from ledger.report.column_widths import totals
from ledger.report.cover import cover
from ledger.report.figures import signed
from ledger.report.sheets import MARGIN
from ledger.services.audit import Head
from ledger.services.hands.preview import AfterLeaving
from ledger.services.money.settle_up import Payment
from ledger.services.reads.summary import EarlierVersion, InMoney, OtherEntry
from tests.ledger.report import reading
from tests.ledger.report.evenings import HOUSE_RULES, NAMES, PRINTED_AT, STARTED_AT, evening


def test_first_page_tells_who_played_what_when_and_how_it_came_out() -> None:
    """Club, title, date, game, rules, every standing and every payment are on page one."""
    played = evening()
    hands = tuple(replace(hand, variant_title="Denver") for hand in played.hands)
    summary = replace(played, hands=hands)
    first = reading.pages(render(summary, printed_at=PRINTED_AT))[0]
    assert "The Kitchen Table" in first
    assert "Friday at Dee's" in first
    assert "3 October 2025 · Crazy Solo, Denver · 7 players · 41 hands and 3 void" in first
    for rule in HOUSE_RULES:
        assert rule in first
    for line in summary.standings:
        row = f"{line.rank} {line.name} {line.hands_bid} {line.hands_won} {signed(line.balance)}"
        assert row in first
    words = " ".join(first.split())
    for payment in summary.payments:
        assert f"{payment.payer} pays {payment.payee} {payment.amount:,} chips" in words


def test_an_evening_on_paper_is_its_result_without_columns_or_a_table_of_hands() -> None:
    """Its entries are the result itself, which the standings have."""
    played = evening()
    entry = OtherEntry("Result on paper", True, (0,) * 7, "Ann", None, STARTED_AT)
    summary = replace(played, hands=(), on_paper=True, other_entries=(entry,))
    (page,) = reading.pages(render(summary, printed_at=PRINTED_AT))
    assert "7 players · on paper" in page
    assert "Hands bid" not in page
    for line in summary.standings:
        assert f"{line.rank} {line.name} {signed(line.balance)}" in page


def test_the_head_of_the_books_is_printed_where_verify_finds_it(tmp_path: Path) -> None:
    """For the eye in groups, for a phone as a QR code, for the program among the file's keywords."""
    head = "0123456789abcdef" * 4
    file = tmp_path / "evening.pdf"
    file.write_bytes(render(replace(evening(), head=head), printed_at=PRINTED_AT))
    pages = reading.pages(file.read_bytes())
    assert f"Head of the books {' '.join(['0123 4567 89ab cdef'] * 4)}" in " ".join(
        pages[0].split()
    )
    assert not any("Head of the books" in page for page in pages[1:])
    assert heads.read(str(file)) == [Head(head, "evening.pdf")]
    *_, code = reading.structure(file.read_bytes()).all("Figure")
    assert code.alternative == "QR code of the head of the books"


@pytest.mark.parametrize("seats", [3, 12])
@pytest.mark.parametrize("name", PAPER_SIZES)
def test_the_first_page_is_well_filled_and_the_head_of_the_books_has_no_page_alone(
    seats: int, name: str
) -> None:
    """The chart is as high as there is room; if the page is full, the head is printed after the hands."""
    played = replace(evening(NAMES[:seats], 40), head="0123456789abcdef" * 4)
    pages = reading.pages(render(played, printed_at=PRINTED_AT, paper_size=PAPER_SIZES[name]))
    (page,) = cover(played, PRINTED_AT, PAPER_SIZES[name])
    y, last = page.blocks[-1]
    assert y - last.height - PAPER_SIZES[name].bottom < PAPER_SIZES[name].height / 4
    (place,) = [number for number, text in enumerate(pages) if "Head of the books" in text]
    assert place == (len(pages) - 1 if (seats, name) == (12, "letter") else 0)
    assert "No." in pages[1]


@pytest.mark.parametrize(("name", "size"), [("a4", [595, 842]), ("letter", [612, 792])])
@pytest.mark.parametrize("seats", [3, 12])
def test_a_report_fits_its_paper(name: str, size: list[int], seats: int) -> None:
    """Nothing stands outside the margins of A4 or Letter, upright and lying."""
    pdf = render(evening(NAMES[:seats], 30), printed_at=PRINTED_AT, paper_size=PAPER_SIZES[name])
    for page in PdfReader(BytesIO(pdf)).pages:
        assert sorted((round(page.mediabox.width), round(page.mediabox.height))) == size
        places: list[float] = []
        page.extract_text(
            visitor_text=lambda text, _, matrix, *__, at=places: (
                at.append(matrix[4]) if text.strip() else None
            )
        )
        assert min(places) >= MARGIN - 0.01
        assert max(places) < float(page.mediabox.width) - MARGIN


def test_the_rows_of_a_mixed_evening_name_their_game() -> None:
    """In an evening of one game there is no such column."""
    played = evening(NAMES[:4], hands=4, changes=False)
    games = ("Crazy Solo", "Crazy Solo", "Six-Bid", "Frog")
    hands = tuple(
        replace(hand, game_title=game) for hand, game in zip(played.hands, games, strict=True)
    )
    mixed, alike = (
        reading.structure(render(summary, printed_at=PRINTED_AT)).all("Table")[-1].kids
        for summary in (replace(played, hands=hands), played)
    )
    assert [row.kids[1].text for row in mixed[:5]] == ["Game", *games]
    assert alike[0].kids[1].text == "Dealer"


def test_every_hand_is_a_row_with_its_cards_and_payouts() -> None:
    """Number, names, bid, suits, points, outcome and each payout stand in one line."""
    summary = evening(changes=False)
    text = reading.text(render(summary, printed_at=PRINTED_AT))
    suits = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
    for hand in summary.hands:
        words = [str(hand.number), hand.dealer, hand.bidder, hand.bid_title]
        words += [suits[hand.trump]] if hand.trump else []
        words += (
            [hand.called.replace("T", "10")[:-1] + suits[hand.called[-1]]] if hand.called else []
        )
        if hand.bidder:
            words += [hand.partner or "alone", str(hand.points), hand.outcome]
        row = " ".join([*filter(None, words), *map(signed, hand.deltas)])
        assert row in text


def test_a_table_has_a_column_for_each_thing_that_its_hands_count() -> None:
    """Points where points are counted, tricks in German Solo, both where both are."""
    summary = evening(hands=3, changes=False)
    heads = {"points": "Points", "tricks_won": "Tricks"}
    for keys in (("points",), ("tricks_won",), ("points", "tricks_won")):
        hands = [replace(hand, counts=dict.fromkeys(keys, 5)) for hand in summary.hands]
        text = reading.text(render(replace(summary, hands=tuple(hands)), printed_at=PRINTED_AT))
        (head,) = [line for line in text.splitlines() if line.startswith("No. Dealer")]
        assert [word for key, word in heads.items() if word in head.split()] == [
            heads[key] for key in keys
        ]
        assert f"{' '.join('5' for _ in keys)} {hands[0].outcome}" in text


def test_passed_out_hand_is_one_quiet_row() -> None:
    """A hand that everybody passed shows its dealer, the words and a middle dot a seat."""
    text = reading.text(render(evening(NAMES[:4], 11, changes=False), printed_at=PRINTED_AT))
    assert "11 Cyd Passed out · · · ·\n" in text


def test_corrected_hand_shows_reason_author_and_old_payout() -> None:
    """Below a corrected hand are the reason, the author, and its old payout."""
    summary = evening()
    hand = next(each for each in summary.hands if each.version > 1 and each.state == "standing")
    text = reading.text(render(summary, printed_at=PRINTED_AT))
    old = hand.previous[0]
    assert f"{hand.number}* " in text
    assert "Corrected by Gus: The points were miscounted" in text
    was = f"Was: {old.summary} (recorded by Ann, 3 Oct, 18:35)"
    assert f"{was} {' '.join(map(signed, old.deltas))}" in text


def test_each_older_version_is_told_newest_first() -> None:
    """A hand that was corrected, made void and restored shows all of it."""
    summary = evening(hands=1)
    paid = (10, -10, 0, 0, 0, 0, 0)
    versions = (
        EarlierVersion(1, "recorded", "Solo, 70", paid, None, "Ann", STARTED_AT),
        EarlierVersion(2, "corrected", "Solo, 72", paid, "Recounted", "Bob", STARTED_AT),
        EarlierVersion(3, "voided", "Solo, 72", (0,) * 7, "Misdeal", "Cyd", STARTED_AT),
    )
    hand = replace(
        summary.hands[0],
        version=4,
        action="restored",
        reason="No misdeal after all",
        previous=versions,
    )
    text = reading.text(render(replace(summary, hands=(hand,)), printed_at=PRINTED_AT))
    told = [
        "Restored by Ann: No misdeal after all",
        "Was void (voided by Cyd, 3 Oct, 18:00: Misdeal)",
        "Was: Solo, 72 (corrected by Bob, 3 Oct, 18:00: Recounted)",
        "Was: Solo, 70 (recorded by Ann, 3 Oct, 18:00)",
    ]
    places = [text.index(words) for words in told]
    assert places == sorted(places)


def test_void_hand_counts_in_no_total() -> None:
    """The totals row sums the hands that stand and leaves void ones out."""
    summary = evening()
    text = reading.text(render(summary, printed_at=PRINTED_AT))
    standing = [hand.deltas for hand in summary.hands if hand.state == "standing"]
    sums = [sum(column) for column in zip(*standing, strict=True)]
    assert any(hand.state == "void" and any(hand.deltas) for hand in summary.hands)
    assert totals(summary, summary.unit) == sums
    assert f"Total {' '.join(map(signed, sums))}" in text
    assert "Void by Ann: Two cards were on the floor" in text


def test_void_hand_whose_deltas_were_cleared_shows_what_it_had_paid() -> None:
    """Where a void hand carries noughts, its struck row takes the payout it had."""
    summary = evening(NAMES[:4], 14)
    hand = summary.hands[-1]
    paid = hand.previous[-1].deltas
    cleared = replace(hand, deltas=(0,) * 4)
    pdf = render(replace(summary, hands=(*summary.hands[:-1], cleared)), printed_at=PRINTED_AT)
    assert re.search(rf"14\* .* {re.escape(' '.join(map(signed, paid)))}\n", reading.text(pdf))


@pytest.mark.parametrize(("seats", "lying"), [(3, False), (6, False), (7, True), (12, True)])
def test_table_of_hands_lies_where_more_than_six_play(seats: int, lying: bool) -> None:
    """Upright A4 for up to six seats, lying A4 for more, with every figure whole."""
    summary = evening(NAMES[:seats], 20)
    pdf = render(summary, printed_at=PRINTED_AT)
    box = PdfReader(BytesIO(pdf)).pages[1].mediabox
    assert (box.width > box.height) is lying
    assert sorted((round(box.width), round(box.height))) == [595, 842]
    assert f"Total {' '.join(map(signed, totals(summary, summary.unit)))}" in reading.text(pdf)


def test_long_session_repeats_heads_and_numbers_its_pages() -> None:
    """Every page of hands has the head and the foot; every hand is there once."""
    pages = reading.pages(render(evening(hands=300), printed_at=PRINTED_AT))
    assert len(pages) > 8
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in page
        assert re.search("The Kitchen Table +· +Friday at Dee's +· +3 October 2025", page)
    for page in pages[1:]:
        head = "No. Dealer Bidder Bid Trump Called Partner Points Outcome Ann Bob Cyd Dee"
        assert page.startswith(head)
    rows = re.findall(
        r"^(\d+)\*? (?:Ann|Bob|Cyd|Dee|Eve|Fay|Gus) ", "\n".join(pages[1:]), re.MULTILINE
    )
    assert [int(row) for row in rows] == list(range(1, 301))


def test_open_session_says_so() -> None:
    """Standings of a session still played are not called final."""
    text = reading.text(render(evening(closed=False), printed_at=PRINTED_AT))
    assert "Standings so far" in text
    assert "Still being played" in text
    assert "Final" not in text


def test_table_that_owes_nothing_is_told_so() -> None:
    """Without payments the settlement is one sentence."""
    text = reading.text(render(evening(hands=0), printed_at=PRINTED_AT))
    assert "Everybody is even." in text
    assert "Hand" not in text.replace("Hands bid", "").replace("Hands won", "")


def test_where_payments_settle_nothing_the_reason_is_printed() -> None:
    """Not that everybody is even."""
    summary = replace(evening(hands=3), payments=(), instead_of_payments="The chips are money now.")
    text = reading.text(render(summary, printed_at=PRINTED_AT))
    assert "The chips are money now." in text
    assert "Everybody is even" not in text


def test_an_evening_turned_into_money_prints_what_everybody_got_and_who_pays_whom() -> None:
    """A column of money, the payments in it, and next to them those in chips won since."""
    played = replace(
        evening(NAMES[:3], 4),
        payments=(),
        money=InMoney("EUR", (123_450, -3_450, -120_000), (Payment("Cyd", "Ann", 120_000),)),
    )
    first = reading.pages(render(played, printed_at=PRINTED_AT))[0]
    assert "EUR" in first
    for amount in ("1,234.50", "−34.50", "−1,200.00", "1,200.00 EUR", "For this evening alone"):
        assert amount in first
    assert "Everybody is even" not in first
    since = replace(played, payments=(Payment("Ann", "Bob", 30),), unconverted=True)
    first = reading.pages(render(since, printed_at=PRINTED_AT))[0]
    assert "1,200.00 EUR" in first
    assert "30 chips" in first
    assert "Won or corrected after chips were cashed in" in first


def test_an_evening_played_for_money_says_that_its_chips_are_none() -> None:
    """Where nothing was turned into money: the payments are in chips, and there is no column of money."""
    first = reading.pages(render(evening(NAMES[:3], 4), printed_at=PRINTED_AT))[0]
    assert "Played for money" not in first
    left = replace(evening(NAMES[:3], 4), unconverted=True)
    first = reading.pages(render(left, printed_at=PRINTED_AT))[0]
    assert "these chips are not cashed in" in first
    assert "EUR" not in first


def test_a_hands_note_stands_under_it_wrapped() -> None:
    """To its last word; the next hand begins below."""
    summary = evening(hands=2, changes=False)
    note = " ".join(f"word{number}" for number in range(200))
    hands = (replace(summary.hands[0], note=note), summary.hands[1])
    text = reading.pages(render(replace(summary, hands=hands), printed_at=PRINTED_AT))[1]
    assert f"Note: {note}" in " ".join(text.split())
    assert text.index("word199") < text.index("\n2 ")


def test_a_note_too_long_for_a_page_is_cut_short() -> None:
    """With an ellipsis, and in no time; the table goes on."""
    summary = evening(hands=2, changes=False)
    hands = (replace(summary.hands[0], note="deuce " * 100_000), summary.hands[1])
    found = reading.pages(render(replace(summary, hands=hands), printed_at=PRINTED_AT))
    assert "…" in "".join(found)
    assert 2 <= len(found) <= 4
    assert any("\n2 " in page for page in found)


def test_columns_no_hand_uses_are_left_out() -> None:
    """A game that calls no card has no columns for card and partner."""
    summary = evening(NAMES[:4], 5, changes=False)
    hands = tuple(replace(hand, called=None, partner=None, alone=False) for hand in summary.hands)
    head = reading.pages(render(replace(summary, hands=hands), printed_at=PRINTED_AT))[1]
    assert head.startswith("No. Dealer Bidder Bid Trump Points Outcome Ann Bob Cyd Dee")


def test_equal_reports_have_equal_bytes() -> None:
    """The same value printed at the same time gives the same file, in any order."""
    first = render(evening(), printed_at=PRINTED_AT)
    render(evening(("हिन्दी", "العربية", "👨‍👩‍👧"), 3), printed_at=PRINTED_AT)
    assert render(evening(), printed_at=PRINTED_AT) == first


def test_size_grows_with_the_hands_and_no_faster() -> None:
    """Ten times the hands takes less than ten times the bytes."""
    small, large = (len(render(evening(hands=hands), printed_at=PRINTED_AT)) for hands in (60, 600))
    assert large < 10 * small


def test_pages_are_kept_as_bytes_and_not_spelled_in_letters() -> None:
    """Which would make the file a fifth longer."""
    assert b"ASCII85" not in render(evening(hands=3), printed_at=PRINTED_AT)


def test_times_are_shown_in_the_zone_of_printing() -> None:
    """An entry made at 18:35 UTC reads 20:35 on a report printed two hours east."""
    east = PRINTED_AT.astimezone(timezone(timedelta(hours=2)))
    assert "3 Oct, 20:35" in reading.text(render(evening(), printed_at=east))


def test_naive_time_of_printing_is_refused() -> None:
    """Without a zone the report could not name any hour."""
    with pytest.raises(ValueError, match="printed_at must be an aware datetime"):
        render(evening(hands=1), printed_at=datetime(2025, 10, 4))  # noqa: DTZ001


def test_file_names_its_title_and_club() -> None:
    """Title and author in the file's properties are the session and the club."""
    meta = PdfReader(BytesIO(render(evening(), printed_at=PRINTED_AT))).metadata
    assert meta is not None
    assert (meta.title, meta.author) == ("Friday at Dee's, 3 October 2025", "The Kitchen Table")


def test_one_large_loan_cuts_nobody_elses_words() -> None:
    """A column is as wide as its own figures, so six players' bids are printed in full."""
    played = evening(NAMES[:6], changes=False)
    loan = OtherEntry("Loan", False, (999_999_999, 0, 0, 0, 0, 0), "Ann", None, STARTED_AT)
    bids = {hand.bid_title for hand in played.hands}
    assert "Go alone in hearts" in bids
    text = reading.text(render(replace(played, other_entries=(loan,)), printed_at=PRINTED_AT))
    assert all(f" {bid} " in text for bid in bids - {"Passed out"})
    assert "+999,999,999" in text
    for hand in played.hands:
        assert " ".join(map(signed, hand.deltas)) in text


def test_words_are_cut_only_where_there_is_no_room() -> None:
    """A long bid takes the room that the seats leave."""
    played = evening(NAMES[:3], hands=3, changes=False)
    title = "Go alone in hearts without the widow"
    hands = tuple(replace(hand, bid_title=title) for hand in played.hands)
    assert title in reading.text(render(replace(played, hands=hands), printed_at=PRINTED_AT))


def test_three_games_of_an_evening_are_listed_as_one_says_them() -> None:
    """With one "and", before the last."""
    played = evening(NAMES[:4], hands=3, changes=False)
    games = ("Crazy Solo", "Progressive Solo", "Six-Bid")
    hands = tuple(
        replace(hand, game_title=game) for hand, game in zip(played.hands, games, strict=True)
    )
    first = reading.pages(render(replace(played, hands=hands), printed_at=PRINTED_AT))[0]
    assert "Crazy Solo (1 hand), Progressive Solo (1 hand) and Six-Bid (1 hand)" in first


def test_the_first_page_tells_what_changed_hands_came_to_for_players_who_had_left() -> None:
    """In chips and money, below the standings; at a table without a rate in chips."""
    after = (AfterLeaving(NAMES[0], 100, 10, "EUR"), AfterLeaving(NAMES[1], -20, None, "EUR"))
    summary = replace(evening(), after_leaving=after)
    first = reading.pages(render(summary, printed_at=PRINTED_AT))[0]
    assert f"{NAMES[0]}, since leaving: +100 chips, gets 0.10 EUR more" in first
    assert f"{NAMES[1]}, since leaving: −20 chips" in first
