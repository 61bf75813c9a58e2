"""Hands scored again as they are kept: each is answered for itself."""

import json

from engine.record import HandRecord
from engine.rules.changes import VERSION
from engine.scoring.score import score
from ledger.books.hand_effects import hand_effects
from ledger.books.rescoring import Rescored, StoredTexts, score_again
from ledger.database import json as json_text
from tests.engine.playing import House, dice, play, written

TABLE = House("six-bid", 4)


def test_what_cannot_be_read_or_differs_is_told_of_its_hand_alone() -> None:
    """Beside others that are scored together."""
    rng = dice("again")
    records = [json.dumps(written(TABLE, play(TABLE, rng)).to_mapping()) for _ in range(4)]
    kept = [score(HandRecord.from_mapping(json.loads(each))).to_stored() for each in records]
    texts = zip(records, map(json_text.text, kept), strict=True)
    good = [StoredTexts(record, verdict, VERSION) for record, verdict in texts]
    adds = [
        Rescored(hand_effects(json.loads(each), said))
        for each, said in zip(records, kept, strict=True)
    ]
    refused = json.dumps({**json.loads(records[0]), "points": 1})
    others = [StoredTexts(each, "{}", VERSION) for each in ("{", records[1], refused)]
    spoiled = [good[0], *others, *good[1:]]
    unread, differs, wrong = (each := score_again(spoiled))[1:4]
    assert [each[0], *each[4:]] == adds
    assert "can't be read" in str(unread.problem)
    assert differs == adds[1]._replace(verdict=good[1][1])
    assert str(wrong.problem).startswith("its record is refused:")
