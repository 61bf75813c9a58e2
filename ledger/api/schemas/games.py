"""Games: everything a client needs to offer a form for a hand, and the answer of scoring one."""

from marshmallow import fields

from ledger.api.schemas.base import Answer, Flag, Part, Rows, Table, Text, Whole, says
from ledger.api.schemas.hands import VerdictSchema


class BidSchema(Answer):
    """A contract that a game offers."""

    slug = Text()
    title = Text()
    trumps = Rows(
        Text(),
        metadata=says("The suits to choose from: none without trumps, one where the bid says it."),
    )
    counts = Text(metadata=says("What `points` counts, in plain words."))
    calls_card = Flag(metadata=says("Whether the bidder names a card."))
    has_partner = Flag(metadata=says("Whether the called card's holder is a partner."))
    asks = Rows(Text(), metadata=says("The keys of the record that the hand is judged by."))
    needs_points = Flag(metadata=says("Whether `points` must be stated."))
    needs_tricks_won = Flag(metadata=says("Whether `tricks_won` must be stated with no points."))
    concessions = Rows(Text(), metadata=says("Who may give up: `bidder`, `opponents`."))
    lead_only = Flag(metadata=says("Whether it belongs to whoever is on the lead."))


class ChoiceSchema(Answer):
    """One value that a house rule takes."""

    value = fields.Raw(metadata=says("As it is sent.", type=["boolean", "integer", "string"]))
    words = Text(metadata=says("A phrase for it that a page can show."))


class MemberSchema(Answer):
    """A house rule that stands by itself, or in a group."""

    slug = Text()
    kind = Text(metadata=says("`switch`, `choice`, `number`, `amount`; a `group` has members."))
    default = fields.Raw(metadata=says("The variant's own.", type=["boolean", "integer", "string"]))
    choices = Rows(Part(ChoiceSchema))
    description = Text(metadata=says("What it does, in one sentence."))
    source = Text(metadata=says("The source text that it comes from, or `sheet`."))
    least = Whole(metadata={"may_miss": True, **says("An amount is at least that.")})
    most = Whole(metadata={"may_miss": True, **says("An amount is at most that.")})


class OptionSchema(MemberSchema):
    """A house rule. A group is false, or a table of its members, any of which may be left out."""

    members = Rows(
        Part(MemberSchema),
        metadata={"may_miss": True, **says("The rules of a group that is on.")},
    )


class TableSchema(Answer):
    """A table of so many players, by the variant's own house rules."""

    seats = Whole()
    tricks = Whole(metadata=says("How many tricks a hand has."))
    all_pass = Text(
        allow_none=True, metadata=says("The bid that somebody must play when all pass, or null.")
    )
    pays = Flag(metadata=says("Whether a hand is paid for, or only scored."))
    active = Whole(metadata=says("How many of them play a hand; the others sit out."))
    bids = Rows(Part(BidSchema), metadata=says("From low to high."))
    deck = Rows(Text(), metadata=says("The cards in play, such as `TD`."))


class VariantSchema(Answer):
    """A way to play a game. A game without variants has one whose slug is null."""

    slug = Text(allow_none=True)
    title = Text()
    summary = Text()
    options = Rows(Part(OptionSchema))
    tables = Rows(Part(TableSchema), metadata=says("One for each number of players."))


class GameSchema(Answer):
    """A game."""

    slug = Text()
    title = Text()
    summary = Text()
    experimental = Flag(metadata=says("Whether the sources say too little to be sure."))
    seats = Rows(Whole(), metadata=says("How many may sit at the table."))
    stack = Whole(
        metadata=says("Chips each player starts with by its rules; 0 where they say none.")
    )
    variants = Rows(Part(VariantSchema), metadata=says("The first is the default."))


class ViolationSchema(Answer):
    """One broken rule."""

    code = Text()
    message = Text(metadata=says("A sentence a card player understands."))
    where = Table(metadata=says("The place: `field`, and `seat` and `card` where they help."))
    legal = Rows(Text(), metadata={"may_miss": True, **says("The right choices, when few.")})


class RefusedSchema(Answer):
    """A hand that the rules do not allow."""

    ok = Flag(metadata=says("Always false.", enum=[False]))
    violations = Rows(Part(ViolationSchema))


class ScoredSchema(VerdictSchema):
    """A hand that was scored."""

    ok = Flag(metadata=says("Always true.", enum=[True]))
