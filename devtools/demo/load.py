"""Puts the sample world in place: tenant, world, people, keys, canon, golden queries, play, and what players said.

Doing it again changes nothing.
"""

from __future__ import annotations

import io
import json
import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command

from devtools.demo.activity import ensure_activity
from devtools.demo.notebooks import load_notebook
from devtools.demo.play import load_art, load_campaigns
from devtools.demo.questions import load_questions
from devtools.demo.second_stage import ensure_second_stage
from devtools.demo.store_items import load_store_items
from devtools.demo.stories import load_stories
from devtools.demo.talk import find_told_trace, load_talk
from devtools.demo.threads import load_thread
from knowledge.canon.actions import ensure_domain_index
from reviews.releases.selectors.live import find_latest_release
from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.errors import KeyRefused
from tenancy.models import Membership, Role, Scope, World
from tenancy.selectors import authenticate_key

TENANT_SLUG = "demo"
WORLD_SLUG = "selmar"
LANGUAGES = ("en", "ru", "ar", "zh")
DOMAINS = ("srd", "lore")
SAMPLE_DIR = Path("samples") / "selmar"
SUPERUSER = "admin"
SECRETS_FILE = "demo.json"
TENANT_KEY = "tenant"
"""The name of the key that reads and writes in all worlds: runs of extraction know none."""


@dataclass(frozen=True)
class SampleLogin:
    """Someone who can sign in to the admin."""

    username: str
    password: str
    role: str


@dataclass(frozen=True)
class SampleWorld:
    """What a newcomer needs to try the sample world."""

    tenant_slug: str
    world_slug: str
    logins: tuple[SampleLogin, ...]
    keys: dict[str, str]
    trace_id: str
    """A turn to ask "why did the NPC say that" about; empty where traces are not kept."""


def load_sample_world() -> SampleWorld:
    """The sample world is live, with people of each role and a key of each scope."""
    tenant = ensure_tenant(slug=TENANT_SLUG, name="Demo studio")
    world = ensure_world(
        tenant_id=tenant.pk,
        slug=WORLD_SLUG,
        name="Selmar",
        description="A city of eleven bridges and a fog that drinks sound.",
        languages=LANGUAGES,
    )
    load_canon(world)
    load_npcs(world)
    load_campaigns(world, SAMPLE_DIR / "campaign")
    load_art(world, SAMPLE_DIR / "art" / "cards.json")
    load_talk(world, SAMPLE_DIR / "talk")
    load_stories(world, SAMPLE_DIR / "stories")
    load_notebook(world, SAMPLE_DIR / "notebook.json")
    load_thread(world, SAMPLE_DIR / "threads.json")
    load_store_items(world, SAMPLE_DIR / "store.json")
    load_questions(world, SAMPLE_DIR / "unanswered.json")
    path = Path(settings.DATA_DIR) / SECRETS_FILE
    kept = read_secrets(path)
    passwords = kept.setdefault("passwords", {})
    logins = (*ensure_logins(tenant_id=tenant.pk, passwords=passwords), ensure_superuser(passwords))
    ensure_activity(world)
    call_command("load_gold_items", stdout=io.StringIO())
    ensure_second_stage(world, SAMPLE_DIR / "histories")
    keys = ensure_keys(world, kept.setdefault("keys", {}))
    write_secrets(path, kept)
    return SampleWorld(
        tenant_slug=tenant.slug, world_slug=world.slug, logins=logins, keys=keys, trace_id=find_told_trace(world)
    )


def load_canon(world: World) -> None:
    """Each domain of the sample has its first release live and its golden queries in place."""
    for domain in DOMAINS:
        place = ["--tenant", TENANT_SLUG, "--world", WORLD_SLUG, "--domain", domain]
        index = ensure_domain_index(world_id=world.pk, domain=domain)
        if find_latest_release(index.pk) is not None:
            continue
        source = Path(settings.BASE_DIR) / SAMPLE_DIR / domain
        call_command("ingest", str(source), *place, "--initial", stdout=io.StringIO(), stderr=io.StringIO())
        call_command("golden", "import", *place, "--reason", "The sample was loaded again.", stdout=io.StringIO())


def load_npcs(world: World) -> None:
    """The NPCs of the sample are as their files say."""
    place = ["--tenant", TENANT_SLUG, "--world", world.slug]
    call_command("load_npcs", str(Path(settings.BASE_DIR) / SAMPLE_DIR / "npcs"), *place, stdout=io.StringIO())


def ensure_logins(*, tenant_id: int, passwords: dict[str, str]) -> Iterable[SampleLogin]:
    """A person of each role, with a password that stays the same for this data directory."""
    user_model = get_user_model()
    for role in Role.values:
        user, is_new = user_model.objects.get_or_create(username=role, defaults={"is_staff": True})
        if is_new or role not in passwords:
            passwords[role] = secrets.token_urlsafe(9)
        if not user.check_password(passwords[role]):
            user.set_password(passwords[role])
            user.save(update_fields=["password"])
        Membership.objects.get_or_create(tenant_id=tenant_id, user=user, defaults={"role": role})
        yield SampleLogin(username=role, password=passwords[role], role=role)


def ensure_superuser(passwords: dict[str, str]) -> SampleLogin:
    """Someone who sees all tenants, people and periodic tasks."""
    user, _ = get_user_model().objects.get_or_create(username=SUPERUSER, defaults={"is_staff": True})
    password = passwords.setdefault(SUPERUSER, secrets.token_urlsafe(9))
    if not (user.is_superuser and user.is_staff and user.check_password(password)):
        user.is_superuser = user.is_staff = True
        user.set_password(password)
        user.save(update_fields=["password", "is_superuser", "is_staff"])
    return SampleLogin(username=SUPERUSER, password=password, role="superuser")


def ensure_keys(world: World, kept: dict[str, str]) -> dict[str, str]:
    """A key of each scope for the sample world, and one for all worlds; kept ones while the database knows them."""
    for scope in Scope.values:
        if not _is_accepted(kept.get(scope, "")):
            kept[scope] = issue_api_key(
                tenant_id=world.tenant_id, world_id=world.pk, name=f"Demo: {scope}", scopes=[scope]
            ).text
    if not _is_accepted(kept.get(TENANT_KEY, "")):
        scopes = [Scope.READ.value, Scope.ENGINE.value]
        kept[TENANT_KEY] = issue_api_key(tenant_id=world.tenant_id, name="Demo: all worlds", scopes=scopes).text
    return {name: kept[name] for name in (*Scope.values, TENANT_KEY)}


def read_secrets(path: Path) -> dict[str, Any]:
    """What an earlier demo of this data directory wrote down, or nothing."""
    try:
        kept = json.loads(path.read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return kept if isinstance(kept, dict) else {}


def write_secrets(path: Path, kept: dict[str, Any]) -> None:
    """Write passwords and keys down for the next demo, for this user's eyes only."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(kept, file, indent=2)


def _is_accepted(text: str) -> bool:
    try:
        authenticate_key(text)
    except KeyRefused:
        return False
    return True
