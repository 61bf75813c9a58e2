"""The hand record: every key read, checked for its kind, and written again."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from engine.errors import Refused
from engine.record import Contract, HandRecord
from tests.engine.hands import hand, refusal, scored, six, violations
from tests.engine.record.test_incidents import IRREGULAR

FULL: dict[str, object] = {
    "format": 1.1,
    "game": "progressive",
    "rules": "hoyle",
    "options": {
        "pots": {"stake": 1, "solo_factor": 2, "on_loss": "stay"},
        "idle_paid_on_loss": True,
    },
    "players": ["Ann", "Bob", "Cyd", "山田"],
    "dealer": "山田",
    "active": ["Ann", "Bob", "Cyd"],
    "deal": {"hands": {"Ann": "AS ? TD", "Bob": ""}, "widow": "? ? 6C"},
    "spit": {"order": [["Ann", "6S"], ["spit", "9D"]], "drawn": [["Ann", "6S", "9D"]]},
    "auction": [["Ann", "frog"], ["Bob", "double"], ["Ann", "redouble", "Bob"]],
    "contract": {
        "bidder": "Ann",
        "bid": "frog",
        "trump": "H",
        "called": "AS",
        "partner": "Bob",
        "alone": False,
        "doubled": ["Bob"],
        "redoubled": [],
        "announced_tout": False,
    },
    "exchange": {"from": "widow", "took": "AS TD 7H", "discarded": "6S 7S 8S", "returned": "6D"},
    "tricks": [{"leader": "Ann", "cards": "AS 6S 7S"}, {"cards": "TD"}],
    "points": 74,
    "points_against": 46,
    "tricks_won": 5,
    "matadors": "split",
    "first_tricks_won": True,
    "stopped": False,
    "asked_partner": True,
    "pots": {"frog": 4, "solo": 8},
    "conceded": "opponents",
    "claimed": {"by": "Bob", "after": 3, "tricks": 0, "points": 12, "shown": "AS TD"},
    "spread": {"after": "6D"},
    "irregular": IRREGULAR,
    "played_at": "2026-01-31T20:15:00+01:00",
    "note": 'Dee said "no"\nand\tleft ♥ \u0007',
}


def test_every_key_of_the_format_survives_a_round_trip() -> None:
    """From tables to a value and back, exactly; and the value is equal to itself read again."""
    record = HandRecord.from_mapping(FULL)
    assert record.to_mapping() == FULL
    assert HandRecord.from_mapping(record.to_mapping()) == record


def test_cards_are_written_in_one_spelling() -> None:
    """However they were read, as one text or as a list."""
    written = six(3, "call-solo", 120, called="10♦", trump="Hearts")
    written["tricks"] = [{"cards": ["as", "10S", "t♠"]}]
    written["deal"] = {"hands": {"Ann": ["?", "6♣"]}}
    mapping = HandRecord.from_mapping(written).to_mapping()
    assert mapping["contract"] == {
        "bidder": "Ann",
        "bid": "call-solo",
        "trump": "H",
        "called": "TD",
    }
    assert mapping["tricks"] == [{"cards": "AS TS TS"}]
    assert mapping["deal"] == {"hands": {"Ann": "? 6C"}}


def test_what_else_a_bid_is_called_is_read_and_its_slug_written() -> None:
    """In the contract and in the auction, with any other violation there."""
    for said, slug in (("spread", "spread-misere"), ("guarantee-solo", "guarantee")):
        for names in (("Ann", "Bob"), ("Zoë", "Bob")):
            players = [*names, "Cyd"]
            auction = [[names[0], said], ["Bob", "pass"], ["Cyd", "pass"]]
            contract = {"bidder": names[0], "bid": said}
            written = hand("six-bid", 3, contract, players=players, auction=auction)
            mapping = HandRecord.from_mapping(written).to_mapping()
            assert mapping["auction"] == [[names[0], slug], ["Bob", "pass"], ["Cyd", "pass"]]
            assert mapping["contract"] == {"bidder": names[0], "bid": slug}


def test_german_cards_are_read_and_french_ones_written() -> None:
    """Wherever a card or a suit may stand."""
    contract = {"bidder": "Ann", "bid": "frage", "trump": "bells", "called": "A-leaves"}
    written = hand("german-solo", 4, contract, tricks=[{"cards": "OA UnterL 7B Ober-Hearts"}])
    mapping = HandRecord.from_mapping(written).to_mapping()
    assert mapping["contract"] == {**contract, "trump": "D", "called": "AS"}
    assert mapping["tricks"] == [{"cards": "QC JS 7D QH"}]


@pytest.mark.parametrize(
    "twin", [" Ann", "Ann ", "An\u200bn", "\u2060Ann", "Ann\ufe0f", "\uff21nn", "Ann\t"]
)
def test_names_that_look_alike_are_one_name_twice(twin: str) -> None:
    """Blanks, marks without width and Unicode's forms make no other name."""
    violation = refusal(six(3, "misere", 0, players=["Ann", "Bob", twin], dealer="Bob"))
    assert (violation.code, violation.field) == ("name-twice", "players.3")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zo\u00eb", "Zoe\u0308"),
        ("Mary Ann", "Mary  Ann"),
        ("Bob", "bOB"),
        ("Zo\u00eb", "ZO\u00cb"),
        ("Stra\u00dfe", "STRASSE"),
        ("\u0410\u043d\u043d\u0430", "\u0430\u043d\u043d\u0430"),
    ],
)
def test_names_of_two_forms_are_one(one: str, other: str) -> None:
    """Composed or not, with one blank or two, in capitals or not; but letters distinguish people."""
    written = six(3, "misere", 0, players=[one, "Ann", other], dealer="Ann")
    assert (refusal(written).code, refusal(written).field) == ("name-twice", "players.3")
    assert refusal(written).message == (
        f"{one} and {other} are one name, as capitals, spaces and invisible marks make no difference;"
        " give each seat its own."
    )
    for another in (one + "e", one.replace(" ", "")):
        if another != one:
            assert scored(six(3, "misere", 0, players=["Ann", one, another], dealer="Ann"))


@pytest.mark.parametrize("name", ["\u200b", "\u2060 \ufe0f", "\u3164"])
def test_a_name_that_shows_nothing_is_blank(name: str) -> None:
    """Though it has characters; and widow with a blank is still the widow."""
    players = ["Ann", "Bob", name]
    assert refusal(six(3, "misere", 0, players=players, dealer="Bob")).code == "name-blank"
    players = ["Ann", "Bob", "widow\u200b "]
    assert refusal(six(3, "misere", 0, players=players, dealer="Bob")).code == "name-reserved"


def test_comparing_names_costs_little_however_long_they_are() -> None:
    """Sixty thousand marks over one letter are not put in order: they are too many for a name."""
    long = "a" + "\u0301\u0323" * 30_000
    problems = violations(six(3, "misere", 0, players=["Ann", long, long], dealer="Ann"))
    assert {each.code for each in problems} == {"name-too-long"}


def test_the_six_of_spades_is_a_card_like_any_other() -> None:
    """Its number is 0, which must not pass for nothing."""
    written = six(3, "call-solo", 120, called="6S", exchange={"returned": "6S"})
    mapping = HandRecord.from_mapping(written).to_mapping()
    assert mapping["contract"] == {
        "bidder": "Ann",
        "bid": "call-solo",
        "trump": "S",
        "called": "6S",
    }
    assert mapping["exchange"] == {"returned": "6S"}


def test_a_key_that_holds_null_is_left_out() -> None:
    """As some writers of JSON put it."""
    written = six(3, "misere", 0, note=None, active=None)
    assert "note" not in HandRecord.from_mapping(written).to_mapping()


def test_options_that_are_empty_are_left_out() -> None:
    """No house rule differs."""
    assert "options" not in HandRecord.from_mapping(six(3, "misere", 0, options={})).to_mapping()


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        ("points", "abc", "points"),
        ("points", 74.0, "points"),
        ("points", True, "points"),
        ("points", 10**10, "points"),
        ("game", 7, "game"),
        ("note", 7, "note"),
        ("note", "\ud800", "note"),
        ("players", "Ann Bob Cyd", "players"),
        ("players", ["Ann", "Bob", 3], "players.3"),
        ("active", {"Ann": 1}, "active"),
        ("options", [], "options"),
        ("options", {"auction": 1.5}, "options.auction"),
        ("options", {"auction": 10**10}, "options.auction"),
        ("options", {"auction": "\ud800"}, "options.auction"),
        ("options", {"\ud800": True}, "options.\\ud800"),
        ("options", {"pots": {"stake": []}}, "options.pots.stake"),
        ("deal", "AS", "deal"),
        ("deal", {"hands": ["AS"]}, "deal.hands"),
        ("deal", {"hands": {"Ann": 5}}, "deal.hands.Ann"),
        ("auction", "pass", "auction"),
        ("auction", [["Ann", "pass"], ["Ann"]], "auction.2"),
        ("auction", [["Ann", "redouble", "Bob", "Cyd"]], "auction.1"),
        ("auction", ["pass"], "auction.1"),
        ("tricks", {}, "tricks"),
        ("tricks", [7], "tricks.1"),
        ("tricks", [{"cards": 7}], "tricks.1.cards"),
        ("contract", "solo", "contract"),
        ("contract", {"alone": "yes"}, "contract.alone"),
        ("stopped", 1, "stopped"),
        ("matadors", "both", "matadors"),
        ("conceded", "Ann", "conceded"),
        ("played_at", "yesterday", "played_at"),
        ("played_at", "2026-01-31T20:15:00", "played_at"),
        ("played_at", "2026-06-31T20:15:00Z", "played_at"),
        ("played_at", datetime(2026, 1, 31), "played_at"),  # noqa: DTZ001 - the point of it
        ("played_at", 5, "played_at"),
    ],
)
def test_a_value_of_another_kind_is_refused_at_its_place(
    key: str, value: object, field: str
) -> None:
    """And nothing is converted by guess."""
    violation = refusal(six(3, "misere", 0) | {key: value})
    assert (violation.code, violation.field) == ("ill-typed", field)


def test_a_number_out_of_all_bounds_is_told_the_bounds() -> None:
    """Anything up to a billion either way is a number; beyond it the message names the limit."""
    for value in (10**9 + 1, -(10**9) - 1, 10**400):
        assert refusal(six(3, "misere", 0) | {"points": value}).message == (
            "points must be a whole number from −1,000,000,000 to 1,000,000,000, "
            "not a number out of range."
        )
    assert refusal(six(3, "misere", 0) | {"points": 10**9}).code == "points-out-of-range"


@pytest.mark.parametrize(
    ("key", "value", "code", "field"),
    [
        ("score", 7, "unknown-key", "score"),
        ("contract", {"suit": "S"}, "unknown-key", "contract.suit"),
        ("contract", {"trump": "X"}, "unknown-suit", "contract.trump"),
        ("contract", {"trump": 5}, "unknown-suit", "contract.trump"),
        ("contract", {"called": "1S"}, "unknown-card", "contract.called"),
        ("contract", {"called": 5}, "unknown-card", "contract.called"),
        ("tricks", [{"leader": "Ann"}], "missing-key", "tricks.1.cards"),
        ("tricks", [{"cards": "AS XX"}], "unknown-card", "tricks.1.cards"),
        ("pots", {"frog": 3}, "missing-key", "pots.solo"),
        ("format", 2, "unknown-format", "format"),
        ("format", True, "unknown-format", "format"),
        ("dealer", None, "missing-key", "dealer"),
    ],
)
def test_a_wrong_key_or_word_is_refused_at_its_place(
    key: str, value: object, code: str, field: str
) -> None:
    """With its own code."""
    violation = refusal(six(3, "misere", 0) | {key: value})
    assert (violation.code, violation.field) == (code, field)


@pytest.mark.parametrize("value", [None, [], "hand", 7])
def test_a_hand_is_a_table_of_keys(value: object) -> None:
    """Anything else is refused as a whole."""
    violation = refusal(value)
    assert (violation.code, violation.field) == ("ill-typed", "")
    assert violation.message.startswith("A hand must be a table of keys")


def test_everything_ill_typed_is_named_at_once() -> None:
    """Together with the violations of the players."""
    written = six(3, "misere", "none") | {"players": ["Ann", "Ann", " "], "note": 5}  # type: ignore[arg-type]
    assert [violation.code for violation in violations(written)] == [
        "ill-typed",
        "ill-typed",
        "name-twice",
        "name-blank",
    ]
    assert refusal(six(3, "misere", 0, players=7)).field == "players"


@pytest.mark.parametrize("count", [0, 2, 13])
def test_three_to_twelve_players_have_seats(count: int) -> None:
    """Fewer or more are refused."""
    players = [f"P{number}" for number in range(count)]
    violation = refusal(hand("six-bid", 3, None) | {"players": players, "dealer": "P0"})
    assert violation.code == "players-count"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name-blank"),
        (" \u3000\t", "name-blank"),
        ("widow", "name-reserved"),
        ("spit", "name-reserved"),
        ("Widow", "name-reserved"),
    ],
)
def test_a_name_is_any_text_but_these(name: str, code: str) -> None:
    """Refused with the seat's number."""
    violation = refusal(
        hand("six-bid", 3, None) | {"players": ["Ann", name, "Cyd"], "dealer": "Ann"}
    )
    assert (violation.code, violation.field) == (code, "players.2")


@pytest.mark.parametrize("name", ["Widower", "山田", "🂡", "<script>", "a" * 500, " Ann ", "null"])
def test_any_other_name_is_kept_as_it_is(name: str) -> None:
    """Spaces at its ends included."""
    record = HandRecord("six-bid", (name, "Bob", "Cyd"), name, contract=Contract(bid="pass"))
    assert HandRecord.from_mapping(record.to_mapping()) == record


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        ("dealer", "Zoe", "dealer"),
        ("active", ["Ann", "Bob", "Zoe"], "active"),
        ("contract", {"bidder": "Zoe"}, "contract.bidder"),
        ("contract", {"partner": "Zoe"}, "contract.partner"),
        ("contract", {"doubled": ["Zoe"]}, "contract.doubled"),
        ("contract", {"redoubled": ["Zoe"]}, "contract.redoubled"),
        ("deal", {"hands": {"Zoe": "AS"}}, "deal.hands"),
        ("spit", {"order": [["spit", "AS"], ["Zoe", "AS"]]}, "spit.order.2"),
        ("spit", {"drawn": [["Zoe", "AS", "TS"]]}, "spit.drawn.1"),
        ("auction", [["Ann", "pass"], ["Zoe", "pass"]], "auction.2"),
        ("auction", [["Ann", "redouble", "Zoe"]], "auction.1"),
        ("exchange", {"from": "Zoe"}, "exchange.from"),
        ("tricks", [{"cards": "AS", "leader": "Zoe"}], "tricks.1.leader"),
    ],
)
def test_every_name_in_a_record_has_a_seat(key: str, value: object, field: str) -> None:
    """A record that names anybody else cannot be made."""
    violation = refusal(six(3, "misere", 0) | {key: value})
    assert (violation.code, violation.field, violation.where["seat"]) == (
        "unknown-seat",
        field,
        "Zoe",
    )
    assert violation.legal == ("Ann", "Bob", "Cyd")


def test_a_deal_may_hold_the_widow_alone() -> None:
    """Every part of a deal or spit may be left out."""
    written = six(3, "misere", 0, deal={"widow": "AS"}, spit={})
    assert HandRecord.from_mapping(written).to_mapping()["deal"] == {"widow": "AS"}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-01-31T20:15:00Z", "2026-01-31T20:15:00Z"),
        ("2026-01-31 20:15:00z", "2026-01-31T20:15:00Z"),
        ("2026-01-31t20:15:00.5+05:30", "2026-01-31T20:15:00.500000+05:30"),
        ("2026-01-31T20:15:00-00:30", "2026-01-31T20:15:00-00:30"),
    ],
)
def test_a_time_is_rfc_3339_with_its_offset(text: str, written: str) -> None:
    """Kept as it was at the table."""
    record = HandRecord.from_mapping(six(3, "misere", 0, played_at=text))
    assert record.to_mapping()["played_at"] == written
    assert HandRecord.from_mapping(record.to_mapping()) == record


def test_an_offset_with_seconds_is_written_in_utc() -> None:
    """RFC 3339 cannot hold it."""
    unusual = datetime(2026, 1, 31, 20, 15, tzinfo=timezone(timedelta(seconds=3208)))
    record = HandRecord("six-bid", ("Ann", "Bob", "Cyd"), "Ann", played_at=unusual)
    assert record.to_mapping()["played_at"] == "2026-01-31T19:21:32Z"


def test_a_time_without_an_offset_makes_no_record() -> None:
    """Not even one that is built directly."""
    with pytest.raises(Refused, match="with its offset"):
        HandRecord("six-bid", ("Ann", "Bob", "Cyd"), "Ann", played_at=datetime(2026, 1, 31))  # noqa: DTZ001
    moment = datetime(2026, 1, 31, tzinfo=UTC)
    assert HandRecord("six-bid", ("Ann", "Bob", "Cyd"), "Ann", played_at=moment).played_at == moment


@pytest.mark.parametrize(
    ("cards", "named"),
    [
        ("the ten of spades", ["the ten of spades"]),
        ("AS the ten of spades 7H", ["the ten of spades"]),
        ("AS 10 C 7H", ["10 C"]),
        ("AS XX 7H YY", ["XX", "YY"]),
        (["AS", "XX", "YY"], ["XX", "YY"]),
        ("nonsense", ["nonsense"]),
    ],
)
def test_words_in_a_row_that_are_no_card_are_one_mistake(
    cards: str | list[str], named: list[str]
) -> None:
    """In tricks as in hands that may hold cards nobody noted."""
    for keys, field in (
        ({"tricks": [{"cards": cards}]}, "tricks.1.cards"),
        ({"deal": {"hands": {"Ann": cards}}}, "deal.hands.Ann"),
    ):
        problems = violations(six(3, "solo", 74, **keys))
        assert {(each.code, each.field) for each in problems} == {("unknown-card", field)}
        assert [each.message.split('"')[1] for each in problems] == named
