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
from ledger.services.hands import record, versions
from ledger.words.problems import Invalid
from tests.engine.rules.test_changes import FIRST, SAVED
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.services.audit.books import findings, unguarded

OF_SESSION = ("format", "game", "players")


def lost(points: int) -> dict[str, Any]:
    """Make a hand that Ann loses; Dee, who deals, sits out."""
    return {"dealer": "Dee", "contract": {"bidder": "Ann", "bid": "heart-solo"}, "points": points}


def of_hands(connection: Connection) -> list[str]:
    """Return what verify finds in hands, while the books are without their guards."""
    return [each for each in findings(connection) if "verdict" in each or "hand " in each]


def play(club: CardClub, monkeypatch: pytest.MonkeyPatch, **options: object) -> Evening:
    """Record two hands with the first engine, and a third with this one."""
    evening = club.start(game="progressive", variant="hoyle", options=options)
    with monkeypatch.context() as earlier:
        earlier.setattr(record, "VERSION", FIRST)
        evening.record(lost(50))
        evening.record(lost(40))
    evening.record(lost(50))
    return evening


def saved(evening: Evening, *numbers: int) -> list[tuple[str, Mapping[str, int]]]:
    """Return the engine versions and the deltas of hands as they stand now."""
    versions_of = [evening.read(versions.of_hand, number)[-1] for number in numbers]
    return [(version.engine_version, version.verdict["deltas"]) for version in versions_of]


def old(amount: int) -> tuple[str, Mapping[str, int]]:
    """Return what the first engine makes of a hand that Ann loses."""
    return FIRST, {"Ann": -2 * amount, "Bob": amount, "Cyd": amount, "Dee": 0}


def new(amount: int) -> tuple[str, Mapping[str, int]]:
    """Return what this engine makes of it."""
    return VERSION, {"Ann": -3 * amount, "Bob": amount, "Cyd": amount, "Dee": amount}


def test_a_hand_keeps_the_rules_it_was_scored_by(
    any_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verified, corrected, undone, voided and restored; a new hand is scored by the newest."""
    evening = play(any_club, monkeypatch)
    assert saved(evening, 1, 2, 3) == [old(50), old(100), new(50)]
    evening.must_balance()
    evening.correct(1, lost(58))
    evening.correct(3, lost(58))
    assert saved(evening, 1, 3) == [old(10), new(10)]
    evening.undo()
    evening.undo()
    evening.void(2)
    assert saved(evening, 2) == [old(100)]
    evening.restore(2)
    assert saved(evening, 2) == [old(100)]
    evening.must_balance()


def test_a_hand_that_follows_a_correction_is_recalculated_by_its_own_rules(
    sqlite_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is played for other pots, and those who sat out get no more by it."""
    evening = play(sqlite_club, monkeypatch, pots={"stake": 5})
    before = saved(evening, 2, 3)
    assert table.recalculated(evening.correct(1, lost(70))) == [2, 3]
    assert saved(evening, 2, 3) == before
    evening.must_balance()


def test_a_hand_that_is_illegal_by_now_still_stands(
    sqlite_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """German Solo with all its cards: it verifies and can be corrected; a new one can't be recorded."""
    evening = sqlite_club.start(game="german-solo")
    illegal = [each["record"] for each in SAVED if is_illegal_by_now(each["record"])]
    hands = [{key: hand[key] for key in hand if key not in OF_SESSION} for hand in illegal]
    assert len(hands) > 3
    with monkeypatch.context() as earlier:
        earlier.setattr(record, "VERSION", FIRST)
        for hand in hands:
            evening.record(hand)
    evening.must_balance()
    with sqlite_club.refuses(Invalid):
        evening.record(hands[0])
    before = saved(evening, 1)
    evening.correct(1, {**hands[0], "note": "Whose idea was that?"})
    assert saved(evening, 1) == before
    evening.void(2)
    evening.restore(2)
    evening.must_balance()


def is_illegal_by_now(hand: Mapping[str, Any]) -> bool:
    """Return whether a hand of German Solo at a table without house rules is refused by this engine."""
    if hand["game"] != "german-solo" or {"rules", "options"} & hand.keys():
        return False
    (answer,) = score_many([hand])
    return isinstance(answer, Refused)


def test_verify_finds_a_changed_verdict_of_an_old_hand(
    any_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that would be right by the newest rules; a hand of a newer engine can't be checked."""
    play(any_club, monkeypatch)
    swap = "UPDATE hand_version SET verdict = (SELECT verdict FROM hand_version WHERE id = 3) WHERE id = 1"
    with unguarded(any_club.db) as connection:
        connection.execute(text(swap))
        assert any("its verdict is not the engine's" in each for each in findings(connection))
    with unguarded(any_club.db) as connection:
        connection.execute(text("UPDATE hand_version SET engine_version = '9.0' WHERE id = 3"))
        (told,) = of_hands(connection)
        assert told.endswith(
            "a newer engine scored it, and its verdict can be checked by that one only"
        )
    for version in ("0", "unknown"):
        with unguarded(any_club.db) as connection:
            change = text("UPDATE hand_version SET engine_version = :version WHERE id = 1")
            connection.execute(change, {"version": version})
            assert of_hands(connection) == []
