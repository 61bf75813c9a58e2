"""The read model of one session, as the PDF and other printed reports take it.

Frozen values only: whoever builds one has asked the database every question beforehand, so a
report never needs a connection. Amounts are whole numbers in `SessionSummary.unit`, but a hand's in
its own; times are aware UTC datetimes; every tuple of amounts holds one figure per seat, in the order of
`SessionSummary.seats`.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

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
    """A player's standing."""

    name: str
    balance: Annotated[int, "Chips won or, if negative, lost; where there are none, the score."]
    rank: Annotated[int, "From 1; shared by equal balances."]
    hands_bid: Annotated[int, "How many hands they bid."]
    hands_won: Annotated[int, "How many of these they won."]
    chips: Annotated[int, "Chips in hand, including those from the bank."] = 0
    scored: Annotated[int, "Points that nobody pays, as German Solo's are; in no chips."] = 0


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier state of a hand: what it said, who wrote it and when.

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


COUNTS: Mapping[str, str] = {
    "point": later("{n:point|points}"),
    "trick": later("{n:trick|tricks}"),
}
"""How what a hand was judged by is counted, by what one of it is called."""

UNITS: Mapping[str, str] = {CHIPS: say("Chips"), SCORE: say("Score")}
"""The words for the units that a game counts in."""

_OF_ITS_OWN = (HandAction.CORRECTED, HandAction.RESTORED)
"""What makes a hand say something else of its own accord, and lets it stand."""


@dataclass(frozen=True, slots=True)
class HandLine:
    """One hand as it stands now, with the versions it replaced, oldest first.

    A void hand counts in no sum and leaves `balances` as they were. `version` is 1 as first written, more
    once corrected. `trump` is one of S H D C, `called` a card such as "TD"; `amount` is what one opponent
    pays or is paid; `counts` what the hand was judged by, under the keys of a result; `bid_title` reads
    "Passed out" where everybody passed.

    Where a hand was played again for other pots, and nobody got anything else by it, nothing of its own
    changed: no action tells of that, and no version in `previous`.
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
        tuple[Version, ...],
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

    @property
    def counted(self) -> tuple[tuple[int, str], ...]:
        """What was counted, and what one of it is called."""
        return tuple((value, COUNTED[name]) for name, value in self.counts.items())

    @property
    def points(self) -> int | None:
        """The card points of the bidding side, where they count."""
        return self.counts.get("points")

    @property
    def is_changed(self) -> bool:
        """Whether it says something else than when it was first written."""
        return self.action != HandAction.RECORDED

    @property
    def badges(self) -> tuple[str, ...]:
        """What is said beside it in short: that it is void, or what was done to it and what it followed.

        A hand that was corrected stays so when it follows another one's change afterwards.
        """
        if self.state == "void":
            return (say("void"),)
        if self.follows is None:
            return (BADGES[self.deed],) if self.is_changed else ()
        own = [BADGES[old.action] for old in self.previous if old.action in _OF_ITS_OWN]
        return (*own[-1:], say("follows hand {number}", number=self.follows))


@dataclass(frozen=True, slots=True)
class OtherEntry:
    """Another entry that moved chips: ``title`` says what it was, ``amounts`` who got what.

    ``counts``: it was won or lost, and is part of the standings; otherwise it went to or came from the bank.
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
    """What chips of an evening came to in money, in minor units of `currency`.

    `amounts` holds what each seat got of it, in the order of `SessionSummary.seats`; `payments` are the
    fewest for it, this evening taken alone. There are none while somebody is owed by nobody yet.
    """

    currency: str
    amounts: tuple[int, ...]
    payments: tuple[Payment, ...]


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """An evening: where, when and by which rules it was played, and how it came out.

    `house_rules` holds one plain sentence each; `payments` the fewest that leave everybody even; where
    there are none, `instead_of_payments` says why. `unit` is the word for what is counted, "chips",
    `bidder` that for whoever plays the contract. `scores_apart`: some hands were played for chips, others for
    scores.
    `sat_down` says after how many hands each seat was taken, for those who came late.
    `colours` numbers each seat's colour, the same as on the pages.
    `head` is the digest that seals the books up to then: it is printed, for `verify` to look for later.
    `money` is what became of chips that were cashed in, `unconverted` that others are worth some and
    were not. `after_leaving` is what changed hands came to for players who had left.
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

    @property
    def units(self) -> tuple[str, ...]:
        """What it was played for: one unit, or chips and, apart from them, scores."""
        return (self.unit, SCORE) if self.scores_apart else (self.unit,)

    @property
    def count(self) -> str:
        """How many hands stand and how many are void, in words."""
        return hand_count(len(self.hands), sum(hand.state == "void" for hand in self.hands))

    @property
    def games(self) -> tuple[tuple[Sentence, int], ...]:
        """What was played, in the order it was taken up, with how many hands stand of each.

        Before the first hand it is what is to be played.
        """
        played = Counter(
            named(hand.game_title, hand.variant_title)
            for hand in self.hands
            if hand.state == "standing"
        )
        return tuple(played.items()) or ((named(self.game_title, self.variant_title), 0),)


def hand_count(dealt: int, void: int) -> str:
    """Return how many hands stand, and how many are void if any are: "9 hands and 1 void"."""
    standing = say("{n:hand|hands}", n=dealt - void)
    return say("{hands} and {n} void", hands=standing, n=void) if void else standing


def named(title: str, variant: str | None) -> Sentence:
    """Name a game, with its variant where it has some."""
    if variant:
        return say("{game:term}, {variant:term}", game=title, variant=variant)
    return word(title)
