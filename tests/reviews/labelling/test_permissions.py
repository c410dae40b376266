"""A labeller sees the queue and its guide, of their own tenants, and no other page of the admin site."""

from __future__ import annotations

import re

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.urls import get_resolver, reverse
from django.urls.exceptions import NoReverseMatch

from reviews.labelling.admin.urls import build_urls
from reviews.labelling.core.verdicts import NAMES
from reviews.labelling.selectors.items import get_pseudonym
from reviews.models import GoldenCase, SampleLabel, SampleLease
from tenancy.models import Membership, Tenant
from tests.factories.conversations import open_chat
from tests.factories.people import make_member
from tests.reviews.labelling.items import make_sample

pytestmark = pytest.mark.django_db
REVIEWERS_ONLY = {"labelling_cases", "labelling_export_cases", "labelling_forget_case"}
OF_EVERYBODY = {
    "index", "login", "logout", "password_change", "password_change_done", "jsi18n", "autocomplete", "app_list",
    "search", "view_on_site",
}  # fmt: skip
POSTS = {"label", "undo", "skip", "keep", "languages", "end_fact", "make_case", "forget_case"}


def list_addresses(tenant, label_id=1, case_id=1):
    """Name to address of every labelling page."""
    values = {"tenant_id": tenant.pk, "label_id": label_id, "case_id": case_id}
    found = {}
    for pattern in build_urls(admin.site):
        names = re.findall(r"<int:(\w+)>", str(pattern.pattern))
        found[pattern.name] = reverse(f"admin:{pattern.name}", kwargs={name: values[name] for name in names})
    return found


def ask(client, name, url):
    is_post = name.removeprefix("labelling_") in POSTS
    return client.post(url, {}) if is_post else client.get(url)


@pytest.mark.parametrize("role", ["labeller", "reviewer", "owner"])
def test_who_labels_opens_every_page_of_the_queue(tenant, talk, browse, role):
    person = make_member(tenant, "pat", role)
    make_sample(talk)
    client = browse(person)
    codes = {}
    for name, url in list_addresses(tenant).items():
        codes[name] = ask(client, name, url).status_code
    hidden = {name for name, code in codes.items() if code == 404}
    not_there = {"labelling_end_fact", "labelling_make_case", "labelling_forget_case"}
    assert hidden == not_there | (REVIEWERS_ONLY if role == "labeller" else set())
    assert {code for name, code in codes.items() if name not in hidden} <= {200, 302, 303}


@pytest.mark.parametrize("who", ["editor", "stranger", "other"])
def test_editors_strangers_and_other_tenants_find_nothing(tenant, talk, rita, browse, who):
    sample = make_sample(talk)
    other = Tenant.objects.create(slug="other", name="Other")
    person = (
        get_user_model().objects.create_user("sam", is_staff=True)
        if who == "stranger"
        else make_member(tenant if who == "editor" else other, "sam", "editor" if who == "editor" else "owner")
    )
    label = SampleLabel.objects.create(tenant=tenant, sample=sample, reviewer=rita, verdict="wrong_value")
    case = GoldenCase.objects.create(
        tenant=tenant, end_user=sample.end_user, label=label, made_by=rita, line={"why": "x"}, message_ids=[1]
    )
    client = browse(person)
    for name, url in list_addresses(tenant, label.pk, case.pk).items():
        if who == "other" and name in ("labelling_home", "labelling_guide"):
            continue
        assert ask(client, name, url).status_code == 404, name
    assert not SampleLease.objects.exists()
    case.refresh_from_db()
    assert case.line == {"why": "x"}


def test_nobody_acts_on_anothers_lease_or_label(tenant, talk, rita, bela, browse):
    make_sample(talk)
    browse(rita).get(reverse("admin:labelling", args=[tenant.pk]))
    lease = SampleLease.objects.get()
    stranger = browse(bela)
    addresses = list_addresses(tenant)
    for name in ("labelling_label", "labelling_skip"):
        stranger.post(addresses[name], {"lease": lease.pk, "verdict": "correct"})
    assert stranger.post(addresses["labelling_keep"], {"lease": lease.pk}).json() == {"state": "lost"}
    assert not SampleLabel.objects.exists()
    assert SampleLease.objects.get().reviewer_id == rita.pk
    label = SampleLabel.objects.create(tenant=tenant, sample=lease.sample, reviewer=rita, verdict="wrong_value")
    for name in ("labelling_end_fact", "labelling_make_case"):
        assert stranger.post(list_addresses(tenant, label.pk)[name]).status_code == 404
    assert "You said" not in stranger.get(addresses["labelling"], {"last": label.pk}).content.decode()


def test_the_queue_of_one_tenant_tells_nothing_of_another(tenant, talk, rita, browse):
    other = Tenant.objects.create(slug="other", name="Other")
    make_sample(open_chat(other, "player-9"), "I can't stand garlic, it reacts.", "can't stand garlic", value="garlic")
    client = browse(rita)
    page = client.get(reverse("admin:labelling", args=[tenant.pk])).content.decode()
    assert "garlic" not in page
    assert "Nothing is left for you" in page
    Membership.objects.create(tenant=other, user=rita, role="editor")
    assert client.get(reverse("admin:labelling", args=[other.pk])).status_code == 404
    Membership.objects.filter(tenant=other).update(role="labeller")
    browser = browse(type(rita).objects.get(pk=rita.pk))
    assert "garlic" in browser.get(reverse("admin:labelling", args=[other.pk])).content.decode()
    names = browser.get(reverse("admin:labelling_home")).content.decode()
    assert "Studio T" in names
    assert "Other" in names


def test_a_player_is_called_the_same_in_a_tenant_and_otherwise_in_another(tenant, talk):
    mine = get_pseudonym(tenant_id=tenant.pk, end_user_id=talk.end_user_id)
    assert mine == get_pseudonym(tenant_id=tenant.pk, end_user_id=talk.end_user_id)
    others = {get_pseudonym(tenant_id=tenant.pk + 1, end_user_id=each) for each in range(500)}
    assert mine not in others
    assert len(others) == 500


def test_a_labeller_opens_no_other_page_of_the_admin_site(tenant, talk, rita, browse):
    make_sample(talk)
    client = browse(rita)
    stranger = browse(get_user_model().objects.create_user("nobody", is_staff=True))
    opened = []
    for pattern in get_resolver().url_patterns:
        if getattr(pattern, "app_name", "") == "admin":
            names = [each.name for each in pattern.url_patterns if getattr(each, "name", None)]
            names += [each.name for more in pattern.url_patterns for each in getattr(more, "url_patterns", ())]
    for name in sorted({name for name in names if name and name not in OF_EVERYBODY}):
        for arguments in ([], [1], [talk.end_user_id], [1, 1], ["1"]):
            try:
                url = reverse(f"admin:{name}", args=arguments)
            except NoReverseMatch:
                continue
            answer = client.get(url)
            if answer.status_code == 200 and not name.startswith("labelling"):
                opened.append(name)
                same = stranger.get(url)
                assert same.status_code == 200, name
                assert "player-1" not in answer.content.decode(), name
                assert "nickel" not in answer.content.decode(), name
            break
    # Pages that any member of staff opens, and that show rows of one's own tenants: none, for both.
    assert set(opened) <= {
        "boards", "playground", "try_patterns", "bulk_edit", "new_document", "new_npc", "prompts",
        "lorebook_import", "lorebook_export", "graph_home", "edit_many",
    }  # fmt: skip


def test_home_leads_a_labeller_to_the_queue(tenant, rita, browse):
    page = browse(rita).get(reverse("admin:index")).content.decode()
    assert reverse("admin:labelling_home") in page
    assert "You belong to no tenant yet" not in page
    for hidden in ("admin:tenancy_enduser_changelist", "admin:boards", "admin:tenancy_membership_changelist"):
        assert f'href="{reverse(hidden)}"' not in page
    assert browse(rita).get(reverse("admin:labelling_home")).headers["Location"] == reverse(
        "admin:labelling", args=[tenant.pk]
    )


def test_the_guide_is_the_document(rita, browse):
    page = browse(rita).get(reverse("admin:labelling_guide")).content.decode()
    for name, _ in NAMES.values():
        assert name in page, name
