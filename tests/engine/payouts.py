"""Hands for every entry of a payout table, and the verdict that the table gives of them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, product
from typing import Any, NamedTuple

from engine.guide.payout_table import IDLE, PLACE, Answers, PayoutTable, Seats, decisive_keys
from engine.record import PASS, HandRecord
from engine.record.parts import HEARTLESS
from engine.record.results import RESULT, ResultKind
from engine.rules.bids import Bid
from engine.rules.options import Option, OptionKind, OptionValue
from engine.rules.seating import SeatingTable, clockwise
from engine.rules.sheet import Rules, Sheet
from engine.rules.verdict import Outcome, Step, Verdict
from tests.engine.hands import NAMES

POTS = ((0, 0), (7, 3), (1234, 56789))
"""The contents of the pots before hands."""


def values(option: Option) -> list[OptionValue]:
    """Return the values of a house rule: of an amount a few, of a group each combination."""
    if option.kind is OptionKind.AMOUNT:
        return list(dict.fromkeys((option.least, option.default, 7, option.most)))
    if option.members:
        slugs = [member.slug for member in option.members]
        combinations = product(*map(values, option.members))
        return [False, *(dict(zip(slugs, each, strict=True)) for each in combinations)]  # type: ignore[list-item]
    return list(option.choices)


def tables(sheet: Sheet) -> Iterator[Rules]:
    """Yield the rules of every variant, combination of house rules and number of players."""
    variants: list[str | None] = [each.slug for each in sheet.variants]
    for variant in variants or [None]:
        options = sheet.options_of(variant)
        slugs = [option.slug for option in options]
        for seats, chosen in product(sheet.seats, product(*map(values, options))):
            yield sheet.rules(variant, dict(zip(slugs, chosen, strict=True)), seats)


def hands(rules: Rules, table: PayoutTable) -> Iterator[tuple[dict[str, Any], Answers]]:
    """Yield a hand for each price, and hands of each bid and outcome for each group of seats."""
    around = cycle(_seatings(rules, table))
    for slug, trump, answers in table.prices:
        bid = rules.by_slug[slug]
        seating = next(each for each in around if _fits(bid, each))
        yield _hand(bid, trump, answers, seating), answers
    some: dict[tuple[str, Outcome], tuple[str, Answers]] = {
        (slug, price.outcome): (trump, answers)
        for (slug, trump, answers), price in table.prices.items()
    }
    for seating in _seatings(rules, table):
        for (slug, _), (trump, answers) in some.items():
            bid = rules.by_slug[slug]
            if _fits(bid, seating):
                yield _hand(bid, trump, answers, seating), answers
        if rules.all_pass is None:
            yield seating.keys | {"contract": {"bid": PASS}}, ()


class Seating(NamedTuple):
    """The seats of a hand, and its record's keys that don't depend on the bid."""

    table: SeatingTable
    bidder: str
    partner: str | None
    doubles: Mapping[str, list[str]]
    keys: dict[str, Any]


def _seatings(rules: Rules, table: PayoutTable) -> list[Seating]:
    """Return each group of seats with each dealer, with other doubles, pots and blind rounds in turn."""
    seatings = []
    names = NAMES[: rules.seats]
    places = list(table.seats)
    for number, (seats, dealer, turn) in enumerate(product(places, names, range(3))):
        bidder = names[(number // 7 + turn) % rules.seats]
        order = clockwise(names, bidder)
        active = tuple(order[place] for place in seats.active)
        seating = rules.table(names, dealer, active)
        keys: dict[str, Any] = {"game": rules.game, "players": list(names), "dealer": dealer}
        if rules.variant:
            keys["rules"] = rules.variant
        if rules.options:
            keys["options"] = _plain(rules.options)
        if seating != rules.table(names, dealer):
            keys["active"] = list(active)
        if "pots" in rules.keys:
            keys["pots"] = dict(zip(("frog", "solo"), POTS[number % len(POTS)], strict=True))
        if "blind_round" in rules.keys and number % 4:
            keys["blind_round"] = {"done": [], "heartless": number % HEARTLESS}
        doubles: dict[str, list[str]] = {}
        if "contract.doubled" in rules.keys:
            opponents = seating.opponents(bidder)
            doubled = [who for at, who in enumerate(opponents) if number >> at & 1]
            redoubled = [who for at, who in enumerate(doubled) if number >> at & 4]
            doubles = {"doubled": doubled, "redoubled": redoubled}
        partner = order[seats.partner] if seats.partner else None
        seatings.append(Seating(seating, bidder, partner, doubles, keys))
    return seatings


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        slug: dict(value) if isinstance(value, Mapping) else value
        for slug, value in options.items()
    }


def _fits(bid: Bid, seating: Seating) -> bool:
    """Return whether a bid can be played by these seats."""
    if bid.lead_only and seating.bidder != seating.table.lead:
        return False
    if not bid.has_partner:
        return seating.partner is None
    return seating.partner is not None or "alone" in _lone(bid)


def _lone(bid: Bid) -> dict[str, Any]:
    """Return the keys of a contract with a partner that is played alone; empty if it can't be."""
    return {"alone": True} if bid.calls is None or bid.calls.own == "alone" else {}


def _hand(bid: Bid, trump: str, answers: Answers, seating: Seating) -> dict[str, Any]:
    """Return the record of a hand."""
    contract: dict[str, Any] = {"bidder": seating.bidder, "bid": bid.slug}
    if trump:
        contract["trump"] = trump
    if seating.partner:
        contract["partner"] = seating.partner
    elif bid.has_partner:
        contract |= _lone(bid)
    contract |= {key: names for key, names in seating.doubles.items() if names}
    record = seating.keys | {"contract": contract}
    for key, answer in zip(decisive_keys(bid), answers, strict=True):
        if not answer:
            continue
        if key.kind is ResultKind.INTEGER:
            stated: Mapping[str, object] = {key.name: int(answer)}
        else:
            stated = next(choice.sets for choice in key.choices if choice.value == answer)
        for name, value in stated.items():
            (contract if RESULT[name].in_contract else record)[name] = value
    return record


class TableVerdict(NamedTuple):
    """The parts of a verdict that a payout table contains."""

    outcome: Outcome
    amount: int
    deltas: dict[str, int]
    pots: dict[str, int] | None
    explanation: tuple[str, ...]
    next: tuple[str, str]

    @classmethod
    def of(cls, verdict: Verdict) -> "TableVerdict":
        """Return these parts of a verdict."""
        return cls(
            verdict.outcome,
            verdict.amount,
            dict(verdict.deltas),
            verdict.pots and verdict.pots._asdict(),
            verdict.explanation,
            (verdict.next.dealer, verdict.next.lead),
        )


def look_up(
    rules: Rules, table: PayoutTable, record: HandRecord, answers: Answers
) -> TableVerdict | None:
    """Return a hand's verdict by the table; None if it brings more than a pot can hold."""
    contract = record.contract
    assert contract is not None
    players = record.players
    seating = rules.table(players, record.dealer, record.active)
    slug, bidder = contract.bid or "", contract.bidder or players[0]
    order = clockwise(players, bidder)
    deltas = dict.fromkeys(players, 0)
    outcome, amount, steps = Outcome.PASSED_OUT, 0, [Step("thrown-in", {}, "sheet")]
    if slug != PASS:
        trump = contract.trump.value if contract.trump else ""
        price = table.prices[slug, trump, answers]
        outcome, amount, steps = price.outcome, price.amount, [*price.steps]
    if amount:
        payout = table.seats[
            Seats(
                outcome is Outcome.WON,
                order.index(contract.partner) if contract.partner else 0,
                tuple(sorted(map(order.index, seating.active))),
            )
        ]
        doubled, redoubled = contract.doubled or (), contract.redoubled or ()
        times = {name: (name in doubled) + (name in redoubled) for name in players}
        for payer, payee, owed in payout.transfers:
            paid = owed * amount
            for place in (payer, payee):
                paid *= table.factors[times[order[place]]]
            deltas[order[payer]] -= paid
            deltas[order[payee]] += paid
        for place, score in enumerate(payout.scores):
            deltas[order[place]] += score * amount
        for name in doubled:
            factor = table.factors[times[name]]
            key = ("", "doubled", "redoubled")[times[name]]
            steps.append(Step(key, {"name": name, "amount": factor * amount}, "000"))
        steps += [step.times(amount) for step in payout.steps]
    pots = None
    if record.pots is not None:
        before = tuple(record.pots)
        moved = table.pots.get((slug, outcome))
        if moved is None:
            return None
        for *owners, linear in moved.transfers:
            for owner, sign in zip(owners, (-1, 1), strict=True):
                if isinstance(owner, int):
                    deltas[order[owner]] += sign * _number(linear, before)
        pots = {pot: _number(content, before) for pot, content in moved.contents.items()}
        steps += [
            step._replace(
                values={
                    name: _number(value, before) if _is_linear(value) else value
                    for name, value in step.values.items()
                }
            )
            for step in moved.steps
        ]
    blind = record.blind_round
    stays = table.stays[slug][0 if blind is None else blind.heartless + 1]
    dealer = record.dealer if stays else clockwise(players, record.dealer)[1]
    next_turn = dealer, clockwise(players, dealer)[1]
    named = tuple(_named(step, order, seating.idle).text for step in steps)
    return TableVerdict(outcome, amount, deltas, pots, named, next_turn)


def _is_linear(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], int)


def _number(linear: Any, pots: Sequence[int]) -> int:
    constant, *factors = map(int, linear)
    return constant + sum(factor * pot for factor, pot in zip(factors, pots, strict=True))


def _named(step: Step, order: Sequence[str], idle: Sequence[str]) -> Step:
    """Return a step with names in place of places."""
    return step._replace(
        values={
            name: tuple(_name(each, order, idle) for each in value)
            if isinstance(value, tuple)
            else _name(value, order, idle)
            for name, value in step.values.items()
        }
    )


def _name(value: object, order: Sequence[str], idle: Sequence[str]) -> object:
    text = str(value)
    if text[:1] == PLACE:
        return order[int(text[1:])]
    return idle[int(text[1:])] if text[:1] == IDLE else value
