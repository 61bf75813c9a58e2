"""Hands made at random: legal ones of every game, by contract and result."""

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from engine.cards.cards import CARDS
from engine.errors import LARGEST
from engine.games import GAMES
from engine.record import Contract, HandRecord, Pots
from engine.record.incidents import SETTLED, SIDES, WHAT, Claim, Irregularity, Spread, Transfer
from engine.record.names import _look, name_key
from engine.record.parts import BlindRound
from engine.record.remarks import LARGEST_ADDED
from engine.record.seats import RESERVED
from engine.record.spelling import bid
from engine.rules.bids import Bid
from engine.rules.options import Option, OptionKind
from engine.rules.pots import WithPots
from engine.rules.seating import SeatingTable
from engine.rules.sheet import Rules

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SLUGS = TEXT.map(lambda text: str(bid(text, "", [])))
"""Texts as they are written where a record has a slug."""

VALUES = st.recursive(
    TEXT
    | st.booleans()
    | st.integers(-LARGEST_ADDED, LARGEST_ADDED)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
ADDED = st.dictionaries(TEXT.map(lambda text: f"x-{text}"), VALUES, min_size=1, max_size=3)
"""Keys of other programs."""

NAMES = TEXT.filter(lambda name: name_key(name) not in ("", *RESERVED, "frog pot", "solo pot"))


def value_of(option: Option) -> st.SearchStrategy[Any]:
    """Any value that a house rule takes."""
    if option.kind is OptionKind.AMOUNT:
        return st.integers(option.least, option.most)
    values: st.SearchStrategy[Any] = st.sampled_from(option.choices)
    if option.kind is not OptionKind.GROUP:
        return values
    members = {member.slug: value_of(member) for member in option.members}
    return values | st.fixed_dictionaries({}, optional=members)


def incidents(seat: st.SearchStrategy[str]) -> dict[str, st.SearchStrategy[Any]]:
    """Claims, spread hands and irregularities with any values, whether or not they fit a hand."""
    card, number, none = st.sampled_from(CARDS), st.integers(1, 99), st.none()
    claim = st.builds(
        Claim,
        st.sampled_from(SIDES) | seat,
        st.integers(0, 12),
        none | st.integers(0, 12),
        none | st.integers(0, 120),
        none | st.lists(card, max_size=4).map(tuple),
    )
    transfers = st.lists(st.builds(Transfer, seat, seat, number), max_size=3).map(tuple)
    irregularity = st.builds(
        Irregularity,
        st.sampled_from(WHAT),
        st.sampled_from(SETTLED),
        none | seat,
        none | st.integers(1, 12),
        none | card,
        none | transfers,
    )
    return {
        "claimed": none | claim,
        "spread": none | st.builds(Spread, card),
        "irregular": none | st.lists(irregularity, max_size=3).map(tuple),
    }


@st.composite
def hands(draw: st.DrawFn, games: tuple[str, ...] = tuple(GAMES)) -> HandRecord:
    """A legal hand of one of the games, at the depth of contract and result."""
    sheet = GAMES[draw(st.sampled_from(games))]
    seats = draw(st.sampled_from(sheet.seats))
    variant = draw(st.sampled_from([None, *(variant.slug for variant in sheet.variants)]))
    chosen = draw(st.lists(st.sampled_from(sheet.options), unique_by=lambda option: option.slug))
    options = {option.slug: draw(value_of(option)) for option in chosen}
    rules = sheet.rules(variant, options, seats)
    players = tuple(
        draw(st.lists(NAMES, min_size=seats, max_size=seats, unique_by=(name_key, _look)))
    )
    dealer = draw(st.sampled_from(players))
    extra: dict[str, Any] = {}
    if isinstance(rules.settlement, WithPots):
        # Antes, and as much again from a loser, have to go into a pot.
        antes = seats * rules.settlement.stake * rules.settlement.solo_factor
        assume(2 * (99 + antes) <= LARGEST)
        extra["pots"] = draw(st.builds(Pots, st.integers(0, 99), st.integers(0, 99)))
    if "blind_round" in rules.keys and draw(st.booleans()):
        others = [name for name in players if name != rules.table(players, dealer).lead]
        done = draw(st.lists(st.sampled_from(others), unique=True))
        extra["blind_round"] = BlindRound(tuple(done), draw(st.integers(0, 2)))
    if rules.all_pass is None and draw(st.integers(0, 9)) == 0:
        contract = Contract(bid="pass")
    else:
        contract = draw(_contracts(rules, rules.table(players, dealer)))
        extra |= draw(_results(rules, rules.by_slug[str(contract.bid)], contract))
    return HandRecord(sheet.slug, players, dealer, variant, options, contract=contract, **extra)


@st.composite
def _contracts(draw: st.DrawFn, rules: Rules, table: SeatingTable) -> Contract:
    bid = draw(st.sampled_from(rules.bids))
    bidder = table.lead if bid.lead_only else draw(st.sampled_from(table.active))
    opponents = table.opponents(bidder)
    trump = draw(st.sampled_from(bid.trumps)) if bid.trumps else None
    partner = alone = called = None
    if bid.has_partner:
        alone = draw(st.sampled_from([None, True])) if rules.game == "crazy-solo" else None
        partner = None if alone else draw(st.sampled_from(opponents))
    if bid.calls:
        called = draw(st.sampled_from([None, *bid.calls.choices(rules.pack.cards, trump, None)]))
    doubled = redoubled = None
    if "contract.doubled" in rules.keys:
        doubled = tuple(draw(st.lists(st.sampled_from(opponents), unique=True)))
        redoubled = doubled[: draw(st.integers(0, len(doubled)))] or None
    announced = None
    if "contract.announced_tout" in rules.keys:
        announced = draw(st.sampled_from([None, False, True]))
    return Contract(bidder, bid.slug, trump, called, partner, alone, doubled, redoubled, announced)


@st.composite
def _results(draw: st.DrawFn, rules: Rules, bid: Bid, contract: Contract) -> dict[str, Any]:
    if draw(st.booleans()) and bid.concessions:
        return {"conceded": draw(st.sampled_from(bid.concessions))}
    if "matadors" in rules.keys:
        return draw(_tricks(rules, bid, contract))
    points = draw(st.sampled_from(sorted(rules.pack.countable)))
    extra: dict[str, Any] = {"points": points}
    if "tricks_won" in bid.result_keys:
        worths = sorted(map(rules.pack.points, rules.pack.cards))
        size = len(worths) // rules.tricks  # of a misère's tricks, without the widow
        fitting = [
            tricks
            for tricks in range(rules.tricks + 1)
            if sum(worths[: tricks * size]) <= points <= sum(worths[len(worths) - tricks * size :])
        ]
        extra["tricks_won"] = draw(st.sampled_from(fitting))
    return extra


@st.composite
def _tricks(draw: st.DrawFn, rules: Rules, bid: Bid, contract: Contract) -> dict[str, Any]:
    """German Solo's result: tricks in a row won, then perhaps stopped, then the rest."""
    needed = {8: 5, 6: 4}[rules.tricks]
    first = draw(st.booleans())
    result: dict[str, Any] = {
        "first_tricks_won": first,
        "matadors": draw(st.sampled_from(["declarers", "defenders", "split"])),
    }
    if first and not contract.announced_tout and draw(st.booleans()):
        result |= {"stopped": True, "tricks_won": needed}
    else:
        least, most = (needed, rules.tricks) if first else (0, rules.tricks - 1)
        result["tricks_won"] = draw(st.integers(least, most))
    if bid.has_partner and not contract.announced_tout:
        result["asked_partner"] = draw(st.booleans())
    return result
