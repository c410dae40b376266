"""A support person finds out why something is known of a player and disputes it, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2
import pytest

from tenancy.actions.keys import issue_api_key
from tests.admin.conftest import make_staffed_world
from tests.journeys.admin.conftest import House

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.journey, pytest.mark.django_db(transaction=True)]
SAID = "У меня аллергия на nickel, please remember it."


def test_a_support_person_sees_why_nickel_is_known_and_disputes_it(page: Page, house: House):
    world = make_staffed_world("selmar")
    key = issue_api_key(tenant_id=world.tenant.pk, name="game", scopes=["read", "engine"]).text
    game = httpx2.Client(base_url=f"{house.url}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=30)
    chat = game.post("conversations", json={"user_id": "player-1"}).json()["id"]
    said = game.post(f"conversations/{chat}/messages", json={"role": "user", "content": SAID}).json()["message_id"]
    fact = {"type": "allergy", "value": "nickel", "source": "explicit", "evidence": [said]}
    assert game.post("users/player-1/facts", json=fact).status_code in (200, 201)

    page.set_default_timeout(60_000)
    page.goto(f"{house.url}/admin/")
    page.fill("input[name=username]", "selmar-reviewer")
    page.fill("input[name=password]", "a-long-password")
    page.click("button[type=submit]")
    page.goto(f"{house.url}/admin/tenancy/enduser/?q=player-1")
    page.click("text=What is known")
    card = page.locator("article", has_text="nickel").first
    assert SAID in card.inner_text()
    assert "active" in card.inner_text()
    page.screenshot(path=str(house.logs / "known.png"), full_page=True)
    card.locator("summary").click()
    card.locator("[name=reason]").fill("The player wrote to us: it was a joke.")
    card.locator("button", has_text="Dispute").click()
    page.wait_for_selector("text=The fact is disputed")
    assert "disputed" in page.locator("article", has_text="nickel").first.inner_text()
    assert page.locator(".m-timeline", has_text="it was a joke").count() == 1
    page.screenshot(path=str(house.logs / "disputed.png"), full_page=True)

    [told] = game.get("users/player-1/facts").json()["facts"]
    assert (told["value"], told["is_active"], told["is_disputed"]) == ("nickel", True, True)
    game.close()
