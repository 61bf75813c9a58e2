"""The payouts of all hands at one table, so that a page shows a result without the engine.

It is computed by the functions of scoring and contains no rule of its own. A price depends on the bid, the
trump suit and the answers about the result; who pays whom depends on the seats. A hand's payments are those
between the seats times the price, times the multiplier of a doubled opponent, with those of the pots.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import combinations, product
from typing import Any, NamedTuple

from engine.cards.cards import Suit
from engine.errors import Problems, Refused
from engine.record import PASS, Pots
from engine.record.parts import HEARTLESS, BlindRound
from engine.record.results import MADE, RESULT, Choice, Condition, ResultKey, ResultKind
from engine.rules.aims import Result
from engine.rules.bids import Bid, Undertaking
from engine.rules.pots import POTS
from engine.rules.seating import SeatingTable
from engine.rules.settlement import Payout, multiplier
from engine.rules.sheet import Rules
from engine.rules.tariffs import Price
from engine.rules.verdict import Outcome, Step
from engine.scoring.price import price
from engine.scoring.score import THROWN_IN

Answers = tuple[str, ...]
"""The answers about a result in the order of a bid's keys, empty for a question without one."""

PLACE, IDLE = "@", "#"
"""The marks of players in steps: `@1` sits next clockwise from the bidder, `@0`, and `#0` is the first idle
player from the dealer's left."""

Linear = tuple[int, int, int]
"""A number that depends on the pots: a constant, and a factor for the contents of each."""


class Seats(NamedTuple):
    """The key of a payment table: whether the contract was won, and the places that pay or are paid.

    `partner` is the partner's place, 0 for none, `active` those of the active players; the bidder has place
    0.
    """

    won: bool
    partner: int
    active: tuple[int, ...]


class SeatPayout(NamedTuple):
    """The payments of seats for a price of 1, as places and amounts: payer, payee and amount.

    In a game of scores there are no payments, and `scores` has the score of each place.
    """

    transfers: tuple[tuple[int, int, int], ...]
    scores: tuple[int, ...]
    steps: tuple[Step, ...]


class PotPayout(NamedTuple):
    """The payments to and from the pots, their contents afterwards, and the steps with linear amounts."""

    transfers: tuple[tuple[int | str, int | str, Linear], ...]
    contents: Mapping[str, Linear]
    steps: tuple[Step, ...]


class PayoutTable(NamedTuple):
    """The payouts of one table.

    `keys` has the result keys that decide each bid, `prices` the price by bid, trump suit (empty for none)
    and answers, `seats` the payments between seats, `pots` those with the pots by bid and outcome. `factors`
    are the multipliers of opponents who are plain, doubled and redoubled. `stays` tells for each bid whether
    the dealer deals again: outside a blind round, and in one by the number of deals without a heart.
    """

    keys: Mapping[str, tuple[str, ...]]
    prices: Mapping[tuple[str, str, Answers], Price]
    seats: Mapping[Seats, SeatPayout]
    pots: Mapping[tuple[str, Outcome], PotPayout]
    factors: tuple[int, int, int]
    stays: Mapping[str, tuple[bool, ...]]


def payout_table(rules: Rules) -> PayoutTable:
    """Return the payouts of every hand under these rules, except those with irregularities.

    The table is computed by the scoring of example hands; pots are empty if the game has none.

    >>> from engine.games import GAMES
    >>> table = payout_table(GAMES["crazy-solo"].rules(None, {}, 7))
    >>> table.prices["solo-in-hearts", "H", ("74",)].amount
    40
    >>> table.seats[Seats(True, 1, (0, 1, 2, 3, 4, 5, 6))].transfers
    ((2, 0, 1), (3, 0, 1), (4, 0, 1), (5, 1, 1), (6, 1, 1))
    """
    keys = {bid.slug: tuple(key.name for key in decisive_keys(bid)) for bid in rules.bids}
    prices = {
        (bid.slug, trump.value if trump else "", answers): worth
        for bid in rules.bids
        for answers, result in _results(rules, bid)
        for trump in bid.trumps or (None,)
        if (worth := _price(rules, bid, trump, result))
    }
    names = tuple(f"{PLACE}{place}" for place in range(rules.seats))
    opponent = names[1]
    factors = (
        multiplier(opponent, (), ()),
        multiplier(opponent, (opponent,), ()),
        multiplier(opponent, (opponent,), (opponent,)),
    )
    return PayoutTable(
        keys,
        prices,
        dict(_seat_payouts(rules, names)),
        dict(_pot_payouts(rules, names)) if "pots" in rules.keys else {},
        factors,
        dict(_stays(rules, rules.table(names, names[-1]))),
    )


# --- prices ---------------------------------------------------------------------------------------


def decisive_keys(bid: Bid) -> tuple[ResultKey, ...]:
    """Return the result keys that decide a bid; of two that complement each other only the first.

    A bid with one price has those of its count, which cards show, and those that the form asks for instead.
    """
    counts = tuple(RESULT[name] for name in bid.result_keys) if bid.is_flat else ()
    return (*counts, *(key for key in bid.questions if not key.other_side_of))


def _results(rules: Rules, bid: Bid) -> Iterator[tuple[Answers, Result]]:
    """Yield every valid combination of answers about a bid, with the result that they state.

    An answer is valid if its question is asked and its choice offered after the other answers.
    """
    keys = decisive_keys(bid)
    for chosen in product(*(_choices(rules, key) for key in keys)):
        stated: dict[str, Any] = {}
        for choice in chosen:
            stated |= choice.sets
        if bid.is_flat and not _is_brief(stated):
            continue
        if all(
            not choice.value
            or (_holds(rules, key.asked_if, stated) and _holds(rules, (choice.when,), stated))
            for key, choice in zip(keys, chosen, strict=True)
        ):
            yield tuple(choice.value for choice in chosen), Result(**stated)


def _is_brief(stated: Mapping[str, Any]) -> bool:
    """Return whether the stated values of a bid with one price have nothing superfluous.

    They may be `made` alone, or card points, together with tricks only if the points are 0, or neither.
    """
    tricks = stated.get("tricks_won")
    if MADE in stated:
        return stated.keys() == {MADE}
    return tricks is None or stated.get("points") == 0


def _choices(rules: Rules, key: ResultKey) -> list[Choice]:
    """Return the answers to a question, the missing one first; for a number every possible one."""
    choices = key.choices
    if key.kind is ResultKind.INTEGER:
        numbers = range(rules.numbers[key.most] + 1) if key.most else sorted(rules.pack.countable)
        choices = tuple(Choice(str(number), "", {key.name: number}) for number in numbers)
    return [Choice("", "", {}), *choices]


def _holds(rules: Rules, cases: Iterable[Condition], stated: Mapping[str, Any]) -> bool:
    """Return whether the stated values meet every part of one of the conditions; false for no conditions."""
    return any(
        all(_is_met(rules, condition, stated.get(name)) for name, condition in case.items())
        for case in cases
    )


def _is_met(rules: Rules, condition: bool | tuple[str, ...], value: Any) -> bool:
    """Return whether a value meets a part of a condition: stated or not, or a number in its range.

    The names of the range's bounds are looked up in the rules; one bound is the number itself.
    """
    if isinstance(condition, bool):
        return (value is not None) is condition
    least, *below = (rules.numbers[bound] for bound in condition)
    return value is not None and least <= value < (*below, least + 1)[0]


def _price(rules: Rules, bid: Bid, trump: Suit | None, result: Result) -> Price | None:
    """Return the price of a result; `None` if it is impossible or incomplete."""
    problems: Problems = []
    worth = price(rules, bid, trump, result, problems, counts=True)
    return None if problems else worth


# --- seats ----------------------------------------------------------------------------------------


def _seat_payouts(rules: Rules, names: tuple[str, ...]) -> Iterator[tuple[Seats, SeatPayout]]:
    """Yield the payments of a price of 1 if the player at place 0 bids, won and lost.

    At a larger table this is for every group of active players, and for every partner, if the game has any.
    """
    count = rules.seating.count or rules.seats
    for others in combinations(range(1, rules.seats), count - 1):
        active = (0, *others)
        table = rules.table(names, names[-1], tuple(names[place] for place in active))
        partners = others if any(bid.has_partner for bid in rules.bids) else ()
        for partner, outcome in product((0, *partners), (Outcome.WON, Outcome.LOST)):
            undertaking = _undertaking(rules.bids[0], names, partner)
            payout = rules.settlement.terms(table, undertaking, outcome)
            seats = Seats(outcome is Outcome.WON, partner, active)
            yield seats, _seat_payout(payout, table, pays=rules.settlement.pays)


def _undertaking(bid: Bid, names: tuple[str, ...], partner: int = 0) -> Undertaking:
    """Return the contract of the first name, with the partner at a place, or none for place 0."""
    return Undertaking(bid, names[0], None, None, names[partner] if partner else None)


def _seat_payout(payout: Payout, table: SeatingTable, *, pays: bool) -> SeatPayout:
    """Return a payout with places for names, and marks (`IDLE`) for idle players in its steps.

    If `pays` is false, it has the scores of all places as well.
    """
    place = table.players.index
    idle = tuple(f"{IDLE}{number}" for number in range(len(table.idle)))
    steps = [
        step._replace(
            values={
                name: idle if table.idle and value == table.idle else value
                for name, value in step.values.items()
            }
        )
        for step in payout.steps
    ]
    transfers = [(place(payer), place(payee), amount) for payer, payee, amount in payout.transfers]
    scores = () if pays else tuple(payout.deltas.values())
    return SeatPayout(tuple(transfers), scores, tuple(steps))


# --- pots and turns -------------------------------------------------------------------------------


def _pot_payouts(
    rules: Rules, names: tuple[str, ...]
) -> Iterator[tuple[tuple[str, Outcome], PotPayout]]:
    """Yield the payments with the pots if all passed, and for each bid and outcome.

    The key is `pass` or the bid's slug, and the outcome. Left out is an outcome that brings more than a pot
    can hold into an empty one, as the highest stakes do.
    """
    table, settlement = rules.table(names, names[-1]), rules.settlement
    ways: dict[tuple[str, Outcome], Callable[[Pots], Payout]] = {
        (PASS, THROWN_IN.outcome): partial(settlement.thrown_in, table=table)
    }
    for bid, outcome in product(rules.bids, (Outcome.WON, Outcome.LOST, Outcome.TIED)):
        undertaking = _undertaking(bid, names)
        terms = settlement.terms(table, undertaking, outcome)
        price_of_nothing = Price(outcome, 0, ())
        ways[bid.slug, outcome] = partial(settlement.settle, terms, price_of_nothing, undertaking)
    for key, way in ways.items():
        with suppress(Refused):
            yield key, _pot_payout(way)


def _pot_payout(settle: Callable[[Pots], Payout]) -> PotPayout:
    """Return a payout whose amounts depend linearly on the pots.

    They are computed from `settle` for empty pots, and for 1 in either.
    """
    payouts = [settle(Pots(*contents)) for contents in ((0, 0), (1, 0), (0, 1))]
    transfers = zip(*(payout.transfers for payout in payouts), strict=True)
    steps = zip(*(payout.steps for payout in payouts), strict=True)
    contents = [payout.pots._asdict() for payout in payouts if payout.pots]
    return PotPayout(
        tuple(
            (
                _owner(first.payer),
                _owner(first.payee),
                _linear(first.amount, *(other.amount for other in others)),
            )
            for first, *others in transfers
        ),
        {pot: _linear(*(content[pot] for content in contents)) for pot in POTS.values()},
        tuple(_linear_step(*versions) for versions in steps),
    )


def _owner(name: str) -> int | str:
    """Return the place of a player, `@2` as 2, or the record's key of a pot."""
    return POTS[name] if name in POTS else int(name.removeprefix(PLACE))


def _linear_step(step: Step, *others: Step) -> Step:
    """Return a step whose whole numbers are linear, from its versions for empty pots and 1 in either."""
    values = {
        name: _linear(value, *(other.values[name] for other in others))
        if isinstance(value, int)
        else value
        for name, value in step.values.items()
    }
    return step._replace(values=values)


def _linear(empty: int, frog: int, solo: int) -> Linear:
    """Return the linear number that is `empty` for empty pots, `frog` or `solo` for 1 in that pot alone."""
    return empty, frog - empty, solo - empty


def _stays(rules: Rules, table: SeatingTable) -> Iterator[tuple[str, tuple[bool, ...]]]:
    """Yield each bid, and `pass`, with whether the dealer deals again after it.

    The first value is that outside a blind round; then come, in games with one, those for each number of
    deals without a heart, from 0.
    """
    rounds = [BlindRound((), deals) for deals in range(HEARTLESS)]
    blinds = [None, *rounds] if "blind_round" in rules.keys else [None]
    for slug in (PASS, *rules.by_slug):
        yield (
            slug,
            tuple(rules.turn_after(table, slug, blind).dealer == table.dealer for blind in blinds),
        )
