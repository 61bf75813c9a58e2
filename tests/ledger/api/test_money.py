"""Money over the API: the rate, the conversion, payments made, partly made and taken back."""

from typing import Any

import pytest

from ledger.books.transactions import Database
from tests.ledger.api.caller import Caller, faults
from tests.ledger.table import HEARTS_74, PAYS_HEARTS_74, row_counts

RATE = {"rate": {"chips": 10, "money": 5}}


@pytest.fixture
def path(sue: Caller) -> str:
    """A session at a rate of 10 chips to 5 cents, with one hand in it."""
    started = sue.start(starting_stack=150, title="Friday", rate=RATE["rate"])
    assert sue.post(f"{started}/hands", HEARTS_74).status_code == 201
    return started


def owed(caller: Caller) -> dict[str, int]:
    """Return the debts and credits."""
    return {
        each["player"]: each["balance"] for each in caller.get("/club/settlement").json["balances"]
    }


def test_chips_become_money_at_the_sessions_rate(sue: Caller, path: str) -> None:
    """Half a cent a chip; chips go back to the bank, and the entry keeps the rate."""
    assert sue.get(path).json["rate"] == RATE["rate"]
    response = sue.post(f"{path}/conversion", {})
    assert (response.status_code, response.json["currency"]) == (201, "EUR")
    assert set(response.json["balances"].values()) == {0}
    assert owed(sue) == {name: chips // 2 for name, chips in PAYS_HEARTS_74.items()}
    entry = sue.get(f"{path}/entries").json[-1]
    assert (entry["kind"], entry["details"]["rate"]) == ("conversion", RATE["rate"])
    for unit in ("chips", "EUR"):
        amounts = [each["amount"] for each in entry["postings"] if each["unit"] == unit]
        assert sum(amounts) == 0
        assert amounts
    repeated = sue.post(f"{path}/conversion", {})
    assert repeated.status_code == 409


def test_money_that_no_account_can_hold_is_refused_by_name(
    sue: Caller, path: str, database: Database
) -> None:
    """Looked at, done, or left with: never our mistake, and nothing of it is saved."""
    for player, chips in (("Ann", 10**9), ("Bob", -(10**9))):
        body = {"player": player, "chips": chips, "reason": "a slip"}
        assert sue.post(f"{path}/adjustments", body).status_code == 201
    before = row_counts(database)
    far_off = {"rate": {"chips": 1, "money": 10**9}}
    for send in (sue.dry, sue.post):
        refused = send(f"{path}/conversion", far_off)
        assert (refused.status_code, refused.json["code"]) == (409, "balance-too-large")
        assert "This would put Ann at" in refused.json["detail"]
    assert row_counts(database) == before
    assert sue.call("PUT", f"{path}/rate", far_off).status_code == 200
    refused = sue.dry(f"{path}/seats/leave", {"player": "Ann"})
    assert (refused.status_code, refused.json["code"]) == (409, "balance-too-large")
    assert sue.post(f"{path}/conversion", RATE).status_code == 201


def test_an_expense_is_shared_listed_settled_and_undone(sue: Caller) -> None:
    """Two of three shares are two thirds; the odd cent is the next player's."""
    sue.start()
    cost = {"title": "Pizza", "amount": 1000, "payer": "Ann", "separate": True}
    among = [{"player": "Ann"}, {"player": "Bob", "shares": 1}, {"player": "Cyd"}]
    made = sue.post("/expenses", {**cost, "shared_by": among})
    assert made.status_code == 201
    listed = sue.get("/expenses").json
    (line,) = listed["lines"]
    assert (line["title"], line["payer"], line["separate"]) == ("Pizza", "Ann", True)
    assert [each["amount"] for each in line["shared_by"]] == [333, 334, 333]
    plan = sue.get("/club/settlement").json
    assert (plan["balances"], plan["payments"]) == ([], [])
    first, second = plan["separate_payments"]
    assert first == {"payer": "Bob", "payee": "Ann", "amount": 334}
    paid = {**first, "seen": -334, "separate": True}
    assert sue.post("/payments", paid).status_code == 201
    assert sue.post("/payments", paid).status_code == 412
    assert sue.get("/club/settlement").json["separate_payments"] == [second]
    back = sue.post(f"/expenses/{line['entry']}/take-back", {"reason": "the host paid"})
    assert (back.status_code, back.json["takes_back"]) == (200, line["entry"])
    assert sue.get("/expenses").json["lines"][0]["taken_back"]


def test_payments_settle_the_club_partly_and_whole(sue: Caller, path: str) -> None:
    """An unpaid part stays; a payment that was not made is undone."""
    sue.post(f"{path}/conversion", {})
    plan = sue.get("/club/settlement").json
    assert len(plan["payments"]) == 5
    first, *others = plan["payments"]
    part = sue.post("/payments", {**first, "amount": 5, "reason": "a coin"})
    assert (part.status_code, part.json["balances"][first["payer"]]) == (201, -15)
    sue.post("/payments", {**first, "amount": first["amount"] - 5})
    for payment in others:
        assert sue.post("/payments", payment).status_code == 201
    assert sue.get("/club/settlement").json == {**plan, "balances": [], "payments": []}
    back = sue.post(f"/payments/{part.json['entry']}/take-back", {"reason": "a button"})
    assert back.json["takes_back"] == part.json["entry"]
    assert owed(sue) == {first["payee"]: 5, first["payer"]: -5}
    repeated = sue.post(f"/payments/{part.json['entry']}/take-back", {"reason": "a button"})
    assert (repeated.status_code, repeated.json["code"]) == (409, "taken-back-already")


def test_two_who_mark_the_same_payment_book_it_once(sue: Caller, path: str) -> None:
    """The second, with an outdated balance, is answered 412 and looks again."""
    sue.post(f"{path}/conversion", {})
    plan = sue.get("/club/settlement").json
    first = plan["payments"][0]
    balances = {each["player"]: each["balance"] for each in plan["balances"]}
    marked = {**first, "seen": balances[first["payer"]]}
    answers = [sue.post("/payments", marked) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 412]
    assert answers[1].json["code"] == "stale"
    assert "look at what is left to pay" in answers[1].json["detail"]
    assert first["payer"] not in owed(sue)
    assert sue.post("/payments", {**first, "seen": None}).status_code == 201


def test_a_client_that_closes_with_chips_worth_money_is_told_whose_they_are(
    sue: Caller, path: str
) -> None:
    """By the answer, by the session, by the club's settlement and by a statement, until they are money."""
    number = int(path.rsplit("/", 1)[1])
    left = sue.get(path).json["unconverted"]
    assert left["Ann"] > 0
    closed = sue.post(f"{path}/close")
    assert (closed.status_code, closed.json["unconverted"]) == (200, left)
    settlement = sue.get("/club/settlement").json
    holding = [{"player": name, "chips": chips} for name, chips in left.items()]
    named = {"id": number, "title": "Friday", "state": "closed"}
    assert settlement["unconverted"] == [{**named, "players": holding}]
    ann = next(each["id"] for each in sue.get("/players").json if each["name"] == "Ann")
    mine = sue.get(f"/players/{ann}/statement").json["unconverted"]
    assert mine == [{**named, "players": [{"player": "Ann", "chips": left["Ann"]}]}]
    sue.post(f"{path}/reopen")
    sue.post(f"{path}/conversion", {})
    assert sue.post(f"{path}/close").json["unconverted"] == {}
    assert sue.get("/club/settlement").json["unconverted"] == []


def test_a_session_left_for_money_is_named_until_all_its_chips_are_money(
    sue: Caller, path: str
) -> None:
    """It can't be closed, and no payments are proposed."""
    sue.post(f"{path}/seats/leave", {"player": "Ann"})
    refused = sue.post(f"{path}/close")
    assert (refused.status_code, refused.json["code"]) == (409, "till-not-empty")
    assert "Cash in the chips first" in refused.json["detail"]
    number = int(path.rsplit("/", 1)[1])
    settlement = sue.get("/club/settlement").json
    bob = next(each["id"] for each in sue.get("/players").json if each["name"] == "Bob")
    assert sue.get(f"/players/{bob}/statement").json["unfinished"] == settlement["unfinished"]
    left = [{"player": "Ann", "balance": 60}]
    assert settlement["unfinished"] == [
        {"id": number, "title": "Friday", "state": "open", "left": left}
    ]
    assert settlement["payments"] == []
    sue.post(f"{path}/conversion", {})
    settlement = sue.get("/club/settlement").json
    assert settlement["unfinished"] == []
    assert settlement["payments"]
    assert sue.post(f"{path}/close").status_code == 200


def test_a_statement_has_what_moved_a_players_money(sue: Caller, path: str) -> None:
    """Newest first, a page at a time, each with the balance after it."""
    sue.post(f"{path}/conversion", {})
    sue.post("/payments", {"payer": "Cyd", "payee": "Ann", "amount": 20, "reason": "cash"})
    ann = next(each["id"] for each in sue.get("/players").json if each["name"] == "Ann")
    view = sue.get(f"/players/{ann}/statement").json
    assert (view["player"], view["currency"], view["balance"]) == ("Ann", "EUR", 40)
    paid, converted = view["lines"]
    assert (paid["kind"], paid["others"], paid["amount"]) == ("payment", ["Cyd"], -20)
    assert (converted["kind"], converted["session"], converted["balance"]) == (
        "conversion",
        "Friday",
        60,
    )
    second = sue.get(f"/players/{ann}/statement?page=2&page_size=1")
    assert second.json["lines"] == [converted]
    assert '"total": 2' in second.headers["X-Pagination"]


def test_a_balance_is_shown_as_it_was(sue: Caller, path: str) -> None:
    """By the books as they stood: before the hand, the stack."""
    stack, hand = sue.get(f"{path}/entries").json
    ann = next(each["account"] for each in hand["postings"] if each["seat"] == "Ann")
    for entry, held in ((stack, 150), (hand, 270)):
        at = entry["entered_at"].replace("+00:00", "Z")
        assert sue.get(f"/accounts/{ann}/balance?at={at}").json["balance"] == held
    refused = sue.get(f"/accounts/{ann}/balance?at=yesterday")
    assert "time with its offset" in faults(refused)["at"]
    assert sue.get(f"/accounts/{ann}/balance?at=0001-01-01T00:00:00%2B23:00").status_code == 422


def test_a_club_names_its_currency_and_chips(sue: Caller) -> None:
    """Settings left out stay; a currency in use stays, too."""
    assert sue.get("/club/money").json == {
        "currency": "EUR",
        "decimals": 2,
        "denominations": [5, 20, 30],
        "confirm_from": 0,
    }
    sue.call("PATCH", "/club/money", {"currency": "usd"})
    view = sue.call("PATCH", "/club/money", {"denominations": [25, 5]}).json
    assert (
        view
        == {"currency": "USD", "decimals": 2, "denominations": [5, 25], "confirm_from": 0}
        == sue.get("/club/money").json
    )
    for name in ("Ann", "Bob"):
        sue.post("/players", {"name": name})
    sue.post("/payments", {"payer": "Ann", "payee": "Bob", "amount": 100})
    assert sue.call("PATCH", "/club/money", {"currency": "EUR"}).status_code == 409


def test_a_currency_says_how_many_decimals_its_amounts_have(sue: Caller) -> None:
    """Yen have none; the limit of a payment is stated in them."""
    view = sue.call("PATCH", "/club/money", {"currency": "JPY"}).json
    assert (view["currency"], view["decimals"]) == ("JPY", 0)
    for name in ("Ann", "Bob"):
        sue.post("/players", {"name": name})
    refused = sue.post("/payments", {"payer": "Ann", "payee": "Bob", "amount": 0})
    assert "from 1 to 1,000,000,000 JPY" in faults(refused)["amount"]
    rated = sue.start(rate={"chips": 10, "money": 5})
    sue.post(f"{rated}/hands", HEARTS_74)
    assert sue.dry(f"{rated}/conversion", {"rate": None}).json["currency"] == "JPY"
    other = sue.call("PATCH", "/club/money", {"currency": "EUR"})
    assert other.status_code == 409
    assert "played at 10 chips to 5 JPY" in other.json["detail"]


PIZZA = {
    "title": "Pizza",
    "amount": 1000,
    "payer": "Ann",
    "shared_by": [{"player": "Bob"}],
}
WRONG: list[tuple[str, str, Any, str, str]] = [
    ("PUT", "rate", {"rate": {"chips": 0, "money": 5}}, "rate.chips", "rate"),
    ("PUT", "rate", {"rate": {"chips": 5}}, "rate.money", "missing"),
    ("PUT", "rate", {}, "rate", "missing"),
    ("POST", "conversion", {"rate": {"chips": 5, "money": 10**30}}, "rate.money", "rate"),
    ("POST", "conversion", {"rate": 5}, "rate", "object"),
    ("POST", "/payments", {"payer": "Zoë", "payee": "Bob", "amount": 5}, "payer", "Nobody"),
    ("POST", "/payments", {"payer": "Bob", "payee": "bob", "amount": 5}, "payee", "can't pay"),
    ("POST", "/payments", {"payer": "Ann", "payee": "Bob", "amount": 0}, "amount", "how much"),
    (
        "POST",
        "/payments",
        {"payer": "Ann", "payee": "Bob", "amount": "5"},
        "amount",
        "1250 for 12.50 EUR",
    ),
    ("PUT", "rate", {"rate": {"chips": 5, "money": 0.5}}, "rate.money", "1250 for 12.50 EUR"),
    (
        "POST",
        "/payments",
        {"payer": "Ann", "payee": "Bob", "amount": 5, "paid_at": "2026-01-31"},
        "paid_at",
        "offset",
    ),
    (
        "POST",
        "/payments",
        {"payer": "Ann", "payee": "Bob", "amount": 5, "paid_at": "0001-01-01T00:00:00+23:00"},
        "paid_at",
        "is before 1900",
    ),
    (
        "POST",
        "/payments",
        {"payer": "Ann", "payee": "Bob", "amount": 5, "paid_at": "2999-01-01T00:00:00Z"},
        "paid_at",
        "is in the future",
    ),
    (
        "POST",
        "/payments",
        {"payer": "Ann", "payee": "Bob", "amount": 5, "seen": "0"},
        "seen",
        "whole number",
    ),
    ("POST", "/payments/{paid}/take-back", {"reason": 7}, "reason", "Text"),
    ("POST", "/expenses", {**PIZZA, "shared_by": "Bob"}, "shared_by", "A list"),
    ("POST", "/expenses", {**PIZZA, "shared_by": []}, "shared_by", "at least one"),
    ("POST", "/expenses", {**PIZZA, "title": ""}, "title", "what was paid for"),
    ("POST", "/expenses", {**PIZZA, "amount": 1.5}, "amount", "whole number"),
    ("PATCH", "/club/money", {"currency": "€"}, "currency", "three letters"),
    ("PATCH", "/club/money", {"currency": "ABC"}, "currency", "ABC is not a currency code"),
    ("PATCH", "/club/money", {"denominations": [5, 5]}, "denominations", "different"),
    ("PATCH", "/club/money", {"denominations": ["5"]}, "denominations.0", "whole number"),
]


@pytest.mark.parametrize(("method", "place", "sent", "field", "says"), WRONG)
def test_what_cannot_be_is_refused_at_its_field(
    sue: Caller,
    path: str,
    database: Database,
    method: str,
    place: str,
    sent: Any,
    field: str,
    says: str,
) -> None:
    """And nothing of it is saved."""
    paid = sue.post("/payments", {"payer": "Ann", "payee": "Bob", "amount": 1}).json["entry"]
    place = place.format(paid=paid)
    before = row_counts(database)
    refused = sue.call(method, place if place.startswith("/") else f"{path}/{place}", sent)
    assert refused.status_code == 422
    assert says in faults(refused)[field]
    assert row_counts(database) == before


def test_a_conversion_can_be_dated(sue: Caller, path: str, database: Database) -> None:
    """The answer, the entry and the statement have its date; one to come is refused at its field."""
    at = "2025-12-12T21:30:00+00:00"
    before = row_counts(database)
    refused = sue.post(f"{path}/conversion", {"converted_at": "2999-01-01T00:00:00Z"})
    assert (refused.status_code, "future" in faults(refused)["converted_at"]) == (422, True)
    assert row_counts(database) == before
    assert sue.dry(f"{path}/conversion", {"converted_at": at}).json["converted_at"] == at
    response = sue.post(f"{path}/conversion", {"converted_at": at})
    assert (response.status_code, response.json["converted_at"]) == (201, at)
    entry = sue.get(f"{path}/entries").json[-1]
    assert entry["occurred_at"] == at
    assert entry["entered_at"] > at
    (line,) = sue.get("/players/1/statement").json["lines"]
    assert (line["occurred_at"], line["entered_at"]) == (at, entry["entered_at"])


def test_a_conversion_right_after_the_evening_has_no_other_date(sue: Caller, path: str) -> None:
    """It counts as done when it was entered."""
    assert sue.post(f"{path}/conversion", {}).json["converted_at"] is None
    entry = sue.get(f"{path}/entries").json[-1]
    assert entry["occurred_at"] == entry["entered_at"]
