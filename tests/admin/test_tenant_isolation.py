"""A person sees rows of their own tenants, by whatever entry point."""

import pytest
from django.contrib import admin
from django.urls import reverse

from factcheck.patterns.admin.installation import InstallationAdmin
from knowledge.search.zero_hits import record_zero_hit
from reviews.golden.actions.changes import delete_golden_query
from reviews.models import AuditEntry, GoldenChange, GoldenQuery
from tenancy.actions.keys import issue_api_key
from tenancy.models import ApiKey, Membership, World
from tests.factories.canon import article

pytestmark = pytest.mark.django_db
SCOPED = [
    model
    for model, pages in admin.site._registry.items()
    if model._meta.app_label in {"tenancy", "knowledge", "reviews", "factcheck"}
    and not isinstance(pages, InstallationAdmin)
]


def fill(world) -> None:
    """Rows of every kind that lists show."""
    world.publish(article("harbour", "Ships of the secret harbour."))
    world.draft(article("attic", "An attic."))
    GoldenQuery.objects.create(
        tenant=world.tenant, domain_index=world.index, key="q", query="harbour", language="en", must_hit=["harbour"]
    )
    issue_api_key(tenant_id=world.tenant.pk, name=f"key of {world.tenant.slug}", scopes=["read"])


@pytest.mark.parametrize("model", SCOPED, ids=lambda model: model._meta.label_lower)
def test_lists_hold_rows_of_ones_own_tenants_only(model, selmar, rival, sign_in, operator):
    fill(selmar)
    fill(rival)
    url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    mine = sign_in(selmar.owner).get(url)
    assert mine.status_code == 200
    admin_class = admin.site._registry[model]
    tenants = {admin_class.get_tenant_id(row) for row in mine.context["cl"].result_list}
    assert tenants <= {selmar.tenant.pk}
    everything = operator.get(url)
    assert {admin_class.get_tenant_id(row) for row in everything.context["cl"].result_list} >= tenants
    assert "Rival" not in mine.content.decode()


def propose_deletion(world) -> GoldenChange:
    """The deletion of a guard, waiting for a second person."""
    query = GoldenQuery.objects.create(
        tenant=world.tenant, domain_index=world.index, key="guard", query="harbour", language="en", must_hit=["harbour"]
    )
    return delete_golden_query(actor=world.editor, query_id=query.pk, reason="It is in the way")


def test_pages_of_other_tenants_do_not_exist(selmar, rival, sign_in):
    request, release = rival.publish(article("harbour"))
    document_id = rival.live("harbour").document_id
    draft = rival.draft(article("attic"))
    item = draft.items.get()
    change = propose_deletion(rival)
    pages = [
        reverse("admin:golden_change", args=[change.pk]),
        reverse("admin:reviews_goldenchange_change", args=[change.pk]),
        reverse("admin:reviews_goldenquery_delete", args=[GoldenQuery.objects.get(key=change.key).pk]),
        reverse("admin:document", args=[document_id]),
        reverse("admin:propose_edit", args=[document_id]),
        reverse("admin:propose_retirement", args=[document_id]),
        reverse("admin:change_request", args=[request.pk]),
        reverse("admin:edit_item", args=[draft.pk, item.pk]),
        reverse("admin:board", args=[rival.index.pk]),
        reverse("admin:board_progress", args=[rival.index.pk]),
        reverse("admin:export_golden", args=[rival.index.pk]),
        reverse("admin:import_golden", args=[rival.index.pk]),
        reverse("admin:tenancy_world_change", args=[rival.world.pk]),
        reverse("admin:reviews_changerequest_change", args=[request.pk]),
        reverse("admin:knowledge_release_change", args=[release.pk]),
        reverse("admin:tenancy_world_history", args=[rival.world.pk]),
        f"{reverse('admin:new_document')}?index={rival.index.pk}",
    ]
    client = sign_in(selmar.owner)
    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 404)
    own = sign_in(rival.owner)
    assert {own.get(page).status_code for page in pages} <= {200, 302}


def test_forms_of_other_tenants_do_not_exist_and_change_nothing(selmar, rival, sign_in):
    request = rival.submitted(article("harbour"))
    change = propose_deletion(rival)
    before = AuditEntry.objects.count()
    client = sign_in(selmar.owner)
    posts = [
        reverse("admin:change_request_action", args=[request.pk, "reject"]),
        reverse("admin:board_action", args=[rival.index.pk, "stage"]),
        reverse("admin:run_golden", args=[rival.index.pk]),
        reverse("admin:forget_zero_hit", args=[rival.index.pk]),
        reverse("admin:golden_change_action", args=[change.pk, "approve"]),
        reverse("admin:board_action", args=[rival.index.pk, "canary"]),
    ]
    assert {client.post(url, {"reason": "x", "request": request.pk}).status_code for url in posts} == {404}
    request.refresh_from_db()
    assert request.state == "in_review"
    assert AuditEntry.objects.count() == before


def test_choices_of_a_form_are_those_of_ones_own_tenants(selmar, rival, sign_in):
    client = sign_in(selmar.owner)
    page = client.get(reverse("admin:tenancy_apikey_add")).content.decode()
    assert "Selmar" in page
    assert "Rival" not in page
    refused = client.post(
        reverse("admin:tenancy_apikey_add"), {"tenant": rival.tenant.pk, "name": "spy", "scopes": ["read"]}
    )
    assert "Select a valid choice" in refused.content.decode()
    assert not ApiKey.objects.filter(name="spy").exists()


def test_a_world_cannot_be_made_in_another_tenant(selmar, rival, sign_in):
    kinds = {"kind": "game", "npc_review": "on"}
    names = {"name": "Mine now", "slug": "mine", "description": "", "languages": "en", **kinds}
    form = {"tenant": rival.tenant.pk, **names}
    client = sign_in(selmar.owner)
    assert client.post(reverse("admin:tenancy_world_add"), form).status_code == 200
    assert not World.objects.filter(slug="mine").exists()
    assert client.post(reverse("admin:tenancy_world_add"), {**form, "tenant": selmar.tenant.pk}).status_code == 302
    assert World.objects.get(slug="mine").tenant == selmar.tenant


def test_home_the_playground_and_the_search_field_tell_nothing_of_others(selmar, rival, sign_in, redis):
    rival.publish(article("harbour", "Ships of the hidden harbour."))
    record_zero_hit(rival.index.pk, "where is the kraken")
    client = sign_in(selmar.editor)
    home = client.get(reverse("admin:index")).content.decode()
    assert "Rival" not in home
    assert "kraken" not in home
    played = client.get(reverse("admin:playground"), {"query": "harbour", "index": rival.index.pk})
    assert played.context["index"].tenant_id == selmar.tenant.pk
    assert "hidden harbour" not in played.content.decode()
    found = client.get(reverse("admin:search"), {"s": "harbour", "extended": "1"}).content.decode()
    assert "Harbour" not in found
    assert (
        "Harbour"
        in sign_in(rival.editor).get(reverse("admin:search"), {"s": "harbour", "extended": "1"}).content.decode()
    )


def test_owners_name_new_members_and_nobody_gets_two_roles(selmar, rival, sign_in, django_user_model):
    django_user_model.objects.create_user("newcomer")
    client, url = sign_in(selmar.owner), reverse("admin:tenancy_membership_add")
    form = {"username": "newcomer", "tenant": selmar.tenant.pk, "role": "editor"}
    for refused in ({"username": "nobody"}, {"username": "selmar-editor"}, {"tenant": rival.tenant.pk}):
        assert client.post(url, form | refused).status_code == 200
    assert sign_in(selmar.reviewer).post(url, form).status_code == 403
    assert not Membership.objects.filter(user__username="newcomer").exists()
    assert "sign in here yet" in client.post(url, form, follow=True).content.decode()
    assert Membership.objects.get(user__username="newcomer").role == "editor"


def test_staff_without_a_membership_see_how_to_get_one(selmar, sign_in):
    Membership.objects.filter(user_id=selmar.editor.user_id).delete()
    client = sign_in(selmar.editor)
    page = client.get(reverse("admin:index")).content.decode()
    assert "You belong to no tenant yet" in page
    assert client.get(reverse("admin:knowledge_publication_changelist")).status_code == 403
    assert client.get(reverse("admin:boards")).context["cards"] == []


def test_people_who_are_not_staff_are_sent_to_the_door(selmar, client, django_user_model):
    client.force_login(django_user_model.objects.create_user("player"))
    for name in ("index", "boards", "playground", "new_document"):
        assert client.get(reverse(f"admin:{name}")).status_code == 302
