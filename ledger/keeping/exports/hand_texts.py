"""A club's standing hands as JSON Lines, TOML or compact lines, as `solo-ledger convert` writes them."""

from collections.abc import Callable, Iterable, Iterator

from engine.notation.compact import write_compact
from engine.notation.compact_text import NoLine
from engine.record import HandRecord
from engine.words.sentences import later
from ledger.database.scope import ScopedSession
from ledger.keeping.exports.hand_rows import standing_hands
from ledger.services.session.session_filter import SessionFilter
from ledger.words.problems import Conflict

HandWriter = Callable[[Iterable[HandRecord]], Iterator[str]]
"""Yields a text for each hand, as soon as the hand comes."""


class NotALine(Conflict):
    """Raised if a hand can't be written as a compact line."""

    sentence = later(
        "Hand {number} of evening {evening} can't be written as one line; JSON Lines and TOML hold "
        "every hand."
    )


def hand_pieces(write: HandWriter, session: ScopedSession, chosen: SessionFilter) -> Iterator[str]:
    """Yield the chosen hands in a notation, void ones left out, with the names of their time."""
    return write(
        HandRecord.from_mapping(version.record) for version in standing_hands(session, chosen)
    )


def line_pieces(session: ScopedSession, chosen: SessionFilter) -> Iterator[str]:
    """Yield the chosen hands as compact lines. Raises ``NotALine``."""
    for version in standing_hands(session, chosen):
        try:
            yield from write_compact([HandRecord.from_mapping(version.record)])
        except NoLine as error:
            raise NotALine(number=version.number, evening=version.session_id) from error
