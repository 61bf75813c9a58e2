"""Words for codes of the database: states, units, roles, actions and outcomes."""

from collections.abc import Iterable, Mapping
from typing import Final

from flask import Flask
from markupsafe import Markup

from engine.rules.verdict import Step
from engine.words.language import Sentence
from engine.words.sentences import say, word
from ledger.database.kinds.hand_actions import TITLES
from ledger.services.reads.summary import COUNTS, UNITS
from ledger.words.translation import reader, term, translate

STATES: Final = {"open": say("open"), "paused": say("paused"), "closed": say("closed")}
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
ROLES: Final = {"owner": say("owner"), "scorer": say("scorer"), "viewer": say("viewer")}
DEVICE: Final = say("device")
"""The word for a device of unknown kind."""

PAGES_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "state": STATES,
    "unit": UNITS,
    "link_of": LINKS,
    "role": ROLES,
    "deed": TITLES,
    "outcome": OUTCOMES,
}
"""The tables of words, by the name of their template filter."""


def init_app(app: Flask) -> None:
    """Register the filters."""
    for name, table in PAGES_WORDS.items():
        app.jinja_env.filters[name] = table.__getitem__
    filters = {"pot": pot, "counted": counted, "fenced": fenced, "spoken": spoken}
    app.jinja_env.filters.update(filters, came_out=came_out, device=device)


def pot(name: str) -> str:
    """Return a pot's name in the reader's language, capitalised.

    >>> pot("frog")
    'Frog pot'
    """
    word = f"{name} pot"
    translated = term(word)
    return translated[:1].upper() + translated[1:]


def came_out(outcome: str) -> str:
    """Return the word for an outcome, capitalised.

    >>> came_out("won"), came_out("passed-out")
    ('Won', 'Passed out')
    """
    words = translate(say("Passed out") if outcome == "passed-out" else OUTCOMES[outcome])
    return words[:1].upper() + words[1:]


def counted(value: int, noun: str) -> Sentence:
    """Return a count of tricks, points or the like with its noun.

    >>> counted(0, "trick")
    '0 tricks'
    """
    return say(COUNTS[noun], n=value)


def fenced(names: Iterable[str]) -> list[Markup]:
    """Return the names in ``<bdi>``, so that right-to-left names reorder nothing else."""
    return [Markup("<bdi>{}</bdi>").format(name) for name in names]


def spoken(steps: Iterable[Step]) -> list[str]:
    """Return a verdict's steps in the reader's language."""
    return [step.render(reader()) for step in steps]


def device(kind: str) -> str:
    """Return the word for a kind of device, for example iPhone."""
    return translate(word(kind))
