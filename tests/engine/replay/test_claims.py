"""Claims: the rest of a hand as it was claimed, at every point of every game."""

from typing import Any

import pytest

from engine.games import find
from engine.phases.tricks import Play
from engine.record import HandRecord, Tricks
from engine.record.incidents import SIDES
from engine.scoring.score import score
from tests.engine.hands import crazy, hand, refusal, scored, six, violations
from tests.engine.playing import HOUSES, House, dice, play, written
from tests.engine.replay.test_revokes import HANDS, MISERE, SOLO, changed

BARE = changed(SOLO, "deal", "auction", "points")
"""A solo in clubs of Bob's with its tricks alone; he has 64 card points, 11 of them from the widow."""


def cut(whole: dict[str, Any], after: int, **claimed: object) -> dict[str, Any]:
    """Keep the first tricks of a hand, in which the rest was claimed; no result is stated."""
    claim = {"after": after, **claimed}
    return changed(whole, "points", tricks=whole["tricks"][:after], claimed=claim)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_a_claim_of_what_was_taken_later_gives_the_verdict_of_the_whole_hand(house: House) -> None:
    """After each trick, by either side, in points and tricks, with the deal on record."""
    for seed in range(6):
        guided = play(house, dice(f"{house} {seed}"))
        record = written(house, guided)
        verdict = score(record)
        if not isinstance(guided.phase, Play) or guided.ended or record.tricks is None:
            continue
        rules = find(record.game).rules(record.rules, record.options, len(record.players))
        tricks, seats = Tricks.of(record.tricks), guided.phase.seats
        worths = [sum(rules.pack.points(card) for card in trick.cards if card) for trick in tricks]
        winners = [seats[place] in verdict[1:3] for place in guided.phase.leaders[1:]]
        needed = rules.tally.stops_after
        stated = {"first_tricks_won": all(winners[:needed])} if needed else {}
        for after in range(len(tricks)):
            rest = range(after, len(tricks))
            for is_bidder, by in zip((True, False), SIDES, strict=True):
                share = [at for at in rest if winners[at] == is_bidder]
                claim = {"by": by, "tricks": len(share)}
                if not needed:
                    claim["points"] = sum(worths[at] for at in share)
                claimed = {**cut(record.to_mapping(), after, **claim), **stated}
                assert scored(claimed).deltas == verdict.deltas
                assert scored(claimed).points == verdict.points


def test_the_rest_needs_no_number_and_no_deal() -> None:
    """After five tricks the others have 40 points. The bidder gets the other tricks, and the widow."""
    for by in ("Bob", "bidder"):
        verdict = scored(cut(BARE, 5, by=by))
        assert (verdict.outcome, verdict.points, verdict.amount) == ("won", 80, 20)
        assert verdict.explanation[1] == "80 card points, 20 over 60"


def test_the_rest_for_the_opponents_depends_on_the_widow() -> None:
    """Its points are known from the deal; else the points are stated, and checked as far as possible."""
    claim = cut(BARE, 5, by="opponents")
    assert refusal(claim).code == "points-missing"
    assert scored(cut(SOLO, 5, by="Cyd")).points == 28
    assert scored({**claim, "points": 28}).points == 28
    for points in (14, 47):
        assert scored({**claim, "points": points}).points == points
    for points in (13, 48):
        violation = refusal({**claim, "points": points})
        assert (violation.code, violation.field) == ("differs-from-cards", "points")
        assert violation.message == (
            f"card points: the cards and the claim leave 14 to 47, so it cannot be {points}."
        )
    assert scored({**claim, "deal": {"widow": SOLO["deal"]["widow"]}}).points == 28


def test_points_of_the_rest_are_counted_without_the_widow() -> None:
    """The bidder had 14 and gets 26 more, and 14 from the widow; the opponents' number needs no widow."""
    assert scored(cut(SOLO, 5, by="bidder", points=26)).points == 54
    assert scored(cut(BARE, 5, by="opponents", points=26)).points == 54
    assert refusal(cut(BARE, 5, by="bidder", points=26)).code == "points-missing"


def test_some_tricks_of_the_rest_leave_the_points_open() -> None:
    """Six are left. With none of them the points are known; with two they are stated."""
    assert scored(cut(SOLO, 5, by="bidder", tricks=0)).points == 28
    assert refusal(cut(SOLO, 5, by="bidder", tricks=2)).code == "points-missing"
    assert scored({**cut(SOLO, 5, by="bidder", tricks=2), "points": 50}).points == 50


def test_a_misere_is_claimed_with_no_more_tricks() -> None:
    """The points in tricks so far stand, whatever lies in the widow."""
    bare = changed(MISERE, "deal", "auction", "points")
    assert scored(cut(bare, 2, by="Ann", tricks=0)).outcome == "won"
    rest = cut(bare, 2, by="Ann")
    assert refusal(rest).code == "points-missing"
    assert scored({**rest, "points": 90}).outcome == "lost"


def test_points_of_the_rest_leave_the_tricks_open() -> None:
    """Where a trick breaks a misère, their number is stated; no trick is possible, and so are all."""
    bare = changed(MISERE, "deal", "auction", "points", options={"misere_by_tricks": True})
    claim = cut(bare, 1, by="Ann", points=0)
    assert refusal(claim).code == "tricks-won-missing"
    for tricks, outcome in ((0, "won"), (1, "lost")):
        assert scored({**claim, "tricks_won": tricks}).outcome == outcome


def test_a_claim_in_the_middle_of_a_trick_counts_its_cards_with_the_rest() -> None:
    """Only complete tricks are taken."""
    claim = cut(BARE, 5, by="bidder")
    sixth = {"leader": "Ann", "cards": "JS QC"}
    assert scored({**claim, "tricks": [*claim["tricks"], sixth]}).points == 80


def test_without_tricks_a_claim_is_noted_and_the_result_is_stated() -> None:
    """It gives no points itself."""
    claim = {"by": "bidder", "after": 5}
    verdict = scored(six(3, "solo", 74, claimed=claim))
    assert (verdict.points, verdict.explanation[0]) == (
        74,
        "the bidder claimed the rest after 5 tricks",
    )
    assert refusal(six(3, "solo", claimed=claim)).code == "points-missing"


def test_the_explanation_names_what_was_claimed() -> None:
    """Tricks or points; the points if both are stated."""
    for numbers, words in (
        ({"tricks": 1}, "Ann claimed 1 trick of the rest after 5 tricks"),
        ({"points": 12}, "Ann claimed 12 card points of the rest after 5 tricks"),
        ({"tricks": 2, "points": 12}, "Ann claimed 12 card points of the rest after 5 tricks"),
    ):
        claim = {"by": "Ann", "after": 5, **numbers}
        assert scored(six(3, "solo", 74, claimed=claim)).explanation[0] == words


def test_cards_shown_in_a_claim_are_the_claimers() -> None:
    """They are neither played before it nor another's."""
    shown = cut(SOLO, 5, by="Bob", shown="AC 7H")
    assert scored(shown).points == 80
    for cards, message in (
        ("AC KC", "Bob showed KC, which had been played."),
        ("AC TD", "Bob showed TD, but did not hold it."),
    ):
        violation = refusal(cut(SOLO, 5, by="Bob", shown=cards))
        assert (violation.code, violation.message) == ("claimed-cards", message)


def test_a_card_that_was_shown_proves_an_earlier_revoke() -> None:
    """Cyd discarded a diamond on spades in the fifth trick."""
    violation = refusal(cut(BARE, 5, by="Cyd", shown="QS"))
    assert (violation.code, violation.where["trick"], violation.legal) == (
        "must-follow-suit",
        5,
        ("QS",),
    )


def test_cards_out_of_the_pack_are_not_shown() -> None:
    """Five players have no six of spades."""
    claim = {"by": "Ann", "after": 0, "shown": "6S"}
    violation = refusal(crazy(5, "go-alone", tricks=[], claimed=claim))
    assert violation.message == "Ann showed 6S, which is not in the pack."


@pytest.mark.parametrize(
    ("claimed", "code", "field"),
    [
        ({"by": "Bob", "after": 4}, "claim-elsewhere", "claimed.after"),
        ({"by": "Bob", "after": 5, "tricks": 7}, "claim-too-much", "claimed.tricks"),
        ({"by": "Bob", "after": 5, "points": 67}, "claim-too-much", "claimed.points"),
        ({"by": "Bob", "after": 5, "points": 121}, "claim-too-much", "claimed.points"),
        ({"by": "Bob", "after": 5, "shown": "7C 7H 6C AC QC JD 8C"}, "claim-too-much", "claimed"),
        ({"by": "opponents", "after": 5, "shown": "QS"}, "claimed-cards", "claimed.by"),
    ],
)
def test_an_impossible_claim_is_refused(claimed: dict[str, Any], code: str, field: str) -> None:
    """After another number of tricks, or of more than was left."""
    violation = refusal({**cut(BARE, 5), "claimed": claimed})
    assert (violation.code, violation.field) == (code, field)


def test_what_was_left_is_named_if_more_was_claimed() -> None:
    """Of card points the most that an unknown widow leaves; without tricks all of them, at most."""
    assert (
        refusal(cut(BARE, 5, by="Bob", points=67)).message
        == "Only 66 card points were left to claim."
    )
    written = six(3, "solo", 74, claimed={"by": "Ann", "after": 0, "points": 121})
    assert refusal(written).message == "A hand has 120 card points, so 121 can't be claimed."
    known = refusal(cut(SOLO, 5, by="Bob", points=53))
    assert known.message == "Only 52 card points were left to claim."
    most = {"by": "Ann", "after": 10, "tricks": 1, "points": 120, "shown": "AS"}
    assert scored(six(3, "solo", 74, claimed=most)).points == 74
    too_many = refusal(six(3, "solo", 74, claimed={**most, "shown": "AS KS"}))
    assert (too_many.code, too_many.field) == ("claim-too-much", "claimed")


@pytest.mark.parametrize(
    ("written", "after", "claimed", "message"),
    [
        (SOLO, 5, {"tricks": 0, "points": 1}, "no trick"),
        (SOLO, 5, {"tricks": 0, "points": 52}, "no trick"),
        (BARE, 5, {"tricks": 0, "points": 1}, "no trick"),
        (SOLO, 5, {"tricks": 6, "points": 51}, "at least 52"),
        (BARE, 5, {"tricks": 6, "points": 32}, "at least 33"),
        (SOLO, 10, {"points": 1}, "at least"),
    ],
)
def test_points_that_the_claimed_tricks_cannot_have_are_refused(
    written: dict[str, Any], after: int, claimed: dict[str, Any], message: str
) -> None:
    """No tricks have none, all of them have all: as many as an unknown widow leaves at least."""
    violation = refusal(cut(written, after, by="Bob", **claimed))
    assert (violation.code, violation.field) == ("claim-too-much", "claimed.points")
    assert message.removeprefix("no ") in violation.message.lower()
    assert ("Without a trick" in violation.message) == (message == "no trick")


@pytest.mark.parametrize("points", [33, 34, 40, 66])
def test_all_tricks_with_all_points_show_what_the_widow_holds(points: int) -> None:
    """The opponents have 40 after five tricks, so the rest of the pack is the bidder's, with the widow."""
    assert scored(cut(BARE, 5, by="Bob", tricks=6, points=points)).points == 80
    theirs = scored(cut(BARE, 5, by="opponents", tricks=6, points=points))
    assert theirs.points == 80 - points


def test_points_that_a_rich_widow_excludes_leave_a_smaller_range() -> None:
    """Of 66 points 60 are the bidder's, so the opponents and an unknown widow share the last six."""
    claim = cut(BARE, 5, by="Bob", points=60)
    for points in (74, 80):
        assert scored({**claim, "points": points}).points == points
    for points in (73, 81):
        assert refusal({**claim, "points": points}).code == "differs-from-cards"


def test_the_last_trick_has_all_points_that_are_left_or_none() -> None:
    """Without a number of tricks, the points show who takes it."""
    last = sum(find("six-bid").rules(None, {}, 3).pack.points(card) for card in _last_trick())
    assert last
    for points in (0, last):
        assert scored(cut(SOLO, 10, by="Bob", points=points)).outcome in ("won", "lost")
    for points in (1, last - 1):
        assert refusal(cut(SOLO, 10, by="Bob", points=points)).code == "claim-too-much"


def _last_trick() -> list[Any]:
    tricks = Tricks.of(HandRecord.from_mapping(SOLO).tricks or ())
    return [card for card in tricks[-1].cards if card]


def test_some_tricks_of_the_rest_leave_the_first_ones_open_in_german_solo() -> None:
    """Until five are won or one is lost, whether the first five were won is stated."""
    contract = HANDS[18]["contract"]
    keys = {"matadors": "split", "tricks": ["8H AH 9H KH", "7H TH KS QH"]}
    claim = {"by": "bidder", "after": 2, "tricks": 4}
    written = {**hand("german-solo", 4, contract, **keys, claimed=claim), "rules": "altenburg"}
    assert refusal(written).code == "first-tricks-missing"
    assert scored({**written, "first_tricks_won": True}).amount == 6
    assert scored({**written, "first_tricks_won": False}).amount == 2
    assert scored({**written, "claimed": {"by": "bidder", "after": 2}}).amount == 6
    fewer = {**written, "claimed": {**claim, "tricks": 2}}
    assert scored(fewer).amount == 2
    assert refusal({**fewer, "first_tricks_won": True}).code == "differs-from-cards"


def test_nothing_is_left_to_claim_after_the_last_trick() -> None:
    """And no more is left than there are tricks without any on record."""
    violation = refusal(changed(SOLO, claimed={"by": "Bob", "after": 11}))
    assert (violation.code, violation.field) == ("claim-too-much", "claimed")
    assert violation.message == "A hand has 11 tricks, so after 11 tricks none is left to claim."
    bare = refusal(six(3, "solo", 74, claimed={"by": "Ann", "after": 9, "tricks": 3}))
    assert bare.message == "A hand has 11 tricks, so after 9 tricks 2 are left to claim."


def test_a_hand_ends_in_one_way() -> None:
    """It is claimed, given up or stopped."""
    claim = {"by": "bidder", "after": 5}
    assert refusal(six(3, "misere", claimed=claim, conceded="bidder")).code == "ended-twice"


def test_whoever_sits_out_claims_nothing() -> None:
    """The message names those who played."""
    claim = {"by": "Dee", "after": 5}
    violation = refusal(six(4, "solo", 74, claimed=claim))
    assert (violation.code, violation.legal) == ("seat-sat-out", ("Ann", "Bob", "Cyd"))


def test_nothing_is_claimed_if_all_passed() -> None:
    """A claim needs a played hand."""
    claim = {"by": "Ann", "after": 5}
    written = hand("six-bid", 3, {"bid": "pass"}, claimed=claim)
    assert [violation.code for violation in violations(written)] == ["all-passed"]


def test_card_points_are_not_claimed_where_tricks_count() -> None:
    """German Solo has none."""
    contract = {"bidder": "Ann", "bid": "solo", "trump": "H"}
    keys = {"tricks_won": 5, "first_tricks_won": False, "matadors": "split"}
    claim = {"by": "Ann", "after": 3, "points": 12}
    violation = refusal(hand("german-solo", 4, contract, claimed=claim, **keys))
    assert (violation.code, violation.field) == ("not-in-this-game", "claimed.points")


def test_a_card_that_nobody_noted_leaves_the_result_of_a_claim_to_be_stated() -> None:
    """As without a claim."""
    claim = cut(BARE, 5, by="bidder")
    claim["tricks"] = [*claim["tricks"][:4], "TS ? 6D"]
    assert refusal(claim).code == "points-missing"
    assert scored({**claim, "points": 80}).points == 80


def test_a_seat_called_bidder_does_not_change_what_the_word_means() -> None:
    """The word is the side."""
    written = crazy(4, "go-alone", claimed={"by": "bidder", "after": 0}, tricks=[])
    written["players"] = ["Ann", "bidder", "Cyd", "Dee"]
    assert scored(written).points == 120
