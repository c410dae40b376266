"""What an installation is and does for one caller: worlds, releases, embeddings, models, and what it does without."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Count, Min

from episodes.embedding.selectors.enrichment import (
    EnrichmentState,
    count_backlog,
    get_enrichment_state,
    get_waited_seconds,
)
from factcheck.extraction.selectors.status import ExtractionStatus, describe_extraction
from factcheck.plots.status import EventStatus, describe_events
from knowledge.canon.models import Alias, AliasName, DomainIndex, LorePassage, Release
from knowledge.config import load_knowledge_settings
from knowledge.search.embedding import get_embedder, get_message_embedder
from knowledge.search.embedding_rate import estimate_seconds
from knowledge.search.models import EmbeddingState
from knowledge.text.analysis import ANALYSIS_VERSION
from memoryproject.chat_model import find_chat_model
from memoryproject.version import get_version
from tenancy.core.caller import Caller
from tenancy.models import World


@dataclass(frozen=True, slots=True)
class ReleaseStatus:
    """A release that an alias points at."""

    number: int
    title: str
    documents: int
    passages: int
    embedder: str
    dims: int


@dataclass(frozen=True, slots=True)
class EmbedderStatus:
    """What embeds a domain's texts by the present configuration."""

    name: str
    dims: int
    semantic: bool
    """Whether it knows meaning, or only spelling."""


@dataclass(frozen=True, slots=True)
class DomainStatus:
    """One domain of one world."""

    domain: str
    latest: ReleaseStatus | None
    stage: ReleaseStatus | None
    canary_percent: int
    embedder: EmbedderStatus | None
    """None when `config/knowledge.yaml` no longer knows the domain."""
    pending_embeddings: int
    failed_embeddings: int
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorldStatus:
    """One world that the caller's key reaches."""

    slug: str
    name: str
    languages: tuple[str, ...]
    domains: tuple[DomainStatus, ...]


@dataclass(frozen=True, slots=True)
class MessageStatus:
    """How the messages that the key reaches stand on their way to a vector."""

    embedder: EmbedderStatus
    pending_embeddings: int
    failed_embeddings: int
    oldest_pending_seconds: float | None


@dataclass(frozen=True, slots=True)
class Status:
    """The whole answer."""

    version: str
    tenant: str
    scopes: tuple[str, ...]
    chat_model: str | None
    snippets: str
    """Whether a model makes snippets of long messages: `on`, `off` or `model_not_configured`."""
    talk_summaries: str
    """The same of summaries of talk that left the window."""
    worlds: tuple[WorldStatus, ...]
    messages: MessageStatus
    extraction: ExtractionStatus
    events: EventStatus
    embeddings_pending: int
    """Messages, summaries and passages of canon within reach that wait for a vector."""
    embeddings_oldest_pending_seconds: float | None
    """How long the first of them has waited; None when none waits."""
    embeddings_seconds_left: float | None
    """How long they will take at the rate of the last minutes; None while that is not known."""
    degraded: tuple[str, ...]
    """The union of what the domains do without, and `extraction_paused` while a breaker is not closed."""


def get_status(caller: Caller, *, world_slug: str | None = None) -> Status:
    """The state of all that the caller's key reaches, or of one world of it. Nine queries, whatever the size."""
    reached = World.objects.filter(tenant_id=caller.tenant_id).order_by("slug")
    if caller.world_id is not None:
        reached = reached.filter(pk=caller.world_id)
    if world_slug is not None:
        reached = reached.filter(slug=world_slug)
    worlds = list(reached)
    by_world, canon_since = _load_domains(worlds)
    model = find_chat_model()
    found = tuple(
        WorldStatus(world.slug, world.name, tuple(world.languages), tuple(by_world.get(world.pk, ())))
        for world in worlds
    )
    one_world = caller.world_id is not None or world_slug is not None
    enrichment = get_enrichment_state(caller.tenant_id, (worlds[0].pk if worlds else 0) if one_world else None)
    waiting_since = [each for each in (canon_since, enrichment.oldest_pending) if each is not None]
    pending = sum(domain.pending_embeddings for world in found for domain in world.domains)
    missing = {reason for world in found for domain in world.domains for reason in domain.degraded}
    waiting = pending + enrichment.pending + enrichment.pending_summaries
    extraction = describe_extraction(tenant_id=caller.tenant_id, is_world_bound=caller.world_id is not None)
    if extraction.paused:
        missing.add("extraction_paused")
    return Status(
        version=get_version(),
        tenant=caller.tenant_slug,
        scopes=tuple(sorted(caller.scopes)),
        chat_model=model.name if model else None,
        snippets=_name_state(settings.SNIPPETS_ENABLED, has_model=model is not None),
        talk_summaries=_name_state(settings.TALK_SUMMARIES_ENABLED, has_model=model is not None),
        worlds=found,
        messages=_describe_messages(enrichment),
        extraction=extraction,
        events=describe_events(tenant_id=caller.tenant_id, is_world_bound=caller.world_id is not None),
        embeddings_pending=waiting,
        embeddings_oldest_pending_seconds=get_waited_seconds(min(waiting_since, default=None)),
        embeddings_seconds_left=estimate_seconds(waiting),
        degraded=tuple(sorted(missing)),
    )


def _name_state(is_enabled: bool, *, has_model: bool) -> str:
    """What a key's owner is told of work that only a chat model does."""
    if not is_enabled:
        return "off"
    return "on" if has_model else "model_not_configured"


def _describe_messages(state: EnrichmentState) -> MessageStatus:
    embedder = get_message_embedder()
    return MessageStatus(
        embedder=EmbedderStatus(embedder.name, embedder.dims, embedder.is_semantic),
        pending_embeddings=state.pending,
        failed_embeddings=state.failed,
        oldest_pending_seconds=state.oldest_pending_seconds,
    )


def _load_domains(worlds: Iterable[World]) -> tuple[dict[int, list[DomainStatus]], dt.datetime | None]:
    """The domains of each world, and when the first passage of all that waits for a vector was written."""
    indexes = DomainIndex.objects.filter(world__in=worlds).order_by("world_id", "domain")
    aliases: dict[int, dict[str, Release]] = {}
    for alias in Alias.objects.filter(domain_index__world__in=worlds).select_related("release__vector_space"):
        aliases.setdefault(alias.domain_index_id, {})[alias.name] = alias.release
    counts, waiting_since = _count_embeddings(indexes)
    domains: dict[int, list[DomainStatus]] = {}
    for index in indexes:
        releases = aliases.get(index.pk, {})
        domains.setdefault(index.world_id, []).append(_describe_domain(index, releases, counts))
    return domains, waiting_since


def _count_embeddings(indexes: Iterable[DomainIndex]) -> tuple[Counter[tuple[int, str]], dt.datetime | None]:
    rows = list(
        LorePassage.objects.filter(
            domain_index__in=[index.pk for index in indexes],
            embedding_state__in=[EmbeddingState.PENDING, EmbeddingState.FAILED],
        )
        .values_list("domain_index_id", "embedding_state")
        .annotate(count=Count("*"), since=Min("created_at"))
    )
    counts = Counter({(index_id, state): count for index_id, state, count, _ in rows})
    return counts, min((since for _, state, _, since in rows if state == EmbeddingState.PENDING), default=None)


def _describe_domain(
    index: DomainIndex, releases: dict[str, Release], counts: Counter[tuple[int, str]]
) -> DomainStatus:
    latest, stage = releases.get(AliasName.LATEST), releases.get(AliasName.STAGE)
    embedder = None
    if index.domain in load_knowledge_settings():
        configured = get_embedder(index.domain)
        embedder = EmbedderStatus(configured.name, configured.dims, configured.is_semantic)
    pending, failed = counts[index.pk, EmbeddingState.PENDING], counts[index.pk, EmbeddingState.FAILED]
    return DomainStatus(
        domain=index.domain,
        latest=_describe_release(latest),
        stage=_describe_release(stage),
        canary_percent=index.canary_percent,
        embedder=embedder,
        pending_embeddings=pending,
        failed_embeddings=failed,
        degraded=tuple(_find_reasons(latest, embedder, pending=pending, failed=failed)),
    )


def _describe_release(release: Release | None) -> ReleaseStatus | None:
    if release is None:
        return None
    return ReleaseStatus(
        number=release.number,
        title=release.title,
        documents=release.document_count,
        passages=release.passage_count,
        embedder=release.vector_space.embedder,
        dims=release.vector_space.dims,
    )


def _find_reasons(
    latest: Release | None, embedder: EmbedderStatus | None, *, pending: int, failed: int
) -> Iterable[str]:
    """Codes of what search in `latest` has to do without."""
    if embedder is None:
        yield "domain_not_configured"
    elif not embedder.semantic:
        yield "embedder_not_semantic"
    if latest is None:
        yield "nothing_published"
    else:
        space = latest.vector_space
        if embedder is not None and (space.embedder, space.dims) != (embedder.name, embedder.dims):
            yield "embedder_changed"
        if latest.analysis_version != ANALYSIS_VERSION:
            yield "analysis_outdated"
    if pending:
        yield "embeddings_pending"
    if failed:
        yield "embeddings_failed"


def count_all_pending() -> int:
    """Messages, summaries and passages of canon of all tenants that wait for a vector. Two queries."""
    passages = LorePassage.objects.filter(embedding_state=EmbeddingState.PENDING).count()
    return passages + sum(pending for _, _, pending, _ in count_backlog())
