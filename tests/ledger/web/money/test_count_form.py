"""The ledger's chips in one tap, and forms of a count that nobody can have filled in."""

import pytest
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import ChipCount
from tests.ledger import cash, table
from tests.ledger.table import ask
from tests.ledger.web.phone import Form, Page, Phone


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann, Bob, Cyd and Dee with 150 chips each."""
    return table.start(database, club, table.FOUR, starting_stack=150)


@pytest.fixture
def ann(database: Database, club: Access, tonight: int) -> int:
    """Ann's seat."""
    return table.seat_id(database, club, tonight, "Ann")


def typed(page: Page, seat: int) -> dict[int, str]:
    """Return the numbers in a player's fields, by value of the chips."""
    fields = dict(page.form("/count").fields)
    return {value: fields[f"pieces-{seat}-{value}"] for value in (5, 20, 30)}


def recorded(database: Database, club: Access) -> list[tuple[int, int, dict[str, int]]]:
    """Return the counted sum, the ledger's and the pieces of each recorded count."""
    rows = ask(database, club, lambda session: session.exec(select(ChipCount)).all())
    return [(row.counted, row.expected, row.pieces) for row in rows]


@pytest.mark.parametrize("borrowed", [0, 5, 45, 1005])
def test_the_same_as_the_ledger_fills_in_chips_worth_exactly_that(
    scorer: Phone,
    address: str,
    database: Database,
    club: Access,
    tonight: int,
    ann: int,
    borrowed: int,
) -> None:
    """Nobody else is counted, nothing is saved before it is recorded, and the record has these chips."""
    if borrowed:
        cash.lend(database, club, tonight, "Ann", borrowed)
    chips = 150 + borrowed
    page = scorer.send(scorer.open(f"{address}/count").form("/count"), same=str(ann))
    pieces = {value: int(number) for value, number in typed(page, ann).items()}
    assert sum(value * number for value, number in pieces.items()) == chips
    assert f"Ann {chips:,}, as the ledger says" in page.text
    assert "1 of 4 counted all as the ledger says" in page.text
    assert recorded(database, club) == []
    assert scorer.send(page.form("/count"), do="write").status == 303
    by_value = {str(value): number for value, number in pieces.items()}
    assert recorded(database, club) == [(chips, chips, by_value)]


def test_the_same_as_the_ledger_is_cleared_in_one_tap(
    scorer: Phone, address: str, database: Database, club: Access, ann: int
) -> None:
    """The player counts as uncounted again; a chip more or less is a difference."""
    same = scorer.send(scorer.open(f"{address}/count").form("/count"), same=str(ann))
    assert ("clear", str(ann)) in same.form("/count").buttons
    more = str(int(typed(same, ann)[5]) + 1)
    changed = scorer.send(same.form("/count"), do="compare", **{f"pieces-{ann}-5": more})
    assert "Ann Counted 155: +5" in changed.text
    cleared = scorer.send(same.form("/count"), clear=str(ann))
    assert set(typed(cleared, ann).values()) == {""}
    assert "Count one player or all." in cleared.text
    assert ("same", str(ann)) in cleared.form("/count").buttons
    assert recorded(database, club) == []


def test_a_balance_that_no_chips_make_is_said_instead(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int, ann: int
) -> None:
    """An odd loan and a debt: no button, and asking for it anyway counts nobody."""
    cash.lend(database, club, tonight, "Ann", 3)
    for _ in range(4):
        table.record(database, club, tonight, cash.ANN_WINS)
    page = scorer.open(f"{address}/count")
    bob = table.seat_id(database, club, tonight, "Bob")
    for seat, balance in ((ann, "753"), (bob, "−50")):
        assert f"These chips can't make {balance}, so count what is there." in page.text
        assert ("same", str(seat)) not in page.form("/count").buttons
        forged = scorer.send(page.form("/count"), same=str(seat))
        assert set(typed(forged, seat).values()) == {""}
        assert "Count one player or all." in forged.text


def test_a_session_without_chips_can_not_be_counted(
    scorer: Phone, address: str, database: Database, club: Access, ann: int
) -> None:
    """The form of another session, sent to one of German Solo: 409 and the reason."""
    form = scorer.open(f"{address}/count").form("/count")
    scored = table.start(database, club, table.FOUR, "german-solo")
    there = Form(f"{address.rpartition('/')[0]}/{scored}/count", form.fields)
    before = table.row_counts(database)
    for filled in ({"do": "compare"}, {"do": "write"}, {"do": "post"}, {"same": str(ann)}, {}):
        page = scorer.send(there, **{f"pieces-{ann}-5": "3"}, **filled)
        assert page.status == 409, filled
        assert "German Solo is played for scores, not for chips" in page.text
    assert table.row_counts(database) == before


@pytest.mark.parametrize("number", ["-1", "9" * 30, "9" * 5000, "1e3", "6.0", "\x00", "<b>", "1_0"])
def test_a_number_that_nobody_counts_is_refused_at_its_field(
    scorer: Phone, address: str, database: Database, ann: int, number: str
) -> None:
    """Compared or recorded, whatever its length."""
    before = table.row_counts(database)
    form = scorer.open(f"{address}/count").form("/count")
    for do in ("compare", "write", "post"):
        scorer.must_refuse(form, f"pieces-{ann}-5", "Ann", do=do, **{f"pieces-{ann}-5": number})
    assert table.row_counts(database) == before


def test_a_form_with_other_seats_buttons_or_nothing_counts_nobody(
    scorer: Phone, address: str, database: Database
) -> None:
    """A seat that isn't there, a button that isn't, and no field at all."""
    before = table.row_counts(database)
    form = scorer.open(f"{address}/count").form("/count")
    for filled in ({"same": "x"}, {"same": "9" * 400}, {"clear": "-1"}, {"do": "zap"}):
        assert scorer.send(form, **filled).status == 200, filled
    unknown = scorer.send(form, do="write", **{"pieces-999-5": "3"})
    assert unknown.status == 422
    assert "at least one player" in unknown.text
    assert scorer.client.post(f"{address}/count", data={}).status_code == 400
    assert table.row_counts(database) == before


def test_a_player_who_left_meanwhile_is_not_counted(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int, ann: int
) -> None:
    """The count without them is shown before it is recorded."""
    bob = table.seat_id(database, club, tonight, "Bob")
    counts = {f"pieces-{ann}-30": "5", f"pieces-{bob}-30": "5"}
    page = scorer.send(scorer.open(f"{address}/count").form("/count"), do="compare", **counts)
    cash.leave(database, club, tonight, "Bob")
    shown = scorer.send(page.form("/count"), do="write")
    assert "Look at the difference, then record it." in shown.text
    assert "1 of 3 counted" in shown.text
    assert recorded(database, club) == []


def test_of_two_devices_that_count_at_once_the_second_looks_again(
    scorer: Phone, address: str, database: Database, club: Access, ann: int
) -> None:
    """412, the typed numbers stay, and the difference is one from the ledger as it is now."""
    forms = [scorer.open(f"{address}/count").form("/count") for _ in range(2)]
    first, second = (
        scorer.send(form, do="compare", **{f"pieces-{ann}-30": number})
        for form, number in zip(forms, ("4", "5"), strict=True)
    )
    assert scorer.send(first.form("/count"), do="post").status == 303
    stale = scorer.send(second.form("/count"), do="post")
    assert stale.status == 412
    assert "Ann Counted 150: +30" in stale.text
    assert [counted for counted, _, _ in recorded(database, club)] == [120]
