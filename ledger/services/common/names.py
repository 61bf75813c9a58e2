"""Names of clubs and players: their limits, and which of them count as the same."""

from collections.abc import Iterable

from engine.record.names import look_alike, name_key
from engine.record.seats import RESERVED
from engine.rules.pots import POTS
from engine.words.sentences import say
from ledger.database.kinds.accounts import TITLES
from ledger.services.common import texts
from ledger.words.problems import Invalid

LONGEST = 64
"""The most characters of a name."""


def clean(text: str, field: str, what: str) -> str:
    """Return the stored form of a name: composed (NFC), without outer and double spaces.

    Any Unicode name is valid. Raises ``Invalid`` at ``field`` for a name that is empty or invisible, has more
    than 64 characters, or contains ``<``, ``>`` or control characters. ``what`` names the field in the
    message.
    """
    name = texts.one_line(text, field, what, LONGEST, "name")
    if not name:
        raise Invalid.at(
            field,
            "name-empty",
            say("{what} is missing; enter at least one letter, number or symbol.", what=what),
        )
    if "<" in name or ">" in name:
        raise Invalid.at(
            field,
            "name-has-brackets",
            say("{what} can't hold < or >; write it without them.", what=what),
        )
    return name


def clean_player(text: str, field: str = "name") -> str:
    """Return the stored form of a player's name, as ``clean`` does.

    Raises ``Invalid`` also for reserved names. ``widow`` and ``spit`` name cards in a hand record, ``frog
    pot`` and ``solo pot`` are payees in a verdict: a player with such a name, in upper or lower case, could
    not be dealt a hand in these games.
    """
    name = clean(text, field, say("The player's name"))
    if key(name) in _RESERVED:
        raise Invalid.at(
            field,
            "name-reserved",
            say("“{name}” means something else at the card table; add an initial.", name=name),
        )
    return name


def clean_new_player(text: str, players: Iterable[str], field: str = "name") -> str:
    """Return the stored form of a name for a new player; it may still be the same as one of ``players``.

    Raises ``Invalid`` at ``field`` as ``clean_player`` does, and for the name of an account, such as "The
    bank", or one that looks like another player's in letters of another script. Players who already have such
    a name keep it.
    """
    name = clean_player(text, field)
    if key(name) in _ACCOUNTS:
        raise Invalid.at(
            field,
            "name-reserved",
            say("“{name}” is the name of an account; add an initial.", name=name),
        )
    other = look_alike(name, players)
    if other is not None:
        raise Invalid.at(
            field,
            "name-looks-alike",
            say(
                "“{name}” looks like {other}, a player already, but has letters of another alphabet; add an"
                " initial.",
                name=name,
                other=other,
            ),
        )
    return name


key = name_key
"""Returns the form in which names are compared, in clubs and in hand records."""

_RESERVED = frozenset(map(key, (*RESERVED, *POTS)))
_WORDS = (
    "bank",
    "pot",
    "pots",
    "till",
    "difference",
    "world",
    "nobody",
    "unpaid score",
    "somebody",
)
_ACCOUNTS = frozenset(
    key(article + word) for word in (*TITLES.values(), *_WORDS) for article in ("", "the ")
)
"""The names of balances that are not a player's."""
