"""Names: any Unicode is valid, except invisible, unreadable or ambiguous ones."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.record.seats import RESERVED
from engine.rules.pots import POTS
from ledger.database.kinds.accounts import TITLES
from ledger.services.common import names
from ledger.words.problems import Invalid

ANY_TEXT = st.text(max_size=70)


def refusal(text: str) -> str:
    """Return the code that a name is refused with."""
    with pytest.raises(Invalid) as caught:
        names.clean_player(text)
    (fault,) = caught.value.faults
    assert fault.field == "name"
    assert fault.message == caught.value.message
    return fault.code


@pytest.mark.parametrize(
    "name", ["Łukasz", "山田", "🂡", "שרה", "👩🏽‍🚀", "۱۲", "O’Neill, Jr. (2)", "अ", "=1+1"]
)
def test_any_visible_name_is_kept_as_written(name: str) -> None:
    """Letters, numbers, signs and emoji of any script."""
    assert names.clean_player(name) == name


def test_outer_and_double_spaces_go() -> None:
    """Tabs, line ends and wide spaces count as spaces."""
    assert names.clean("  Ann \t\u3000 Lee\n", "name", "The name") == "Ann Lee"


def test_a_name_is_composed() -> None:
    """A letter and its accent become one character, however they were typed."""
    assert names.clean("Zoe\u0308", "name", "The name") == "Zoë"


@pytest.mark.parametrize(
    "text", ["", "   ", "\u200d", "\u3164", "\u2800", "\ufe0f", "\u0301", "\u115f \u1160"]
)
def test_a_name_that_cannot_be_seen_is_refused(text: str) -> None:
    """Spaces, joiners, fillers and marks with nothing under them show no name."""
    assert refusal(text) == "name-empty"


@pytest.mark.parametrize(
    "text", ["A\x00nn", "Ann\x1b", "\u202eAnn", "Ann\u200b", "Ann\ud800", "\ufeffAnn"]
)
def test_an_invisible_control_character_is_refused(text: str) -> None:
    """NUL, escapes, text direction overrides, zero-width spaces and half characters."""
    assert refusal(text) == "name-has-controls"


@pytest.mark.parametrize("text", ["<script>", "a<b", "Ann >"])
def test_angle_brackets_are_refused(text: str) -> None:
    """No name looks like markup, wherever it is shown."""
    assert refusal(text) == "name-has-brackets"


def test_64_characters_fit_and_65_do_not() -> None:
    """The length is that of the stored name; the message states it."""
    assert names.clean_player("é" * names.LONGEST) == "é" * 64
    assert names.clean_player("e\u0301" * names.LONGEST) == "é" * 64
    assert refusal("x" * 65) == "name-too-long"
    with pytest.raises(Invalid, match="has 500 characters; the limit is 64"):
        names.clean_player("x" * 500)


@pytest.mark.parametrize(
    "text",
    ["widow", "Widow", " SPIT ", "ｓｐｉｔ", "wid\u200dow", "frog pot", "Frog  Pot", "SOLO POT"],
)
def test_words_that_the_engine_keeps_are_no_players(text: str) -> None:
    """They stand for cards or pots among the players; a club or a session may have such a name."""
    assert refusal(text) == "name-reserved"
    assert names.clean(text, "title", "The title") == " ".join(text.split())


def test_every_word_that_the_engine_keeps_is_refused() -> None:
    """New reserved words are reserved here, too, without a second list."""
    assert {refusal(word) for word in (*RESERVED, *POTS)} == {"name-reserved"}


@pytest.mark.parametrize(
    "text",
    [
        "The bank",
        "bank",
        "THE  POTS",
        "the till",
        "Differences",
        "Nobody",
        "Unpaid score",
        *TITLES.values(),
    ],
)
def test_words_that_stand_for_accounts_are_no_new_players(text: str) -> None:
    """In a table they would look like the account; an initial makes them different."""
    with pytest.raises(Invalid, match="is the name of an account; add an initial") as caught:
        names.clean_new_player(text, (), "player")
    assert [(fault.field, fault.code) for fault in caught.value.faults] == [
        ("player", "name-reserved")
    ]
    assert names.clean_new_player(f"{text} B.", ()) == " ".join(f"{text} B.".split())


def test_a_refusal_names_the_field_it_was_asked_for() -> None:
    """The third player's mistake is marked at the third player."""
    with pytest.raises(Invalid) as caught:
        names.clean_player(" ", "players.2")
    assert [fault.field for fault in caught.value.faults] == ["players.2"]


@pytest.mark.parametrize(
    "other",
    ["ann lee", "ANN LEE", "Ａｎｎ　Ｌｅｅ", " Ann  Lee ", "An\u200dn Lee\ufe0f", "Ann Lee\x00"],
)
def test_names_that_look_alike_are_the_same(other: str) -> None:
    """Capitals, width, spaces and invisible characters make no second person."""
    assert names.key(other) == names.key("Ann Lee")


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anne"), ("Zoë", "Zoe"), ("Ann Lee", "AnnLee")])
def test_names_that_look_different_are_not_the_same(one: str, other: str) -> None:
    """An accent or a space makes another name."""
    assert names.key(one) != names.key(other)


@given(ANY_TEXT)
def test_cleaning_a_clean_name_changes_nothing(text: str) -> None:
    """A stored name can be sent back and is stored the same; it fits and has a key."""
    try:
        cleaned = names.clean(text, "name", "The name")
    except Invalid:
        return
    assert names.clean(cleaned, "name", "The name") == cleaned
    assert 0 < len(cleaned) <= names.LONGEST
    assert names.key(cleaned)


@given(ANY_TEXT)
def test_a_name_is_the_same_however_it_was_composed(text: str) -> None:
    """NFC, NFD and the compatibility forms have one key, and a key is its own."""
    forms = {
        names.key(unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")
    }
    assert forms == {names.key(text)}
    assert names.key(names.key(text)) == names.key(text)


@given(ANY_TEXT)
def test_a_name_is_the_same_in_capitals_and_in_small_letters(text: str) -> None:
    """Where the alphabet knows both (the dotless ı has no capital of its own)."""
    assert names.key(text.casefold()) == names.key(text)
    assume(text.upper().casefold() == text.casefold())
    assert names.key(text.upper()) == names.key(text)


@given(st.text(st.characters(codec=None), max_size=20))
def test_every_text_has_a_key_that_a_database_can_be_asked_for(text: str) -> None:
    """Looking for a name with half characters or NUL in it finds nothing and fails nowhere."""
    key = names.key(text)
    assert "\0" not in key
    assert key.encode().decode() == key
