"""A world with an editor, a reviewer and an owner, and short ways to move its canon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model

from knowledge.canon.actions import ensure_domain_index
from knowledge.canon.models import DomainIndex, Publication, Release
from reviews.change_requests.actions.drafts import create_change_request, save_item
from reviews.change_requests.actions.review import approve_change_request, submit_change_request
from reviews.change_requests.selectors.items import get_items_hash
from reviews.core.actor import Actor
from reviews.models import ChangeRequest
from reviews.releases.actions.releases import swap_release
from reviews.releases.actions.stage import stage_approved
from reviews.releases.selectors.live import list_live_publications
from reviews.selectors.actors import actor_of_user
from reviews.tasks import stage_release
from tenancy.models import ApiKey, Membership, Tenant, World


@dataclass
class Selmar:
    """One tenant's world, and the people who keep its lore."""

    tenant: Tenant
    world: World
    index: DomainIndex
    editor: Actor
    reviewer: Actor
    owner: Actor

    def draft(self, *articles: dict[str, Any], actor: Actor | None = None, title: str = "Edit") -> ChangeRequest:
        """A draft that creates articles, or updates those whose slug is live."""
        actor = actor or self.editor
        request = create_change_request(actor=actor, domain_index_id=self.index.pk, title=title)
        for content in articles:
            live = self.live(content["slug"])
            save_item(
                actor=actor,
                change_request_id=request.pk,
                content=content,
                document_id=live.document_id if live else None,
            )
        return request

    def submitted(self, *articles: dict[str, Any], **kwargs: Any) -> ChangeRequest:
        """A request that waits for its review."""
        request = self.draft(*articles, **kwargs)
        return submit_change_request(actor=kwargs.get("actor") or self.editor, change_request_id=request.pk)

    def approved(self, *articles: dict[str, Any], **kwargs: Any) -> ChangeRequest:
        """A request that another person approved."""
        return self.approve(self.submitted(*articles, **kwargs))

    def approve(self, request: ChangeRequest, actor: Actor | None = None) -> ChangeRequest:
        """The request, approved as it is now."""
        return approve_change_request(
            actor=actor or self.reviewer,
            change_request_id=request.pk,
            expected_items_hash=get_items_hash(request),
        )

    def staged(self, *articles: dict[str, Any]) -> tuple[ChangeRequest, Release]:
        """A request on the stage, built and judged by the gate."""
        request = self.approved(*articles)
        release = stage_approved(actor=self.reviewer, domain_index_id=self.index.pk, change_request_ids=[request.pk])
        stage_release(release.pk)
        request.refresh_from_db()
        release.refresh_from_db()
        return request, release

    def publish(self, *articles: dict[str, Any]) -> tuple[ChangeRequest, Release]:
        """A request whose release is live."""
        request, release = self.staged(*articles)
        swap_release(actor=self.reviewer, release_id=release.pk)
        request.refresh_from_db()
        release.refresh_from_db()
        return request, release

    def live(self, slug: str) -> Publication | None:
        """What is live under the slug."""
        return list_live_publications(self.index.pk).filter(slug=slug).first()

    def body(self, slug: str) -> str:
        """The live text under the slug."""
        live = self.live(slug)
        assert live is not None
        return live.revision.body


def make_selmar(slug: str = "selmar") -> Selmar:
    """A tenant with a world, a lore domain, and one person a role."""
    tenant = Tenant.objects.create(slug=slug, name=slug.title())
    world = World.objects.create(tenant=tenant, slug="main", name="Main")
    index = ensure_domain_index(world_id=world.pk, domain="lore")
    people = [make_actor(tenant, f"{slug}-{role}", role) for role in ("editor", "reviewer", "owner")]
    return Selmar(tenant, world, index, *people)


def make_actor(tenant: Tenant, name: str, role: str) -> Actor:
    """A person who holds the role."""
    user = get_user_model().objects.create_user(username=name, password="a-long-password")
    Membership.objects.create(tenant=tenant, user=user, role=role)
    return actor_of_user(user, tenant)


def make_key_actor(tenant: Tenant, creator: Actor | None = None) -> Actor:
    """A key that edits."""
    key = ApiKey.objects.create(
        tenant=tenant,
        name="pipeline",
        prefix=f"k{tenant.pk}x{creator.id if creator else 0}",
        secret_hash=b"0" * 32,
        scopes=["editor"],
        created_by_id=creator.user_id if creator else None,
    )
    return Actor(type="key", id=key.pk, label=f"API key {key.prefix}", tenant_id=tenant.pk, role="editor")
