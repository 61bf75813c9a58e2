"""Foreign files are read into the same value, and anything odd is a rejected row or a refused file."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.keeping.imports import cells
from ledger.keeping.imports.columns import ForeignColumns
from ledger.keeping.imports.formats import first_rows, read_book, recognize
from ledger.services.money.foreign_book import ForeignBook, ForeignRow
from ledger.words.problems import Invalid
from tests.ledger.keeping.imports import foreign_files as files
from tests.ledger.keeping.imports.foreign_files import Bill

TRICOUNT = ForeignColumns(date=3, text=1, cost=2, payer=4, members=5, order="dmy")
PIZZA, BACK = date(2026, 1, 3), date(2026, 1, 5)


def read(
    content: bytes | str, slug: str = "", columns: ForeignColumns | None = None
) -> ForeignBook:
    """Read a file for a club that keeps EUR."""
    return read_book(content, slug, "EUR", columns or ForeignColumns())


def sums(book: ForeignBook) -> dict[str, int]:
    """Return each member's balance."""
    balances = Counter[str](dict.fromkeys(book.members, 0))
    for row in book.rows:
        balances.update(row.amounts)
    return dict(balances)


def reasons(book: ForeignBook) -> list[tuple[int, str]]:
    """Return the lines and reasons of rejected rows."""
    return [(row.line, str(row.reason)) for row in book.rejected]


def test_a_translated_file_of_splitwise_is_read_by_position() -> None:
    """The total at the end is no row, and is compared; who paid all for one other has paid them."""
    assert recognize(files.SPLITWISE) == "splitwise"
    book = read(files.SPLITWISE)
    assert book.rows == (
        ForeignRow(3, PIZZA, "Pizza", {"Ann": 2000, "Bob": -1000, "Cyd": -1000}, False),
        ForeignRow(4, BACK, "Ann zahlte Bob", {"Ann": 1000, "Bob": -1000}, True),
    )
    assert not book.rejected
    wrong = read(files.SPLITWISE.replace(";30,00;-20,00", ";31,00;-21,00"))
    assert reasons(wrong) == [(6, "The balance of Ann in this row is not the sum of the rows.")]
    without = read(files.SPLITWISE.rpartition("\n\n")[0])
    assert without.rows == book.rows


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_every_encoding_and_line_end_gives_the_same_book(encoding: str, ends: str) -> None:
    """Also with another separator."""
    content = files.SPLITWISE.replace("\n", ends).encode(encoding)
    assert read(content) == read(files.SPLITWISE)
    tabbed = files.SPLITWISE.replace(";", "\t").encode(encoding)
    assert read(tabbed) == read(files.SPLITWISE)


def test_a_file_of_spliit_names_the_payer_by_the_sign_of_the_share() -> None:
    """If the payer has no share, the file doesn't say who paid, unless there are only two."""
    assert recognize(files.SPLIIT) == "spliit"
    book = read(files.SPLIIT)
    (pizza,) = book.rows
    assert (pizza.amounts, pizza.is_payment) == ({"Ann": 2000, "Bob": -1000, "Cyd": -1000}, False)
    assert reasons(book) == [
        (3, "The file doesn't say who paid; export the group as JSON instead.")
    ]
    two = "\n".join(line.rpartition(",")[0] for line in files.SPLIIT.splitlines())
    _, back = read(two).rows
    assert (back.amounts, back.is_payment) == ({"Ann": 1000, "Bob": -1000}, True)
    older = files.SPLIIT.replace("Original cost,Original currency,Conversion rate,", "")
    assert read(older.replace(",,,,", ",")).rows == book.rows


def test_the_members_of_ihatemoney_have_the_weights_at_which_they_paid() -> None:
    """Bob counts double; a reimbursement is a payment; XXX is no currency."""
    assert recognize(files.IHATEMONEY) == "ihatemoney"
    pizza, back = read(files.IHATEMONEY).rows
    assert pizza.amounts == {"Ann": 2250, "Bob": -1500, "Cyd": -750}
    assert (back.amounts, back.is_payment) == ({"Bob": 1000, "Ann": -1000}, True)


def test_cospend_has_blocks_and_only_the_bills_count() -> None:
    """Weights come from the members; deleted bills and placeholders are left out."""
    assert recognize(files.COSPEND) == "cospend"
    (pizza,) = read(files.COSPEND).rows
    assert (pizza.line, pizza.amounts) == (6, {"Ann": 2000, "Bob": -2000})
    assert recognize(files.COSPEND.partition("\n\n")[2]) == "cospend"


def test_a_table_is_read_by_chosen_columns() -> None:
    """Shares with a payer, whose column's heading ends in the name; or a list of names."""
    assert recognize(files.TRICOUNT) == "table"
    book = read(files.TRICOUNT, "table", TRICOUNT)
    ann, bob = book.members
    assert [row.amounts for row in book.rows] == [{ann: 2000, bob: -2000}, {ann: 300, bob: -300}]
    listed = 'Day,What,Sum,By,For\n2026-01-03,Pizza,30,Ann,"Ann,Bob"\n2026-01-03,Tip,3,Ann,\n'
    book = read(listed, "table", ForeignColumns(date=1, text=2, cost=3, payer=4, owers=5))
    assert book.rows[0].amounts == {"Ann": 1500, "Bob": -1500}
    assert reasons(book) == [(3, "A name is missing.")]
    plain = "Day,Ann,Bob,Cyd\n2026-01-03,10,-10,0\n"
    (row,) = read(plain, "table", ForeignColumns(date=1, members=2)).rows
    assert (row.amounts, row.is_payment) == ({"Ann": 1000, "Bob": -1000}, False)
    with pytest.raises(Invalid, match="Choose the column of the day"):
        read(listed, "table", ForeignColumns(date=1))
    with pytest.raises(Invalid, match="The file has only 5 columns"):
        read(listed, "table", ForeignColumns(date=1, members=9))
    assert first_rows(listed, 1) == [["Day", "What", "Sum", "By", "For"]]
    assert first_rows("{}", 1) == []


@pytest.mark.parametrize(
    ("cell", "amount"),
    [
        *((" 12.5 ", 1250), ("12,50", 1250), ("-1.234,50", -123450), ("1,234.50", 123450)),
        *(("1 234,50", 123450), ("1'234.50", 123450), ("1.234.567", 123456700), ("+7", 700)),
        *((".5", 50), ("33.33333", 3333), ("-0.005", -1), ("−12", -1200), ("١٢٫٥", 1250)),
        *(("'-3", -300), ("0.125", 13)),
    ],
)
def test_amounts_are_read_with_either_mark(cell: str, amount: int) -> None:
    """More decimals are rounded."""
    assert cells.amount_of(cell, 2) == amount


@pytest.mark.parametrize(
    "cell",
    [
        "",
        "x",
        "1,234",
        "1.234",
        "NaN",
        "inf",
        "1e5",
        "1,2,3",
        "--1",
        "9" * 30,
        "1" * 500,
        "1.2,3.4",
    ],
)
def test_an_unclear_amount_rejects_its_row(cell: str) -> None:
    """1,234 may be either; a program's own point is clear."""
    with pytest.raises(cells.CellFault):
        cells.amount_of(cell, 2)


def test_an_amount_without_decimals_has_marks_of_thousands() -> None:
    """And numbers that a program writes with a point are never ambiguous."""
    assert cells.amount_of("1,234", 0) == 1234
    assert cells.amount_of("1.234", 3) == 1234
    assert cells.amount_of("1.2345", 2, with_point=True) == 123
    with pytest.raises(cells.CellFault):
        cells.amount_of("1,5", 2, with_point=True)


@pytest.mark.parametrize(
    ("cell", "order", "day"),
    [
        ("2026-1-3", "", date(2026, 1, 3)),
        ("2026-01-03T10:00:00.000Z", "", date(2026, 1, 3)),
        ("3.1.2026", "", date(2026, 1, 3)),
        ("03/01/2026", "dmy", date(2026, 1, 3)),
        ("01/03/2026", "mdy", date(2026, 1, 3)),
        ("01/03/2026", "", None),
        ("2026-02-30", "", None),
        ("", "", None),
        ("0000-01-01", "", None),
    ],
)
def test_days_are_read_in_a_known_order(cell: str, order: str, day: date | None) -> None:
    """A slash alone doesn't tell the day from the month."""
    if day is None:
        with pytest.raises(cells.CellFault):
            cells.day_of(cell, order)
    else:
        assert cells.day_of(cell, order) == day


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("2026-13-01,a,b,1,EUR,1,-1", "“2026-13-01” is not a day; write 2026-01-31."),
        ("2026-01-01,a,b,1,USD,1,-1", "It is in USD; this club keeps EUR."),
        ("2022-01-01,a,b,1,HRK,1,-1", "It is in HRK; this club keeps EUR."),
        ("2026-01-01,a,b,1,EUR,1,-2", "What was paid and what is owed differ."),
        ("2026-01-01,a,b,1,EUR,x,-2", "“x” is not a clear amount."),
        ("2026-01-01,a,b,1,EUR,99999999999,-2", "“99999999999” is too large."),
        ("2026-01-01,a,b,1,EUR,1,-1,5", "The row has 8 cells; the table has 7 columns."),
    ],
)
def test_a_row_that_cannot_be_read_is_rejected_with_its_line(row: str, reason: str) -> None:
    """The others are read."""
    head = "Date,What,Type,Cost,Currency,Ann,Bob"
    good = "2026-01-01,a,b,1,€,1,-1"
    book = read(f"{head}\n{good}\n{row}\n{good}\n", "splitwise")
    assert len(book.rows) == 2
    assert reasons(book) == [(3, reason)]


@pytest.mark.parametrize(
    ("content", "slug", "message"),
    [
        ("", "", "The file is empty."),
        ("\0\0", "", "The file is empty."),
        ("a,b", "splitwise", "no expenses"),
        ("{", "spliit", "not valid JSON"),
        ("[" * 100_000, "ihatemoney", "not valid JSON"),
        ("{}", "spliit", "no expenses"),
        ('{"participants": [3], "expenses": []}', "spliit", "A name is missing"),
        ('{"participants": [], "expenses": 3}', "spliit", "A list is missing"),
        ('{"participants": [], "currencyCode": "USD"}', "spliit", "It is in USD"),
        ("[]", "ihatemoney", "no expenses"),
        ("name,weight,active\nAnn,1,1\n", "cospend", "no expenses"),
        ("a,b\n" + "1,2\n" * 20_002, "splitwise", "more than 20,000 rows"),
        (",".join("abcdefghij") * 1000 + "\n1,2\n", "splitwise", "more than 100 members"),
        ("a,b,c,d,e,,g\n1,2\n", "splitwise", "The heading of the 1. member's column is empty"),
        ('a,b\n"' + "x" * 200_000 + "\n", "splitwise", "quotation mark is missing or misplaced"),
        ('Date,What\n1,"a\n2,b\n', "splitwise", "quotation mark is missing"),
        ('[{"payer_name": 1e99999999999999999999}]', "ihatemoney", "not valid JSON"),
        ("x" * 2_000_001, "", "more than 2,000,000 bytes"),
        ("a\nb\n", "word", "Choose splitwise"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(content: str, slug: str, message: str) -> None:
    """With a reason, and never by another error."""
    with pytest.raises(Invalid, match=message):
        read(content, slug)


def test_members_of_one_name_are_told_apart() -> None:
    """By a number; invisible characters and the apostrophe before a formula are dropped."""
    book = read(
        "Date,What,T,Cost,C,Ann,Ann,'=Bo\u202eb\n2026-01-01,'+x,b,2,EUR,2,-1,-1\n", "splitwise"
    )
    assert book.members == ("Ann", "Ann (2)", "=Bob")
    assert book.rows[0].text == "+x"


def test_odd_values_of_json_reject_their_expense() -> None:
    """Each by itself, with its place in the list."""
    group = files.spliit_json(["Ann"], [Bill(PIZZA, "x", 100, "Ann", ["Ann"])])
    odd = ('"amount": NaN', '"amount": 1.5', '"amount": 1e400', '"amount": true', '"amount": null')
    for text in odd:
        book = read(group.replace('"amount": 100', text))
        assert [row.line for row in book.rejected] == [1], text
    for one, other in (
        ('"paidFor": [', '"paidFor": 3, "x": ['),
        ('"paidFor": [{', '"paidFor": [3, {'),
        ('"paidById": "id-Ann"', '"paidById": ["id"]'),
        ('"shares": 100', '"shares": -1'),
        ('"expenseDate": "2026', '"expenseDate": "x2026'),
        ('"expenses": [', '"expenses": [null], "x": ['),
    ):
        assert read(group.replace(one, other)).rejected, other
    bills = '[3, {"what": 3, "amount": "1", "payer_name": "Ann", "date": null, "owers": [{}]}]'
    assert [row.line for row in read(bills, "ihatemoney").rejected] == [1, 2]
    forged = '[{"payer_name": "Ann", "row": 1, "width": 1, "owers": "Ann"}]'
    assert [row.line for row in read(forged, "ihatemoney").rejected] == [1]
    weight = '[{"payer_name": "Ann", "payer_weight": "NaN", "amount": 1, "date": "2026-01-01",'
    weight += '"owers": "Ann"}]'
    assert reasons(read(weight, "ihatemoney")) == [(1, "“NaN” is not a weight.")]
    many = [
        {"payer_name": str(n), "amount": 1, "date": "2026-01-01", "owers": ["x"]}
        for n in range(101)
    ]
    with pytest.raises(Invalid, match="more than 100 members"):
        read(str(many).replace("'", '"'), "ihatemoney")


_NAMES = st.lists(
    st.text(st.characters(categories=["L", "N"], exclude_characters=","), min_size=1, max_size=9),
    min_size=2,
    max_size=6,
    unique=True,
)
_DAYS = st.dates(date(1990, 1, 1), date(2026, 1, 1))


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[tuple[date, str, Sequence[int]]]]:
    """Draw members, and rows with their amounts."""
    names = draw(_NAMES)
    amounts = st.lists(
        st.integers(-(10**6), 10**6), min_size=len(names) - 1, max_size=len(names) - 1
    ).map(lambda some: [*some, -sum(some)])
    rows = st.tuples(_DAYS, st.sampled_from(["Pizza", "A, B", 'say "x"', "=1+1", "山田"]), amounts)
    return names, draw(st.lists(rows, min_size=1, max_size=8))


@given(tables(), st.sampled_from(".,"))
def test_a_written_file_of_splitwise_is_read_again(
    book: tuple[list[str], list[tuple[date, str, Sequence[int]]]], mark: str
) -> None:
    """Every row and balance, with either decimal mark."""
    names, rows = book
    found = read(files.splitwise(names, rows, mark), "splitwise")
    assert not found.rejected
    assert [(row.day, row.text) for row in found.rows] == [(day, text) for day, text, _ in rows]
    for row, (*_, amounts) in zip(found.rows, rows, strict=True):
        assert [row.amounts.get(name, 0) for name in found.members] == [*amounts]


@st.composite
def bills(draw: st.DrawFn) -> tuple[list[str], list[Bill]]:
    """Draw members and bills."""
    names = draw(_NAMES)
    owers = st.lists(st.sampled_from(names), min_size=1, unique=True)
    bill = st.builds(
        Bill, _DAYS, st.just("Pizza"), st.integers(-(10**6), 10**6), st.sampled_from(names), owers
    )
    return names, draw(st.lists(bill, min_size=1, max_size=8))


@given(bills())
def test_bills_give_the_same_balances_in_every_format(book: tuple[list[str], list[Bill]]) -> None:
    """No cent is lost, and nobody's balance differs by more than a cent a bill."""
    names, rows = book
    found = [
        read(files.ihatemoney(rows)),
        read(files.ihatemoney(rows, as_json=True)),
        read(files.spliit_json(names, rows)),
    ]
    exact = dict.fromkeys(names, 0.0)
    for bill in rows:
        exact[bill.payer] += bill.cost
        for name in bill.owers:
            exact[name] -= bill.cost / len(bill.owers)
    for each in found:
        assert not each.rejected
        assert sum(sums(each).values()) == 0
        for name, balance in sums(each).items():
            assert abs(balance - exact[name]) <= len(rows)
    assert sums(found[1]) == {name: sums(found[2])[name] for name in sums(found[1])}


@given(
    st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)),
    st.sampled_from(["", "splitwise", "spliit", "ihatemoney", "cospend", "table"]),
)
def test_any_bytes_are_read_or_refused(content: bytes, slug: str) -> None:
    """Never another error than ``Invalid``."""
    try:
        book = read(content, slug, TRICOUNT)
    except Invalid:
        return
    assert all(sum(row.amounts.values()) == 0 for row in book.rows)


@given(st.text(',;"\n -.0123456789AnBobEUR', max_size=200))
def test_any_rows_under_known_headings_are_read_or_refused(rows: str) -> None:
    """In each format of tables."""
    for whole in (files.SPLITWISE, files.SPLIIT, files.IHATEMONEY, files.COSPEND):
        try:
            book = read(whole + rows)
        except Invalid:
            continue
        assert all(sum(row.amounts.values()) == 0 for row in book.rows)
