"""Hands that were scored before a rule changed: corrected, recalculated and verified by their own rules.

In the variant hoyle of progressive a lost hand was not paid to those who sit out before version 0.2.0.
"""

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import Connection, text

from engine.batch import score_many
from engine.errors import Refused
from engine.rules.changes import VERSION
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.hands import correct, record, versions
from ledger.services.undo import last
from ledger.words.problems import Invalid
from tests.engine.rules.test_changes import FIRST, SAVED
from tests.ledger import table
from tests.ledger.services.audit.test_audit import found, unguarded
from tests.ledger.table import ask

OF_SESSION = ("format", "game", "players")
POTS = {"pots": {"stake": 5}}


def lost(points: int) -> dict[str, Any]:
    """Make a hand that Ann loses; Dee, who deals, sits out."""
    return {"dealer": "Dee", "contract": {"bidder": "Ann", "bid": "heart-solo"}, "points": points}


def of_hands(connection: Connection) -> list[str]:
    """Return what verify finds in hands, while the books are without their guards."""
    return [each for each in found(connection) if "verdict" in each or "hand " in each]


def play(db: Database, access: Access, monkeypatch: pytest.MonkeyPatch, **options: object) -> int:
    """Record two hands with the first engine, and a third with this one."""
    played = table.start(db, access, table.FOUR, "progressive", variant="hoyle", options=options)
    with monkeypatch.context() as old:
        old.setattr(record, "VERSION", FIRST)
        table.record(db, access, played, lost(50))
        table.record(db, access, played, lost(40))
    table.record(db, access, played, lost(50))
    return played


def saved(
    db: Database, access: Access, session_id: int, number: int
) -> tuple[str, Mapping[str, int]]:
    """Return the engine version of a hand as it holds now, and its deltas."""
    version = ask(db, access, versions.of_hand, session_id, number)[-1]
    return version.engine_version, version.verdict["deltas"]


def old(amount: int) -> tuple[str, Mapping[str, int]]:
    """Return what the first engine makes of a hand that Ann loses."""
    return FIRST, {"Ann": -2 * amount, "Bob": amount, "Cyd": amount, "Dee": 0}


def new(amount: int) -> tuple[str, Mapping[str, int]]:
    """Return what this engine makes of it."""
    return VERSION, {"Ann": -3 * amount, "Bob": amount, "Cyd": amount, "Dee": amount}


def test_a_hand_keeps_the_rules_it_was_scored_by(
    any_database: Database, access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verified, corrected, undone, voided and restored; a new hand is scored by the newest."""
    db, evening = any_database, play(any_database, access, monkeypatch)
    assert [saved(db, access, evening, number) for number in (1, 2, 3)] == [
        old(50),
        old(100),
        new(50),
    ]
    assert [*verify(db)] == []
    table.correct(db, access, evening, 1, lost(58))
    table.correct(db, access, evening, 3, lost(58))
    assert [saved(db, access, evening, number) for number in (1, 3)] == [old(10), new(10)]
    last.undo(table.write(db, access), evening)
    last.undo(table.write(db, access), evening)
    table.void(db, access, evening, 2)
    assert saved(db, access, evening, 2) == old(100)
    correct.restore(table.write(db, access), evening, 2, reason="it was one")
    assert saved(db, access, evening, 2) == old(100)
    assert [*verify(db)] == []


def test_a_hand_that_follows_a_correction_is_recalculated_by_its_own_rules(
    any_database: Database, access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is played for other pots, and those who sat out get no more by it."""
    db, evening = any_database, play(any_database, access, monkeypatch, **POTS)
    before = [saved(db, access, evening, number) for number in (2, 3)]
    won = {**lost(70), "contract": {"bidder": "Ann", "bid": "heart-solo"}}
    answer = table.correct(db, access, evening, 1, won)
    assert table.recalculated(answer) == [2, 3]
    assert [saved(db, access, evening, number) for number in (2, 3)] == before
    assert [*verify(db)] == []


def test_a_hand_that_is_illegal_by_now_still_stands(
    any_database: Database, access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """German Solo with all its cards: it verifies and can be corrected; a new one can't be recorded."""
    db, evening = any_database, table.start(any_database, access, table.FOUR, "german-solo")
    illegal = [each["record"] for each in SAVED if is_illegal_by_now(each["record"])]
    hands = [{key: hand[key] for key in hand if key not in OF_SESSION} for hand in illegal]
    assert len(hands) > 3
    with monkeypatch.context() as then:
        then.setattr(record, "VERSION", FIRST)
        for hand in hands:
            table.record(db, access, evening, hand)
    assert [*verify(db)] == []
    with pytest.raises(Invalid):
        table.record(db, access, evening, hands[0])
    before = saved(db, access, evening, 1)
    table.correct(db, access, evening, 1, {**hands[0], "note": "Whose idea was that?"})
    assert saved(db, access, evening, 1) == before
    table.void(db, access, evening, 2)
    correct.restore(table.write(db, access), evening, 2, reason="it was one")
    assert [*verify(db)] == []


def is_illegal_by_now(hand: Mapping[str, Any]) -> bool:
    """Return whether a hand of German Solo at a table without house rules is refused by this engine."""
    if hand["game"] != "german-solo" or {"rules", "options"} & hand.keys():
        return False
    (answer,) = score_many([hand])
    return isinstance(answer, Refused)


def test_verify_finds_a_changed_verdict_of_an_old_hand(
    any_database: Database, access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that would be right by the newest rules; a hand of a newer engine can't be checked."""
    play(any_database, access, monkeypatch)
    swap = "UPDATE hand_version SET verdict = (SELECT verdict FROM hand_version WHERE id = 3) WHERE id = 1"
    with unguarded(any_database) as connection:
        connection.execute(text(swap))
        assert any("its verdict is not the engine's" in each for each in found(connection))
    with unguarded(any_database) as connection:
        connection.execute(text("UPDATE hand_version SET engine_version = '9.0' WHERE id = 3"))
        (told,) = of_hands(connection)
        assert told.endswith(
            "a newer engine scored it, and its verdict can be checked by that one only"
        )
    for version in ("0", "unknown"):
        with unguarded(any_database) as connection:
            change = text("UPDATE hand_version SET engine_version = :version WHERE id = 1")
            connection.execute(change, {"version": version})
            assert of_hands(connection) == []
