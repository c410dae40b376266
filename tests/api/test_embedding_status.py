"""What `status` says of texts that wait for vectors: as far as the key reaches, and no further."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from episodes.models import MessagePassage
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.rest import post_message, start_chat

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def keys(make_api, tenant):
    selmar, third = (ensure_world(tenant_id=tenant.pk, slug=slug) for slug in ("selmar", "third"))
    scopes = ("read", "engine")
    return {
        "selmar": make_api(*scopes, world_id=selmar.pk),
        "third": make_api(*scopes, world_id=third.pk),
        "tenant": make_api(*scopes),
        "in selmar": make_api(*scopes, headers={"X-Site-ID": "selmar"}),
    }


def say(api, user, count):
    chat = start_chat(api, user)
    for number in range(count):
        post_message(api, chat, f"{number}")


def read(api):
    status = api.get("status").json()
    return status["embeddings_pending"], status["embeddings_oldest_pending_seconds"], status["messages"]


def test_a_key_is_told_of_what_waits_within_its_reach(keys):
    say(keys["selmar"], "player-1", 2)
    MessagePassage.objects.update(created_at=timezone.now() - dt.timedelta(hours=3))
    say(keys["third"], "player-1", 1)
    pending, oldest, messages = read(keys["third"])
    assert (pending, messages["pending_embeddings"]) == (1, 1)
    assert oldest < 3600
    assert messages["oldest_pending_seconds"] < 3600, "another world's age is not told either"
    assert (read(keys["selmar"])[0], read(keys["selmar"])[1] // 3600) == (2, 3)
    assert (read(keys["tenant"])[0], read(keys["tenant"])[1] // 3600) == (3, 3)
    assert read(keys["in selmar"])[0] == 2
    MessagePassage.objects.all().delete()
    assert read(keys["tenant"])[:2] == (0, None)


def test_another_tenants_backlog_is_not_told(keys, make_api):
    say(keys["tenant"], "player-1", 2)
    assert read(make_api("read", of=ensure_tenant(slug="rival")))[:2] == (0, None)
