"""Records without the differences that mean nothing."""

from dataclasses import replace
from typing import Any

from engine.record import Deal, HandRecord
from engine.scoring.canonical import REMARKS


def in_order(record: HandRecord) -> HandRecord:
    """Sort the cards of deal, exchange and claim, which have no order; an empty table is none."""
    deal, exchange, claimed = record.deal, record.exchange, record.claimed
    if claimed is not None and claimed.shown is not None:
        claimed = claimed._replace(shown=_sorted(claimed.shown))
    if deal is not None:
        hands = {seat: _sorted(cards) for seat, cards in (deal.hands or {}).items()}
        deal = Deal(hands or None, deal.widow if deal.widow is None else _sorted(deal.widow))
    if exchange is not None:
        took, discarded = (
            cards if cards is None else _sorted(cards)
            for cards in (exchange.took, exchange.discarded)
        )
        exchange = exchange._replace(took=took, discarded=discarded)
    keys = replace(record, deal=deal, exchange=exchange, claimed=claimed).to_mapping()
    remarks = {key: _filled(keys.pop(key, None)) for key in REMARKS}
    return HandRecord.from_mapping(
        {**keys, **{key: value or None for key, value in remarks.items()}}
    )


def _filled(value: Any) -> Any:
    """Return the keys of a remark without those that hold nothing; a note keeps its text."""
    if isinstance(value, list):
        return [_filled(item) for item in value]
    if not isinstance(value, dict):
        return value
    filled = {key: _filled(item) for key, item in value.items()}
    return {key: item for key, item in filled.items() if item not in ({}, [], "") or key == "text"}


def _sorted(cards: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted(cards, key=lambda card: (card is None, card)))
