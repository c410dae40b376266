"""The page that edits many articles at once."""

from __future__ import annotations

import pytest
from django.urls import reverse

from reviews.models import ChangeRequest
from tests.factories.canon import article

pytestmark = pytest.mark.django_db


@pytest.fixture
def city(selmar):
    selmar.publish(article("bell", "It rings.", tags=["old"]), article("gate", "Shut.", tags=["old"]))
    return selmar


def test_the_page_previews_and_makes_one_request(city, sign_in):
    client, url = sign_in(city.editor), reverse("admin:edit_many")
    form = {"index": city.index.pk, "tags": "old", "settings": "order=7"}
    page = client.post(url, {**form, "preview": "1"})
    text = page.content.decode()
    assert "2 articles change" in text
    assert "order=7" in text
    before = ChangeRequest.objects.count()
    fingerprint = page.context["preview"].fingerprint
    done = client.post(url, {**form, "create": "1", "fingerprint": fingerprint})
    request = ChangeRequest.objects.latest("pk")
    assert done["Location"] == reverse("admin:change_request", args=[request.pk])
    assert (ChangeRequest.objects.count(), request.items.count()) == (before + 1, 2)


@pytest.mark.parametrize(
    ("page", "sent"), [("edit_many", {"tags": "old", "settings": "order=7"}), ("bulk_edit", {"search": "rings"})]
)
def test_the_pages_offer_and_take_worlds_of_ones_own_tenants_only(city, rival, sign_in, page, sent):
    client, url = sign_in(city.editor), reverse(f"admin:{page}")
    assert list(client.get(url).context["form"].fields["index"].queryset) == [city.index]
    answer = client.post(url, {**sent, "look_in": "body", "index": rival.index.pk, "preview": "1"})
    assert "index" in answer.context["form"].errors


def test_a_preview_that_no_longer_holds_drafts_nothing(city, sign_in):
    client, url = sign_in(city.editor), reverse("admin:edit_many")
    form = {"index": city.index.pk, "tags": "old", "settings": "order=7"}
    fingerprint = client.post(url, {**form, "preview": "1"}).context["preview"].fingerprint
    city.publish(article("well", "Deep.", tags=["old"]))
    before = ChangeRequest.objects.count()
    page = client.post(url, {**form, "create": "1", "fingerprint": fingerprint})
    assert (page.status_code, page.context["form"].is_valid()) == (200, False)
    assert ChangeRequest.objects.count() == before


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({}, "Say what is to change"),
        ({"settings": "nonsense"}, "write name=value"),
        ({"add_tags": "a", "types": "nothing"}, "No article would change"),
    ],
)
def test_the_page_says_what_is_missing(city, sign_in, sent, told):
    page = sign_in(city.editor).post(reverse("admin:edit_many"), {"index": city.index.pk, "preview": "1", **sent})
    assert told in page.content.decode()
