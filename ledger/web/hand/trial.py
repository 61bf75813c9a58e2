"""Trying a hand: the hand form with its payout, but nothing can be saved.

Anybody can try a game with its default house rules. In a session, whose followers may do so too, the form
says what a hand would pay at this table now.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from engine.record import Pots
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


class TrialSeat(NamedTuple):
    """A player at the table of a hand that is only tried, with no chips of the bank, emoji or picture."""

    name: str
    lent: int = 0
    player_id: int = 0
    emoji: str = ""
    picture: str = ""


class TrialTable(NamedTuple):
    """The table of a hand that is only tried, with the properties of a session that a payout is drawn with.

    `colours` has the number of each player's colour. Players may have fewer than no chips, as the bank lends
    none.
    """

    present: Sequence[TrialSeat]
    colours: Mapping[str, int]
    plays_from_stacks: bool = False

    @property
    def seats(self) -> Sequence[TrialSeat]:
        """The seats, of which nobody has left."""
        return self.present


@pages.route("/try/<game>", methods=["GET", "POST"])
def try_hand(game: str) -> ResponseReturnValue:
    """Return the form of a game's hand with the payout; nothing is saved. An unknown game is answered 404."""
    sheet, rules = chosen_rules(game)
    names = PLAYERS[: rules.seats]
    table = TrialTable([TrialSeat(name) for name in names], dict(zip(names, count(), strict=False)))
    chosen: dict[str, Any] = {"game": game, "variant": rules.variant, "seats": rules.seats}
    trial = Trial(
        rules,
        next_turn(rules.seating, names, names, names[-1]),
        dict.fromkeys(names, 0),
        dict.fromkeys(Pots._fields, 0) if "pots" in rules.keys else {},
    )
    return trial.page(
        partial(_page, view=table, sheet=sheet, games=GAMES.values()),
        partial(url_for, "web.payouts_of_game", **chosen),
    )


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
    rules = view.rules
    names = [seat.name for seat in view.present]
    balances = previews.balances(view, {}, CHIPS if rules.settlement.pays else SCORE)
    trial = Trial(
        rules,
        turn.upcoming(view),
        {name: balances[name] for name in names},
        pots.contents(here.session, view.id) if "pots" in rules.keys else {},
    )
    table = TrialTable([TrialSeat(name) for name in names], view.colours)
    return trial.page(partial(here.page, view=table, games=()), partial(url_for, "web.payouts"))


def _page(template: str, errors: Errors, *, status: int, **context: Any) -> Response:
    return Response(render_template(template, errors=errors, **context), status)


@dataclass(frozen=True)
class Trial:
    """A hand that is only tried: the rules, its turn, and the balances and contents of the pots before it."""

    rules: Rules
    due: Turn
    balances: Mapping[str, int]
    pots: Mapping[str, int]

    def page(self, make: Callable[..., Response], payouts_address: Callable[..., str]) -> Response:
        """Return the page of the submitted hand, or only its payout if the script requests that.

        ``make`` renders a template; ``payouts_address`` returns the address of a version of the payouts.
        """
        form = HandForm.read(self.rules, self.due.table.players, self.due, request.form).fitted
        is_live = request.form.get("do") != "show"
        errors: Errors = NOTHING_WRONG
        missing: list[str] = []
        preview = None
        try:
            preview = self.preview(form.draft)
        except Invalid as refusal:
            errors, missing = refusal_so_far(form, form.draft, refusal, live=is_live)
        file = payouts.for_trying(self.rules, self.due, self.balances, self.pots)
        return make(
            "parts/hand_answer.html" if request.form.get("part") == "answer" else "try_hand.html",
            errors,
            status=200,
            form=form,
            seal=UNSEEN,
            payout="payout" if self.rules.settlement.pays else "score",
            live=is_live,
            missing=missing,
            preview=preview,
            balances=self.balances,
            pots=self.pots,
            trial_address=f"{request.script_root}{request.full_path}".removesuffix("?"),
            payouts_address=payouts_address(version=file["payout_version"]),
            **file,
        )

    def preview(self, draft: HandDraft) -> Preview:
        """Return the payout of a draft and the balances after it. Raises ``Invalid``."""
        keys = {
            "game": self.rules.game,
            "rules": self.rules.variant,
            "options": house_rules(self.rules),
            "players": list(self.due.table.players),
            **({"pots": self.pots} if self.pots else {}),
        }
        record = hands_draft.complete(draft, keys, self.due, VERSION)
        verdict = hands_draft.judge(record, VERSION)
        after = {name: chips + verdict.deltas.get(name, 0) for name, chips in self.balances.items()}
        left = verdict.pots._asdict() if verdict.pots else {}
        pot = AccountKind.POT.value
        moves = tuple(Move(pot, name, now - self.pots[name], now) for name, now in left.items())
        return Preview(None, verdict, after, None, moves)
