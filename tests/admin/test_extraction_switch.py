"""The tenant's switch of extraction: by its owner, with a reason, and not on in one leap by mistake."""

from __future__ import annotations

import pytest
from django.urls import reverse

from factcheck.extraction.admin.switch import SwitchForm
from reviews.models import AuditEntry
from tests.factcheck.extraction.proposers import FixedProposer
from tests.factcheck.extraction.talks import extract
from tests.factories.conversations import open_chat, say

pytestmark = pytest.mark.django_db
REASON = "We try it on the small server first."


@pytest.fixture
def url(selmar):
    return reverse("admin:tenant_extraction", args=[selmar.tenant.pk])


def move(client, url, to, *, seen="off", reason=REASON, **more):
    form = {"extraction": to, "seen": seen, "reason": reason, **more}
    return client.post(url, form, follow=True).content.decode()


def stands(selmar):
    selmar.tenant.refresh_from_db()
    return selmar.tenant.extraction


def test_an_owner_moves_it_with_a_reason(selmar, url, sign_in):
    owner = sign_in(selmar.owner)
    assert "Say why. Nothing is changed." in move(owner, url, "shadow", reason=" ")
    assert stands(selmar) == "off"
    move(owner, url, "shadow")
    assert stands(selmar) == "shadow"
    entry = AuditEntry.objects.get(action="tenant.extraction_set")
    assert (entry.before, entry.after, entry.reason, entry.actor_label) == ("off", "shadow", REASON, "selmar-owner")


def test_others_do_not(selmar, rival, url, sign_in):
    for person in (selmar.reviewer, selmar.editor, rival.owner):
        assert sign_in(person).post(url, {"extraction": "on", "reason": REASON, "seen": "off"}).status_code == 404
    assert stands(selmar) == "off"


def test_on_without_a_run_in_shadow_takes_the_slug_typed(selmar, url, sign_in):
    owner = sign_in(selmar.owner)
    for typed in ("", "selmar!"):
        assert "Nothing was tried in shadow yet" in move(owner, url, "on", typed=typed)
        assert stands(selmar) == "off"
    move(owner, url, "on", typed=selmar.tenant.slug)
    assert stands(selmar) == "on"


def test_after_a_run_in_shadow_nothing_is_to_be_typed(selmar, url, sign_in):
    owner = sign_in(selmar.owner)
    move(owner, url, "shadow")
    chat = open_chat(selmar.tenant)
    say(chat, "Hello")
    assert "typed" in SwitchForm(tenant=selmar.tenant, is_tried=False).fields
    extract(chat, FixedProposer())
    assert 'name="typed"' not in owner.get(url).content.decode()
    move(owner, url, "on", seen="shadow")
    assert stands(selmar) == "on"


def test_of_two_tabs_the_second_is_told_and_changes_nothing(selmar, url, sign_in):
    owner = sign_in(selmar.owner)
    move(owner, url, "shadow")
    assert "It is shadow already" in move(owner, url, "shadow")
    assert "Somebody set it to shadow meanwhile" in move(owner, url, "on", typed=selmar.tenant.slug)
    assert stands(selmar) == "shadow"
    assert AuditEntry.objects.filter(action="tenant.extraction_set").count() == 1


def test_a_value_that_there_is_not_is_refused(selmar, url, sign_in):
    move(sign_in(selmar.owner), url, "always")
    assert stands(selmar) == "off"


def test_the_tenants_page_leads_there_for_owners(selmar, url, sign_in):
    page = reverse("admin:tenancy_tenant_change", args=[selmar.tenant.pk])
    assert url in sign_in(selmar.owner).get(page).content.decode()
    assert url not in sign_in(selmar.editor).get(page).content.decode()
    form = {"name": "Selmar & Sons", "extraction": "on"}
    sign_in(selmar.owner).post(page, form)
    assert stands(selmar) == "off"
