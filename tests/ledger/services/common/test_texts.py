"""Texts that people type: one rule for all of them, which keeps every script and no hidden character."""

from collections.abc import Callable

import pytest

from ledger.database.access import Role
from ledger.services.chips import adjust, bank, count
from ledger.services.club import clubs, players, tokens
from ledger.services.common import texts
from ledger.services.hands import correct, record
from ledger.services.money import convert, payments
from ledger.services.session.view import Rate
from ledger.services.table import cash_out
from ledger.words.problems import Invalid
from tests.ledger import cash
from tests.ledger.evenings import CardClub, Evening

Typed = Callable[[Evening, str], object]

TEXTS: dict[str, tuple[str, Typed]] = {
    "club": ("name", lambda e, text: clubs.create(e.club.db, name=text, passcode="123456")),
    "author": ("author", lambda _, text: clubs.clean_author(text)),
    "player": ("name", lambda e, text: e.club.do(players.add, name=text)),
    "title": ("title", lambda e, text: e.club.start(title=text)),
    "label": (
        "label",
        lambda e, text: tokens.issue(e.club.db, e.club.access, label=text, role=Role.VIEWER),
    ),
    "note": ("note", lambda e, text: e.record({**cash.ANN_WINS, "note": text})),
    "correction": ("reason", lambda e, text: e.do(correct.void, 1, reason=text)),
    "loan": ("reason", lambda e, text: e.do(bank.lend, player="Ann", chips=5, reason=text)),
    "adjustment": (
        "reason",
        lambda e, text: e.do(adjust.adjust, player="Ann", chips=5, reason=text),
    ),
    "count": (
        "reason",
        lambda e, text: e.do(count.record, {"Ann": {5: 1}}, post=True, reason=text),
    ),
    "leaving": ("reason", lambda e, text: e.do(cash_out.leave, player="Bob", reason=text)),
    "conversion": ("reason", lambda e, text: e.do(convert.convert, rate=Rate(10, 1), reason=text)),
    "payment": (
        "reason",
        lambda e, text: e.club.do(payments.pay, payer="Ann", payee="Bob", amount=5, reason=text),
    ),
}
"""What a text is of: its field, and a write that it is typed into."""

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
def evening(sqlite_club: CardClub) -> Evening:
    """Four with one hand played, Ann and Bob known to the club."""
    started = sqlite_club.start()
    started.record(cash.ANN_WINS)
    return started


@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_holds_what_cannot_be_seen(evening: Evening, kind: str) -> None:
    """Wherever it is typed; nothing is written, and the input is named."""
    field, write = TEXTS[kind]
    for hidden in HIDDEN.values():
        with evening.club.refuses(Invalid, at=field):
            write(evening, f"40{hidden}89")


@pytest.mark.parametrize("text", WELCOME)
def test_every_script_and_emoji_is_stored_as_it_is_typed(evening: Evening, text: str) -> None:
    """Right to left, with joiners, with a flag of its own: in each of the texts."""
    for kind in ("club", "author", "player", "title", "label", "note", "loan"):
        TEXTS[kind][1](evening, text)
    assert text in [player.name for player in evening.club.read(players.everyone)]
    assert texts.one_line(f"  {text} ", "reason", "The reason", 500, "reason") == text


@pytest.mark.parametrize("text", ["", "  ", "\u200d", "\u2800 \u3164", "\ufe0f"])
def test_a_reason_that_shows_nothing_is_missing(evening: Evening, text: str) -> None:
    """Joiners and fillers alone are no text."""
    with evening.club.refuses(Invalid, code="reason-missing"):
        TEXTS["correction"][1](evening, text)


def test_a_note_may_have_several_lines_and_a_reason_has_one(evening: Evening) -> None:
    """Breaks of a reason become blanks."""
    note = "first line\n\tsecond line"
    assert evening.preview(record.record, {**cash.ANN_WINS, "note": note}).record["note"] == note
    line = texts.one_line(note, "reason", "The reason", 500, "reason")
    assert line == "first line second line"
