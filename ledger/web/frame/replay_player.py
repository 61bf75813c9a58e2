"""The player of hands: its table, buttons and sentences, and the cards and bids of all tables.

It is one file for all hands, stored for good under a name that contains a hash of its content.
"""

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, render_template, url_for

from engine.cards.cards import Suit
from engine.games import GAMES
from engine.guide.card_orders import card_orders
from engine.guide.play_sheets import play_sheets
from engine.words.sentences import later
from ledger.web.frame.card_words import PLAY_TEXTS, card_words, templates
from ledger.web.frame.context import pages
from ledger.web.frame.stored_files import StoredFile
from ledger.words.calls import CALLS
from ledger.words.translation import cached_per_language, reader, term

_TEXTS = {
    "deal": later("The deal"),
    "call": later("Call {n} of {of}"),
    "exchange": later("Exchange"),
    "card": later("Trick {trick} · {n} of {of} cards"),
    "calls": later("{who}: {call}"),
    "against": later("{who}: {call} against {doubler}"),
    "moves": later("{card}: from {giver} to {taker}."),
    "widow": later("the widow"),
    "discard": later("the discard"),
    "aside": later("And from the widow or the discard: {n}."),
    "gave_up": later("{who} gave up."),
    "stopped": later("{who} won the first tricks and stopped."),
    "claimed": later("{who}: all the remaining tricks."),
    "claimed_tricks": later("{who}: {n} of the remaining tricks."),
    "claimed_points": later("{who}: {n} of the card points in the remaining tricks."),
    "idle": later("Sitting out: {names}"),
    "own": later("Your own line from trick {trick}"),
    "play": later("Play"),
    "pause": later("Pause"),
}
"""The sentences of the player, in which the script fills in the values."""


def init_app(app: Flask) -> None:
    """Let pages that replay hands name the address of the player."""
    app.jinja_env.globals.update(replay_player_address=address)


def address() -> str:
    """Return the address of the player in the reader's language."""
    return url_for("web.replay_player", version=_file().version)


@pages.get("/static/replay.<version>.html")
def replay_player(version: str) -> Response:
    """Return the player; under its present address it is cached permanently, under another one not at all."""
    return _file().answer(version)


@cached_per_language
def _file() -> StoredFile:
    """Return the player as HTML."""
    content = render_template("parts/replay_player.html", words=card_words(), data=_data())
    return StoredFile.of(content, "text/html")


def _data() -> Mapping[str, Any]:
    """Return all play sheets and card orders, the names of games and calls, and the sentences."""
    tables = play_sheets()
    bids = {slug for sheet in tables["sheets"] for slug in sheet["bids"]}
    in_clubs = {f"{slug}-in-{Suit.CLUBS.word}" for slug in bids}
    return {
        **tables,
        "orders": card_orders(),
        "titles": {slug: term(sheet.title) for slug, sheet in GAMES.items()},
        "calls": {code: reader().call(code) for code in sorted({*bids, *in_clubs, *CALLS})},
        "texts": templates({**PLAY_TEXTS, **_TEXTS}),
    }
