"""Checks a record's contract against the rules and the table: what was bid, by whom, with whom."""

from engine.contracts import Bid, Undertaking
from engine.errors import Violation, show
from engine.record import Contract
from engine.sheet import Rules
from engine.steps import join
from engine.table import Table

Found = list[Violation]


def undertake(
    rules: Rules, table: Table | None, contract: Contract, problems: Found
) -> Undertaking | None:
    """Check a contract; `None` when something is wrong, which is then added to `problems`.

    Without a table, because its seats are refused already, what hangs on them is left unchecked.
    """
    before = len(problems)
    bid = _bid(rules, contract, problems)
    _check_bidder(table, contract, problems)
    if bid is None:
        return None
    _check_trump(bid, contract, problems)
    _check_called(rules, bid, contract, problems)
    _check_partner(table, bid, contract, problems)
    if bid.lead_only and table is not None and contract.bidder not in (None, table.lead):
        message = (
            f"{bid.title} belongs to the player on the lead: {table.lead}, not {contract.bidder}."
        )
        where = {"field": "contract.bidder", "seat": str(contract.bidder)}
        problems.append(Violation("not-on-the-lead", message, where, (table.lead,)))
    if len(problems) > before or contract.bidder is None:
        return None
    trump = contract.trump or (bid.trumps[0] if bid.trumps else None)
    return Undertaking(bid, contract.bidder, trump, contract.called, contract.partner)


def _bid(rules: Rules, contract: Contract, problems: Found) -> Bid | None:
    where = {"field": "contract.bid"}
    legal = tuple(rules.by_slug)
    if contract.bid is None:
        problems.append(Violation("bid-missing", "Say what was bid.", where, legal))
        return None
    bid = rules.by_slug.get(contract.bid)
    if bid is None:
        message = f"{show(contract.bid)} is no bid here: with {rules.seats} players the bids are {join(legal)}."
        problems.append(Violation("unknown-bid", message, where, legal))
    return bid


def _check_bidder(table: Table | None, contract: Contract, problems: Found) -> None:
    bidder = contract.bidder
    if bidder is None:
        where = {"field": "contract.bidder"}
        legal = table.active if table else ()
        problems.append(Violation("bidder-missing", "Say who won the bidding.", where, legal))
    elif table is not None and bidder not in table.active:
        where = {"field": "contract.bidder", "seat": bidder}
        message = f"{bidder} sat out this hand; {join(table.active)} played."
        problems.append(Violation("bidder-sat-out", message, where, table.active))


def _check_trump(bid: Bid, contract: Contract, problems: Found) -> None:
    trump, legal = contract.trump, tuple(suit.value for suit in bid.trumps)
    where = {"field": "contract.trump"}
    if trump is None:
        if len(bid.trumps) > 1:
            message = f"{bid.title} needs a trump suit: {_suits(bid)}."
            problems.append(Violation("trump-missing", message, where, legal))
    elif not bid.trumps:
        message = f"{bid.title} is played without trumps; leave {trump.word} out."
        problems.append(Violation("trump-not-allowed", message, where))
    elif trump not in bid.trumps:
        message = f"{trump.word.capitalize()} cannot be trumps in {bid.title}: {_suits(bid)}."
        problems.append(Violation("trump-not-allowed", message, where, legal))


def _suits(bid: Bid) -> str:
    return " or ".join(suit.word for suit in bid.trumps)


def _check_called(rules: Rules, bid: Bid, contract: Contract, problems: Found) -> None:
    called = contract.called
    if called is None:
        return
    where = {"field": "contract.called", "card": str(called)}
    if not bid.calls_card:
        message = f"In {bid.title} no card is called; leave {called} out."
        problems.append(Violation("calls-no-card", message, where))
    elif called not in rules.deck:
        message = f"{called} is not in the deck in play with {rules.seats} players."
        problems.append(Violation("called-card-not-in-deck", message, where))


def _check_partner(table: Table | None, bid: Bid, contract: Contract, problems: Found) -> None:
    partner, bidder = contract.partner, contract.bidder
    where = {"field": "contract.partner"}
    others = tuple(seat for seat in table.active if seat != bidder) if table else ()
    if partner is not None:
        where["seat"] = partner
    if not bid.has_partner:
        if partner is not None:
            message = f"In {bid.title} the bidder plays alone; {partner} cannot be a partner."
            problems.append(Violation("partner-not-allowed", message, where))
        if contract.alone is False:
            message = f"In {bid.title} the bidder always plays alone."
            problems.append(Violation("always-alone", message, {"field": "contract.alone"}))
    elif contract.alone:
        if partner is not None:
            message = f"The caller played alone, so {partner} cannot be the partner."
            problems.append(Violation("partner-not-allowed", message, where))
    elif partner is None:
        message = "Say who held the called card, or that the caller played alone."
        problems.append(Violation("partner-missing", message, where, others))
    elif partner == bidder:
        message = (
            f"{partner} cannot be their own partner; a caller of their own card plays alone"
            " (`alone`)."
        )
        problems.append(Violation("partner-is-caller", message, where, others))
    elif table is not None and partner not in table.active:
        message = f"{partner} sat out this hand; {join(others)} played."
        problems.append(Violation("partner-sat-out", message, where, others))
