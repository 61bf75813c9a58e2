"""What holds for every hand, tried on hands made at random."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from engine.cards.cards import CARDS
from engine.games import GAMES
from engine.notation.json_text import read_json, read_jsonl, write_json, write_jsonl
from engine.notation.toml_stream import read_toml
from engine.notation.toml_text import write_toml
from engine.record import Call, Contract, Deal, Exchange, HandRecord, Pots, Spit, Trick
from engine.record.names import _look, name_key
from engine.rules.pots import POTS
from engine.rules.seating import left_of
from engine.scoring.score import score
from tests.engine.hands import scored
from tests.engine.strategies import NAMES, TEXT, hands

PAYMENTS = tuple(game for game in GAMES if game != "german-solo")


@given(hands(PAYMENTS))
def test_what_is_won_is_lost_by_others(record: HandRecord) -> None:
    """The deltas cover every seat and add up to nothing, or to what left the pots."""
    verdict = score(record)
    assert tuple(verdict.deltas) == record.players
    left = 0
    if record.pots is not None and verdict.pots is not None:
        before, after = record.pots, verdict.pots
        left = before.frog + before.solo - after.frog - after.solo
    assert sum(verdict.deltas.values()) == left


@given(hands(PAYMENTS))
def test_the_payments_add_up_to_the_deltas(record: HandRecord) -> None:
    """Each goes between two seats, never twice between the same, or a seat and a pot; a tie has none."""
    verdict = score(record)
    moved = dict.fromkeys((*record.players, *POTS), 0)
    for payer, payee, amount in verdict.transfers:
        assert payer != payee
        assert amount >= 0
        moved[payer] -= amount
        moved[payee] += amount
    assert {seat: moved[seat] for seat in record.players} == verdict.deltas
    between = [each for each in verdict.transfers if not {*each[:2]} & {*POTS}]
    assert {amount % verdict.amount for _, _, amount in between} <= {0}
    assert bool(between) == bool(verdict.amount)
    assert len({each[:2] for each in between}) == len(between)
    if record.pots is not None:
        held = record.pots.frog + moved["frog pot"], record.pots.solo + moved["solo pot"]
        assert verdict.pots == Pots(*held)


@given(hands(("german-solo",)))
def test_only_the_declaring_side_scores(record: HandRecord) -> None:
    """Declarer and partner alike, plus or minus the amount; the defenders nothing; nobody pays."""
    verdict = score(record)
    side = {verdict.bidder, verdict.partner}
    signed = verdict.amount if verdict.outcome == "won" else -verdict.amount
    assert verdict.deltas == {seat: signed if seat in side else 0 for seat in record.players}
    assert verdict.transfers == ()


@given(hands())
def test_only_the_bidding_side_wins_a_won_hand(record: HandRecord) -> None:
    """And nobody else gains by it, nor does that side gain by a lost one."""
    verdict = score(record)
    if record.pots is not None:
        return  # the antes are everybody's loss, won or lost
    side = {verdict.bidder, verdict.partner}
    sign = {"won": 1, "lost": -1, "tied": 0, "passed-out": 0}[verdict.outcome]
    for seat, delta in verdict.deltas.items():
        assert delta * sign >= 0 if seat in side else delta * sign <= 0


@given(hands())
def test_the_next_dealer_is_the_same_or_sits_to_the_left(record: HandRecord) -> None:
    """And whoever is on the lead then sits to the left of that one."""
    verdict = score(record)
    assert verdict.next.dealer in (record.dealer, left_of(record.players, record.dealer))
    assert verdict.next.lead == left_of(record.players, verdict.next.dealer)


@given(hands())
def test_every_verdict_explains_itself(record: HandRecord) -> None:
    """Each step has a text, and the whole can be written down."""
    written = score(record).to_mapping()
    assert written["ok"] is True
    assert all(isinstance(line, str) and line for line in score(record).explanation)
    assert score(record).steps[0].stored["source"] in ("000", "002", "003", "sheet")


@given(st.lists(hands(), max_size=4))
def test_every_notation_gives_the_same_hands_and_verdicts(records: list[HandRecord]) -> None:
    """JSON, JSON Lines, TOML and plain tables round-trip exactly."""
    assert [HandRecord.from_mapping(record.to_mapping()) for record in records] == records
    assert list(read_json(write_json(records))) == records
    assert list(read_jsonl(write_jsonl(records))) == records
    assert list(read_toml(write_toml(records))) == records
    assert [scored(record.to_mapping()) for record in records] == [
        score(record) for record in records
    ]


@st.composite
def noted(draw: st.DrawFn) -> HandRecord:
    """A well-formed record with any keys, whether or not a game would allow them."""
    players = tuple(draw(st.lists(NAMES, min_size=3, max_size=12, unique_by=(name_key, _look))))
    seat, card = st.sampled_from(players), st.sampled_from(CARDS)
    cards = st.lists(card, max_size=12).map(tuple)
    dealt = st.lists(st.none() | card, max_size=12).map(tuple)
    seats = st.lists(seat, max_size=3).map(tuple)
    flag = st.none() | st.booleans()
    count = st.none() | st.integers(-(10**9), 10**9)

    def rows(
        *columns: st.SearchStrategy[object],
    ) -> st.SearchStrategy[tuple[tuple[object, ...], ...]]:
        return st.lists(st.tuples(*columns), max_size=4).map(tuple)

    def maybe(*parts: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
        return st.none() | st.one_of(*parts)

    hours = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
    moments = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=hours | st.just(UTC))  # noqa: DTZ001
    plain = st.booleans() | st.integers(-9, 9) | TEXT
    contract = st.builds(
        Contract,
        bidder=maybe(seat),
        bid=maybe(TEXT),
        trump=maybe(card.map(lambda card: card.suit)),
        called=maybe(card),
        partner=maybe(seat),
        alone=flag,
        doubled=maybe(seats),
        redoubled=maybe(seats),
        announced_tout=flag,
    )
    return draw(
        st.builds(
            HandRecord,
            game=TEXT,
            players=st.just(players),
            dealer=seat,
            rules=maybe(TEXT),
            options=st.dictionaries(
                TEXT, plain | st.dictionaries(TEXT, plain, max_size=2), max_size=3
            ),
            active=maybe(seats),
            deal=maybe(
                st.builds(Deal, maybe(st.dictionaries(seat, dealt, max_size=3)), maybe(dealt))
            ),
            spit=maybe(st.builds(Spit, maybe(rows(seat, card)), maybe(rows(seat, card, card)))),
            auction=maybe(
                st.lists(st.builds(Call, seat, TEXT, maybe(seat)), max_size=4).map(tuple)
            ),
            contract=maybe(contract),
            exchange=maybe(
                st.builds(Exchange, maybe(cards), maybe(cards), maybe(seat), maybe(card))
            ),
            tricks=maybe(st.lists(st.builds(Trick, cards, maybe(seat)), max_size=4).map(tuple)),
            points=count,
            points_against=count,
            tricks_won=count,
            matadors=maybe(st.sampled_from(["declarers", "defenders", "split"])),
            first_tricks_won=flag,
            stopped=flag,
            asked_partner=flag,
            pots=maybe(st.builds(Pots, st.integers(0, 99), st.integers(0, 99))),
            conceded=maybe(st.sampled_from(["bidder", "opponents"])),
            played_at=maybe(moments),
            note=maybe(TEXT),
        )
    )


@given(st.lists(noted(), max_size=2))
def test_every_record_round_trips_in_every_notation(records: list[HandRecord]) -> None:
    """Whatever is noted down, cards, notes and times included."""
    assert [HandRecord.from_mapping(record.to_mapping()) for record in records] == records
    assert list(read_json(write_json(records))) == records
    assert list(read_jsonl(write_jsonl(records))) == records
    assert list(read_toml(write_toml(records))) == records
