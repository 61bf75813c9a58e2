"""Revokes, leads out of turn and exposed cards that are on record with the cards that show them."""

from random import Random
from typing import Any, NamedTuple

import pytest

from engine.errors import Problems
from engine.games import find
from engine.phases.tricks import Play
from engine.record import HandRecord
from engine.replay.replay import replay
from engine.replay.revokes import REVOKES, unbound
from engine.rules.aims import Result
from engine.scoring.canonical import canonical
from engine.scoring.score import score
from tests.engine.hands import crazy, refusal, scored, six, violations
from tests.engine.playing import HOUSES, House, choose, dice, open_hand, written
from tests.engine.replay.test_revokes import HANDS, SOLO, changed

TWO_REVOKES = changed(HANDS[12], "points") | {
    "tricks": [
        {**trick, "cards": {2: "TD JD 8C", 8: "6S 8S QD"}.get(number, trick["cards"])}
        for number, trick in enumerate(HANDS[12]["tricks"], 1)
    ]
}
"""Ann discards 8C on diamonds in trick 2, and trumps them with JS in trick 7, although she has QD."""

FIRST: dict[str, Any] = {"what": "revoke", "seat": "Ann", "trick": 2, "card": "8C"}
SECOND: dict[str, Any] = {"what": "revoke", "seat": "Ann", "trick": 7, "card": "JS"}


def listed(*irregular: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """Write the hand with two revokes and these irregularities, settled as played on if not otherwise."""
    settled = [{"settled": "play-on", **one} for one in irregular]
    return {**TWO_REVOKES, "irregular": settled, **keys}


def test_a_listed_revoke_is_no_violation_and_the_cards_count_as_played() -> None:
    """With the deal or without it; every other revoke is refused as before."""
    for left_out in ("deal", "points"):
        verdict = scored(changed(listed(FIRST, SECOND), left_out))
        assert (verdict.outcome, verdict.points) == ("won", 64)
        assert verdict.explanation[:2] == (
            "revoke by Ann in trick 2: played on",
            "revoke by Ann in trick 7: played on",
        )
        for one, number in ((FIRST, 7), (SECOND, 2)):
            violation = refusal(changed(listed(one), left_out))
            assert (violation.code, violation.where["trick"]) == ("must-follow-suit", number)


class WildPlay(NamedTuple):
    """A hand played against the rules: its record, and its irregularities."""

    hand: dict[str, Any]
    irregular: list[dict[str, Any]]
    legal: list[dict[str, Any]]
    """The cards that were allowed, as revokes."""
    winners: list[str]


def play_wildly(house: House, rng: Random) -> WildPlay | None:
    """Play a random hand, now and then with an illegal card or leader; `None` if it was thrown in."""
    hand = open_hand(house, rng)
    while not (hand.over or isinstance(hand.phase, Play)):
        hand = hand.after(choose(hand, rng))
    if not isinstance(hand.phase, Play) or hand.contract is None:
        return None
    finished, first = hand, hand.phase
    while not finished.over:
        finished = finished.after(finished.legal[0])
    free, seats = unbound(first).order, first.seats
    state, tricks, winners = first, list[dict[str, str]](), list[str]()
    irregular, allowed = list[dict[str, Any]](), list[dict[str, Any]]()
    while not state.over:
        number, due = len(tricks) + 1, state.turn
        if rng.random() < 0.3:
            turn = rng.randrange(len(seats))
            state = state._replace(turn=turn, leaders=(*state.leaders[:-1], turn))
        leader, cards = seats[state.turn], list[str]()
        if state.turn != due:
            event = {"what": "out-of-turn", "seat": leader, "trick": number}
            irregular.append({**event, "settled": "play-on"})
        for _ in seats:
            seat, legal = seats[state.turn], state.legal
            is_legal = legal and (rng.random() < 0.8 or (not cards and state.turn != due))
            card = rng.choice(legal if is_legal else held(state))
            where = {"what": "revoke", "seat": seat, "trick": number, "card": str(card)}
            (allowed if card in legal else irregular).append({**where, "settled": "play-on"})
            order = state.order
            state = state._replace(order=free).after(card)._replace(order=order)
            cards.append(str(card))
        tricks.append({"leader": leader, "cards": " ".join(cards)})
        winners.append(seats[state.turn])
    complete = written(house, finished).to_mapping()
    return WildPlay({**complete, "tricks": tricks}, irregular, allowed, winners)


def held(state: Play) -> tuple[Any, ...]:
    """Return every card of the seat to play."""
    return state._replace(order=unbound(state).order).legal


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_a_hand_played_against_every_rule_counts_as_played_if_all_is_listed(house: House) -> None:
    """In every game, with revokes and leads out of turn; each one that is left out is refused."""
    for seed in range(5):
        rng = dice(f"{house} {seed}")
        wild = play_wildly(house, rng)
        if wild is None:
            continue
        complete = {**wild.hand, "irregular": wild.irregular}
        verdict, result = scored(complete), replayed(complete)
        right = canonical(HandRecord.from_mapping(complete))
        assert score(right) == verdict
        assert right.tricks is not None
        out_of_turn = {one["trick"] for one in wild.irregular if one["what"] == "out-of-turn"}
        leaders = [number for number, trick in enumerate(right.tricks, 1) if trick.leader]
        assert {*leaders} == out_of_turn
        assert result.tricks_won == sum(seat in verdict[1:3] for seat in wild.winners)
        for one in rng.sample(wild.irregular, min(3, len(wild.irregular))):
            rest = [other for other in wild.irregular if other is not one]
            violation = violations({**complete, "irregular": rest})[0]
            is_lead = one["what"] == "out-of-turn"
            assert violation.code in (("wrong-leader",) if is_lead else REVOKES)
            assert violation.where["trick"] == one["trick"]
        for one in rng.sample(wild.legal, 2):
            violation = refusal({**complete, "irregular": [*wild.irregular, one]})
            assert (violation.code, violation.where["card"]) == ("did-not-happen", one["card"])


def replayed(mapping: dict[str, Any]) -> Result:
    """Return the result that the cards of a record show."""
    record = HandRecord.from_mapping(mapping)
    rules = find(record.game).rules(record.rules, record.options, len(record.players))
    plan = rules.plan(record.players, record.dealer, record.active)
    problems: Problems = []
    result = replay(rules, plan, record, problems).result
    assert problems == []
    return result


@pytest.mark.parametrize(
    ("one", "message"),
    [
        ({**FIRST, "card": "7H"}, "Trick 2: Ann played 8C, not 7H."),
        (
            {**FIRST, "trick": 3, "card": "8H"},
            "Trick 3: Ann was allowed to play 8H, so this is not a revoke.",
        ),
        ({**FIRST, "trick": 13}, "Trick 13: Ann played no card in it."),
        (
            {**FIRST, "trick": 3, "card": "QC", "settled": "replayed"},
            None,
        ),
        (
            {**FIRST, "trick": 3, "card": "8H", "settled": "replayed"},
            "Trick 3: Ann was allowed to play 8H, so this is not a revoke.",
        ),
        (
            {**FIRST, "trick": 3, "card": "KS", "settled": "replayed"},
            "Trick 3: Ann did not hold KS.",
        ),
        ({"what": "exposed", "seat": "Ann", "card": "KS"}, "Ann did not hold KS."),
        ({"what": "exposed", "seat": "Ann", "card": "QD"}, None),
        ({"what": "exposed", "seat": "Ann"}, None),
        ({"what": "misdeal"}, None),
        ({"what": "misdeal", "seat": "Bob"}, None),
        ({"what": "out-of-turn", "seat": "Ann"}, None),
        ({"what": "out-of-turn", "seat": "Bob", "trick": 3}, "Trick 3: it was Bob's turn to lead."),
        ({"what": "out-of-turn", "seat": "Cyd", "trick": 3}, None),
        ({"what": "out-of-turn", "seat": "Cyd", "trick": 13}, None),
        ({"what": "out-of-turn", "seat": "Cyd"}, None),
    ],
)
def test_an_irregularity_that_the_cards_exclude_is_refused(
    one: dict[str, Any], message: str | None
) -> None:
    """With or without the deal; what they neither show nor exclude is noted."""
    for left_out in ("deal", "points"):
        written = changed(listed(FIRST, SECOND, one), left_out)
        if message is None:
            assert scored(written).points == 64
        else:
            violation = refusal(written)
            assert (violation.code, violation.message) == ("did-not-happen", message)
            assert violation.field == "irregular.3"


def test_a_revoke_is_listed_with_its_seat_trick_and_card() -> None:
    """Without tricks its seat is enough."""
    for key in ("seat", "trick", "card"):
        one = {name: value for name, value in FIRST.items() if name != key}
        found = [violation.code for violation in violations(listed(one, SECOND))]
        assert "irregularity-unclear" in found or "must-follow-suit" in found
    noted = [{"what": "revoke", "seat": "Bob", "settled": "play-on"}]
    assert scored(crazy(4, "go-alone", 74, irregular=noted)).points == 74


SOLO_CUT = changed(SOLO, "deal", "auction", "points") | {
    "tricks": SOLO["tricks"][:5],
    "claimed": {"by": "Bob", "after": 5},
}
"""A solo of Bob's that he claimed after five tricks, without its deal; AC and 7H are still in his hand."""


@pytest.mark.parametrize(
    ("one", "message"),
    [
        # Nobody knows what Bob kept, but what was played by others, or by him before.
        ({"what": "revoke", "seat": "Bob", "trick": 2, "card": "AC", "settled": "replayed"}, None),
        (
            {"what": "revoke", "seat": "Bob", "trick": 2, "card": "KC", "settled": "replayed"},
            "Trick 2: Bob did not hold KC.",
        ),
        (
            {"what": "revoke", "seat": "Bob", "trick": 2, "card": "7S", "settled": "replayed"},
            "Trick 2: Bob did not hold 7S.",
        ),
        (
            {"what": "revoke", "seat": "Bob", "trick": 2, "card": "QH", "settled": "replayed"},
            "Trick 2: Bob did not hold QH.",
        ),
        ({"what": "revoke", "seat": "Bob", "trick": 2, "card": "9S"}, None),
        (
            {"what": "revoke", "seat": "Bob", "trick": 6, "card": "9S"},
            "Trick 6: Bob played no card in it.",
        ),
        ({"what": "exposed", "seat": "Bob", "card": "AC"}, None),
        ({"what": "exposed", "seat": "Bob", "card": "AH"}, None),
        ({"what": "exposed", "seat": "Bob", "card": "QH"}, "Bob did not hold QH."),
        ({"what": "out-of-turn", "seat": "Bob", "trick": 1}, "Trick 1: it was Bob's turn to lead."),
        ({"what": "out-of-turn", "seat": "Ann", "trick": 6}, None),
        ({"what": "out-of-turn", "seat": "Cyd", "trick": 1}, None),
        ({"what": "out-of-turn", "seat": "Cyd", "trick": 2}, "Trick 2: it was Cyd's turn to lead."),
    ],
)
def test_with_unknown_cards_only_what_was_played_excludes_an_irregularity(
    one: dict[str, Any], message: str | None
) -> None:
    """Also after another that is only noted."""
    noted = {"what": "misdeal", "settled": "play-on"}
    written = {**SOLO_CUT, "irregular": [noted, {"settled": "play-on", **one}]}
    if message is None:
        assert scored(written).points == 80
    else:
        assert refusal(written).message == message


def test_a_card_that_the_bidder_gave_away_was_exposed_before() -> None:
    """In call solo Cyd gave 6D for the ace of diamonds, which Bob had held; nobody had the widow."""
    for seat, card, right in (
        *(("Cyd", "6D", True), ("Cyd", "AD", True), ("Bob", "AD", True), ("Bob", "6D", True)),
        *(("Ann", "6D", False), ("Cyd", "QS", False)),
    ):
        one = {"what": "exposed", "seat": seat, "card": card, "settled": "play-on"}
        written = {**HANDS[5], "irregular": [one]}
        assert scored(written).points == 120 if right else refusal(written).code == "did-not-happen"


def test_events_that_excuse_nothing_do_not_hide_those_that_do() -> None:
    """A replayed revoke, one of a seat that is idle in other tricks, and a lead in its turn."""
    exposed = {**FIRST, "what": "exposed"}
    assert refusal(listed(exposed, SECOND)).code == "must-follow-suit"
    repeated = {**FIRST, "trick": 3, "card": "QC", "settled": "replayed"}
    assert scored(listed(repeated, FIRST, SECOND)).points == 64
    unled = {**listed({"what": "out-of-turn", "seat": "Bob", "trick": 4}, FIRST, SECOND)}
    assert scored(unled).points == 64


@pytest.mark.parametrize(
    ("one", "code"),
    [
        ({"what": "revoke", "settled": "play-on"}, "irregularity-unclear"),
        ({"what": "misdeal", "settled": "lost"}, "irregularity-unclear"),
        ({"what": "revoke", "seat": "Dee", "settled": "play-on"}, "seat-sat-out"),
        ({"what": "exposed", "seat": "Dee", "settled": "lost"}, "seat-sat-out"),
        ({"what": "misdeal", "settled": "agreed"}, "agreed-payments"),
        ({"what": "misdeal", "settled": "agreed", "transfers": []}, "agreed-payments"),
        (
            {"what": "misdeal", "settled": "agreed", "transfers": [("Ann", "Ann", 5)]},
            "agreed-payments",
        ),
        (
            {"what": "misdeal", "settled": "agreed", "transfers": [("Ann", "Bob", 10**9)] * 2},
            "agreed-payments",
        ),
        (
            {"what": "misdeal", "settled": "void", "transfers": [("Ann", "Bob", 5)]},
            "agreed-payments",
        ),
    ],
)
def test_a_settlement_says_who_and_what(one: dict[str, Any], code: str) -> None:
    """A revoke and a loss have a seat that played; agreed payments are stated, and only then."""
    if "transfers" in one:
        rows = [dict(zip(("from", "to", "amount"), row, strict=True)) for row in one["transfers"]]
        one = {**one, "transfers": rows}
    violation = refusal(six(4, "solo", 74, irregular=[one]))
    assert (violation.code, violation.field) == (code, "irregular.1")


def test_only_one_settlement_decides_the_hand() -> None:
    """Others may be played on or replayed."""
    void = {"what": "misdeal", "settled": "void"}
    noted = {"what": "misdeal", "settled": "play-on"}
    violation = refusal(six(4, "solo", 74, irregular=[noted, void, noted, void]))
    assert (violation.code, violation.field) == ("settled-twice", "irregular.4")
    assert scored(six(4, "solo", 74, irregular=[noted, void])).outcome == "passed-out"


def test_a_card_is_not_excused_by_a_revoke_of_somebody_who_sat_out_or_replayed() -> None:
    """The first is refused itself; after the second the cards are those of the new trick."""
    repeated = {**FIRST, "settled": "replayed"}
    assert refusal(listed(repeated, SECOND)).code == "must-follow-suit"


def test_who_revoked_may_have_kept_a_matador() -> None:
    """Without the revoke Cyd and Dee, who follow to no trump, have none of the matadors."""
    complete = changed(HANDS[18], "deal", "auction") | {
        "first_tricks_won": False,
        "matadors": "split",
    }
    complete |= {"claimed": {"by": "bidder", "after": 2, "tricks": 3}}
    complete["tricks"] = [{"cards": "8H AH 9H KH"}, {"leader": "Bob", "cards": "TD JC 7C 8D"}]
    assert refusal(complete).legal == ("declarers",)
    revoke = {"what": "revoke", "seat": "Cyd", "trick": 2, "card": "JC", "settled": "play-on"}
    assert scored({**complete, "irregular": [revoke]}).amount == 2


def test_who_leads_out_of_turn_wins_and_leads_as_any_other_seat() -> None:
    """Dee leads to the second trick, which Bob had to; a side's tricks are those it won."""
    complete = changed(HANDS[18], "deal", "auction") | {
        "first_tricks_won": False,
        "matadors": "split",
    }
    complete |= {"claimed": {"by": "bidder", "after": 2, "tricks": 3}}
    complete["tricks"] = [{"cards": "8H AH 9H KH"}, {"leader": "Dee", "cards": "7C KC AC JC"}]
    assert refusal(complete).code == "wrong-leader"
    lead = {"what": "out-of-turn", "seat": "Dee", "trick": 2, "settled": "play-on"}
    assert replayed({**complete, "irregular": [lead]}).tricks_won == 5
