"""Schemas of games, with everything a form for hands needs, and of scored hands."""

from functools import partial
from typing import ClassVar

from marshmallow import fields

from engine.record.results import COUNTED
from engine.rules.bids import Bid
from ledger.api.schemas.base import (
    Anything,
    Flag,
    Part,
    ResponseShape,
    Rows,
    Table,
    Term,
    Text,
    WholeNumber,
)
from ledger.api.schemas.hands import VerdictSchema


def _needs(name: str, bid: Bid) -> bool:
    return name in bid.result_keys


class BidSchema(ResponseShape):
    """A contract that a game offers."""

    class Meta(ResponseShape.Meta):
        """Adds a field ``needs_…`` for each key of a result that can decide a hand."""

        include: ClassVar = {
            f"needs_{name}": fields.Function(
                partial(_needs, name),
                metadata={"description": f"Whether `{name}` must be stated.", "type": "boolean"},
            )
            for name in COUNTED
        }

    slug = Text()
    title = Term()
    trumps = Rows(Text(), "The suits to choose from: none without trumps, one if the bid names it.")
    counts = Term("What `points` counts, in plain words.")
    calls_card = Flag("Whether the bidder names a card.")
    has_partner = Flag("Whether the called card's holder is a partner.")
    asks = Rows(Text(), "The keys of the record that decide the result.", attribute="result_keys")
    concessions = Rows(Text(), "Who may give the hand up: `bidder`, `opponents`.")
    lead_only = Flag("Whether it belongs to the player on the lead.")


class ChoiceSchema(ResponseShape):
    """One value of a house rule."""

    value = Anything("As it is sent.", type=["boolean", "integer", "string"])
    words = Text("A phrase for a page to show.")


class MemberSchema(ResponseShape):
    """A house rule, single or in a group."""

    slug = Text()
    kind = Text("`switch`, `choice`, `number`, `amount`; a `group` has members.")
    default = Anything("The variant's own.", type=["boolean", "integer", "string"])
    choices = Rows(Part(ChoiceSchema))
    description = Term("What it does, in one sentence.")
    source = Text("The source text it comes from, or `sheet`.")
    least = WholeNumber("The least it can be.", may_miss=True)
    most = WholeNumber("The most it can be.", may_miss=True)


class OptionSchema(MemberSchema):
    """A house rule. A group is false or an object with values for some of its members."""

    members = Rows(Part(MemberSchema), "The rules of a group that is on.", may_miss=True)


class TableSchema(ResponseShape):
    """A table with this number of players under the variant's default house rules."""

    seats = WholeNumber()
    tricks = WholeNumber("How many tricks a hand has.")
    all_pass = Text("The bid that somebody must play when all pass, or null.", allow_none=True)
    pays = Flag("Whether a hand is paid for, or only scored.")
    active = WholeNumber("How many of them play a hand; the others sit out.")
    bids = Rows(Part(BidSchema), "From low to high.")
    deck = Rows(Text(), "The cards in play, such as `TD`.")


class VariantSchema(ResponseShape):
    """A variant of a game. A game without variants has one with the slug null."""

    slug = Text(allow_none=True)
    title = Term()
    summary = Term()
    options = Rows(Part(OptionSchema))
    tables = Rows(Part(TableSchema), "One for each number of players.")


class GameSchema(ResponseShape):
    """A game."""

    slug = Text()
    title = Term()
    summary = Term()
    experimental = Flag("Whether the sources say too little to be sure of the rules.")
    seats = Rows(WholeNumber(), "How many may sit at the table.")
    stack = WholeNumber("Chips each player starts with by its rules; 0 if they name none.")
    variants = Rows(Part(VariantSchema), "The first is the default.")


class ViolationSchema(ResponseShape):
    """One broken rule."""

    code = Text()
    message = Text("A sentence a card player understands.")
    where = Table(
        "The place: `field`, or `trick` and `position` in it; `seat` and `card` if they help."
    )
    legal = Rows(Text(), "The allowed choices, if there are few.", may_miss=True)


class RefusedSchema(ResponseShape):
    """A hand that breaks the rules."""

    ok = Flag("Always false.", enum=[False])
    violations = Rows(Part(ViolationSchema))


class ScoredSchema(VerdictSchema):
    """A hand that was scored."""

    ok = Flag("Always true.", enum=[True])


class PlayedTrickSchema(ResponseShape):
    """A trick; that in progress is the last one, with the winner so far."""

    leader = Text()
    cards = Text("In the order played.")
    winner = Text()
    points = WholeNumber("Its card points.")


class UnfinishedHandSchema(ResponseShape):
    """The state of a hand whose last tricks are missing."""

    ok = Flag("Always true.", enum=[True])
    outcome = Text("Always `unfinished`.")
    contract = Table("The contract as a hand record states it.")
    to_play = Text("The player whose turn it is.")
    legal = Text("The cards that this player is known to hold and may play.")
    possible = Text(
        "The cards that this player may play if they are in the unknown part of the hand."
    )
    points = WholeNumber("The bidding side's card points so far, as far as its players are known.")
    tricks_won = Table("The number of tricks of each player.")
    trumps_left = WholeNumber("Trumps that are neither played nor known to be aside.")
    voids = Table("For each player the suits shown to be missing: letters, or `trumps`.")
    tricks = Rows(Part(PlayedTrickSchema))
