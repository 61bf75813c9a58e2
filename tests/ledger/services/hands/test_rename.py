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
    assert [one.get("seat") for one in renamed["irregular"]] == [None, "C3"]
    assert renamed["irregular"][1]["transfers"] == [{"from": "C3", "to": "D4", "amount": 5}]
