"""Pages of the second stage in Chromium: for screen readers, on a phone, by keyboard.

Requests are answered by Django's test client: no server runs.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from factcheck.extraction.models import FactCandidate
from knowledge.facts.models import UserFact
from tests.admin.conftest import SITE
from tests.factcheck.extraction.proposers import BrokenProposer, FixedProposer, make_delta
from tests.factcheck.extraction.talks import extract
from tests.factories.conversations import open_chat, say

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.usefixtures("close_connections")]
ARABIC = "عندي حساسية من المكسرات"
WEDDING = "wedding in three weeks, help"


@pytest.fixture
def story(selmar):
    """A player with a run, a failed run and a candidate; with words in Arabic."""
    selmar.tenant.extraction = "on"
    selmar.tenant.save()
    chat = open_chat(selmar.tenant)
    say(chat, "What should I know of you?", role="assistant")
    say(chat, ARABIC, WEDDING, "I am allergic to hazelnuts")
    answer = [
        make_delta("المكسرات", (2, ARABIC)),
        make_delta("wedding", (3, WEDDING), type="life_event"),
        make_delta("hazelnuts", (4, "I am allergic to hazelnuts")),
        make_delta("mice", (4, "I hate mice")),
    ]
    run = extract(chat, FixedProposer(answer))
    say(chat, "And so on")
    failed = extract(chat, BrokenProposer())
    return chat, run, failed


def list_pages(chat, run, failed):
    candidate = FactCandidate.objects.get()
    names = [
        ("factcheck_extractionrun_changelist",),
        ("factcheck_extractionrun_change", run.pk),
        ("factcheck_extractionrun_change", failed.pk),
        ("factcheck_factcandidate_changelist",),
        ("factcheck_factcandidate_change", candidate.pk),
        ("extraction_undo", run.pk),
        ("extraction_undo_version", run.pk),
        ("extraction_retry", failed.pk),
        ("player_extraction", chat.end_user_id),
        ("tenant_extraction", chat.tenant_id),
        ("prompt_workbench",),
        ("index",),
    ]
    return [SITE + reverse(f"admin:{name}", args=args) for name, *args in names]


def test_pages_are_fit_for_screen_readers_and_phones(visit, selmar, story):
    from axe_playwright_python.sync_playwright import Axe

    page = visit(selmar.owner)
    flaws = []
    for url in list_pages(*story):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(url)
        found = Axe().run(page, context=".m-page" if page.locator(".m-page").count() else "#content")
        flaws += [
            (url, each["id"], [node["target"] for node in each["nodes"]]) for each in found.response["violations"]
        ]
        page.set_viewport_size({"width": 390, "height": 844})
        if page.evaluate("document.querySelector('.m-page')?.scrollWidth > 390"):
            flaws.append((url, "wider than a phone", []))
    assert flaws == []


def test_a_run_is_undone_by_keyboard(visit, selmar, story):
    page = visit(selmar.owner)
    _, run, _ = story
    page.goto(SITE + reverse("admin:factcheck_extractionrun_change", args=[run.pk]))
    quote = page.locator(".m-quote", has_text=ARABIC)
    assert quote.evaluate("each => getComputedStyle(each).direction") == "rtl"
    page.get_by_role("link", name="Undo this run …").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=What the run wrote ends")
    page.get_by_role("button", name="Undo this run").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Say why. Nothing is changed.")
    assert UserFact.objects.filter(is_active=True).count() == 2
    page.locator("textarea[name=reason]").focus()
    page.keyboard.type("A bad prompt.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=is undone: 2 facts ended")
    assert not UserFact.objects.filter(is_active=True).exists()
