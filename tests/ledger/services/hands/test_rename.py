"""A stored record with the current names of its players."""

import json

from ledger.services.hands.rename import called_now
from tests.engine.record.test_hand import FULL


def test_every_name_in_a_record_is_replaced_but_those_in_a_note() -> None:
    """Also those of a claim, an irregularity and agreed payments."""
    renamed = called_now(FULL, ["A1", "B2", "C3", "D4"])
    del renamed["note"]
    text = json.dumps(renamed, ensure_ascii=False)
    assert [name for name in ("Ann", "Bob", "Cyd", "山田") if f'"{name}"' in text] == []
    assert renamed["claimed"]["by"] == "B2"
    assert renamed["spit"] == {
        "order": [["A1", "6S"], ["spit", "9D"]],
        "drawn": [["A1", "6S", "9D"]],
    }
    assert [one.get("seat") for one in renamed["irregular"]] == [None, "C3"]
    assert renamed["irregular"][1]["transfers"] == [{"from": "C3", "to": "D4", "amount": 5}]


def test_the_keys_of_other_programs_are_not_renamed() -> None:
    """They are preserved as they are, whatever their own keys are called."""
    added = {"x-a": {"seat": "Ann", "order": [1], "auction": ["Ann"]}}
    assert called_now({"players": ["Ann"], **added}, ["Anna"]) == {"players": ["Anna"], **added}


def test_a_side_that_claimed_is_not_a_player_of_that_name() -> None:
    """The claimer `bidder` is the side, also if a player is called so."""
    record = {"players": ["bidder", "Bob"], "claimed": {"by": "bidder", "after": 3}}
    assert called_now(record, ["Ann", "Bob"])["claimed"] == record["claimed"]
    assert called_now({**record, "claimed": {"by": "Bob"}}, ["Ann", "Bo"])["claimed"] == {
        "by": "Bo"
    }
