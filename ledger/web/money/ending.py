"""The steps at the end of an evening: count the chips, convert them, pay, and show the result.

They use the ordinary pages. While a URL has the parameter ``ending`` (a session), these pages show the
steps, and saving leads to the next one. Steps that don't apply, without chips or money, are left out.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flask import Flask, request, url_for
from flask.typing import ResponseReturnValue

from engine.words.sentences import say
from ledger.database.models import SessionState
from ledger.services.reads import result as results
from ledger.services.session.load import load
from ledger.services.session.view import SessionView
from ledger.web.frame.context import SESSION, Here, pages, shows
from ledger.web.frame.figures import number_of
from ledger.web.frame.plot import Plot
from ledger.words.problems import NotFound

_TITLES: Mapping[str, str] = {
    "count_chips": say("Count"),
    "settle": say("Cash in"),
    "club_money": say("Pay"),
    "result": say("Result"),
}
"""The pages of the steps in order, with their titles."""

_ON_THE_PATH = {*_TITLES, "set_rate", "convert", "pay", "undo_payment", "close", "reopen"}


@dataclass(frozen=True, slots=True)
class EndingStep:
    """A step and its URL; ``is_here`` marks the current page."""

    page: str
    title: str
    address: str
    is_here: bool


def init_app(app: Flask) -> None:
    """Register the steps for use in templates."""
    app.jinja_env.globals.update(steps_to_the_end=steps, ending_of=_address_of)


def onwards(here: Here, page: str, otherwise: str) -> str:
    """Return the page of the next step, or ``otherwise`` outside the steps."""
    on_it = [step.page for step in steps(here)]
    return on_it[on_it.index(page) + 1] if page in on_it[:-1] else otherwise


def steps(here: Here) -> Sequence[EndingStep]:
    """Return the steps of the session named by ``ending`` in the URL; none for viewers or without one."""
    ending = _ending()
    if ending is None or not here.access.may_write:
        return ()
    with suppress(NotFound):
        view = load(here.session, ending)
        now = (request.endpoint or "").removeprefix("web.")
        return [
            EndingStep(page, _TITLES[page], _address(page, ending), page == now)
            for page in _pages(view)
        ]
    return ()


@shows(f"{SESSION}/result", of_books=True)
def result(here: Here) -> ResponseReturnValue:
    """Return the result page: standings, charts and highlights."""
    evening = results.of_evening(here.session, here.session_id)
    return here.page("result.html", result=evening, plots=[*map(Plot.of, evening.totals)])


@pages.url_defaults
def _keep_to_the_path(endpoint: str, values: dict[str, Any]) -> None:
    """Add ``ending`` to the URLs of steps on pages that have it."""
    if endpoint.removeprefix("web.") in _ON_THE_PATH and (ending := _ending()) is not None:
        values.setdefault("ending", ending)


def _ending() -> int | None:
    return number_of(request.args.get("ending"))


def _pages(view: SessionView) -> list[str]:
    """Return the pages that apply: counting only until the session is closed, money only with a rate."""
    counting = view.in_chips and view.state != SessionState.CLOSED
    money = view.rate is not None
    applies = {
        "count_chips": counting,
        "settle": counting and money,
        "club_money": money,
        "result": True,
    }
    return [page for page, is_needed in applies.items() if is_needed]


def _address_of(view: SessionView) -> str:
    """Return the URL of a session's first step."""
    return _address(_pages(view)[0], view.id)


def _address(page: str, session_id: int) -> str:
    place: dict[str, Any] = {} if page == "club_money" else {"session_id": session_id}
    return url_for(f"web.{page}", ending=session_id, **place)
