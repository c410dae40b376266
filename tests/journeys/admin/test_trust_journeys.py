"""No way round the gate, no lost writing: in a real browser, over the real processes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from knowledge.canon.models import DomainIndex
from npcs.profiles.actions import write_profile
from npcs.profiles.core.profiles import parse_profile
from npcs.profiles.selectors.profiles import get_profile
from reviews.models import Autosave, ChangeItem, GoldenQuery
from tests.admin.conftest import make_staffed_world
from tests.factories.canon import article
from tests.factories.change_requests import Selmar
from tests.journeys.admin.conftest import House
from tests.journeys.admin.test_canon_journey import sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.journey, pytest.mark.django_db(transaction=True)]
BODY = "The bell of the western tower is bronze."


@pytest.fixture
def world(house: House) -> Selmar:
    """A world with one live article, and staff of every role."""
    world = make_staffed_world("selmar")
    world.publish(article("western-bell", BODY, title="The Western Bell"))
    return world


def shoot(page: Page, house: House, name: str) -> None:
    """A picture of the page beside the logs, for a look."""
    page.screenshot(path=str(Path(house.logs) / f"{name}.png"), full_page=True)


def test_canary_on_a_failed_release_is_refused_until_an_owner_says_why(browser: Browser, house: House, world: Selmar):
    GoldenQuery.objects.create(
        tenant=world.tenant, domain_index=world.index, key="bronze", query="bronze", language="en",
        must_hit=["western-bell"],
    )  # fmt: skip
    _, release = world.staged(article("western-bell", "Nothing hangs there.", title="The Western Bell"))
    assert release.gate_state == "failed"
    board = f"{house.url}/admin/releases/{world.index.pk}/"
    reviewer = sign_in(browser, house, "selmar-reviewer")
    reviewer.goto(board)
    assert reviewer.locator("#canary-percent").count() == 0

    owner = sign_in(browser, house, "selmar-owner")
    owner.goto(board)
    owner.click("text=Let sessions read it all the same")
    button = owner.locator("button", has_text="Override the gate for the canary")
    assert button.is_disabled()
    shoot(owner, house, "canary")
    owner.fill("#canary-percent", "5")
    owner.fill("#canary-reason", "Testers wait for the mended riddle.")
    owner.fill("#canary-typed", f"canary {release.number}")
    button.click()
    owner.wait_for_selector("text=5 % of sessions read the stage")
    reviewer.goto(f"{house.url}/admin/")
    reviewer.wait_for_selector("text=Testers wait for the mended riddle.")
    shoot(reviewer, house, "home-canary")
    assert DomainIndex.objects.get(pk=world.index.pk).canary_percent == 5


def open_draft(page: Page, house: House, item: ChangeItem) -> None:
    page.goto(f"{house.url}/admin/requests/{item.change_request_id}/items/{item.pk}/")
    page.wait_for_selector("[data-token-count]:has-text('tokens')")


def test_two_tabs_on_one_draft_lose_neither_text(browser: Browser, house: House, world: Selmar):
    request = world.draft(article("western-bell", "The bell is silver.", title="The Western Bell"))
    item = request.items.get()
    first = sign_in(browser, house, "selmar-editor")
    second = first.context.new_page()
    open_draft(first, house, item)
    open_draft(second, house, item)
    first.fill("[name=body]", "The bell is silver and cracked.")
    first.click("text=Save in the change request")
    first.wait_for_selector("text=Saved in change request")
    second.fill("[name=body]", "The bell is silver and rings at dusk.")
    second.click("text=Save in the change request")
    second.wait_for_selector("text=saved in another window")
    shown = second.locator("[aria-label='Two texts']").inner_text()
    assert "cracked" in shown
    assert "dusk" in shown
    assert "cracked" in ChangeItem.objects.get(pk=item.pk).content["body"]
    assert "dusk" in second.input_value("[name=body]")
    shoot(second, house, "two-tabs")
    second.fill("[name=body]", "The bell is silver and cracked, and rings at dusk.")
    second.click("text=Save mine over it")
    second.wait_for_selector("text=Saved in change request")
    assert ChangeItem.objects.get(pk=item.pk).content["body"].endswith("cracked, and rings at dusk.")


def test_session_lost_while_writing_loses_no_word(browser: Browser, house: House, world: Selmar):
    document = world.live("western-bell").document_id
    page = sign_in(browser, house, "selmar-editor")
    page.goto(f"{house.url}/admin/documents/{document}/edit/")
    page.wait_for_selector("[data-token-count]:has-text('tokens')")
    page.fill("[name=body]", "The bell was kept by the server.")
    page.wait_for_selector("[data-autosave-state]:has-text('Kept at')")
    assert Autosave.objects.get().fields["body"] == ["The bell was kept by the server."]

    page.context.clear_cookies()
    page.fill("[name=body]", "The bell was written after the session was lost.")
    page.click("text=Save in the change request")
    page.wait_for_selector("text=Your words are kept in this browser")
    shoot(page, house, "signed-out")

    page.goto(f"{house.url}/admin/documents/{document}/edit/")
    page.fill("input[name=username]", "selmar-editor")
    page.fill("input[name=password]", "a-long-password")
    page.click("button[type=submit]")
    page.wait_for_function(
        "document.querySelector('[name=body]')?.value === 'The bell was written after the session was lost.'"
    )
    page.wait_for_selector("text=Restored")
    shoot(page, house, "restored")
    page.click("text=Save in the change request")
    page.wait_for_selector("text=Saved in change request")
    assert ChangeItem.objects.latest("pk").content["body"] == "The bell was written after the session was lost."
    assert not Autosave.objects.exists()
    page.goto(f"{house.url}/admin/documents/{document}/edit/")
    assert page.input_value("[name=body]") == BODY


def test_npc_changes_by_four_eyes(browser: Browser, house: House, world: Selmar):
    profile = parse_profile({"npc_id": "oda", "static": {"name": "Oda", "secrets": ["She rang it."]}})
    write_profile(tenant_id=world.tenant.pk, world_id=world.world.pk, profile=profile, author="load")

    def read() -> tuple[int, tuple[str, ...]]:
        now = get_profile(tenant_id=world.tenant.pk, world_id=world.world.pk, npc_id="oda")
        return now.persona_version, now.static.secrets

    editor = sign_in(browser, house, "selmar-editor")
    editor.goto(f"{house.url}/admin/npcs/npc/")
    editor.click("a.m-strong-link:has-text('Oda')")
    editor.click("a.m-button:has-text('Edit')")
    editor.fill("[name=secrets]", "She rang it twice.")
    shoot(editor, house, "npc-form")
    editor.click("text=Save in a change request")
    editor.wait_for_selector("ins:has-text('twice') >> visible=true")
    editor.click("text=Submit for review")
    editor.wait_for_selector("text=someone else must approve it")
    assert read() == (1, ("She rang it.",))

    reviewer = sign_in(browser, house, "selmar-reviewer")
    reviewer.goto(editor.url)
    shoot(reviewer, house, "npc-review")
    reviewer.click("text=Approve what I have read")
    reviewer.wait_for_selector("text=Approved, and in force")
    assert read() == (2, ("She rang it twice.",))
