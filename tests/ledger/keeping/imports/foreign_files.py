"""Files as other programs write them, from a book of rows; made after the formats' descriptions."""

import csv
import json
from collections.abc import Sequence
from datetime import date
from io import StringIO
from typing import NamedTuple

SPLITWISE = """\
Datum;Beschreibung;Kategorie;Kosten;Währung;Ann;Bob;Cyd

2026-01-03;Pizza;Essen;30,00;EUR;20,00;-10,00;-10,00
2026-01-05;Ann zahlte Bob;Zahlung;10,00;EUR;10,00;-10,00;0,00

2026-02-01;Gesamtsaldo; ; ;EUR;30,00;-20,00;-10,00
"""
SPLIIT = """\
Date,Description,Category,Currency,Cost,Original cost,Original currency,Conversion rate,Is Reimbursement,\
Split mode,Ann,Bob,Cyd
2026-01-03,Pizza,Food,EUR,30,,,,No,Evenly,10,-10,-10
2026-01-05,Paid back,Payment,EUR,10,,,,Yes,Evenly,0,-10,0
"""
IHATEMONEY = """\
date,what,bill_type,amount,currency,payer_name,payer_weight,owers
2026-01-03,Pizza,Expense,30.0,XXX,Ann,1.0,"Ann, Bob, Cyd"
2026-01-05,Paid back,Reimbursement,10.0,EUR,Bob,2.0,Ann
"""
COSPEND = """\
name,weight,active,color
"Ann",1,1,"#102030"
"Bob",2,1,"#203040"

what,amount,date,timestamp,payer_name,payer_weight,payer_active,owers,repeat,comment,deleted
"Pizza",30,2026-01-03,1767398400,"Ann",1,1,"Ann,Bob",n,"",0
"Dropped",99,2026-01-03,1767398400,"Ann",1,1,"Ann,Bob",n,"",1
"deleteMeIfYouWant",1,2026-01-03,1767398400,"Cyd",1,1,"Cyd",n,"",0

categoryname,categoryid,icon,color
"Food",3,"x","#304050"
"""
TRICOUNT = """\
Title,Amount,Date,Paid by,Impacted to Ann,Impacted to Bob
Pizza,30.00,31/01/2026,Ann,10.00,20.00
Refund,-6.00,31/01/2026,Bob,-3.00,-3.00
"""


class Bill(NamedTuple):
    """A cost that a payer paid for others equally."""

    day: date
    text: str
    cost: int
    payer: str
    owers: Sequence[str]


def decimal(amount: int, mark: str = ".") -> str:
    """Return an amount in cents with two decimals."""
    units, cents = divmod(abs(amount), 100)
    return f"{'-' if amount < 0 else ''}{units}{mark}{cents:02}"


def splitwise(
    members: Sequence[str], rows: Sequence[tuple[date, str, Sequence[int]]], mark: str = "."
) -> str:
    """Return a file of Splitwise; the amounts of each row are those of the members."""
    stream = StringIO()
    writer = csv.writer(stream, delimiter=";" if mark == "," else ",")
    writer.writerow(["Date", "Description", "Category", "Cost", "Currency", *members])
    stream.write("\n")
    for day, text, amounts in rows:
        cost = sum(amount for amount in amounts if amount > 0)
        cells = [decimal(amount, mark) for amount in amounts]
        writer.writerow([day, text, "General", decimal(cost, mark), "EUR", *cells])
    totals = [sum(amounts) for amounts in zip(*(row[2] for row in rows), strict=True)]
    stream.write("\n")
    cells = [decimal(total, mark) for total in totals]
    writer.writerow([date(2026, 1, 1), "Total balance", " ", " ", "EUR", *cells])
    return stream.getvalue()


def ihatemoney(bills: Sequence[Bill], *, as_json: bool = False) -> str:
    """Return a file of ihatemoney."""
    rows = [
        {
            "what": bill.text,
            "bill_type": "Expense",
            "amount": bill.cost / 100,
            "currency": "XXX",
            "date": str(bill.day),
            "payer_name": bill.payer,
            "payer_weight": 1.0,
            "owers": [*bill.owers] if as_json else ", ".join(bill.owers),
        }
        for bill in bills
    ]
    if as_json:
        return json.dumps(rows)
    stream = StringIO()
    writer = csv.DictWriter(stream, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def spliit_json(members: Sequence[str], bills: Sequence[Bill]) -> str:
    """Return a JSON file of spliit."""
    expenses = [
        {
            "expenseDate": f"{bill.day}T00:00:00.000Z",
            "title": bill.text,
            "amount": bill.cost,
            "paidById": f"id-{bill.payer}",
            "paidFor": [{"participantId": f"id-{name}", "shares": 100} for name in bill.owers],
            "isReimbursement": False,
            "splitMode": "EVENLY",
        }
        for bill in bills
    ]
    people = [{"id": f"id-{name}", "name": name} for name in members]
    group = {"currency": "€", "currencyCode": "EUR", "participants": people}
    return json.dumps(group | {"expenses": expenses})
