"""Two tenants with worlds of the same name: whatever one asks, it never meets the other's canon."""

from __future__ import annotations

import json

import pytest

from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.canon import RULES, article, publish

MARK = "zirconium"


@pytest.fixture
def rival(world):
    """Another studio whose world, release numbers and slugs are the same, with a word of its own in all it says."""
    tenant = ensure_tenant(slug="rival", name="Rival")
    theirs = ensure_world(tenant_id=tenant.pk, slug="ashfall", name="Ashfall")
    publish(theirs, article("bell-tower", f"A bell tower of {MARK}.", source=MARK, tags=[MARK]))
    publish(theirs, article(f"{MARK}-gate", f"A gate of {MARK}."))
    publish(theirs, article("grappled", f"Held by {MARK}.", type="rule", rule_id="COND-77"), domain="srd")
    publish(world, article("bell-tower", "A bell tower of wood."))
    publish(world, *RULES, domain="srd")
    return tenant


ROUTES = [
    ("lore/search", {"q": f"bell tower {MARK}"}),
    ("lore/search", {"q": MARK}),
    ("lore/search", {"q": MARK, "npc_id": "mira"}),
    ("rules/lookup", {"term": "grappled"}),
    ("rules/lookup", {"term": MARK}),
    ("rules/lookup", {"rule_id": "COND-77"}),
    ("lore/documents", {}),
    ("lore/documents/bell-tower", {}),
    (f"lore/documents/{MARK}-gate", {}),
    ("lore/documents", {"tags": MARK}),
    ("releases", {}),
    ("releases/1", {}),
    ("releases/2", {}),
    ("lore/search", {"q": MARK, "release": "2"}),
    ("lore/search", {"q": MARK, "tags": MARK}),
    ("status", {}),
    ("change-requests", {}),
]


def test_no_answer_holds_a_word_of_another_tenant(make_api, rival, subtests):
    client = make_api("read", "editor")
    for path, query in ROUTES:
        with subtests.test(path=path, query=query):
            response = client.get(path, query)
            assert response.status_code in {200, 404}
            document = response.json()
            for asked in ("query", "detail"):
                document.pop(asked, None)
            assert MARK not in json.dumps(document)


def test_what_another_tenant_has_is_told_as_absent(make_api, rival, subtests):
    mine, theirs = make_api("read"), make_api("read", of=rival)
    for path in ("lore/documents/zirconium-gate", "releases/2"):
        with subtests.test(path=path):
            assert (mine.get(path).status_code, theirs.get(path).status_code) == (404, 200)


def test_another_tenant_named_in_a_header_is_told_as_absent(make_api, rival, problem, subtests):
    client = make_api("read", "editor")
    for path, query in ROUTES:
        with subtests.test(path=path, query=query):
            problem(client.get(path, query, X_Tenant_ID="rival"), 404, "tenant_not_found")


def test_another_world_named_in_a_header_is_told_as_absent(make_api, rival, tenant, world, problem, subtests):
    ensure_world(tenant_id=tenant.pk, slug="second")
    client = make_api("read", "editor", world_id=world.pk)
    for path, query in ROUTES:
        with subtests.test(path=path, query=query):
            problem(client.get(path, query, X_Site_ID="second"), 404, "world_not_found")


def test_with_several_worlds_one_must_be_named(make_api, rival, tenant, problem, subtests):
    ensure_world(tenant_id=tenant.pk, slug="second")
    client = make_api("read", "editor")
    for path, query in ROUTES:
        if path == "status":
            continue
        with subtests.test(path=path, query=query):
            document = problem(client.get(path, query), 400, "world_required")
            assert "second" not in json.dumps(document)
            assert "rival" not in json.dumps(document)
