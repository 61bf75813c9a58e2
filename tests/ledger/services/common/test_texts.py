"""Texts that people type: one rule for all of them, which keeps every script and no hidden character."""

from collections.abc import Callable

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.chips import adjust, bank, count
from ledger.services.club import clubs, players, tokens
from ledger.services.common import texts
from ledger.services.hands import correct, record
from ledger.services.money import convert, payments
from ledger.services.session.view import Rate
from ledger.services.table import cash_out
from ledger.words.problems import Invalid
from tests.ledger import cash, table
from tests.ledger.table import ask, dry

Typed = Callable[[Database, Access, int, str], object]

TEXTS: dict[str, tuple[str, Typed]] = {
    "club": (
        "name",
        lambda db, _access, _played, text: clubs.found(db, name=text, passcode="123456"),
    ),
    "author": ("author", lambda _db, _access, _played, text: clubs.clean_author(text)),
    "player": (
        "name",
        lambda db, access, _played, text: players.add(table.write(db, access), name=text),
    ),
    "title": ("title", lambda db, access, _played, text: table.start(db, access, title=text)),
    "label": (
        "label",
        lambda db, access, _played, text: tokens.issue(db, access, label=text, role=Role.VIEWER),
    ),
    "note": (
        "note",
        lambda db, access, played, text: table.record(
            db, access, played, {**cash.ANN_WINS, "note": text}
        ),
    ),
    "reason of a correction": (
        "reason",
        lambda db, access, played, text: correct.void(
            table.write(db, access), played, 1, reason=text
        ),
    ),
    "reason of a loan": (
        "reason",
        lambda db, access, played, text: bank.lend(
            table.write(db, access), played, player="Ann", chips=5, reason=text
        ),
    ),
    "reason of an adjustment": (
        "reason",
        lambda db, access, played, text: adjust.adjust(
            table.write(db, access), played, player="Ann", chips=5, reason=text
        ),
    ),
    "reason of a count": (
        "reason",
        lambda db, access, played, text: count.record(
            table.write(db, access), played, {"Ann": {5: 1}}, post=True, reason=text
        ),
    ),
    "reason of a leaving": (
        "reason",
        lambda db, access, played, text: cash_out.leave(
            table.write(db, access), played, player="Bob", reason=text
        ),
    ),
    "reason of a conversion": (
        "reason",
        lambda db, access, played, text: convert.convert(
            table.write(db, access), played, rate=Rate(10, 1), reason=text
        ),
    ),
    "reason of a payment": (
        "reason",
        lambda db, access, _played, text: payments.pay(
            table.write(db, access), payer="Ann", payee="Bob", amount=5, reason=text
        ),
    ),
}

HIDDEN = {
    "right-to-left override": "\u202e",
    "left-to-right embedding": "\u202a",
    "isolate": "\u2067",
    "zero-width space": "\u200b",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "bell": "\x07",
    "delete": "\x7f",
    "tag letter": "\U000e0041",
    "half a character": "\ud83c",
}

WELCOME = [
    "👨\u200d👩\u200d👧",
    "♥\ufe0f lost",
    "می\u200cخواهم",
    "क्\u200dष",
    "שלום עולם",
    "محمد علي",
    "山田 🂡",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
]


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Four with one hand played, Ann and Bob known to the club."""
    played = table.start(database, club, table.FOUR)
    table.record(database, club, played, cash.ANN_WINS)
    return played


@pytest.mark.parametrize("what", TEXTS)
def test_no_text_holds_what_cannot_be_seen(
    database: Database, club: Access, tonight: int, what: str
) -> None:
    """Wherever it is typed; nothing is written, and the input is named."""
    field, write = TEXTS[what]
    before = table.row_counts(database)
    for name, hidden in HIDDEN.items():
        with pytest.raises(Invalid) as refused:
            write(database, club, tonight, f"40{hidden}89")
        (fault,) = refused.value.faults
        assert fault.field == field, name
    assert table.row_counts(database) == before


@pytest.mark.parametrize("text", WELCOME)
def test_every_script_and_emoji_is_kept_as_it_is_typed(
    database: Database, club: Access, tonight: int, text: str
) -> None:
    """Right to left, with joiners, with a flag of its own: in each of the texts."""
    for what in ("club", "author", "player", "title", "label", "note", "reason of a loan"):
        TEXTS[what][1](database, club, tonight, text)
    assert text in [player.name for player in ask(database, club, players.everyone)]
    assert texts.one_line(f"  {text} ", "reason", "The reason", 500, "reason") == text


@pytest.mark.parametrize("text", ["", "  ", "\u200d", "\u2800 \u3164", "\ufe0f"])
def test_a_reason_that_shows_nothing_is_missing(
    database: Database, club: Access, tonight: int, text: str
) -> None:
    """Joiners and fillers alone say nothing."""
    with pytest.raises(Invalid) as refused:
        voided(database, club, tonight, text)
    assert [fault.code for fault in refused.value.faults] == ["reason-missing"]


def voided(db: Database, access: Access, played: int, reason: str) -> object:
    """Void the first hand for a reason."""
    return TEXTS["reason of a correction"][1](db, access, played, reason)


def test_a_note_may_have_several_lines_and_a_reason_has_one(
    database: Database, club: Access, tonight: int
) -> None:
    """Breaks of a reason become blanks."""
    note = "first line\n\tsecond line"
    seen = ask(database, club, dry(record.record), tonight, {**cash.ANN_WINS, "note": note})
    assert seen.record is not None
    assert seen.record["note"] == note
    line = texts.one_line(note, "reason", "The reason", 500, "reason")
    assert line == "first line second line"
