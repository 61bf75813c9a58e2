"""The JSON Schema of hand records, built from the types of their values."""

from collections.abc import Mapping
from datetime import datetime
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from engine.cards.cards import Card, Suit
from engine.errors import LARGEST
from engine.record.evening import LONGEST_TITLE, Arrival, Departure, HandEvening
from engine.record.fields import FIELDS, MOST_TRICKS
from engine.record.hand import FORMAT, FORMAT_1_1, KEYS, VERSIONS, HandRecord
from engine.record.incidents import (
    MOST_IRREGULAR,
    MOST_TRANSFERS,
    SETTLED,
    WHAT,
    Claim,
    Irregularity,
    Spread,
    Transfer,
)
from engine.record.parts import HEARTLESS, BlindRound, Contract, Deal, Exchange, Pots, Spit, Trick
from engine.record.reading import MOST_ITEMS, Keys
from engine.record.remarks import LONGEST_NOTE, MOST_NOTES, PREFIX, Note, StatedVerdict
from engine.record.results import RESULT
from engine.record.seats import FEWEST, LONGEST, MOST
from engine.record.spelling import MOST_CARDS

Schema = dict[str, Any]
"""A JSON Schema, of draft 2020-12."""

DRAFT = "https://json-schema.org/draft/2020-12/schema"

_CARDS = "Cards such as `TD`: as one string with spaces, or as a list."
_UNKNOWN = "`?` is a card nobody noted."
_SEAT = "A seat."

DESCRIPTIONS: Mapping[type, Mapping[str, str]] = {
    HandRecord: {
        "format": "The version of the format, 1 or 1.1.",
        "game": "The game's slug.",
        "rules": "The variant's slug; if left out, the game's first.",
        "options": "House rules that differ from the variant's.",
        "players": "The seats, clockwise.",
        "dealer": "The seat that dealt.",
        "active": "The three who play, if they are not the three on the dealer's left.",
        "deal": "The hands as dealt, and the widow.",
        "spit": "Crazy Solo's first deal.",
        "blind_round": "The blind round of the hand, `{}` at its start; `false` if none is played.",
        "auction": "`[seat, call]` in order; of a `redouble` also the doubler: `[seat, call, doubler]`.",
        "contract": "What was played, by whom.",
        "exchange": "The cards that changed hands.",
        "tricks": "The tricks in the order played.",
        "claimed": "The rest of the hand was claimed, and the claim accepted.",
        "spread": "The card after which the bidder's hand was laid open.",
        "irregular": "Irregularities, such as a revoke, and how the table settled them.",
        "pots": "What the pots hold before the antes.",
        "played_at": "RFC 3339 time with its offset.",
        "note": "Free text.",
        "stated": "The result as announced; it must be the verdict's.",
        "evening": "The evening to which the hand belongs.",
        "notes": "Notes on tricks, cards and calls.",
    },
    Deal: {
        "hands": f"The cards dealt to each seat; {_UNKNOWN} {_CARDS}",
        "widow": f"The cards of the widow; {_UNKNOWN} {_CARDS}",
    },
    Spit: {
        "order": '`[seat or "spit", card]`, card by card as dealt.',
        "drawn": "`[seat, card shown, card drawn]`, in order.",
    },
    BlindRound: {
        "done": "The seats that have been under or were passed over.",
        "heartless": "How many deals in a row the player under has had without a heart.",
    },
    Contract: {
        "bidder": "The seat that plays the contract.",
        "bid": "A bid's slug; `pass` if all passed.",
        "trump": "`S` `H` `D` `C`, the sign or the word.",
        "called": "The called card, such as `TD`.",
        "partner": "The seat that held it.",
        "alone": "The caller called a card of their own.",
        "doubled": "The opponents who doubled.",
        "redoubled": "Those of them who were redoubled.",
    },
    Exchange: {
        "took": f"Frog: the cards that the bidder took from the widow. {_CARDS}",
        "discarded": f"Frog: the cards that the bidder laid aside. {_CARDS}",
        "from": "Call solo: who had the called card, a seat or `widow`.",
        "returned": "Call solo: the card that was given for it.",
    },
    Trick: {
        "leader": "The seat that led; it follows from the cards.",
        "cards": f"The cards of the trick, in the order played; {_UNKNOWN} {_CARDS}",
    },
    Pots: {"frog": "The frog pot.", "solo": "The solo pot."},
    Claim: {
        "by": "Who claimed: a seat, or a side: `bidder` or `opponents`.",
        "after": "How many complete tricks were played.",
        "tricks": "How many of the remaining tricks the claimer's side gets.",
        "points": "How many of the remaining card points the claimer's side gets.",
        "shown": f"The cards that the claimer showed. {_CARDS}",
    },
    Spread: {"after": "The last card played before."},
    Irregularity: {
        "what": "What happened.",
        "seat": "Who did it.",
        "trick": "In which trick.",
        "card": "The card, such as `TD`.",
        "settled": "How the table settled it.",
        "transfers": "The agreed payments.",
    },
    Transfer: {"from": _SEAT, "to": _SEAT, "amount": "The chips or points."},
    StatedVerdict: {
        "points": "The card points.",
        "amount": "What one opponent pays or is paid.",
        "deltas": "The gains and losses of seats.",
    },
    Note: {
        "trick": "The trick, counted from 1.",
        "card": "The card, such as `TD`.",
        "call": "The call of the auction, counted from 1, instead of a trick or card.",
        "text": "Free text.",
    },
    HandEvening: {
        "club": "The club.",
        "title": "The title of the evening.",
        "date": "The day.",
        "number": "The number of this hand.",
        "seats": "The seats of the first hand, clockwise.",
        "seated": "Players who take a seat later.",
        "left": "Players who leave.",
    },
    Arrival: {
        "seat": "The player.",
        "hand": "The number of the first hand with them.",
        "after": "The seat on their right; if left out, the last one.",
    },
    Departure: {"seat": "The player.", "hand": "The number of the first hand without them."},
}
"""The meaning of each key of a record and its parts; `engine.record.results.RESULT` has those of results."""

_LIMITS: Mapping[tuple[type, str], Schema] = {
    (HandRecord, "players"): {
        "minItems": FEWEST,
        "maxItems": MOST,
        "items": {"type": "string", "maxLength": LONGEST},
    },
    (HandRecord, "irregular"): {"maxItems": MOST_IRREGULAR},
    (HandRecord, "notes"): {"maxItems": MOST_NOTES},
    (Deal, "hands"): {"maxProperties": MOST},
    (BlindRound, "heartless"): {"minimum": 0, "maximum": HEARTLESS - 1},
    (Claim, "after"): {"minimum": 0},
    (Claim, "tricks"): {"minimum": 0},
    (Claim, "points"): {"minimum": 0},
    (Irregularity, "what"): {"enum": [*WHAT]},
    (Irregularity, "settled"): {"enum": [*SETTLED]},
    (Irregularity, "trick"): {"minimum": 1},
    (Irregularity, "transfers"): {"maxItems": MOST_TRANSFERS},
    (Transfer, "amount"): {"minimum": 1},
    (Note, "text"): {"maxLength": LONGEST_NOTE},
    (Note, "trick"): {"minimum": 1},
    (Note, "call"): {"minimum": 1},
    (HandEvening, "club"): {"maxLength": LONGEST_TITLE},
    (HandEvening, "title"): {"maxLength": LONGEST_TITLE},
    (HandEvening, "date"): {"format": "date"},
    (HandEvening, "number"): {"minimum": 1},
    (HandEvening, "seats"): {"maxItems": MOST, "items": {"type": "string", "maxLength": LONGEST}},
    (Arrival, "seat"): {"maxLength": LONGEST},
    (Arrival, "hand"): {"minimum": 1},
    (Arrival, "after"): {"maxLength": LONGEST},
    (Departure, "seat"): {"maxLength": LONGEST},
    (Departure, "hand"): {"minimum": 1},
}
"""The bounds of single keys, beyond those of their type."""

_TEXT: Schema = {"type": "string"}
_INTEGER: Schema = {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}
_SOME_CARDS: Schema = {"type": ["string", "array"], "items": _TEXT, "maxItems": MOST_CARDS}
_BY_TYPE: Mapping[Any, Schema] = {
    str: _TEXT,
    Suit: _TEXT,
    Card: _TEXT,
    int: _INTEGER,
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    tuple[Card, ...]: _SOME_CARDS,
    tuple[Card | None, ...]: _SOME_CARDS,
}


def _list_of(items: Schema) -> Schema:
    """Return the schema of a list of at most `MOST_ITEMS` such items."""
    return {"type": "array", "items": items, "maxItems": MOST_ITEMS}


def _schema_of(kind: Any) -> Schema:
    """Return the schema of the values of a Python type; `None` as another value is ignored."""
    options = [option for option in get_args(kind) if option is not NoneType]
    if NoneType in get_args(kind):
        return _schema_of(options[0])
    if kind in _BY_TYPE:
        return dict(_BY_TYPE[kind])
    if kind in FIELDS:
        return table_schema(kind, FIELDS[kind])
    if get_origin(kind) is tuple and kind not in FIELDS and options[-1] is not Ellipsis:
        # A short list of text, whose last items may be cards.
        size = {"minItems": len(options), "maxItems": len(options)}
        return {"type": "array", "items": _TEXT, **size}
    if get_origin(kind) is tuple:
        return _list_of(_schema_of(options[0]))
    values = {"additionalProperties": _schema_of(options[1]), "maxProperties": MOST_ITEMS}
    return {"type": "object", **values}


def _nullable(schema: Schema) -> Schema:
    """Return the schema with `null` as another valid value."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    values = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, **values, "type": [*kinds, "null"]}


def _property(part: type, key: str, kind: Any) -> Schema:
    """Return the schema of one key of a part, with its bounds, its valid words and its description."""
    if (part, key) in _SPECIAL:
        schema = dict(_SPECIAL[part, key])
    elif key in RESULT and (part is HandRecord or RESULT[key].in_contract):
        words = RESULT[key].words
        schema = {**_schema_of(kind), **({"enum": [*words]} if words else {})}
    else:
        schema = {**_schema_of(kind), **_LIMITS.get((part, key), {})}
    description = DESCRIPTIONS[part].get(key) or RESULT[key].help
    choices = [f"`{word}`" for word in schema.get("enum", ()) if key != "format"]
    listed = f" One of {', '.join(choices)}." if choices else ""
    return {**schema, "description": description + listed}


def table_schema(part: type, keys: Keys) -> Schema:
    """Return the schema of a part of a record, with every key; those not required may also be `null`.

    Other keys are not allowed.
    """
    properties = properties_of(part, keys)
    return {
        "type": "object",
        "properties": {
            key: schema if key in keys.required else _nullable(schema)
            for key, schema in properties.items()
        },
        **({"required": [*keys.required]} if keys.required else {}),
        "additionalProperties": False,
    }


def properties_of(part: type, keys: Keys) -> dict[str, Schema]:
    """Return the schema of each key of a part, with its description, in the order of the format."""
    types = get_type_hints(part)
    return {key: _property(part, key, types.get(name)) for key, (name, _) in keys.items()}


_OPTIONS: Schema = {
    "type": ["boolean", "integer", "string", "object"],
    "minimum": -LARGEST,
    "maximum": LARGEST,
    "maxProperties": MOST_ITEMS,
}
_SPECIAL: dict[tuple[type, str], Schema] = {}
"""The schemas of keys with several forms."""

_TRICK = table_schema(Trick, FIELDS[Trick])
_SPECIAL |= {
    (HandRecord, "format"): {
        "type": ["number", "string"],
        "enum": [FORMAT, FORMAT_1_1, *VERSIONS],
    },
    (HandRecord, "options"): {
        "type": "object",
        "additionalProperties": _OPTIONS,
        "maxProperties": MOST_ITEMS,
    },
    (HandRecord, "blind_round"): {
        **table_schema(BlindRound, FIELDS[BlindRound]),
        "type": ["object", "boolean"],
        "not": {"const": True},
    },
    (HandRecord, "auction"): _list_of({**_list_of(_TEXT), "minItems": 2, "maxItems": 3}),
    (HandRecord, "tricks"): {
        **_list_of({**_TRICK, **_SOME_CARDS, "type": ["object", "string", "array"]}),
        "maxItems": MOST_TRICKS,
    },
}


def record_properties() -> Mapping[str, Schema]:
    """Return the schema of each key of a record, with its description, in the order of the format."""
    return properties_of(HandRecord, KEYS)


def record_schema() -> Schema:
    """Return the JSON Schema of a hand record, as it may be written in either version of the format.

    Every record that is read matches it. Not every record that matches it can be read: it does not express
    which words and cards are valid, nor any rule of a game.
    """
    return {
        "$schema": DRAFT,
        "title": "Hand record",
        "description": "One hand of a card game: its result, or also its deal, auction and tricks.",
        **table_schema(HandRecord, KEYS),
        "patternProperties": {f"^{PREFIX}": True},
    }
