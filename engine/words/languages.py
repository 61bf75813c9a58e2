"""The languages there are. Each is read when it is first spoken: a hand is scored in English alone."""

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from engine.words.language import Language

NAMES: Final[Mapping[str, str]] = {"en": "English", "de": "Deutsch", "ja": "日本語"}
"""Each by its tag, as it calls itself."""

_MODULES: Final = {"en": "english", "de": "german", "ja": "japanese"}


def language_data(tag: str) -> Language:
    """Return a language by its tag.

    >>> language_data("de").conjunction
    'und'
    """
    name = _MODULES[tag]
    found: Language = getattr(import_module(f"engine.words.{name}"), name.upper())
    return found
