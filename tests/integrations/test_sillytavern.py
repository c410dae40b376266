"""The SillyTavern extension: its own tests by Node.js, and in a Chromium against the service from another origin."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from django.conf import settings as django_settings

from episodes.events.models import EventNode, EventTrigger
from episodes.models import Conversation, Message
from factcheck.instant.registry import warm_up
from knowledge.facts.models import UserFact
from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_world
from tenancy.models import Tenant
from tests.factcheck.plots.talks import make_events
from tests.waiting import wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

EXTENSION = Path(django_settings.BASE_DIR) / "integrations" / "sillytavern"
PATIENCE_SECONDS = 60.0
SWIPE = """async ([url, key, body]) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
}"""


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js")
def test_its_own_tests_pass():
    done = subprocess.run(
        ["node", "--test", *map(str, sorted((EXTENSION / "test").glob("*.mjs")))],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_its_manifest_names_what_there_is():
    manifest = json.loads((EXTENSION / "manifest.json").read_text())
    assert (EXTENSION / manifest["js"]).is_file()
    assert (EXTENSION / manifest["css"]).is_file()
    assert f"globalThis.{manifest['generate_interceptor']} =" in (EXTENSION / manifest["js"]).read_text()


@pytest.fixture
def warm() -> None:
    """Patterns are compiled before a browser waits for them."""
    warm_up().join()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[str]:
    """The address of a page that stands in for SillyTavern, an origin of its own."""
    (tmp_path / "index.html").write_bytes(Path(__file__).with_name("host.html").read_bytes())
    (tmp_path / "extension").symlink_to(EXTENSION)
    handler = functools.partial(QuietHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Says nothing."""


def issue_key() -> str:
    """A key bound to a world without any canon: a player who only wants to be remembered."""
    tenant = Tenant.objects.create(slug="t", name="T")
    world = ensure_world(tenant_id=tenant.pk, slug="chats")
    return issue_api_key(tenant_id=tenant.pk, world_id=world.pk, name="st", scopes=["read", "engine"]).text


def open_host(page: Page, host: str, **options: Any) -> None:
    """The extension over its settings; returns once it has started."""
    page.goto(f"{host}/#{quote(json.dumps({'memory37': options}))}")
    page.wait_for_selector("body[data-ready=yes]")


def list_told() -> list[str]:
    """What the service holds as said now, in all lines, oldest first."""
    return list(Message.objects.living().order_by("pk").values_list("content", flat=True))


@pytest.mark.browser
@pytest.mark.journey
@pytest.mark.django_db(transaction=True)
def test_a_player_talks_swipes_edits_branches_and_removes(page, host, live_server, settings, warm):
    settings.CORS_ALLOWED_ORIGINS = [host]
    key = issue_key()
    open_host(page, host, enabled=True, url=live_server.url, key=key, timeout_seconds=20)
    page.evaluate("host.send('I am allergic to peanuts.', 'Noted.')")
    wait_for(lambda: list_told() == ["I am allergic to peanuts.", "Noted."], "both are told")
    assert UserFact.objects.filter(is_active=True, type="allergy").count() == 1
    page.evaluate("host.generate('swipe', 'I will remember that.')")
    wait_for(lambda: list_told()[1:] == ["I will remember that."], "the swipe is current")
    assert "peanut" in page.evaluate("host.prompt")
    page.evaluate("host.pickSwipe(0)")
    wait_for(lambda: "Noted." in list_told() and len(list_told()) == 2, "the first answer is current again")
    page.evaluate("host.send('What shall I eat?', 'Figs.')")
    wait_for(lambda: len(list_told()) == 4, "the talk goes on")
    assert "peanut" in page.evaluate("host.prompt")
    page.evaluate("host.branch('Oda - Branch #1', 2)")
    wait_for(lambda: Conversation.objects.count() == 2, "a branch is a conversation of its own")
    page.evaluate("host.send('Let us sail instead.', 'Aye.')")
    wait_for(lambda: list_told()[-2:] == ["Let us sail instead.", "Aye."], "the branch is told")
    page.evaluate("host.remove(2)")
    wait_for(lambda: "Let us sail instead." not in list_told(), "what was removed is forgotten")
    assert page.locator("#memory37_log li").count() > 3


@pytest.mark.browser
@pytest.mark.journey
@pytest.mark.django_db(transaction=True)
def test_an_edit_takes_the_fact_out_of_the_next_prompt(page, host, live_server, settings, warm):
    settings.CORS_ALLOWED_ORIGINS = [host]
    key = issue_key()
    open_host(page, host, enabled=True, url=live_server.url, key=key, timeout_seconds=20)
    page.evaluate("host.send('I am allergic to peanuts.', 'Noted.')")
    wait_for(lambda: UserFact.objects.filter(is_active=True).exists(), "the allergy is known")
    page.evaluate("host.edit(0, 'I am fond of boats.')")
    wait_for(lambda: not UserFact.objects.filter(is_active=True).exists(), "it was never said")
    page.evaluate("host.send('What do you know of me?', 'Little.')")
    assert "peanut" not in page.evaluate("host.prompt")
    page.evaluate("host.send('I am allergic to walnuts.', 'Noted.')")
    wait_for(lambda: UserFact.objects.filter(is_active=True).exists(), "the allergy is known")
    page.evaluate("host.generate('normal', 'Well.')")
    assert "walnut" in page.evaluate("host.prompt")
    said = Message.objects.get(content__contains="walnuts")
    swipes = f"{live_server.url}/api/v1/conversations/{said.conversation_id}/swipes"
    page.evaluate(SWIPE, [swipes, key, {"content": "I am fond of the sea.", "seq": said.seq}])
    page.evaluate("host.generate('normal', 'Well, well.')")
    assert "walnut" not in page.evaluate("host.prompt")


@pytest.mark.browser
@pytest.mark.journey
@pytest.mark.django_db(transaction=True)
def test_events_stand_in_a_lorebook_and_what_the_player_writes_there_wins(page, host, live_server, settings, warm):
    settings.CORS_ALLOWED_ORIGINS = [host]
    open_host(page, host, enabled=True, url=live_server.url, key=issue_key(), timeout_seconds=20)
    page.evaluate("host.send('I ask Irina for the silver key.', 'Irina hands the silver key to you.')")
    page.evaluate("host.send('I ask her who followed her.', 'Nobody, says Irina.')")
    wait_for(lambda: len(list_told()) == 4, "all is told")
    [event] = make_events(Conversation.objects.get(), trigger=EventTrigger.MANUAL)
    page.evaluate("host.send('I thank Irina.', 'She nods.')")
    page.wait_for_function("host.books['Memory37 Oda - first']?.entries['1']?.content.includes('silver key')")
    page.evaluate("""() => {
        const book = structuredClone(host.books['Memory37 Oda - first']);
        book.entries['1'].content = 'Irina lost the silver key.';
        return host.saveBook('Memory37 Oda - first', book);
    }""")
    wait_for(lambda: EventNode.objects.get(pk=event.pk).display_text == "Irina lost the silver key.", "it is brought")


@pytest.mark.browser
@pytest.mark.journey
def test_it_goes_on_without_a_service(page, host):
    open_host(page, host, enabled=True, url="http://127.0.0.1:9", key="m37_none", timeout_seconds=1)
    page.evaluate("host.send('hello', 'Hi.')")
    assert page.evaluate("host.chat.length") == 2
    assert page.evaluate("host.prompt") == ""
    assert "cannot be reached" in (page.locator("#memory37_state").text_content() or "")


def preflight(client: Any, origin: str, path: str) -> Any:
    return client.options(path, headers={"Origin": origin, "Access-Control-Request-Method": "POST"})


def test_only_named_origins_may_call_and_only_the_rest_interface(client, settings, db):
    settings.CORS_ALLOWED_ORIGINS = ["http://127.0.0.1:8000"]
    allowed = preflight(client, "http://127.0.0.1:8000", "/api/v1/context")
    assert allowed["Access-Control-Allow-Origin"] == "http://127.0.0.1:8000"
    assert "idempotency-key" in allowed["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in allowed
    for origin, path in (("http://evil.example", "/api/v1/context"), ("http://127.0.0.1:8000", "/admin/")):
        assert "Access-Control-Allow-Origin" not in preflight(client, origin, path)
