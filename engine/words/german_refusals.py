"""German for the sentences in which the engine refuses something, by their English. Data only."""

from collections.abc import Mapping

REFUSALS: Mapping[str, str] = {}
