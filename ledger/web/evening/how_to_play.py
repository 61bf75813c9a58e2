"""Pages that explain the games: tariff, house rules, rules and worked examples.

Variants can be read without signing in; a session shows the game with the table's current house rules.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any

from flask import abort, render_template, request
from flask.typing import ResponseReturnValue

from engine.cards.cards import FULL
from engine.games import GAMES
from engine.guide.worked import examples
from engine.rules.options import Option, OptionValue
from engine.rules.sheet import Rules, Sheet
from ledger.services.session.view import SessionView
from ledger.web.frame.context import SESSION, Here, pages, shows
from ledger.web.frame.figures import number_of

PLAYERS = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jim", "Kay", "Lee")
"""The names of the players in examples."""

DEFAULT_SEATS = 4
"""The default number of players in examples, if the game allows it."""


@pages.get("/how-to-play")
def games() -> ResponseReturnValue:
    """Return the list of games."""
    return render_template("games.html", games=GAMES.values())


@pages.get("/how-to-play/<game>")
def how_to_play(game: str) -> ResponseReturnValue:
    """Return the page of a game's variant with default house rules, or answer 404 for an unknown game.

    An unknown variant is replaced by the game's default, an impossible number of seats by a possible one.
    """
    sheet, rules = chosen_rules(game)
    return render_template("how_to_play.html", view=None, **_context(sheet, rules))


def chosen_rules(game: str) -> tuple[Sheet, Rules]:
    """Return a game and the rules of the variant and number of players that the request asks for.

    House rules have their defaults. An unknown game is answered 404, an unknown variant replaced by the
    default, an impossible number of players by a possible one.
    """
    sheet = GAMES.get(game) or abort(404)
    variant = sheet.variant(request.args.get("variant")) or sheet.variant(None)
    requested = number_of(request.args.get("seats"))
    default = DEFAULT_SEATS if DEFAULT_SEATS in sheet.seats else sheet.seats[0]
    seats = requested if requested in sheet.seats else default
    return sheet, sheet.rules(variant.slug if variant else None, {}, seats)


@shows(f"{SESSION}/how-to-play")
def how_this_table_plays(here: Here) -> ResponseReturnValue:
    """Return the page of a session's game with its current house rules."""
    return here.page("how_to_play.html", **_context(here.view.sheet, rules_now(here.view)))


def rules_now(view: SessionView) -> Rules:
    """Return a session's current rules for the number of players, or for the smallest possible number."""
    playing = len(view.playing)
    seats = playing if playing in view.sheet.seats else view.sheet.seats[0]
    return view.sheet.rules(view.variant, view.options, seats)


def _context(sheet: Sheet, rules: Rules) -> dict[str, Any]:
    players = PLAYERS[: rules.seats]
    by_bid = groupby(examples(rules, players), key=attrgetter("bid"))
    return {
        "sheet": sheet,
        "rules": rules,
        "house": list(_in_force(sheet, rules)),
        "players": players,
        "examples": [(bid, list(worked)) for bid, worked in by_bid],
        "removed": [str(card) for card in FULL.cards if card not in rules.pack.cards],
    }


def _in_force(sheet: Sheet, rules: Rules) -> Iterator[tuple[Option, OptionValue]]:
    """Yield the house rules with their values, those that differ from the variant first."""
    options = [(option, rules.options[option.slug]) for option in sheet.options_of(rules.variant)]
    yield from sorted(options, key=lambda pair: pair[1] == pair[0].default)
