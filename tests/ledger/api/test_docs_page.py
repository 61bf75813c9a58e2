"""The API's page in a real browser, under the real service's policy and without the internet."""

import pytest

from tests.conftest import StartServer
from tests.support.phone import Phones


@pytest.mark.browser
def test_the_page_shows_every_operation_and_asks_no_other_host(
    phone: Phones, server: StartServer
) -> None:
    """As many as the document has; each request goes to the service itself, and none fails."""
    running = server()
    page = phone(running.url)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/api/v1/docs")
    page.wait_for_selector(".opblock")
    document = page.request.get(f"{running.url}/api/v1/openapi.json").json()
    told = [set(methods) - {"parameters"} for methods in document["paths"].values()]
    assert page.locator(".opblock").count() == sum(map(len, told)) >= 60
    assert page.get_by_text("Found a club and get its first token.").is_visible()
    assert len(asked) >= 4
    assert [url for url in asked if not url.startswith((running.url, "data:"))] == []
    assert phone.complaints == []
