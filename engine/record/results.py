"""The table of result keys: the facts that are stated of a played hand.

The record, the form, the API's schema, the report and the codes of refusals are built from it. A bid selects
its keys (`engine.rules.bids.Bid.questions`). Placeholders in texts are filled for a table: `bidder` is the
game's word for the bidder, `side` the bidder with the partner.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from engine.words.sentences import later

Stated = Mapping[str, object]
"""The stated values of a hand, by key."""

Condition = Mapping[str, "bool | tuple[str, ...]"]
"""A condition on other keys: `True` if one is stated, `False` if not. A number has its value, or a lower
bound and an exclusive upper bound, by the names that the rules give to numbers."""


class ResultKind(StrEnum):
    """The type of a key's value."""

    INTEGER = "integer"
    FLAG = "boolean"
    WORD = "string"


class Choice(NamedTuple):
    """An answer to a question: its text, the keys it sets, and the condition under which it is offered."""

    value: str
    words: str
    sets: Stated
    when: Condition = MappingProxyType({})


class ResultKey(NamedTuple):
    """One key of a result, with its texts for forms and documentation."""

    name: str
    kind: ResultKind
    label: str
    help: str
    question: str = ""
    hint: str = ""
    card_group: str = ""
    """The name of cards to show beside the question."""
    asked_if: tuple[Condition, ...] = ()
    """The key is asked for if one of these holds; without any it is set by another key's choice."""
    choices: tuple[Choice, ...] = ()
    most: str = ""
    """The name of the largest number."""
    otherwise: str = ""
    """The meaning of no answer, for questions that seldom need one."""
    preselected: str = ""
    """The choice that is preselected, as the other ones (prime, matadors on one side) are claimed aloud."""
    default: bool | None = None
    """The meaning of a missing flag."""
    contradiction: str = ""
    """The message if the cards show another value."""
    missing: str = ""
    """The code of the refusal of a hand without the key."""
    unit: str = ""
    """The noun by which a report counts the value."""
    other_side_of: str = ""
    """The key of the other side's points, of which either is enough if every card counts."""
    in_contract: bool = False
    everywhere: bool = False
    """Whether every game has the key, not only those whose bids or sheet name it."""

    @property
    def path(self) -> str:
        """The path of the key in a record: its name, after `contract.` if it belongs to the contract."""
        return f"contract.{self.name}" if self.in_contract else self.name

    @property
    def words(self) -> tuple[str, ...]:
        """The valid words of the key, from its choices; empty if its values are numbers or flags."""
        return (
            tuple(choice.value for choice in self.choices) if self.kind is ResultKind.WORD else ()
        )

    @property
    def is_switch(self) -> bool:
        """Whether a form asks for the key by a switch: it has choices, and its default is false."""
        return self.default is False and bool(self.choices)

    def answer(self, stated: Stated) -> str | None:
        """Return the `value` of the choice that a record's values match, or `None`.

        Values that are missing or all defaults match none.

        >>> first = RESULT["first_tricks_won"]
        >>> first.answer({"stopped": True}), first.answer({"first_tricks_won": False}), first.answer({})
        ('stopped', 'lost', None)
        """
        defaults = {name: RESULT[name].default for choice in self.choices for name in choice.sets}
        values = {name: stated.get(name, default) for name, default in defaults.items()}
        if all(value in (None, defaults[name]) for name, value in values.items()):
            return None
        for choice in self.choices:
            sets = {**defaults, **choice.sets}
            if all(values[name] in (None, sets[name]) for name in sets):
                return choice.value
        return None


def _word(name: str, value: str, words: str) -> Choice:
    """Return the choice that sets a key to its value."""
    return Choice(value, words, {name: value})


PLAYED: Condition = {"conceded": False}
"""A hand that was given up has no count."""

FIRST, STOPPED, ASKED_PARTNER, TOUT = (
    "first_tricks_won",
    "stopped",
    "asked_partner",
    "announced_tout",
)
MADE = "made"

_TABLE = (
    ResultKey(
        TOUT,
        ResultKind.FLAG,
        "announced tout",
        "Every trick was announced with the bid.",
        hint="with the bid",
        asked_if=({ASKED_PARTNER: False},),
        choices=(Choice("yes", "Announced tout", {TOUT: True}),),
        default=False,
        in_contract=True,
    ),
    ResultKey(
        "points",
        ResultKind.INTEGER,
        "card points",
        "Card points of the bidding side; in a misère, those in tricks.",
        hint="{counts}",
        asked_if=(PLAYED,),
        contradiction=later(
            "By the cards the bidding side's card points are {right:or}, not {said}."
        ),
        missing="points-missing",
        unit="point",
        everywhere=True,
    ),
    ResultKey(
        "points_against",
        ResultKind.INTEGER,
        "the other side's card points",
        "Card points of the other side, as a check.",
        question="or the others'",
        hint="of {total} in all",
        asked_if=(PLAYED,),
        contradiction=later(
            "By the cards the other side's card points are {right:or}, not {said}."
        ),
        other_side_of="points",
        everywhere=True,
    ),
    ResultKey(
        "tricks_won",
        ResultKind.INTEGER,
        "tricks won",
        "The bidding side's tricks.",
        hint="by the {side}",
        asked_if=(PLAYED,),
        most="tricks",
        contradiction=later("By the cards the tricks won are {right:or}, not {said}."),
        missing="tricks-won-missing",
        unit="trick",
    ),
    ResultKey(
        FIRST,
        ResultKind.FLAG,
        "the first tricks",
        "Whether the declarer's side won all of the first tricks, as many as it needs.",
        question="The first {needed} tricks",
        # After asking for the partner there is no slam, so only whether the side stopped is still needed.
        asked_if=(
            {**PLAYED, TOUT: False, ASKED_PARTNER: False, "tricks_won": ("needed", "tricks")},
            {**PLAYED, TOUT: False, ASKED_PARTNER: True, "tricks_won": ("needed",)},
        ),
        choices=(
            Choice("lost", "Not all won", {FIRST: False}),
            Choice(
                "stopped",
                "All won, then stopped: prime",
                {FIRST: True, STOPPED: True},
                {"tricks_won": ("needed",)},
            ),
            Choice("on", "All won, and played on: tout", {FIRST: True}, {ASKED_PARTNER: False}),
            Choice("on", "All won, and played on", {FIRST: True}, {ASKED_PARTNER: True}),
        ),
        preselected="lost",
        contradiction=later(
            "By the cards that the first tricks were won is {right:or}, not {said}."
        ),
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
        card_group="matadors",
        asked_if=(PLAYED,),
        choices=(
            _word("matadors", "declarers", "{bidder}'s side"),
            _word("matadors", "defenders", "defenders"),
            _word("matadors", "split", "split"),
        ),
        preselected="split",
        contradiction=later("By the cards the side with the matadors is {right:or}, not {said}."),
        missing="matadors-missing",
    ),
    ResultKey(
        ASKED_PARTNER,
        ResultKind.FLAG,
        "asked for the partner",
        "The declarer asked who the partner is, so that no slam counts.",
        hint="then no slam",
        asked_if=({**PLAYED, TOUT: False},),
        choices=(Choice("yes", "Asked “partner?”", {ASKED_PARTNER: True}),),
        default=False,
    ),
    ResultKey(
        MADE,
        ResultKind.FLAG,
        "made or lost",
        "Whether the contract was made, where its price is one and nobody counted.",
        question="Made or lost?",
        asked_if=(PLAYED,),
        choices=(Choice("made", "Made", {MADE: True}), Choice("lost", "Lost", {MADE: False})),
        everywhere=True,
    ),
    ResultKey(
        "conceded",
        ResultKind.WORD,
        "conceded",
        "Who gave the hand up, where somebody did.",
        question="Given up early?",
        asked_if=({},),
        choices=(
            _word("conceded", "bidder", "by the {bidder}"),
            _word("conceded", "opponents", "by the opponents"),
        ),
        otherwise="Played out",
        everywhere=True,
    ),
)

RESULT: Mapping[str, ResultKey] = MappingProxyType({key.name: key for key in _TABLE})
"""Every result key by its name, in the order of records and forms."""

COUNTED: Mapping[str, str] = {name: key.unit for name, key in RESULT.items() if key.unit}
"""The keys that a report counts, with their nouns."""
