"""What pages call what the ledger keeps by a code: states, units, roles, deeds, outcomes."""

from collections.abc import Iterable, Mapping
from typing import Final

from flask import Flask
from markupsafe import Markup

from engine.reasoning.verdict import Step
from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.language import reader
from ledger.services.reads.summary import COUNTS, DEEDS

STATES: Final = {"open": say("open"), "paused": say("paused"), "closed": say("closed")}
UNITS: Final = {"chips": say("Chips"), "score": say("Score")}
LINKS: Final = {
    "viewer": say("Viewer's link"),
    "scorer": say("Scorer's link"),
    "owner": say("Owner's link"),
}
OUTCOMES: Final = {
    "won": say("won"),
    "lost": say("lost"),
    "tied": say("tied"),
    "passed-out": say("thrown in"),
}
ENDS: Final = {
    "won": say("Won"),
    "lost": say("Lost"),
    "tied": say("Tied"),
    "passed-out": say("Passed out"),
}
PAGES_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "state": STATES,
    "unit": UNITS,
    "link_of": LINKS,
    "deed": DEEDS,
    "outcome": OUTCOMES,
    "came_out": ENDS,
}
"""Each table by the filter that reads it."""


def init_app(app: Flask) -> None:
    """Let templates say a code by the filter of its kind, a pot by ``pot``, and what is counted."""
    for name, table in PAGES_WORDS.items():
        app.jinja_env.filters[name] = table.__getitem__
    app.jinja_env.filters.update(pot=pot, counted=counted, fenced=fenced, spoken=spoken)


def pot(name: str) -> str:
    """Name a pot, as a line begins with it.

    >>> pot("frog")
    'Frog pot'
    """
    word = f"{name} pot"
    said = reader().terms.get(word, word)
    return said[:1].upper() + said[1:]


def counted(value: int, noun: str) -> Sentence:
    """Count what a result holds, such as tricks.

    >>> counted(0, "trick")
    '0 tricks'
    """
    return say(COUNTS[noun], n=value)


def fenced(names: Iterable[str]) -> list[Markup]:
    """Fence off each name, so that none turns the words beside it around."""
    return [Markup("<bdi>{}</bdi>").format(name) for name in names]


def spoken(steps: Iterable[Step]) -> list[str]:
    """Say each step of a verdict as its reader does."""
    return [step.spoken(reader()) for step in steps]
