"""What the hand form asks next, and what may be chosen there.

Pure: it asks the game's ``Rules``, never which game it is. Nothing impossible is offered.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.cards.card_sets import cards_of
from engine.cards.cards import RANKS, Card, Suit
from engine.errors import Refused
from engine.results import RESULT
from engine.rules.bids import Bid
from engine.rules.calling import Own
from engine.rules.seating import Table
from engine.rules.sheet import Rules

NOBODY = "<nobody>"
"""Sent as the bidder where all passed. No player's name can hold a bracket."""

ALONE = "<alone>"
"""Sent as the partner where the caller called a card of their own."""

LOST, STOPPED, PLAYED_ON = "lost", "stopped", "on"
"""Sent for how the first tricks went: not all won; won and stopped there; won and played on."""

_RANKS = {"A": "ace", "T": "ten", "K": "king", "Q": "queen", "J": "jack"}


@dataclass(frozen=True, slots=True)
class Offers:
    """A hand half written down, and what it may still say.

    ``chosen`` holds the inputs by name, empty ones left out, and ``doubled`` and ``redoubled`` the names
    marked so. ``proposed`` is the dealer by rotation, ``dealer`` the one this hand had; ``active``
    the trio named in place of the one that follows from the dealer.
    """

    rules: Rules
    names: tuple[str, ...]
    proposed: str
    dealer: str
    active: tuple[str, ...] | None
    chosen: Mapping[str, str]
    marked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    # --- who sits where -------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The seats of this hand; the ones that follow from the dealer where others can't be."""
        try:
            return self.rules.table(self.names, self.dealer, self.active)
        except Refused:
            dealer = self.dealer if self.dealer in self.names else self.names[0]
            return self.rules.table(self.names, dealer)

    @property
    def some_sit_out(self) -> bool:
        """Whether more sit at the table than play."""
        return bool(self.table.idle)

    @property
    def bidders(self) -> tuple[str, ...]:
        """Who may have bid; nobody, too, where the cards are then thrown in."""
        return (*self.table.active, *(() if self.rules.all_pass else (NOBODY,)))

    @property
    def all_passed(self) -> bool:
        """Whether nobody bid."""
        return self.chosen.get("bidder") == NOBODY

    @property
    def opponents(self) -> tuple[str, ...]:
        """Who plays besides the bidder, clockwise; everybody while that is not said."""
        table, bidder = self.table, self.chosen.get("bidder")
        return table.opponents(bidder) if bidder in table.active else table.active

    # --- the contract ---------------------------------------------------------------------------

    @property
    def bid(self) -> Bid | None:
        """The bid chosen."""
        return self.rules.by_slug.get(self.chosen.get("bid", ""))

    @property
    def bids(self) -> tuple[Bid, ...]:
        """The bids that this bidder could have made; before one is chosen, that anybody could.

        The one that somebody plays where all pass comes last.
        """
        if self.all_passed:
            return ()
        on_the_lead = self.chosen.get("bidder") == self.table.lead
        offered = (bid for bid in self.rules.bids if on_the_lead or not bid.lead_only)
        return tuple(sorted(offered, key=self.is_forced))

    def is_forced(self, bid: Bid) -> bool:
        """Whether somebody must play it because all passed."""
        return bid.slug == self.rules.all_pass

    @property
    def trumps(self) -> tuple[Suit, ...]:
        """The suits to choose from; one alone is not a choice."""
        return self.bid.trumps if self.bid and len(self.bid.trumps) > 1 else ()

    @property
    def trump(self) -> Suit | None:
        """The trump suit, chosen or said by the bid."""
        if self.bid and len(self.bid.trumps) == 1:
            return self.bid.trumps[0]
        return next((suit for suit in self.trumps if suit == self.chosen.get("trump")), None)

    @property
    def called_cards(self) -> list[tuple[str, tuple[Card, ...]]]:
        """The cards that may be called, in rows, each with what to say of it where it is folded away.

        Where only some ranks may be called, those come first, then what is called by who holds them
        all; where any may, the trump suit comes first, then the others.
        """
        if not self.bid or not self.bid.calls:
            return []
        calls = self.bid.calls
        offered = calls.choices(self.rules.deck, self.trump, None)
        if calls.first == RANKS:
            suits = sorted(Suit, key=lambda suit: suit is not self.trump)
            rows = [("Another suit", [c for c in offered if c.suit is suit]) for suit in suits]
        else:
            first, then = (
                " or ".join(_RANKS.get(rank, rank) for rank in ranks)
                for ranks in (calls.first, calls.then)
            )
            rows = [
                (
                    f"A {then}: the {self.rules.bidder} holds every {first}",
                    [c for c in offered if c.rank in ranks],
                )
                for ranks in (calls.first, calls.then)
            ]
        return [(said, tuple(sorted(cards, reverse=True))) for said, cards in rows if cards]

    @property
    def called_elsewhere(self) -> bool:
        """Whether the called card is in another row than the first."""
        first = next(iter(self.called_cards), ("", ()))[1]
        called = self.chosen.get("called")
        return bool(first) and called is not None and called not in map(str, first)

    @property
    def partners(self) -> tuple[str, ...]:
        """Who may hold the called card besides the caller, clockwise."""
        return self.opponents if self.bid and self.bid.has_partner else ()

    @property
    def may_be_alone(self) -> bool:
        """Whether who calls a card of their own plays alone."""
        bid = self.bid
        return bool(bid and bid.has_partner and not (bid.calls and bid.calls.own is not Own.ALONE))

    @property
    def may_double(self) -> tuple[str, ...]:
        """Who may have doubled the bid."""
        bid_made = self.bid and self.chosen.get("bidder") in self.table.active
        return self.opponents if bid_made and "contract.doubled" in self.rules.keys else ()

    @property
    def may_be_redoubled(self) -> tuple[str, ...]:
        """Whose double the bidder may have answered."""
        return tuple(name for name in self.may_double if name in self.marked.get("doubled", ()))

    @property
    def may_announce(self) -> bool:
        """Whether every trick may have been announced; not by who asked for the partner."""
        can = self.bid and "contract.announced_tout" in self.rules.keys
        return bool(can and "asked_partner" not in self.chosen)

    # --- the count ------------------------------------------------------------------------------

    def asks(self, key: str) -> bool:
        """Whether the bid is judged by a key of the record, and was not given up."""
        return bool(self.bid and key in self.bid.asks and "conceded" not in self.chosen)

    @property
    def asks_points_against(self) -> bool:
        """Whether the others' count says as much as the bidding side's."""
        return self.asks("points") and bool(
            self.bid and self.bid.aim.counting.outside == frozenset({0})
        )

    @property
    def tricks(self) -> tuple[str, ...]:
        """How many tricks may have been won, where they alone are what counts."""
        if not self.asks("tricks_won") or self.asks("points"):
            return ()
        return tuple(map(str, range(self.rules.tricks + 1)))

    @property
    def matadors(self) -> dict[str, str]:
        """To whom all the matadors may have been dealt, and how that is said."""
        if not self.asks("matadors"):
            return {}
        said = (f"{self.rules.bidder.capitalize()}’s side", "Defenders", "Split")
        return dict(zip(RESULT["matadors"].words, said, strict=True))

    @property
    def matador_cards(self) -> tuple[Card, ...]:
        """The cards that are matadors, once trump is known."""
        return cards_of(self.rules.ranking.matadors(self.trump)) if self.trump else ()

    @property
    def first_tricks(self) -> dict[str, str]:
        """How the first tricks may have gone, where the number won leaves that open.

        Who wins them all may stop there; who plays on goes for every trick, unless they have asked for
        the partner. Who announced that plays on anyhow.
        """
        needed = self.rules.tally.stops_after
        won = self.chosen.get("tricks_won")
        if not self.asks("first_tricks_won") or "announced_tout" in self.chosen:
            return {}
        if won not in self.tricks or not needed <= int(won) < self.rules.tricks:
            return {}
        asked = "asked_partner" in self.chosen
        stopped = {STOPPED: "All won, then stopped: prime"} if int(won) == needed else {}
        if asked and not stopped:
            return {}
        on = "All won, and played on" + ("" if asked else ": tout")
        return {LOST: "Not all won", **stopped, PLAYED_ON: on}

    @property
    def may_ask_partner(self) -> bool:
        """Whether the bidder may have asked who the partner is; not after announcing every trick."""
        asked = self.asks("asked_partner") and "announced_tout" not in self.chosen
        return bool(asked and self.bid and self.bid.has_partner)
