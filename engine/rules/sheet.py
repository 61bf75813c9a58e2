"""A game as data: the `Sheet` with its variants and house rules, and the `Rules` built for one table."""

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
from engine.errors import Violation, refuse_any, show, suggest
from engine.phases.bidding.auction import Auction, Ladder, Procedure
from engine.phases.bidding.procedures import Duty
from engine.phases.tricks import Play
from engine.record import PASS, Contract
from engine.record.parts import BlindRound
from engine.rules.aims import Result
from engine.rules.bids import Bid
from engine.rules.card_points import Tally
from engine.rules.changes import VERSION, RuleChange, since
from engine.rules.options import Option, OptionValue, Plain, check, resolve, with_defaults
from engine.rules.seating import Seating, SeatingTable, is_repeated, left_of
from engine.rules.settlement import Payout, Settlement
from engine.rules.tariffs import Price
from engine.rules.verdict import NextTurn
from engine.words.sentences import later, say

CHIPS, SCORE = "chips", "score"
"""The units of results: chips that players pay each other, or scores without payments (003)."""


class Variant(NamedTuple):
    """A named way to play a game, with its defaults for the house rules."""

    slug: str
    title: str
    summary: str
    defaults: Mapping[str, Plain] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class HouseRules:
    """A table's variant, valid house rules and number of players.

    `house["rounding"]` is the value of a house rule. `undone` are the slugs of the rule changes since the
    engine version that the rules are built for.
    """

    variant: str | None
    options: Mapping[str, OptionValue]
    seats: int
    undone: frozenset[str] = frozenset()

    def __getitem__(self, slug: str) -> Any:
        return self.options[slug]

    def before(self, change: str) -> bool:
        """Return whether these rules are older than a rule change, given by its slug."""
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
    """The rules of one game at one table, with `bids` from low to high.

    `keys` are the record keys that not every game has and this one allows, among them those of its bids
    (`contract.…` for keys of the contract). `all_pass` is the bid that must be played if all pass; without
    one the hand is thrown in, and the deal moves left if `moves_on_all_pass`. With `may_declare_more` the
    contract may be higher than the winning bid.
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
        bid_keys = {key for bid in self.bids for key in bid.result_keys}
        exchange_key = {"exchange" for bid in self.bids if bid.trade}
        ladder = self.bidding.ladder(tuple(bid.slug for bid in self.bids if bid.biddable))
        bound = self.duty or ladder.preferred or self.forcing is not None
        for name, value in {
            "keys": self.keys | bid_keys | exchange_key,
            "by_slug": {bid.slug: bid for bid in self.bids},
            "judged_by": {
                bid.slug: attrgetter(*(key.removeprefix("contract.") for key in bid.result_keys))
                for bid in self.bids
            },
            "ladder": ladder,
            "cards_bind": bool(bound or any(bid.lead_only for bid in self.bids)),
        }.items():
            object.__setattr__(self, name, value)

    def auction(self, seats: tuple[str, ...]) -> Auction:
        """Return the auction before its first call; `seats` are the active ones from eldest hand."""
        return Auction(self.bidding, seats, self.ladder)

    def play(
        self,
        bid: Bid,
        contract: Contract,
        seats: tuple[str, ...],
        bidder: int,
        hands: tuple[int, ...],
    ) -> Play:
        """Return the play of a contract before its first card.

        `bidder` is a place in `seats`, which begin with eldest hand; `hands` are sets of cards (bits).
        """
        order, leader = self.opening(bid, contract, len(seats), bidder)
        return Play.begin(order, seats, hands, leader)

    def opening(
        self, bid: Bid, contract: Contract, seats: int, bidder: int
    ) -> tuple[CardOrder, int]:
        """Return the order of the cards under a contract, and the place of the leader among the seats.

        Places count from eldest hand, 0, who leads; in a spread bid the seat left of the bidder does (002).
        """
        calls = bid.calls
        called = contract.called if calls is not None and calls.must_play else None
        trump = contract.trump or (bid.trumps[0] if bid.trumps else None)
        if calls is None or called is None:
            order = self.ranking.under(trump)
        else:
            order = self.ranking.under(trump, BITS[called], must_lead=calls.must_lead)
        return order, (bidder + 1) % seats if bid.is_spread else 0

    def plan(self, players: tuple[str, ...], dealer: str, active: tuple[str, ...] | None) -> Plan:
        """Return the seats of a hand with caches of results; the same object for the same arguments.

        Raises `Refused` as `table` does.
        """
        key = (players, dealer, active)
        return self._plans.get(key) or self._plans.keep(key, Plan(self.table(*key)))

    def turn_after(self, table: SeatingTable, bid: str, blind: BlindRound | None) -> NextTurn:
        """Return the next dealer and lead after a hand with this bid, or after an all-pass (`pass`).

        The deal moves left, unless all passed and the game lets the dealer stay. In a blind round the dealer
        stays only if the same player is under again. The lead is the seat left of the new dealer.
        """
        stays = bid == PASS and not self.moves_on_all_pass
        if blind is not None:
            stays = is_repeated(bid, blind)
        dealer = table.dealer if stays else left_of(table.players, table.dealer)
        return NextTurn(dealer, left_of(table.players, dealer))

    @property
    def widow_size(self) -> int:
        """The number of cards of the pack that are dealt to no seat."""
        return len(self.pack.cards) - self.tricks * (self.seating.count or self.seats)

    @property
    def numbers(self) -> Mapping[str, int]:
        """The numbers to which result keys refer by name: `tricks` of a hand, and `needed` to stop."""
        return {"tricks": self.tricks, "needed": self.tally.stops_after}

    def table(
        self, players: tuple[str, ...], dealer: str, active: tuple[str, ...] | None = None
    ) -> SeatingTable:
        """Return the seats of a hand; `active` is `None` for those that play by default.

        Raises `Refused` for an unknown dealer or invalid active seats.
        """
        return self.seating.table(tuple(players), dealer, active and tuple(active))


@dataclass(frozen=True, eq=False)
class Sheet:
    """The variants, house rules and table sizes of a game.

    The first variant is the default. `build` builds the rules from a table's house rules. `stack` is the
    number of chips that each player starts with, `bidder` the game's word for the bidder, `unit` the unit of
    its results. `other_names` are those under which the sources know the game, in their own spelling.
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
    other_names: tuple[str, ...] = ()
    experimental: bool = False
    # Cached for the benchmark rules: building rules takes ten times as long as scoring a hand.
    _built: Cache[object, Rules] = field(
        default_factory=lambda: Cache(1024), init=False, repr=False, compare=False
    )

    @property
    def default_variant(self) -> str | None:
        """The variant of a record that names none; `None` for a game without variants."""
        return self.variants[0].slug if self.variants else None

    def variant(self, slug: str | None) -> Variant | None:
        """Return the variant with a slug, for `None` the first one; `None` if there is no such variant."""
        slug = self.default_variant if slug is None else slug
        return next((variant for variant in self.variants if variant.slug == slug), None)

    def options_of(self, variant: str | None) -> tuple[Option, ...]:
        """Return the house rules with the defaults of a variant; an unknown one changes no default."""
        chosen = self.variant(variant)
        return with_defaults(self.options, chosen.defaults if chosen else {})

    def rules(
        self, variant: str | None, options: Mapping[str, object], seats: int, version: str = VERSION
    ) -> Rules:
        """Return the rules of a variant with house rules for a number of players, as of an engine version.

        They are built once for the same arguments. Raises `Refused` for an unknown variant or house rule, an
        invalid value, or a wrong number of players.
        """
        # True and 1 are equal as keys but not as house rules, so the types are part of the key.
        chosen = [(slug, type(value), str(value)) for slug, value in options.items()]
        changes: tuple[RuleChange, ...] = ()
        if version != VERSION:
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
        """Return new rules after checking the arguments, without the rule changes in `changes`.

        Raises `Refused` with all violations.
        """
        problems = []
        named = self.variant(variant)
        if variant is not None and named is None:
            slugs = tuple(variant.slug for variant in self.variants)
            none = later("{game:term} has no variant {variant}; leave `rules` out.")
            some = later("{game:term} has no variant {variant}; it is played as {variants:or}.")
            message = say(
                some if slugs else none, game=self.title, variant=show(variant), variants=slugs
            )
            message = suggest(message, variant, slugs)
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
        options = self.options_of(variant)
        for change in reversed(changes):
            options = with_defaults(options, change.defaults)
        problems += check(options, chosen)
        refuse_any(problems)
        values = MappingProxyType(resolve(options, chosen))
        undone = frozenset(change.slug for change in changes)
        return self.build(HouseRules(named.slug if named else None, values, seats, undone))
