"""The books' JSON: its values, and older digests that still fit their content."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.database import json as json_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.integers(-(2**63), 2**63 - 1)
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(PLAIN)
def test_what_is_written_is_read_again(value: object) -> None:
    """Any plain value, in any language's letters."""
    assert json_text.read(json_text.text(value)) == value


@given(PLAIN)
def test_in_order_it_is_what_the_first_books_sealed(value: object) -> None:
    """Byte for byte the standard library's output, compact and sorted, as entries were sealed by it."""
    as_then = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert json_text.write(value, in_order=True) == as_then.encode()


def test_a_number_as_a_key_becomes_a_text() -> None:
    """As JSON has no other keys."""
    assert json_text.read(json_text.text({5: 2})) == {"5": 2}


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", "nan"])
def test_what_is_no_json_is_refused(text: str) -> None:
    """By the error that reading a wrong value has everywhere."""
    with pytest.raises(ValueError, match=r"line 1 column \d"):
        json_text.read(text)
