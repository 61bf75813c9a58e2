"""The form of an evening that was scored on paper: what each player won or lost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from engine.games import GAMES
from engine.rules.sheet import CHIPS
from engine.words.sentences import say
from ledger.runtime.clock import today
from ledger.services.club import players
from ledger.services.money import currency as money_currency
from ledger.services.table import paper, same_table
from ledger.services.table.paper import PaperEvening
from ledger.web.evening.setup import Round
from ledger.web.frame.context import CLUB, SESSION, Here, saves, shows
from ledger.web.frame.figures import whole_number
from ledger.web.frame.filters import typed as money_typed
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.web.money.stakes import INPUTS as STAKES
from ledger.web.money.stakes import Stakes
from ledger.words import currencies
from ledger.words.problems import Invalid

_INPUTS = {
    **STAKES,
    "won": "won",
    "game": "game",
    "variant": "game",
    "title": "title",
    "started_on": "day",
}
_GAMES = {slug: sheet for slug, sheet in GAMES.items() if sheet.unit == CHIPS}


@dataclass(frozen=True, slots=True)
class PaperForm:
    """The typed form: ``amounts`` are texts by player, negative for those in ``lost``."""

    table: Round
    day: str
    game: str
    title: str
    in_money: bool
    stakes: Stakes
    amounts: dict[str, str]
    lost: frozenset[str]

    @classmethod
    def read(cls, form: MultiDict[str, str], currency: str) -> "PaperForm":
        """Parse the submitted form and apply its tap: somebody seated or removed, or the rest to one."""
        table = Round.read(form)
        texts = dict(zip(form.getlist("seat"), form.getlist("won"), strict=False))
        parsed = cls(
            table,
            form.get("day", ""),
            form.get("game", ""),
            form.get("title", ""),
            form.get("unit") == "money",
            Stakes.read(form, currency),
            {name: texts.get(name, "").strip() for name in table.seated},
            frozenset(form.getlist("lost")),
        )
        return parsed.with_rest_for(form["rest"]) if "rest" in form else parsed

    @classmethod
    def of(cls, evening: PaperEvening, currency: str) -> "PaperForm":
        """Build the form of an evening that was entered before, in chips."""
        return cls(
            Round(tuple(evening.won)),
            str(evening.started_on),
            evening.game,
            evening.title,
            evening.in_money,
            Stakes.of_rate(evening.rate, currency),
            {name: str(abs(amount)) for name, amount in evening.won.items()},
            frozenset(name for name, amount in evening.won.items() if amount < 0),
        )

    def amount(self, name: str) -> int:
        """Return what a player won or, negative, lost. Raises ``Invalid`` at ``won`` for another text."""
        text = self.amounts[name]
        if not text:
            return 0
        if self.in_money:
            amount: int | str = currencies.read(text, self.stakes.currency, "won")
        else:
            amount = whole_number(text)
        if not isinstance(amount, int):
            sentence = say("{name}: “{text}” is not a whole number of chips.", name=name, text=text)
            raise Invalid.at("won", "not-a-number", sentence)
        return -abs(amount) if name in self.lost else amount

    @property
    def total(self) -> int:
        """The sum of all amounts that can be read."""
        return sum(map(self._readable, self.amounts))

    @property
    def total_text(self) -> str:
        """The sum as it is shown, with its sign."""
        text = self._typed(abs(self.total))
        return f"{'+' if self.total > 0 else '−'}{text}"

    def with_rest_for(self, name: str) -> "PaperForm":
        """Return the form in which one player has what the others lack to 0."""
        if name not in self.amounts:
            return self
        amount = self._readable(name) - self.total
        lost = self.lost - {name} | ({name} if amount < 0 else set())
        return replace(
            self, amounts={**self.amounts, name: self._typed(abs(amount))}, lost=frozenset(lost)
        )

    @property
    def evening(self) -> PaperEvening:
        """The evening to save. Raises ``Invalid`` at ``won``, ``started_on`` or ``rate.money``."""
        try:
            day = date.fromisoformat(self.day) if self.day else None
        except ValueError as error:
            message = say("This is not a day; give one such as 2026-01-31.")
            raise Invalid.at("started_on", "ill-formed", message) from error
        won = {name: self.amount(name) for name in self.amounts}
        return PaperEvening(
            self.game, won, day, title=self.title, in_money=self.in_money, rate=self.stakes.rate
        )

    def _readable(self, name: str) -> int:
        try:
            return self.amount(name)
        except Invalid:
            return 0

    def _typed(self, amount: int) -> str:
        return money_typed(amount, self.stakes.currency) if self.in_money else str(amount)


@shows(f"{CLUB}/paper", writing=True)
def paper_evening(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the form for an evening scored on paper, with the game and the rate of the last one."""
    form = _submitted(here)
    if request.method == "GET":
        last = same_table.newest(here.session)
        before = same_table.same_table(here.session, last.id).draft if last else None
        game = before.game if before and before.game in _GAMES else next(iter(_GAMES))
        stakes = Stakes.of_rate(before.rate if before else None, form.stakes.currency)
        form = replace(form, game=game, day=str(today()), stakes=stakes)
    return _page(here, form, errors)


@saves(f"{CLUB}/paper", paper_evening, _INPUTS)
def enter_paper_evening(here: Here) -> ResponseReturnValue:
    """Save the evening and redirect to its result; return the form after another tap."""
    return _save(here, paper_evening, lambda evening: paper.enter(here.write, evening))


@shows(f"{SESSION}/paper", writing=True)
def paper_correction(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the form to correct or remove an evening on paper; another one redirects to its scoreboard."""
    if not here.view.on_paper:
        return here.to("board")
    evening = paper.show(here.session, here.session_id)
    form = _submitted(here)
    if request.method == "GET":
        form = PaperForm.of(evening, form.stakes.currency)
    return _page(here, form, errors)


@saves(f"{SESSION}/paper", paper_correction, _INPUTS)
def correct_paper_evening(here: Here) -> ResponseReturnValue:
    """Replace the evening and redirect to the new result; return the form after another tap."""

    def save(evening: PaperEvening) -> Any:
        return paper.correct(here.write, here.session_id, evening)

    return _save(here, paper_correction, save)


def _save(
    here: Here, page: Callable[[Here], ResponseReturnValue], save: Callable[[PaperEvening], Any]
) -> ResponseReturnValue:
    form = _submitted(here)
    if request.form.get("do") != "save" or form.table.problem:
        return page(here)
    return here.to("result", session_id=save(form.evening)["id"], done="on-paper")


def _submitted(here: Here) -> PaperForm:
    return PaperForm.read(request.form, money_currency.show(here.session).currency)


def _page(here: Here, form: PaperForm, errors: Errors) -> ResponseReturnValue:
    people: Sequence[str] = [player.name for player in players.coming(here.session)]
    return here.page(
        "paper.html",
        errors,
        form=form,
        games=_GAMES,
        others=[name for name in people if name not in form.table.seated],
        currency=form.stakes.currency,
        today=today(),
    )
