"""A hand entered card by card: the record keys that its inputs state, and what the cards leave open."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards.cards import read_dealt, write_cards
from engine.errors import Refused
from engine.guide.card_orders import CardOrderTable, card_orders
from engine.guide.play_sheet import PlaySheet, play_sheet
from engine.guide.unfinished import unfinished
from engine.record import Contract, Deal, HandRecord
from engine.record.results import MADE, RESULT, STOPPED, ResultKind
from engine.rules.bids import BY_BIDDER
from engine.rules.seating import SeatingTable
from engine.rules.sheet import Rules
from engine.scoring.canonical import house_rules
from engine.scoring.score import score
from engine.words.language import Sentence
from engine.words.sentences import later, say
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.turn import LEAD
from ledger.web.hand import bidding
from ledger.web.hand.fields import (
    AUCTION,
    CARDS,
    CLAIMED_BY,
    CLAIMS,
    DERIVED,
    HANDS,
    QUESTIONS,
    STOPS,
    WIDOW,
    card_words,
)
from ledger.words.problems import Fault, Invalid

_NO_CARDS = {"pots": {"frog": 0, "solo": 0}}
"""Values for keys that a session knows and that don't change what the cards leave open."""


class PlayData(PlaySheet):
    """The play sheet of a table with the order of its cards."""

    order: CardOrderTable


def play_data(rules: Rules) -> PlayData:
    """Return what the page needs to referee the play."""
    sheet = play_sheet(rules)
    return {**sheet, "order": card_orders()[sheet["ranking"]]}


def record_keys(
    chosen: Mapping[str, str], names: Sequence[str], table: SeatingTable
) -> dict[str, Any]:
    """Return the tricks, the deal and the claim that the inputs state, without keys that none states.

    The cards are divided into tricks by the seats in play, so the last trick may be unfinished. A claim comes
    after the complete ones.
    """
    keys: dict[str, Any] = {}
    count, words = len(table.active), card_words(chosen.get(CARDS, ""))
    if words:
        keys["tricks"] = [_written(words[at : at + count]) for at in range(0, len(words), count)]
    hands = {
        name: _written(card_words(chosen[field]))
        for name, field in zip(names, HANDS, strict=False)
        if field in chosen
    }
    deal = {"hands": hands} if hands else {}
    if WIDOW in chosen:
        keys["deal"] = {**deal, "widow": _written(card_words(chosen[WIDOW]))}
    elif deal:
        keys["deal"] = deal
    if (ending := chosen.get(CLAIMED_BY)) == STOPS:
        keys[STOPPED] = True
    elif ending:
        keys["claimed"] = {"by": CLAIMS.get(ending, ending), "after": len(words) // count}
    return keys


def _written(words: Sequence[str]) -> str:
    """Return cards in a record's spelling; if one can't be read, all as they were typed."""
    text = " ".join(words)
    try:
        return write_cards(read_dealt(text))
    except ValueError:
        return text


def fields_of(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the inputs that show the cards of a record; none of the play if it has no tricks."""
    if not record.keys() & {"tricks", "deal", "auction"}:
        return {}
    read = HandRecord.from_mapping(record)
    deal, claim = read.deal or Deal(), read.claimed
    hands, widow = deal.hands or {}, deal.widow
    fields = {
        field: write_cards(hands[name])
        for name, field in zip(read.players, HANDS, strict=False)
        if name in hands
    }
    if read.auction:
        fields[AUCTION] = bidding.written(read.auction)
    if widow is not None:
        fields[WIDOW] = write_cards(widow)
    if read.tricks:
        fields[CARDS] = " / ".join(write_cards(trick.cards) for trick in read.tricks)
        fields |= {CLAIMED_BY: STOPS} if read.stopped else {}
    if claim is not None and read.tricks:
        contract = read.contract or Contract()
        is_ours = claim.by in (BY_BIDDER, contract.bidder, contract.partner)
        fields[CLAIMED_BY] = next(
            answer for answer, side in CLAIMS.items() if (side == BY_BIDDER) == is_ours
        )
    return fields


def record_of(rules: Rules, names: Sequence[str], draft: HandDraft) -> HandRecord:
    """Return the record of a draft at a table with these rules. Raises ``Refused`` as the engine does."""
    pots = _NO_CARDS if "pots" in rules.keys else {}
    keys = {"game": rules.game, "rules": rules.variant, "options": house_rules(rules)}
    rest = {key: value for key, value in draft.items() if key != LEAD}
    return HandRecord.from_mapping({**keys, "players": list(names), **pots, **rest})


def left_open(rules: Rules, names: Sequence[str], draft: HandDraft) -> tuple[str, ...]:
    """Return the fields of the partner and the results that a draft's cards don't show.

    The draft states none of them. If anything else is missing or wrong, nothing is left open yet.
    """
    try:
        score(record_of(rules, names, draft))
    except Refused as refused:
        fields = {violation.field for violation in refused.violations}
        names_of = {RESULT[name].path: name for name in DERIVED} | {"contract.partner": "partner"}
        codes = all(violation.code.endswith("-missing") for violation in refused.violations)
        if codes and fields <= names_of.keys():
            return _with_dependent({names_of[field] for field in fields})
    return ()


def _with_dependent(missing: set[str]) -> tuple[str, ...]:
    """Return the missing results with those that are asked for instead of them or depend on them."""
    dependent = {
        key.name
        for key in QUESTIONS
        if key.other_side_of in missing or any(missing & case.keys() for case in key.asked_if)
    }
    is_uncounted = any(key.kind is ResultKind.INTEGER and key.name in missing for key in QUESTIONS)
    return tuple(sorted(missing | dependent | ({MADE} if is_uncounted else set())))


def explained(rules: Rules, names: Sequence[str], draft: HandDraft, refusal: Invalid) -> Invalid:
    """Return the refusal of a draft; if only its last cards are missing, what the cards so far show.

    That is every violation among them, or how many are missing and whose turn it is.
    """
    if [fault.code for fault in refusal.faults] != [MISSING] or "tricks" not in draft:
        return refusal
    try:
        hand = unfinished(record_of(rules, names, draft))
    except Refused as refused:
        return Invalid.from_refused(refused)
    position = hand.position
    if position.turn is None:
        return refusal
    left = rules.tricks * len(hand.seats) - sum(len(trick.cards) for trick in position.tricks)
    message = say(_UNFINISHED, n=left, who=hand.seats[position.turn])
    where = {"field": "tricks", "cards": left, "seat": hand.seats[position.turn]}
    return Invalid(message, [Fault("tricks", MISSING, message, where)])


MISSING = "tricks-missing"
"""The code of a hand whose last cards are missing."""

_UNFINISHED = later(
    "{n:card is|cards are} still missing; {who} plays next. If the hand ended early, say who gets the rest."
)


def in_words(message: str, field: str) -> str:
    """Return a message with the name of its input instead of a path in the record.

    Messages without the path are returned unchanged.
    """
    part, _, place = field.partition(".")
    named = None
    if part == "tricks":
        named = say("Trick {number}", number=place) if place else say("Cards in the order played")
    elif field == "deal.widow":
        named = say("Widow")
    elif field.startswith(_HANDS):
        named = say("{who}'s cards", who=field.removeprefix(_HANDS))
    if named is None or not isinstance(message, Sentence):
        return message
    values = {key: named if value == field else value for key, value in message.values.items()}
    return say(message.template, **values)


_HANDS = "deal.hands."
