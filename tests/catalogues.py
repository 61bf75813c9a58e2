"""Update the catalogues with the sentences in code and templates.

Run ``python -m tests.catalogues`` after writing or changing a sentence. Each ``ledger/locales/*.po`` then has
every sentence and no other; the command prints those without a translation.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from engine.cards.cards import Suit
from engine.cards.dealing import WIDOW
from engine.games import GAMES
from engine.phases.actions import Ending
from engine.record.results import RESULT
from engine.replay.spit import SPIT
from engine.rules.options import Option
from engine.rules.pots import FROG_POT, SOLO_POT
from engine.rules.verdict import Outcome
from engine.words.steps import STEPS
from ledger.runtime.paths import LOCALES, TEMPLATES
from ledger.words.languages import ENGLISH, LANGUAGES
from tests.support.tree import ROOT

IN_CODE = ("say", "later", "word")
"""The functions that take a sentence."""
IN_TEMPLATES = {"_": None}
"""The function that takes a sentence in a template."""

OTHERS = tuple(tag for tag in LANGUAGES if tag != ENGLISH.tag)
"""The languages that sentences are translated into."""


def code_sentences(folder: str) -> dict[str, str]:
    """Return the sentences in the code of a folder, each with its file."""
    sentences: dict[str, str] = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        for template in _arguments(ast.parse(path.read_text(encoding="utf-8"))):
            sentences.setdefault(template, str(path.relative_to(ROOT)))
    return sentences


def _arguments(tree: ast.AST) -> Iterator[str]:
    """Yield the constant first argument of each call of ``say``, ``later`` or ``word``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = ast.unparse(node.func).removeprefix("sentences.")
            first = node.args[0]
            if name in IN_CODE and isinstance(first, ast.Constant):
                yield str(first.value)


def template_sentences(folder: Path) -> dict[str, str]:
    """Return the sentences in the templates of a folder, each with its template."""
    sentences: dict[str, str] = {}
    for path in sorted(folder.rglob("*.html")):
        for _, message, _, _ in extract_from_file("jinja2.ext:babel_extract", path, IN_TEMPLATES):
            sentences.setdefault(str(message), str(path.relative_to(folder.parent)))
    return sentences


def game_words() -> Iterator[str]:
    """Yield the words of every game: titles, bids, house rules, results, suits and pots."""
    for sheet in GAMES.values():
        yield from (sheet.title, sheet.summary, sheet.bidder)
        slugs: list[str | None] = [variant.slug for variant in sheet.variants] or [None]
        for variant in sheet.variants:
            yield from (variant.title, variant.summary)
        for slug in slugs:
            for option in sheet.options_of(slug):
                yield from _option_words(option)
            for seats in sheet.seats:
                for bid in sheet.rules(slug, {}, seats).bids:
                    yield from (bid.title, bid.counts)
    for key in RESULT.values():
        yield from (key.label, key.question, key.hint, key.otherwise, *key.words)
        yield from (choice.words for choice in key.choices)
    yield from (suit.word for suit in Suit)
    yield from (Outcome.WON, Outcome.LOST, Outcome.TIED, *Ending, FROG_POT, SOLO_POT, WIDOW, SPIT)
    yield from ("trumps", "true", "false", "yes", "no")


def _option_words(option: Option) -> Iterator[str]:
    """Yield a house rule's description, the words of its choices, and its members' words."""
    yield option.description
    yield from (option.word(choice) for choice in option.choices)
    for member in option.members:
        yield member.slug.replace("_", " ")
        yield from _option_words(member)


def all_sentences() -> dict[str, str]:
    """Return every sentence and word to translate, each with its source. Numbers need no translation."""
    words = {str(word): "engine/games" for word in game_words() if word and not word.isdecimal()}
    steps = dict.fromkeys(STEPS.values(), "engine/words/steps.py")
    return {
        **words,
        **steps,
        **template_sentences(TEMPLATES),
        **code_sentences("engine"),
        **code_sentences("ledger"),
    }


def catalogue(tag: str) -> Catalog:
    """Load a language's catalogue; an empty one if it has no file yet."""
    path = LOCALES / f"{tag}.po"
    if not path.exists():
        return Catalog(tag)
    with path.open("rb") as file:
        return read_po(file, locale=tag)


def translations(tag: str) -> dict[str, str]:
    """Return the translation of each sentence in a catalogue, empty if it has none."""
    return {str(entry.id): str(entry.string or "") for entry in catalogue(tag) if entry.id}


def write(tag: str, sentences: Mapping[str, str]) -> list[str]:
    """Write a catalogue with these sentences and return those without a translation.

    Sorted and without line numbers, so that two people's new sentences seldom conflict.
    """
    old, new = translations(tag), Catalog(tag, fuzzy=False)
    for template in sorted(sentences):
        new.add(template, old.get(template, ""))
    with (LOCALES / f"{tag}.po").open("wb") as file:
        write_po(file, new, width=0, omit_header=True, sort_output=True)
    return [template for template in sorted(sentences) if not old.get(template)]


def main() -> None:
    """Update every catalogue."""
    sentences = all_sentences()
    for tag in OTHERS:
        for template in write(tag, sentences):
            sys.stdout.write(f"{tag} {sentences[template]}: {template}\n")


if __name__ == "__main__":
    main()
