"""Properties of every hand, tried on random hands."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards.cards import CARDS
from engine.games import GAMES
from engine.notation.json_text import read_json, read_jsonl, write_json, write_jsonl
from engine.notation.toml_stream import read_toml
from engine.notation.toml_text import write_toml
from engine.record import Call, Contract, Deal, Exchange, HandRecord, Pots, Spit, Trick
from engine.record.evening import HandEvening
from engine.record.names import _look, name_key
from engine.record.remarks import Note, StatedVerdict
from engine.rules.pots import POTS
from engine.rules.seating import left_of
from engine.scoring.score import score
from tests.engine.hands import scored
from tests.engine.strategies import ADDED, NAMES, SLUGS, TEXT, hands, incidents

PAYMENTS = tuple(game for game in GAMES if game != "german-solo")


@given(hands(PAYMENTS))
def test_what_is_won_is_lost_by_others_and_paid_by_transfers(record: HandRecord) -> None:
    """The deltas cover every seat and, with the pots, add up to nothing; so do the transfers, seat by seat.

    A transfer goes between two seats, once between the same, or to or from a pot; a tie has none.
    """
    verdict = score(record)
    moved = dict.fromkeys((*record.players, *POTS), 0)
    for payer, payee, amount in verdict.transfers:
        assert payer != payee
        assert amount >= 0
        moved[payer] -= amount
        moved[payee] += amount
    assert [(seat, moved[seat]) for seat in record.players] == [*verdict.deltas.items()]
    between = [transfer for transfer in verdict.transfers if not {*transfer[:2]} & {*POTS}]
    assert {amount % verdict.amount for _, _, amount in between} <= {0}
    assert bool(between) == bool(verdict.amount)
    assert len({transfer[:2] for transfer in between}) == len(between)
    frog, solo = moved["frog pot"], moved["solo pot"]
    assert sum(verdict.deltas.values()) == -frog - solo
    if record.pots is not None:
        assert verdict.pots == Pots(record.pots.frog + frog, record.pots.solo + solo)


@given(hands(("german-solo",)))
def test_only_the_declaring_side_scores(record: HandRecord) -> None:
    """Declarer and partner alike, plus or minus the amount; the defenders nothing; nobody pays."""
    verdict = score(record)
    side = {verdict.bidder, verdict.partner}
    signed = verdict.amount if verdict.outcome == "won" else -verdict.amount
    assert verdict.deltas == {seat: signed if seat in side else 0 for seat in record.players}
    assert verdict.transfers == ()


@given(hands())
def test_every_verdict_is_fair_explained_and_names_the_next_deal(record: HandRecord) -> None:
    """Only the bidding side gains by a won hand and loses by a lost one, apart from the antes.

    The next dealer is the same or sits to the left, and the lead to the left of that one. Each step of the
    explanation has a text and a source.
    """
    verdict = score(record)
    if record.pots is None:
        side = {verdict.bidder, verdict.partner}
        sign = {"won": 1, "lost": -1, "tied": 0, "passed-out": 0}[verdict.outcome]
        for seat, delta in verdict.deltas.items():
            assert delta * sign >= 0 if seat in side else delta * sign <= 0
    assert verdict.next.dealer in (record.dealer, left_of(record.players, record.dealer))
    assert verdict.next.lead == left_of(record.players, verdict.next.dealer)
    assert verdict.to_mapping()["ok"] is True
    assert all(isinstance(line, str) and line for line in verdict.explanation)
    assert verdict.steps[0].stored["source"] in ("000", "002", "003", "sheet")


@given(st.lists(hands(), max_size=2))
def test_every_notation_gives_the_same_hands_and_verdicts(records: list[HandRecord]) -> None:
    """JSON, JSON Lines, TOML and plain tables round-trip exactly."""
    check_round_trips(records)
    assert [scored(record.to_mapping()) for record in records] == [*map(score, records)]


def check_round_trips(records: list[HandRecord]) -> None:
    """Write records in every notation, read them back and compare."""
    assert [HandRecord.from_mapping(record.to_mapping()) for record in records] == records
    assert list(read_json(write_json(records))) == records
    assert list(read_jsonl(write_jsonl(records))) == records
    assert list(read_toml(write_toml(records))) == records


def noted(table: str = "table") -> st.SearchStrategy[HandRecord]:
    """A well-formed record with any keys, whether or not a game would allow them.

    Its strategies are built once. In a test, the records of one `table` have the same players.
    """
    names = st.lists(NAMES, min_size=3, max_size=12, unique_by=(name_key, _look))
    players = st.shared(names.map(tuple), key=table)
    places = st.integers(0, 11)
    seat = st.builds(lambda seats, place: seats[place % len(seats)], players, places)
    card = st.sampled_from(CARDS)
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
        bid=maybe(SLUGS),
        trump=maybe(card.map(lambda card: card.suit)),
        called=maybe(card),
        partner=maybe(seat),
        alone=flag,
        doubled=maybe(seats),
        redoubled=maybe(seats),
        announced_tout=flag,
    )
    return st.builds(
        HandRecord,
        game=SLUGS,
        players=players,
        dealer=seat,
        rules=maybe(SLUGS),
        options=st.dictionaries(TEXT, plain | st.dictionaries(TEXT, plain, max_size=2), max_size=3),
        active=maybe(seats),
        deal=maybe(st.builds(Deal, maybe(st.dictionaries(seat, dealt, max_size=3)), maybe(dealt))),
        spit=maybe(st.builds(Spit, maybe(rows(seat, card)), maybe(rows(seat, card, card)))),
        auction=maybe(st.lists(st.builds(Call, seat, SLUGS, maybe(seat)), max_size=4).map(tuple)),
        contract=maybe(contract),
        exchange=maybe(st.builds(Exchange, maybe(cards), maybe(cards), maybe(seat), maybe(card))),
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
        stated=maybe(
            st.builds(StatedVerdict, count, count, maybe(st.dictionaries(seat, st.integers(-9, 9))))
        ),
        evening=maybe(
            st.builds(
                lambda club, number: HandEvening(club=club, number=number),
                maybe(TEXT),
                st.integers(1, 9),
            )
        ),
        notes=maybe(
            st.lists(
                st.builds(lambda text, on: Note(text, card=on), TEXT, maybe(card)), max_size=3
            ).map(tuple)
        ),
        added=maybe(ADDED),
        **incidents(seat),
    )


@settings(max_examples=50)
@given(st.tuples(noted()) | st.tuples(noted(), noted("another table")))
def test_every_record_round_trips_in_every_notation(records: tuple[HandRecord, ...]) -> None:
    """Records with any keys: cards, claims, irregularities, notes and times included."""
    check_round_trips([*records])
