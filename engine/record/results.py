"""The keys of a result: what is stated of a hand once it is played, one row per key.

The record, the page's form, the API's schema, the report and the catalogue of refusals read this table
instead of naming keys; which of them a hand is asked for, its bid says (`engine.rules.bids.Bid.questions`).
All of it is plain data, so that it can be handed to a page unchanged. Words in braces are filled in by
whoever knows the table: `bidder` is what the game calls them, `side` them and their partner.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from engine.words.sentences import later

Stated = Mapping[str, object]
"""What has been stated of a hand so far, by key."""

Condition = Mapping[str, "bool | tuple[str, ...]"]
"""What must hold of other keys: `True` that one was said, `False` that it was not. Of a number: which it
must be; or from which on, and below which. Numbers go by the names that the rules give them."""


class ResultKind(StrEnum):
    """What a key holds."""

    WHOLE = "integer"
    FLAG = "boolean"
    WORD = "string"


class Choice(NamedTuple):
    """One answer to a question: its `words`, the keys it `sets`, and when it is offered."""

    value: str
    words: str
    sets: Stated
    when: Condition = MappingProxyType({})


class ResultKey(NamedTuple):
    """One key of a result.

    `label` names it, `help` says what it holds. It is asked for where one of the cases in `asked` holds, as
    `question` with a `hint`; `shows` names cards to show there. The answer is one of the `choices`, or a
    number up to `most`. Where `otherwise` says what saying nothing means, few will have to answer. The
    `usual` choice is made already when it is asked for: a record still states it, but nobody has to tap it;
    what it leaves out (prime, matadors on one side) is claimed by who has it. A key without `asked` is set
    by another one's choice. `default` is what is meant where a flag is left out.

    `told` is the sentence that says what cards tell of it, `missing` the code by which a hand without it is
    refused, `counted` what one of it is called where a report counts it. Points that
    are the `other_side_of` others say as much as those where every card counts for somebody. What is not
    known `everywhere` is noted only where a bid asks for it, or the sheet of the game lists it.
    """

    name: str
    kind: ResultKind
    label: str
    help: str
    question: str = ""
    hint: str = ""
    shows: str = ""
    asked: tuple[Condition, ...] = ()
    choices: tuple[Choice, ...] = ()
    most: str = ""
    otherwise: str = ""
    usual: str = ""
    default: bool | None = None
    told: str = ""
    missing: str = ""
    counted: str = ""
    other_side_of: str = ""
    in_contract: bool = False
    everywhere: bool = False

    @property
    def path(self) -> str:
        """Where it stands in a record."""
        return f"contract.{self.name}" if self.in_contract else self.name

    @property
    def words(self) -> tuple[str, ...]:
        """The words it may hold."""
        return (
            tuple(choice.value for choice in self.choices) if self.kind is ResultKind.WORD else ()
        )

    @property
    def is_switch(self) -> bool:
        """Whether it is only ever said, and never denied."""
        return self.default is False and bool(self.choices)

    def is_asked(self, said: Stated, numbers: Mapping[str, int]) -> bool:
        """Whether it is asked for after what was said so far."""
        return any(holds(case, said, numbers) for case in self.asked)

    def offered(self, said: Stated, numbers: Mapping[str, int]) -> tuple[Choice, ...]:
        """Give the choices that there are after what was said so far."""
        return tuple(each for each in self.choices if holds(each.when, said, numbers))

    def answer(self, stated: Stated) -> str | None:
        """Say which choice comes to what a record states; `None` where it states nothing of it.

        >>> first = RESULT["first_tricks_won"]
        >>> first.answer({"stopped": True}), first.answer({"first_tricks_won": False}), first.answer({})
        ('stopped', 'lost', None)
        """
        unsaid = {name: RESULT[name].default for each in self.choices for name in each.sets}
        meant = {name: stated.get(name, default) for name, default in unsaid.items()}
        if all(value in (None, unsaid[name]) for name, value in meant.items()):
            return None
        for choice in self.choices:
            sets = {**unsaid, **choice.sets}
            if all(meant[name] in (None, sets[name]) for name in sets):
                return choice.value
        return None


def holds(case: Condition, said: Stated, numbers: Mapping[str, int]) -> bool:
    """Say whether a case holds.

    >>> case = {"conceded": False, "tricks_won": ("needed", "tricks")}
    >>> [holds(case, {"tricks_won": won}, {"needed": 5, "tricks": 8}) for won in (4, 5, 7, 8, None)]
    [False, True, True, False, False]
    """
    for name, wanted in case.items():
        value = said.get(name)
        if isinstance(wanted, bool):
            if (value is not None and value is not False) is not wanted:
                return False
        else:
            least, *below = (numbers[each] for each in wanted)
            if not isinstance(value, int) or not least <= value < (*below, least + 1)[0]:
                return False
    return True


def _word(name: str, value: str, words: str) -> Choice:
    return Choice(value, words, {name: value})


PLAYED: Condition = {"conceded": False}
"""A hand that was given up is not counted."""

FIRST, STOPPED, ASKED, TOUT = "first_tricks_won", "stopped", "asked_partner", "announced_tout"
MADE = "made"

_TABLE = (
    ResultKey(
        TOUT,
        ResultKind.FLAG,
        "announced tout",
        "Every trick was announced with the bid.",
        hint="with the bid",
        asked=({ASKED: False},),
        choices=(Choice("yes", "Announced tout", {TOUT: True}),),
        default=False,
        in_contract=True,
    ),
    ResultKey(
        "points",
        ResultKind.WHOLE,
        "card points",
        "Card points of the bidding side; in a misère, those in tricks.",
        hint="{counts}",
        asked=(PLAYED,),
        told=later("By the cards the bidding side's card points are {right:or}, not {said}."),
        missing="points-missing",
        counted="point",
        everywhere=True,
    ),
    ResultKey(
        "points_against",
        ResultKind.WHOLE,
        "the other side's card points",
        "Card points of the other side, as a check.",
        question="or the others'",
        hint="of {total} in all",
        asked=(PLAYED,),
        told=later("By the cards the other side's card points are {right:or}, not {said}."),
        other_side_of="points",
        everywhere=True,
    ),
    ResultKey(
        "tricks_won",
        ResultKind.WHOLE,
        "tricks won",
        "The bidding side's tricks.",
        hint="by the {side}",
        asked=(PLAYED,),
        most="tricks",
        told=later("By the cards the tricks won are {right:or}, not {said}."),
        missing="tricks-won-missing",
        counted="trick",
    ),
    ResultKey(
        FIRST,
        ResultKind.FLAG,
        "the first tricks",
        "Whether the declarer's side won all of the first tricks, as many as it needs.",
        question="The first {needed} tricks",
        # Who asked for the partner can be paid for no slam: then only whether they stopped is still needed.
        asked=(
            {**PLAYED, TOUT: False, ASKED: False, "tricks_won": ("needed", "tricks")},
            {**PLAYED, TOUT: False, ASKED: True, "tricks_won": ("needed",)},
        ),
        choices=(
            Choice("lost", "Not all won", {FIRST: False}),
            Choice(
                "stopped",
                "All won, then stopped: prime",
                {FIRST: True, STOPPED: True},
                {"tricks_won": ("needed",)},
            ),
            Choice("on", "All won, and played on: tout", {FIRST: True}, {ASKED: False}),
            Choice("on", "All won, and played on", {FIRST: True}, {ASKED: True}),
        ),
        usual="lost",
        told=later("By the cards that the first tricks were won is {right:or}, not {said}."),
        missing="first-tricks-missing",
    ),
    ResultKey(
        STOPPED,
        ResultKind.FLAG,
        "stopped",
        "Having won the first tricks, the declarer's side stopped.",
        default=False,
    ),
    ResultKey(
        "matadors",
        ResultKind.WORD,
        "matadors",
        "The side that was dealt all three matadors.",
        question="All three matadors",
        hint="dealt to",
        shows="matadors",
        asked=(PLAYED,),
        choices=(
            _word("matadors", "declarers", "{bidder}'s side"),
            _word("matadors", "defenders", "defenders"),
            _word("matadors", "split", "split"),
        ),
        usual="split",
        told=later("By the cards the side with the matadors is {right:or}, not {said}."),
        missing="matadors-missing",
    ),
    ResultKey(
        ASKED,
        ResultKind.FLAG,
        "asked for the partner",
        "The declarer asked who the partner is, so that no slam counts.",
        hint="then no slam",
        asked=({**PLAYED, TOUT: False},),
        choices=(Choice("yes", "Asked “partner?”", {ASKED: True}),),
        default=False,
    ),
    ResultKey(
        MADE,
        ResultKind.FLAG,
        "made or lost",
        "Whether the contract was made, where its price is one and nobody counted.",
        question="Made or lost?",
        asked=(PLAYED,),
        choices=(
            Choice("made", "Made", {MADE: True}),
            Choice("lost", "Lost", {MADE: False}),
        ),
        everywhere=True,
    ),
    ResultKey(
        "conceded",
        ResultKind.WORD,
        "conceded",
        "Who gave the hand up, where somebody did.",
        question="Given up early?",
        asked=({},),
        choices=(
            _word("conceded", "bidder", "by the {bidder}"),
            _word("conceded", "opponents", "by the opponents"),
        ),
        otherwise="Played out",
        everywhere=True,
    ),
)

RESULT: Mapping[str, ResultKey] = MappingProxyType({key.name: key for key in _TABLE})
"""Every key of a result by its name, in the order in which they are written and asked."""

COUNTED: Mapping[str, str] = {name: key.counted for name, key in RESULT.items() if key.counted}
"""What a report counts of a hand, and what one of it is called."""
