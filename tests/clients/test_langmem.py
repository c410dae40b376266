"""LangMem on `Memory37Store`: the example that developers are given, run in process."""

from __future__ import annotations

import importlib.util

import pytest
from django.conf import settings
from memory37_langgraph import Memory37Client, Memory37Store

from knowledge.store.models import StoreItem
from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant
from tests.clients.transport import DjangoTransport

pytestmark = pytest.mark.django_db
EXAMPLE = settings.BASE_DIR / "clients" / "langgraph" / "examples" / "langmem_on_memory37.py"


@pytest.fixture
def example():
    spec = importlib.util.spec_from_file_location("langmem_on_memory37", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def store(db, redis):
    tenant = ensure_tenant(slug="studio", name="Studio")
    key = issue_api_key(tenant_id=tenant.pk, name="agent", scopes=["notebook"]).text
    transport = DjangoTransport()
    return Memory37Store(Memory37Client("http://memory37.test", key, transport=transport, async_transport=transport))


def test_the_tools_of_langmem_write_find_change_and_delete(example, store):
    done = example.manage_memories(store)
    assert "Bruno" in done["found"]
    assert done["changed"] == {"content": "Her dog is called Bruno and barks"}
    assert done["deleted"] is None
    assert "tea" in done["found_async"]
    assert [row.namespace for row in StoreItem.objects.all()] == [["langmem", "reader-7"]]


def test_the_store_manager_of_langmem_keeps_what_a_talk_says(example, store):
    [kept] = example.keep_what_a_talk_says(store)
    assert kept == {"kind": "Memory", "content": {"content": example.TOLD}}
    assert StoreItem.objects.count() == 1
