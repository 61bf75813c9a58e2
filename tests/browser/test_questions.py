"""The script of the hand form reads the description of its questions as Python does, whatever is said."""

import random
from typing import TYPE_CHECKING, Any

import pytest

from engine.games import GAMES
from ledger.runtime.paths import STATIC
from ledger.web.hand.description import Description
from ledger.web.hand.fields import MARKS
from ledger.web.hand.form import HandForm
from ledger.web.hand.questions import NOBODY, describe
from tests.ledger.web.random_forms import NAMES, begun

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

STATES = 150
"""How many half-filled hands of each game are read by both."""

READ = """([described, states]) => states.map(({ dealer, active, said }) => {
    const table = soloQuestions.seat(described, dealer, active);
    const { asked } = soloQuestions.read(described, table, said);
    return [table.active, table.lead[0], asked.map((each) =>
        [each.question.name, each.offered.map((option) => option[0]), each.said, each.missing])];
})"""


def _said(described: Description, rng: random.Random) -> dict[str, list[str]]:
    """Say something of many questions: what fits, what no longer does, and what never did."""
    said = {}
    for question in described.questions:
        values = [option.value for option in question.options] or [
            "0",
            "1",
            "60",
            "119",
            "120",
            "121",
            "x",
        ]
        some = rng.sample(
            values, min(len(values), rng.choice([0, 1, 1, 1, 2 if question.many else 1]))
        )
        said[question.name] = ["nonsense"] if rng.random() < 0.05 else some
    if rng.random() < 0.9:
        said["bidder"] = [rng.choice([*described.seats, NOBODY])]
    return said


def _read(form: HandForm) -> list[Any]:
    table = form.table
    asked = [
        [each.question.name, [o.value for o in each.offered], list(each.said), each.is_missing]
        for each in form.now.asked
    ]
    return [list(table.active), table.lead, asked]


def test_the_script_reads_every_half_filled_hand_as_the_service_does(phone: "Phones") -> None:
    """Who plays and leads, which questions are open, what is offered, kept and still missing."""
    page, rng = phone(), random.Random(13)  # noqa: S311 - no secret
    page.add_script_tag(content=(STATIC / "scripts" / "questions.js").read_text(encoding="utf-8"))
    for sheet in GAMES.values():
        for seats in {sheet.seats[0], sheet.seats[-1], rng.choice(sheet.seats)}:
            rules = sheet.rules(None, {}, seats)
            names = NAMES[:seats]
            described = describe(rules, names)
            states, expected = [], []
            for _ in range(STATES // 3):
                dealer, said = rng.choice(names), _said(described, rng)
                active = (
                    tuple(rng.sample(names, rules.seating.count or seats))
                    if rng.random() < 0.3
                    else None
                )
                states.append({"dealer": dealer, "active": active and list(active), "said": said})
                form = begun(
                    rules,
                    names,
                    dealer,
                    {
                        name: values[0]
                        for name, values in said.items()
                        if values and name not in MARKS
                    },
                    {name: tuple(said.get(name, ())) for name in MARKS},
                    active,
                )
                expected.append(_read(form))
            assert page.evaluate(READ, [described.to_mapping(), states]) == expected
