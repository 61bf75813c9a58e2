"""`HandRecord`: every key of the hand record's format, versions 1 and 1.1."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Self

from engine.errors import Problems, Refused, Violation, show
from engine.record import reading, spelling
from engine.record.evening import HandEvening, evening_problems
from engine.record.fields import (
    READERS,
    keys_of,
    read_auction,
    read_blind_round,
    read_irregularities,
    read_notes,
    read_tricks,
    to_keys,
)
from engine.record.incidents import SIDES, Claim, Irregularity, Spread
from engine.record.parts import (
    BlindRound,
    Call,
    Contract,
    Deal,
    Exchange,
    Pots,
    Spit,
    Trick,
    Tricks,
)
from engine.record.reading import At, Reader
from engine.record.remarks import (
    MOST_ADDED,
    PREFIX,
    Note,
    StatedVerdict,
    note_problems,
    read_added,
    size_of,
)
from engine.record.seats import table_problems, unknown_seat
from engine.words.sentences import say

FORMAT, FORMAT_1_1 = 1, 1.1
VERSIONS = (str(FORMAT), str(FORMAT_1_1))
_FORMATS: Mapping[object, float] = MappingProxyType(
    {
        (type(spelling), spelling): version
        for version in (FORMAT, FORMAT_1_1)
        for spelling in (version, str(version))
    }
)
"""Each version of the format by its spellings, a number and a text, with their types: `True` is not 1."""

SINCE_1_1 = ("claimed", "spread", "irregular", "stated", "evening", "notes", "added")
"""The attributes of `HandRecord` whose keys are new in format 1.1.

A record without them is written as format 1, unless a card of its tricks is unknown.
"""

NO_OPTIONS: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class HandRecord:
    """A well-formed hand record: each name in it has a seat. `engine.scoring.score.score` checks the rules.

    `contract` and `points` are needed only if the cards (`deal`, `spit`, `auction`, `exchange`, `tricks`) do
    not show them. `rules` is the variant, by default the game's first; `options` are the house rules that
    differ from the variant's. `None` stands for a missing key. Wrong names, a wrong number of players and a
    time without an offset raise `Refused`. A tuple of tricks is stored as `Tricks`. `added` are the keys of
    other programs, which begin with `x-`.
    """

    game: str
    players: tuple[str, ...]
    dealer: str
    rules: str | None = None
    options: Mapping[str, object] = field(default_factory=lambda: NO_OPTIONS)
    active: tuple[str, ...] | None = None
    deal: Deal | None = None
    spit: Spit | None = None
    blind_round: BlindRound | None = None
    auction: tuple[Call, ...] | None = None
    contract: Contract | None = None
    exchange: Exchange | None = None
    tricks: Sequence[Trick] | None = None
    points: int | None = None
    points_against: int | None = None
    tricks_won: int | None = None
    first_tricks_won: bool | None = None
    stopped: bool | None = None
    matadors: str | None = None
    asked_partner: bool | None = None
    made: bool | None = None
    conceded: str | None = None
    claimed: Claim | None = None
    spread: Spread | None = None
    irregular: tuple[Irregularity, ...] | None = None
    pots: Pots | None = None
    played_at: datetime | None = None
    note: str | None = None
    stated: StatedVerdict | None = None
    evening: HandEvening | None = None
    notes: tuple[Note, ...] | None = None
    added: Mapping[str, object] | None = None

    def __post_init__(self) -> None:
        if type(self.tricks) is tuple:
            object.__setattr__(self, "tricks", Tricks.of(self.tricks))
        violations = table_problems(self.players) or _name_problems(self)
        if (self.notes or self.evening or self.added) and not violations:
            violations = _remark_problems(self)
        if violations:
            raise Refused(violations)
        if self.played_at is not None and self.played_at.tzinfo is None:
            problems: Problems = []
            reading.moment(self.played_at, "played_at", problems)
            raise Refused(problems)

    @classmethod
    def from_mapping(cls, mapping: object) -> Self:
        """Parse a record from mappings, lists and plain values, as JSON or TOML have them.

        Raises `Refused` with every ill-typed key and player's name, up to `reading.MOST_PROBLEMS`, or,
        without these, with every name that has no seat.
        """
        problems: Problems = reading.FirstProblems()
        read = reading.fields(mapping, "", KEYS, problems)
        if problems or read is None:
            players = (read or {}).get("players")
            raise Refused(problems if players is None else (*problems, *table_problems(players)))
        # Missing keys use the class's defaults, which saves two dozen assignments per hand.
        record = object.__new__(cls)
        read.setdefault("options", NO_OPTIONS)
        read.pop("format", None)
        record.__dict__.update(read)
        record.__post_init__()
        return record

    @property
    def format(self) -> float:
        """The oldest version of the format that can express this record: 1 or 1.1."""
        is_newer = any(getattr(self, name) is not None for name in SINCE_1_1)
        if self.tricks is not None:
            is_newer |= Tricks.of(self.tricks).gap is not None
        return FORMAT_1_1 if is_newer else FORMAT

    @property
    def has_cards(self) -> bool:
        """Whether there is a deal, a spit deal, an auction, an exchange or tricks."""
        parts = (self.tricks, self.auction, self.deal, self.exchange, self.spit)
        return any(part is not None for part in parts)

    def to_mapping(self) -> dict[str, object]:
        """Return the keys with values as plain values, in the format's order, and the added keys last.

        Cards and suits are text in canonical spelling, such as `TD`.
        """
        return {**to_keys(self, KEYS), **(self.added or {})}


def _remark_problems(record: HandRecord) -> list[Violation]:
    """Return violations for misplaced notes, other players than the evening's, and wrong added keys."""
    tricks = None if record.tricks is None else Tricks.of(record.tricks)
    problems = [*note_problems(record.notes or (), tricks, record.auction)]
    problems += [
        reading.unknown_key(key) for key in record.added or () if not key.startswith(PREFIX)
    ]
    if record.evening is not None:
        problems += evening_problems(record.evening, record.players)
    if record.added is not None and size_of(dict(record.added)) > MOST_ADDED:
        message = say(
            "The keys that begin with {prefix} have more than {most:,} characters together.",
            prefix=PREFIX,
            most=MOST_ADDED,
        )
        problems.append(Violation("added-too-long", message, {"field": next(iter(record.added))}))
    return problems


def _name_problems(record: HandRecord) -> list[Violation]:
    """Return a violation for each name in a record that is not one of its players."""
    players = record.players
    seats: set[str | None] = {None, *players}
    # Nearly all names are valid, so all are compared at once first.
    if seats.issuperset(chain.from_iterable(map(_first, _named(record)))):
        return []
    return [
        unknown_seat(name, players, field.format(place))
        for names, field in _named(record)
        for place, name in enumerate(names, 1)
        if name not in seats
    ]


_first: Callable[[Any], Any] = itemgetter(0)
_third: Callable[[Any], Any] = itemgetter(2)


def _named(record: HandRecord) -> list[tuple[Iterable[str | None], str]]:
    """Return the lists of names in a record, each with its path: `("Ann", None)` and `auction.{}`.

    Braces stand for the place in the list, from 1; `None` is a missing name. Words such as `widow` are left
    out.
    """
    named: list[tuple[Iterable[str | None], str]] = [((record.dealer,), "dealer")]
    if record.active is not None:
        named.append((record.active, "active"))
    contract, deal, exchange = record.contract, record.deal, record.exchange
    if contract is not None:
        named.append(((contract.bidder,), "contract.bidder"))
        named.append(((contract.partner,), "contract.partner"))
        if contract.doubled or contract.redoubled:
            named.append((contract.doubled or (), "contract.doubled"))
            named.append((contract.redoubled or (), "contract.redoubled"))
    if deal is not None:
        named.append((deal.hands or (), "deal.hands"))
    if record.spit is not None:
        order, drawn = record.spit.order or (), record.spit.drawn or ()
        named.append(([None if to == "spit" else to for to, _ in order], "spit.order.{}"))
        named.append((map(_first, drawn), "spit.drawn.{}"))
    if record.auction is not None:
        named.append((map(_first, record.auction), "auction.{}"))
        named.append((map(_third, record.auction), "auction.{}"))
    if exchange is not None and exchange.giver != "widow":
        named.append(((exchange.giver,), "exchange.from"))
    if record.tricks is not None:
        named.append((Tricks.of(record.tricks).leaders, "tricks.{}.leader"))
    if record.stated is not None:
        named.append((record.stated.deltas or (), "stated.deltas"))
    if record.claimed is not None and record.claimed.by not in SIDES:
        named.append(((record.claimed.by,), "claimed.by"))
    if record.irregular:
        named.append(([one.seat for one in record.irregular], "irregular.{}.seat"))
        for number, one in enumerate(record.irregular, 1):
            path = f"irregular.{number}.transfers.{{}}"
            named.append((map(_first, one.transfers or ()), f"{path}.from"))
            named.append((map(itemgetter(1), one.transfers or ()), f"{path}.to"))
    return named


def _format(value: object, at: At, problems: Problems) -> float | None:
    """Return the version of the format, 1 or 1.1, from a number or text.

    For any other value add a violation and return `None`.
    """
    if type(value) is int and value == FORMAT:  # as in nearly every record
        return value
    version = _FORMATS.get((type(value), value)) if isinstance(value, int | float | str) else None
    if version is not None:
        return version
    message = say(
        "This program reads the formats {formats:and} of the hand record, not {value}.",
        formats=VERSIONS,
        value=show(value),
    )
    where = {"field": reading.spell(at)}
    problems.append(Violation("unknown-format", message, where, VERSIONS))
    return None


def _options(value: object, at: At, problems: Problems) -> Mapping[str, object] | None:
    """Parse the house rules: plain values or, for a group, a table of them; `None` if they are not a table.

    Other values are left out, each with a violation in `problems`.
    """
    return _values(value, at, problems, has_groups=True)


def _values(
    value: object, at: At, problems: Problems, *, has_groups: bool
) -> Mapping[str, object] | None:
    """Parse a table of plain values as `_options` does; groups are read only with `has_groups`."""
    table = reading.mapping(value, at, problems)
    if table is None:
        return None
    read: dict[str, object] = {}
    for slug, item in table.items():
        place = (at, slug)
        reading.text(slug, place, problems)
        reader = _PLAIN.get(type(item))
        if reader is not None:
            read[slug] = reader(item, place, problems)
        elif has_groups and isinstance(item, Mapping):
            read[slug] = _values(item, place, problems, has_groups=False)
        else:
            expected = say("true or false, a whole number or a word")
            reading.wrong(problems, place, item, expected)
    return MappingProxyType(read)


_PLAIN: Mapping[object, Reader] = {kind: READERS[kind] for kind in (bool, int, str)}
"""The readers of a house rule's value, by its type."""

KEYS = keys_of(
    HandRecord,
    *("format", "game", "rules", "options"),
    format=_format,
    game=spelling.slug,
    rules=spelling.slug,
    options=_options,
    blind_round=read_blind_round,
    auction=read_auction,
    tricks=read_tricks,
    irregular=read_irregularities,
    notes=read_notes,
    added=read_added,
)
KEYS.added = (PREFIX, *KEYS.pop("added"))
