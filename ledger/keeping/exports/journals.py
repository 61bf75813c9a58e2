"""A club's journal for Beancount and hledger: accounts, entries, and a check of every balance."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Protocol

from engine.rules.sheet import CHIPS, SCORE
from ledger.database.scope import ScopedSession
from ledger.keeping.exports.account_names import AccountNames, commodity
from ledger.keeping.exports.csv_text import decimals_of, in_decimals
from ledger.keeping.exports.entry_rows import (
    ExportedAccount,
    ExportedEntry,
    exported_accounts,
    exported_entries,
    span_of_entries,
)
from ledger.services.club import clubs, players
from ledger.services.common.texts import is_hidden
from ledger.services.money import currency
from ledger.services.session.session_filter import EVERY_SESSION


class JournalWriter(Protocol):
    """Writes the parts of a journal in the language of one program."""

    def head(self, club: str, currency: str) -> str:
        """Return the beginning of a club's file."""

    def account(self, name: str, account: ExportedAccount, day: date) -> str:
        """Return the opening of an account on the first day."""

    def entry(self, entry: ExportedEntry, title: str, postings: Iterator[tuple[str, str]]) -> str:
        """Return an entry with its postings: names of accounts, each with an amount."""

    def balance(self, name: str, amount: str, day: date) -> str:
        """Return the check of a balance after the last day but one."""


def journal_pieces(session: ScopedSession, writer: JournalWriter) -> Iterator[str]:
    """Yield a club's whole journal, piece by piece; each account's balance is checked at its end."""
    span = span_of_entries(session)
    if span is None:
        return
    first, last = (at.date() for at in span)
    names = AccountNames({player.id: player.name for player in players.everyone(session)})
    yield writer.head(clubs.show(session).name, currency.show(session).currency)
    for account in exported_accounts(session):
        yield writer.account(names.of(account), account, first)
    amounts = _Amounts()
    for entry in exported_entries(session, EVERY_SESSION):
        postings = (
            (names.by_key(line.account, line.player_id), amounts.text(line.amount, line.unit))
            for line in entry.postings
        )
        yield writer.entry(entry, _title(entry), postings)
    for account in exported_accounts(session):
        for unit, amount in account.balances.items():
            text = amounts.text(amount, unit)
            yield writer.balance(names.of(account), text, last + timedelta(days=1))


class _Amounts:
    """Renders amounts with their commodities."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {CHIPS: 0, SCORE: 0}

    def text(self, amount: int, unit: str) -> str:
        """Return an amount such as "12.50 EUR" or "40 CHIP"."""
        if unit not in self._places:
            self._places[unit] = decimals_of(unit)
        return f"{in_decimals(amount, self._places[unit])} {commodity(unit)}"


def _title(entry: ExportedEntry) -> str:
    """Return what an entry is about: "Hand 3, Evening 12", "Loan, Evening 12" or "Payment"."""
    subject = entry.kind.replace("-", " ").capitalize()
    if entry.hand is not None:
        subject = (
            f"Hand {entry.hand}" if entry.kind == "hand" else f"{subject} of hand {entry.hand}"
        )
    return f"{subject}, {entry.evening}" if entry.evening else subject


def _facts(entry: ExportedEntry) -> Mapping[str, str]:
    """Return an entry's metadata, without empty ones."""
    facts = {
        "kind": entry.kind,
        "entry": str(entry.id),
        "reverses": str(entry.reverses_id or ""),
        "evening": str(entry.session_id or ""),
        "by": entry.author,
        "reason": entry.reason or "",
        "at": f"{entry.occurred_at:%Y-%m-%dT%H:%M:%SZ}",
        "digest": entry.digest,
    }
    return {name: value for name, value in facts.items() if value}


def _in_line(text: str) -> str:
    """Return a text in one line, without control characters; the joiners of scripts and emoji stay."""
    return " ".join("".join(" " if is_hidden(c) else c for c in text).split())


class Beancount:
    """Writes for Beancount 2 and 3; a reversal and its entry have a link in common."""

    def head(self, club: str, currency: str) -> str:
        """Return the options."""
        return (
            f'option "title" {self._text(club)}\n'
            f'option "operating_currency" "{commodity(currency)}"\n\n'
        )

    def account(self, name: str, account: ExportedAccount, day: date) -> str:
        """Return an ``open`` directive, with the name of the player or evening as metadata."""
        commodities = ",".join(map(commodity, account.balances))
        lines = [f"{day} open {name} {commodities}", f'  account: "{_in_line(account.key)}"']
        if account.player is not None:
            lines.append(f"  player: {self._text(account.player)}")
        if account.evening is not None:
            lines.append(f"  evening: {self._text(account.evening)}")
        return "\n".join(lines) + "\n"

    def entry(self, entry: ExportedEntry, title: str, postings: Iterator[tuple[str, str]]) -> str:
        """Return a transaction."""
        links = "".join(f" ^entry-{each}" for each in (entry.id, entry.reverses_id) if each)
        lines = [f"\n{entry.occurred_at.date()} * {self._text(title)}{links}"]
        lines += [f"  {name}: {self._text(value)}" for name, value in _facts(entry).items()]
        lines += [f"  {name}  {amount}" for name, amount in postings]
        return "\n".join(lines) + "\n"

    def balance(self, name: str, amount: str, day: date) -> str:
        """Return a ``balance`` directive, which holds at the beginning of its day."""
        return f"\n{day} balance {name}  {amount}"

    @staticmethod
    def _text(text: str) -> str:
        escaped = _in_line(text).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'


class Hledger:
    """Writes for hledger; metadata are tags, and a reversal has the number of its entry in one."""

    def head(self, club: str, currency: str) -> str:
        """Return the commodities, and their decimals."""
        examples = (in_decimals(0, decimals_of(unit)) for unit in (CHIPS, SCORE, currency))
        units = zip(examples, map(commodity, (CHIPS, SCORE, currency)), strict=True)
        lines = [f"; {self._text(club)}"]
        lines += [f"commodity {text if '.' in text else text + '.'} {unit}" for text, unit in units]
        return "\n".join(lines) + "\n\n"

    def account(self, name: str, account: ExportedAccount, day: date) -> str:  # noqa: ARG002
        """Return an ``account`` directive, with the name of the player or evening as tags."""
        tags = {"account": account.key, "player": account.player, "evening": account.evening}
        return f"account {name}\n{self._tags(tags)}"

    def entry(self, entry: ExportedEntry, title: str, postings: Iterator[tuple[str, str]]) -> str:
        """Return a transaction, with the number of the entry as its code."""
        head = f"\n{entry.occurred_at.date()} * ({entry.id}) {self._text(title)}\n"
        lines = (f"    {name}  {amount}\n" for name, amount in postings)
        return head + self._tags(_facts(entry)) + "".join(lines)

    def balance(self, name: str, amount: str, day: date) -> str:
        """Return a transaction of nothing, with a balance assertion."""
        nothing = f"0 {amount.rpartition(' ')[2]}"
        return f"\n{day} * Balance\n    {name}  {nothing} = {amount}\n"

    def _tags(self, tags: Mapping[str, str | None]) -> str:
        lines = (f"    ; {name}:{self._text(value)}\n" for name, value in tags.items() if value)
        return "".join(lines)

    @staticmethod
    def _text(text: str) -> str:
        """Return a text without the characters that end a description or a tag."""
        return _in_line(text.translate(_RESERVED))


_RESERVED = str.maketrans({";": ".", ",": " ", "|": "/"})
