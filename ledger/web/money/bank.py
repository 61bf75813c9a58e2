"""Pages of a session's bank: loans, repayments, adjustments, and sharing of pots and differences."""

from contextlib import suppress

from flask import request
from flask.typing import ResponseReturnValue

from engine.words.sentences import say
from ledger.database.models import AccountKind
from ledger.services.chips import adjust
from ledger.services.chips import bank as services
from ledger.services.common import reasons
from ledger.services.common.writing import WriteResponse
from ledger.services.reads import accounts
from ledger.services.reads.accounts import EntryView
from ledger.services.undo import entry as undo_entry
from ledger.web.frame.context import SESSION, Here, saves, shows
from ledger.web.frame.figures import chips_of, number_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.words.problems import Fault, Invalid, NotFound

_INPUTS = {"player": "player", "chips": "chips", "reason": "reason", "pot": "pot"}


@shows(f"{SESSION}/bank")
def bank(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the page of loans, pots and differences. Raises ``ScoresNotChips`` for a game of scores."""
    services.must_be_in_chips(here.view)
    books = accounts.books(here.session, here.session_id)
    balances = {
        kind: sum(account.balance for account in books.accounts if account.kind == kind)
        for kind in (AccountKind.BANK, AccountKind.DIFFERENCES, AccountKind.WORLD)
    }
    return here.page(
        "bank.html",
        errors,
        written=_written(here),
        moved_by_sharing={
            kind: [
                (seat.name, part)
                for seat, part in adjust.portions(
                    books.view.playing,
                    [account.balance for account in books.accounts if account.kind == kind],
                )
            ]
            for kind in (AccountKind.POT, AccountKind.DIFFERENCES)
        },
        bank=balances[AccountKind.BANK],
        differences=-balances[AccountKind.DIFFERENCES],
        world=-balances[AccountKind.WORLD],
        pots={
            account.name: account.balance
            for account in books.accounts
            if account.kind == AccountKind.POT
        },
        form=request.form if errors else {"player": request.args.get("player", "")},
    )


@saves(f"{SESSION}/bank", bank, _INPUTS)
def move_chips(here: Here) -> ResponseReturnValue:
    """Lend chips (if the form names no action), take a repayment, or give a player chips or take them."""
    action = request.form.get("what", "lend")
    entry = _move(here, action)["entry"]
    return here.to("bank", done=action, who=request.form.get("player"), entry=entry)


@saves(f"{SESSION}/bank/share-pots", bank, _INPUTS)
def share_pots(here: Here) -> ResponseReturnValue:
    """Divide each pot equally among the active players; refused if all pots are empty."""
    entry = adjust.share_pots(here.write, here.session_id)["entry"]
    return here.to("bank", done="shared", entry=entry)


@saves(f"{SESSION}/bank/share-differences", bank, _INPUTS)
def share_differences(here: Here) -> ResponseReturnValue:
    """Divide the differences found by counts equally among the active players; refused without any."""
    entry = adjust.share_differences(here.write, here.session_id)["entry"]
    return here.to("bank", done="borne", entry=entry)


def _move(here: Here, action: str) -> WriteResponse:
    form = request.form
    player, chips = form.get("player", ""), chips_of(form.get("chips", ""))
    reason = form.get("reason", "")
    adjusting_one = action in {"give", "take"}
    _check(player, chips, reason if adjusting_one else None)
    if adjusting_one:
        return adjust.adjust(
            here.write,
            here.session_id,
            player=player,
            chips=chips if action == "give" else -chips,
            reason=reason,
            pot=form.get("pot") or None,
        )
    verb = services.take_repayment if action == "repay" else services.lend
    return verb(here.write, here.session_id, player=player, chips=chips, reason=reason)


def _check(player: str, chips: int, reason: str | None) -> None:
    """Raise one ``Invalid`` with all errors; pass ``reason`` only if one is required."""
    faults: list[Fault] = []
    if not player:
        faults.append(
            Fault("player", "player-missing", say("Tap the player whose chips these are."))
        )
    try:
        services.check_chips(chips)
    except Invalid as invalid:
        faults += invalid.faults
    try:
        if reason is not None:
            reasons.clean(reason)
    except Invalid as invalid:
        faults += invalid.faults
    if faults:
        raise Invalid(faults[0].message, faults)


def _written(here: Here) -> EntryView | None:
    """Return the entry named in the URL after a write, or None if it doesn't exist."""
    entry = number_of(request.args.get("entry"))
    with suppress(NotFound):
        return undo_entry.show(here.session, here.session_id, entry).entry if entry else None
    return None
