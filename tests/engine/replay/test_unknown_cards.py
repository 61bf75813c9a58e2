"""Tricks as plain text, and with cards that nobody noted."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine import games
from engine.errors import Refused
from engine.record import HandRecord
from engine.record.results import RESULT
from engine.replay.replay import replay
from engine.scoring.score import score
from tests.engine.hands import refusal, scored, six
from tests.engine.playing import HOUSES, House, dice, play, written
from tests.engine.replay.test_revokes import HANDS, changed

SOLO = HANDS[0]
ELEVEN = [str(trick["cards"]) for trick in SOLO["tricks"]]


def texts(record: HandRecord) -> list[list[str]]:
    """Return the cards of each trick as texts."""
    return [list(map(str, trick.cards)) for trick in record.tricks or ()]


def played(house: House, rng: random.Random) -> Iterator[HandRecord]:
    """Yield hands of a table that have tricks."""
    for _ in range(6):
        record = written(house, play(house, rng, speak=True))
        if record.tricks:
            yield record


def stated(record: HandRecord) -> dict[str, Any]:
    """Return a record with the contract and the result that its cards show."""
    sheet = games.find(record.game)
    rules = sheet.rules(record.rules, record.options, len(record.players))
    plan = rules.plan(record.players, record.dealer, record.active)
    shown = replay(rules, plan, record, [])
    bid = rules.by_slug[str(shown.contract and shown.contract.bid)]
    result = {key: value for key, value in shown.result._asdict().items() if key in RESULT}
    keys = (*bid.result_keys, *rules.keys, "points")
    complete = replace(record, contract=shown.contract).to_mapping()
    return complete | {key: result[key] for key in keys if result.get(key) is not None}


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_tricks_as_text_are_the_same_tricks(house: House) -> None:
    """As one text for each trick, or as a list of its cards: the same verdict on the same cards."""
    for record in played(house, dice(f"text of {house}")):
        mapping, verdict = record.to_mapping(), score(record)
        for cards in (texts(record), [" ".join(trick) for trick in texts(record)]):
            repeated = HandRecord.from_mapping(json.loads(json.dumps({**mapping, "tricks": cards})))
            assert score(repeated) == verdict
            assert [trick.cards for trick in repeated.tricks or ()] == [
                trick.cards for trick in record.tricks or ()
            ]


def test_tricks_as_text_are_written_as_tables_of_format_1() -> None:
    """Their leaders follow from the cards and are left out."""
    record = HandRecord.from_mapping(changed(SOLO, tricks=ELEVEN, format="1.1"))
    assert record.to_mapping() == {
        **HandRecord.from_mapping(SOLO).to_mapping(),
        "tricks": [{"cards": cards} for cards in ELEVEN],
    }


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_a_hand_with_unknown_cards_is_scored_by_its_stated_result(house: House) -> None:
    """As the same hand with every card; and its unknown cards are written as format 1.1."""
    rng = dice(f"unknown in {house}")
    for record in played(house, rng):
        mapping, tricks = stated(record), texts(record)
        for trick in rng.sample(tricks, min(2, len(tricks))):
            trick[rng.randrange(len(trick))] = "?"
        partial = {**mapping, "tricks": [{"cards": " ".join(trick)} for trick in tricks]}
        read = HandRecord.from_mapping(partial)
        assert score(read).to_mapping() == score(record).to_mapping()
        assert read.to_mapping() == {**partial, "format": 1.1}


def test_without_its_points_a_hand_with_an_unknown_card_says_what_is_missing() -> None:
    """Its points do not follow from the cards, so they must be stated."""
    tricks = [*ELEVEN[:4], "? " + ELEVEN[4][3:], *ELEVEN[5:]]
    assert scored(changed(SOLO, tricks=tricks)).points == SOLO["points"]
    assert refusal(changed(SOLO, "points", tricks=tricks)).code == "points-missing"


def test_points_below_those_of_the_known_tricks_are_refused() -> None:
    """The cards before the first unknown one are a lower bound of each side's points."""
    tricks = [*ELEVEN[:10], "? ? ?"]
    violation = refusal(changed(SOLO, tricks=tricks, points=10))
    assert (violation.code, violation.field) == ("differs-from-cards", "points")
    least = int(violation.message.split("make ")[1].split(",")[0])
    assert violation.message == (
        f"card points: the cards before the first unknown one make {least}, so it cannot be 10."
    )
    assert 10 < least <= SOLO["points"]


def test_a_revoke_before_the_first_unknown_card_is_refused() -> None:
    """The play is followed up to that card, with the deal or without."""
    hand = changed(HANDS[12], points=70)
    tricks = [str(trick["cards"]) for trick in hand["tricks"]]
    tricks[3] = "AD 8C 6D"
    tricks[7] = "6S 8S ?"
    violation = refusal({**hand, "tricks": tricks})
    assert (violation.code, violation.where["trick"]) == ("must-follow-suit", 4)


def test_a_wrong_leader_before_an_unknown_card_is_refused() -> None:
    """Also if the trick with the unknown card begins with it."""
    tricks = [dict(trick) for trick in SOLO["tricks"]]
    tricks[1] = {"leader": tricks[0]["leader"], "cards": "? ? ?"}
    before = [trick["leader"] for trick in SOLO["tricks"][:2]]
    assert before[0] != before[1]
    assert refusal(changed(SOLO, tricks=tricks)).code == "wrong-leader"


@pytest.mark.parametrize(
    ("text", "code", "position", "message"),
    [
        (
            *("9S ? ?", "card-played-twice", 1),
            "Trick 11: 9S was played, which had already been played.",
        ),
        ("? ? 9S", "card-played-twice", 3, None),
        ("7H 7H ?", "card-played-twice", 2, None),
    ],
)
def test_a_card_after_an_unknown_one_is_not_played_twice(
    text: str, code: str, position: int, message: str | None
) -> None:
    """Whoever played it."""
    cards = [card for trick in ELEVEN[1:10] for card in trick.split()]
    tricks = ["? ? ?", *ELEVEN[1:10], text.replace("9S", cards[0])]
    violation = refusal(changed(SOLO, tricks=tricks))
    assert violation.code == code
    assert (violation.where["trick"], violation.where["position"]) == (11, position)
    assert message is None or violation.message == message.replace("9S", cards[0])


def test_a_card_after_an_unknown_one_is_in_the_pack() -> None:
    """German Solo has no sixes."""
    hand = next(hand for hand in HANDS if hand["game"] == "german-solo" and "tricks" in hand)
    tricks = [str(trick["cards"]) for trick in hand["tricks"]]
    tricks = ["? ? ? ?", *tricks[1:-1], "6S ? ? ?"]
    violation = refusal({**hand, "tricks": tricks, "stopped": None})
    assert (violation.code, violation.where["card"]) == ("card-not-in-pack", "6S")


def test_an_unfinished_hand_with_an_unknown_card_still_lacks_its_tricks() -> None:
    """Unless it was given up."""
    tricks = [*ELEVEN[:4], "? " + ELEVEN[4][3:]]
    assert refusal(changed(SOLO, tricks=tricks)).code == "tricks-missing"


def test_stated_first_tricks_are_checked_as_far_as_the_cards_are_known() -> None:
    """A lost first trick stays lost, whatever the unknown cards are."""
    for house in HOUSES:
        if house.game != "german-solo":
            continue
        for record in played(house, dice(f"first tricks of {house}")):
            mapping, tricks = stated(record), texts(record)
            if mapping.get("first_tricks_won") is not False or record.conceded:
                continue
            tricks[-1] = ["?"] * len(tricks[-1])
            partial = {**mapping, "tricks": [" ".join(trick) for trick in tricks]}
            with pytest.raises(Refused) as refused:
                score(HandRecord.from_mapping({**partial, "first_tricks_won": True}))
            assert "first_tricks_won" in [one.field for one in refused.value.violations]
            return
    pytest.fail("no hand with a lost first trick")


def test_matadors_are_checked_as_far_as_the_cards_are_known() -> None:
    """Without the deal, too: unknown cards may be anybody's."""
    found = 0
    for house in HOUSES:
        if house.game != "german-solo":
            continue
        for record in played(house, dice(f"matadors of {house}")):
            mapping, tricks = stated(record), texts(record)
            tricks[-1] = ["?"] * len(tricks[-1])
            partial = {**mapping, "tricks": [" ".join(trick) for trick in tricks], "deal": None}
            assert score(HandRecord.from_mapping(partial)).deltas == score(record).deltas
            found += 1
    assert found


def test_a_trick_is_read_as_text_only_if_its_cards_are() -> None:
    """A wrong card is refused at its trick."""
    violation = refusal(six(3, "misere", 0, tricks=["AS 9S 7S", "AH XX 7H"]))
    assert (violation.code, violation.field) == ("unknown-card", "tricks.2")
