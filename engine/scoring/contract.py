"""Checks the contract of a record: bid, bidder, trump, called card, partner and doubles."""

from collections.abc import Collection

from engine.cards.cards import Card, Suit
from engine.errors import Problems, Violation, show, suggest
from engine.record import Contract
from engine.rules.bids import Bid, Undertaking
from engine.rules.calling import OwnCard
from engine.rules.seating import SeatingTable
from engine.rules.sheet import Rules
from engine.words.language import CallCode
from engine.words.sentences import later, say, word


def undertake(
    rules: Rules,
    table: SeatingTable | None,
    contract: Contract,
    problems: Problems,
    bidder_hand: Collection[Card] | None = None,
) -> Undertaking | None:
    """Return the checked contract; if it is refused, add violations to `problems` and return `None`.

    Its trump suit is filled in if the bid has only one. If the seats are already refused, `table` is `None`
    and nothing that depends on them is checked. `bidder_hand` is the bidder's hand, if known: the cards that
    may be called depend on it.
    """
    before = len(problems)
    bid = _bid(rules, contract, problems)
    _check_bidder(table, contract, problems)
    if bid is None:
        return None
    if bid.lead_only:
        _check_lead(table, bid, contract, problems)
    _check_trump(bid, contract, problems)
    if contract.called is not None:
        check_called(rules, bid, contract.called, contract.trump, problems, bidder_hand)
    if contract.doubled or contract.redoubled:
        _check_doubles(table, contract, problems)
    if bid.has_partner and not (contract.alone and _may_be_alone(bid)):
        _check_partner(table, bid, contract, problems)
    else:
        _check_alone(bid, contract, problems)
    if len(problems) > before or contract.bidder is None:
        return None
    trump = contract.trump or (bid.trumps[0] if bid.trumps else None)
    return Undertaking(
        bid,
        contract.bidder,
        trump,
        contract.called,
        contract.partner,
        contract.doubled or (),
        contract.redoubled or (),
    )


def _violation(
    code: str, message: str, key: str, legal: tuple[str, ...] = (), **where: str
) -> Violation:
    return Violation(code, message, {"field": f"contract.{key}", **where}, legal)


def _bid(rules: Rules, contract: Contract, problems: Problems) -> Bid | None:
    """Return the bid of a contract; add a violation and return `None` if it is missing or unknown."""
    if contract.bid is None:
        message = say("Say what was bid.")
        problems.append(_violation("bid-missing", message, "bid", tuple(rules.by_slug)))
        return None
    bid = rules.by_slug.get(contract.bid)
    if bid is None:
        legal = tuple(rules.by_slug)
        bids = tuple(map(CallCode, legal))
        message = say(
            "{bid} is not a bid here; with {n} players the bids are {bids:and}.",
            bid=show(contract.bid),
            n=rules.seats,
            bids=bids,
        )
        message = suggest(message, contract.bid, bids)
        problems.append(_violation("unknown-bid", message, "bid", legal))
    return bid


def _check_bidder(table: SeatingTable | None, contract: Contract, problems: Problems) -> None:
    """Add a violation if the bidder is missing, or sat out."""
    bidder = contract.bidder
    if bidder is None:
        legal = table.active if table else ()
        message = say("Say who won the bidding.")
        problems.append(_violation("bidder-missing", message, "bidder", legal))
    elif table is not None and bidder not in table.active:
        message = say(
            "{name} sat out this hand; {players:and} played.", name=bidder, players=table.active
        )
        problems.append(_violation("bidder-sat-out", message, "bidder", table.active, seat=bidder))


def _check_lead(
    table: SeatingTable | None, bid: Bid, contract: Contract, problems: Problems
) -> None:
    """Add a violation if another seat than the one on the lead made a bid reserved to it."""
    bidder = contract.bidder
    if table is None or bidder is None or bidder == table.lead:
        return
    message = say(
        "{bid:term} belongs to the player on the lead: {lead}, not {bidder}.",
        bid=bid.title,
        lead=table.lead,
        bidder=bidder,
    )
    problems.append(_violation("not-on-the-lead", message, "bidder", (table.lead,), seat=bidder))


def _check_trump(bid: Bid, contract: Contract, problems: Problems) -> None:
    """Add a violation if the trump suit is missing, or not one of the bid's."""
    trump, trumps = contract.trump, bid.trumps
    if bid.allows_trump(trump):
        return
    legal = tuple(suit.value for suit in trumps)
    values = {"bid": bid.title, "suits": [word(suit.word) for suit in trumps]}
    if trump is None:
        message = say("{bid:term} needs a trump suit: {suits:or}.", **values)
        problems.append(_violation("trump-missing", message, "trump", legal))
        return
    other = later("{bid:term}: only {suits:or} can be trumps, not {trump:term}.")
    none = later("{bid:term} is played without trumps; leave {trump:term} out.")
    message = say(other if trumps else none, trump=trump.word, **values)
    problems.append(_violation("trump-not-allowed", message, "trump", legal))


def check_called(
    rules: Rules,
    bid: Bid,
    called: Card,
    trump: Suit | None,
    problems: Problems,
    bidder_hand: Collection[Card] | None,
) -> None:
    """Add a violation to `problems` if the called card may not be called.

    It may not if the bid calls no card, the card is not in the pack, or the bid's `Calling` forbids it;
    `bidder_hand` is `None` if unknown.
    """
    if bid.calls is None:
        message = say(
            "In {bid:term} no card is called; leave {card} out.", bid=bid.title, card=called
        )
        problems.append(_violation("calls-no-card", message, "called", card=str(called)))
    elif not rules.pack.mask >> called & 1:
        message = say(
            "{card} is not in the deck in play with {n} players.", card=called, n=rules.seats
        )
        problems.append(_violation("called-card-not-in-deck", message, "called", card=str(called)))
    elif problem := bid.calls.problem(called, rules.pack.cards, trump, bidder_hand):
        problems.append(problem)


def _check_doubles(table: SeatingTable | None, contract: Contract, problems: Problems) -> None:
    """Add a violation for each seat that can't have doubled or been redoubled, or is named twice."""
    if table is None or contract.bidder not in table.active:
        return
    doubled = contract.doubled or ()
    for key, named, legal in (
        ("doubled", doubled, table.opponents(contract.bidder)),
        ("redoubled", contract.redoubled or (), doubled),
    ):
        for place, name in enumerate(named):
            if name not in legal:
                message = say(_CANNOT[key] if legal else _NOBODY, name=name, legal=legal)
                problems.append(_violation(f"cannot-be-{key}", message, key, legal, seat=name))
            elif name in named[:place]:
                message = say(_TWICE[key], name=name)
                problems.append(_violation("named-twice", message, key, seat=name))


_CANNOT = {
    "doubled": later("{name} cannot have doubled: only {legal:and} can."),
    "redoubled": later("{name} cannot have been redoubled: only {legal:and} can."),
}
_NOBODY = later("{name} cannot have been redoubled: nobody doubled.")
_TWICE = {
    "doubled": later("{name} is named twice among those who doubled; once is enough."),
    "redoubled": later("{name} is named twice among those redoubled; once is enough."),
}
"""The messages for a seat that cannot have doubled or been redoubled."""


def _may_be_alone(bid: Bid) -> bool:
    """Return whether the bid lets a bidder play alone, by calling an own card or no card."""
    return bid.calls is None or bid.calls.own is OwnCard.ALONE


def _check_partner(
    table: SeatingTable | None, bid: Bid, contract: Contract, problems: Problems
) -> None:
    """Add a violation for a missing partner, the bidder as partner, or a contract stated as alone.

    It is called if the bid has a partner and the bidder may not, or does not, play alone.
    """
    partner, bidder = contract.partner, contract.bidder
    if partner is not None and partner != bidder and not contract.alone:
        return
    legal = tuple(seat for seat in table.active if seat != bidder) if table else ()
    if contract.alone:
        message = say(
            "In {bid:term} nobody may call a card of their own and play alone.", bid=bid.title
        )
        problems.append(_violation("alone-not-allowed", message, "alone"))
    elif partner is None:
        message = say("Say who held the called card.")
        if _may_be_alone(bid):
            message = say("Say who held the called card, or that the caller played alone.")
        problems.append(_violation("partner-missing", message, "partner", legal))
    else:
        message = say("{name} cannot be their own partner.", name=partner)
        if _may_be_alone(bid):
            message = say(
                "{name} cannot be their own partner; a caller of their own card plays alone.",
                name=partner,
            )
        problems.append(_violation("partner-is-caller", message, "partner", legal, seat=partner))


def _check_alone(bid: Bid, contract: Contract, problems: Problems) -> None:
    """Add a violation if a bidder who always plays alone names a partner, or denies playing alone."""
    partner = contract.partner
    if partner is not None:
        message = say("The bidder plays alone here, so {name} cannot be the partner.", name=partner)
        problems.append(_violation("partner-not-allowed", message, "partner", seat=partner))
    if contract.alone is False:
        message = say("In {bid:term} the bidder always plays alone.", bid=bid.title)
        problems.append(_violation("always-alone", message, "alone"))
