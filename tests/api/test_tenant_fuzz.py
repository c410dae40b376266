"""Thousands of requests with the ids of another tenant, or of another world: none tells or changes what it has.

The requests come from docs/openapi.yaml and the MCP contracts, so that what is added there is covered, or named here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from knowledge.lorebooks.png import read_payloads
from memoryproject.asgi_router import AsgiRouter
from runtime.mcp.app import build_mcp_app
from runtime.mcp.contracts import load_contracts
from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.api.isolation import (
    Operation,
    Question,
    ask_for_own,
    find_unknown_names,
    invent,
    invent_arguments,
    list_texts,
    read_operations,
)
from tests.api.realms import Realm, make_realm, read_rows, read_sessions, send
from tests.kept_worlds import make_once
from tests.runtime.mcp.conftest import Rpc, read_problem, refuse_django, serve

SEED = 20260301
REST_REQUESTS, MCP_REQUESTS, WORLD_REQUESTS = 1_740, 120, 960
ENDINGS = (
    "change_requests_create", "campaigns_finish", "campaigns_archive", "campaigns_restore", "session_memory_clear",
    "notebooks_forget", "notebooks_members_delete", "notebooks_facts_delete", "notebooks_documents_delete",
    "notebooks_entries_delete", "notebooks_entries_redact", "notebooks_delete",
    "threads_rollback", "checkpoints_delete_runs", "checkpoints_prune", "threads_delete",
    "messages_forget", "facts_delete", "users_forget", "users_erase",
)  # fmt: skip
"""What leaves less to ask about: asked last, in this order."""
MAKES = frozenset({
    "npcs_write", "facts_write", "notebooks_write", "threads_write", "thread_checkpoints_put", "thread_writes_put",
    "threads_delete",
})  # fmt: skip
"""What an unknown id is made by, for the caller."""
NO_WORDS = frozenset(
    {
        "conversations_get",
        "users_list",
        "releases_list",
        "releases_get",
        "traces_quality",
        "lorebooks_losses",
        "notebooks_prompt",
        "notebooks_ledger",
        "notebooks_export",
    }
)
"""Reads that tell nothing that was said."""
FOR_TENANTS = frozenset({
    "extraction_runs_list", "extraction_runs_get", "extraction_runs_revert", "message_extraction", "messages_get",
    "extractions_start", "extractions_dry_run", "candidates_list", "extraction_quality",
})  # fmt: skip
"""What takes a key of the whole tenant: that of a world is refused."""
READS_BY_POST = frozenset({"context_pack", "lore_assert"})
ASKING = "studio"
WITHOUT_MODEL = (503, "model_not_configured")


@pytest.fixture
def mine(transactional_db, redis):
    """The world of whoever asks, with the ids that all have."""

    def make() -> Realm:
        tenant = ensure_tenant(slug=ASKING, name="Studio")
        return make_realm(ensure_world(tenant_id=tenant.pk, slug="ashfall", name="Ashfall"), "basalt")

    return make_once("mine", make)


@pytest.fixture
def rival(mine):
    """Another tenant's world of the same name."""

    def make() -> Realm:
        tenant = ensure_tenant(slug="rival", name="Rival hushzirconiumhush")
        world = ensure_world(tenant_id=tenant.pk, slug="ashfall", name="hushzirconiumhush")
        return make_realm(world, "zirconium")

    return make_once("mine and rival", make)


@pytest.fixture
def sister(mine):
    """Another world of the tenant that asks."""

    def make() -> Realm:
        world = ensure_world(tenant_id=mine.world.tenant_id, slug="second", name="hushobsidianhush")
        return make_realm(world, "obsidian")

    return make_once("mine and sister", make)


@dataclass
class Caller(Rpc):
    """A client that keeps its connection."""

    http: httpx2.Client

    def post(self, body, **headers):
        given = {
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-06-18",
            "Authorization": f"Bearer {self.key}",
            **headers,
        }
        return self.http.post(f"{self.url}/mcp", json=body, headers=given)


def make_key(realm: Realm, *, bound: bool) -> str:
    """A key for everything, of the realm's tenant or of its world alone."""
    return issue_api_key(
        tenant_id=realm.world.tenant_id,
        world_id=realm.world.pk if bound else None,
        name="asks",
        scopes=["read", "engine", "editor", "notebook"],
        requests_per_minute=1_000_000,
    ).text


def ask(question: Question, key: str):
    headers = {**question.headers, "Authorization": f"Bearer {key}"}
    return send(question.operation.method, question.path, question.body, question.query, headers)


def invent_all(victim: Realm, operations: list[Operation], count: int) -> Iterator[Question]:
    """So many questions, each operation as often; what ends things comes last."""
    rng = random.Random(SEED)
    each = -(-count // len(operations))
    questions = [invent(rng, operation, victim, world="ashfall") for operation in operations for _ in range(each)]
    rng.shuffle(questions)
    yield from (question for question in questions if question.operation.id not in ENDINGS)
    for ending in ENDINGS:
        yield from (question for question in questions if question.operation.id == ending)


def read_text(response) -> str:
    """The words of an answer; of a picture those that it carries, which stand in it in base64."""
    if response.headers.get("Content-Type") != "image/png":
        return response.content.decode()
    return "".join(payload.decode() for payload in read_payloads(response.content).values())


def find_fault(question: Question, response, victim: Realm, made: set[str]) -> str | None:
    """What is wrong with an answer, or None. `made` are texts that whoever asks has written by now."""
    told = read_text(response) + str(response.headers)
    if victim.secret in told or (response.status_code < 300 and tells_of(victim, told)):
        return "leaks"
    if response.status_code >= 500 and (response.status_code, response.json().get("code")) != WITHOUT_MODEL:
        return "breaks"
    if question.headers.get("X-Tenant-ID", ASKING) != ASKING and response.status_code < 300:
        return "answers for another tenant"
    makes = question.operation.id in MAKES or question.operation.id.startswith("session_memory_")
    if question.foreign - made and response.status_code < 300 and not makes:
        return "finds what only the other has"
    return None


def tells_of(realm: Realm, told: str) -> bool:
    """Whether an answer holds the realm's secret, or an id that no other realm can have."""
    return any(each in told for each in (realm.secret, *realm.numbers["trace_id"], *realm.numbers["receipt_id"]))


def cross(
    victim: Realm, key: str, operations: list[Operation], count: int
) -> tuple[list[str], dict[str, Counter[int]]]:
    """Faults of the answers, and how often each operation gave which status."""
    faults: list[str] = []
    seen: dict[str, Counter[int]] = {operation.id: Counter() for operation in operations}
    made: set[str] = set()
    for question in invent_all(victim, operations, count):
        response = ask(question, key)
        seen[question.operation.id][response.status_code] += 1
        if fault := find_fault(question, response, victim, made):
            asked = (question.operation.method, question.path, question.query, question.body, question.headers)
            faults.append(
                f"{question.operation.id} {fault}: {asked} -> {response.status_code} {response.content[:600]}"
            )
        if question.operation.method != "GET":
            made.update(question.path.split("/"), list_texts(question.body))
    return faults, seen


def test_every_operation_has_ids_that_these_tests_know_how_to_get(rival):
    unknown = {each.id: find_unknown_names(each, rival) for each in read_operations()}
    assert {name: missing for name, missing in unknown.items() if missing} == {}, (
        "tests/api/realms.py has to make these, and to name them in SHARED or NUMBERS"
    )


def test_who_has_these_ids_is_told_of_them(rival):
    """Otherwise the requests below would prove nothing."""
    ranks = {ending: rank for rank, ending in enumerate(ENDINGS, 1)}
    unknown, silent = {}, {}
    for operation in sorted(read_operations(), key=lambda each: (ranks.get(each.id, 0), each.method != "GET")):
        question = ask_for_own(operation, rival)
        response = rival.call(operation.method, question.path, question.body, question.query)
        told = read_text(response)
        is_unset = response.status_code >= 500 and (response.status_code, response.json().get("code")) == WITHOUT_MODEL
        if operation.id in FOR_TENANTS:
            assert response.json()["code"] == "tenant_key_required", operation.id
            continue
        if response.status_code in (401, 403, 404, 405) or (response.status_code >= 500 and not is_unset):
            unknown[operation.id] = told[:300]
        reads = operation.id in READS_BY_POST or (operation.method == "GET" and operation.id not in NO_WORDS)
        if reads and not tells_of(rival, told):
            silent[operation.id] = told[:300]
    assert (unknown, silent) == ({}, {})


def test_requests_with_ids_of_another_tenant_tell_and_change_nothing_of_it(mine, rival):
    operations = read_operations()
    rows, sessions = read_rows(rival.world.tenant_id), read_sessions(rival)
    assert sessions
    assert all(rows[label] for label in rival.rows if rival.rows[label])
    faults, seen = cross(rival, make_key(mine, bound=False), operations, REST_REQUESTS)
    assert not faults, "\n".join([f"{len(faults)} faults", *faults[:20]])
    assert read_rows(rival.world.tenant_id) == rows
    assert read_sessions(rival) == sessions
    assert sum(total.total() for total in seen.values()) >= REST_REQUESTS
    malformed = {name for name, total in seen.items() if not set(total) - {400, 405, 415}}
    assert malformed == set(), "none of these requests came as far as asking for anything"


def test_keys_of_one_world_tell_and_change_nothing_of_another(mine, sister):
    operations = read_operations()
    sessions = read_sessions(sister)
    faults, seen = cross(sister, make_key(mine, bound=True), operations, WORLD_REQUESTS)
    assert not faults, "\n".join([f"{len(faults)} faults", *faults[:20]])
    after = read_rows(sister.world.tenant_id)
    changed = {
        label: [pk for pk, seen in rows.items() if after[label].get(pk) != seen] for label, rows in sister.rows.items()
    }
    assert {label: pks for label, pks in changed.items() if pks} == {}
    assert read_sessions(sister) == sessions
    malformed = {name for name, total in seen.items() if not set(total) - {400, 405, 415}}
    assert malformed == set(), "none of these requests came as far as asking for anything"


@pytest.mark.parametrize("victim_name", ["rival", "sister"])
def test_every_tool_tells_nothing_of_another_tenant_or_world(mine, victim_name, request):
    victim: Realm = request.getfixturevalue(victim_name)
    rng = random.Random(SEED)
    contracts = load_contracts()
    rows = read_rows(victim.world.tenant_id)
    router = AsgiRouter(
        django=refuse_django, mcp=build_mcp_app(), max_body_bytes=2 * 1024 * 1024, close_pools=lambda: None
    )
    asked: dict[str, list[dict[str, Any]]] = {name: [] for name in contracts}
    with serve(router) as url, httpx2.Client(timeout=30) as http:
        theirs, ours = Caller(url, victim.key, http), Caller(url, make_key(mine, bound=victim_name == "sister"), http)
        for place in range(MCP_REQUESTS):
            name = list(contracts)[place % len(contracts)]
            arguments = invent_arguments(rng, contracts[name].tool.input_schema, victim)
            answer = ours.call(name, {"X-Site-ID": "ashfall"}, **arguments)
            assert victim.secret not in str(answer), (name, arguments, answer)
            assert not answer.get("isError") or read_problem(answer)["code"] != "internal", (name, arguments, answer)
            asked[name].append(arguments)
        stranger = {"X-Tenant-ID": "rival"} if victim_name == "rival" else {"X-Site-ID": "second"}
        refused = ours.call("session_fetch", stranger, party_id="pty_001")
        assert read_problem(refused)["code"] == ("tenant_not_found" if victim_name == "rival" else "world_not_found")
        after = read_rows(victim.world.tenant_id)
        assert {label: {pk: after[label].get(pk) for pk in seen} for label, seen in victim.rows.items()} == victim.rows
        assert victim_name == "sister" or after == rows
        for name, calls in asked.items():
            answers = (str(theirs.call(name, **arguments)) for arguments in calls)
            assert any(victim.secret in answer for answer in answers), f"{name} tells its own world nothing"
