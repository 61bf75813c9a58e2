"""Plays the evenings of `evenings.toml` files step by step, and checks their results.

Each [[evening]] states the `rule` it shows, the `players`, the session (`game`, `options`, `stack`, `rate`,
`dealer`) and, under `play`, one step per line. Indented lines check the state after the step above them:

    Ann plays go-alone in spades: 85
      chips: Ann 300, others 100          the chips in front of the players named
      won: Ann 150, others -50            their winnings
      owed: Ann 15, others -5             the money that the club owes each player, complete
      accounts: bank -600, pot/frog 15    the evening's own accounts
      entries: stack, hand                the kinds of the club's entries, complete
      turn: Bob deals, Cyd leads          the next hand's turn; `under: Dee` is of a blind round
      pots before 2: frog 20, solo 0      the pots in the record of hand 2
      seats: Ann Bob Cyd Dee              the players at the table, clockwise
      state: open
      would undo: recorded 1              the step that undo, or redo, would take: "loan Bob", "nothing"
      payments: Bob pays Ann 50           the payments of the evening's settlement, in chips
      settle up: Bob pays Ann 5           the payments of the club's settlement, in money
      rate: 10/1                          chips to the smallest coin
    Bob repays 500
      refused at chips: Bob holds 100     the field, and part of the message; nothing is written

Checks before the first step are of the table as it started; `lent`, `scores` and `waiting` are like `won`.
Every evening is played on SQLite, with `on = "both"` on PostgreSQL too, and the database verifies at its end.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ledger.services.chips import adjust
from ledger.services.hands import record, versions
from ledger.services.money import currency, payments
from ledger.services.reads import accounts, session
from ledger.services.table import seating
from ledger.services.undo import entry as undo_entry
from ledger.services.undo import last
from ledger.words.problems import Problem
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.services.spoken import hand, rate

PLAYERS = {"four": table.FOUR, "seven": table.SEVEN}
START = "start"


def newest(evening: Evening, kind: str) -> int:
    """Return the id of the newest entry of a kind that was not undone."""
    lines, _ = evening.read(undo_entry.page)
    return next(line.entry.id for line in lines if line.entry.kind == kind and not line.taken_back)


STEPS: Mapping[str, Callable[..., object]] = {
    r"correct (\d+): (.+)": lambda e, number, text: e.correct(int(number), hand(text)),
    r"(void|restore) (\d+)": lambda e, step, number: getattr(e, step)(int(number)),
    r"(\w+) borrows (-?\d+)": lambda e, player, chips: e.lend(player, int(chips)),
    r"(\w+) repays (\d+)": lambda e, player, chips: e.repay(player, int(chips)),
    r"(\w+) gets (-?\d+)(?: from the (\w+) pot)?": lambda e, player, chips, pot: e.adjust(
        player, int(chips), pot
    ),
    r"share the (pots|differences)": lambda e, kind: e.do(getattr(adjust, f"share_{kind}")),
    r"(\w+) joins(?: at (\d+))?": lambda e, player, place: e.join(
        player, **({"position": int(place)} if place else {})
    ),
    r"([\w ]+) leaves?": lambda e, players: e.leave(*players.split()),
    r"([\w ]+) sits? out": lambda e, players: e.sit_out(*players.split()),
    r"(\w+) comes back": lambda e, player: e.come_back(player),
    r"(\w+) stays": lambda e, player: e.stay(player),
    r"order: (.+)": lambda e, order: e.do(seating.change_seats, order=order.split()),
    r"game: ([\w-]+)": lambda e, game: e.play(game),
    r"rate: (.+)": lambda e, text: e.set_rate(rate(text)),
    r"currency: (\w+)": lambda e, name: e.club.do(currency.change, currency=name),
    r"cash in(?: at (.+))?": lambda e, text: e.convert(rate(text) if text else None),
    r"(\w+) pays (\w+) (\d+)": lambda e, payer, payee, money: e.club.pay(payer, payee, int(money)),
    r"take back the ([a-z-]+)": lambda e, kind: e.take_back(newest(e, kind)),
    r"(undo|redo|pause|resume|close|reopen)": lambda e, step: getattr(e, step)(),
    START: lambda _: None,
}
"""The steps by their pattern; a line that matches none is a hand."""


def take(evening: Evening, step: str) -> None:
    """Take one step: call the service that its text names."""
    for pattern, act in STEPS.items():
        if match := re.fullmatch(pattern, step):
            act(evening, *match.groups())
            return
    evening.record(hand(step))


def amounts(text: str, names: Mapping[str, int]) -> dict[str, int]:
    """Parse "Ann 300, others -50"; the others are those of ``names`` that are not named."""
    stated = {}
    for part in text.split(", "):
        name, _, amount = part.rpartition(" ")
        stated[name] = int(amount)
    others = stated.pop("others", None)
    return stated if others is None else {**dict.fromkeys(names, others), **stated}


OF_SEATS = {
    "chips": "balance",
    "won": "net",
    "lent": "lent",
    "scores": "scored",
    "waiting": "unpaid",
}
"""Checks of every seat, and the field that they read."""


def check(evening: Evening, what: str, text: str) -> None:
    """Compare one check of a file with the state of the evening; raise `AssertionError` if it differs."""
    if what in OF_SEATS:
        # A player who left a seat and has another is compared at the table.
        values = {seat.name: getattr(seat, OF_SEATS[what]) for seat in evening.view.seats[::-1]}
        stated = amounts(text, values)
        assert {name: values[name] for name in stated} == stated
    elif what == "owed":
        stated = {} if text == "nobody" else amounts(text, evening.balances)
        assert evening.club.owed == {name: money for name, money in stated.items() if money}
    elif what == "accounts":
        stated = amounts(text, {})
        assert {name: evening.account(name) for name in stated} == stated
    elif what == "entries":
        assert ", ".join(evening.club.kinds) == text
    elif what == "payments":
        proposed = evening.read(accounts.settlement).payments
        assert ", ".join(f"{pay.payer} pays {pay.payee} {pay.amount}" for pay in proposed) == text
    elif what in ("would undo", "would redo"):
        look = evening.read(last.look)
        action = look.last if what == "would undo" else look.redo
        words = (action.what, action.hand or action.player) if action else ("nothing", None)
        refusal = ", but refused" if what == "would undo" and action and look.refusal else ""
        assert " ".join(str(word) for word in words if word) + refusal == text
    elif what == "settle up":
        settlement = evening.club.read(payments.settle_up).payments
        assert ", ".join(f"{pay.payer} pays {pay.payee} {pay.amount}" for pay in settlement) == text
    elif what == "rate":
        assert evening.view.rate == rate(text)
    elif what in ("turn", "under"):
        turn = evening.read(record.propose)
        assert evening.read(session.board).next == turn
        deals = f"{turn.dealer} deals, {turn.lead} leads"
        assert (deals if what == "turn" else turn.under or "nobody") == text
    elif what.startswith("pots before "):
        pots = evening.read(versions.of_hand, int(what.split()[-1]))[-1].record["pots"]
        assert pots == amounts(text, {})
    elif what == "seats":
        assert " ".join(evening.present) == text
    elif what == "state":
        assert evening.view.state == text
    else:
        raise ValueError(f"no such check: {what}")


def play_step(evening: Evening, step: str, checks: list[list[str]]) -> None:
    """Take a step, or check that it is refused, then make its other checks."""
    if checks and checks[0][0].startswith("refused"):
        what, message = checks.pop(0)
        field = what.removeprefix("refused at ") if " at " in what else None
        with evening.club.refuses(Problem, re.escape(message), at=field):
            take(evening, step)
    else:
        take(evening, step)
    for what, text in checks:
        check(evening, what, text)


def play(club: CardClub, table_row: Mapping[str, Any]) -> None:
    """Play an evening of a file in this club."""
    draft = {key: table_row[key] for key in ("options", "title") if key in table_row}
    draft |= {"starting_stack": table_row.get("stack", 0), "first_dealer": table_row.get("dealer")}
    players = PLAYERS.get(table_row["players"]) or table_row["players"].split()
    agreed = rate(table_row.get("rate", "none"))
    evening = club.start(players, table_row.get("game", "crazy-solo"), rate=agreed, **draft)
    for block in re.split(r"\n(?! )", f"{START}\n{table_row['play']}".rstrip()):
        step, *lines = block.split("\n")
        try:
            play_step(evening, step, [line.strip().split(": ", 1) for line in lines])
        except BaseException as error:
            error.add_note(f"in the step: {step}")
            raise
    evening.must_balance()


def _cases() -> Iterator[Any]:
    """Yield each evening on SQLite, and those for both databases on PostgreSQL too."""
    for file in sorted(Path(__file__).parent.glob("*/evenings.toml")):
        for row in tomllib.loads(file.read_text(encoding="utf-8"))["evening"]:
            name = f"{file.parent.name}: {row['rule']}"
            yield pytest.param(row, "sqlite", id=name)
            if row.get("on") == "both":
                yield pytest.param(
                    row, "postgres", id=f"{name} (postgres)", marks=pytest.mark.postgres
                )


evenings = pytest.mark.parametrize(
    ("row", "any_database"), list(_cases()), indirect=["any_database"]
)
"""Parametrizes a test with the evenings of all files."""
