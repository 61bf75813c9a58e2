"""Names in any script: no box, nothing broken, right order."""

import unicodedata
from dataclasses import replace

import pytest

from ledger.report import fonts, render, render_score_sheet
from ledger.report import text as text_module
from ledger.report.characters import isolate
from ledger.report.face import Face
from ledger.report.text import fit, line, wrap
from tests.ledger.report import reading
from tests.ledger.report.evenings import HOSTILE, NAMES, PRINTED_AT, evening


def drawn(text: str) -> str:
    """Return the characters of a laid-out line from left to right."""
    runs = sorted(line(text).runs, key=lambda run: run.x)
    return "".join(run.text for run in runs)


def test_no_name_shows_a_box() -> None:
    """Each code shown on a page leads to a glyph of an embedded font, never to its box."""
    pdf = render(evening(HOSTILE, 30), printed_at=PRINTED_AT)
    assert reading.empty_glyphs(pdf) == []
    embedded = ["/FontFile2" in font["/FontDescriptor"] for font in reading.fonts(pdf).values()]
    assert len(embedded) > 4
    assert all(embedded)


def test_names_read_back_from_the_file() -> None:
    """Latin, Chinese, Korean, cards, emoji and mark-up come back as they were typed."""
    text = reading.text(render(evening(HOSTILE, 3), printed_at=PRINTED_AT))
    for name in (
        "<script>alert('&amp;')</script> & Söhne <b>",
        "Łukasz Żółć",
        "山田 太郎",
        "김철수",
    ):
        assert name in text
    assert "🂡 Ace 🙂👨‍👩‍👧" in text
    assert "עברית" in text
    assert "العربية" in unicodedata.normalize("NFKC", text)


def test_one_glyph_reads_back_as_each_of_many_texts() -> None:
    """A picture lent for hundreds of texts reads back as each of them, in any order."""
    known = fonts.face("LedgerEmoji")
    texts = ["👨\u200d👩\u200d👧", *(f"👨\u200d👩\u200d👧 {n}" for n in range(300))]
    for order in (texts, texts[::-1]):
        face = Face("LedgerEmoji", known.face.filename)
        codes = [face.lend(9, 1000, text) for text in order]
        assert [face.glyph_text[code] for code in codes] == order


def test_a_glyph_without_a_free_code_is_drawn_right_and_reads_back_as_its_first_text() -> None:
    """More readings than there are codes change the text that is read, never the one drawn."""
    face = Face("LedgerEmoji", fonts.face("LedgerEmoji").face.filename)
    first = face.lend(9, 1000, "a")
    codes = [face.lend(9, 1000, str(n)) for n in range(0x10000 + 1)]
    assert len(set(codes)) == 0x10000 + 1
    assert codes[-1] == first
    assert {face.face.charToGlyph[code] for code in codes} == {9}
    assert face.lend(8, 1000, "a") not in codes
    assert face.lend(9, 1000, "7") == codes[7]


def test_equal_reports_have_equal_bytes_whatever_was_printed_before() -> None:
    """The codes that glyphs are lent never show in the file."""
    before = render(evening(HOSTILE, 3), printed_at=PRINTED_AT)
    family = "👨\u200d👩\u200d👧"
    for n in range(9):
        drawn(f"{n} {family} {n} हिन्दी{n}")
    text_module.line.cache_clear()
    assert render(evening(HOSTILE, 3), printed_at=PRINTED_AT) == before


def test_each_glyph_has_codes_of_its_own_in_every_face() -> None:
    """The last glyphs of the largest face have codes below Unicode's end; none is another's."""
    for name in (fonts.REGULAR, *(fallback.name for fallback in fonts.FALLBACKS)):
        face = Face(name, fonts.face(name).face.filename)
        last = face.face.numGlyphs - 1
        codes = {face.lend(glyph, 500, str(n)) for glyph in (last - 1, last) for n in range(40)}
        assert max(codes) <= 0x10FFFF
        assert {face.face.charToGlyph[code] for code in codes} == {last - 1, last}


def test_long_name_is_cut_in_the_table_and_whole_in_the_standings() -> None:
    """64 wide letters are all on the first page; the table shows some and an ellipsis."""
    first, *rest = reading.pages(render(evening(HOSTILE, 20), printed_at=PRINTED_AT))
    standings = first[: first.index("Chips after each hand")]
    assert standings.count("W") - standings.count("Won") == 64
    assert "WWWW…" in "".join(rest)


def test_a_name_of_twenty_letters_is_whole_wherever_there_is_room() -> None:
    """Next to the chart, in the payments and in every row; only over a narrow column of figures it is cut."""
    name = "Maximiliane-Henriette"
    played = evening((name, *NAMES[1:7]), 20)
    first, *rest = reading.pages(render(played, printed_at=PRINTED_AT))
    assert "…" not in first
    assert "".join(rest).count("…") == 1
    assert "".join(rest).count(name) > 5


@pytest.mark.parametrize(
    "char", ["\U0001f9ff", "é", "ẞ", "ж", "Ω", "字", "か", "한", "ไ", "த", "♥"]
)
def test_every_usual_script_has_a_face(char: str) -> None:
    """The character is drawn by a glyph, not spelled as a code."""
    assert "U+" not in drawn(char)
    assert any(
        fonts.face(name).has_glyphs(char) for name in fonts.candidates(ord(char), bold=False)
    )


@pytest.mark.parametrize("char", ["\u16a0", "\ua997", "\uf8ff", "\U000f0123", "\u0378"])
def test_character_without_a_face_is_spelled_as_its_code(char: str) -> None:
    """A character in no face reads as U+ and its number, in bold too."""
    code = f"U+{ord(char):04X}"
    assert drawn(f"a{char}b") == f"a{code}b"
    assert "".join(run.text for run in line(char, bold=True).runs) == code


def test_hebrew_runs_from_the_right() -> None:
    """The first letter of a Hebrew name stands rightmost."""
    assert drawn("אבג") == "גבא"


def test_arabic_letters_join() -> None:
    """Letters take their joined forms, and lam and alif become one glyph."""
    assert unicodedata.normalize("NFKC", drawn("محمد"))[::-1] == "محمد"
    assert drawn("محمد") != "محمد"[::-1]
    assert len(drawn("لا")) == 1


def test_right_to_left_name_leaves_the_sentence_in_order() -> None:
    """Fenced off, a Hebrew name does not pull the figure behind it to its left."""
    assert drawn(f"{isolate('אב')} pays 40 chips") == "בא pays 40 chips"
    assert drawn(f"by {isolate('אב')}, 40") == "by בא, 40"


def test_devanagari_vowel_stands_before_its_consonant() -> None:
    """The short i of हि is drawn left of the letter it follows."""
    runs = "".join(run.text for run in line("हि").runs)
    assert runs.endswith("ह")
    assert len(runs) == 2


def test_emoji_sequence_is_one_picture() -> None:
    """A family joined by joiners is a single glyph, a flag too."""
    assert len(drawn("👨‍👩‍👧")) == 1
    assert len(drawn("🇵🇱")) == 1


def test_direction_overrides_and_controls_are_dropped() -> None:
    """A name cannot turn the text around it or break its line."""
    assert drawn("x\u202egnp.exe\x00\x1b") == "xgnp.exe"
    assert drawn("a\nb\u2028c") == "a b c"
    assert drawn("\ud800") == "\ufffd"


def test_cut_line_fits_and_keeps_letters_with_their_marks() -> None:
    """The ellipsis comes within the width and never between a letter and its accent."""
    laid = fit("q\u0301" * 50, 10)
    assert laid.width <= 10
    assert laid.runs[-1].text.endswith("…")
    assert fit("short", 10) == line("short")


def test_wrapped_text_keeps_every_word_within_the_width() -> None:
    """Lines break at blanks, words too long for one break inside, nothing is lost."""
    text = "several words and " + "W" * 64
    lines = wrap(text, 12)
    assert all(each.width <= 12 for each in lines)
    assert "".join(run.text for each in lines for run in each.runs).replace(" ", "") == (
        text.replace(" ", "")
    )
    assert len(wrap(text, 12, most=2)) == 2


def test_names_cut_alike_are_told_apart_by_number() -> None:
    """Two long names with the same beginning get their seat's number in the table's head."""
    seats = ("Bartholomew Montgomery the Elder", "Bartholomew Montgomery the Younger", *NAMES[:10])
    head = reading.pages(render(evening(seats, 3), printed_at=PRINTED_AT))[1].splitlines()[0]
    assert "1. B" in head
    assert "2. B" in head


def test_a_name_over_a_narrow_column_breaks_at_a_space_before_it_is_cut() -> None:
    """It is whole on two lines, or the second one is cut; a name without a space is cut on its only line."""
    seats = ("Aunt Hedwig", "Anna Pumpernickelmacherin", "Maximiliane-Henriette", *NAMES[:5])
    tree = reading.structure(render(evening(seats, 5), printed_at=PRINTED_AT))
    (hands,) = [table for table in tree.all("Table") if table.kids[0].kids[0].text == "No."]
    heads = [head.text for head in hands.kids[0].kids if head.text]
    aunt, anna, maximiliane = heads[-8:-5]
    assert aunt == "Aunt Hedwig"
    assert anna.startswith("Anna Pum")
    assert anna.endswith("…")
    assert maximiliane.endswith("…")


def test_a_name_that_breaks_leaves_its_room_to_a_long_word() -> None:
    """A column is as wide as the longest word of its name, before names are put on one line."""
    long = "Professor Pumpernickel"
    seats = ("Aunt Hedwig", "Björn", "Esperanza", "Ludmiła", "Mo", "Nneka", long)
    tables = reading.structure(render(evening(seats, 11), printed_at=PRINTED_AT)).all("Table")
    assert [cell.text for cell in tables[1].kids[0].kids][-7:-1] == list(seats[:-1])


def test_twenty_names_with_one_beginning_are_told_apart_on_the_score_sheet() -> None:
    """By their numbers: no two heads are the same."""
    seats = tuple(f"Player number {number}" for number in range(1, 21))
    pdf = render_score_sheet(evening(seats, 3), printed_at=PRINTED_AT)
    (grid,) = reading.structure(pdf).all("Table")
    heads = [head.text for head in grid.kids[0].kids][3:]
    assert [head.split(".")[0] for head in heads] == [f"{number}" for number in range(1, 21)]


def test_endless_reason_and_title_stay_on_the_paper() -> None:
    """500 characters without a blank wrap; nothing is drawn past the margin."""
    summary = evening(NAMES[:4], 8)
    hands = tuple(replace(hand, reason="x" * 500) for hand in summary.hands)
    told = replace(summary, title="T" * 300, club="C" * 300, hands=hands)
    text = reading.text(render(told, printed_at=PRINTED_AT))
    assert text.count("x") >= 500
    assert "Page 1 of" in text
