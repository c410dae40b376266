"""An editor's change, from a form in a real browser to what REST and MCP answer, and back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client

from mcp import Client
from reviews.models import AuditEntry, ChangeRequest
from tenancy.actions.keys import issue_api_key
from tests.admin.conftest import make_staffed_world
from tests.factories.canon import article
from tests.factories.change_requests import Selmar
from tests.journeys.admin.conftest import House
from tests.journeys.conftest import PATIENCE_SECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.journey, pytest.mark.django_db(transaction=True)]
PASSWORD = "a-long-password"
OLD, NEW = "The bell of the western tower is bronze.", "The bell of the western tower is silver."


class Runtime:
    """A game's runtime: it holds a read key and asks by REST and by MCP."""

    def __init__(self, url: str, key: str) -> None:
        self.url = url
        self.headers = {"Authorization": f"Bearer {key}"}

    def ask(self, **parameters: Any) -> str:
        """The first hit's text by REST."""
        response = httpx2.get(
            f"{self.url}/api/v1/lore/search",
            params={"q": "western tower bell", **parameters},
            headers=self.headers,
            timeout=30,
        )
        assert response.status_code == 200, response.text
        return response.json()["hits"][0]["text"]

    def ask_by_mcp(self, **filters: Any) -> str:
        """The first hit's text by the official MCP client."""

        async def call() -> Any:
            http = httpx2.AsyncClient(headers=self.headers, timeout=30)
            async with http, Client(streamable_http_client(f"{self.url}/mcp", http_client=http)) as client:
                return await client.call_tool("lore_search", {"query": "western tower bell", "filters": filters})

        # Playwright keeps an event loop on this thread: the client gets a thread of its own.
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1) as threads:
            answer = threads.submit(lambda: asyncio.run(call())).result(timeout=60)
        assert not answer.is_error, answer.content
        return answer.structured_content["hits"][0]["text"]


@pytest.fixture
def world(house: House) -> Selmar:
    """A world whose `latest` holds the old text, with one golden query that both texts answer."""
    from reviews.models import GoldenQuery

    world = make_staffed_world("selmar")
    GoldenQuery.objects.create(
        tenant=world.tenant, domain_index=world.index, key="bell", query="which bell hangs in the western tower",
        language="en", must_hit=["western-bell"],
    )  # fmt: skip
    world.publish(article("western-bell", OLD, title="The Western Bell"), article("harbour", "Ships lie at anchor."))
    return world


def sign_in(browser: Browser, house: House, name: str) -> Page:
    """A browser of that person, on the first page."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE_SECONDS * 1000)
    page.goto(f"{house.url}/admin/")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", PASSWORD)
    page.click("button[type=submit]")
    page.wait_for_selector("text=Waiting for me")
    return page


def propose(page: Page, house: House) -> str:
    """The editor's part: find the article, change it, submit. Returns the request's address."""
    page.goto(f"{house.url}/admin/knowledge/publication/?q=western")
    page.click("text=The Western Bell")
    page.click("text=Propose an edit")
    page.wait_for_selector("[data-token-count]:has-text('tokens')")
    page.fill("[name=body]", NEW)
    page.wait_for_selector("[data-preview-target]:has-text('silver')")
    page.fill("[name=description]", "It was recast after the flood.")
    page.click("text=Save in the change request")
    page.wait_for_selector("ins:has-text('silver') >> visible=true")
    assert page.locator("del:visible", has_text="bronze").count() == 1
    page.click("text=Submit for review")
    page.wait_for_selector("text=someone else must approve it")
    assert page.locator("text=Approve what I have read").count() == 0
    return page.url


def approve_and_stage(page: Page, url: str) -> None:
    """The reviewer's part: read, approve, stage, and watch the release being built and tested."""
    page.goto(url)
    page.click("text=Claim the review")
    page.click("text=Approve what I have read")
    page.click("text=Stage it on the board")
    page.click("text=Stage the chosen requests")
    page.wait_for_selector("label[for=swap-typed]")
    assert page.locator("h3", has_text="Golden gate").locator(".m-badge").inner_text() == "Passed"


def test_a_change_goes_live_through_four_eyes_and_the_gate_and_comes_back(
    browser: Browser, house: House, world: Selmar
):
    runtime = Runtime(house.url, issue_api_key(tenant_id=world.tenant.pk, name="game", scopes=["read"]).text)
    assert OLD in runtime.ask()
    assert OLD in runtime.ask_by_mcp()

    url = propose(sign_in(browser, house, "selmar-editor"), house)
    reviewer = sign_in(browser, house, "selmar-reviewer")
    approve_and_stage(reviewer, url)
    assert OLD in runtime.ask()
    assert NEW in runtime.ask(alias="stage")

    swap = reviewer.locator("button", has_text="Swap release 2 in")
    assert swap.is_disabled()
    reviewer.fill("#swap-typed", "2")
    swap.click()
    reviewer.wait_for_selector("text=Release 2 is live.")
    assert NEW in runtime.ask()
    assert NEW in runtime.ask_by_mcp()
    assert OLD in runtime.ask(release=1)
    assert OLD in runtime.ask_by_mcp(release=1)

    reviewer.select_option("#rollback-number", "1")
    reviewer.fill("#rollback-reason", "The chronicle says bronze.")
    reviewer.fill("#rollback-typed", "main")
    reviewer.click("button:has-text('Roll back')")
    reviewer.wait_for_selector("text=Release 1 is live again.")
    assert OLD in runtime.ask()
    assert OLD in runtime.ask_by_mcp()
    assert NEW in runtime.ask(release=2)

    request = ChangeRequest.objects.get(title__startswith="Change The Western Bell")
    assert request.state == "rolled_back"
    log = AuditEntry.objects.filter(object_type="change_request", object_id=str(request.pk)).order_by("id")
    assert [entry.action.partition(".")[2] for entry in log] == [
        "created", "item_saved", "submitted", "claimed", "approved", "staged", "went_live", "rolled_back",
    ]  # fmt: skip
