"""Every code a refusal can carry: what it means, and a hand that is refused with it.

The documentation of the codes is made from here; a test scores each example and finds its code.
"""

from collections.abc import Mapping
from types import MappingProxyType

from engine.errors.catalogue import cards, contract, german, reading, result
from engine.errors.catalogue.hands import Code

CHAPTERS: Mapping[str, Mapping[str, Code]] = MappingProxyType(
    {
        "Reading the record": reading.CODES,
        "The contract": contract.CODES,
        "The count": result.CODES,
        "German Solo": german.CODES,
        "The cards": cards.CODES,
    }
)

CATALOGUE: Mapping[str, Code] = MappingProxyType(
    {code: entry for chapter in CHAPTERS.values() for code, entry in chapter.items()}
)
