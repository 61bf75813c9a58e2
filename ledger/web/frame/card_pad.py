"""The card pad: its dialog with all words and spellings of cards, in the reader's language.

It is one file for all hands, stored for good under a name that contains a hash of its content.
"""

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, render_template, url_for

from engine.cards.languages import ENGLISH, GERMAN, JAPANESE, JOINTS, LANGUAGES, LONGEST, CardWords
from engine.words.sentences import later, say
from ledger.web.frame.card_words import PLAY_TEXTS, card_words, templates
from ledger.web.frame.context import pages
from ledger.web.frame.stored_files import StoredFile
from ledger.words.translation import cached_per_language, reader, translate

_MOST_TRICKS = 12
"""The most tricks of a hand, in Crazy Solo with three players."""

_LONGEST_TYPED = 2
"""The most letters of a rank or suit that is typed on the pad, as in "kr" for Kreuz."""

_SPELLINGS: Mapping[str, CardWords] = {"de": GERMAN, "ja": JAPANESE}
"""How the readers of a language type cards; others type English letters."""

_TEXTS = {
    "title": later("{who}: {bid}"),
    "title_in": later("{who}: {bid} in {trump}"),
    "trick": later("trick {trick} of {of}"),
    "plays": later("plays"),
    "partner": later("partner"),
    "to_play": later("to play"),
    "unknown_partner": later("partner unknown until {card} is played"),
    "trumps": later("trumps out {n}"),
    "cards": later("cards out {n}"),
    "open": later("Card by card"),
    "go_on": later("Card by card: {n} of {of}"),
    "of_cards": later("{n} of {of} cards"),
    "taken": later("{who} +{points}"),
    "unlikely": later("{card}, not possible by the cards so far"),
    "really": later("Was {card} really played?"),
    "yes": later("Yes, it was"),
    "impossible": later("By the cards so far {who} can't have it."),
    "server": later("If that is how it was played, enter the result instead of the cards."),
    "who_claims": later("Who gets all the remaining tricks?"),
    "who_gives_up": later("Who gives up? All the remaining tricks go to the other side."),
    "who_concedes": later("Who gives up? That side loses the hand."),
    "gave_up": later("{who} gave up."),
    "claimed": later("{who}: all the remaining tricks."),
    "others": later("the opponents"),
    "needs_widow": later(
        "The result depends on the widow: enter it here, or the card points in the form."
    ),
    "needs_discard": later("The result depends on the discard: enter the card points in the form."),
    "unknown_side": later("{who} and partner"),
    "back_to": later("Undo all cards from trick {trick} on?"),
    "undo": later("Undo"),
    "cancel": later("Cancel"),
    "hand_of": later("The hand dealt to {who}"),
    "widow": later("The widow"),
    "large": later("Large keys"),
    "small": later("Small keys"),
    "unread": later("“{text}” is not a card. The cards before it are entered."),
    "twice": later("{card} is entered already, or not in this game's pack."),
    "more": later("More"),
    "typed_cards": later("Cards in the order played"),
    "play_typed": later("Play these cards"),
    "deal": later("Enter the deal"),
    "hand_over": later("Hand over to another phone"),
    "link_explained": later(
        "This link opens this form with all that is entered here. The other phone needs access to the club."
    ),
    "link_cut": later(
        "A part of this link is missing, so nothing was filled in. Copy the whole link again."
    ),
    "link_differs": later("The link has another hand than the one that is entered here."),
    "keep": later("Keep this one"),
    "take_link": later("Take the link's"),
    "copy": later("Copy"),
    "copied": later("Copied"),
    "share": later("Share"),
}
"""The sentences of the pad, in which the script fills in the values."""

_VIOLATIONS = {
    "must-follow-suit": later(
        "Trick {trick}: {who} played {card}, but held {legal} and had to follow suit."
    ),
    "must-trump": later(
        "Trick {trick}: {who} played {card}, but held {legal} and had to play a trump."
    ),
    "must-play-called-card": later(
        "Trick {trick}: {who} played {card}, but had to play the called card, {legal}."
    ),
    "card-not-held": later("Trick {trick}: {who} played {card}, but did not hold it."),
    "card-played-twice": later("Trick {trick}: {card} had already been played."),
    "card-not-in-pack": later("{card} is not in the pack."),
    "tricks-too-many": later("{card} comes after the last trick."),
}
"""The violations that the page's referee finds, by their codes."""


def init_app(app: Flask) -> None:
    """Let the hand form name the address of the pad."""
    app.jinja_env.globals.update(card_pad_address=address)


def address() -> str:
    """Return the address of the pad in the reader's language."""
    return url_for("web.card_pad", version=_file().version)


@pages.get("/static/card-pad.<version>.html")
def card_pad(version: str) -> Response:
    """Return the pad; under its present address it is cached permanently, under another one not at all."""
    return _file().answer(version)


@cached_per_language
def _file() -> StoredFile:
    """Return the pad as HTML."""
    content = render_template("parts/card_pad.html", words=_words())
    return StoredFile.of(content, "text/html")


def _words() -> Mapping[str, Any]:
    """Return the sentences, the names and letters of cards and how they are typed, in the reader's language.

    The sentences keep the names of their values, except those with a number of tricks, one for each number.
    """
    typed = _SPELLINGS.get(reader().tag, ENGLISH)
    return {
        **card_words(),
        "texts": templates({**PLAY_TEXTS, **_TEXTS}),
        "violations": templates(_VIOLATIONS),
        "tricks": [translate(say("{n:trick|tricks}", n=n)) for n in range(_MOST_TRICKS + 1)],
        "spellings": {"ranks": _letters(typed.ranks), "suits": _letters(typed.suits)},
        "languages": LANGUAGES,
        "joints": ("", *JOINTS),
        "longest": LONGEST,
    }


def _letters(words: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the letter of each rank or suit by the spelling of one or two letters that people type."""
    spelled = {letter: min(texts, key=len, default="") for letter, texts in words.items()}
    return {text: letter for letter, text in spelled.items() if 0 < len(text) <= _LONGEST_TYPED}
