"""Two NPCs of one session never hear each other's talk; what the player prefers is told to both."""

from __future__ import annotations

import json
import os
import subprocess
from urllib.parse import urlsplit

import pytest
from django.test import Client

from memoryproject.asgi import django_application
from memoryproject.asgi_router import AsgiRouter
from runtime.mcp.app import build_mcp_app
from tenancy.actions.keys import issue_api_key
from tenancy.models import World
from tests.factories.canon import article, publish
from tests.factories.npcs import make_npc
from tests.factories.tenants import make_world
from tests.loopback_openai import serve_openai
from tests.runtime.mcp.conftest import serve

CHAT = """
curl -X POST http://localhost:8001/api/v1/npc/chat \\
  -H "Content-Type: application/json" \\
  -d '{
    "tenant_id": "yantian",
    "site_id": "yantian-main",
    "npc_id": "%s",
    "session_id": "session-abc123",
    "query": "%s"
  }'
"""
SESSION = """
curl %s"http://localhost:8001/api/v1/npc/sessions/session-abc123%s" \\
  -H "X-Tenant-ID: yantian" \\
  -H "X-Site-ID: yantian-main"
"""
PREFER = "/preference?verbosity=detailed&tone=respectful&interest_tag=农耕"
CURL = 'set -e; curl() { command curl -sS --fail-with-body -H "Authorization: Bearer $KEY" --connect-to "$TO" "$@"; }\n'
"""The commands run as they are written, with the key added."""
REPLIES = {"请问严氏家训有哪些？": "后生问得好，孝悌为本。", "祠堂是什么时候建的？": "据记载，建于元代。"}


def make_key(world: World) -> str:
    """A key that reads and writes play."""
    return issue_api_key(tenant_id=world.tenant_id, name="game", scopes=["read", "engine"]).text


@pytest.fixture
def yantian(transactional_db, redis):
    """The world of the walk-through."""
    world = make_world("yantian-main", tenant="yantian")
    publish(world, article("ci-tang", "祠堂在村口。", language="zh"))
    make_npc(world, "ancestor_yan", name="严氏先祖")
    make_npc(world, "village_elder", name="村长")
    return world


@pytest.fixture
def model(settings):
    """A model that answers by the last words of the prompt, and keeps the prompts."""
    with serve_openai(chat=lambda body: REPLIES.get(body["messages"][-1]["content"], "孝顺父母，敬爱兄长。")) as server:
        settings.CHAT_MODEL, settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = "loopback", server.url, "test"
        yield server


@pytest.fixture
def shell(yantian):
    """Runs a command in bash against the running service; the parsed answer."""
    router = AsgiRouter(
        django=django_application, mcp=build_mcp_app(), max_body_bytes=2 * 1024 * 1024, close_pools=lambda: None
    )
    with serve(router, http="memoryproject.http_parsing:TypedRequestProtocol") as url:
        environment = {**os.environ, "KEY": make_key(yantian), "TO": f"localhost:8001:{urlsplit(url).netloc}"}

        def run(command: str):
            done = subprocess.run(
                ["bash", "-c", CURL + command], env=environment, capture_output=True, text=True, check=False, timeout=60
            )
            assert done.returncode == 0, (command, done.stdout, done.stderr)
            return json.loads(done.stdout)

        yield run


def list_words(told) -> list[str]:
    """The contents of a session's messages."""
    return [each["content"] for each in told["recent_messages"]]


def test_walk_through_of_two_npcs_in_one_session_runs_as_it_is_written(shell, model):
    first, second, third = "请问严氏家训有哪些？", "祠堂是什么时候建的？", "第一条是什么意思？"
    shell(CHAT % ("ancestor_yan", first))
    shell(CHAT % ("village_elder", second))
    shell(CHAT % ("ancestor_yan", third))
    prompts = [json.dumps(each["messages"], ensure_ascii=False) for each in model.requests if "messages" in each]
    to_elder, to_ancestor = prompts[-2], prompts[-1]
    assert not [words for words in (first, REPLIES[first]) if words in to_elder]
    assert not [words for words in (second, REPLIES[second]) if words in to_ancestor]
    assert first in to_ancestor
    assert REPLIES[first] in to_ancestor

    whole = shell(SESSION % ("", ""))
    assert (whole["session_id"], whole["npc_id"], whole["message_count"]) == ("session-abc123", None, 6)
    ancestor, elder = (shell(SESSION % ("", f"?npc_id={npc}")) for npc in ("ancestor_yan", "village_elder"))
    assert list_words(ancestor)[:3] == [first, REPLIES[first], third]
    assert list_words(elder) == [second, REPLIES[second]]

    changed = shell(SESSION % ("-X PUT ", PREFER))
    assert changed["success"] is True
    assert (changed["preference"]["tone"], changed["preference"]["interest_tags"]) == ("respectful", ["农耕"])
    for npc_id in ("ancestor_yan", "village_elder"):
        assert shell(SESSION % ("", f"?npc_id={npc_id}"))["preference"] == changed["preference"]
        shell(CHAT % (npc_id, second))
        assert "用户感兴趣的话题：农耕" in model.requests[-1]["messages"][0]["content"]

    shell(SESSION % ("-X DELETE ", "?npc_id=ancestor_yan"))
    assert list_words(shell(SESSION % ("", "?npc_id=ancestor_yan"))) == []
    assert list_words(shell(SESSION % ("", "?npc_id=village_elder")))[:2] == [second, REPLIES[second]]
    shell(SESSION % ("-X DELETE ", ""))
    after = shell(SESSION % ("", ""))
    assert (after["message_count"], after["preference"]) == (0, None)


@pytest.mark.parametrize("opened_for", ["", "oda", "mira"])
def test_a_conversation_shared_by_two_npcs_is_told_to_each_by_its_own_share(transactional_db, redis, opened_for):
    world = make_world("ashfall", tenant="studio")
    make_npc(world, "oda", name="Oda")
    make_npc(world, "mira", name="Mira")
    headers = {"Authorization": f"Bearer {make_key(world)}", "X-Site-ID": "ashfall"}

    def post(path, body):
        response = Client().post(f"/api/v1/{path}", body, content_type="application/json", headers=headers)
        assert response.status_code < 300, response.content
        return response.json()

    opening = {"user_id": "p1", "session_id": "s"} | ({"npc_id": opened_for} if opened_for else {})
    chat = post("conversations", opening)["id"]
    for npc_id, word in (("oda", "heron"), ("mira", "otter")):
        said = [
            {"role": role, "content": f"The {word} sleeps, {role} {place}.", "npc_id": npc_id}
            for place in range(8)
            for role in ("user", "assistant")
        ]
        post(f"conversations/{chat}/messages/batch", {"messages": said})
    for npc_id, own, other in (("oda", "heron", "otter"), ("mira", "otter", "heron")):
        turn = {"message": "Who sleeps?", "user_id": "p1", "npc_id": npc_id, "budget": {"total": 8000}}
        for more in ({"conversation_id": chat}, {"session_id": "s"}, {}):
            told = json.dumps(post("context", {**turn, **more}))
            assert other not in told, (npc_id, more)
            assert own in told, (npc_id, more)
