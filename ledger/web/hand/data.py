"""The JSON that the hand form's script reads: the questions, and its words in the reader's language."""

from collections.abc import Collection, Mapping

from engine.words.sentences import later, say
from ledger.web.hand.description import Description, as_script
from ledger.web.hand.play import PlayData
from ledger.words.translation import cached_per_language, reader, translate

TURNS: Mapping[str, str] = {
    "turn": later("{dealer} deals, {lead} leads"),
    "king": later("{dealer} deals, {lead} leads; {idle} sits out"),
    "idle": later("{dealer} deals, {lead} leads; {idle} sit out"),
    "under": later("{dealer} deals, {lead} leads and is under"),
    "again": later("{dealer} deals, {lead} leads and is under again"),
}
"""The sentences for a turn, by the other players to name."""

BADGES: Mapping[str, str] = {
    "deals": say("deals"),
    "deals_out": say("deals, sits out"),
    "leads": say("leads"),
    "is_under": say("under"),
    "out": say("sits out"),
}
"""The badges of seats."""

_TEXTS: Mapping[str, str] = {
    "needed": say("needed"),
    "optional": say("if you like"),
    "still": say("Still needed: {missing}", missing="{missing}"),
    "coming": say("The result is coming…"),
    "later": say("The ledger works the result out once the hand is sent."),
    "reason": say("the reason"),
}


def data(
    description: Description,
    blind: Collection[str],
    under_again: str | None,
    after: Mapping[str, str],
    play: PlayData,
) -> str:
    """Return the JSON of a form.

    The blind round continues with the dealers in ``blind``; ``again`` is a player who is under again without
    a heart. The deal moves on after a hand, but ``after`` these answers it ``stays`` or is ``unknown``.
    ``play`` is the table's play.
    """
    turns = {"blind": list(blind), "again": under_again, "after": dict(after), "play": play}
    rest = as_script({"texts": _texts(), **turns})
    return f"{description.script[:-1]},{rest[1:]}"


@cached_per_language
def _texts() -> Mapping[str, str]:
    placeholders = {name: f"{{{name}}}" for name in ("dealer", "lead", "idle")}
    turns = {key: say(sentence, **placeholders) for key, sentence in TURNS.items()}
    texts = {key: translate(text) for key, text in {**_TEXTS, **BADGES, **turns}.items()}
    return texts | {"comma": reader().comma, "colon": reader().colon}
