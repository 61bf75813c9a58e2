"""Reasons for changes, which the history shows to everybody."""

from engine.words.sentences import say
from ledger.services.common import texts
from ledger.words.problems import Invalid

LONGEST_REASON = 500
"""The most characters of a reason."""


def clean(text: str) -> str:
    """Return a reason in one line, without outer and double spaces.

    Raises ``Invalid`` at ``reason`` if it is missing or too long, or contains invisible characters.
    """
    why = optional(text)
    if why is None:
        raise Invalid.at(
            "reason", "reason-missing", say("Give a reason, so that the history can show it.")
        )
    return why


def optional(text: str | None) -> str | None:
    """Return a reason in one line, as ``clean`` does, or None if there is none or it is empty.

    Raises ``Invalid`` at ``reason`` if it is too long or contains invisible characters.
    """
    return texts.one_line(text or "", "reason", say("The reason"), LONGEST_REASON, "reason") or None
