"""The tables of house rules in the page on hand records, made from the rule sheets.

`python -m tests.house_rules_page` writes them into `.docs/HAND_RECORD.md`; a test compares the two.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from engine.games import GAMES
from engine.rules.options import Option, OptionKind
from engine.rules.sheet import Sheet

PAGE = Path(__file__).parents[1] / ".docs" / "HAND_RECORD.md"
HEADING = "## House rules\n"
SECTION = re.compile(rf"^{HEADING}.*?(?=^## )", re.MULTILINE | re.DOTALL)

INTRODUCTION = """\
Variants (`rules`) and house rules (`options`) of each game. The first variant is the game's default, and the
value in bold that of a house rule; where variants differ, it is that of the first. These tables are made
from the rule sheets by `python -m tests.house_rules_page`; do not edit them.
"""


def section() -> str:
    """Return the section, from its heading up to the next one."""
    return "\n".join([HEADING, INTRODUCTION, *(_game(sheet) for sheet in GAMES.values())]) + "\n"


def _game(sheet: Sheet) -> str:
    lines = [f"### House rules of {sheet.slug}\n"]
    if sheet.variants:
        lines += ["| variant | meaning |", "|---|---|"]
        lines += [f"| `{variant.slug}` | {variant.summary} |" for variant in sheet.variants]
        lines.append("")
    lines += ["| house rule | values | meaning |", "|---|---|---|"]
    first = sheet.variants[0].slug if sheet.variants else None
    for option in sheet.options_of(first):
        lines += _rows(option, sheet)
    return "\n".join(lines) + "\n"


def _rows(option: Option, sheet: Sheet, at: str = "") -> Iterator[str]:
    """Yield the row of a house rule and those of its members."""
    slug = f"{at}{option.slug}"
    default = _value(option, option.default)
    values = [
        f"**{default}**" if _value(option, value) == default else _value(option, value)
        for value in sorted(option.choices, key=lambda value: value != option.default)
    ]
    if option.kind is OptionKind.AMOUNT:
        values = [f"{option.least:,} to {option.most:,}, **{default}**"]
    if option.members:
        values.append("or a table of the next rows")
    yield f"| `{slug}` | {', '.join(values)} | {option.description}{_differs(slug, sheet)} |"
    for member in option.members:
        yield from _rows(member, sheet, f"{slug}.")


def _value(option: Option, value: object) -> str:
    text = f"`{json.dumps(value)}`"
    words = option.words.get(value)
    return f"{text} ({words})" if words else text


def _differs(slug: str, sheet: Sheet) -> str:
    """Return the defaults of the other variants, if they differ from the first one's."""
    defaults = {variant.slug: variant.defaults.get(slug) for variant in sheet.variants}
    if len(set(defaults.values())) < 2:
        return ""
    others = list(defaults.items())[1:]
    return " " + " ".join(f"In `{name}`: `{json.dumps(value)}`." for name, value in others)


if __name__ == "__main__":
    PAGE.write_text(SECTION.sub(lambda _: section(), PAGE.read_text("utf-8")), "utf-8")
