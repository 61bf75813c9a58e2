"""What the hand form asks next, and what may be chosen there.

Pure: it asks the game's ``Rules``, never which game it is. Nothing impossible is offered.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from engine import games
from engine.cards.card_sets import cards_of
from engine.cards.cards import RANKS, Card, Suit
from engine.errors import Refused
from engine.record.parts import BlindRound
from engine.results import Key, Said
from engine.rules.bids import Bid
from engine.rules.calling import Own
from engine.rules.seating import Table
from engine.rules.sheet import Rules
from engine.rules.turns import Turn
from ledger.web.fields import NO, QUESTIONS, YES, states

NOBODY = "<nobody>"
"""Sent as the bidder where all passed. No player's name can hold a bracket."""

ALONE = "<alone>"
"""Sent as the partner where the caller called a card of their own."""

_RANKS = {"A": "ace", "T": "ten", "K": "king", "Q": "queen", "J": "jack"}


@dataclass(frozen=True)
class HandChoices:
    """A hand half recorded, and what it may still say.

    ``chosen`` holds the inputs by name, empty ones left out, and ``doubled`` and ``redoubled`` the names
    marked so. ``turn`` says whose turn it is, ``dealer`` who dealt this hand; ``active``
    is the trio named in place of the one that follows from the dealer.
    """

    rules: Rules
    names: tuple[str, ...]
    turn: Turn
    dealer: str
    active: tuple[str, ...] | None
    chosen: Mapping[str, str]
    marked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def bidder_word(self) -> str:
        """What the game calls whoever plays the contract."""
        return games.find(self.rules.game).bidder

    # --- who sits where -------------------------------------------------------------------------

    @cached_property
    def table(self) -> Table:
        """The seats of this hand; the ones that follow from the dealer where others can't be."""
        try:
            return self.rules.table(self.names, self.dealer, self.active)
        except Refused:
            dealer = self.dealer if self.dealer in self.names else self.names[0]
            return self.rules.table(self.names, dealer)

    @property
    def proposed(self) -> str:
        """Who is to deal."""
        return self.turn.dealer

    @property
    def may_be_blind(self) -> bool:
        """Whether a blind round can be played."""
        return any(bid.lead_only for bid in self.rules.bids)

    @property
    def blind_round(self) -> BlindRound | None:
        """The blind round that the hand is part of: the one under way, or one that begins with it."""
        said = self.chosen.get("blind_round")
        if said == NO or not self.may_be_blind:
            return None
        return self.blind_under_way or (BlindRound() if said == YES else None)

    @property
    def blind_under_way(self) -> BlindRound | None:
        """The blind round that is under way, where this dealer lets it go on."""
        return self.turn.dealt_by(self.table.dealer).blind

    @property
    def under(self) -> str | None:
        """Who is under."""
        return None if self.blind_round is None else self.table.lead

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
        """The other players but the bidder, clockwise; everybody while that is not said."""
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
        offered = calls.choices(self.rules.pack.cards, self.trump, None)
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
                    f"A {then}: the {self.bidder_word} holds every {first}",
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
        """Who else may hold the called card, other than the caller, clockwise."""
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

    # --- the result -----------------------------------------------------------------------------

    @cached_property
    def said(self) -> Said:
        """What was said of the result so far, of all that the bid may ask."""
        questions = self.bid.questions if self.bid else ()
        answers = (
            states(key, self.chosen[key.name]) for key in questions if key.name in self.chosen
        )
        return {name: value for answer in answers for name, value in answer.items()}

    @cached_property
    def questions(self) -> tuple[Key, ...]:
        """What is asked of the result now, each with the choices that are left."""
        return self.bid.asked(self.said, self.rules.numbers) if self.bid else ()

    @property
    def unasked(self) -> tuple[str, ...]:
        """The inputs for the result that are not shown."""
        asked = {key.name for key in self.questions}
        return tuple(key.name for key in QUESTIONS if key.name not in asked)

    def question(self, name: str) -> Key | None:
        """What is asked of a key now; nothing where it is not."""
        return next((key for key in self.questions if key.name == name), None)

    def say(self, words: str) -> str:
        """Fill in what the game calls things."""
        bidder, bid = self.bidder_word, self.bid
        return words.format(
            bidder=bidder,
            side=f"{bidder}'s side" if bid and bid.has_partner else bidder,
            counts=bid.counts if bid else "",
            total=self.rules.pack.total,
            **self.rules.numbers,
        )

    def cards(self, key: Key) -> tuple[Card, ...]:
        """The cards that a question is about, once trump is known."""
        matadors = self.rules.ranking.matadors(self.trump) if self.trump else 0
        return {"matadors": cards_of(matadors)}.get(key.shows, ())

    def complement(self, key: Key) -> str:
        """What the other side's count would be: shown faintly where it may be typed."""
        mine = (each.name for each in self.questions if each.other_side_of == key.name)
        theirs = self.said.get(key.other_side_of or next(mine, ""))
        total = self.rules.pack.total
        return str(total - theirs) if isinstance(theirs, int) and 0 <= theirs <= total else ""
