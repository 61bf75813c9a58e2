"""Words that people write instead of the format's own: cards, suits, bids and games of every language."""

from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards.cards import CARDS, SPELLINGS, AmbiguousCard, Card, Suit
from engine.cards.languages import LANGUAGES
from engine.record import HandRecord
from engine.record.reading import MOST_PROBLEMS
from engine.record.spelling import LONGEST_SLUG, slug_of
from tests.engine.hands import crazy, hand, refusal, six, violations


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("SA", "AS"),
        ("A♠", "AS"),
        ("♠A", "AS"),
        ("d10", "TD"),
        ("♥️10", "TH"),
        ("ace-of-spades", None),
        ("ace of spades", "AS"),
        ("ten-diamonds", "TD"),
        ("PD", "QS"),
        ("Pik-Dame", "QS"),
        ("HB", "JH"),
        ("B♥", "JH"),
        ("KrA", "AC"),
        ("Kreuz10", "TC"),
        ("K9", "9D"),
        ("Herz-König", "KH"),
        ("Eichel-Ober", "QC"),
        ("SchellenUnter", "JD"),
        ("GRÜNASS", "AS"),
        ("スペードのA", "AS"),
        ("ハート10", "TH"),
        ("クラブのクイーン", "QC"),
        ("Ｑ♦", "QD"),
    ],
)
def test_a_card_is_read_in_every_language_and_order(text: str, card: str | None) -> None:
    """Two joints between rank and suit are none."""
    if card is None:
        with pytest.raises(ValueError, match="not one of the 36 cards"):
            Card.parse(text)
    else:
        assert str(Card.parse(text)) == card


@pytest.mark.parametrize(
    ("text", "cards"), [("DK", "QD or KD"), ("BK", "JD or KD"), ("ak", "AD or KC")]
)
def test_a_card_that_could_be_two_is_refused_and_both_are_named(text: str, cards: str) -> None:
    """In German with the rank first, in English with the suit first."""
    violation = refusal(six(3, "call-solo", 120, called=text))
    assert (violation.code, violation.field) == ("ambiguous-card", "contract.called")
    assert violation.message == (
        f'contract.called: "{text}" can be {cards}; write the rank and then the suit, S, H, D or C.'
    )
    assert " or ".join(violation.legal) == cards
    with pytest.raises(AmbiguousCard, match=f"'{text}' can be {cards}"):
        Card.parse(text)


def test_the_spellings_of_version_1_come_first() -> None:
    """KA and KB are the kings of acorns and of bells, as they were before other languages were read."""
    for text, card in SPELLINGS.items():
        assert Card.parse(text) is card
        assert Card.parse(text.upper()) is card
    assert list(map(Card.parse, ("KA", "KB"))) == list(map(Card.parse, ("KC", "KD")))


def _meanings(text: str) -> tuple[Card, ...]:
    try:
        return (Card.parse(text),)
    except AmbiguousCard as error:
        return error.cards


def test_every_pair_of_words_is_read_or_ambiguous() -> None:
    """With the suit first and last; each card can be written in each language."""
    for ranks, suits in LANGUAGES:
        unique = set()
        for (rank, its_rank), (suit, its_suit) in product(ranks.items(), suits.items()):
            card = Card.parse(its_rank + its_suit)
            for text in (rank + suit, suit + rank, f"{suit}-{rank}"):
                meanings = _meanings(text)
                assert card in meanings or text in SPELLINGS
                if meanings == (card,):
                    unique.add(card)
        assert unique == set(CARDS)


def test_no_word_means_two_suits() -> None:
    """So a suit alone is never ambiguous."""
    meanings = {(spelling, letter) for _, suits in LANGUAGES for spelling, letter in suits.items()}
    assert len({spelling for spelling, _ in meanings}) == len(meanings)
    for spelling, letter in meanings:
        assert Suit.parse(spelling.upper()) == letter


@given(st.text(max_size=40))
def test_any_text_is_one_card_or_refused(text: str) -> None:
    """Nothing else is raised, however odd the characters."""
    with suppress(ValueError):
        assert Card.parse(text) in CARDS


@pytest.mark.parametrize("text", ["AS, 9S, 7S", "AS,9S,7S", "as;9♠、S7", " AS  9S,\n7S "])
def test_cards_are_separated_by_spaces_or_commas(text: str) -> None:
    """In a trick, a deal and an exchange alike."""
    written = six(3, "misere", 0, tricks=[text], deal={"hands": {"Ann": text}})
    mapping = HandRecord.from_mapping(written).to_mapping()
    assert mapping["tricks"] == [{"cards": "AS 9S 7S"}]
    assert mapping["deal"] == {"hands": {"Ann": "AS 9S 7S"}}


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        ("Six-Bid", "six-bid"),
        ("Heart solo", "heart-solo"),
        ("heart solo", "heart-solo"),
        ("HEART_SOLO", "heart-solo"),
        ("misère", "misere"),
        ("Mise\u0300re", "misere"),
        ("spread  misère", "spread-misere"),
        ("♥ solo", "♥ solo"),
        ("", ""),
        (" - ", " - "),
        ("A" * (LONGEST_SLUG + 1), "A" * (LONGEST_SLUG + 1)),
    ],
)
def test_words_are_read_as_slugs(words: str, slug: str) -> None:
    """Other texts stay as they are, so that the refusal repeats them."""
    assert slug_of(words) == slug


def test_games_variants_bids_and_calls_are_written_as_slugs() -> None:
    """However they were read; also an alias of a bid."""
    written = hand(
        "Six-Bid",
        3,
        {"bidder": "Ann", "bid": "Spread misère"},
        rules="Hoyle",
        auction=[["Ann", "Guarantee Solo"], ["Bob", "PASS"], ["Cyd", "misère"]],
    )
    mapping = HandRecord.from_mapping(written).to_mapping()
    assert (mapping["game"], mapping["rules"]) == ("six-bid", "hoyle")
    assert mapping["contract"] == {"bidder": "Ann", "bid": "spread-misere"}
    assert mapping["auction"] == [["Ann", "guarantee"], ["Bob", "pass"], ["Cyd", "misere"]]


@pytest.mark.parametrize(
    ("written", "code", "nearest"),
    [
        (crazy(4, "solo", 74) | {"game": "crasy-solo"}, "unknown-game", "crazy-solo"),
        (six(3, "misere", 0, rules="hoile"), "unknown-variant", "hoyle"),
        (six(3, "misery", 0), "unknown-bid", "misere"),
        (six(3, "misere", 0) | {"point": 0}, "unknown-key", "points"),
        (six(3, "misere", 0, dealer="Ahn"), "unknown-seat", "Ann"),
        (six(3, "misere", 0, conceded="biddr"), "ill-typed", "bidder"),
        (hand("six-bid", 3, {"bid": "solo", "trump": "hartes"}), "unknown-suit", "hearts"),
        (six(3, "misere", 0, options={"misere_by_trick": True}), "unknown-option", None),
        (six(3, "misere", 0, auction=[["Ann", "hart-solo"]]), "call-not-allowed", "heart-solo"),
    ],
)
def test_an_unknown_word_is_answered_with_the_nearest_valid_one(
    written: dict[str, object], code: str, nearest: str | None
) -> None:
    """At the end of the message."""
    violation = refusal(written)
    assert violation.code == code
    assert violation.message.endswith(f"Did you mean {nearest or 'misere_by_tricks'}?")


@pytest.mark.parametrize("word", ["whist", "x" * 61, "x" * 100_000])
def test_no_word_is_suggested_if_none_is_similar(word: str) -> None:
    """Nor for a text that is too long to compare."""
    assert "Did you mean" not in refusal(crazy(4, "solo", 74) | {"game": word}).message


def test_a_similar_key_is_suggested_for_the_first_ten_unknown_ones_only() -> None:
    """To find one takes longer than all the rest."""
    found = violations(crazy(4, "solo", 74) | {f"pointz{at}": 1 for at in range(20)})
    messages = [each.message for each in found if each.code == "unknown-key"]
    assert ["Did you mean points?" in message for message in messages] == [True] * 10 + [False] * 10


@pytest.mark.parametrize(
    "keys",
    [
        {"auction": [["Ann"]] * 150},
        {"tricks": [{f"k{at}": 1 for at in range(150)}]},
        {"options": {f"o{at}": {"a": [], "b": []} for at in range(75)}},
        {"irregular": [{"transfers": [{"x": 1}] * 130}] * 36},
    ],
)
def test_a_record_with_many_mistakes_lists_the_first_hundred(keys: dict[str, object]) -> None:
    """The next one only says that there are more."""
    found = violations(crazy(4, "solo", 74) | keys)
    assert len(found) == MOST_PROBLEMS + 1
    assert [each.code for each in found].index("too-many-mistakes") == MOST_PROBLEMS
    assert found[-1].message == "There are more mistakes in this hand; these are the first 100."


def test_a_record_with_a_hundred_mistakes_lists_them_all() -> None:
    """Nothing is left to find."""
    found = violations(crazy(4, "solo", 74) | {"auction": [["Ann"]] * MOST_PROBLEMS})
    assert [each.code for each in found] == ["ill-typed"] * MOST_PROBLEMS


def test_a_call_that_exists_is_not_corrected() -> None:
    """It was only not possible at that point."""
    violation = refusal(six(3, "misere", 0, auction=[["Ann", "redouble"]]))
    assert violation.code == "call-not-allowed"
    assert "Did you mean" not in violation.message


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        ("tricks", ["AS"] * 37, "tricks"),
        ("tricks", [["AS"] * 101], "tricks.1"),
        ("deal", {"hands": {str(number): "AS" for number in range(13)}}, "deal.hands"),
        ("tricks", ["XX " * 400], "tricks.1"),
        ("auction", [["Ann", "pass"]] * 201, "auction"),
        ("options", {str(number): 1 for number in range(201)}, "options"),
        ("contract", {str(number): 1 for number in range(201)}, "contract"),
    ],
)
def test_lists_and_tables_are_bounded(key: str, value: object, field: str) -> None:
    """Far above anything that a hand needs."""
    violation = refusal(six(3, "misere", 0) | {key: value})
    assert (violation.code, violation.field) == ("ill-typed", field)


@pytest.mark.parametrize("depth", [2, 900])
def test_a_group_of_house_rules_has_no_groups_in_it(depth: int) -> None:
    """However deep they are nested."""
    value: object = 1
    for _ in range(depth):
        value = {"a": value}
    violation = refusal(six(3, "misere", 0, options={"pots": value}))
    assert (violation.code, violation.field) == ("ill-typed", "options.pots.a")
