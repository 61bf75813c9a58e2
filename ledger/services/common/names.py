"""Names people give: what one may be, and when two are the same."""

import unicodedata

from engine.record.seats import RESERVED
from engine.rules.pots import POTS
from engine.words.sentences import say
from ledger.accounts import TITLES
from ledger.problems import Invalid
from ledger.services.common import texts

LONGEST = 64
LONGEST_ASKED = 1_000
"""No name is longer, however it is written, with all that ``key`` does not see."""


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


def clean_new_player(text: str, field: str = "name") -> str:
    """Return a player's name as kept, for one who is not in the club under it yet.

    It is none of the words for accounts: "The bank" beside what it holds is not a player's. A player already
    called so keeps the name.
    """
    name = clean_player(text, field)
    if key(name) in _ACCOUNTS:
        raise Invalid.at(
            field,
            "name-reserved",
            say("“{name}” is the name of an account; add an initial.", name=name),
        )
    return name


def key(name: str) -> str:
    """Return the form in which two names are compared: Ann, ANN, ａｎｎ and " Ann " are one.

    Unicode's caseless match for compatible characters, of what can be seen: a name that ``clean`` would
    refuse has a key, too, so that asking for it finds nothing instead of failing; what is too long to be a
    name is its own.
    """
    if len(name) > LONGEST_ASKED:
        return name
    seen = "".join(filter(texts.is_compared, name))
    folded = unicodedata.normalize("NFD", seen).casefold()
    folded = unicodedata.normalize("NFKD", folded).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


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
