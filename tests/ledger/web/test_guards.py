"""The guard of a form: the state its page showed, until its writer has seen the new one."""

from collections.abc import Sequence

import pytest
from sqlalchemy import event

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import seating, start
from tests.ledger import cash, table
from tests.ledger.table import ask
from tests.ledger.web.meanwhile import drawn
from tests.ledger.web.phone import Form, Page, Phone

PAGES = (
    ("undo", ("/undo",)),
    ("table/leave?player=Ann", ("/table/leave",)),
    ("bank", ("/bank/share-pots", "/bank")),
    ("settle", ("/settle",)),
    ("hands/1/void", ("/void",)),
    ("table/seats", ("/table/seats",)),
    ("table", ("/table/join",)),
    ("rules", ("/rules", "/rate")),
)
"""Pages with forms about a session, and where the forms go."""


@pytest.fixture
def pots(database: Database, club: Access) -> int:
    """A session with chips in its pots, a rate, and one hand."""
    made = table.start(
        database,
        club,
        table.FOUR,
        game="progressive",
        options={"pots": {"stake": 5}},
        rate=Rate(10, 100),
    )
    play(database, club, made)
    return made


@pytest.fixture
def place(club: Access, pots: int) -> str:
    """Where its pages are."""
    return f"/clubs/{club.club_id}/sessions/{pots}"


def play(database: Database, club: Access, session: int) -> None:
    """Write the next hand: Bob is beaten, so his chips stay in the pots."""
    table.record(
        database,
        club,
        session,
        {"contract": {"bidder": "Bob", "bid": "frog", "trump": "H"}, "points": 50, "dealer": "Ann"},
    )


def guard(form: Form) -> int:
    """The revision that a form goes out with."""
    return int(dict(form.fields)["revision"])


def refill(page: Page, ending: str) -> Form:
    """The form of a page that goes to this very address."""
    return next(form for form in page.reader.forms if form.action.endswith(ending))


@pytest.mark.parametrize(("address", "endings"), PAGES)
def test_whoever_writes_while_a_page_is_read_is_never_written_over(
    scorer: Phone,
    place: str,
    pots: int,
    database: Database,
    club: Access,
    address: str,
    endings: Sequence[str],
) -> None:
    """Before any statement of the page: it shows the whole new state, or its form is refused."""
    at, done = 0, True
    while done:
        before = ask(database, club, load, pots).revision
        page, done = drawn(
            lambda: scorer.open(f"{place}/{address}"),
            database,
            at,
            lambda: play(database, club, pots),
        )
        forms = [refill(page, ending) for ending in endings] if done else []
        assert len({guard(form) for form in forms}) <= 1
        if done and guard(forms[0]) == before:
            filled: dict[str, str | list[str] | None] = {
                "reason": "why",
                "order": [*table.FOUR],
                "player": "Ann",
                "chips": "5",
            }
            for form in forms:
                assert scorer.send(form, do="save", **filled).status == 412
            assert ask(database, club, load, pots).revision == before + 1
        elif done:
            assert guard(forms[0]) == before + 1
            assert page.text == scorer.open(f"{place}/{address}").text
        at += 1
    assert at > 2


def test_a_difference_is_posted_as_it_was_shown(
    scorer: Phone,
    place: str,
    pots: int,
    database: Database,
    club: Access,
) -> None:
    """A hand written while the count is held against the books: shown with it, or nothing is posted."""
    ann = cash.seat(database, club, pots, "Ann")
    statuses: set[int] = set()
    at, done = 0, True
    while done:
        form = scorer.open(f"{place}/count").form("/count")
        page, done = drawn(
            lambda form=form: scorer.send(form, **{f"pieces-{ann.id}-5": "0"}),  # type: ignore[misc]
            database,
            at,
            lambda: play(database, club, pots),
        )
        balance = cash.seat(database, club, pots, "Ann").balance
        answer = scorer.send(page.form("/count"), do="post")
        statuses.add(answer.status)
        assert answer.status == (412 if done else 303)
        assert cash.seat(database, club, pots, "Ann").balance == (balance if done else 0)
        at += 1
    assert statuses == {412, 303}


def test_a_leaving_is_paid_as_it_was_shown(
    scorer: Phone,
    place: str,
    pots: int,
    database: Database,
    club: Access,
) -> None:
    """Nobody reads “nothing is owed” and owes money: a quote is sent back with its own revision."""
    for at in range(9):
        page, done = drawn(
            lambda: scorer.open(f"{place}/table/leave?player=Bob"),
            database,
            at,
            lambda: play(database, club, pots),
        )
        balance = cash.seat(database, club, pots, "Bob").net
        answer = scorer.send(page.form("/table/leave"))
        if answer.status == 303:
            assert f"Bob owes {-balance / 10:,.2f} EUR" in page.text
            return
        assert (answer.status, done) == (412, True)
    pytest.fail("Bob never got away.")


def test_a_tap_does_not_take_over_what_somebody_else_wrote(
    scorer: Phone, place: str, pots: int, database: Database, club: Access
) -> None:
    """Two scorers change the seats: the second sees the present order, and loses nothing typed."""
    page = scorer.open(f"{place}/table/seats")
    theirs = ["Dee", "Cyd", "Bob", "Ann"]
    seating.change_seats(table.write(database, club), pots, order=theirs)
    page = scorer.send(page.form("/seats"), up="Cyd")
    notice = scorer.send(page.form("/seats"), do="save")
    assert notice.status == 412
    assert [seat.name for seat in ask(database, club, load, pots).present] == theirs
    assert "has changed meanwhile" in notice.text
    assert "Current seats: Dee, Cyd, Bob and Ann." in notice.text
    assert scorer.send(notice.form("/seats"), do="save").status == 303
    order = [seat.name for seat in ask(database, club, load, pots).present]
    assert order == ["Ann", "Cyd", "Bob", "Dee"]


def test_a_look_at_other_rules_does_not_take_over_a_change_of_game(
    scorer: Phone, place: str, pots: int, database: Database, club: Access
) -> None:
    """The other has the table play Six-Bid; that stands until the second knows."""
    page = scorer.open(f"{place}/rules")
    start.change_rules(
        table.write(database, club), pots, game="six-bid", variant="pagat", options={}
    )
    looked = scorer.send(refill(page, "/rules"), do="look")
    notice = scorer.send(refill(looked, "/rules"), do="save")
    assert notice.status == 412
    assert ask(database, club, load, pots).game == "six-bid"
    assert "The table plays Six-Bid Solo" in notice.text
    assert scorer.send(refill(notice, "/rules"), do="save").status == 303
    assert ask(database, club, load, pots).game == "progressive"


@pytest.mark.parametrize(
    ("address", "ending", "wrong", "right"),
    [
        ("bank", "/bank", {"player": "Ann", "chips": "no"}, {"player": "Ann", "chips": "10"}),
        ("table", "/join", {"new_name": "Ann"}, {"new_name": "Zoe", "place": "2"}),
        ("hands/1/void", "/void", {"reason": ""}, {"reason": "misdeal"}),
        ("rules", "/rate", {"rate_chips": "0", "rate_money": "1"}, {"rate_chips": "5"}),
        ("table/leave?player=Ann", "/leave", {"reason": "x" * 700}, {"reason": "the bus"}),
    ],
)
def test_a_form_shown_again_for_a_mistake_keeps_the_state_it_was_made_at(
    scorer: Phone,
    place: str,
    pots: int,
    database: Database,
    club: Access,
    address: str,
    ending: str,
    wrong: dict[str, str],
    right: dict[str, str],
) -> None:
    """While the mistake is corrected somebody writes a hand: refused once, with a notice; then it is done."""
    page = scorer.open(f"{place}/{address}")
    play(database, club, pots)
    marked = scorer.send(refill(page, ending), **wrong)
    if marked.status == 412:  # some check the revision before the typed values
        marked = page
    else:
        assert marked.status == 422
    notice = scorer.send(refill(marked, ending), **right)
    assert (notice.status, "has changed meanwhile" in notice.text) == (412, True)
    assert scorer.send(refill(notice, ending), **right).status == 303


def test_a_payment_shown_again_for_a_mistake_keeps_the_balance_it_was_made_at(
    scorer: Phone, club: Access, database: Database
) -> None:
    """Bob's debt is paid from another phone while an amount is mended: it is not paid once more."""
    session = table.start(database, club, table.FOUR, rate=Rate(10, 10))
    table.record(database, club, session, cash.ANN_WINS)
    cash.convert(database, club, session)
    money = f"/clubs/{club.club_id}/money"

    def of_bob(page: Page) -> Form:
        return next(form for form in page.reader.forms if ("payer", "Bob") in form.fields)

    page = scorer.open(money)
    cash.pay(database, club, "Bob", "Ann", 20)
    marked = scorer.send(of_bob(page), amount="nothing")
    assert marked.status == 422
    notice = scorer.send(of_bob(marked), amount="0.50")
    assert notice.status == 412
    assert cash.owed(database, club)["Bob"] == -30
    assert scorer.send(of_bob(notice), amount="0.30").status == 303


CHANGES = (
    ("hands/1/void", "/void", "reason"),
    ("undo", "/undo", ""),
    ("entries/{loan}/take-back", "/take-back", "reason"),
    ("table", "/table/return", "reason"),
    ("", "/close", ""),
)
"""Pages with a form that changes or ends what is recorded, where the form goes, and what it wants."""


@pytest.mark.parametrize(("address", "ending", "wants"), CHANGES)
def test_a_form_that_lost_its_revision_changes_nothing_and_is_shown_again(
    scorer: Phone, database: Database, club: Access, address: str, ending: str, wants: str
) -> None:
    """428; the page that comes back has one, and sent from there it is done."""
    played = table.start(database, club, table.FOUR, starting_stack=150)
    table.record(database, club, played, cash.ANN_WINS)
    if ending == "/table/return":
        cash.leave(database, club, played, "Bob")
    loan = cash.lend(database, club, played, "Ann", 5)["entry"]
    place = f"/clubs/{club.club_id}/sessions/{played}"
    before = table.row_counts(database)
    form = refill(scorer.open(f"{place}/{address.format(loan=loan)}".rstrip("/")), ending)
    said = {wants: "why"} if wants else {}
    preview = scorer.send(form, revision=None, **said)
    assert preview.status == 428
    assert "did not say which state of the session it shows" in preview.text
    assert table.row_counts(database) == before
    assert scorer.send(refill(preview, ending), **said).status == 303
    assert ask(database, club, load, played).revision > 0
    assert table.row_counts(database) != before


def test_a_form_shown_again_is_read_in_one_transaction_after_the_write(
    scorer: Phone, place: str, pots: int, database: Database, club: Access
) -> None:
    """The device is checked in one, the write refused in its own; the page is of one moment after it."""
    form = refill(scorer.open(f"{place}/table/seats"), "/table/seats")
    play(database, club, pots)
    begun: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("BEGIN"):
            begun.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        notice = scorer.send(form, do="save", order=[*table.FOUR])
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
    assert notice.status == 412
    assert begun == ["BEGIN", "BEGIN IMMEDIATE", "BEGIN"]
    assert guard(refill(notice, "/table/seats")) == ask(database, club, load, pots).revision


def test_a_form_that_lost_its_revision_writes_nothing(
    scorer: Phone, database: Database, four: str
) -> None:
    """For every form: the state its page showed may be long past."""
    before = table.row_counts(database)
    form = scorer.open(f"{four}/bank").form("/bank")
    answer = scorer.send(form, player="Ann", chips="10", revision="")
    assert answer.status == 428
    assert "did not say which state of the session it shows" in answer.text
    assert table.row_counts(database) == before
