"""The canonical record of a hand: its contract is complete, and anything that follows is left out.

Two records of one hand have the same canonical record, so they can be recognised by comparing it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from engine.cards.card_sets import BITS, cards_of, mask_of
from engine.cards.cards import SUITS, Card
from engine.cards.dealing import WIDOW
from engine.errors import Refused
from engine.games import find
from engine.record import PASS, Contract, Deal, Exchange, HandRecord, Tricks
from engine.record.incidents import OUT_OF_TURN, decision
from engine.record.parts import BlindRound
from engine.record.results import RESULT, ResultKey, ResultKind
from engine.replay.deal import KnownDeal
from engine.replay.holdings import PlayedContract, called_exchange, union
from engine.replay.irregularities import recorded_tricks
from engine.replay.replay import replay
from engine.replay.revokes import cards_played
from engine.replay.spit import deal_of
from engine.rules.options import OptionValue
from engine.rules.sheet import Plan, Rules
from engine.rules.verdict import Verdict
from engine.scoring.score import score

EVENTS = ("stopped", "asked_partner", "conceded")
"""Result keys that state what happened, and never follow from others."""


REMARKS = ("stated", "evening", "notes", "irregular")
"""Keys whose empty parts mean nothing, whatever else the record holds."""


def canonical(record: HandRecord) -> HandRecord:
    """Return the canonical record of a hand; its verdict is the same but for the order of two doubles.

    The default variant, house rules and active seats are left out, as are empty remarks. If the hand scores,
    the contract and, as far as it is known, the exchange are complete. Leaders are left out, as are a deal, a
    result or a closing pass that follow from the rest. A record that is refused, or decided by the settlement
    of an irregularity, keeps everything else as stated, with the cards of each hand in order. Nothing is
    raised.
    """
    record = _in_order(record)
    filled: Any = {key: _filled(getattr(record, key)) for key in REMARKS}
    record = replace(record, **filled)
    try:
        rules = find(record.game).rules(record.rules, record.options, len(record.players))
        plan = rules.plan(record.players, record.dealer, record.active)
        record = replace(
            record,
            rules=None if rules.variant == find(record.game).default_variant else rules.variant,
            options=house_rules(rules),
            active=_other_seats(rules, plan),
        )
        verdict = score(record)
    except Refused:
        return record
    if decision(record.irregular) is not None:
        return record  # its verdict does not show what follows from what
    for step in (_contract, _tricks, _exchange, _deal, _spit_and_claim, _blind_round, _auction):
        candidate = step(_ScoredHand.of(rules, plan, record, verdict))
        result = None if candidate == record else _verdict(candidate)
        if result is not None and _is_same(result, verdict):
            record, verdict = candidate, result
    for key in reversed([*RESULT.values()]):
        if not key.in_contract and _follows(key, record, verdict):
            record = replace(record, **{key.name: None})  # type: ignore[arg-type]
    return record


def _in_order(record: HandRecord) -> HandRecord:
    """Return the record with the cards dealt, exchanged and shown sorted by suit, each from ace to six.

    Unknown cards come last.
    """
    deal, exchange, claimed = record.deal, record.exchange, record.claimed
    if deal is not None:
        hands = {seat: _sorted(cards) or () for seat, cards in (deal.hands or {}).items()}
        deal = Deal(hands or deal.hands, _sorted(deal.widow))
    if exchange is not None:
        exchange = exchange._replace(
            took=_sorted(exchange.took), discarded=_sorted(exchange.discarded)
        )
    if claimed is not None:
        claimed = claimed._replace(shown=_sorted(claimed.shown))
    return replace(record, deal=deal, exchange=exchange, claimed=claimed)


def _sorted(cards: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """Return cards by suit, each from high to low, with unknown ones last; `None` for `None`."""
    if cards is None:
        return None
    known = [card for card in cards if card is not None]
    in_order = sorted(known, key=lambda card: (SUITS.index(card.suit), -card))
    return (*in_order, *(None,) * (len(cards) - len(known)))


def _filled(value: Any) -> Any:
    """Return a value without the optional parts that are empty; `None` if nothing is left.

    >>> _filled(Deal({}, None)), _filled((Contract("Ann", doubled=()),))[0].doubled
    (None, None)
    """
    if isinstance(value, int):
        return value
    fields: tuple[str, ...] = getattr(value, "_fields", ())
    if fields:
        optional = {key: _filled(getattr(value, key)) for key in value._field_defaults}
        part = value._replace(**optional)
        return None if all(item is None for item in part) else part
    if isinstance(value, tuple):
        value = tuple(map(_filled, value))
    return value or None


def _is_same(candidate: Verdict, verdict: Verdict) -> bool:
    """Return whether two verdicts are equal except for the order of their steps and payments."""
    (steps, payments), (other_steps, other_payments) = (
        (sorted(map(repr, one.steps)), sorted(map(repr, one.transfers)))
        for one in (candidate, verdict)
    )
    ordered = candidate._replace(steps=verdict.steps, transfers=verdict.transfers)
    return ordered == verdict and steps == other_steps and payments == other_payments


def house_rules(rules: Rules) -> Mapping[str, OptionValue]:
    """Return the house rules whose values differ from the variant's defaults, each with its value."""
    offered = find(rules.game).options_of(rules.variant)
    values = {option.slug: rules.options[option.slug] for option in offered}
    defaults = {option.slug: option.default for option in offered}
    return {
        slug: dict(value) if isinstance(value, Mapping) else value
        for slug, value in values.items()
        if value != defaults[slug]
    }


def _other_seats(rules: Rules, plan: Plan) -> tuple[str, ...] | None:
    """Return the active seats, clockwise, if they are not those that play by default; else `None`."""
    table = plan.table
    default = rules.table(table.players, table.dealer).active
    return None if table.active == default else table.active


def _verdict(record: HandRecord) -> Verdict | None:
    """Return the verdict on a record, or `None` if it is refused."""
    try:
        return score(record)
    except Refused:
        return None


class _ScoredHand(NamedTuple):
    """A hand that scores, with its known deal, and the cards of each seat if it was played out."""

    rules: Rules
    plan: Plan
    record: HandRecord
    verdict: Verdict
    contract: Contract
    deal: KnownDeal
    played: tuple[int, ...] | None = None

    @classmethod
    def of(cls, rules: Rules, plan: Plan, record: HandRecord, verdict: Verdict) -> "_ScoredHand":
        """Return the hand of a record that scores, with its contract and cards read.

        `played` is `None` unless all cards of all tricks are recorded.
        """
        seats = plan.table.active
        contract = record.contract or Contract()
        if record.has_cards:
            contract = replay(rules, plan, record, []).contract or contract
        deal = deal_of(rules, plan.table, record)
        hand = cls(rules, plan, record, verdict, contract, deal)
        tricks = recorded_tricks(record, seats)
        if tricks is None or tricks.sizes != (len(seats),) * rules.tricks or None in tricks.cards:
            return hand
        play = hand.case.play(deal.hands)
        return hand._replace(played=cards_played(play, tricks, rules.pack.mask))

    @property
    def case(self) -> PlayedContract:
        """The contract as the replay takes it, with places for names and the recorded exchange."""
        seats, bid = self.plan.table.active, self.rules.by_slug[str(self.contract.bid)]
        bidder = seats.index(str(self.contract.bidder))
        exchange = self.record.exchange or Exchange()
        return PlayedContract(self.rules, seats, bid, bidder, self.contract, exchange)

    @property
    def rest(self) -> int:
        """The set (bits) of cards of the pack that were not played; all if `played` is `None`."""
        return self.rules.pack.mask & ~union(self.played or ())


def _contract(hand: _ScoredHand) -> HandRecord:
    """Return the record with its contract completed from cards and verdict.

    The seats that doubled are in the order of the active seats; `False` and empty values are left out.
    """
    contract, seats = hand.contract, hand.plan.table.active
    if contract.bid == PASS:
        return replace(hand.record, contract=Contract(bid=PASS))
    trumps = hand.rules.by_slug[str(contract.bid)].trumps
    complete = contract._replace(
        trump=contract.trump or (trumps[0] if trumps else None),
        partner=contract.partner or hand.verdict.partner,
        alone=contract.alone or None,
        doubled=tuple(seat for seat in seats if seat in (contract.doubled or ())) or None,
        redoubled=tuple(seat for seat in seats if seat in (contract.redoubled or ())) or None,
        announced_tout=contract.announced_tout or None,
    )
    return replace(hand.record, contract=complete)


def _tricks(hand: _ScoredHand) -> HandRecord:
    """Return the record without the leaders of its tricks, except of a trick led out of turn."""
    if hand.record.tricks is None:
        return hand.record
    tricks = Tricks.of(hand.record.tricks)
    irregular = {one.trick for one in hand.record.irregular or () if one.what == OUT_OF_TURN}
    numbered = enumerate(tricks.leaders, 1)
    leaders = tuple([seat if number in irregular else None for number, seat in numbered])
    return replace(hand.record, tricks=replace(tricks, leaders=leaders))


def _exchange(hand: _ScoredHand) -> HandRecord:
    """Return the record with its exchange completed as far as deal and tricks show it; `None` if empty."""
    if hand.contract.bid == PASS or "exchange" not in hand.rules.keys:
        return hand.record
    exchange = _widow_taken(hand) if hand.case.bid.takes_widow else _card_called(hand)
    return replace(hand.record, exchange=None if exchange == Exchange() else exchange)


def _widow_taken(hand: _ScoredHand) -> Exchange:
    """Return the cards that the bidder took up and discarded, as stated or as deal and tricks show them."""
    stated, deal, bidder = hand.record.exchange or Exchange(), hand.deal, hand.case.bidder
    took = mask_of(stated.took or ()) or deal.widow * deal.widow_sure
    discarded = mask_of(stated.discarded or ())
    if hand.played is not None:
        discarded = hand.rest
        if deal.sure >> bidder & 1:
            took = (hand.played[bidder] | discarded) & ~deal.hands[bidder]
    return Exchange(cards_of(took) or None, cards_of(discarded) or None)


def _card_called(hand: _ScoredHand) -> Exchange:
    """Return the called card's holder and the card returned for it, as far as deal and tricks show them."""
    stated = hand.record.exchange or Exchange()
    case, called = hand.case, hand.contract.called
    if not case.bid.takes_called or called is None:
        return stated
    places = hand.deal.widow | (0 if hand.played is None else hand.rest)
    if places & BITS[called]:
        return Exchange(giver=WIDOW)
    giver, back = called_exchange(case, hand.deal, hand.played or (0,) * len(case.seats))
    if giver not in range(len(case.seats)):
        return stated
    returned = stated.returned or next(iter(cards_of(back)), None)
    return stated if returned is None else Exchange(giver=case.seats[giver], returned=returned)


def _deal(hand: _ScoredHand) -> HandRecord:
    """Return the record without the hands that follow from the spit deal, or from exchange and tricks.

    The other hands are sorted. The widow is left out if all hands are known, and a hand or widow of which no
    card is known.
    """
    deal, spit, rules = hand.deal, hand.record.spit, hand.rules
    if hand.record.deal is None:
        return hand.record
    derived = deal.hands if spit is not None and spit.order is not None else _dealt(hand)
    hands = {
        seat: _padded(mask, rules.tricks)
        for seat, mask, cards in zip(hand.plan.table.active, deal.hands, derived, strict=True)
        if mask & ~cards
    }
    follows = all(derived) or deal.complete or not deal.widow
    widow = None if follows else _padded(deal.widow, rules.widow_size)
    return replace(hand.record, deal=Deal(hands or None, widow) if hands or widow else None)


def _dealt(hand: _ScoredHand) -> tuple[int, ...]:
    """Return the hands (bits) as dealt, derived from exchange and tricks alone; 0 for an unknown hand."""
    if hand.played is None:
        return (0,) * len(hand.plan.table.active)
    case, hands = hand.case, list(hand.played)
    exchange, bidder = case.exchange, case.bidder
    took, returned = mask_of(exchange.took or ()), exchange.returned
    if case.bid.takes_widow:
        hands[bidder] = (hands[bidder] | hand.rest) & ~took if took else 0
    elif case.bid.takes_called and exchange.giver != WIDOW:
        if exchange.giver is None or returned is None or case.called is None:
            return (0,) * len(hands)
        giver, called = case.seats.index(exchange.giver), BITS[case.called]
        hands[bidder] = (hands[bidder] | BITS[returned]) & ~called
        hands[giver] = hands[giver] & ~BITS[returned] | called
    return tuple(hands)


def _padded(cards: int, size: int) -> tuple[Card | None, ...]:
    """Return `size` cards: those of a set, then `None` for each that is unknown."""
    listed = cards_of(cards)
    return (*listed, *(None,) * (size - len(listed)))


def _spit_and_claim(hand: _ScoredHand) -> HandRecord:
    """Return the record without empty lists of cards drawn in a spit deal and shown in a claim."""
    record = hand.record
    return replace(record, spit=_filled(record.spit), claimed=_filled(record.claimed))


def _blind_round(hand: _ScoredHand) -> HandRecord:
    """Return the record with the players who have been under in the order of the seats."""
    blind = hand.record.blind_round
    if blind is None:
        return hand.record
    finished = tuple(seat for seat in hand.record.players if seat in blind.done)
    return replace(hand.record, blind_round=BlindRound(finished, blind.heartless))


def _auction(hand: _ScoredHand) -> HandRecord:
    """Return the record without the last call if it is a pass, unless a note is on it.

    It is kept by `canonical` if the auction is then unfinished or the verdict differs.
    """
    auction, notes = hand.record.auction, hand.record.notes or ()
    if not auction or auction[-1].call != PASS or any(note.call == len(auction) for note in notes):
        return hand.record
    return replace(hand.record, auction=auction[:-1])


def _follows(key: ResultKey, record: HandRecord, verdict: Verdict) -> bool:
    """Return whether a stated value follows: the verdict is the same without it, and others are refused.

    Of the `EVENTS` only `False` follows, which is their default. False if no value is stated.
    """
    value = getattr(record, key.name)
    if value is None or _verdict(_with(record, key, None)) != verdict:
        return False
    if key.name in EVENTS:
        return value is False
    return not any(_verdict(_with(record, key, other)) for other in _other_values(key, value))


def _with(record: HandRecord, key: ResultKey, value: object) -> HandRecord:
    """Return the record with another value of a result key."""
    return replace(record, **{key.name: value})  # type: ignore[arg-type]


def _other_values(key: ResultKey, value: object) -> Iterable[object]:
    """Return other values of a key to compare with: its other words, or a number's two neighbours."""
    if key.kind is ResultKind.INTEGER and isinstance(value, int):
        return (value - 1, value + 1)
    return (not value,) if key.kind is ResultKind.FLAG else {*key.words} - {value}
