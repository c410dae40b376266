"""The list of what agents keep: for whom, what it shows, how it is searched, and that it writes nothing."""

from __future__ import annotations

import pytest
from django.urls import reverse

from knowledge.store.actions.batches import run_batch
from knowledge.store.core.ops import Put
from knowledge.store.models import StoreItem

pytestmark = pytest.mark.django_db
LIST = "admin:knowledge_storeitem_changelist"
VALUES = {"tea": "drinks <b>tea</b> without sugar", "dog": "has a dog called Bruno"}


@pytest.fixture
def items(selmar):
    run_batch(
        tenant_id=selmar.tenant.pk,
        world_id=None,
        ops=[Put(("memories", "reader-7"), key, {"text": text}) for key, text in VALUES.items()],
    )
    return {row.key: row for row in StoreItem.objects.all()}


def test_items_are_listed_found_and_shown_as_they_are(selmar, sign_in, items, django_assert_max_num_queries):
    client = sign_in(selmar.reviewer)
    with django_assert_max_num_queries(20):
        page = client.get(reverse(LIST)).content.decode()
    assert "memories › reader-7" in page
    assert "<b>tea" not in page
    for asked, found in (("dog", {"dog"}), ("reader-7", {"tea", "dog"}), ("without sugar", {"tea"}), ("reader", set())):
        page = client.get(reverse(LIST), {"q": asked}).content.decode()
        shown = {key for key, text in VALUES.items() if text.split(" ")[-1] in page.partition("result_list")[2]}
        assert shown == found, asked
    page = client.get(reverse("admin:knowledge_storeitem_change", args=[items["dog"].pk])).content.decode()
    assert "has a dog called Bruno" in page
    assert 'name="_save"' not in page


def test_nobody_writes_there_and_other_tenants_and_editors_see_nothing(selmar, rival, sign_in, items):
    url = reverse("admin:knowledge_storeitem_change", args=[items["dog"].pk])
    owner = sign_in(selmar.owner)
    assert owner.post(url, {"key": "other"}).status_code == 403
    assert owner.post(reverse("admin:knowledge_storeitem_delete", args=[items["dog"].pk])).status_code == 403
    assert owner.get(reverse("admin:knowledge_storeitem_add")).status_code == 403
    stranger = sign_in(rival.owner)
    assert stranger.get(url).status_code == 404
    assert "Bruno" not in stranger.get(reverse(LIST)).content.decode()
    assert sign_in(selmar.editor).get(reverse(LIST)).status_code in (403, 404)
