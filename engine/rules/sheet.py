"""A game as data: `Sheet` says what it offers, `Rules` are its parts put together for one table."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.cards.cache import Cache
from engine.cards.card_sets import BITS
from engine.cards.cards import Card, Pack
from engine.cards.dealing import Dealing
from engine.cards.ranking import ACE_TEN_RANKS, CardOrder, Ranking
from engine.errors import Violation, refuse_any, show
from engine.phases.bidding.auction import Auction, Ladder, Procedure
from engine.phases.bidding.procedures import Duty
from engine.phases.tricks import Play
from engine.record import Contract
from engine.rules.aims import Result
from engine.rules.bids import Bid
from engine.rules.card_points import Tally
from engine.rules.changes import VERSION, RuleChange, since
from engine.rules.options import Option, OptionValue, Plain, check, resolve, with_defaults
from engine.rules.seating import Seating, SeatingTable
from engine.rules.settlement import Payout, Settlement
from engine.rules.tariffs import Price
from engine.words.sentences import later, say

CHIPS, SCORE = "chips", "score"
"""What results are counted in: chips that one player pays another, or a score that nobody pays (003)."""


class Variant(NamedTuple):
    """A named way to play a game, with the defaults it gives the house rules."""

    slug: str
    title: str
    summary: str
    defaults: Mapping[str, Plain] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What a table has agreed on: variant, every house rule's value, and how many sit there.

    `house["rounding"]` is a house rule's value, which its option has checked. `undone` are the slugs of
    the rule changes made since the engine version that these rules are built for.
    """

    variant: str | None
    options: Mapping[str, OptionValue]
    seats: int
    undone: frozenset[str] = frozenset()

    def __getitem__(self, slug: str) -> Any:
        return self.options[slug]

    def before(self, change: str) -> bool:
        """Return whether these rules are older than a change of `engine.rules.changes`."""
        return change in self.undone


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The seats of one hand, with results that recur for them.

    `auctions` maps valid calls and the stated contract to the resulting contract, `terms` the two sides and
    the outcome to the payments for an amount of 1.
    """

    table: SeatingTable
    # Cached for the benchmark rules: following an auction takes a sixth of the time of scoring a hand with
    # cards.
    auctions: Cache[Hashable, Contract] = field(default_factory=lambda: Cache(512))
    # Cached for the benchmark rules: the terms take a tenth of the time of scoring a hand without cards.
    terms: Cache[Hashable, Payout] = field(default_factory=lambda: Cache(512))


@dataclass(frozen=True)
class Rules:
    """The rules of one game at one table. `bids` run from low to high.

    `keys` are the keys of a record (`contract.…` for those of the contract) that only some games
    have and this one does, what its bids are judged by among them; others of their kind are refused.
    `all_pass` is the bid that somebody must play when all pass; without one the cards are thrown in,
    and `moves_on_all_pass` says whether the deal then moves left. With `may_declare_more` the contract
    may be higher than the bid that won.
    """

    game: str
    variant: str | None
    seats: int
    options: Mapping[str, OptionValue]
    bids: tuple[Bid, ...]
    pack: Pack
    seating: Seating
    tally: Tally
    settlement: Settlement
    moves_on_all_pass: bool
    tricks: int
    dealing: Dealing
    bidding: Procedure
    ranking: Ranking = ACE_TEN_RANKS
    all_pass: str | None = None
    duty: Duty | None = None
    forcing: Card | None = None
    may_declare_more: bool = False
    keys: frozenset[str] = frozenset()
    by_slug: Mapping[str, Bid] = field(init=False, repr=False, compare=False)
    """The bids by their slugs."""
    judged_by: Mapping[str, Callable[[Result], Hashable]] = field(
        init=False, repr=False, compare=False
    )
    """For each bid the function that returns the part of a result that decides it."""
    ladder: Ladder = field(init=False, repr=False, compare=False)
    """The bids of the auction in their order."""
    cards_bind: bool = field(init=False, repr=False, compare=False)
    """Whether a hand's cards can require or forbid a call, or decide who plays when all pass."""
    # Cached for the benchmark rules: pricing a result takes a tenth of the time of scoring a hand without
    # cards.
    prices: Cache[Hashable, Price] = field(
        default_factory=lambda: Cache(4096), init=False, repr=False, compare=False
    )
    # Cached for the benchmark rules: the cached terms and auctions of a table are found by its plan.
    _plans: Cache[Hashable, Plan] = field(
        default_factory=lambda: Cache(256), init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        asked = {key for bid in self.bids for key in bid.asks}
        traded = {"exchange" for bid in self.bids if bid.trade}
        ladder = self.bidding.ladder(tuple(bid.slug for bid in self.bids if bid.biddable))
        bound = self.duty or ladder.preferred or self.forcing is not None
        for name, value in {
            "keys": self.keys | asked | traded,
            "by_slug": {bid.slug: bid for bid in self.bids},
            "judged_by": {
                bid.slug: attrgetter(*(key.removeprefix("contract.") for key in bid.asks))
                for bid in self.bids
            },
            "ladder": ladder,
            "cards_bind": bool(bound or any(bid.lead_only for bid in self.bids)),
        }.items():
            object.__setattr__(self, name, value)

    def auction(self, seats: tuple[str, ...]) -> Auction:
        """Open the auction; `seats` are the active ones from eldest hand."""
        return Auction(self.bidding, seats, self.ladder)

    def play(
        self,
        bid: Bid,
        contract: Contract,
        seats: tuple[str, ...],
        bidder: int,
        hands: tuple[int, ...],
    ) -> Play:
        """Open the play of a contract; seats count from eldest hand, who leads but in a spread misère.

        There the next active seat left of the bidder does (002).
        """
        order, leader = self.opening(bid, contract, len(seats), bidder)
        return Play.begin(order, seats, hands, leader)

    def opening(
        self, bid: Bid, contract: Contract, seats: int, bidder: int
    ) -> tuple[CardOrder, int]:
        """Return the order of the cards under a contract, and the place that leads."""
        calls = bid.calls
        called = contract.called if calls is not None and calls.must_play else None
        trump = contract.trump or (bid.trumps[0] if bid.trumps else None)
        if calls is None or called is None:
            order = self.ranking.under(trump)
        else:
            order = self.ranking.under(trump, BITS[called], must_lead=calls.must_lead)
        return order, (bidder + 1) % seats if bid.left_leads else 0

    def plan(self, players: tuple[str, ...], dealer: str, active: tuple[str, ...] | None) -> Plan:
        """Seat the players for one hand, with what is known of it already; `Refused` as `table` is."""
        key = (players, dealer, active)
        return self._plans.get(key) or self._plans.keep(key, Plan(self.table(*key)))

    @property
    def numbers(self) -> Mapping[str, int]:
        """The numbers that `engine.record.results` names: of tricks, and of those that let the side stop."""
        return {"tricks": self.tricks, "needed": self.tally.stops_after}

    def table(
        self, players: tuple[str, ...], dealer: str, active: tuple[str, ...] | None = None
    ) -> SeatingTable:
        """Seat the players for one hand; `Refused` where dealer or active seats cannot be."""
        return self.seating.table(tuple(players), dealer, active and tuple(active))


@dataclass(frozen=True, eq=False)
class Sheet:
    """What a game offers: variants, house rules, how many may sit at the table.

    The first variant is the default; a game without variants has none. `build` composes the rules
    for what a table has agreed on. `stack` are the chips that its rules give each player to begin with.
    `bidder` is what the game calls whoever plays the contract, `unit` what its results are counted in.
    """

    slug: str
    title: str
    summary: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    build: Callable[[HouseRules], Rules]
    variants: tuple[Variant, ...] = ()
    stack: int = 0
    bidder: str = "bidder"
    unit: str = CHIPS
    experimental: bool = False
    # Cached for the benchmark rules: building rules takes ten times as long as scoring a hand.
    _built: Cache[object, Rules] = field(
        default_factory=lambda: Cache(1024), init=False, repr=False, compare=False
    )

    @property
    def default_variant(self) -> str | None:
        """The variant that is played when a record names none."""
        return self.variants[0].slug if self.variants else None

    def variant(self, slug: str | None) -> Variant | None:
        """Find a variant by its slug, the default one for `None`; `None` where there is none."""
        wanted = self.default_variant if slug is None else slug
        return next((each for each in self.variants if each.slug == wanted), None)

    def options_of(self, variant: str | None) -> tuple[Option, ...]:
        """List the house rules with the defaults of a variant."""
        found = self.variant(variant)
        return with_defaults(self.options, found.defaults if found else {})

    def rules(
        self,
        variant: str | None,
        options: Mapping[str, object],
        seats: int,
        version: str = VERSION,
    ) -> Rules:
        """Return the rules of an engine version, built once for the same arguments.

        Raises `Refused` for an unknown variant or house rule, or a wrong number of players.
        """
        # True and 1 are equal as keys but not as house rules, so the types are part of the key.
        chosen = [(slug, type(value), str(value)) for slug, value in options.items()]
        changes = since(version, self.slug, variant or self.default_variant)
        key = (variant, seats, changes and version, *chosen)
        return self._built.get(key) or self._built.keep(
            key, self._compose(variant, options, seats, changes)
        )

    def _compose(
        self,
        variant: str | None,
        chosen: Mapping[str, object],
        seats: int,
        changes: tuple[RuleChange, ...],
    ) -> Rules:
        problems = []
        found = self.variant(variant)
        if variant is not None and found is None:
            slugs = tuple(each.slug for each in self.variants)
            none = later("{game:term} has no variant {variant}; leave `rules` out.")
            some = later("{game:term} has no variant {variant}; it is played as {variants:or}.")
            message = say(
                some if slugs else none, game=self.title, variant=show(variant), variants=slugs
            )
            problems.append(Violation("unknown-variant", message, {"field": "rules"}, slugs))
        if seats not in self.seats:
            one = later("{game:term} is played by {fewest} at the table, not by {seats}.")
            several = later(
                "{game:term} is played by {fewest} to {most} at the table, not by {seats}."
            )
            message = say(
                several if len(self.seats) > 1 else one,
                game=self.title,
                fewest=self.seats[0],
                most=self.seats[-1],
                seats=seats,
            )
            legal = tuple(map(str, self.seats))
            problems.append(Violation("table-size", message, {"field": "players"}, legal))
        offered = self.options_of(variant)
        for change in reversed(changes):
            offered = with_defaults(offered, change.defaults)
        problems += check(offered, chosen)
        refuse_any(problems)
        values = MappingProxyType(resolve(offered, chosen))
        undone = frozenset(change.slug for change in changes)
        return self.build(HouseRules(found.slug if found else None, values, seats, undone))
