"""The payouts and the auction of a table's rules as a file for the hand form, in the reader's language.

The form's script looks up each hand in it, also offline, and draws it into a blank payout; it offers the
legal calls of the auction. The file is stored for good under an address with a hash of its content.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flask import Response, request

from engine.cards.cache import Cache
from engine.guide.auction_table import AuctionState, auction_table
from engine.guide.payout_table import PLACE, PayoutTable, decisive_keys, payout_table
from engine.record.incidents import SIDES
from engine.record.parts import PASS, Call
from engine.rules.seating import Turn
from engine.rules.sheet import Rules
from engine.rules.verdict import NextTurn, Outcome, Step, Verdict
from engine.scoring.score import THROWN_IN
from engine.words.sentences import later, say
from engine.words.steps import STEPS
from ledger.database.kinds.accounts import AccountKind, session_key
from ledger.database.scope import ScopedSession
from ledger.services.hands import preview as previews
from ledger.services.hands import turn, versions
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.preview import Move, Preview
from ledger.services.session.view import SessionView
from ledger.web.frame.context import SESSION, Here, in_club, pages
from ledger.web.frame.figures import number_of
from ledger.web.frame.stored_files import StoredFile
from ledger.web.frame.words import came_out
from ledger.web.hand import bidding
from ledger.web.hand.correction_form import RecordCorrection
from ledger.words.translation import reader

_COUNTED = 100
"""Below it is a number for each plural form."""

STATED_DIFFERS = "stated-differs"
"""The code of the error for a payout that the script has shown and that is not the ledger's."""

DIFFERS = say(
    "This device showed another payout than the ledger's, so nothing was saved. Look at both, then save the "
    "hand with the ledger's payout, or change it."
)
"""The notice of that error."""

OTHER_HAND = say(
    "This device showed the payout of another hand than the one that arrived, so nothing was saved. Look at "
    "both, then save the hand as it is here, or change it."
)
"""The notice if the answers differ for which the script has shown the payout."""

_SHOWN = re.compile(r"-?[0-9]{1,12}")
"""A number of the payout that the script has shown."""

_TEXTS = {
    "each": later("{amount} each"),
    "before_doubling": later("{amount} before doubling"),
    "only_pots": later("only the pots move"),
    "nothing": later("nothing moves"),
    "short_by": later("{chips} short"),
    "ante": later("ante"),
    "pot": later("pot"),
}
_COUNTS = {
    "lent": later("the bank lends {n:chip|chips}"),
    "lends": later("The bank lends {n:chip|chips} with this hand"),
    "short": later("<bdi>{who}</bdi> is short of {n:chip|chips}."),
}
"""The sentences of a payout, and those with a number of chips."""


class _Unknown(int):
    """A number that the page fills in: written as a placeholder, in the plural form of its value."""

    name: str

    def __new__(cls, value: int, name: str) -> "_Unknown":
        number = super().__new__(cls, value)
        number.name = name
        return number

    def __format__(self, _: str) -> str:
        return f"{{{self.name}}}"

    def __str__(self) -> str:
        return format(self)


# Cached for the benchmark tapping: building the file takes longer than the page with the form.
# Anybody can ask for the tables of all games with default house rules, about a hundred in three languages.
_files: Cache[object, StoredFile] = Cache(256)


def payout_file(rules: Rules) -> StoredFile:
    """Return the file of a table's payouts in the reader's language."""
    key = (rules.game, rules.variant, repr(dict(rules.options)), rules.seats, reader().tag)
    return _files.get(key) or _files.keep(key, _build(rules))


@pages.get(f"{SESSION}/payouts.<version>.json")
@in_club()
def payouts(here: Here, version: str) -> Response:
    """Return the payouts by the rules of the hand numbered ``hand`` in the URL, by default the present ones.

    They are stored for good under their present address only.
    """
    number = number_of(request.args.get("hand"))
    rules = versions.find(here.session, here.view, number).rules if number else here.view.rules
    return payout_file(rules).answer(version)


def shown_payout(names: Sequence[str]) -> Mapping[str, int]:
    """Return what each player gets by the payout that the script has shown; empty if it has shown none."""
    numbers = request.form.get("shown", "").split(",")
    if len(numbers) != len(names) or not all(map(_SHOWN.fullmatch, numbers)):
        return {}
    return dict(zip(names, map(int, numbers), strict=True))


def is_of_another_hand(rules: Rules, draft: HandDraft) -> bool:
    """Return whether the script has shown the payout of other answers than the draft's.

    Two hands can have the same payout.
    """
    shown = request.form.get("shown_hand", "")
    return bool(shown) and shown != _json(_answers(rules, draft))


def _answers(rules: Rules, draft: HandDraft) -> list[Any]:
    """Return the answers that a payout depends on and the called card, as the script sends them.

    The result comes last: its answers, or the tricks that show it and how the hand ended before the last one.
    """
    contract = draft.get("contract", {})
    stated, bid = {**contract, **draft}, rules.by_slug.get(contract.get("bid", ""))
    keys = decisive_keys(bid) if bid else ()
    results = [key.answer(stated) if key.choices else stated.get(key.name) for key in keys]
    if "tricks" in draft:
        stops = "stopped" if draft.get("stopped") else draft.get("conceded")
        results = [*draft["tricks"], draft.get("claimed", {}).get("by", stops)]
    names = [contract.get(key) for key in ("bid", "bidder", "partner", "trump", "called")]
    marks = [contract.get(key, []) for key in ("doubled", "redoubled")]
    return [*_texts(names), *marks, _texts(results)]


def _texts(values: Iterable[object]) -> list[str]:
    return ["" if value is None else str(value) for value in values]


def for_looking_up(
    here: Here, balances: Mapping[str, int], pots: Mapping[str, int]
) -> Mapping[str, Any]:
    """Return the values with which the page shows the payout of a new hand by itself."""
    view, next_turn = here.view, turn.upcoming(here.view)
    blank = _blank(here.session, view, next_turn, balances, pots)
    return _form_values(
        view.rules,
        blank,
        from_stacks=_plays_from_stacks(view, view.rules),
        heartless=_heartless(next_turn),
    )


def for_correcting(
    view: SessionView, correction: RecordCorrection, balances: Mapping[str, int]
) -> Mapping[str, Any]:
    """Return the values with which the page shows the payout of a correction by itself.

    Empty if only the server can work it out: the hand has more than its form shows, or was scored by an
    earlier version's rules; other hands, pots or money depend on it; or one of its players has left.
    """
    rules, record = correction.rules, correction.record
    names = {seat.name for seat in view.present}
    is_followed = "pots" in rules.keys or any(seat.converted for seat in view.present)
    if not correction.is_plain or is_followed or not names >= {*record["players"]}:
        return {}
    next_turn = turn.of_hand(rules, record, record["players"])
    return _form_values(
        rules,
        Preview(None, _nothing(next_turn, balances), balances, view.revision),
        from_stacks=_plays_from_stacks(view, rules),
        recorded=_answers(rules, correction.form.draft),
        has_cards="tricks" in record,
        paid=correction.paid,
    )


def for_trying(
    rules: Rules, next_turn: Turn, balances: Mapping[str, int], pots: Mapping[str, int]
) -> Mapping[str, Any]:
    """Return the values with which the page shows the payout of a hand that is only tried.

    The bank lends nothing.
    """
    blank = Preview(None, _nothing(next_turn, balances), balances, None, _pot_moves(pots))
    return _form_values(rules, blank, from_stacks=False, heartless=_heartless(next_turn))


def _form_values(rules: Rules, blank: Preview, **state: object) -> Mapping[str, Any]:
    """Return the values of a form: the version of its payouts, the ``blank`` one and the state before it.

    ``state`` has the values of that state besides the balances and the contents of the bank and the pots.
    """
    contents = {move.name: move.balance for move in blank.moves}
    bank = contents.pop(AccountKind.BANK.value, 0)
    before = {"balances": dict(blank.balances), "bank": bank, "pots": contents, **state}
    return {
        "payout_version": payout_file(rules).version,
        "standings": _json(before),
        "blank": blank,
    }


def _plays_from_stacks(view: SessionView, rules: Rules) -> bool:
    return view.plays_from_stacks and rules.settlement.pays


def _heartless(next_turn: Turn) -> int:
    """Return the number of deals without a heart in a blind round."""
    return next_turn.blind.heartless if next_turn.blind else 0


def _blank(
    session: ScopedSession,
    view: SessionView,
    next_turn: Turn,
    balances: Mapping[str, int],
    pots: Mapping[str, int],
) -> Preview:
    """Return the preview of a hand in which nothing moves, with a line for each account that may move."""
    moves = _pot_moves(pots)
    if view.plays_from_stacks:
        moves += previews.moves(session, view, {session_key(view.id, AccountKind.BANK): 0})
    short = {"short": {"": 0}} if view.plays_from_stacks else {}
    verdict = _nothing(next_turn, balances)
    return Preview(None, verdict, balances, view.revision, moves, extra=short)


def _pot_moves(pots: Mapping[str, int]) -> tuple[Move, ...]:
    return tuple(Move(AccountKind.POT.value, name, 0, content) for name, content in pots.items())


def _nothing(next_turn: Turn, names: Iterable[str]) -> Verdict:
    """Return the verdict of a hand in which nothing moves."""
    following = NextTurn(next_turn.dealer, next_turn.lead)
    nothing = dict.fromkeys(names, 0)
    return Verdict(Outcome.PASSED_OUT, None, None, None, 0, nothing, (), None, following, ())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _build(rules: Rules) -> StoredFile:
    data = {**_data(payout_table(rules)), "auction": _auction(auction_table(rules))}
    return StoredFile.of(_json(data), "application/json")


def _auction(states: Sequence[AuctionState]) -> Mapping[str, Any]:
    """Return the states of an auction and the names of its calls; a redouble's has the doubler's place."""
    calls = {call: call.partition(" ") for state in states for call in state.calls}
    names = {
        call: reader().translate(bidding.name_of(Call("", code, f"{{{place}}}" if place else None)))
        for call, (code, _, place) in calls.items()
    }
    return {"states": [state._asdict() for state in states], "names": names}


def _data(table: PayoutTable) -> Mapping[str, Any]:
    """Return the table with its sentences; each sentence and each list of prices is contained once."""
    language = reader()
    lines: dict[str, int] = {}

    def line(step: Step) -> int:
        return lines.setdefault(step.render(language), len(lines))

    columns: dict[tuple[str, str], dict[str, Any]] = {}
    for (bid, trump, answers), worth in table.prices.items():
        row = [worth.outcome.value, worth.amount, *map(line, worth.steps)]
        columns.setdefault((bid, trump), {})["/".join(answers)] = row
    prices: list[dict[str, Any]] = []
    bids: dict[str, Any] = {bid: {"keys": keys, "prices": {}} for bid, keys in table.keys.items()}
    for (bid, trump), column in columns.items():
        if column not in prices:
            prices.append(column)
        bids[bid]["prices"][trump] = prices.index(column)
    bids[PASS] = {"keys": (), "prices": {"": len(prices)}}
    prices.append({"": [THROWN_IN.outcome.value, 0, *map(line, THROWN_IN.steps)]})
    return {
        "bids": bids,
        "prices": prices,
        "lines": [*lines],
        "seats": {
            "/".join(map(str, (int(seats.won), seats.partner, *seats.active))): {
                "transfers": payout.transfers,
                "scores": payout.scores,
                "steps": [_step(step) for step in payout.steps],
            }
            for seats, payout in table.seats.items()
        },
        "pots": {
            f"{bid}/{outcome.value}": {
                "transfers": payout.transfers,
                "contents": payout.contents,
                "steps": [_step(step) for step in payout.steps],
                "ante": _ante(payout.steps),
            }
            for (bid, outcome), payout in table.pots.items()
        },
        "factors": table.factors,
        "doubles": [
            _step(Step(key, {"name": f"{PLACE}0", "amount": factor}, ""))
            for key, factor in zip(("doubled", "redoubled"), table.factors[1:], strict=True)
        ],
        "claims": {
            side: _step(Step("claimed", {"by": side, "after": 1}, "sheet")) for side in SIDES
        },
        "stays": table.stays,
        "outcomes": {outcome.value: came_out(outcome.value) for outcome in Outcome},
        "texts": {key: language.term(text) for key, text in _TEXTS.items()},
        "counts": {key: _forms(text, {"who": "{who}", "n": 0}) for key, text in _COUNTS.items()},
        "lang": language.tag,
    }


def _ante(steps: Iterable[Step]) -> int:
    """Return the chips that a seat antes to all pots."""
    return sum(
        number for step in steps if step.key == "antes" for number, *_ in step.values.values()
    )


def _step(step: Step) -> list[Any]:
    """Return a step's sentence in each plural form, and its numbers."""
    numbers = {name: value for name, value in step.values.items() if _is_number(value)}
    return [_forms(STEPS[step.key], step.values), numbers]


def _forms(template: str, values: Mapping[str, Any]) -> list[str]:
    """Return a sentence in each plural form, with placeholders in place of its numbers."""
    language = reader()
    examples = {language.plural(number): number for number in range(_COUNTED)}
    forms = [
        language.fill(
            language.template(template) or template,
            {
                name: _Unknown(example, name) if _is_number(value) else value
                for name, value in values.items()
            },
        )
        for _, example in sorted(examples.items())
    ]
    return forms if len(set(forms)) > 1 else forms[:1]


def _is_number(value: object) -> bool:
    """Return whether a step's value is a number, also a linear one of the pots."""
    return isinstance(value, int) or (isinstance(value, tuple) and isinstance(value[0], int))
