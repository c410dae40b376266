"""Worlds that hold the same ids for everything, and each a word that nobody else may ever read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Model
from django.test import Client

from episodes.events.actions.jobs import ExtractedEvent, claim_event, store_event
from episodes.events.actions.policies import PolicyDraft, replace_policy
from episodes.events.actions.proposals import propose_edit
from episodes.events.core.plot import Plot
from episodes.events.models import EventNode
from episodes.events.selectors.policies import get_policy
from factcheck.extraction.actions.runs import extract_user
from factcheck.extraction.core.given import Given
from memoryproject.redis import get_redis
from tenancy.actions.keys import issue_api_key
from tenancy.core.audit_log import Decider
from tenancy.models import Tenant, World
from tenancy.selectors import get_end_user
from tests.factcheck.extraction.proposers import FixedProposer, make_delta
from tests.factories.canon import article, publish
from tests.factories.tenants import write_npcs_at_once

SHARED: Mapping[str, Any] = {
    "user_id": "player-1", "npc_id": "npc_LiShen", "campaign_id": "camp_123", "party_id": "pty_001",
    "scene_id": "scn_042", "location_id": "loc_moon_bridge", "summary_id": "sum_1", "event_id": "evt_1",
    "image_id": "img_1", "session_id": "session-abc123", "external_id": "chat-1", "client_message_id": "c-101",
    "slug": "bell-tower", "rule_id": "COND-01", "number": 1, "release": 1, "item_id": "amulet_moon",
    "notebook_id": "backend-api", "fact_key": "bell", "document_path": "bells/bell.md", "member": "scout",
    "thread_id": "thread-1",
}  # fmt: skip
"""Ids that every world has."""
TEXTS = ("npc_id", "campaign_id", "party_id", "scene_id", "location_id", "summary_id", "event_id", "image_id",
         "session_id", "external_id", "client_message_id", "user_id")  # fmt: skip
NUMBERS: Mapping[str, str] = {
    "conversation_id": "episodes.Conversation", "message_id": "episodes.Message", "reply_to": "episodes.Message",
    "fact_id": "knowledge.UserFact", "change_request_id": "reviews.ChangeRequest",
    "receipt_id": "episodes.ForgetReceipt", "entry_id": "npcs.DispositionEntry", "trace_id": "runtime.Trace",
    "card_id": "episodes.ArtCard", "document_id": "knowledge.LoreDocument",
    "base_revision_id": "knowledge.LoreRevision", "run_id": "factcheck.ExtractionRun",
    "entity_id": "knowledge.GraphEntity",
    "checkpoint_id": "episodes.Checkpoint", "hearsay_id": "episodes.NpcTold",
    "node_id": "episodes.EventNode", "notebook_entry_id": "knowledge.NotebookEntry",
    "conflict_id": "knowledge.NotebookConflict", "proposal_id": "knowledge.NotebookProposal",
    "event_proposal_id": "episodes.EventProposal", "interrupt_id": "episodes.ThreadInterrupt",
}  # fmt: skip
"""Names of ids that the database gives, and whose they are."""
ONCE = "once-1"
"""An Idempotency-Key that every tenant uses."""


@dataclass
class Realm:
    """A world with its key. `word` may be asked for; `secret` stands in all its texts and is never sent by others."""

    world: World
    word: str
    key: str
    own: dict[str, Any] = field(default_factory=dict)
    numbers: dict[str, list[Any]] = field(default_factory=dict)
    rows: dict[str, dict[Any, str]] = field(default_factory=dict)

    @property
    def secret(self) -> str:
        """Stands in every text of the world."""
        return f"hush{self.word}hush"

    @property
    def text(self) -> str:
        """What all its texts say."""
        return f"The bell of {self.word} says {self.secret}."

    def call(self, method: str, path: str, body: Any = None, query: Any = None, **headers: str) -> Any:
        """A request with the world's own key, below /api/v1/."""
        sent = {"Authorization": f"Bearer {self.key}", "X-Site-ID": self.world.slug, **headers}
        return send(method, path, body, query, sent)

    def must(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The same, for what has to succeed; the parsed answer."""
        response = self.call(method, path, body, **headers)
        assert response.status_code < 300, (method, path, response.status_code, response.content)
        return response.json() if response.content else None


def send(method: str, path: str, body: Any, query: Any, headers: Mapping[str, str]) -> Any:
    """One request in process."""
    content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
    return Client().generic(
        method,
        quote(f"/api/v1/{path}", safe="/"),
        content,
        content_type="application/json",
        query_params=query or {},
        headers=dict(headers),
    )


def make_realm(world: World, word: str) -> Realm:
    """A world, filled twice over: under the ids that all have, and under ids of its own."""
    write_npcs_at_once(world)
    issued = issue_api_key(
        tenant_id=world.tenant_id,
        world_id=world.pk,
        name=word,
        scopes=["read", "engine", "editor", "notebook"],
        requests_per_minute=1_000_000,
    )
    realm = Realm(world, word, issued.text)
    realm.own = {name: f"{word}-{name.removesuffix('_id')}" for name in TEXTS} | {"slug": f"{word}-gate"}
    before = {label: set(rows) for label, rows in read_rows(world.tenant_id).items()}
    _load_canon(realm)
    for ids in (SHARED, {**SHARED, **realm.own}):
        _play(realm, ids)
        _talk(realm, ids)
        _extract(realm, ids)
    _keep_notebook(realm)
    _keep_threads(realm)
    everything = read_rows(world.tenant_id)
    realm.rows = {
        label: {pk: seen for pk, seen in rows.items() if pk not in before[label]} for label, rows in everything.items()
    }
    for name, label in NUMBERS.items():
        pks = list(realm.rows[label])
        realm.numbers[name] = sorted(pks) if all(isinstance(pk, int) for pk in pks) else [str(pk) for pk in pks]
    return realm


def _load_canon(realm: Realm) -> None:
    told = {"fields": {"bells": 7}, "field_labels": {"bells": ["bells"]}, "tags": ["bell"], "title": realm.text}
    tower = article("bell-tower", realm.text, aliases=[f"Bell of {realm.word}"], **told)
    for content in (tower, article(f"{realm.word}-gate", realm.text, **told)):
        publish(realm.world, content)
    publish(
        realm.world, article("grappled", realm.text, type="rule", rule_id="COND-01", aliases=["clasped"]), domain="srd"
    )


def _play(realm: Realm, ids: Mapping[str, Any]) -> None:
    npc, text = ids["npc_id"], realm.text
    listener = f"{npc}_friend"
    tells = [{"npc_id": listener, "kind": realm.secret, "shares": "all"}]
    static = {"name": text, "persona": text, "secrets": [f"{text} At noon."], "lore_refs": ["bell-tower"]}
    realm.must("PUT", f"npcs/{npc}", {"static": {**static, "relations": tells}})
    realm.must("PUT", f"npcs/{listener}", {"static": {"name": text}})
    realm.must("POST", "campaigns", {"campaign_id": ids["campaign_id"], "title": text})
    realm.must("POST", f"campaigns/{ids['campaign_id']}/checkpoints", {"label": text})
    place = {"campaign_id": ids["campaign_id"], "party_id": ids["party_id"]}
    towards = [
        {"npc_id": npc, "towards": "party", "delta": 1, "reason": realm.secret},
        {"npc_id": npc, "towards": ids["user_id"], "delta": 1, "reason": realm.secret},
    ]
    realm.must(
        "POST",
        "episodes/summaries",
        {
            **place,
            "summary_id": ids["summary_id"],
            "scene_id": ids["scene_id"],
            "when": "2026-03-01T19:00:00Z",
            "who": {"players": [ids["user_id"]], "npcs": [npc]},
            "where": {"location_id": ids["location_id"], "tags": [realm.secret]},
            "what": {"event": "bargain", "outcome": "success", "loot": [{"item_id": realm.secret, "qty": 1}]},
            "flags": {"gate_moon_door": realm.secret},
            "relations_delta": towards,
            "notes": text,
            "version": "1.0.0",
        },
        **{"Idempotency-Key": ONCE if ids is SHARED else f"{realm.word}-{ids['summary_id']}"},
    )
    event = {"event_id": ids["event_id"], "kind": "quest_completed", "when": "2026-03-01T20:00:00Z", "notes": text}
    realm.must("POST", "episodes/events", {**place, **event, "flags": {"oath": realm.secret}})
    realm.must("POST", "episodes/hearsay", {"npc_id": npc, "event_id": ids["event_id"], "source": realm.secret})
    realm.must("POST", "art-cards", {
        "image_id": ids["image_id"], "scene_id": ids["scene_id"], "campaign_id": ids["campaign_id"],
        "prompt_text": text,
        "entities": {"npc": [npc], "location": [ids["location_id"]]}, "style": {"preset": realm.secret, "seed": 1},
        "visual_tags": [realm.secret, "mist", "bell", "rope", "dusk"],
    })  # fmt: skip
    ended = realm.must("POST", f"campaigns/{ids['campaign_id']}/scenes/{ids['scene_id']}/end")
    assert [each["npc_id"] for each in ended["shared"]] == [listener, listener]
    _roll_back_and_forward(realm, f"campaigns/{ids['campaign_id']}")


def _roll_back_and_forward(realm: Realm, campaign: str) -> None:
    first = realm.call("GET", f"{campaign}/checkpoints").json()["checkpoints"][-1]
    back = realm.must("POST", f"{campaign}/rollback", {"checkpoint_id": first["checkpoint_id"], "reason": realm.text})
    again = {"checkpoint_id": back["undo_checkpoint_id"], "reason": realm.secret}
    assert realm.must("POST", f"{campaign}/rollback", again)["is_changed"]


def _talk(realm: Realm, ids: Mapping[str, Any]) -> None:
    who = {name: ids[name] for name in ("user_id", "external_id", "npc_id", "session_id")}
    chat = realm.must("POST", "conversations", who)["id"]
    messages = [
        {"role": role, "content": realm.text, "client_message_id": f"{ids['client_message_id']}{place}"}
        for place, role in enumerate(("user", "assistant", "user"))
    ]
    stored = realm.must("POST", f"conversations/{chat}/messages/batch", {"messages": messages})["messages"]
    realm.must("POST", f"messages/{stored[-1]['message_id']}/forget")
    _make_event(realm, ids, chat, [each["message_id"] for each in stored[:-1]])
    ask = {name: ids[name] for name in ("user_id", "npc_id", "session_id", "party_id", "scene_id")}
    realm.must("POST", "context", {"message": realm.text, **ask})
    session = f"npc/sessions/{ids['session_id']}/preference"
    realm.must("PUT", session, {"interest_tags": [realm.secret], "language": "en"})
    stated = {"type": "allergy", "value": realm.secret, "source": "onboarding"}
    said = {"type": "hard_ban", "value": realm.secret, "source": "explicit", "evidence": [stored[0]["message_id"]]}
    for fact in (stated, said):
        realm.must("POST", f"users/{ids['user_id']}/facts", fact)
    content = article(f"{ids['slug']}-draft", realm.text)
    request = {"domain": "lore", "title": realm.text, "description": realm.text}
    realm.must("POST", "change-requests", {**request, "items": [{"operation": "create", "content": content}]})


def _keep_notebook(realm: Realm) -> None:
    """A notebook of two agents with one key, a conflict between them, and what waits."""
    root = f"notebooks/{SHARED['notebook_id']}"
    realm.must("PUT", root, {"title": realm.text})
    realm.must("PUT", f"{root}/members/{SHARED['member']}", {"access": "write", "is_trusted": True})
    realm.must("PUT", f"{root}/members/proposer", {"access": "propose"})
    scout, proposer = {"X-Agent-ID": SHARED["member"]}, {"X-Agent-ID": "proposer"}
    for each in ({}, scout, proposer):
        realm.must("PUT", f"{root}/facts/{SHARED['fact_key']}", {"value": f"{realm.text} {each or ''}"}, **each)
    realm.must("POST", f"{root}/notes", {"text": realm.text})
    realm.must("PUT", f"{root}/documents/{SHARED['document_path']}", {"content": realm.text})
    realm.must("POST", f"{root}/commands", {"text": '[GET_FACT key="bell"]'})
    realm.must(
        "POST",
        "store/batch",
        {"ops": [{"op": "put", "namespace": [SHARED["user_id"]], "key": "bell", "value": {"text": realm.text}}]},
    )


def _keep_threads(realm: Realm) -> None:
    """Two threads, each with a checkpoint, what a task wrote, and a question that waits."""
    for name in (SHARED["thread_id"], f"{realm.word}-thread"):
        root = f"threads/{name}"
        value = {"type": "json", "json": realm.text}
        checkpoint = {"id": f"{realm.word}-1", "channel_versions": {"plan": 1}}
        realm.must("PUT", root, {"title": realm.text, "user_id": SHARED["user_id"]})
        body = {"checkpoint": checkpoint, "values": {"plan": value}, "metadata": {"run_id": realm.word, "step": 1}}
        realm.must("POST", f"{root}/checkpoints", body)
        asked = {"graph_id": "ask-1", "value": realm.text}
        write = {"checkpoint_id": f"{realm.word}-1", "task_id": "task-1", "interrupts": [asked]}
        realm.must("POST", f"{root}/writes", {**write, "writes": [{"channel": "__interrupt__", "value": value}]})


def _make_event(realm: Realm, ids: Mapping[str, Any], chat: int, message_ids: Sequence[int]) -> None:
    """An event of a talk, whose words hold the secret, as does the world's template of its card."""
    if get_policy(realm.world.pk).pk is None:
        draft = PolicyDraft(templates={"en": f"{{summary}} {realm.secret}"})
        decider = Decider("key", 1, "key test")
        replace_policy(world_id=realm.world.pk, draft=draft, expected_version=0, decider=decider)
    user = get_end_user(tenant_id=realm.world.tenant_id, external_id=ids["user_id"])
    node = EventNode.objects.create(
        tenant_id=realm.world.tenant_id,
        world=realm.world,
        end_user=user,
        conversation_id=chat,
        first_seq=1,
        last_seq=len(message_ids),
        triggered_by="manual",
        evidence=list(message_ids),
        npc_ids=[ids["npc_id"]],
    )
    claimed = claim_event(node.pk, proposer="offline", model="", prompt_version="1")
    assert claimed is not None
    plot = Plot(realm.text, (realm.word, realm.secret), location=realm.secret)
    stored = store_event(node.pk, ExtractedEvent(plot.as_document(), plot))
    assert stored.state == "buffer"
    propose_edit(stored, f"It was otherwise: {realm.secret}", seen_rev=0, author=f"key {realm.secret}")


def _extract(realm: Realm, ids: Mapping[str, Any]) -> None:
    """A run over what the player said, whose one delta holds the secret."""
    Tenant.objects.filter(pk=realm.world.tenant_id).update(extraction="shadow")
    user = get_end_user(tenant_id=realm.world.tenant_id, external_id=ids["user_id"])

    def propose(given: Given) -> list[dict[str, Any]]:
        """Rests on the world's own words: a run may be given the player's remarks in other worlds, too."""
        places = enumerate(given.messages, 1)
        place = next(place for place, each in places if each.is_new and realm.secret in each.content)
        return [make_delta(realm.secret, (place, realm.secret), type="life_event")]

    extract_user(tenant_id=user.tenant_id, end_user_id=user.pk, triggered_by="manual", proposer=FixedProposer(propose))


def list_tenant_models() -> Iterator[type[Model]]:
    """Every model whose rows belong to a tenant, keys apart: they note when they were used."""
    for model in apps.get_models():
        names = {each.name for each in model._meta.concrete_fields}
        if "tenant" in names and model._meta.label != "tenancy.ApiKey":
            yield model


def read_rows(tenant_id: int) -> dict[str, dict[Any, str]]:
    """A checksum of each row of a tenant, by model and primary key."""
    found = {}
    for model in list_tenant_models():
        table, pk = model._meta.db_table, model._meta.pk.column
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT "{pk}", md5(t::text) FROM "{table}" t WHERE tenant_id = %s', [tenant_id])
            found[model._meta.label] = dict(cursor.fetchall())
    return found


def read_sessions(realm: Realm) -> dict[bytes, str]:
    """A checksum of what Redis keeps of the world's sessions, by key."""
    client = get_redis()
    inside = f":{realm.world.tenant_id}:{realm.world.pk}:"
    keys = [key for key in client.scan_iter(match=f"{settings.REDIS_KEY_PREFIX}:session:*") if inside in str(key)]
    return {key: hashlib.sha256(client.dump(key)).hexdigest() for key in keys}
