"""The codes of problems and faults with their meanings, except those of hand records.

``engine.errors.codes`` has the latter. The page at ``PAGE`` has a section for each code.
"""

from collections.abc import Mapping
from typing import Final

from engine.errors import codes

PAGE: Final = "/api/v1/docs/errors"

CODES: Mapping[str, str] = {
    "account-closed": "The player has left, and nothing moves on their account any more.",
    "already-void": "The hand is void and can be neither voided again nor corrected; restore it first.",
    "amount-out-of-range": "A payment of nothing, or of more than the ledger can hold.",
    "bad-key": "An `Idempotency-Key` that is too short or too long, or has characters other than plain ones.",
    "bad-request": "The body is not JSON, or the request can't be read.",
    "balance-too-large": "An account would hold more than the ledger can.",
    "busy": "Many are saving at once and this request did not get through. Nothing was saved; send it again.",
    "cannot-stand": "A later hand would not be possible any more after this change.",
    "cannot-take-back": "An entry of this kind can't be undone by itself.",
    "chips-elsewhere": "Chips are in a pot, lent, or were counted wrong, and can't be cashed in yet.",
    "chips-out-of-range": "No chips, or more than the ledger can hold.",
    "club-moved": "The club has left for another installation; the detail has its address.",
    "conflict": "The ledger is not in a state that allows it; the detail says why.",
    "csrf": "A form of a page that is out of date; it never comes from the API.",
    "dealer-not-seated": "The first dealer is not among the players.",
    "differs-from-session": "A hand names a game, rules or players other than the session's.",
    "has-not-left": "The player has not left, so there is no leaving to undo.",
    "has-owner": "The club has an owner; only an owner makes others owners.",
    "ill-formed": "A field that is missing, has the wrong type, or does not have the form that it takes.",
    "invalid": "Something sent is not valid; `errors` says what, field by field.",
    "key-missing": "A write without an `Idempotency-Key`.",
    "key-reused": "The `Idempotency-Key` was sent before with something else to write.",
    "last-owner": "The club would be left without an owner.",
    "lead-follows-dealer": "The lead is set in a game in which it follows from the dealer.",
    "lead-sits-out": "The player who is to lead does not play in this hand.",
    "lend-no-flag": "What a hand lends is neither true nor false.",
    "method-not-allowed": "The address takes other methods; the header `Allow` names them.",
    "more-than-advanced": "More chips are paid back than the player has from the bank.",
    "more-than-held": "More chips are paid back than the player holds.",
    "more-than-the-pot": "More chips are taken from a pot than it holds.",
    "name-empty": "A name without anything that can be seen.",
    "name-has-brackets": "A player's name with brackets, which mean something else in a record.",
    "name-has-controls": "A name with characters that can't be shown.",
    "name-reserved": "A player's name that means something else, such as the widow.",
    "name-taken": "There is already a club or player of that name.",
    "name-too-long": "A name of too many characters.",
    "no-currency": "A text that is not the code of a currency, such as EUR.",
    "no-such-chip": "A chip that is not among the club's denominations.",
    "no-such-chips": "Denominations that nobody can count in: none, too many, or not from the smallest up.",
    "no-such-place": "A place that the table does not have.",
    "no-such-pot": "A pot that the game does not have.",
    "no-sum": "A text that is not a sum of money.",
    "nobody-counted": "A count without any player.",
    "not-an-emoji": "A text that is not one emoji, nor empty.",
    "not-an-object": "The body is JSON, but not an object.",
    "not-at-the-table": "The player has no seat in this session, or has left it.",
    "not-everybody-once": "An order of seats that does not name each player once.",
    "not-found": "There is nothing at this address, or not in this club.",
    "not-signed-in": "No token was sent, or it opens no club any more.",
    "not-text": "A text that is not valid Unicode.",
    "not-void": "The hand is not void, so there is nothing to restore.",
    "note-has-controls": "A note with characters that can't be shown.",
    "note-too-long": "A note of too many characters.",
    "nothing-to-confirm": "The hand was confirmed already, or needed no confirmation when it was entered.",
    "nothing-to-redo": "The last thing done in the session was not an undo.",
    "nothing-to-undo": "Nothing in the session can be undone.",
    "number-too-large": "A number with more digits than any that is taken.",
    "other-version": "Another version of the program has upgraded the ledger; this server must be restarted.",
    "our-mistake": "The service failed by its own fault; the detail says whether anything was saved.",
    "out-of-range": "A number that is too small or too large for its field.",
    "owners-only": "Only an owner's device or token does that.",
    "passcode-long": "A passcode of too many characters.",
    "passcode-missing": "An act of an owner's without the club's passcode in `Club-Passcode`.",
    "passcode-short": "A passcode of too few characters.",
    "pays-themself": "A payment from a player to the same player.",
    "pieces-no-number": "A number of chips that is not written as a number.",
    "pieces-out-of-range": "Fewer than no pieces of a chip, or more than the ledger can hold.",
    "player-missing": "No player was named.",
    "player-twice": "A player who is named twice.",
    "pot-too-full": "A pot would hold more chips than the ledger can.",
    "pots-spent": "Chips of a pot are needed that later hands have already paid out.",
    "rate-fixed": "The rate can't change while somebody was cashed out at it and the others were not.",
    "rate-missing": "Chips are to be cashed in, and the session has no rate.",
    "rate-out-of-range": "A rate of nothing, or of more than the ledger can hold.",
    "read-only": "A viewer's token was sent for a write.",
    "reason-has-controls": "A reason with characters that can't be shown.",
    "reason-missing": "What was written is changed without a reason; a dry run needs none.",
    "reason-too-long": "A reason of more than 500 characters.",
    "replaces-cards": "A form would replace a hand's cards; it never comes from the API.",
    "revision-missing": "Something written is changed without `If-Match`.",
    "same-device": "The device or token that entered a hand can't confirm it; another one can.",
    "scores-not-chips": "The session is played for scores, not for chips.",
    "seated-already": "The player has a seat in this session.",
    "session-closed": "The session is closed; reopen it to change it.",
    "session-paused": "The session is paused; resume it to record hands.",
    "sign-up-closed": "Whoever runs the service lets nobody found a club.",
    "something-written": "The session holds entries and can't be deleted.",
    "stale": "Somebody else wrote since the state that `If-Match` names; nothing was saved.",
    "table-full": "The game has no seat for another player.",
    "taken-back-already": "The entry was undone before.",
    "text-too-long": "A text of more bytes than any that is taken.",
    "till-not-empty": "Somebody was cashed out, and the others were not yet.",
    "time-out-of-bounds": "An instant or a day in the future or before 1900.",
    "too-large": "A body of more bytes than are taken.",
    "too-long": "A link that would last longer than its role allows.",
    "too-many": "Too many attempts; `Retry-After` says how many seconds to wait.",
    "too-many-requests": "Too many attempts; `Retry-After` says how many seconds to wait.",
    "unchanged": "A change that would leave everything as it is.",
    "unknown-currency": "A currency that does not exist.",
    "unknown-parameter": "A parameter of the address that it does not have.",
    "unknown-player": "The club has no player of that name.",
    "unreachable": "The database failed; the detail says whether anything was saved.",
    "unsupported-media-type": "The body is not declared as JSON in `Content-Type`.",
    "wrong-passcode": "The passcode is not the club's.",
}


def type_of(code: str) -> str:
    """Return the URI reference of a code's section in the documentation; "about:blank" for an unknown code.

    It has no host, so that it is the same in every installation.

    >>> type_of("stale"), type_of("unheard-of")
    ('/api/v1/docs/errors#stale', 'about:blank')
    """
    return f"{PAGE}#{code}" if code in CODES or code in codes.CODES else "about:blank"
