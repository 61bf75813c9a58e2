"""The arithmetic of a verdict as values: each step has a key, its numbers and names, and a source.

`ENGLISH` gives each key its sentence. A translation is another such table over the same steps.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

Values = Mapping[str, Any]


class Step(NamedTuple):
    """One line of the reasoning. `source` is a source text's number, or `sheet` for a decision."""

    key: str
    values: Values
    source: str

    @property
    def text(self) -> str:
        """The step in English."""
        return ENGLISH[self.key](self.values)

    def to_mapping(self) -> dict[str, object]:
        """Write the step for a page that renders it itself: key, values, source, English text."""
        return {
            "key": self.key,
            "values": dict(self.values),
            "source": self.source,
            "text": self.text,
        }


def join(names: Iterable[str]) -> str:
    """Join names as one says them.

    >>> join(["Cyd"]), join(["Cyd", "Dee"]), join(["Cyd", "Dee", "Eve"])
    ('Cyd', 'Cyd and Dee', 'Cyd, Dee and Eve')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def counted(number: int, noun: str) -> str:
    """Put a number before its noun.

    >>> counted(0, "card point"), counted(1, "trick"), counted(74, "card point")
    ('no card points', '1 trick', '74 card points')
    """
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _over_half(values: Values) -> str:
    points, half = values["points"], values["half"]
    off = points - half
    if off == 0:
        return f"{counted(points, 'card point')}, exactly half"
    return f"{counted(points, 'card point')}, {abs(off)} {'over' if off > 0 else 'under'} {half}"


def _target(values: Values) -> str:
    points, target = values["points"], values["target"]
    made = "made" if points >= target else f"{target - points} short"
    suit = f" in {values['trump']}" if values["trump"] else ""
    return f"{counted(points, 'card point')} of the {target} needed{suit}: {made}"


def _everything(values: Values) -> str:
    points, total = values["points"], values["total"]
    if points == total:
        return f"all {total} card points: made"
    return f"{counted(points, 'card point')} of {total}: {total - points} short"


def _no_points(values: Values) -> str:
    points = values["points"]
    return f"{counted(points, 'card point')} in tricks: {'broken' if points else 'made'}"


def _no_tricks(values: Values) -> str:
    tricks = values["tricks"]
    return f"{counted(tricks, 'trick')} won: {'broken' if tricks else 'made'}"


def _rate(values: Values) -> str:
    trump = values["trump"]
    return f"× {values['rate']} {f'for {trump}' if trump else 'a point'} = {values['amount']}"


def _price(values: Values) -> str:
    trump = values["trump"]
    return f"the price is {values['amount']}" + (f" in {trump}" if trump else "")


def _level(values: Values) -> str:
    return f"nothing is paid: {values['outcome']}"


def _paid(values: Values) -> str:
    """Say who settles with whom: `pairs` holds each winner or loser with their counterparts."""
    verb = values["verb"]
    first, *more = values["pairs"]
    told = [f"{first[0]} {verb} {join(first[1])}"]
    # "is paid by" shrinks to "by" for the second; "pays" is said again.
    again = verb.removeprefix("is paid ")
    told += [f"{name} {again} {join(others)}" for name, others in more]
    return "; ".join(told)


def _idle_paid(values: Values) -> str:
    names = values["names"]
    sits = "sits out and is" if len(names) == 1 else "sit out and are"
    return f"{join(names)} {sits} paid too"


ENGLISH: Mapping[str, Callable[[Values], str]] = {
    "over-half": _over_half,
    "target": _target,
    "everything": _everything,
    "no-points": _no_points,
    "no-tricks": _no_tricks,
    "conceded": lambda values: f"conceded by the {values['by']}",
    "rate": _rate,
    "rounded": lambda values: f"to the nearest {values['nearest']} = {values['amount']}",
    "price": _price,
    "level": _level,
    "paid": _paid,
    "idle-paid": _idle_paid,
    "thrown-in": lambda _: "all passed: the hand is thrown in",
}
