"""Every list answers `data` and `next_cursor`, and goes on by `cursor`; old members and parameters hold until 1.0."""

from __future__ import annotations

import pytest

from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.api.realms import SHARED, make_realm
from tests.kept_worlds import make_once
from tests.openapi import load_openapi

pytestmark = pytest.mark.django_db(transaction=True)
CAMPAIGN = f"campaigns/{SHARED['campaign_id']}"
USER = f"users/{SHARED['user_id']}"
LISTS = {
    "art-cards": ("cards", "next_before"),
    "campaigns": ("campaigns", "next_before"),
    f"{CAMPAIGN}/checkpoints": ("checkpoints", "next_before"),
    f"{CAMPAIGN}/flags": ("flags", "next_after"),
    f"{CAMPAIGN}/hearsay": ("hearsay", "next_before"),
    f"{CAMPAIGN}/rollbacks": ("rollbacks", "next_before"),
    "change-requests": ("change_requests", "next_before"),
    "lore/documents": ("documents", "next_after"),
    "npcs": ("npcs", "next_after"),
    f"npcs/{SHARED['npc_id']}/dispositions/history": ("entries", "next_before"),
    "releases": ("releases", "next_before"),
    "traces": ("traces", "next_before"),
    f"{USER}/facts": ("facts", None),
    f"{USER}/forget-receipts": ("receipts", None),
    "graph/entities": ("entities", None),
    "users": (None, None),
    f"{USER}/conversations": (None, None),
}
"""Path to the names that the members had. Each has several rows in a realm."""
BAD_CURSORS = ("", "x" * 300, "a\x00b", "-1", "1;drop table")


@pytest.fixture
def realm(transactional_db, redis):
    def fill():
        tenant = ensure_tenant(slug="studio", name="Studio")
        made = make_realm(ensure_world(tenant_id=tenant.pk, slug="ashfall", name="Ashfall"), "basalt")
        for user_id in (SHARED["user_id"], "player-2", "player-3"):
            for chat in ("one", "two"):
                opened = made.must("POST", "conversations", {"user_id": user_id, "external_id": f"{user_id}-{chat}"})
                said = {"role": "user", "content": "The ferry leaves at noon."}
                posted = made.must("POST", f"conversations/{opened['id']}/messages", said)
                made.must("POST", f"messages/{posted['message_id']}/forget")
        return made

    return make_once("paging", fill)


def read(realm, path, **query):
    response = realm.call("GET", path, query=query)
    assert response.status_code == 200, (path, query, response.content)
    return response.json()


def walk(realm, path, *, cursor="cursor", next_cursor="next_cursor", data="data", limit=1):
    """All rows of a list, a page at a time, by the names of members and parameters."""
    rows, query = [], {"limit": limit}
    for _ in range(100):
        page = read(realm, path, **query)
        assert len(page[data]) <= limit or path.endswith("/flags"), path  # one name of campaign and party is two flags
        rows += page[data]
        if page[next_cursor] is None:
            return rows
        query[cursor] = page[next_cursor]
    raise AssertionError(f"{path} never ends")


def test_every_list_is_read_page_by_page_as_it_is_at_once(realm, subtests):
    for path in LISTS:
        with subtests.test(path):
            whole = read(realm, path, limit=100)
            assert whole["next_cursor"] is None
            assert len(whole["data"]) >= 2
            assert walk(realm, path) == whole["data"]


def test_the_last_page_of_exactly_its_size_ends_the_list(realm, subtests):
    for path in LISTS:
        with subtests.test(path):
            count = len(read(realm, path, limit=100)["data"])
            if not path.endswith("/flags"):
                assert read(realm, path, limit=count)["next_cursor"] is None
                assert read(realm, path, limit=count - 1)["next_cursor"] is not None


def test_old_members_and_parameters_hold(realm, subtests):
    for path, (was, next_was) in LISTS.items():
        with subtests.test(path):
            page = read(realm, path, limit=1)
            if was is not None:
                assert page[was] == page["data"]
            if next_was is not None:
                assert page[next_was] == page["next_cursor"] is not None
                old = next_was.removeprefix("next_")
                everything = walk(realm, path)
                assert walk(realm, path, cursor=old, next_cursor=next_was, data=was) == everything


def test_a_cursor_of_another_form_is_refused(realm, subtests):
    names = {"npcs", "users", "lore/documents", f"{CAMPAIGN}/flags"}
    for path in LISTS:
        for cursor in BAD_CURSORS:
            if path in names and cursor in ("-1", "1;drop table"):
                continue  # a name may be such a text, and none is an end of the list
            with subtests.test(path, cursor=cursor):
                response = realm.call("GET", path, query={"cursor": cursor})
                assert (response.status_code, response.json()["code"]) == (400, "parameter_invalid")


def test_a_cursor_and_its_old_name_are_not_sent_together(realm, subtests):
    for path, (_, next_was) in LISTS.items():
        if next_was is None:
            continue
        with subtests.test(path):
            cursor = read(realm, path, limit=1)["next_cursor"]
            response = realm.call("GET", path, query={"cursor": cursor, next_was.removeprefix("next_"): cursor})
            assert (response.status_code, response.json()["code"]) == (400, "parameter_replaced")


def test_a_receipt_of_nobody_is_no_cursor(realm):
    response = realm.call("GET", f"{USER}/forget-receipts", query={"cursor": "6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10"})
    assert (response.status_code, response.json()["code"]) == (400, "cursor_unknown")


def test_all_facts_come_at_once_where_no_page_is_asked_for(realm):
    found = read(realm, f"{USER}/facts")
    assert (found["facts"], found["next_cursor"]) == (found["data"], None)
    assert len(found["data"]) >= 2


def test_messages_go_on_in_the_direction_in_which_they_are_read(realm):
    chat = realm.must("POST", "conversations", {"user_id": "reader"})["id"]
    texts = [f"Line {number}." for number in range(1, 6)]
    batch = {"messages": [{"role": "user", "content": text} for text in texts]}
    realm.must("POST", f"conversations/{chat}/messages/batch", batch)
    path = f"conversations/{chat}/messages"
    assert [each["content"] for each in walk(realm, path, limit=2)] == texts
    last = read(realm, path, before=6, limit=2)
    assert ([each["seq"] for each in last["data"]], last["next_cursor"], last["has_more"]) == ([4, 5], "before:4", True)
    middle = read(realm, path, cursor=last["next_cursor"], limit=2)
    assert [each["seq"] for each in middle["data"]] == [2, 3]
    first = read(realm, path, cursor=middle["next_cursor"], limit=2)
    assert ([each["seq"] for each in first["messages"]], first["next_cursor"]) == ([1], None)
    for query in ({"cursor": "sideways:4"}, {"cursor": "after:4", "after": 3}, {"cursor": "4"}):
        response = realm.call("GET", path, query=query)
        assert (response.status_code, response.json()["code"]) == (400, "parameter_invalid"), query
    assert read(realm, path, cursor="after:9999999999")["data"] == []


def test_alternatives_come_all_at_once(realm):
    chat = realm.must("POST", "conversations", {"user_id": "reader"})["id"]
    posted = realm.must("POST", f"conversations/{chat}/messages", {"role": "user", "content": "Left."})
    realm.must("POST", f"messages/{posted['message_id']}/edit", {"content": "Right."})
    found = read(realm, f"messages/{posted['message_id']}/alternatives")
    assert [each["content"] for each in found["data"]] == ["Left.", "Right."]
    assert (found["messages"], found["next_cursor"]) == (found["data"], None)


def test_what_a_name_may_mean_comes_on_one_page(realm):
    assert read(realm, "graph/entities", q="bell")["next_cursor"] is None
    response = realm.call("GET", "graph/entities", query={"q": "bell", "cursor": 1})
    assert (response.status_code, response.json()["code"]) == (400, "parameter_invalid")


def test_old_names_are_deprecated_in_the_document_and_in_no_example():
    document = load_openapi()
    shapes = document["components"]["schemas"]
    for name in ("CampaignList", "NpcList", "ReleaseList", "TraceList", "FactList", "ReceiptList", "MessagePage"):
        members = shapes[name]["properties"]
        old = {member for member, described in members.items() if described.get("deprecated")}
        assert old == set(members) - {"data", "next_cursor", "domain"}
        assert not old & set(shapes[name]["required"])
    parameters = document["paths"]["/api/v1/npcs"]["get"]["parameters"]
    named = [document["components"]["parameters"][each["$ref"].split("/")[-1]] if "$ref" in each else each
             for each in parameters]  # fmt: skip
    assert {each["name"] for each in named if each.get("deprecated")} == {"after"}
