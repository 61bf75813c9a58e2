"""Formats and parses money, with the decimals that ISO 4217 defines for a currency.

Amounts are integers in minor units: 1250 are 12.50 EUR, 1,250 JPY and 1.250 KWD. Sums are parsed with the
reader's separators, also with point and comma exchanged; an ambiguous sum is refused.
"""

import re

from engine.words import sentences
from ledger.words import digits
from ledger.words.problems import Invalid
from ledger.words.translation import reader

MOST_MONEY = 1_000_000_000
"""The largest amount that can be entered at once."""

_OF_UNKNOWN = 2
"""The decimals of a code in older ledgers that ISO 4217 does not list."""

_ONE_MARK = re.compile(r"([0-9]+)(?:([.,])([0-9]+))?")
_THOUSANDS = (
    re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+)(?:\.([0-9]+))?"),
    re.compile(r"([0-9]{1,3}(?:\.[0-9]{3})+),([0-9]+)"),
)
_LONGEST_EXCERPT = 20
_LONGEST_READ = 100


def decimals(code: str) -> int:
    """Return the number of decimals of a currency; 2 for an unknown code.

    >>> decimals("EUR"), decimals("JPY"), decimals("KWD")
    (2, 0, 3)
    """
    places = _decimals_listed(code)
    return _OF_UNKNOWN if places is None else places


def is_listed(code: str) -> bool:
    """Return whether ISO 4217 lists a code as money to pay with, unlike gold (XAU).

    >>> is_listed("CHF"), is_listed("ABC"), is_listed("XAU")
    (True, False, False)
    """
    return _decimals_listed(code) is not None


def write(amount: int, code: str, *, grouped: bool = True) -> str:
    """Format an amount in English, with thousands separators unless it is for an input field.

    >>> write(123456, "EUR"), write(-123456, "JPY"), write(5, "KWD"), write(123456, "EUR", grouped=False)
    ('1,234.56', '-123,456', '0.005', '1234.56')
    """
    places = decimals(code)
    units, part = divmod(abs(amount), 10**places)
    text = f"{units:,}" if grouped else str(units)
    return f"{'-' if amount < 0 else ''}{text}{f'.{part:0{places}}' if places else ''}"


def say(amount: int, code: str) -> str:
    """Return an amount in minor units with its currency, as a sentence.

    >>> say(5, "EUR")
    '0.05 EUR'
    """
    return sentences.say("{sum:figure} {currency}", sum=write(amount, code), currency=code)


def payable(code: str) -> str:
    """Return the range of amounts that can be entered, from one minor unit to ``MOST_MONEY``, as a sentence.

    The text is English; a page translates it, with the separators of its reader.

    >>> payable("EUR"), payable("JPY")
    ('0.01 to 10,000,000.00 EUR', '1 to 1,000,000,000 JPY')
    """
    most = say(MOST_MONEY, code)
    return sentences.say("{least:figure} to {most}", least=write(1, code), most=most)


def read(text: str, code: str, field: str) -> int:
    """Parse a sum of money, also a negative one, into minor units.

    Raises ``Invalid`` at ``field``, with an example, for an invalid or ambiguous one.

    >>> [read(text, "EUR", "amount") for text in ("12.50", "12,5", "1250", "1,250.00", "1.250,00")]
    [1250, 1250, 125000, 125000, 125000]
    >>> read("١٢٫٥٠", "EUR", "amount")
    1250
    >>> read("1250", "JPY", "amount"), read("1,250", "JPY", "amount"), read("1.25", "KWD", "amount")
    (1250, 1250, 1250)
    """
    places, typed, language = decimals(code), text.strip(), reader()
    marks = str.maketrans(language.thousands + language.point, ",.")
    number = digits.western(typed.translate(marks))
    unsigned = number.removeprefix("-")
    parts = _parts(unsigned, places)
    if parts is None:
        excerpt = digits.western(typed)[:_LONGEST_EXCERPT]
        whole_only = sentences.later(
            "“{said}” is not an amount in {code}; write it without decimals, such as 1250."
        )
        parts_too = sentences.later(
            "“{said}” is not an amount in {code}; write it with a point and at most {places} decimals,"
            " such as {example}."
        )
        message = sentences.say(
            parts_too if places else whole_only,
            said=excerpt,
            code=code,
            places=places,
            example=write(1250, code),
        )
        raise Invalid.at(field, "no-sum", message)
    units, part = parts
    amount = int(units + part.ljust(places, "0"))
    return amount if unsigned == number else -amount


def _decimals_listed(code: str) -> int | None:
    """Return the decimals in ISO 4217, or None for an unlisted code.

    Babel can't replace the package: its customary decimals differ for 13 currencies (0 for RSD instead
    of 2, so old amounts would change), and it lists former currencies, too.
    """
    from iso4217 import Currency  # not at the top: it reads its whole table

    try:
        return Currency(code).exponent
    except ValueError:
        return None


def _parts(text: str, places: int) -> tuple[str, str] | None:
    """Return the digits before and after the point; ``None`` for an invalid or ambiguous sum.

    "1,234" is 1234 in a currency without minor units, and ambiguous in any other.
    """
    if len(text) > _LONGEST_READ:
        return None
    match = _ONE_MARK.fullmatch(text)
    if match is not None:
        units, mark, part = match[1], match[2], match[3] or ""
        perhaps_thousands = mark == "," and len(part) == 3 and len(units) < 4 and units != "0"
        if len(part) <= places and not perhaps_thousands:
            return units, part
        return (units + part, "") if perhaps_thousands and places == 0 else None
    for form in _THOUSANDS:
        match = form.fullmatch(text)
        if match is not None and len(match[2] or "") <= places:
            return re.sub("[.,]", "", match[1]), match[2] or ""
    return None
