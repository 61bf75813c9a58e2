"""The play sheets of all tables, so that a page can replay any hand without the engine."""

from itertools import product
from typing import TypedDict

from engine.games import GAMES
from engine.guide.play_sheet import PlaySheet, play_sheet
from engine.rules.options import Option, OptionValue
from engine.rules.sheet import Sheet


class GameSheets(TypedDict):
    """The tables of one game.

    `options` has, for each variant, the house rules that change a play sheet with the variant's values; a
    game without variants has one without a name (""). `default` is the variant of records that name none.
    `tables` maps variant, number of seats and the values of these house rules, joined by slashes, to a play
    sheet.
    """

    default: str
    options: dict[str, dict[str, OptionValue]]
    tables: dict[str, int]


class AllSheets(TypedDict):
    """The tables of every game, whose numbers are the places of their play sheets in `sheets`."""

    games: dict[str, GameSheets]
    sheets: list[PlaySheet]


def play_sheets() -> AllSheets:
    """Return the play sheets of every game, variant and number of seats, under all house rules.

    >>> all_sheets = play_sheets()
    >>> crazy_solo = all_sheets["games"]["crazy-solo"]
    >>> crazy_solo["options"]
    {'': {'hearts_in_solo': True, 'short_deck': False}}
    >>> all_sheets["sheets"][crazy_solo["tables"]["/3/true/true"]]["size"]
    8
    """
    sheets: list[PlaySheet] = []
    return {
        "games": {game: _tables(sheet, sheets) for game, sheet in GAMES.items()},
        "sheets": sheets,
    }


def _tables(game: Sheet, sheets: list[PlaySheet]) -> GameSheets:
    """Return the tables of a game; play sheets that are not in `sheets` yet are appended to it."""
    variants: list[str | None] = [variant.slug for variant in game.variants]
    options, tables = {}, {}
    for variant in variants or [None]:
        deciding = [
            option for option in game.options_of(variant) if _decides(game, variant, option)
        ]
        options[variant or ""] = {option.slug: option.default for option in deciding}
        for seats, values in product(game.seats, product(*(option.choices for option in deciding))):
            chosen = dict(zip((option.slug for option in deciding), values, strict=True))
            sheet = play_sheet(game.rules(variant, chosen, seats))
            if sheet not in sheets:
                sheets.append(sheet)
            key = "/".join([variant or "", str(seats), *(str(value).lower() for value in values)])
            tables[key] = sheets.index(sheet)
    return {"default": game.default_variant or "", "options": options, "tables": tables}


def _decides(game: Sheet, variant: str | None, option: Option) -> bool:
    """Return whether a house rule changes the play sheet of some table.

    The values of amounts and groups are not compared: no sheet depends on a number.
    """
    return any(
        play_sheet(game.rules(variant, {option.slug: value}, seats))
        != play_sheet(game.rules(variant, {}, seats))
        for seats in game.seats
        for value in option.choices
    )
