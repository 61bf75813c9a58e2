"""Undoing a payment that was recorded but not made, or a shared expense."""

from ledger.services.common.writing import WriteContext, WritePlan, plans
from ledger.services.hands.preview import Preview
from ledger.services.money import expenses, payments
from ledger.services.undo import reverse


@plans("take payment back")
def take_back(tx: WriteContext, entry_id: int, *, reason: str = "") -> WritePlan[Preview]:
    """Undo a payment between players by a reversal.

    Raises ``NotFound``, ``AlreadyUndone``, ``Invalid`` at ``reason``.
    """
    entry = payments.find(tx.session, entry_id)
    return reverse.prepared(tx, None, None, entry, reason, takes_back=entry_id)


@plans("take expense back")
def take_expense_back(tx: WriteContext, entry_id: int, *, reason: str = "") -> WritePlan[Preview]:
    """Undo a shared expense by a reversal, with the same errors."""
    entry = expenses.find(tx.session, entry_id)
    return reverse.prepared(tx, None, None, entry, reason, takes_back=entry_id)
