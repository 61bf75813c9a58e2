"""The rules without a club: the list of games, and scoring of hand records."""

from flask import Response, jsonify

from engine import games
from engine.errors import Refused
from engine.guide.unfinished import UnfinishedHand, answer
from engine.notation.common import read_hand
from engine.rules.options import Option, OptionKind
from engine.rules.sheet import Sheet
from engine.rules.verdict import verdict_in_words
from ledger.api.blueprint import Blueprint, Json
from ledger.api.schemas.games import GameSchema, RefusedSchema, ScoredSchema, UnfinishedHandSchema
from ledger.api.schemas.hands import HandDraftSchema
from ledger.words.translation import reader

blueprint = Blueprint("rules", __name__, "The games and the scoring of a hand; no token needed.")

_HAND = {
    "format": 1,
    "game": "crazy-solo",
    "players": ["Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus"],
    "dealer": "Gus",
    "contract": {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob"},
    "points": 74,
}


@blueprint.reads("/games", GameSchema(many=True), let_in=None)
def list_games() -> list[Json]:
    """List the games with their variants, house rules, bids and packs."""
    return [
        {
            "slug": sheet.slug,
            "title": sheet.title,
            "summary": sheet.summary,
            "experimental": sheet.experimental,
            "seats": sheet.seats,
            "stack": sheet.stack,
            "variants": _variants(sheet),
        }
        for sheet in games.GAMES.values()
    ]


@blueprint.serves(
    "POST", "/score", {"oneOf": [ScoredSchema, UnfinishedHandSchema, RefusedSchema]}, refuses=(422,)
)
@blueprint.accepts(HandDraftSchema, examples={"a hand": _HAND})
def score_hand(record: Json) -> Response:
    """Score any hand record, as `solo-ledger score` does, but in the caller's language.

    If only the last tricks are missing, the response is the state of the play, with the outcome `unfinished`.
    A hand that breaks the rules is still a successful request: the response is 200 with `ok` false.
    """
    try:
        reading = read_hand(record)
        if isinstance(reading, Refused):
            raise reading
        verdict = answer(reading)
    except Refused as refused:
        return jsonify(refused.to_mapping(reader()))
    if isinstance(verdict, UnfinishedHand):
        return jsonify(verdict.to_mapping())
    return jsonify(verdict_in_words(verdict.to_stored(), reader()))


def _variants(sheet: Sheet) -> list[Json]:
    if not sheet.variants:
        return [_variant(sheet, None, sheet.title, sheet.summary)]
    return [
        _variant(sheet, variant.slug, variant.title, variant.summary) for variant in sheet.variants
    ]


def _variant(sheet: Sheet, slug: str | None, title: str, summary: str) -> Json:
    return {
        "slug": slug,
        "title": title,
        "summary": summary,
        "options": [_option(option) for option in sheet.options_of(slug)],
        "tables": [_table(sheet, slug, seats) for seats in sheet.seats],
    }


def _option(option: Option) -> Json:
    described = _described(option)
    if option.kind is OptionKind.GROUP:
        return {**described, "members": [_described(member) for member in option.members]}
    return described


def _described(option: Option) -> Json:
    bounds = (
        {"least": option.least, "most": option.most} if option.kind is OptionKind.AMOUNT else {}
    )
    return {
        **bounds,
        "slug": option.slug,
        "kind": option.kind.value,
        "default": option.default,
        "choices": [{"value": value, "words": option.word(value)} for value in option.choices],
        "description": option.description,
        "source": option.source,
    }


def _table(sheet: Sheet, variant: str | None, seats: int) -> Json:
    rules = sheet.rules(variant, {}, seats)
    names = tuple(map(str, range(seats)))
    return {
        "seats": seats,
        "active": len(rules.table(names, names[0]).active),
        "tricks": rules.tricks,
        "all_pass": rules.all_pass,
        "pays": rules.settlement.pays,
        "bids": rules.bids,
        "deck": rules.pack.cards,
    }
