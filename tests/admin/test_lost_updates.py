"""No form saves over words that its writer has not seen; what is written is kept before it is saved."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from reviews.change_requests.selectors.items import get_item_version
from reviews.models import Autosave, ChangeItem
from tests.factories.canon import article

pytestmark = pytest.mark.django_db
FORM = {
    "title": "Bell", "slug": "bell", "type": "place", "language": "en", "tags": "", "aliases": "", "is_secret": "",
    "audience": "", "rule_id": "", "source": "",
}  # fmt: skip


def test_item_is_not_saved_over_and_both_texts_are_shown(bell, sign_in):
    request = bell.draft(article("bell", "The silver bell rings."))
    item = request.items.get()
    url = reverse("admin:edit_item", args=[request.pk, item.pk])
    client = sign_in(bell.editor)
    seen = client.get(url).context["item_version"]
    assert client.post(url, {**FORM, "body": "The first tab.", "item_version": seen}).status_code == 302
    page = client.post(url, {**FORM, "body": "The second tab.", "item_version": seen})
    text = page.content.decode()
    assert page.status_code == 200
    assert "What stands now" in text
    assert page.context["form"]["body"].value() == "The second tab."
    assert "".join(span.text for span in page.context["conflict"].theirs) == "The first tab."
    assert ChangeItem.objects.get(pk=item.pk).content["body"] == "The first tab."
    assert client.post(url, {**FORM, "body": "Without a version."}).status_code == 200
    onto = {"item_version": seen, "onto_item": page.context["newest_item"]}
    assert client.post(url, {**FORM, "body": "Both tabs.", **onto}).status_code == 302
    item.refresh_from_db()
    assert item.content["body"] == "Both tabs."
    assert get_item_version(item) != seen


def test_edit_of_what_went_live_meanwhile_shows_both_texts(bell, sign_in):
    live = bell.live("bell")
    url = reverse("admin:propose_edit", args=[live.document_id])
    client = sign_in(bell.editor)
    bell.publish(article("bell", "The silver bell rings."))
    form = {**FORM, "body": "The loud bronze bell rings.", "base": live.revision_id, "request_title": "Loud"}
    page = client.post(url, form)
    assert "".join(span.text for span in page.context["conflict"].theirs) == "The silver bell rings."
    assert not ChangeItem.objects.filter(change_request__title="Loud").exists()
    assert client.post(url, {**form, "onto": bell.live("bell").revision_id}).status_code == 302
    assert ChangeItem.objects.get(change_request__title="Loud").content["body"] == "The loud bronze bell rings."


def test_details_of_a_request_are_not_saved_over(bell, sign_in):
    request = bell.draft(article("bell", "The silver bell rings."))
    page_url = reverse("admin:change_request", args=[request.pk])
    url = reverse("admin:change_request_action", args=[request.pk, "details"])
    client = sign_in(bell.editor)
    seen = client.get(page_url).context["details_version"]
    details = {"title": "First", "description": "One", "due_on": "", "version": seen}
    client.post(url, details)
    page = client.post(url, {**details, "title": "Second"})
    text = page.content.decode()
    assert page.status_code == 200
    assert "First" in text
    assert "Second" in text
    request.refresh_from_db()
    assert request.title == "First"
    client.post(url, {**details, "title": "Second", "onto": page.context["details_version"]})
    request.refresh_from_db()
    assert request.title == "Second"


def keep(client, target: str, **fields: Any):
    return client.post(reverse("admin:autosave"), {"autosave_target": target, **fields})


def test_what_is_kept_comes_back_with_its_rows_until_it_is_saved_or_discarded(bell, sign_in):
    document = bell.live("bell").document_id
    url, target = reverse("admin:propose_edit", args=[document]), f"document:{document}"
    client = sign_in(bell.editor)
    base = client.get(url).context["base_id"]
    written = {
        **FORM, "body": "Half a sent", "field_name": ["arches", ""], "field_value": ["9", ""],
        "field_labels": ["arch", ""], "base": base, "request_title": "Bells", "description": "Because",
    }  # fmt: skip
    assert keep(client, target, **written).json()["saved_at"]
    page = client.get(url)
    assert "Restored" in page.content.decode()
    assert page.context["form"]["body"].value() == "Half a sent"
    assert [(row.name, row.value) for row in page.context["rows"]["fields"]] == [("arches", "9")]
    assert page.context["target"]["description"].value() == "Because"
    assert "Half a sent" not in sign_in(bell.owner).get(url).content.decode()
    client.post(url, {**written, "body": "A whole sentence."})
    assert not Autosave.objects.exists()
    keep(client, target, **written)
    client.post(reverse("admin:discard_autosave"), {"autosave_target": target})
    assert not Autosave.objects.exists()


def test_kept_form_remembers_the_text_that_it_began_from(bell, sign_in):
    live = bell.live("bell")
    url = reverse("admin:propose_edit", args=[live.document_id])
    client = sign_in(bell.editor)
    keep(client, f"document:{live.document_id}", **FORM, body="Mine.", base=str(live.revision_id))
    bell.publish(article("bell", "The silver bell rings."))
    assert client.get(url).context["base_id"] == str(live.revision_id)


def test_a_new_article_is_kept_too_and_nul_characters_do_not_break_it(bell, sign_in):
    client = sign_in(bell.editor)
    assert keep(client, f"new:{bell.index.pk}", **FORM, body="A\x00B").status_code == 200
    page = client.get(f"{reverse('admin:new_document')}?index={bell.index.pk}")
    assert page.context["form"]["body"].value() == "A\ufffdB"
    huge = keep(client, f"new:{bell.index.pk}", body="x" * 1_600_000)
    assert (huge.status_code, huge.json()["code"]) == (400, "field_invalid")


def test_forms_of_other_tenants_and_unknown_ones_are_not_kept(bell, rival, sign_in):
    rival.publish(article("bell", "Another bell."))
    theirs = rival.live("bell").document_id
    item = rival.draft(article("bell", "x")).items.get()
    client = sign_in(bell.editor)
    for target in (f"document:{theirs}", f"item:{item.pk}", f"new:{rival.index.pk}", "npc:1", "new:x", "", "new:0"):
        assert keep(client, target, body="x").status_code == 404, target
        assert client.post(reverse("admin:discard_autosave"), {"autosave_target": target}).status_code == 404
    assert not Autosave.objects.exists()


def test_database_keeps_one_form_a_person_and_knows_its_name(bell):
    values = {"tenant": bell.tenant, "user_id": bell.editor.user_id, "fields": {}}
    Autosave.objects.create(**values, target="new:1")
    with pytest.raises(IntegrityError, match="autosave_one_per_form"), transaction.atomic():
        Autosave.objects.create(**values, target="new:1")
    with pytest.raises(IntegrityError, match="autosave_target_form"), transaction.atomic():
        Autosave.objects.create(**values, target="npc:1")
