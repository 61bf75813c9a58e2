"""The read model of one session for reports, as frozen values that need no database connection.

Amounts are integers in `SessionSummary.unit`, but a hand's in its own unit. Times are aware UTC datetimes. A
tuple of amounts holds one figure per seat, in the order of `SessionSummary.seats`.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any

from engine.record.results import COUNTED
from engine.rules.sheet import CHIPS, SCORE
from engine.words.language import Sentence
from engine.words.sentences import later, say, word
from ledger.database.kinds.hand_actions import BADGES
from ledger.database.kinds.states import HandAction
from ledger.services.hands.preview import AfterLeaving
from ledger.services.money.settle_up import Payment


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A player's line in the standings: rank, winnings, chips in hand and bids."""

    name: str
    balance: Annotated[int, "Chips won or, if negative, lost; where there are none, the score."]
    rank: Annotated[int, "From 1; shared by equal balances."]
    hands_bid: Annotated[int, "The number of hands bid."]
    hands_won: Annotated[int, "The number of these that were won."]
    chips: Annotated[int, "Chips in hand, including those from the bank."] = 0
    scored: Annotated[int, "Points that nobody pays, as German Solo's are; in no chips."] = 0


@dataclass(frozen=True, slots=True)
class EarlierVersion:
    """An earlier version of a hand.

    `action` is a ``HandAction``; `reason` belongs to that action.
    """

    version: int
    action: str
    summary: str
    deltas: Annotated[tuple[int, ...], "One figure per player."]
    reason: str | None
    author: str
    entered_at: datetime
    deed: Annotated[str, "The action, or `undone` or `redone` for an undo or a redo."] = "recorded"


COUNTS: Mapping[str, str] = {"point": later("{n:point|points}"), "trick": later("{n:trick|tricks}")}
"""The sentences that count a result, by the word for its unit."""

UNITS: Mapping[str, str] = {CHIPS: say("Chips"), SCORE: say("Score")}
"""The words for the units that a game counts in."""

_OF_ITS_OWN = (HandAction.CORRECTED, HandAction.RESTORED)
"""The actions that change a hand by itself and leave it standing."""


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand's present version, with the versions it replaced.

    A void hand counts in no sum and leaves `balances` unchanged. `trump` is one of S H D C, `called` a card
    such as "TD". `amount` is paid by or to one opponent. `counts` are the results that decided the hand, by
    their keys. `bid_title` is "Passed out" if everybody passed. A recalculation for other pots that paid
    everybody the same shows in neither `action` nor `previous`.
    """

    number: int
    state: Annotated[str, "`standing` or `void`."]
    version: int
    reason: Annotated[str | None, "Why it was last corrected or voided."]
    game_title: str
    bid_title: str
    bidder: str | None
    partner: str | None
    alone: bool
    trump: str | None
    called: str | None
    counts: Mapping[str, int]
    outcome: str
    amount: int
    deltas: Annotated[
        tuple[int, ...], "One figure per player, in the order of the session's seats."
    ]
    balances: Annotated[
        tuple[int, ...], "The running total of each player after this hand, in its unit."
    ]
    explanation: tuple[str, ...]
    dealer: str
    played_at: datetime
    entered_by: str
    previous: Annotated[
        tuple[EarlierVersion, ...],
        "The versions it replaced, oldest first, without recalculations that paid everybody "
        "the same.",
    ]
    note: Annotated[str | None, "The scorer's note."] = None
    action: Annotated[
        str,
        "What made it as it is: `recorded`, `corrected`, `voided`, `restored`, or `followed` "
        "if it was recalculated after an earlier hand changed, because both were played for "
        "the same pots.",
    ] = "recorded"
    deed: Annotated[str, "The action, or `undone` or `redone` for an undo or a redo."] = "recorded"
    follows: Annotated[int | None, "The changed hand that caused the recalculation."] = None
    variant_title: str | None = None
    unit: Annotated[str, "`chips`, or `score` for points that nobody pays."] = CHIPS
    has_tricks: Annotated[bool, "Whether its tricks are recorded."] = False
    unconfirmed_from: str | None = None
    record: Mapping[str, Any] | None = None

    @property
    def counted(self) -> tuple[tuple[int, str], ...]:
        """The results that decided the hand, each with the word for its unit: ((74, "point"),)."""
        return tuple((value, COUNTED[name]) for name, value in self.counts.items())

    @property
    def points(self) -> int | None:
        """The card points of the bidding side; None if the game doesn't count them."""
        return self.counts.get("points")

    @property
    def unconfirmed(self) -> bool:
        """Whether another device has not confirmed it yet, as the club required when it was entered."""
        return self.unconfirmed_from is not None

    @property
    def is_changed(self) -> bool:
        """Whether it was changed since it was recorded."""
        return self.action != HandAction.RECORDED

    @property
    def badges(self) -> tuple[str, ...]:
        """Short words for a list: the last change, the changed hand that it follows, and "not confirmed".

        A corrected hand keeps that mark if it is recalculated afterwards. A void hand has only "void"; a
        recorded and confirmed one has none.
        """
        if self.state == "void":
            return (say("void"),)
        waiting = (say("not confirmed"),) if self.unconfirmed else ()
        if self.follows is None:
            return (BADGES[self.deed], *waiting) if self.is_changed else waiting
        own = [BADGES[old.action] for old in self.previous if old.action in _OF_ITS_OWN]
        return (*own[-1:], say("follows hand {number}", number=self.follows), *waiting)


@dataclass(frozen=True, slots=True)
class OtherEntry:
    """An entry other than a hand that moved chips.

    It ``counts`` if the chips were won or lost; otherwise they came from the bank or went to it.
    """

    title: str
    counts: bool
    amounts: tuple[int, ...]
    author: str
    reason: str | None
    entered_at: datetime
    entry: int = 0


@dataclass(frozen=True, slots=True)
class InMoney:
    """The money paid for chips of an evening, by seat and in minor units of `currency`.

    `payments` are the fewest that settle this evening alone; there are none while the amounts don't sum to
    zero.
    """

    currency: str
    amounts: tuple[int, ...]
    payments: tuple[Payment, ...]


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """An evening: its place, time and rules, its hands and its outcome.

    Attributes:
        house_rules: One sentence for each rule that differs from the variant's.
        payments: The fewest that leave everybody even.
        instead_of_payments: The sentence shown if there are none.
        unit: The unit counted in.
        bidder: The game's word for the bidder.
        scores_apart: Whether some hands were played for chips and others for scores.
        sat_down: The number of hands before each seat was taken.
        colours: The number of each seat's colour, as on the pages.
        head: The last digest of the journal; it is printed, so that `verify` can look for it later.
        money: The money paid for cashed-in chips.
        unconverted: Whether chips worth money were not cashed in.
        after_leaving: The effects of changed hands on players who had left.
        on_paper: Whether it was scored on paper: it has a result, but no hands.
    """

    club: str
    title: str
    started_on: date
    closed: bool
    game_title: str
    variant_title: str | None
    house_rules: tuple[str, ...]
    seats: tuple[str, ...]
    standings: tuple[SeatLine, ...]
    hands: tuple[HandLine, ...]
    payments: tuple[Payment, ...]
    unit: str
    bidder: str = "bidder"
    instead_of_payments: str = say("Everybody is even.")
    other_entries: tuple[OtherEntry, ...] = ()
    money: InMoney | None = None
    unconverted: bool = False
    head: str | None = None
    sat_down: tuple[int, ...] = ()
    colours: tuple[int, ...] = ()
    scores_apart: bool = False
    after_leaving: tuple[AfterLeaving, ...] = ()
    on_paper: bool = False

    @property
    def units(self) -> tuple[str, ...]:
        """The units it was played for: one, or chips and scores."""
        return (self.unit, SCORE) if self.scores_apart else (self.unit,)

    @property
    def count(self) -> str:
        """The numbers of standing and void hands in words."""
        void = sum(hand.state == "void" for hand in self.hands)
        return hand_count(len(self.hands), void, on_paper=self.on_paper)

    @property
    def unconfirmed(self) -> tuple[int, ...]:
        """The numbers of the hands that wait for a confirmation."""
        return tuple(hand.number for hand in self.hands if hand.unconfirmed)

    @property
    def games(self) -> tuple[tuple[Sentence, int], ...]:
        """The games played, in the order of their first hands, each with its number of standing hands.

        If no hand stands, it is the game agreed on, with 0.
        """
        played = Counter(
            game_title(hand.game_title, hand.variant_title)
            for hand in self.hands
            if hand.state == "standing"
        )
        return tuple(played.items()) or ((game_title(self.game_title, self.variant_title), 0),)


def hand_count(dealt: int, void: int, *, on_paper: bool = False) -> str:
    """Return the numbers of standing and, if there are any, of void hands in words.

    ``dealt`` includes the void ones. An evening ``on_paper`` has none.

    >>> hand_count(10, 1), hand_count(1, 0), hand_count(0, 0, on_paper=True)
    ('9 hands and 1 void', '1 hand', 'on paper')
    """
    if on_paper:
        return say("on paper")
    standing = say("{n:hand|hands}", n=dealt - void)
    return say("{hands} and {n} void", hands=standing, n=void) if void else standing


def game_title(title: str, variant: str | None) -> Sentence:
    """Return a game's title, followed by its variant if there is one, as a sentence.

    >>> game_title("Solo", "Six-bid"), game_title("German Solo", None)
    ('Solo, Six-bid', 'German Solo')
    """
    if variant:
        return say("{game:term}, {variant:term}", game=title, variant=variant)
    return word(title)
