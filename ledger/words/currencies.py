"""How money is written and read: with as many decimals as ISO 4217 gives the club's currency.

Amounts are whole numbers of its smallest part: 1250 are 12.50 EUR, 1,250 JPY and 1.250 KWD. A sum is read as
its reader's language writes it, with point and comma in each other's place, too; what could be meant in two
ways is refused.
"""

import re
from functools import lru_cache

from engine.words import sentences
from ledger.words import digits
from ledger.words.problems import Invalid
from ledger.words.translation import reader

MOST_MONEY = 1_000_000_000
"""The largest amount that can be entered at once."""

_OF_UNKNOWN = 2
"""The decimals of a code that older books hold and ISO 4217 does not list."""

_ONE_MARK = re.compile(r"([0-9]+)(?:([.,])([0-9]+))?")
_THOUSANDS = (
    re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+)(?:\.([0-9]+))?"),
    re.compile(r"([0-9]{1,3}(?:\.[0-9]{3})+),([0-9]+)"),
)
_LONGEST_SHOWN = 20
_LONGEST_READ = 100


@lru_cache
def decimals(code: str) -> int:
    """Return how many decimals a currency is written with.

    >>> decimals("EUR"), decimals("JPY"), decimals("KWD")
    (2, 0, 3)
    """
    places = _decimals_listed(code)
    return _OF_UNKNOWN if places is None else places


def is_listed(code: str) -> bool:
    """Whether ISO 4217 lists a code as money that people pay with: gold (XAU) has no decimals and is none.

    >>> is_listed("CHF"), is_listed("ABC"), is_listed("XAU")
    (True, False, False)
    """
    return _decimals_listed(code) is not None


def write(amount: int, code: str, *, grouped: bool = True) -> str:
    """Write an amount, its thousands apart unless it goes into a field to be typed over.

    >>> write(123456, "EUR"), write(-123456, "JPY"), write(5, "KWD"), write(123456, "EUR", grouped=False)
    ('1,234.56', '-123,456', '0.005', '1234.56')
    """
    places = decimals(code)
    whole, part = divmod(abs(amount), 10**places)
    written = f"{whole:,}" if grouped else str(whole)
    return f"{'-' if amount < 0 else ''}{written}{f'.{part:0{places}}' if places else ''}"


def say(amount: int, code: str) -> str:
    """Write an amount with its currency.

    >>> say(5, "EUR")
    '0.05 EUR'
    """
    return sentences.say("{sum:figure} {currency}", sum=write(amount, code), currency=code)


def payable(code: str) -> str:
    """Say which amounts the ledger takes: "0.01 to 10,000,000.00 EUR".

    >>> payable("JPY")
    '1 to 1,000,000,000 JPY'
    """
    most = say(MOST_MONEY, code)
    return sentences.say("{least:figure} to {most}", least=write(1, code), most=most)


def read(text: str, code: str, field: str) -> int:
    """Read a sum that somebody typed. Raises ``Invalid`` at ``field``, saying how it is written.

    >>> [read(text, "EUR", "amount") for text in ("12.50", "12,5", "1250", "1,250.00", "1.250,00")]
    [1250, 1250, 125000, 125000, 125000]
    >>> read("١٢٫٥٠", "EUR", "amount")
    1250
    >>> read("1250", "JPY", "amount"), read("1,250", "JPY", "amount"), read("1.25", "KWD", "amount")
    (1250, 1250, 1250)
    """
    places, typed, language = decimals(code), text.strip(), reader()
    marks = str.maketrans(language.thousands + language.point, ",.")
    said = digits.western(typed.translate(marks))
    unsigned = said.removeprefix("-")
    found = _parts(unsigned, places)
    if found is None:
        shown = digits.western(typed)[:_LONGEST_SHOWN]
        whole_only = sentences.later(
            "“{said}” is not an amount in {code}; write it without decimals, such as 1250."
        )
        parts_too = sentences.later(
            "“{said}” is not an amount in {code}; write it with a point and at most {places} decimals,"
            " such as {example}."
        )
        message = sentences.say(
            parts_too if places else whole_only,
            said=shown,
            code=code,
            places=places,
            example=write(1250, code),
        )
        raise Invalid.at(field, "no-sum", message)
    whole, part = found
    amount = int(whole + part.ljust(places, "0"))
    return amount if unsigned == said else -amount


def _decimals_listed(code: str) -> int | None:
    """Return the decimals in ISO 4217, or None for an unlisted code.

    Babel is no substitute for the package: its customary decimals differ for 13 currencies (0 for RSD instead
    of 2, so old amounts would change), and it lists former currencies, too.
    """
    from iso4217 import Currency  # not at the top: it reads its whole table

    try:
        return Currency(code).exponent
    except ValueError:
        return None


def _parts(text: str, places: int) -> tuple[str, str] | None:
    """Return what comes before and after the point; None where a sum of ``places`` decimals is not sure."""
    if len(text) > _LONGEST_READ:
        return None
    found = _ONE_MARK.fullmatch(text)
    if found is not None:
        whole, mark, part = found[1], found[2], found[3] or ""
        perhaps_thousands = mark == "," and len(part) == 3 and len(whole) < 4 and whole != "0"
        if len(part) <= places and not perhaps_thousands:
            return whole, part
        return (whole + part, "") if perhaps_thousands and places == 0 else None
    for form in _THOUSANDS:
        found = form.fullmatch(text)
        if found is not None and len(found[2] or "") <= places:
            return re.sub("[.,]", "", found[1]), found[2] or ""
    return None
