"""The answer to a record that ends before its hand does."""

from dataclasses import replace
from typing import Any

import pytest

from engine.errors import Refused
from engine.games import find
from engine.guide.random_hands import NAMES, Chance, random_hand
from engine.guide.unfinished import UNFINISHED, UnfinishedHand, answer, unfinished
from engine.record import HandRecord
from engine.rules.verdict import Verdict
from engine.scoring.score import score
from tests.engine.hands import six
from tests.engine.playing import HOUSES, House


def state_of(written: dict[str, object]) -> dict[str, object]:
    """Return the answer to a record that must be unfinished."""
    result = answer(HandRecord.from_mapping(written))
    assert isinstance(result, UnfinishedHand)
    return result.to_mapping()


def codes_of(written: dict[str, object]) -> list[str]:
    """Return the codes of a record that must be refused."""
    with pytest.raises(Refused) as refused:
        answer(HandRecord.from_mapping(written))
    return [violation.code for violation in refused.value.violations]


def bobs_solo(tricks: list[str], deal: object = None, **contract: object) -> dict[str, Any]:
    """Return the record of Bob's solo in hearts in Crazy Solo, which Cyd leads."""
    return {
        "game": "crazy-solo",
        "players": ["Ann", "Bob", "Cyd", "Dee"],
        "dealer": "Bob",
        "contract": {"bidder": "Bob", "bid": "solo", "trump": "H", **contract},
        "tricks": tricks,
        **({"deal": deal} if deal else {}),
    }


def test_an_unfinished_hand_is_answered_with_the_state_so_far() -> None:
    """Whose turn it is, the tricks with winner and points, the bidding side's points, voids."""
    state = state_of(six(3, "solo", trump="S", tricks=["AS 6C 7S", "AH 6H"]))
    assert state == {
        "ok": True,
        "outcome": UNFINISHED,
        "contract": {"bidder": "Ann", "bid": "solo", "trump": "S"},
        "to_play": "Cyd",
        "legal": "",
        "possible": state["possible"],
        "points": 11,
        "tricks_won": {"Ann": 1, "Bob": 0, "Cyd": 0},
        "trumps_left": 7,
        "voids": {"Bob": ["S"]},
        "tricks": [
            {"leader": "Ann", "cards": "AS 6C 7S", "winner": "Ann", "points": 11},
            {"leader": "Ann", "cards": "AH 6H", "winner": "Ann", "points": 11},
        ],
    }
    assert "6S" in str(state["possible"]).split()


@pytest.mark.parametrize(
    ("tricks", "keys", "partner", "points"),
    [
        (["TD AD 7D 6D"], {"called": "AC"}, {}, 0),
        (["TD AD 7D 6D", "AC TC 7C 6C"], {"called": "AC"}, {"partner": "Dee"}, 42),
        (["TD AD 7D 6D"], {"called": "AC", "partner": "Dee"}, {"partner": "Dee"}, 21),
        (["TD AD 7D 6D"], {"called": "AD"}, {"partner": "Dee"}, 21),
        (["TD KD 7D 6D"], {"called": "6D"}, {"alone": True}, 0),
        (
            ["TD AD 7D 6D"],
            {"deal": {"hands": {"Cyd": "AC" + 8 * " ?"}}, "called": "AC"},
            {"partner": "Cyd"},
            0,
        ),
    ],
    ids=["not yet", "played later", "stated", "played", "own card", "dealt"],
)
def test_the_partner_counts_as_soon_as_the_cards_show_who_it_is(
    tricks: list[str], keys: dict[str, Any], partner: dict[str, object], points: int
) -> None:
    """The holder of the called card; until it is known the points are the bidder's alone."""
    record = bobs_solo(tricks, **keys)
    state = state_of(record)
    assert state["contract"] == {**record["contract"], **partner}
    assert state["points"] == points


@pytest.mark.parametrize(("called", "partner"), [("AD", "Ann"), ("7D", "Dee"), ("TD", "Ann")])
def test_another_partner_than_the_cards_show_is_refused(called: str, partner: str) -> None:
    """As once the hand is over."""
    record = bobs_solo(["TD AD 7D 6D"], called=called, partner=partner)
    assert codes_of(record) == ["partner-differs"]


def test_a_hand_without_any_trick_is_answered_with_the_leader() -> None:
    """Eldest hand leads."""
    state = state_of(six(3, "solo", trump="S", tricks=[]))
    assert (state["to_play"], state["tricks"], state["voids"]) == ("Ann", [], {})


def test_a_revoke_is_refused_as_soon_as_a_later_trick_proves_it() -> None:
    """The rest of the hand need not be recorded."""
    tricks = ["AH 6C 7H", "AC 7C 8C"]
    assert state_of(six(3, "solo", trump="S", tricks=tricks))["to_play"] == "Ann"
    assert codes_of(six(3, "solo", trump="S", tricks=[*tricks, "AD 8H"])) == ["must-follow-suit"]


def test_a_revoke_that_the_table_settled_is_no_violation() -> None:
    """The hand is still unfinished."""
    revoke = {"what": "revoke", "seat": "Bob", "trick": 1, "card": "6C", "settled": "play-on"}
    tricks = ["AH 6C 7H", "AC 7C 8C", "AD 8H"]
    assert (
        state_of(six(3, "solo", trump="S", tricks=tricks, irregular=[revoke]))["to_play"] == "Cyd"
    )


def test_a_finished_hand_is_answered_with_its_verdict() -> None:
    """As by `score`."""
    record = HandRecord.from_mapping(six(3, "solo", 74))
    assert answer(record) == score(record)


def test_a_hand_that_is_refused_for_another_reason_is_not_unfinished() -> None:
    """Another violation, or a trick left out before the last one recorded."""
    assert codes_of(six(3, "solo", 500)) == ["points-out-of-range"]
    gap = [
        {"leader": "Ann", "cards": "AS 6C 7S"},
        {"leader": "Bob", "cards": "AH 6H 7H"},
    ]
    assert codes_of(six(3, "solo", trump="S", tricks=gap)) == ["tricks-missing"]


def test_only_tricks_can_be_unfinished() -> None:
    """A hand without tricks has no state of the play."""
    with pytest.raises(ValueError, match="lacks more than its last tricks"):
        unfinished(HandRecord.from_mapping(six(3, "solo", 74)))


def test_the_partner_is_known_to_hold_the_called_card() -> None:
    """German Solo: it must be played when its suit is led."""
    written = german_question(tricks=["KH"])
    assert state_of(written)["legal"] == "AH"


def german_question(**keys: object) -> dict[str, object]:
    """Return a frage of Ann with Bob as the partner and the ace of hearts called."""
    contract = {"bidder": "Ann", "bid": "frage", "trump": "D", "called": "AH", "partner": "Bob"}
    return {
        "game": "german-solo",
        "players": list(NAMES[:4]),
        "dealer": NAMES[3],
        "contract": contract,
        **keys,
    }


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_every_beginning_of_a_random_hand_is_unfinished(house: House) -> None:
    """With the deal and without; the last is the verdict."""
    rules = find(house.game).rules(house.variant, house.options, house.seats)
    chance = Chance.seeded(f"unfinished {house}")
    record = random_hand(rules, chance)
    while record.tricks is None or record.conceded or record.stopped or record.asked_partner:
        record = random_hand(rules, chance)
    for known in (record, replace(record, deal=None, spit=None)):
        for number in range(len(record.tricks)):
            beginning = replace(known, tricks=tuple(record.tricks)[:number])
            result = answer(beginning)
            assert isinstance(result, UnfinishedHand), beginning
            assert len(result.position.tricks) == number
        assert isinstance(answer(known), Verdict)


def test_a_hand_whose_cards_do_not_show_who_played_them_is_not_unfinished() -> None:
    """After an unknown card, or a lead out of turn that stood, the state is not that of the cards."""
    stood = {"what": "out-of-turn", "seat": "Bob", "trick": 2, "settled": "play-on"}
    tricks = ["AS 6S 7S", {"leader": "Bob", "cards": "KD QD JD"}]
    written = six(3, "solo", trump="S", tricks=tricks, irregular=[stood])
    assert codes_of(written) == ["tricks-missing"]
    assert codes_of(six(3, "solo", trump="S", tricks=["AS ? 7S", "KD QD JD"])) == ["tricks-missing"]
