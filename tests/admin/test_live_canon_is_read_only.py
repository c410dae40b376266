"""No page of the admin site writes live canon, the log or a run, whoever asks and by whatever way round."""

import pytest
from django.contrib import admin
from django.db import connection
from django.urls import reverse

from factcheck.models import ContradictedClaim
from knowledge import models as knowledge
from reviews import models as reviews
from tests.factories.canon import article

pytestmark = pytest.mark.django_db
READ_ONLY = [
    knowledge.Publication,
    knowledge.LoreRevision,
    knowledge.LorePassage,
    knowledge.Release,
    reviews.ChangeRequest,
    reviews.GoldenRun,
    reviews.AuditEntry,
    ContradictedClaim,
]
NOT_THERE = [
    knowledge.LoreDocument,
    knowledge.LoreChunk,
    knowledge.ReleaseEdit,
    knowledge.Alias,
    knowledge.LexemeCount,
    knowledge.VectorSpace,
    knowledge.DomainIndex,
    reviews.ChangeItem,
    reviews.ReviewComment,
    reviews.GoldenResult,
]


def fingerprint() -> dict[str, str]:
    """What the tables of canon and review hold."""
    prints = {}
    with connection.cursor() as cursor:
        for model in [*READ_ONLY, *NOT_THERE]:
            cursor.execute(f"SELECT md5(string_agg(t::text, '|' ORDER BY t.id)) FROM {model._meta.db_table} t")
            prints[model._meta.db_table] = cursor.fetchone()[0]
    return prints


@pytest.fixture
def filled(selmar):
    selmar.publish(article("bell", "The bronze bell rings."))
    ContradictedClaim.objects.create(
        tenant=selmar.tenant, domain_index=selmar.index, release_number=1, claim="The bell is silver.", method="fields",
        source_slug="bell", source_excerpt="The bronze bell rings.",
    )  # fmt: skip
    return selmar


@pytest.mark.parametrize("model", READ_ONLY, ids=lambda model: model._meta.label_lower)
def test_even_a_superuser_can_neither_add_nor_change_nor_delete(model, filled, operator):
    before = fingerprint()
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    row = model.objects.first()
    changelist = reverse(f"{name}_changelist")
    fields = {"title": "Hacked", "slug": "hacked", "state": "live", "reason": "hacked", "_save": "Save"}
    assert operator.post(reverse(f"{name}_add"), fields).status_code == 403
    assert operator.get(reverse(f"{name}_add")).status_code == 403
    assert operator.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    operator.post(reverse(f"{name}_change", args=[row.pk]), fields)
    for extra in ({"_saveasnew": "1"}, {"_popup": "1"}, {"_continue": "1"}):
        operator.post(reverse(f"{name}_change", args=[row.pk]), {**fields, **extra})
    for action in ("delete_selected", "make_published"):
        operator.post(changelist, {"action": action, "_selected_action": [row.pk], "post": "yes", "index": "0"})
    operator.post(
        changelist,
        {
            "form-TOTAL_FORMS": "1",
            "form-INITIAL_FORMS": "1",
            "form-0-id": row.pk,
            "form-0-title": "Hacked",
            "_save": "1",
        },
    )
    operator.post(reverse(f"{name}_history", args=[row.pk]), {"_change_history": "1"})
    assert fingerprint() == before


def test_tables_behind_the_canon_have_no_pages():
    assert [model for model in NOT_THERE if model in admin.site._registry] == []


def test_no_page_of_canon_or_review_offers_an_action_an_inline_or_an_editable_list():
    for model in READ_ONLY:
        page = admin.site._registry[model]
        assert not page.inlines, model
        assert not page.list_editable, model
        assert page.actions is None, model
        for name in ("actions_list", "actions_row", "actions_detail", "actions_submit_line"):
            assert not getattr(page, name), (model, name)


def test_an_article_page_offers_no_way_to_write_but_a_proposal(filled, sign_in):
    url = reverse("admin:document", args=[filled.live("bell").document_id])
    before = fingerprint()
    client = sign_in(filled.owner)
    page = client.get(url).content.decode()
    assert "Propose an edit" in page
    client.post(url, {"title": "Hacked", "body": "Hacked"})
    assert fingerprint() == before


def test_an_issued_key_can_be_revoked_but_not_edited_or_deleted(filled, sign_in, operator):
    client = sign_in(filled.owner)
    issued = client.post(
        reverse("admin:tenancy_apikey_add"),
        {"tenant": filled.tenant.pk, "name": "server", "scopes": ["read", "engine"]},
    )
    assert "no-store" in issued.headers["Cache-Control"]
    key = filled.tenant.api_keys.get(name="server")
    secret = issued.context["issued"].text
    assert secret in issued.content.decode()
    page = reverse("admin:tenancy_apikey_change", args=[key.pk])
    assert secret.rpartition("_")[2] not in client.get(page).content.decode()
    stored = bytes(key.secret_hash)
    for browser in (client, operator):
        browser.post(page, {"name": "other", "scopes": "editor", "secret_hash": "0" * 64})
        assert browser.post(reverse("admin:tenancy_apikey_delete", args=[key.pk]), {"post": "yes"}).status_code == 403
    key.refresh_from_db()
    assert (key.name, key.scopes, bytes(key.secret_hash)) == ("server", ["read", "engine"], stored)
    assert client.get(reverse("admin:revoke_api_key", args=[key.pk])).status_code == 405
    client.post(reverse("admin:revoke_api_key", args=[key.pk]))
    key.refresh_from_db()
    assert key.revoked_at is not None


def test_editors_see_no_keys(filled, sign_in):
    for person in (filled.editor, filled.reviewer):
        client = sign_in(person)
        assert client.get(reverse("admin:tenancy_apikey_changelist")).status_code == 403
        assert client.get(reverse("admin:tenancy_apikey_add")).status_code == 403
