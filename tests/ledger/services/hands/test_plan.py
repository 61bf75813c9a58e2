"""Changing what was written: corrections and voids, with every later balance following."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlmodel import col, select

from engine.errors.codes import examples
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import JournalEntry
from ledger.services.club import players
from ledger.services.common.writing import Write
from ledger.services.hands import correct as hands_correct
from ledger.services.hands import record as hands_record
from ledger.services.reads import session as reads_session
from ledger.services.table import lifecycle
from ledger.words.problems import AlreadyVoid, Invalid, KeyReused, ReadOnly, Unchanged
from tests.ledger import table
from tests.ledger.table import (
    ALONE_85,
    HEARTS_46,
    HEARTS_74,
    PAYS_ALONE_85,
    PAYS_HEARTS_46,
    ask,
    asking,
    dry,
)
from tests.ledger.table import PAYS_HEARTS_74 as PAYS_74


@pytest.fixture
def evening(database: Database, club: Access) -> int:
    """Three hands: hearts won, alone won, hearts won again."""
    session_id = table.start(database, club)
    for hand in (HEARTS_74, ALONE_85, HEARTS_74):
        table.record(database, club, session_id, hand)
    return session_id


def running(database: Database, access: Access, session_id: int) -> list[dict[str, int]]:
    """Return the balances after each hand, as the history shows them."""
    return [
        dict(zip(table.SEVEN, line.balances, strict=True))
        for line in ask(database, access, reads_session.hands, session_id)
    ]


def test_a_correction_moves_every_later_balance(
    database: Database, club: Access, evening: int
) -> None:
    """Hand 1 was lost, not won: the balances after hands 1, 2 and 3 follow, and those at the table."""
    assert running(database, club, evening)[2] == table.total(PAYS_74, PAYS_ALONE_85, PAYS_74)
    answer = table.correct(database, club, evening, 1, HEARTS_46)
    after = [
        PAYS_HEARTS_46,
        table.total(PAYS_HEARTS_46, PAYS_ALONE_85),
        table.total(PAYS_HEARTS_46, PAYS_ALONE_85, PAYS_74),
    ]
    assert running(database, club, evening) == after
    assert answer["balances"] == table.balances(database, club, evening) == after[2]
    assert (answer["hand"], answer["version"], answer["revision"]) == (1, 2, 5)


def test_a_void_takes_a_hand_out_of_every_later_balance(
    database: Database, club: Access, evening: int
) -> None:
    """It keeps its number and its place; the next hand is number 4 all the same."""
    answer = table.void(database, club, evening, 2)
    assert (answer["state"], answer["version"], answer["verdict"]) == ("void", 2, None)
    assert running(database, club, evening) == [PAYS_74, PAYS_74, table.total(PAYS_74, PAYS_74)]
    assert answer["balances"] == table.balances(database, club, evening)
    assert table.record(database, club, evening, HEARTS_74)["hand"] == 4


def test_the_history_keeps_old_and_new_with_reason_and_author(
    database: Database, club: Access, evening: int
) -> None:
    """What hand 2 said first, what Tom made of it, and that Uma took it out."""
    tom, uma = (Access(club.club_id, Role.SCORER, name) for name in ("Tom", "Uma"))
    hands_correct.correct(
        table.write(database, tom), evening, 2, HEARTS_46, reason="  it was   hearts "
    )
    hands_correct.void(table.write(database, uma), evening, 2, reason="misdeal")
    line = ask(database, club, reads_session.hands, evening)[1]
    assert (line.state, line.version, line.reason, line.entered_by) == (
        "void",
        3,
        "misdeal",
        "Uma",
    )
    first, second = line.previous
    assert (first.version, first.action, first.author, first.reason) == (
        1,
        "recorded",
        "Sue",
        None,
    )
    assert first.deltas == tuple(PAYS_ALONE_85.values())
    assert (second.version, second.action, second.author, second.reason) == (
        2,
        "corrected",
        "Tom",
        "it was hearts",
    )
    assert second.deltas == tuple(PAYS_HEARTS_46.values())
    assert first.entered_at <= second.entered_at


def test_a_correction_is_a_reversal_and_a_new_entry(
    database: Database, club: Access, evening: int
) -> None:
    """The books only grow: the old entry stays, and the reversal says which it takes back and why."""
    table.correct(database, club, evening, 1, HEARTS_46)
    table.void(database, club, evening, 1)
    with database.read(club) as session:
        paid = select(JournalEntry).where(JournalEntry.session_id == evening)
        entries = session.exec(paid.order_by(col(JournalEntry.id))).all()
    first, *_, reversal, again, gone = entries
    assert [entry.kind for entry in entries] == ["hand"] * 3 + ["reversal", "hand", "reversal"]
    assert (reversal.reverses_id, gone.reverses_id) == (first.id, again.id)
    assert {entry.hand_id for entry in (first, reversal, again, gone)} == {first.hand_id}
    assert (first.reason, reversal.reason, again.reason) == (None, "miscounted", "miscounted")
    assert gone.reason == "misdeal"


DEALT = examples()["differs-from-cards"] | {"points": None}
"""A hand with its deal and tricks."""


def test_a_correction_keeps_when_and_by_whom_the_hand_was_dealt(
    database: Database, club: Access, evening: int
) -> None:
    """Unless it says otherwise: then the dealer is corrected, too."""
    said = {**HEARTS_74, "played_at": "2026-01-31T21:15:00+01:00", "dealer": "Fay"}
    table.record(database, club, evening, said)
    table.correct(database, club, evening, 4, HEARTS_46)
    record, _, version = ask(database, club, table.version_record, evening, 4)
    assert (record["dealer"], record["played_at"]) == ("Fay", "2026-01-31T21:15:00+01:00")
    assert version.played_at.isoformat() == "2026-01-31T20:15:00+00:00"
    assert version.entered_at > version.played_at
    table.correct(database, club, evening, 4, {**HEARTS_46, "dealer": "Gus"})
    assert ask(database, club, hands_record.propose, evening).dealer == "Ann"


def test_a_hand_can_be_corrected_again_and_back(
    database: Database, club: Access, evening: int
) -> None:
    """Each time by the difference to what it said last."""
    for hand in (HEARTS_46, ALONE_85, HEARTS_74):
        table.correct(database, club, evening, 1, hand)
    assert running(database, club, evening)[0] == PAYS_74
    assert len(ask(database, club, reads_session.hands, evening)[0].previous) == 3


def test_a_correction_that_changes_nothing_is_refused(
    database: Database, club: Access, evening: int
) -> None:
    """The history shows changes; this is none."""
    before = table.row_counts(database)
    with pytest.raises(Unchanged, match="Hand 1 already says this") as caught:
        table.correct(database, club, evening, 1, HEARTS_74)
    assert caught.value.status == 409
    assert table.row_counts(database) == before


def test_a_void_hand_is_neither_voided_again_nor_corrected(
    database: Database, club: Access, evening: int
) -> None:
    """It stays out of every balance; a preview of its correction is refused as well."""
    table.void(database, club, evening, 2)
    before = table.row_counts(database), running(database, club, evening)
    acts: tuple[Callable[[], object], ...] = (
        lambda: table.void(database, club, evening, 2),
        lambda: table.correct(database, club, evening, 2, HEARTS_74),
        lambda: ask(database, club, dry(hands_correct.correct), evening, 2, HEARTS_74),
    )
    for act in acts:
        with pytest.raises(AlreadyVoid, match="Hand 2 is already void"):
            act()
    assert (table.row_counts(database), running(database, club, evening)) == before


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
    database: Database, club: Access, evening: int, reason: str, code: str
) -> None:
    """The history shows it to everybody; 500 characters fit."""
    before = table.row_counts(database)
    changes: tuple[Callable[[str], object], ...] = (
        lambda why: hands_correct.void(table.write(database, club), evening, 1, reason=why),
        lambda why: hands_correct.correct(
            table.write(database, club), evening, 1, HEARTS_46, reason=why
        ),
    )
    for change in changes:
        with pytest.raises(Invalid) as caught:
            change(reason)
        assert [(fault.field, fault.code) for fault in caught.value.faults] == [("reason", code)]
    assert table.row_counts(database) == before
    changes[0]("é" * 500)


def test_a_correction_that_cannot_be_leaves_the_hand_as_it_was(
    database: Database, club: Access, evening: int
) -> None:
    """The old entry is not reversed for a miscount."""
    before = table.row_counts(database), running(database, club, evening)
    with pytest.raises(Invalid):
        table.correct(database, club, evening, 1, {**HEARTS_74, "points": 119})
    assert (table.row_counts(database), running(database, club, evening)) == before


@pytest.mark.parametrize("void", [True, False])
def test_a_retried_change_is_made_once(
    database: Database, club: Access, evening: int, void: bool
) -> None:
    """The first answer again, also when the session was closed since; another payload is refused."""
    key = table.new_key()

    def change(number: int = 1, reason: str = "why") -> object:
        if void:
            return hands_correct.void(Write(database, club, key), evening, number, reason=reason)
        return hands_correct.correct(
            Write(database, club, key), evening, number, HEARTS_46, reason=reason
        )

    first = change()
    lifecycle.close(table.write(database, club), evening)
    before = table.row_counts(database)
    assert change() == first
    for number, why in ((3, "why"), (1, "because")):
        with pytest.raises(KeyReused):
            change(number, why)
    assert table.row_counts(database) == before


def test_a_viewer_changes_nothing(database: Database, club: Access, evening: int) -> None:
    """A viewer looks on and may try a preview."""
    viewer = Access(club.club_id, Role.VIEWER, "viewer")
    acts: tuple[Callable[[], object], ...] = (
        lambda: table.record(database, viewer, evening, HEARTS_74),
        lambda: table.correct(database, viewer, evening, 1, HEARTS_46),
        lambda: table.void(database, viewer, evening, 1),
        lambda: lifecycle.close(table.write(database, viewer), evening),
    )
    for act in acts:
        with pytest.raises(ReadOnly):
            act()
    assert ask(database, viewer, dry(hands_record.record), evening, HEARTS_74).revision == 4


@pytest.mark.parametrize("hand", [HEARTS_74, DEALT], ids=["counted", "dealt"])
def test_a_hand_that_says_so_already_does_under_other_names_too(
    database: Database, club: Access, hand: Mapping[str, Any]
) -> None:
    """Ann and Dee go by each other's name since: the same hand is no correction, with another note it is."""
    seats = table.FOUR if "deal" in hand else table.SEVEN
    evening = table.start(database, club, seats, first_dealer="Dee")
    table.record(database, club, evening, {**hand, "note": "Ann, Dee"})
    people = {each.name: each.id for each in ask(database, club, players.everyone)}
    for old, new in (("Ann", "Zoe"), ("Dee", "Ann"), ("Ann", "Dee")):
        players.rename(table.write(database, club), people[old], name=new)
    turned = json.dumps(hand).replace('"Ann"', "?").replace('"Dee"', '"Ann"').replace("?", '"Dee"')
    same = {**json.loads(turned), "note": "Ann, Dee"}
    assert same["contract"]["bidder"] == "Dee"
    for correct in (asking(dry(hands_correct.correct)), table.correct):
        with pytest.raises(Unchanged, match="Hand 1 already says this"):
            correct(database, club, evening, 1, same)
    answer = table.correct(database, club, evening, 1, {**same, "note": "Dee, Ann"})
    assert answer["version"] == 2
