"""Builds the description of a hand's questions from the game's rules: their conditions and answers.

The form is rendered from it, and the page's script interprets it to react to each tap. Neither this
module nor the script knows any particular game.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine import games
from engine.cards.cache import Cache
from engine.cards.card_sets import cards_of
from engine.cards.cards import RANKS, Card, Suit
from engine.record.results import PLAYED, RESULT, Choice, Condition, ResultKey
from engine.rules.bids import Bid
from engine.rules.calling import Calling, OwnCard
from engine.rules.sheet import Rules
from engine.words.sentences import later, say, word
from ledger.web.hand.description import ALWAYS, AnswerOption, Cases, Description, Question, Row
from ledger.web.hand.fields import AUCTION, CARDS, CLAIMED_BY, CLAIMS, DERIVED, HANDS, STOPS, WIDOW
from ledger.words.numbers import card as card_text
from ledger.words.translation import engine_sentence, reader

NOBODY = "<nobody>"
"""The bidder's value if all passed; names of players can't contain brackets."""

ALONE = "<alone>"
"""The partner's value if the caller called a card of their own."""

LEFT_OPEN = "left_open"
"""The fact that names the questions whose answers the entered cards don't show."""

_RANKS = {"A": word("ace"), "K": word("king")}


# Cached for the benchmark tapping: describing the questions takes a fifth of the page.
_descriptions: Cache[object, Description] = Cache(256)


def describe(rules: Rules, names: Sequence[str]) -> Description:
    """Return the description of a table's hands in the reader's language."""
    options = repr(dict(rules.options))
    key = (rules.game, rules.variant, options, tuple(names), reader().tag)
    return _descriptions.get(key) or _descriptions.keep(
        key, _describe(rules, tuple(names)).in_words()
    )


def _describe(rules: Rules, names: tuple[str, ...]) -> Description:
    bidder = games.find(rules.game).bidder
    seats = tuple(AnswerOption(name, name) for name in names)
    nobody = () if rules.all_pass else (AnswerOption(NOBODY, say("All passed")),)
    questions = [
        Question(
            name="bidder",
            look="seats",
            label=engine_sentence(bidder, capital=True),
            noun=engine_sentence(bidder),
            options=(*seats, *nobody),
            of="active",
            needed=True,
        ),
        _bid(rules),
        *_trump(rules),
        *_called(rules, bidder),
        *_partner(rules, seats),
    ]
    if "contract.doubled" in rules.keys:
        bid_made: Cases = ({"bid": True, "bidder": True},)
        questions += [
            Question(
                name="doubled",
                look="marks",
                label=say("Doubled by"),
                hints=((say("everybody who doubled"), ALWAYS),),
                when=bid_made,
                options=seats,
                of="others",
                many=True,
            ),
            Question(
                name="redoubled",
                look="marks",
                label=say("Redoubled"),
                hints=(
                    (
                        engine_sentence("by the {bidder}", {"bidder": engine_sentence(bidder)}),
                        ALWAYS,
                    ),
                ),
                when=({"doubled": True},),
                options=seats,
                of="doubled",
                many=True,
            ),
        ]
    for key in RESULT.values():
        questions += _result(rules, key, bidder)
    noun = say("the rest of the auction")
    questions.append(Question(AUCTION, "auction", say("Calls, one a line"), noun))
    questions += _played(rules, names, bidder)
    return Description(names, rules.seating.count or 0, tuple(questions))


def _slugs(bids: Iterable[Bid]) -> list[str]:
    return [bid.slug for bid in bids]


def _condition_for(every_bid: Sequence[Bid], bids: Sequence[Bid]) -> tuple[Mapping[str, Any], ...]:
    """Return the condition that one of these was bid; no condition if they are all of ``every_bid``."""
    return ALWAYS if len(bids) == len(every_bid) else ({"bid": _slugs(bids)},)


def _bid(rules: Rules) -> Question:
    """Return the question for the bid; the bid of a passed-out hand comes last."""
    options = tuple(
        AnswerOption(
            value=bid.slug,
            words=engine_sentence(bid.title),
            note=say("all passed") if bid.slug == rules.all_pass else "",
            when=({"bidder": {"as": "lead"}},) if bid.lead_only else ALWAYS,
            sets={"trump": bid.trumps[0].value} if len(bid.trumps) == 1 else {},
        )
        for bid in sorted(rules.bids, key=lambda bid: bid.slug == rules.all_pass)
    )
    when = ({"bidder": {"not": [NOBODY]}},)
    return Question(
        name="bid",
        look="bids",
        label=say("Bid"),
        noun=say("bid"),
        when=when,
        options=options,
        needed=True,
    )


def _trump(rules: Rules) -> Iterable[Question]:
    """Yield the question for trump if there is a choice."""
    bids = [bid for bid in rules.bids if len(bid.trumps) > 1]
    if bids:
        offered = {suit: [bid for bid in bids if suit in bid.trumps] for suit in Suit}
        options = tuple(
            AnswerOption(
                suit.value, suit.symbol, engine_sentence(suit.word), _condition_for(bids, allowed)
            )
            for suit, allowed in offered.items()
            if allowed
        )
        when: Cases = ({"bid": _slugs(bids)},)
        yield Question(
            name="trump",
            look="suits",
            label=say("Trump"),
            noun=say("trump"),
            when=when,
            options=options,
            needed=True,
        )


def _called(rules: Rules, bidder: str) -> Iterable[Question]:
    """Yield a question for the called card for each way of calling, asked once trump is known."""
    ways: dict[Calling, list[Bid]] = {}
    for bid in rules.bids:
        if bid.calls:
            ways.setdefault(bid.calls, []).append(bid)
    for calls, bids in ways.items():
        cards = sorted(calls.choices(rules.pack.cards, None, None), reverse=True)
        trumped = [bid for bid in bids if bid.trumps]
        when: list[Mapping[str, Any]] = [{"bid": _slugs([b])} for b in bids if not b.trumps]
        if trumped:
            when.append({"bid": _slugs(trumped), "trump": True})
        options = tuple(
            AnswerOption(
                value=str(card),
                words=card_text(card),
                when=({"trump": {"not": [card.suit.value]}},) if calls.plain else ALWAYS,
            )
            for card in cards
        )
        yield Question(
            name="called",
            look="cards",
            label=say("Called card"),
            when=tuple(when),
            options=options,
            rows=tuple(_rows(calls, cards, bidder)),
        )


def _rows(calls: Calling, cards: Sequence[Card], bidder: str) -> Iterable[Row]:
    """Yield the rows of cards: first the trump suit, or the ranks that are called first."""
    if calls.first == RANKS:
        for suit in Suit:
            near: Cases = ({"trump": [suit.value]},)
            yield Row(say("Another suit"), tuple(str(c) for c in cards if c.suit is suit), near)
        return
    first, then = (
        [_RANKS.get(rank, rank) for rank in ranks] for ranks in (calls.first, calls.then)
    )
    words = say(
        "A {then:or}: the {bidder} holds every {first:or}",
        then=then,
        bidder=engine_sentence(bidder),
        first=first,
    )
    for ranks, near in ((calls.first, ALWAYS), (calls.then, ())):
        yield Row(words, tuple(str(card) for card in cards if card.rank in ranks), near)


def _partner(rules: Rules, seats: tuple[AnswerOption, ...]) -> Iterable[Question]:
    """Yield the question for the holder of the called card; callers of their own card play alone."""
    bids = [bid for bid in rules.bids if bid.has_partner]
    if bids:
        own = [bid for bid in bids if bid.calls is None or bid.calls.own is OwnCard.ALONE]
        alone = AnswerOption(
            ALONE, say("Alone (own card)"), when=_condition_for(bids, own), at="bidder"
        )
        yield Question(
            name="partner",
            look="seats",
            label=say("Partner"),
            noun=say("partner"),
            when=_unless_shown("partner", ({"bid": _slugs(bids)},)),
            options=(*seats, *((alone,) if own else ())),
            of="others",
            needed=True,
        )


def _result(rules: Rules, key: ResultKey, bidder: str) -> Iterable[Question]:
    """Yield the question for one key of the result, asked of the bids that need it."""
    asking = {
        bid.slug: question
        for bid in rules.bids
        for question in bid.questions
        if question.name == key.name
    }
    bids = [bid for bid in rules.bids if bid.slug in asking]
    if not bids:
        return
    choices: list[Choice] = []
    for asked_key in asking.values():
        choices += [choice for choice in asked_key.choices if choice not in choices]
    cases = tuple({"bid": _slugs(bids), **_case(case, rules)} for case in key.asked_if)
    few = rules.numbers[key.most] + 1 if key.most else 0
    first = _words(rules, bidder, bids[0])
    hints: dict[str, list[Bid]] = {}
    for bid in bids if key.hint else ():
        hints.setdefault(engine_sentence(key.hint, _words(rules, bidder, bid)), []).append(bid)
    options = tuple(AnswerOption(str(count), str(count)) for count in range(few)) or tuple(
        AnswerOption(
            value=choice.value,
            words=engine_sentence(choice.words, first, capital=True),
            when=_offered(
                choice,
                rules,
                bids,
                of=[bid for bid in bids if choice in asking[bid.slug].choices],
            ),
        )
        for choice in choices
    )
    yield Question(
        name=key.name,
        look=_look(key, options),
        label=engine_sentence(key.question, first) or engine_sentence(key.label, capital=True),
        noun=engine_sentence(key.label),
        hints=(
            *(_matadors(rules, suit) for suit in Suit if key.card_group),
            *((words, _condition_for(bids, of)) for words, of in hints.items()),
        ),
        when=_unless_shown(key.name, cases) if key.name in DERIVED else cases,
        options=options,
        needed=not (key.is_switch or key.otherwise or key.preselected or key.other_side_of),
        otherwise=engine_sentence(key.otherwise),
        usual=key.preselected,
        instead=next(
            (other.name for other in RESULT.values() if other.other_side_of == key.name), ""
        ),
        most=0 if options else rules.pack.total,
        never=() if options else _never(rules),
    )


def _unless_shown(name: str, cases: Cases) -> Cases:
    """Return the cases of a question whose answer the cards show, unless they leave it open."""
    return tuple(
        {**case, **more} for case in cases for more in ({CARDS: False}, {LEFT_OPEN: [name]})
    )


def _played(rules: Rules, names: Sequence[str], bidder: str) -> Iterable[Question]:
    """Yield the questions for the cards as they were played, the rest of the tricks, and the deal."""
    seats, pack = rules.seating.count or rules.seats, rules.pack.cards
    played: Cases = ({"bidder": {"not": [NOBODY]}},)
    played_out = _case(PLAYED, rules)
    endings = (CLAIMED_BY, *played_out)
    yield Question(
        name=CARDS,
        look="play",
        label=say("Cards in the order played"),
        noun=say("{left} cards", left="{left}"),
        when=played,
        words=seats * rules.tricks,
        fewer=tuple({name: True} for name in endings),
        example=" ".join(map(card_text, pack[-seats:])),
    )
    words = {"bidder": engine_sentence(bidder)}
    options = [
        AnswerOption(value, engine_sentence(_CLAIMS[side], words)) for value, side in CLAIMS.items()
    ]
    if rules.tally.stops_after:
        options.append(AnswerOption(STOPS, engine_sentence(_STOPPED, words)))
    yield Question(
        name=CLAIMED_BY,
        look="play",
        label=say("The rest of the tricks"),
        when=({CARDS: True, **played_out},),
        options=tuple(options),
        otherwise=say("Played out"),
    )
    if rules.widow_size:
        yield Question(name=WIDOW, look="play", label=say("Widow"), when=played)
    for name, field in zip(names, HANDS, strict=False):
        yield Question(
            name=field,
            look="play",
            label=say("{who}'s cards", who=name),
            when=({**played[0], "active": [name]},),
        )


_CLAIMS: Mapping[str, str] = {
    "bidder": later("to the {bidder}'s side"),
    "opponents": later("to the opponents"),
}
_STOPPED = later("the {bidder}'s side stopped")


def _offered(choice: Choice, rules: Rules, bids: Sequence[Bid], of: Sequence[Bid]) -> Cases:
    """Return the condition of a choice."""
    case = {**_condition_for(bids, of)[0], **_case(choice.when, rules)}
    return (case,) if case else ALWAYS


def _look(key: ResultKey, options: Sequence[AnswerOption]) -> str:
    if not options:
        return "number"
    if key.is_switch:
        return "switch"
    return "more" if key.otherwise else "words"


def _never(rules: Rules) -> tuple[int, ...]:
    """Return the counts that no tricks can have."""
    pack = rules.pack
    return tuple(count for count in range(pack.total + 1) if count not in pack.countable)


def _case(case: Condition, rules: Rules) -> Mapping[str, Any]:
    """Return a result's condition with this game's numbers, without keys that it never asks for."""
    asked_for = {key.name for bid in rules.bids for key in bid.questions}
    written: dict[str, Any] = {}
    for name, condition in case.items():
        if condition is False and name not in asked_for:
            continue
        if isinstance(condition, bool):
            written[name] = condition
        else:
            least, *below = (rules.numbers[bound] for bound in condition)
            written[name] = {"from": least, "to": (*below, least + 1)[0] - 1}
    return written


def _words(rules: Rules, bidder: str, bid: Bid) -> dict[str, Any]:
    """Return the game's words for the placeholders of a question."""
    return {
        "bidder": (name := engine_sentence(bidder)),
        "side": engine_sentence("{bidder}'s side", {"bidder": name}) if bid.has_partner else name,
        "counts": engine_sentence(bid.counts),
        "total": rules.pack.total,
        **rules.numbers,
    }


def _matadors(rules: Rules, trump: Suit) -> tuple[str, Cases]:
    """Return the cards of the matadors from the highest, as a hint if this suit is trumps."""
    cards = reversed(cards_of(rules.ranking.matadors(trump)))
    return " ".join(f"{card_text(card)}\ufe0e" for card in cards), ({"trump": [trump.value]},)
