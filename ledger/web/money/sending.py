"""The result of an evening for messengers: as a text, and as a picture 1,080 pixels wide."""

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from flask import Flask, Response, render_template

from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.services.common.texts import isolate
from ledger.services.money.settle_up import Payment
from ledger.services.reads import result as results
from ledger.services.reads.result import EveningResult
from ledger.services.session.view import SessionView
from ledger.web.frame import letters
from ledger.web.frame.context import SESSION, Here, shows
from ledger.web.frame.filters import players_of
from ledger.web.frame.plot import Plot
from ledger.words.numbers import change, money, number, weekday
from ledger.words.player_marks import is_again, player_colour
from ledger.words.translation import reader, term

_LATIN, _WIDE = 0.56, 1.0
"""The widths of a Latin and of a Chinese or Japanese character, relative to the size of the letters."""


class FittedText(NamedTuple):
    """A text and the size of its letters in pixels."""

    text: str
    size: int


def init_app(app: Flask) -> None:
    """Register the functions of the templates."""
    functions = (
        result_text,
        result_heading,
        payments_of,
        payment_in_picture,
        fit_text,
        mark_colour,
        isolate,
    )
    app.jinja_env.globals.update({function.__name__: function for function in functions})


def result_text(view: SessionView, evening: EveningResult) -> str:
    """Return the result in the reader's language as plain text: title, standings and who pays whom."""
    return "\n".join(_lines(view, evening))


def _lines(view: SessionView, evening: EveningResult) -> Iterator[str]:
    figures = result_figures(view, evening)
    yield isolate(view.title)
    yield result_heading(view, evening)
    yield ""
    for line in evening.standings:
        yield f"{line.rank}. {isolate(line.name)} {reader().comma.join(figures[line.name])}"
    payments, currency = payments_of(evening)
    if payments:
        yield ""
        yield reader().translate(_payments_title(currency))
    for payment in payments:
        amount = _in_currency(payment.amount, currency) if currency else number(payment.amount)
        yield f"{isolate(payment.payer)} → {isolate(payment.payee)} {amount}"


def result_figures(view: SessionView, evening: EveningResult) -> dict[str, list[str]]:
    """Map each player to their result: in the evening's unit, then their score and money if there are any."""
    figures = {line.name: [change(line.balance)] for line in evening.standings}
    if view.scores_apart:
        for line in evening.standings:
            score = say("score {balance}", balance=number(line.scored))
            figures[line.name].append(reader().translate(score))
    if evening.money:
        currency = evening.money.currency
        for name, amount in zip(players_of(view), evening.money.amounts, strict=True):
            figures[name].append(f"{'+' if amount > 0 else ''}{_in_currency(amount, currency)}")
    return figures


def result_heading(view: SessionView, evening: EveningResult) -> str:
    """Return the day, the games and the number of hands of an evening, translated."""
    day, count = weekday(view.started_on), reader().translate(evening.count)
    games = [term(title) for title in evening.games]
    sentence = say("{day}. {games:and}. {hands}.", day=day, games=games, hands=count)
    if view.on_paper:
        sentence = say("{day}. {games:and}, {hands}.", day=day, games=games, hands=count)
    return reader().translate(sentence)


def _payments_title(currency: str) -> Sentence:
    return say("Who pays whom") if currency else say("Settle up in chips")


def _in_currency(amount: int, currency: str) -> str:
    return f"{money(amount, currency)} {currency}"


def payments_of(evening: EveningResult) -> tuple[tuple[Payment, ...], str]:
    """Return the payments that settle the evening and their currency, which is empty for chips."""
    if evening.money and evening.money.payments:
        return evening.money.payments, evening.money.currency
    return evening.payments, ""


def fit_text(text: str, size: int, width: int, least: int = 22) -> FittedText:
    """Return a text in letters of at most ``size`` that fits a width in pixels.

    The widths of characters are estimates, as each device has its own font. A text that is too wide at the
    ``least`` size is cut.

    >>> fit_text("Ann", 40, 600), fit_text("Maximilian-Alexander", 40, 400)
    (FittedText(text='Ann', size=40), FittedText(text='Maximilian-Alexander', size=35))
    >>> fit_text("山" * 64, 40, 440).text == "山" * 19 + "…"
    True
    """
    widths = [_WIDE if unicodedata.east_asian_width(char) in "WF" else _LATIN for char in text]
    size = max(min(size, int(width / max(sum(widths), 1))), least)
    while sum(widths) * size > width:
        text, widths = f"{text[:-2]}…", [*widths[:-2], _WIDE]
    return FittedText(text, size)


def payment_in_picture(payment: Payment) -> str:
    """Return who pays whom, each name cut so that both are there."""
    payer, payee = (fit_text(name, 36, 320).text for name in (payment.payer, payment.payee))
    return f"{isolate(payer)} → {isolate(payee)}"


def mark_colour(colour: int) -> tuple[str, bool]:
    """Return the colour of a player's mark, for SVG, and whether the mark is hollow."""
    return player_colour(colour).light, is_again(colour)


@shows(f"{SESSION}/result.svg", of_books=True)
def result_picture(here: Here) -> Response:
    """Return the result as an SVG picture, which the page's script sends as PNG."""
    evening = results.of_evening(here.session, here.session_id)
    view = here.view
    picture = render_template(
        "result.svg",
        here=here,
        view=view,
        result=evening,
        heading=result_heading(view, evening),
        figures=result_figures(view, evening),
        payments_title=_payments_title(payments_of(evening)[1]),
        plots=[*map(Plot.of, evening.totals)],
    )
    return Response(letters.with_fonts(picture), mimetype="image/svg+xml")
