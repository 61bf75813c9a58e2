"""Why something was changed: one line that the history can show to everybody."""

from engine.words.sentences import say
from ledger.services.common import texts
from ledger.words.problems import Invalid

LONGEST_REASON = 500


def clean(text: str) -> str:
    """Return the reason in one line. Raises ``Invalid`` for one that is missing or can't be shown."""
    why = optional(text)
    if why is None:
        raise Invalid.at(
            "reason", "reason-missing", say("Give a reason, so that the history can show it.")
        )
    return why


def optional(text: str | None) -> str | None:
    """Return the reason in one line, None where there is none. Raises ``Invalid`` as ``clean`` does."""
    return texts.one_line(text or "", "reason", say("The reason"), LONGEST_REASON, "reason") or None
