"""Why something was changed: one line that the history can show to everybody."""

import unicodedata

from ledger.problems import Invalid

LONGEST_REASON = 500


def clean(text: str) -> str:
    """Return the reason in one line. Raises ``Invalid`` for one that is missing or can't be shown."""
    why = optional(text)
    if why is None:
        raise Invalid.at("reason", "reason-missing", "Say why, so that the history can show it.")
    return why


def optional(text: str | None) -> str | None:
    """Return the reason in one line, None where there is none. Raises ``Invalid`` as ``clean`` does."""
    why = " ".join((text or "").split())
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in why):
        raise Invalid.at(
            "reason",
            "reason-has-controls",
            "The reason holds an invisible control character; leave it out.",
        )
    if len(why) > LONGEST_REASON:
        raise Invalid.at(
            "reason",
            "reason-too-long",
            f"The reason has {len(why)} characters; {LONGEST_REASON} are the most that fit.",
        )
    return why or None
