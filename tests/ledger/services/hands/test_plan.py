"""Changing what was written: corrections and voids, with every later balance following."""

import json
from typing import Any

import pytest
from sqlmodel import col, select

from engine.errors.codes import examples
from ledger.database.access import Access, Role
from ledger.database.models import JournalEntry
from ledger.services.club import players
from ledger.services.hands import correct as hands_correct
from ledger.services.hands import record as hands_record
from ledger.services.reads import session as reads_session
from ledger.words.problems import AlreadyVoid, Invalid, KeyReused, Unchanged
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening, Hand
from tests.ledger.table import ALONE_85, HEARTS_46, HEARTS_74, PAYS_ALONE_85, PAYS_HEARTS_46, total
from tests.ledger.table import PAYS_HEARTS_74 as PAYS_74

DEALT = examples()["differs-from-cards"] | {"points": None}
"""A hand with its deal and tricks."""


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """Three hands: hearts won, alone won, hearts won again."""
    started = sqlite_club.start(table.SEVEN)
    for hand in (HEARTS_74, ALONE_85, HEARTS_74):
        started.record(hand)
    return started


def running(evening: Evening) -> list[dict[str, int]]:
    """Return the balances after each hand, as the history shows them."""
    lines = evening.read(reads_session.hands)
    return [dict(zip(table.SEVEN, line.balances, strict=True)) for line in lines]


def test_a_correction_moves_every_later_balance(evening: Evening) -> None:
    """Hand 1 was lost, not won: the balances after hands 1, 2 and 3 follow, and those at the table."""
    assert running(evening)[2] == total(PAYS_74, PAYS_ALONE_85, PAYS_74)
    answer = evening.correct(1, HEARTS_46)
    after = [
        PAYS_HEARTS_46,
        total(PAYS_HEARTS_46, PAYS_ALONE_85),
        total(PAYS_HEARTS_46, PAYS_ALONE_85, PAYS_74),
    ]
    assert running(evening) == after
    assert answer["balances"] == evening.balances == after[2]
    assert (answer["hand"], answer["version"], answer["revision"]) == (1, 2, 5)


def test_a_void_takes_a_hand_out_of_every_later_balance(evening: Evening) -> None:
    """It keeps its number and its place; the next hand is number 4 all the same."""
    answer = evening.void(2)
    assert (answer["state"], answer["version"], answer["verdict"]) == ("void", 2, None)
    assert running(evening) == [PAYS_74, PAYS_74, total(PAYS_74, PAYS_74)]
    assert answer["balances"] == evening.balances
    assert evening.record(HEARTS_74)["hand"] == 4


def test_the_history_keeps_old_and_new_with_reason_and_author(evening: Evening) -> None:
    """What hand 2 said first, what Tom made of it, and that Uma took it out."""
    tom, uma = (
        CardClub(evening.club.db, Access(evening.club.access.club_id, Role.SCORER, name))
        for name in ("Tom", "Uma")
    )
    tom.do(hands_correct.correct, evening.id, 2, HEARTS_46, reason="  it was   hearts ")
    uma.do(hands_correct.void, evening.id, 2, reason="misdeal")
    line = evening.read(reads_session.hands)[1]
    assert (line.state, line.version, line.reason) == ("void", 3, "misdeal")
    assert line.entered_by == "Uma"
    assert [(old.version, old.action, old.author, old.reason) for old in line.previous] == [
        (1, "recorded", "Sue", None),
        (2, "corrected", "Tom", "it was hearts"),
    ]
    first, second = line.previous
    assert first.deltas == tuple(PAYS_ALONE_85.values())
    assert second.deltas == tuple(PAYS_HEARTS_46.values())
    assert first.entered_at <= second.entered_at


def test_a_correction_is_a_reversal_and_a_new_entry(evening: Evening) -> None:
    """The journal only grows: the old entry stays, and the reversal says which it takes back and why."""
    evening.correct(1, HEARTS_46)
    evening.void(1)
    with evening.club.db.read(evening.club.access) as session:
        of_session = select(JournalEntry).where(JournalEntry.session_id == evening.id)
        entries = session.exec(of_session.order_by(col(JournalEntry.id))).all()
    first, *_, reversal, again, last = entries
    assert [entry.kind for entry in entries] == ["hand"] * 3 + ["reversal", "hand", "reversal"]
    assert (reversal.reverses_id, last.reverses_id) == (first.id, again.id)
    assert {entry.hand_id for entry in (first, reversal, again, last)} == {first.hand_id}
    assert (first.reason, reversal.reason, again.reason) == (None, "miscounted", "miscounted")
    assert last.reason == "misdeal"


def test_a_correction_keeps_when_and_by_whom_the_hand_was_dealt(evening: Evening) -> None:
    """Unless it says otherwise: then the dealer is corrected, too."""
    evening.record({**HEARTS_74, "played_at": "2026-01-31T21:15:00+01:00", "dealer": "Fay"})
    evening.correct(4, HEARTS_46)
    record, _, version = evening.read(table.version_record, 4)
    assert (record["dealer"], record["played_at"]) == ("Fay", "2026-01-31T21:15:00+01:00")
    assert version.played_at.isoformat() == "2026-01-31T20:15:00+00:00"
    assert version.entered_at > version.played_at
    evening.correct(4, {**HEARTS_46, "dealer": "Gus"})
    assert evening.turn[0] == "Ann"


def test_a_hand_can_be_corrected_again_and_back(evening: Evening) -> None:
    """Each time by the difference to what it said last."""
    for hand in (HEARTS_46, ALONE_85, HEARTS_74):
        evening.correct(1, hand)
    assert running(evening)[0] == PAYS_74
    assert len(evening.read(reads_session.hands)[0].previous) == 3


def test_a_correction_that_changes_nothing_or_is_invalid_writes_nothing(evening: Evening) -> None:
    """The history shows changes, and the old entry is not reversed for a miscount."""
    before = running(evening)
    with evening.club.refuses(Unchanged, "Hand 1 already says this"):
        evening.correct(1, HEARTS_74)
    with evening.club.refuses(Invalid):
        evening.correct(1, {**HEARTS_74, "points": 119})
    assert running(evening) == before


def test_a_void_hand_is_neither_voided_again_nor_corrected(evening: Evening) -> None:
    """It stays out of every balance; a preview of its correction is refused as well."""
    evening.void(2)
    before = running(evening)
    refused = (AlreadyVoid, "Hand 2 is already void")
    with evening.club.refuses(*refused):
        evening.void(2)
    with evening.club.refuses(*refused):
        evening.correct(2, HEARTS_74)
    with evening.club.refuses(*refused):
        evening.preview(hands_correct.correct, 2, HEARTS_74)
    assert running(evening) == before


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("", "reason-missing"),
        (" \n ", "reason-missing"),
        ("x" * 501, "reason-too-long"),
        ("nul \0", "reason-has-controls"),
        ("half a \ud800", "reason-has-controls"),
    ],
)
def test_a_change_without_a_good_reason_is_refused(
    evening: Evening, reason: str, code: str
) -> None:
    """The history shows it to everybody; 500 characters fit."""
    with evening.club.refuses(Invalid, at="reason", code=code):
        evening.do(hands_correct.void, 1, reason=reason)
    with evening.club.refuses(Invalid, at="reason", code=code):
        evening.do(hands_correct.correct, 1, HEARTS_46, reason=reason)
    evening.do(hands_correct.void, 1, reason="é" * 500)


@pytest.mark.parametrize("void", [True, False])
def test_a_retried_change_is_made_once(evening: Evening, void: bool) -> None:
    """The first answer again, also when the session was closed since; another payload is refused."""
    write = evening.club.write()

    def change(number: int = 1, reason: str = "why") -> Any:
        if void:
            return hands_correct.void(write, evening.id, number, reason=reason)
        return hands_correct.correct(write, evening.id, number, HEARTS_46, reason=reason)

    answer = change()
    evening.close()
    before = evening.club.rows
    assert change() == answer
    assert evening.club.rows == before
    for number, reason in ((3, "why"), (1, "because")):
        with evening.club.refuses(KeyReused):
            change(number, reason)


def test_a_viewer_may_preview(evening: Evening) -> None:
    """Though they change nothing."""
    viewer = evening.club.viewer()
    assert viewer.preview(hands_record.record, evening.id, HEARTS_74).revision == 4


@pytest.mark.parametrize("hand", [HEARTS_74, DEALT], ids=["counted", "dealt"])
def test_a_hand_that_says_so_already_does_under_other_names_too(
    sqlite_club: CardClub, hand: Hand
) -> None:
    """Ann and Dee go by each other's name since: the same hand is no correction, with another note it is."""
    seats = table.FOUR if "deal" in hand else table.SEVEN
    evening = sqlite_club.start(seats, first_dealer="Dee")
    evening.record({**hand, "note": "Ann, Dee"})
    numbers = {name: sqlite_club.player(name) for name in ("Ann", "Dee")}
    for old, new in (("Ann", "Zoe"), ("Dee", "Ann"), ("Ann", "Dee")):
        sqlite_club.do(players.rename, numbers[old], name=new)
    turned = json.dumps(hand).replace('"Ann"', "?").replace('"Dee"', '"Ann"').replace("?", '"Dee"')
    same = {**json.loads(turned), "note": "Ann, Dee"}
    assert same["contract"]["bidder"] == "Dee"
    with sqlite_club.refuses(Unchanged, "Hand 1 already says this"):
        evening.preview(hands_correct.correct, 1, same)
    with sqlite_club.refuses(Unchanged, "Hand 1 already says this"):
        evening.correct(1, same)
    assert evening.correct(1, {**same, "note": "Dee, Ann"})["version"] == 2
