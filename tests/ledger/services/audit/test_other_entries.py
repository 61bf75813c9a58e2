"""Other entries than hands: amounts that their kind never moves are found though they are sealed."""

from collections.abc import Callable, Mapping

import pytest
from sqlmodel import col, select

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.database.models import Account, EntryKind
from ledger.runtime.clock import now
from ledger.services.audit import verify
from ledger.services.chips import bank
from ledger.services.common import apportion
from ledger.services.hands import after_leaving
from ledger.services.money import convert as money_convert
from ledger.services.session.view import Rate
from tests.ledger import cash
from tests.ledger.departed import ANN_LOSES
from tests.ledger.evenings import CardClub, Evening

RATE = {"chips": 10, "money": 1}
Sealed = Callable[..., list[str]]


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """An evening at ten chips to a cent in which Ann won 50 from each of three others."""
    started = sqlite_club.start(rate=Rate(10, 1))
    started.record(cash.ANN_WINS)
    return started


@pytest.fixture
def left(evening: Evening) -> Evening:
    """That evening after Ann left it for money, and another one."""
    evening.leave("Ann")
    evening.club.start()
    evening.club.must_verify()
    return evening


@pytest.fixture
def sealed(left: Evening, monkeypatch: pytest.MonkeyPatch) -> Sealed:
    """Seal an entry that the journal would refuse, by the accounts' keys; return verify's findings."""

    def seal(
        kind: EntryKind,
        amounts: Mapping[str, int],
        session_id: int | None = left.id,
        **details: object,
    ) -> list[str]:
        club, header = (
            left.club,
            EntryHeader(session_id, kind, "Tom", now(), now(), details=details),
        )
        with monkeypatch.context() as lenient, club.db.write(club.access) as session:
            lenient.setattr(journal, "may_move", lambda *_: True)
            keys = select(Account.key, Account.id).where(col(Account.key).in_(amounts))
            ids = dict(session.exec(keys).all())
            entry = journal.post(session, header, {ids[key]: amounts[key] for key in amounts})
        place = f"entry {entry}"
        return [finding.message for finding in verify(club.db) if finding.place == place]

    return seal


def findings(evening: Evening) -> list[str]:
    """Return verify's findings."""
    return [finding.message for finding in verify(evening.club.db)]


@pytest.mark.parametrize(
    ("kind", "amounts", "message"),
    [
        (EntryKind.ADJUSTMENT, {"seat/2": 5, "seat/6": -5}, "no adjustment there may move seat/6"),
        (
            EntryKind.ADJUSTMENT,
            {"seat/2": 5, "seat/3": -5, "player/1/EUR": 7, "session/1/till": -7},
            "no adjustment there may move player/1/EUR",
        ),
        (
            EntryKind.LOAN,
            {"player/1/EUR": 7, "session/1/till": -7},
            "no loan there may move player/",
        ),
        (EntryKind.PAUSE, {"seat/2": 5, "seat/3": -5}, "no pause there may move seat/2"),
        (EntryKind.CASH_OUT, {"player/1/EUR": 7, "session/1/till": -7}, "says no rate"),
    ],
)
def test_what_entries_of_a_kind_never_move_is_found(
    sealed: Sealed, kind: EntryKind, amounts: dict[str, int], message: str
) -> None:
    """Another session's chips, money in a chip entry, anything in a break: each by its account's owner."""
    reports = sealed(kind, amounts)
    assert any(message in line for line in reports), reports


def test_an_entry_of_no_session_moves_no_sessions_accounts(sealed: Sealed) -> None:
    """A payment of nowhere is found at the till it would have come from."""
    reports = sealed(EntryKind.PAYMENT, {"player/1/EUR": 7, "session/1/till": -7}, None)
    assert "no payment there may move session/1/till" in reports


def test_money_that_no_chips_became_is_found(sealed: Sealed) -> None:
    """A conversion of nothing that pays 700 all the same."""
    amounts = {"player/1/EUR": 700, "session/1/till": -700}
    reports = sealed(EntryKind.CONVERSION, amounts, rate=RATE, converted={})
    assert "its till holds money after it" in reports
    assert any("has chips after it that became no money" in line for line in reports)


@pytest.mark.parametrize("more", [1, -1])
def test_a_leaver_who_is_paid_another_sum_is_found(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    """One unit more or less than the chips come to at the rate."""
    with monkeypatch.context() as wrong:
        wrong.setattr(apportion, "nearest", lambda *_: 15 + more)
        evening.leave("Ann")
    assert findings(evening) == ["it does not pay player 1 what their chips are worth"]


@pytest.mark.parametrize("more", [1, -1])
def test_a_correction_after_a_leaving_that_pays_another_sum_is_found(
    left: Evening, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    """One unit more or less than the chips won since come to, with those cashed in at the leaving."""
    worth = apportion.nearest
    with monkeypatch.context() as wrong:
        wrong.setattr(
            apportion, "nearest", lambda part, *rate: worth(part, *rate) + more * (part < 0)
        )
        left.correct(1, ANN_LOSES)
    assert findings(left) == ["it does not pay player 1 what their chips are worth"]


def test_a_correction_after_a_leaving_at_another_rate_is_found(
    left: Evening, sealed: Sealed
) -> None:
    """Ten chips became two cents instead of one."""
    with left.club.db.write(left.club.access) as session:
        session.exec(select(Account).where(Account.key == "seat/1")).one().closed_at = None
    amounts = {"seat/1": 10, "session/1/bank": -10, "player/1/EUR": 2, "session/1/till": -2}
    details = {"seat": 1, "hand": 1, "rate": {"chips": 10, "money": 2}, "converted": {"1": 10}}
    reports = sealed(EntryKind.AFTER_LEAVING, amounts, **details)
    assert "its rate is not the one at which the player left" in reports


def test_chips_of_a_seat_that_was_left_are_found(
    left: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A correction that was not settled with the player who had left."""
    with monkeypatch.context() as forgetful:
        forgetful.setattr(after_leaving, "plan", lambda *_: ())
        left.correct(1, ANN_LOSES)
    (finding,) = verify(left.club.db)
    place = "Kitchen Table, account seat/1"
    assert str(finding) == f"{place}: it holds -300 chips, its seat was left"


def test_a_conversion_that_shifts_a_unit_is_found(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From Bob to Cyd, though the sum is right."""
    with monkeypatch.context() as wrong:
        wrong.setattr(apportion, "by_largest_remainder", lambda *_: [15, -6, -4, -5])
        evening.convert()
    assert findings(evening) == [
        f"it does not pay player {player} what their chips are worth" for player in (2, 3)
    ]


def test_a_conversion_that_leaves_chips_unconverted_is_found(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It states that all chips became money; Dee still has hers."""
    with monkeypatch.context() as wrong:
        move = bank.move
        wrong.setattr(bank, "move", lambda a, b, chips, money: move(a, b, chips[:3], money))
        evening.convert()
    assert "seat 4 has chips after it that became no money" in findings(evening)


def test_converting_leaving_and_taking_back_in_any_order_is_in_order(sqlite_club: CardClub) -> None:
    """The money paid is worked out again at each step of an evening, and fits."""
    evening = sqlite_club.start(rate=Rate(10, 3), starting_stack=150)
    evening.record(cash.ANN_WINS)
    evening.leave("Ann")
    evening.convert()
    evening.join("Ann")
    evening.lend("Bob", 35)
    evening.record({**cash.ANN_WINS, "points": 77})
    evening.leave("Bob", "Ann")
    evening.convert()
    sqlite_club.must_verify()


@pytest.mark.parametrize("details", [{}, {"content": 5}, {"content": "x"}, {"content": [["x"]]}])
def test_a_result_on_paper_without_the_digests_of_its_content_is_found(
    sealed: Sealed, details: dict[str, object]
) -> None:
    """Entering another evening on paper would fail."""
    amounts = {"seat/2": 5, "seat/3": -5}
    reports = sealed(EntryKind.PAPER_RESULT, amounts, **details)
    assert reports == ["the digests of what was entered are none"]


PIZZA = {"amount": 900, "payer": 1, "shares": {"1": 1, "2": 2}}


@pytest.mark.parametrize(
    ("amounts", "details", "message"),
    [
        ({1: 599, 2: -599}, PIZZA, "it does not share its amount as it says"),
        ({1: 600, 3: -600}, PIZZA, "it does not share its amount as it says"),
        ({1: 600, 2: -600}, {**PIZZA, "payer": 2}, "it does not share its amount as it says"),
        ({1: 600, 2: -600}, {**PIZZA, "shares": {"1": 0, "2": 0}}, "it can't be read"),
        ({1: 600, 2: -600}, {**PIZZA, "shares": {"Bob": 1}}, "it can't be read"),
        ({1: 600, 2: -600}, {}, "it can't be read"),
    ],
)
def test_an_expense_that_is_divided_otherwise_than_it_says_is_found(
    sqlite_club: CardClub,
    sealed: Sealed,
    amounts: Mapping[int, int],
    details: Mapping[str, object],
    message: str,
) -> None:
    """By a cent, to another player, paid by another, or by shares that are none."""
    with sqlite_club.writing() as session:
        for number in (1, 2, 3):
            money_convert.account_of(session, number, "EUR")
    keys = {f"player/{number}/EUR": amount for number, amount in amounts.items()}
    assert (
        sealed(EntryKind.EXPENSE, {"player/1/EUR": 600, "player/2/EUR": -600}, None, **PIZZA) == []
    )
    (report,) = sealed(EntryKind.EXPENSE, keys, None, **details)
    assert message in report
