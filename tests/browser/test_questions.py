"""The hand form's script interprets the description of the questions exactly as ``answers.read`` does."""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from engine.games import GAMES
from engine.rules.sheet import Rules, Sheet
from ledger.runtime.paths import STATIC
from ledger.web.hand import answers
from ledger.web.hand.description import Cases, Description, Question
from ledger.web.hand.questions import NOBODY, describe
from tests.ledger.web.random_forms import NAMES

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

RANDOM_STATES = 50
"""The number of random forms per description, also with answers that do not fit."""

READ = """(text) => {
    const [description, states] = JSON.parse(text);
    return JSON.stringify(states.map(({ dealer, active, left_open, said }) => {
        const table = { ...soloQuestions.seat(description, dealer, active), left_open };
        const { questions, facts } = soloQuestions.read(description, table, said);
        const near = (cases) => (cases || []).map((one) => soloQuestions.holds(one, facts));
        return [table.active, table.lead[0], facts, questions.map((
            { question, offered, answers, missing }
        ) => [
            question.name, offered.map(([value]) => value), answers, missing,
            near(question.hints), near(question.rows)])];
    }));
}"""
"""Takes and returns JSON, as Playwright's own way of passing values took most of the time."""

State = dict[str, Any]


def tables(sheet: Sheet) -> Iterator[Rules]:
    """Yield the rules of a game: each variant, each house rule changed by itself, fewest and most seats."""
    variants: list[str | None] = [variant.slug for variant in sheet.variants]
    for variant in variants or [None]:
        switches = {
            option.slug: option.default
            for option in sheet.options_of(variant)
            if isinstance(option.default, bool) and option.slug != "pots"
        }
        changes = [{}, *({slug: not default} for slug, default in switches.items())]
        for options, seats in product(changes, {sheet.seats[0], sheet.seats[-1]}):
            yield sheet.rules(variant, options, seats)


def conditions(question: Question) -> Iterator[Cases]:
    """Yield every condition of a question."""
    yield question.when
    yield from (option.when for option in question.options)
    yield from (when for _, when in question.hints)
    yield from (row.near for row in question.rows)


def related(description: Description, question: Question) -> list[Question]:
    """Return the questions that a question depends on, directly or through another, and itself."""
    names = {"others": "bidder", "active": "bidder"}
    pending, found = [question.name], set[str]()
    by_name = {other.name: other for other in description.questions}
    while pending:
        name = pending.pop()
        if name in found or name not in by_name:
            continue
        found.add(name)
        other = by_name[name]
        pending += [key for cases in conditions(other) for case in cases for key in case]
        pending += [names.get(other.of, other.of), other.instead]
        pending += [setter.name for setter in description.questions if _sets(setter, name)]
    return [other for other in description.questions if other.name in found]


def _sets(question: Question, name: str) -> bool:
    return any(name in option.sets for option in question.options)


def representatives(description: Description, question: Question, lead: str) -> list[list[str]]:
    """Return an answer of each kind that conditions can tell apart, and none.

    Seats differ only by being the lead or not, cards by their suit, and numbers by the bounds of a condition.
    """
    values = [option.value for option in question.options]
    if question.look == "play" and not values:
        return [[], ["AS, 9S"]]
    if not values:
        bounds = {
            bound + step
            for other in description.questions
            for cases in conditions(other)
            for case in cases
            if isinstance(wanted := case.get(question.name), dict) and "from" in wanted
            for bound in (wanted["from"], wanted["to"])
            for step in (-1, 0, 1)
        }
        counts = {0, question.most, question.most + 1, *question.never[:1], *bounds}
        return [[], ["x"], *([str(count)] for count in sorted(counts))]
    if question.many:
        return [[], values[:1], values]
    if question.look == "cards":
        values = list({value[-1]: value for value in values}.values())
    elif question.of:
        other = next(value for value in values if value != lead)
        special = [value for value in values if value.startswith("<")]
        values = [lead, other, *special]
    return [[], *([value] for value in values)]


def every_state(
    description: Description, dealer: str, lead: str, known: set[str]
) -> Iterator[State]:
    """Yield, for each question, every combination of answers to the questions that it depends on.

    It leaves out the questions that are ``known`` with all that they depend on, and adds the others to them.
    """
    seen = set[str]()
    written = {each["name"]: each for each in description.to_mapping()["questions"]}
    for question in description.questions:
        group = related(description, question)
        whole = json.dumps([lead, question.name, *(written[other.name] for other in group)])
        if whole in known:
            continue
        known.add(whole)
        choices = [representatives(description, other, lead) for other in group]
        for chosen in product(*choices):
            said = {other.name: list(values) for other, values in zip(group, chosen, strict=True)}
            if (key := repr(sorted(said.items()))) not in seen:
                seen.add(key)
                left_open = [question.name] if said.get("cards") else []
                yield {"dealer": dealer, "active": None, "left_open": left_open, "said": said}


def random_state(description: Description, rules: Rules, rng: random.Random) -> State:
    """Return a form with random answers, also impossible ones, and at times with the trio named."""
    said = {}
    for question in description.questions:
        values = [option.value for option in question.options] or [
            "0",
            "60",
            "119",
            "121",
            "x",
            "AS, 9S",
        ]
        most = rng.choice([0, 1, 1, 1, 2 if question.many else 1])
        some = rng.sample(values, min(len(values), most))
        said[question.name] = ["nonsense"] if rng.random() < 0.05 else some
    if rng.random() < 0.9:
        said["bidder"] = [rng.choice([*description.seats, NOBODY])]
    named = rng.random() < 0.3
    count = rules.seating.count or len(description.seats)
    active = rng.sample(description.seats, count) if named else None
    left_open = [question.name for question in description.questions if rng.random() < 0.2]
    dealer = rng.choice(description.seats)
    return {"dealer": dealer, "active": active, "left_open": left_open, "said": said}


class Reader:
    """Reads forms of one description by ``answers.read``."""

    def __init__(self, description: Description, rules: Rules) -> None:
        self._description, self._rules = description, rules
        self._written = {each["name"]: each for each in description.to_mapping()["questions"]}

    def read(self, state: State) -> list[Any]:
        """Return the reading of a form as the script's is returned."""
        table = self._rules.table(self._description.seats, state["dealer"], state["active"])
        seats = {"active": table.active, "lead": (table.lead,), "dealer": (table.dealer,)}
        seats["left_open"] = tuple(state["left_open"])
        form = answers.read(self._description, seats, state["said"])

        def near(question: Question, key: str, cases: Iterable[Cases]) -> list[bool]:
            is_written = key in self._written[question.name]
            return [form.near(when) for when in cases] if is_written else []

        asked = [
            [
                question.name,
                [option.value for option in each.offered],
                list(each.answers),
                each.is_missing,
                near(question, "hints", (when for _, when in question.hints)),
                near(question, "rows", (row.near for row in question.rows)),
            ]
            for each in form.questions
            for question in [each.question]
        ]
        facts = {name: list(values) for name, values in form.facts.items()}
        return [list(table.active), table.lead, facts, asked]


@pytest.mark.parametrize("game", GAMES)
def test_the_script_reads_every_combination_of_answers_as_the_service_does(
    phone: "Phones", game: str
) -> None:
    """Players and lead, the facts, the open questions, and the offered, chosen, missing and near answers."""
    page, rng = phone(), random.Random(13)  # noqa: S311 - no secret
    page.add_script_tag(content=(STATIC / "scripts" / "questions.js").read_text(encoding="utf-8"))
    described, known, tried = set[str](), set[str](), 0
    for rules in tables(GAMES[game]):
        names = NAMES[: rules.seats]
        description = describe(rules, names)
        if description.script in described:
            continue
        described.add(description.script)
        lead = rules.table(names, names[-1]).lead
        states = [*every_state(description, names[-1], lead, known)]
        states += [random_state(description, rules, rng) for _ in range(RANDOM_STATES)]
        _compare(page, description, rules, states)
        tried += len(states)
    assert tried > 2 * RANDOM_STATES * len(described)


def _compare(page: "Page", description: Description, rules: Rules, states: Sequence[State]) -> None:
    readings = json.loads(page.evaluate(READ, json.dumps([description.to_mapping(), states])))
    reader = Reader(description, rules)
    for state, reading in zip(states, readings, strict=True):
        assert reading == reader.read(state), state
