"""Trying a hand: the hand form with its payout, but nothing can be saved.

Anybody can try a game with its default house rules. In a session, whose followers may do so too, the form
says what a hand would pay at this table now.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from engine.rules.changes import VERSION
from engine.rules.seating import Turn, next_turn
from engine.rules.sheet import CHIPS, SCORE, Rules
from engine.scoring.canonical import house_rules
from ledger.database.kinds.accounts import AccountKind
from ledger.services.hands import draft as hands_draft
from ledger.services.hands import pots, turn
from ledger.services.hands import preview as previews
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.preview import Move, Preview
from ledger.web.evening.how_to_play import PLAYERS, chosen_rules
from ledger.web.frame.context import SESSION, Here, in_club, pages
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.web.hand import payouts
from ledger.web.hand.form import HandForm
from ledger.web.hand.page import UNSEEN, refusal_so_far
from ledger.words.problems import Invalid

ANSWER = "answer"
"""The ``part`` of the page that the script requests alone."""


class TrialSeat(NamedTuple):
    """A player at a table that is in no club."""

    name: str
    lent: int = 0


@dataclass(frozen=True)
class TrialTable:
    """A table that is in no club, with the properties of a session that a payout is drawn with."""

    rules: Rules
    plays_from_stacks: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return PLAYERS[: self.rules.seats]

    @property
    def present(self) -> list[TrialSeat]:
        """The seats clockwise."""
        return [TrialSeat(name) for name in self.names]

    seats = present

    @property
    def colours(self) -> Mapping[str, int]:
        """The number of each player's colour."""
        return {name: place for place, name in enumerate(self.names)}


@pages.route("/try/<game>", methods=["GET", "POST"])
def try_hand(game: str) -> ResponseReturnValue:
    """Return the form of a game's hand with the payout; nothing is saved. An unknown game is answered 404."""
    sheet, rules = chosen_rules(game)
    table = TrialTable(rules)
    names = table.names
    due = next_turn(rules.seating, names, names, names[-1], None, None)
    balances = dict.fromkeys(names, 0)
    contents = {"frog": 0, "solo": 0} if "pots" in rules.keys else {}
    chosen: dict[str, Any] = {"game": game, "variant": rules.variant, "seats": rules.seats}
    file = payouts.for_trying(rules, due, balances, contents)
    address = url_for("web.payouts_of_game", version=file["payout_version"], **chosen)
    page = partial(_page, view=table, sheet=sheet, games=GAMES.values(), **file)
    return _tried(rules, due, balances, contents, partial(page, payouts_address=address))


@pages.get("/try/<game>/payouts.<version>.json")
def payouts_of_game(game: str, version: str) -> Response:
    """Return the payouts of a game with default house rules, by the variant and number of players."""
    return payouts.payout_file(chosen_rules(game)[1]).answer(version)


@pages.route(f"{SESSION}/try", methods=["GET", "POST"])
@in_club()
def what_if(here: Here) -> ResponseReturnValue:
    """Return the form of a hand at this table, with what it would pay now; nothing is saved.

    With too few or too many players it redirects to the page of the table's rules.
    """
    view = here.view
    if len(view.playing) not in view.sheet.seats:
        return here.to("how_this_table_plays")
    rules, due = view.rules, turn.upcoming(view)
    balances = previews.balances(view, {}, CHIPS if rules.settlement.pays else SCORE)
    contents = pots.contents(here.session, view.id) if "pots" in rules.keys else {}
    file = payouts.for_looking_up(here, balances, contents)
    address = url_for("web.payouts", version=file["payout_version"])
    page = partial(here.page, **file, payouts_address=address)
    return _tried(rules, due, balances, contents, page)


def _page(template: str, errors: Errors, *, status: int, **context: Any) -> Response:
    return Response(render_template(template, errors=errors, **context), status)


def _tried(
    rules: Rules,
    due: Turn,
    balances: Mapping[str, int],
    contents: Mapping[str, int],
    page: Callable[..., Response],
) -> Response:
    """Return the page of the submitted hand, or only its payout if the script requests that."""
    form = HandForm.read(rules, due.table.players, due, request.form).fitted
    is_live = request.form.get("do") != "show"
    errors: Errors = NOTHING_WRONG
    missing: list[str] = []
    preview = None
    try:
        preview = _preview(rules, form.draft, due, balances, contents)
    except Invalid as refusal:
        errors, missing = refusal_so_far(form, form.draft, refusal, live=is_live)
    return page(
        "parts/hand_answer.html" if request.form.get("part") == ANSWER else "try_hand.html",
        errors,
        status=200,
        form=form,
        seal=UNSEEN,
        payout="payout" if rules.settlement.pays else "score",
        live=is_live,
        missing=missing,
        preview=preview,
        balances=balances,
        pots=contents,
        trial_address=f"{request.script_root}{request.full_path}".removesuffix("?"),
    )


def _preview(
    rules: Rules,
    draft: HandDraft,
    due: Turn,
    balances: Mapping[str, int],
    contents: Mapping[str, int],
) -> Preview:
    """Return the payout of a draft and the balances after it. Raises ``Invalid``."""
    keys = {
        "game": rules.game,
        "rules": rules.variant,
        "options": house_rules(rules),
        "players": list(due.table.players),
    }
    record = hands_draft.complete(
        draft, {**keys, "pots": contents} if contents else keys, due, VERSION
    )
    verdict = hands_draft.judge(record, VERSION)
    after = {name: chips + verdict.deltas.get(name, 0) for name, chips in balances.items()}
    left = verdict.pots._asdict() if verdict.pots else {}
    pot = AccountKind.POT.value
    moves = tuple(Move(pot, name, now - contents[name], now) for name, now in left.items())
    return Preview(None, verdict, after, None, moves)
