"""Every change of a rule, by the engine version that introduced it.

A stored hand is scored again by the rules of the version stored with it; a new hand by the newest. A sheet
builds older rules from this list alone: `Sheet.rules` gives house rules their former defaults, and
`HouseRules.before` covers a change that no house rule can express.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.rules.options import Plain


class RuleChange(NamedTuple):
    """A change of a game's rules in a version; `defaults` are the former defaults of house rules.

    It applies to the named `variants`, or to all if there are none.
    """

    version: str
    slug: str
    game: str
    source: str
    description: str
    variants: tuple[str, ...] = ()
    defaults: Mapping[str, Plain] = MappingProxyType({})


CHANGES = (
    RuleChange(
        "0.2.0",
        "idle-paid-by-hoyle",
        "progressive",
        "000",
        description="In the variant hoyle a lost hand is paid to those who sit out, too.",
        variants=("hoyle",),
        defaults={"idle_paid_on_loss": False},
    ),
    RuleChange(
        "0.2.0",
        "called-card-leads",
        "german-solo",
        "003",
        description="The holder of the called card who leads its suit leads that card.",
        defaults={"called_card_leads": False},
    ),
    RuleChange(
        "0.2.0",
        "grossfrage-duty-lasts",
        "german-solo",
        "sheet",
        description="Who owes a grossfrage and can honour it may not pass because another has bid it.",
    ),
)
"""The changes from old to new. A change needs a new version, which is stored with hands from then on."""

VERSION = CHANGES[-1].version
"""The version of the newest rules; the project's own version may be another."""

_NUMBERS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})*")


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers at the beginning of a version, `1.2.0` as `(1, 2)`, without zeros at the end.

    Other text has none.
    """
    match = _NUMBERS.match(version)
    numbers = [int(part) for part in match[0].split(".")] if match else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def is_newer(version: str) -> bool:
    """Return whether a version is newer than this engine's, `VERSION`.

    The engine then does not know all of its rules. A version without numbers is not newer.

    >>> [is_newer(version) for version in ("0", "0.1.0", VERSION, "9000", "")]
    [False, False, False, True, False]
    """
    return version != VERSION and _numbers(version) > _numbers(VERSION)


def supported_version(version: str) -> str:
    """Return the version to score a stored hand by: its own, or this engine's if its own is newer."""
    return VERSION if is_newer(version) else version


def since(version: str, game: str, variant: str | None) -> tuple[RuleChange, ...]:
    """Return the changes of a game that are newer than a version, from old to new.

    Changes of other variants are left out. A version without numbers counts as older than any. Hands from
    before the first change may have version `0`, if a checkout that was never installed saved them.

    >>> [change.slug for change in since("0.1.0", "progressive", "hoyle")]
    ['idle-paid-by-hoyle']
    >>> since(VERSION, "progressive", "hoyle"), since("0.1.0", "frog", None)
    ((), ())
    """
    return tuple(
        change
        for change in CHANGES
        if change.game == game
        and (not change.variants or variant in change.variants)
        and _numbers(change.version) > _numbers(version)
    )
