"""Checks the stated result against the cards, and completes it from them."""

from collections.abc import Iterator, Sequence
from itertools import compress

from engine.cards.card_sets import BITS
from engine.errors import Problems, Refused, Violation, show
from engine.phases.tricks import Play, place_of
from engine.record import Contract, HandRecord, Trick, Tricks
from engine.record.incidents import decision
from engine.record.results import RESULT
from engine.replay.auction import lacks_trump
from engine.replay.deal import KnownDeal
from engine.replay.holdings import PlayedContract
from engine.replay.revokes import missing_trick
from engine.rules.aims import Result
from engine.rules.bids import BY_BIDDER, BY_OPPONENTS
from engine.rules.calling import OwnCard
from engine.rules.card_points import ResultValues, TrickPoints
from engine.rules.plain_tricks import ASK_AFTER
from engine.rules.sheet import Rules
from engine.rules.verdict import Outcome
from engine.words.sentences import later, say, word

CONCEDED = {BY_BIDDER: Outcome.LOST, BY_OPPONENTS: Outcome.WON}
"""The outcome of a conceded hand by the side that conceded it."""


def check_sizes(count: int, tricks: Tricks, *, stopped: bool) -> None:
    """Raise `Refused` for a trick without one card from each of the `count` seats.

    The last trick of a hand that ends early may be unfinished, unless a side has stopped, as it does so
    between two tricks.
    """
    sizes = tricks.sizes
    if sizes.count(count) == len(sizes):
        return
    for number, size in enumerate(sizes, 1):
        unfinished = number == len(sizes) and 0 < size < count and not stopped
        if size != count and not unfinished:
            message = say(
                "Trick {number} has {n:card|cards}; with {count} playing, it needs {count}.",
                number=number,
                n=size,
                count=count,
            )
            raise Refused([Violation("trick-size", message, {"trick": number})])


def played_out(case: PlayedContract, deal: KnownDeal, tricks: Tricks, record: HandRecord) -> bool:
    """Return whether all tricks are complete and every card is known; false if the hand ended early.

    A hand may end early if it is conceded, claimed or decided by a settlement, and in German Solo if the side
    stops after its first tricks (003). Raises `Refused` for extra tricks, for missing ones without such a
    reason, and for a stop after another number of tricks.
    """
    rules, count = case.rules, len(case.seats)
    number, stop = len(tricks), rules.tally.stops_after
    where = {"field": "tricks"}
    if number > rules.tricks:
        message = say("A hand has {of} tricks; the record holds {n}.", of=rules.tricks, n=number)
        raise Refused([Violation("tricks-too-many", message, where)])
    if record.stopped and stop and number != stop:
        message = say(
            "A side that stops does so after {stop} tricks; the record holds {n}.",
            stop=stop,
            n=number,
        )
        violation = missing_trick(case.play(deal.hands), tricks) if number < stop else None
        raise Refused([violation or Violation("stopped-elsewhere", message, where)])
    if number == rules.tricks and tricks.sizes[-1] >= count:
        return tricks.gap is None
    is_cut_short = record.claimed is not None or decision(record.irregular) is not None
    if record.conceded is None and not record.stopped and not is_cut_short:
        missing = missing_trick(case.play(deal.hands), tricks)
        raise Refused([missing or _ends_early(rules, count, tricks)])
    return False


def _ends_early(rules: Rules, count: int, tricks: Sequence[Trick]) -> Violation:
    """Return the violation for a record that lacks its last tricks, or the last cards of one."""
    last = tricks[-1].cards if tricks else ()
    unfinished = 0 < len(last) < count
    complete = len(tricks) - unfinished
    fact = say(
        _UNFINISHED if unfinished else _MISSING,
        number=complete + 1,
        n=len(last),
        count=count,
        complete=complete,
        of=rules.tricks,
    )
    message = say(_MAY_STOP if rules.tally.stops_after else _MAY_GIVE_UP, fact=fact)
    where: dict[str, str | int] = {"field": "tricks", "trick": complete + 1}
    return Violation("tricks-missing", message, where)


_UNFINISHED = later("Trick {number} has only {n:card|cards} of {count}.")
_MISSING = later("Trick {number} is missing; the record holds {complete} of {of}.")
_MAY_STOP = later("{fact} Record the rest, or that the side stopped.")
_MAY_GIVE_UP = later("{fact} Record the rest, or who gave the hand up.")


def complete_contract(case: PlayedContract, dealt: KnownDeal, problems: Problems) -> Contract:
    """Return the contract with the known holder of the called card as partner, as far as the deal shows it.

    Adds a violation to `problems` if another partner is stated, or a blind bidder is known to hold no heart.
    A bidder who holds the called card plays alone; if that is not allowed, or the holder is unknown, the
    contract is returned unchanged.
    """
    bid, called, contract = case.bid, case.called, case.contract
    if bid.lead_only:
        problems += lacks_trump(bid, case.seats, case.bidder, dealt)
    if called is None or not bid.has_partner:
        return contract
    bit = BITS[called]
    holder = next((at for at, hand in enumerate(dealt.hands) if hand & bit), None)
    if holder is None:
        if contract.partner in case.seats:
            at = case.seats.index(str(contract.partner))
            if dealt.sure >> at & 1:
                message = say(
                    "{name} did not hold {card} and was not the partner.",
                    name=contract.partner,
                    card=called,
                )
                where = {"field": "contract.partner", "seat": str(contract.partner)}
                problems.append(Violation("partner-differs", message, where))
        return contract
    alone = holder == case.bidder
    if alone and bid.calls is not None and bid.calls.own is OwnCard.REFUSED:
        return contract  # refused with the call
    partner = None if alone else case.seats[holder]
    if contract.partner == partner and bool(contract.alone) is alone:
        return contract
    if contract.partner not in (None, partner) or contract.alone not in (None, alone):
        alone_said = later(
            "{card} was held by {holder}; the record says that the caller played alone."
        )
        other_said = later(
            "{card} was held by {holder}; the record says that {name} was the partner."
        )
        message = say(
            alone_said if contract.alone else other_said,
            card=called,
            holder=case.seats[holder],
            name=contract.partner,
        )
        field = "contract.alone" if contract.partner in (None, partner) else "contract.partner"
        legal = () if partner is None else (partner,)
        problems.append(Violation("partner-differs", message, {"field": field}, legal))
    return contract._replace(partner=partner, alone=alone or None)


def side_takes(rules: Rules, side: int, play: Play, *, ended: bool = False) -> TrickPoints:
    """Return the points of the bidding `side` (places as bits) and its opponents, and the tricks it won.

    The cards in no trick are counted as `aside` if the hand `ended`; otherwise that is 0.
    """
    ours = [side >> place & 1 == 1 for place in range(len(play.seats))]
    own, all_cards, pack = sum(compress(play.won_cards, ours)), sum(play.won_cards), rules.pack
    return TrickPoints(
        pack.count(own),
        pack.count(all_cards ^ own),
        pack.count(pack.mask & ~all_cards) if ended else 0,
        tuple([ours[winner] for winner in play.leaders[1:]]),
    )


def asked_too_late(contract: Contract, tricks: Sequence[Trick]) -> Iterator[Violation]:
    """Yield a violation if the called card was played in one of the first `ASK_AFTER` tricks.

    Then the declarer cannot have asked for the partner, which is done afterwards (003).
    """
    for number, trick in enumerate(tricks[:ASK_AFTER], 1):
        if contract.called in trick.cards:
            position = trick.cards.index(contract.called) + 1
            message = say(
                "{card} was played in {place}, so from the fifth trick on there was no partner to ask for;"
                " leave asked_partner out.",
                card=contract.called,
                place=place_of(number, position),
            )
            where: dict[str, str | int] = {
                "field": "asked_partner",
                "trick": number,
                "position": position,
                "card": str(contract.called),
            }
            yield Violation("asked-too-late", message, where)


def complete_result(stated: Result, facts: ResultValues, problems: Problems) -> Result:
    """Return the stated result with the values of `facts` in place of stated or missing ones.

    Each stated value that differs adds a violation to `problems`.
    """
    for key, value in facts.items():
        stated_value = getattr(stated, key)
        if stated_value is not None and stated_value != value:
            problems.append(difference(key, (value,), stated_value))
    return stated._replace(**facts)  # type: ignore[arg-type]


def lasting_facts(stated: Result, facts: ResultValues, problems: Problems) -> ResultValues:
    """Return the facts that hold for the rest of the hand, too: those that are `False`.

    `facts` are those of the tricks before the first unknown card. A number can still grow, so it is not
    returned, but a stated number below it adds a violation to `problems`.
    """
    for key, least in facts.items():
        number = getattr(stated, key)
        if type(least) is int and number is not None and number < least:
            message = say(
                "{what:term}: the cards before the first unknown one make {least}, so it cannot be {number}.",
                what=RESULT[key].label,
                least=least,
                number=number,
            )
            problems.append(Violation("differs-from-cards", message, {"field": key}))
    return {key: value for key, value in facts.items() if value is False}


def difference(key: str, right: tuple[int | bool | str, ...], stated: object) -> Violation:
    """Return the violation for a stated value of a result key that contradicts the cards.

    `right` are the values that the cards allow, which become its valid values.
    """
    message = say(RESULT[key].contradiction, right=[*map(_in_words, right)], said=_in_words(stated))
    legal = tuple(value if isinstance(value, str) else show(value) for value in right)
    return Violation("differs-from-cards", message, {"field": key}, legal)


def _in_words(value: object) -> str:
    """Return a value of a result for a message, with words that each language translates."""
    if isinstance(value, bool):
        return word("true" if value else "false")
    return say('"{what:term}"', what=value) if isinstance(value, str) else show(value)
