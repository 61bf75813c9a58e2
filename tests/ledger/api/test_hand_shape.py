"""The document's shape of a hand record takes every record that the engine reads, with all its keys."""

import json
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import pytest

from engine.record.evening import HandEvening
from engine.record.fields import FIELDS
from engine.record.hand import KEYS
from engine.record.incidents import Claim, Spread
from engine.record.parts import BlindRound, Contract, Deal, Exchange, Pots, Spit, Trick
from engine.record.remarks import StatedVerdict
from tests.engine.playing import HOUSES, dice
from tests.engine.test_kept import records
from tests.ledger.api.caller import Caller, complete_hands

HANDS = complete_hands()
NAMES = ("HandDraft", "NewHand", "SessionHand")
PARTS = {
    "deal": Deal,
    "spit": Spit,
    "blind_round": BlindRound,
    "contract": Contract,
    "exchange": Exchange,
    "pots": Pots,
    "claimed": Claim,
    "spread": Spread,
    "stated": StatedVerdict,
    "evening": HandEvening,
}


@pytest.fixture
def document(anyone: Caller) -> dict[str, Any]:
    """The OpenAPI document."""
    shown: dict[str, Any] = anyone.get("/openapi.json").json
    return shown


def shape(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a named shape, with all that it may refer to."""
    return {"$ref": f"#/components/schemas/{name}", "components": document["components"]}


@pytest.mark.parametrize("name", NAMES)
def test_every_key_of_a_record_and_of_its_parts_is_described(
    document: dict[str, Any], name: str
) -> None:
    """With its type; the engine's own table of keys is decisive."""
    properties = document["components"]["schemas"][name]["properties"]
    assert KEYS.keys() <= properties.keys()
    described = [properties[key] for key in KEYS]
    for key, part in PARTS.items():
        assert properties[key]["properties"].keys() == FIELDS[part].keys()
        described += properties[key]["properties"].values()
    trick = properties["tricks"]["items"]["properties"]
    assert trick.keys() == FIELDS[Trick].keys()
    for each in (*described, *trick.values()):
        assert each["type"]
        assert each["description"].endswith((".", "`"))


@pytest.mark.parametrize("name", NAMES)
def test_complete_hands_fit_the_shape(document: dict[str, Any], name: str) -> None:
    """Twenty-two of all games, with every card; and cards as lists."""
    fits = jsonschema_rs.validator_for(shape(document, name))
    keys: set[str] = set()
    for hand in HANDS:
        fits.validate(hand)
        keys |= hand.keys()
        dealt = {seat: cards.split() for seat, cards in hand["deal"]["hands"].items()}
        tricks = [{**trick, "cards": trick["cards"].split()} for trick in hand.get("tricks", [])]
        fits.validate({**hand, "deal": {"hands": dealt}, "tricks": tricks})
        fits.validate({**hand, "tricks": [" ".join(trick["cards"]) for trick in tricks]})
        fits.validate({**hand, "deal": None, "tricks": None, "blind_round": False})
    assert {"deal", "auction", "exchange", "tricks", "pots"} <= keys


def test_hands_of_every_table_fit_the_shape(document: dict[str, Any]) -> None:
    """Also those with a spit deal, a redouble or a blind round."""
    fits = jsonschema_rs.validator_for(shape(document, "HandDraft"))
    for house in HOUSES:
        for record in records(house, dice(f"shape of {house}")):
            fits.validate(json.loads(json.dumps(record)))
    fits.validate(
        {"spit": {"order": [["Ann", "6S"], ["spit", "AC"]], "drawn": [["Ann", "6S", "AC"]]}}
    )
    fits.validate({"auction": [["Ann", "frog"], ["Bob", "double"], ["Ann", "redouble", "Bob"]]})
    fits.validate({"blind_round": {"done": ["Ann"], "heartless": 2}})


@pytest.mark.parametrize(
    "odd",
    [
        {"deal": "AS KS"},
        {"deal": {"hands": ["AS"]}},
        {"deal": {"widow": 3}},
        {"spit": {"order": [["Ann"]]}},
        {"spit": {"drawn": [["Ann", "AS"]]}},
        {"blind_round": {"heartless": 3}},
        {"auction": [["Ann"]]},
        {"auction": [["Ann", "redouble", "Bob", "Cyd"]]},
        {"exchange": {"took": 7}},
        {"tricks": [7]},
        {"tricks": [{"leader": "Ann"}]},
        {"pots": {"frog": 3}},
        {"pots": {"frog": 3, "solo": "8"}},
    ],
    ids=str,
)
def test_what_the_engine_cannot_read_does_not_fit(
    document: dict[str, Any], anyone: Caller, odd: dict[str, Any]
) -> None:
    """Each is refused by the engine, too."""
    assert not jsonschema_rs.is_valid(shape(document, "HandDraft"), odd)
    refused = anyone.post("/score", HANDS[0] | odd).json
    (key,) = odd
    assert any(each["where"]["field"].startswith(key) for each in refused["violations"])
