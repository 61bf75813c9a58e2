"""How each game is played: its tariff, the house rules in force, the rules, and worked examples.

Anybody may read a game as its variants have it; at a table it is the game as that table plays it now.
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
from engine.rules.verdict import Verdict
from ledger.web.frame.context import SESSION, Here, pages, shows
from ledger.web.frame.figures import number_of
from ledger.words.translation import reader

PLAYERS = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jim", "Kay", "Lee")
"""Who sits at the table of the examples, as far as there are seats."""

USUAL = 4
"""How many sit at the table of the examples, where nobody says and the game allows it."""


@pages.get("/how-to-play")
def games() -> ResponseReturnValue:
    """List the games."""
    return render_template("games.html", games=GAMES.values())


@pages.get("/how-to-play/<game>")
def how_to_play(game: str) -> ResponseReturnValue:
    """Show a game as one of its variants has it, without a house rule of anybody's."""
    sheet = GAMES.get(game) or abort(404)
    found = sheet.variant(request.args.get("variant")) or sheet.variant(None)
    asked = number_of(request.args.get("seats"))
    usual = USUAL if USUAL in sheet.seats else sheet.seats[0]
    seats = asked if asked in sheet.seats else usual
    rules = sheet.rules(found.slug if found else None, {}, seats)
    return render_template("how_to_play.html", view=None, **_told(sheet, rules))


@shows(f"{SESSION}/how-to-play")
def how_this_table_plays(here: Here) -> ResponseReturnValue:
    """Show the game as the table plays it now, with as many as play."""
    view = here.view
    playing = len(view.playing)
    seats = playing if playing in view.sheet.seats else view.sheet.seats[0]
    rules = view.sheet.rules(view.variant, view.options, seats)
    return here.page("how_to_play.html", **_told(view.sheet, rules))


def _told(sheet: Sheet, rules: Rules) -> dict[str, Any]:
    players = PLAYERS[: rules.seats]
    by_bid = groupby(examples(rules, players), key=attrgetter("bid"))
    return {
        "sheet": sheet,
        "rules": rules,
        "house": list(_in_force(sheet, rules)),
        "players": players,
        "examples": [(bid, list(worked)) for bid, worked in by_bid],
        "spoken": _spoken,
        "removed": [str(card) for card in FULL.cards if card not in rules.pack.cards],
    }


def _in_force(sheet: Sheet, rules: Rules) -> Iterator[tuple[Option, OptionValue]]:
    """Give each house rule with its value, those first that are not the variant's own."""
    every = [(each, rules.options[each.slug]) for each in sheet.options_of(rules.variant)]
    yield from sorted(every, key=lambda each: each[1] == each[0].default)


def _spoken(verdict: Verdict) -> list[str]:
    """Say a verdict's reasoning in the language of whoever reads."""
    return [step.render(reader()) for step in verdict.steps]
