"""flask-smorest's undocumented parts that the API relies on are there and mean the same."""

from importlib.metadata import version

import pytest
from flask_smorest import Api, Blueprint  # type: ignore[import-untyped]

from ledger.api.smorest_internals import documentation, documented

VERSION = f"flask-smorest {version('flask-smorest')} has changed "


def test_a_decorators_documentation_is_a_views_apidoc() -> None:
    """Its keys go to the callbacks that prepare an operation's documentation."""

    def view() -> None:
        """Do nothing."""

    blueprint = Blueprint("things", __name__)
    assert documented(view, blueprint.response(201, description="Made")) is view
    assert documentation(view)["response"]["responses"][201][0]["description"] == "Made", (
        VERSION + "_apidoc"
    )


@pytest.mark.parametrize(
    "name",
    [
        "_openapi_json",
        "_register_error_handlers",
        "_register_responses",
        "_register_pagination_header",
        "_register_etag_headers",
    ],
)
def test_what_the_document_overrides_is_the_librarys(name: str) -> None:
    """A method that is renamed would be overridden no more, without a word."""
    assert callable(getattr(Api, name, None)), VERSION + name


def test_a_blueprint_asks_callbacks_for_an_operations_documentation() -> None:
    """The list is where the API adds the parameters that any request may have."""
    assert isinstance(Blueprint("things", __name__)._prepare_doc_cbks, list), (
        VERSION + "_prepare_doc_cbks"
    )
