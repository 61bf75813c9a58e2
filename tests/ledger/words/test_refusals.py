"""Refusals of the engine are translated into every language."""

import re
from itertools import islice

import pytest

from engine.cards.card_sets import mask_of
from engine.cards.cards import Card, Suit, read_cards
from engine.errors.codes import CODES, examples
from engine.games import GAMES, find
from engine.phases.tricks import place_of
from engine.record import Call, Contract
from engine.words.language import READER, Sentence
from engine.words.sentences import say, word
from ledger.words.languages import LANGUAGES
from tests.catalogues import OTHERS
from tests.engine.hands import NAMES, refusal, six
from tests.engine.playing import HOUSES
from tests.engine.stepping import refused
from tests.engine.test_random_changes import CHANGES, Change, changed, refusals_of
from tests.refusals_page import violation_of

IDENTIFIER = re.compile(
    r"[a-z]+(?:[_.-][a-z]+)+|\b(?:[A-Z][a-z]{2}|[A-Z0-9]{1,2}|frog pot|widow)\b", re.ASCII
)
"""Names that a record contains: keys, slugs, players, cards."""
ENGLISH_WORD = re.compile(
    r"\b(?:the|and|of|to|not|is|are|must|cannot|with|say|trick|card|hand)\b", re.IGNORECASE
)
CARD_CODE = re.compile(r"\b(?:10|[6-9TJQKA])[SHDC]\b", re.ASCII)
"""A card as a record writes it."""
BID_CODE = re.compile(
    "|".join(
        rf"\b{bid.slug}\b"
        for sheet in GAMES.values()
        for bid in sheet.rules(None, {}, max(sheet.seats)).bids
        if "-" in bid.slug
    )
)
"""A bid as a record writes it, unless it is a word of its own."""


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("code", CODES)
def test_every_refusal_is_said_without_a_word_of_english(code: str, tag: str) -> None:
    """Its example draws the sentence, with every sentence inside it."""
    message = violation_of(code, examples()[code]).message
    assert isinstance(message, Sentence)
    translated = LANGUAGES[tag].translate(message)
    assert translated != message
    assert not re.search(r"[{}]", translated)
    assert not ENGLISH_WORD.findall(IDENTIFIER.sub("", translated)), translated


@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_each_card_and_call_of_a_refusal_is_named_as_the_reader_names_it(
    code: str, tag: str
) -> None:
    """All those that the command line's sentence writes as a record does."""
    violation, language = violation_of(code, examples()[code]), LANGUAGES[tag]
    rendered = language.translate(violation.message)
    cards = CARD_CODE.findall(violation.message)
    assert cards or "card" not in violation.where or code == "deal-order"
    assert [card for card in cards if language.card(Card.parse(card)) not in rendered] == []
    assert not CARD_CODE.findall(rendered), rendered
    if violation.field.startswith(("auction.", "contract.bid")):
        calls = [call for call in violation.legal if call in violation.message]
        assert [call for call in calls if language.call(call) not in rendered] == []
        assert [call for call in calls if "-" in call and call in rendered] == []


@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_a_refusal_of_a_played_card_names_its_trick_and_its_position(code: str, tag: str) -> None:
    """On a page; a program reads them from `where`."""
    violation = violation_of(code, examples()[code])
    where = violation.where
    if "trick" not in where or "card" not in where:
        return
    place = LANGUAGES[tag].translate(place_of(int(where["trick"]), int(where["position"])))
    assert place.casefold() in LANGUAGES[tag].translate(violation.message).casefold()


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_random_impossible_hand_is_refused_with_the_reader_s_cards_and_calls(
    change: Change,
) -> None:
    """In each game: no card is left as a record writes it, and its place in the trick is named."""
    found = 0
    for house in HOUSES:
        for _, other in islice(changed(house, change), 12):
            for violation in refusals_of(other):
                found += 1
                for language in LANGUAGES.values():
                    rendered = language.translate(violation.message)
                    assert not CARD_CODE.findall(rendered), rendered
                    assert not BID_CODE.findall(rendered), rendered
                    where = violation.where
                    if "trick" in where and "card" in where:
                        place = place_of(int(where["trick"]), int(where["position"]))
                        assert language.translate(place).casefold() in rendered.casefold()
    assert found


REVOKE = {
    "en": "Trick 3, card 2: Bob played 10♣, but held 9♦ and had to follow diamonds.",
    "de": "Stich 3, 2. Karte: Bob spielte ♣10, hatte aber ♦9 und musste Karo bedienen.",
    "ja": "第3トリックの2枚目：Bobは♣10を出しましたが、"
    "♦9があるのでダイヤモンドをフォローしなければなりません。",
}


def test_a_revoke_is_told_in_each_language_with_its_own_cards() -> None:
    """The command line keeps the sentence of the format's documentation."""
    rules = find("six-bid").rules(None, {}, 3)
    hands = [mask_of(read_cards(cards)) for cards in ("AS TS AD", "KS QS TC 9D", "JS 9S 6D")]
    contract = Contract(bidder="Ann", bid="heart-solo")
    play = rules.play(rules.by_slug["heart-solo"], contract, NAMES[:3], 0, tuple(hands))
    play = play.after(*read_cards("AS KS JS TS QS 9S AD"))
    violation = refused(lambda: play.after(Card.parse("TC")))
    assert violation.message == "Trick 3: Bob played TC, but held 9D and had to follow diamonds."
    assert {tag: LANGUAGES[tag].translate(violation.message) for tag in LANGUAGES} == REVOKE
    assert violation.where == {"trick": 3, "position": 2, "seat": "Bob", "card": "TC"}
    assert violation.to_mapping(LANGUAGES["de"])["legal"] == ["9D"]


def test_a_note_names_its_card_in_each_language() -> None:
    """The command line writes it as the record does."""
    tricks = [{"leader": "Ann", "cards": "AS 6S 7S"}]
    notes = [{"trick": 1, "card": "TS", "text": "an odd card"}]
    message = refusal(six(3, "solo", 74, tricks=tricks, notes=notes)).message
    assert message == "Note 1 is on TS in trick 1, where it was not played."
    assert {
        tag: LANGUAGES[tag].card(Card.parse("TS")) in LANGUAGES[tag].translate(message)
        for tag in LANGUAGES
    } == dict.fromkeys(LANGUAGES, True)


REFUSED_CALL = {
    "en": "Call 4: Ann called Redouble Cyd, which was not possible;"
    " the choices were Pass and Redouble Bob.",
    "de": "Ansage 4: Ann sagte Re gegen Cyd, das ging nicht; möglich waren Passe und Re gegen Bob.",
    "ja": "4番目の宣言：AnnのCydへのリダブルは言えません。選べたのはパス、Bobへのリダブルです。",
}


def test_a_refused_call_is_told_with_the_names_of_the_calls() -> None:
    """Also the seat that a redouble answers."""
    auction = find("progressive").rules(None, {}, 3).auction(NAMES[:3])
    auction = auction.after(Call("Ann", "frog"), Call("Bob", "double"), Call("Cyd", "pass"))
    violation = refused(lambda: auction.after(Call("Ann", "redouble", "Cyd")))
    assert violation.message == (
        "Call 4: Ann called redouble Cyd, which was not possible; the choices were pass and redouble Bob."
    )
    assert {tag: LANGUAGES[tag].translate(violation.message) for tag in LANGUAGES} == REFUSED_CALL
    assert violation.legal == ("pass", "redouble Bob")


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_bid_has_its_name_and_other_text_stays(tag: str) -> None:
    """A bid that names the preferred suit is named with it."""
    language = LANGUAGES[tag]
    for sheet in GAMES.values():
        for bid in sheet.rules(None, {}, max(sheet.seats)).bids:
            assert language.call(bid.slug) == language.term(bid.title)
    assert language.call("whist") == "whist"
    assert language.call("frage-in-bells") == "frage-in-bells"
    assert language.term("clubs") in language.call("frage-in-clubs")
    assert language.call("frage-in-clubs") != "frage-in-clubs"


def test_a_suit_is_named_and_a_card_on_a_page_is_no_coloured_picture() -> None:
    """A sign is followed by the mark for text, unless somebody's name has one of its own."""
    sentence = say("{who}: {suits:or}, {card}", who="♥\ufe0f", suits=[Suit.CLUBS], card=Card(0))
    assert sentence == "♥\ufe0f: C, 6S"
    token = READER.set(LANGUAGES["en"])
    try:
        assert sentence.__html__() == "♥\ufe0f: clubs, 6♠\ufe0e"
    finally:
        READER.reset(token)


def test_a_word_of_the_games_is_said_among_others_in_each_language() -> None:
    """It is translated where several are joined."""
    only = say(
        "{bid:term}: only {suits:or} can be trumps, not {trump:term}.",
        bid="Solo",
        suits=[word("spades"), word("clubs")],
        trump="hearts",
    )
    assert only == "Solo: only spades or clubs can be trumps, not hearts."
    german = LANGUAGES["de"].translate(only)
    assert german == "Solo: Trumpf kann nur Pik oder Kreuz sein, nicht Herz."


def test_of_nothing_nothing_is_said() -> None:
    """Where nothing can be chosen a sentence is still one."""
    assert say("One of {all:or}, {all:and}.", all=()) == "One of , ."
