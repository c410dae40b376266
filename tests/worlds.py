"""Small worlds for tests, made by the real actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knowledge.canon.actions import (
    Edit,
    build_release,
    ensure_domain_index,
    publish_release,
    record_gate,
    start_release,
)
from knowledge.canon.core.article import parse_article
from knowledge.canon.models import DomainIndex, GateState, Publication, Release
from tenancy.models import Tenant, World

Content = Mapping[str, Any]


def make_world(slug: str = "w", *, tenant: str = "t", npc_review: str = "off") -> World:
    """A world, in a tenant made on need. Its NPCs are written at once: their review has tests of its own."""
    owner, _ = Tenant.objects.get_or_create(slug=tenant, defaults={"name": tenant})
    return World.objects.create(tenant=owner, slug=slug, name=slug, npc_review=npc_review)


def write_npcs_at_once(world: World) -> World:
    """The world without review of NPCs, which has tests of its own."""
    world.npc_review = "off"
    world.save(update_fields=["npc_review"])
    return world


def make_article(slug: str, body: str, **more: Any) -> dict[str, Any]:
    """The content of a public English article."""
    return (
        {
            "slug": slug,
            "title": slug.replace("-", " ").title(),
            "type": "article",
            "language": "en",
            "audience": "public",
        }
        | {"body": body}
        | more
    )


def publish(world: World, *articles: Content, domain: str = "lore", retire: Sequence[str] = ()) -> Release:
    """The next release of a domain, live: articles are created, or updated where their slug is live."""
    index = ensure_domain_index(world_id=world.pk, domain=domain)
    release = stage(index, *articles, retire=retire)
    if release.gate_state == GateState.PENDING:
        record_gate(release.pk, state=GateState.PASSED)
    return publish_release(release.pk)


def stage(index: DomainIndex, *articles: Content, retire: Sequence[str] = ()) -> Release:
    """The next release of a domain, built and on the stage."""
    open_rows = {row.slug: row for row in Publication.objects.filter(domain_index=index, removed_in__isnull=True)}
    edits = [_edit(parse_article(content), open_rows.get(content["slug"])) for content in articles]
    edits += [Edit(open_rows[slug].document_id, None, open_rows[slug].revision_id) for slug in retire]
    first = not Release.objects.filter(domain_index=index).exists()
    return build_release(start_release(domain_index_id=index.pk, edits=edits, first_load=first).pk)


def _edit(article: Any, live: Publication | None) -> Edit:
    if live is None:
        return Edit(None, article)
    return Edit(live.document_id, article, live.revision_id)
