"""What the script of the hand form reads: the questions, and its words in the reader's language."""

from collections.abc import Collection, Mapping

from engine.words.sentences import later, say
from ledger.web.hand.description import Description, as_script
from ledger.words.translation import cached_per_language, reader, translate

TURNS: Mapping[str, str] = {
    "turn": later("{dealer} deals, {lead} leads"),
    "king": later("{dealer} deals, {lead} leads; {idle} sits out"),
    "idle": later("{dealer} deals, {lead} leads; {idle} sit out"),
    "under": later("{dealer} deals, {lead} leads and is under"),
    "again": later("{dealer} deals, {lead} leads and is under again"),
}
"""Whose turn it is, by who else there is to name."""

BADGES: Mapping[str, str] = {
    "deals": say("deals"),
    "deals_out": say("deals, sits out"),
    "leads": say("leads"),
    "is_under": say("under"),
    "out": say("sits out"),
}
"""What stands at a seat."""

_TEXTS: Mapping[str, str] = {
    "needed": say("needed"),
    "optional": say("if you like"),
    "still": say("Still needed: {missing}", missing="{missing}"),
    "coming": say("The result is coming…"),
    "reason": say("the reason"),
}


def data(
    description: Description, blind: Collection[str], again: str | None, after: Mapping[str, str]
) -> str:
    """Write what a form's script reads.

    ``blind`` are the dealers with whom the blind round goes on; who is under ``again`` had no heart.
    ``after`` a hand the deal moves on, but with these answers: it ``stays``, or is ``unknown``.
    """
    turns = {"blind": list(blind), "again": again, "after": dict(after)}
    rest = as_script({"texts": _texts(), **turns})
    return f"{description.script[:-1]},{rest[1:]}"


@cached_per_language
def _texts() -> Mapping[str, str]:
    open_names = {name: f"{{{name}}}" for name in ("dealer", "lead", "idle")}
    turns = {key: say(sentence, **open_names) for key, sentence in TURNS.items()}
    spoken = {key: translate(text) for key, text in {**_TEXTS, **BADGES, **turns}.items()}
    return spoken | {"comma": reader().comma, "colon": reader().colon}
