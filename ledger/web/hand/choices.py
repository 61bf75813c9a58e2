"""What the hand form asks next, and what may be chosen there.

Pure: it goes by the description that is made of the game's ``Rules``. Nothing impossible is offered.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from engine import games
from engine.cards.cards import Suit
from engine.errors import Refused
from engine.record.parts import BlindRound
from engine.rules.bids import Bid
from engine.rules.seating import SeatingTable
from engine.rules.sheet import Rules
from engine.rules.turns import Turn
from ledger.web.frame.figures import whole
from ledger.web.hand import answers
from ledger.web.hand import data as hand_data
from ledger.web.hand.answers import FormState
from ledger.web.hand.data import BADGES, TURNS
from ledger.web.hand.description import Description, Question
from ledger.web.hand.fields import FIELDS, NO, YES
from ledger.web.hand.questions import NOBODY, describe

ELSEWHERE = ("note", "blind_round")
"""Inputs that are always on the page, or that come with who deals."""


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
    def table(self) -> SeatingTable:
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
    def all_passed(self) -> bool:
        """Whether nobody bid."""
        return self.chosen.get("bidder") == NOBODY

    @property
    def opponents(self) -> tuple[str, ...]:
        """The other players but the bidder, clockwise; everybody while that is not said."""
        table, bidder = self.table, self.chosen.get("bidder")
        return table.opponents(bidder) if bidder in table.active else table.active

    @property
    def data(self) -> str:
        """What the form's script reads."""
        blind, table = self.blind_round, self.table
        goes_on = [name for name in self.names if self.turn.dealt_by(name).blind is not None]
        again = table.lead if blind is not None and blind.heartless else None
        after = {bid.slug: "unknown" for bid in self.rules.bids if bid.lead_only}
        if not self.rules.moves_on_all_pass:
            after[NOBODY] = "stays"
        return hand_data.data(self.description, goes_on, again, after)

    # --- what is asked --------------------------------------------------------------------------

    @cached_property
    def description(self) -> Description:
        """The questions of a hand at this table."""
        return describe(self.rules, self.names)

    @cached_property
    def now(self) -> FormState:
        """What is asked now."""
        table = self.table
        seats = {"active": table.active, "lead": (table.lead,), "dealer": (table.dealer,)}
        said = {name: (text,) for name, text in self.chosen.items()}
        return answers.read(self.description, seats, {**said, **self.marked})

    def offered(self, name: str) -> tuple[str, ...]:
        """What may be answered to a question now; nothing where it is not asked."""
        asked = (each for each in self.now.asked if each.question.name == name)
        return tuple(option.value for each in asked for option in each.offered)

    def asks(self, name: str) -> bool:
        """Whether a question is asked now."""
        return any(each.question.name == name for each in self.now.asked)

    @property
    def bid(self) -> Bid | None:
        """The bid chosen."""
        return self.rules.by_slug.get(self.chosen.get("bid", ""))

    @property
    def trump(self) -> Suit | None:
        """The trump suit, chosen or said by the bid."""
        said = self.now.facts.get("trump", ())
        return next((suit for suit in Suit if suit in said), None)

    @property
    def unasked(self) -> tuple[str, ...]:
        """The inputs that are not shown."""
        return tuple(name for name in FIELDS if not self.asks(name) and name not in ELSEWHERE)

    def badge(self, name: str) -> str:
        """Say what a seat is in this hand besides playing it."""
        table = self.table
        if name == self.under:
            return BADGES["is_under"]
        if name == table.lead:
            return BADGES["leads"]
        if name == table.dealer:
            return BADGES["deals" if name in table.active else "deals_out"]
        return "" if name in table.active else BADGES["out"]

    @property
    def turn_text(self) -> str:
        """The sentence that says who deals, leads and sits out, their names still to come."""
        table, blind = self.table, self.blind_round
        if blind is not None:
            key = "again" if blind.heartless else "under"
        else:
            key = "turn" if not table.idle else "king" if len(table.idle) == 1 else "idle"
        return TURNS[key]

    def called_afar(self, question: Question) -> bool:
        """Whether the called card lies in a row that is folded away."""
        called = self.chosen.get(question.name)
        return any(called in row.cards for row in question.rows if not self.now.near(row.near))

    def complement(self, of: str) -> str:
        """What one side's count would be by the other's: shown faintly where it may be typed."""
        theirs, total = whole(self.chosen.get(of, "")), self.rules.pack.total
        return str(total - theirs) if isinstance(theirs, int) and 0 <= theirs <= total else ""
