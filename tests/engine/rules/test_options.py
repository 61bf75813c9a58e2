"""House rules: typed, with defaults, refused clearly."""

import pytest

from engine.errors import Refused
from engine.games import GAMES
from engine.rules.options import Option, OptionKind, choice, switch
from tests.engine.hands import crazy, six, violations

OPTIONS = [option for sheet in GAMES.values() for option in sheet.options]
EVERY_OPTION = [*OPTIONS, *(member for option in OPTIONS for member in option.members)]


@pytest.mark.parametrize("option", EVERY_OPTION)
def test_every_option_can_be_shown_on_a_page(option: Option) -> None:
    """A plain sentence, a source, a default among the choices, and a word for each choice."""
    assert option.description.endswith(".")
    assert option.source
    assert not list(option.problems(option.default))
    assert all(option.word(value) for value in option.choices)
    assert (option.kind in (OptionKind.SWITCH, OptionKind.GROUP)) == isinstance(
        option.default, bool
    )
    assert (option.kind is OptionKind.GROUP) == bool(option.members)


def test_a_choice_has_words() -> None:
    """A switch is yes or no."""
    duel = choice("auction", {"duel": "two at a time", "rotation": "in turn"}, "Who bids.", "002")
    assert (duel.default, duel.word("rotation"), duel.word("else")) == ("duel", "in turn", "else")
    on = switch("on", True, "On.", "002")
    assert (on.word(True), on.word(False)) == ("yes", "no")
    assert on.sentence(True) == "On."
    assert duel.sentence("rotation") == "Who bids: in turn."
    assert choice("n", {5: "five"}, "N.", "002").word(5) == "five"


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    """At its own field."""
    (violation,) = violations(six(3, "solo", 70, options={"rounding": 5}))
    assert (violation.code, violation.field) == ("unknown-option", "options.rounding")
    assert "hearts_in_solo" in violation.legal


@pytest.mark.parametrize("value", [1, 0, "true", "yes"])
def test_a_switch_takes_nothing_but_true_and_false(value: object) -> None:
    """Not even an equal number, after any other hand."""
    crazy_with_true = crazy(4, "solo", 70, options={"hearts_in_solo": value})
    (violation,) = violations(crazy_with_true)
    assert (violation.code, violation.field) == ("option-value", "options.hearts_in_solo")
    assert violation.legal == ("false", "true")


@pytest.mark.parametrize("value", [True, "5", 10, -5])
def test_a_number_takes_nothing_but_its_choices(value: object) -> None:
    """Rounding to the nearest 10 could meet an exact half, so it is not offered."""
    (violation,) = violations(crazy(4, "solo", 70, options={"rounding": value}))
    assert (violation.code, violation.legal) == ("option-value", ("5", "0"))


def test_every_wrong_option_is_named_at_once() -> None:
    """With the wrong variant and the wrong number of players."""
    problems = violations(
        six(
            8,
            "solo",
            70,
            rules="goren",
            options={"rounding": 5, "auction": "shout", "call_own_card": 1},
        )
    )
    assert [violation.code for violation in problems] == [
        "unknown-variant",
        "table-size",
        "unknown-option",
        "option-value",
        "option-value",
    ]


POTTED: dict[str, bool | int | str] = {"stake": 2, "solo_factor": 3, "on_loss": "match"}


def test_a_group_of_options_is_off_or_a_table() -> None:
    """Its members are typed, each with its default, the variant's own where it has one."""
    sheet = GAMES["progressive"]
    assert sheet.rules(None, {}, 3).options["pots"] is False
    for variant, factor in ((None, 1), ("pennycook", 1), ("hoyle", 2)):
        pots = sheet.rules(variant, {"pots": {}}, 3).options["pots"]
        assert pots == {"stake": 1, "solo_factor": factor, "on_loss": "stay"}
    assert sheet.rules("hoyle", {"pots": POTTED}, 3).options["pots"] == POTTED
    assert sheet.rules("hoyle", {"pots": False}, 3).options["pots"] is False


NOT_POTS = "pots takes false or a table of stake, solo_factor, on_loss, not"


@pytest.mark.parametrize(
    ("pots", "field", "message"),
    [
        (True, "pots", f"{NOT_POTS} true."),
        (1, "pots", f"{NOT_POTS} 1."),
        ({"stake": 0}, "pots.stake", "stake takes a whole number from 1 to 1000000, not 0."),
        ({"stake": True}, "pots.stake", "stake takes a whole number from 1 to 1000000, not true."),
        ({"stake": "1"}, "pots.stake", 'stake takes a whole number from 1 to 1000000, not "1".'),
        (
            {"solo_factor": 101},
            "pots.solo_factor",
            "solo_factor takes a whole number from 1 to 100, not 101.",
        ),
        ({"on_loss": "leave"}, "pots.on_loss", 'on_loss takes stay or match, not "leave".'),
        ({"stakes": 1}, "pots.stakes", 'pots has no part "stakes". Did you mean stake?'),
    ],
)
def test_a_member_of_a_group_is_refused_at_its_own_field(
    pots: object, field: str, message: str
) -> None:
    """The message names the values that are possible."""
    with pytest.raises(Refused) as refused:
        GAMES["progressive"].rules(None, {"pots": pots}, 3)
    (violation,) = refused.value.violations
    prefix = "" if "no part" in message else "The house rule "
    assert (violation.field, violation.message) == (f"options.{field}", prefix + message)


def test_an_amount_may_be_the_least_or_the_largest() -> None:
    """And a choice is of words or of numbers."""
    for stake in (1, 1_000_000):
        GAMES["progressive"].rules(None, {"pots": {"stake": stake}}, 3)
    kinds = {option.slug: option.kind for option in OPTIONS}
    assert (kinds["grand_multiplier"], kinds["grossfrage_duty"]) == ("number", "choice")


def test_a_group_is_said_in_one_sentence() -> None:
    """Member by member when it is on."""
    (pots,) = (option for option in OPTIONS if option.kind is OptionKind.GROUP)
    assert pots.sentence(False).endswith("takes its pot: no.")
    said = pots.sentence(POTTED)
    assert said.endswith(
        "takes its pot: stake 2, solo factor 3, on loss the bidder adds as much as it holds."
    )


THREE = {"all_pass": "next-dealer", "deal_pattern": "4-3-(3)-4"}
POTS = {"stake": 1, "solo_factor": 1, "on_loss": "stay"}

HOUSE_RULES: dict[str, dict[str, object]] = {
    "crazy-solo": {"hearts_in_solo": True, "rounding": 5, "short_deck": False},
    "six-bid": THREE
    | {
        "auction": "duel",
        "hearts_in_solo": False,
        "idle_paid_on_loss": True,
        "misere_by_tricks": False,
        "call_own_card": False,
    },
    "frog": THREE | {"auction": "rotation", "hearts_in_chico": True, "grand_multiplier": 3},
    "straight-solo": THREE | {"auction": "rotation", "hearts_in_solo": True},
    "progressive": THREE | {"idle_paid_on_loss": False, "pots": False},
    "german-solo": {
        "solo_base": 6,
        "matadors_own_side_only": False,
        "matadors_on_loss": True,
        "clubs_preference": True,
        "grossfrage_duty": "black-queens",
        "eldest_opens": "any",
        "called_card_leads": True,
    },
}


@pytest.mark.parametrize("game", HOUSE_RULES)
def test_every_house_rule_is_offered_by_its_slug_with_its_default(game: str) -> None:
    """None is missing, and there are no others."""
    sheet = GAMES[game]
    assert {option.slug: option.default for option in sheet.options_of(None)} == HOUSE_RULES[game]
    resolved = sheet.rules(None, {}, sheet.seats[0]).options
    assert dict(resolved) == HOUSE_RULES[game]


@pytest.mark.parametrize(("variant", "factor"), [("pennycook", 1), ("hoyle", 2)])
def test_the_pots_members_have_the_variants_defaults(variant: str, factor: int) -> None:
    """So that a page can show them before the pots are switched on."""
    (pots,) = (each for each in GAMES["progressive"].options_of(variant) if each.slug == "pots")
    shown = {member.slug: member.default for member in pots.members}
    assert shown == POTS | {"solo_factor": factor}


def test_six_bids_variants_differ_in_hearts_in_solo() -> None:
    """Pagat allows hearts in a plain solo, hoyle does not."""
    for variant, default in (("hoyle", False), ("pagat", True)):
        options = {each.slug: each.default for each in GAMES["six-bid"].options_of(variant)}
        assert options["hearts_in_solo"] is default


def test_a_house_rule_is_told_without_contradicting_itself() -> None:
    """A sentence names the value that the table plays, and no other."""
    for game, slug, value, said in (
        (
            "frog",
            "grand_multiplier",
            4,
            "What grand counts for each point over or under 60: 4 a point.",
        ),
        ("frog", "auction", "duel", "How the bidding goes: two at a time."),
        ("german-solo", "solo_base", 2, "What a solo counts before anything is added: 2 points."),
    ):
        (option,) = (each for each in GAMES[game].options if each.slug == slug)
        assert option.sentence(value) == said


def test_a_table_of_the_wrong_size_is_told_the_right_one() -> None:
    """A range where there is one; one number where only so many can play."""
    for slug, seats, said in (
        ("frog", 4, "Frog is played by 3 at the table, not by 4."),
        ("six-bid", 8, "Six-Bid Solo is played by 3 to 7 at the table, not by 8."),
    ):
        with pytest.raises(Refused) as refused:
            GAMES[slug].rules(None, {}, seats)
        assert [violation.message for violation in refused.value.violations] == [said]


def test_an_unknown_variant_is_refused_with_those_of_the_game() -> None:
    """Or with the advice to leave it out."""
    for slug, message in (
        ("six-bid", 'Six-Bid Solo has no variant "goren"; it is played as hoyle or pagat.'),
        ("frog", 'Frog has no variant "goren"; leave `rules` out.'),
    ):
        with pytest.raises(Refused) as refused:
            GAMES[slug].rules("goren", {}, 3)
        assert [violation.message for violation in refused.value.violations] == [message]
