"""Names people give: what one may be, and when two are the same."""

from collections.abc import Iterable

from engine.record.names import look_alike, name_key
from engine.record.seats import RESERVED
from engine.rules.pots import POTS
from engine.words.sentences import say
from ledger.database.kinds.accounts import TITLES
from ledger.services.common import texts
from ledger.words.problems import Invalid

LONGEST = 64
"""How many characters a name may have."""


def clean(text: str, field: str, what: str) -> str:
    """Return ``text`` as it is kept: composed (NFC), its outer and double spaces gone.

    Any Unicode name will do. Raises ``Invalid`` at ``field`` for one that is empty or invisible, longer
    than 64 characters, or holds ``<``, ``>`` or control characters.
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
    """Return a player's name as kept, which is none of those that the engine keeps for something else.

    ``widow`` and ``spit`` stand for cards in a hand record, ``frog pot`` and ``solo pot`` for payees in a
    verdict: a player of that name, in any case, could be dealt no hand where these are in play.
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
    """Return a player's name as kept, for one who is not in the club under it yet.

    It is none of the words for accounts: "The bank" beside what it holds is not a player's. Nor does it look
    like the name of one of the club's ``players`` in letters of another script. A player already called so
    keeps the name.
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
"""Returns the form in which two names are compared, in clubs as in hand records."""

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
"""What is shown beside balances that are not a player's."""
