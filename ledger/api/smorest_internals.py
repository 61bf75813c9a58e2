"""The only reads of an attribute that flask-smorest does not document: `_apidoc`, a view's documentation.

The library's decorators set it on a wrapper that each call would go through. Here the documentation is copied
to the view itself. `tests/ledger/api/test_smorest_internals.py` fails if an upgrade changes it, or a method
that `blueprint` and `spec` override.
"""

from collections.abc import Callable
from typing import Any, TypeVar

Documented = TypeVar("Documented", bound=Callable[..., Any])


def documentation(view: Any) -> dict[str, Any]:
    """Return a view's documentation, which a caller may extend."""
    stored: dict[str, Any] = view._apidoc
    return stored


def documented(view: Documented, decorator: Callable[[Any], Any]) -> Documented:
    """Return the same view with the documentation of the library's decorator, without its wrapper."""
    view._apidoc = documentation(decorator(view))  # type: ignore[attr-defined]
    return view
