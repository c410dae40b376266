"""A domain index with short ways to change its canon, and what any release of it must hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from knowledge.canon.actions import (
    Edit,
    build_release,
    ensure_domain_index,
    publish_release,
    record_gate,
    start_release,
)
from knowledge.canon.core.article import Article, parse_article
from knowledge.canon.models import DomainIndex, LexemeCount, LorePassage, Publication, Release
from knowledge.canon.selectors.audience import live_in
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.models import World

_NUMBERS = count(1)


def make_article(slug: str, body: str = "Some words.", **members: Any) -> Article:
    content = {"slug": slug, "title": slug.replace("-", " ").title(), "type": "article", "language": "en"}
    return parse_article({**content, "body": body, **members})


@dataclass
class Canon:
    """One domain of one world."""

    world: World
    index: DomainIndex
    documents: dict[str, int] = field(default_factory=dict)
    """Document ids by the slug that they were created under."""

    def edit(self, slug: str, body: str | None, *, key: str | None = None, **members: Any) -> Edit:
        """A new version of a document (None: its retirement), made from what is live; `key` names a renamed one."""
        document_id = self.documents.get(key or slug)
        live = self.live_publications().get(document_id) if document_id else None
        article = None if body is None else make_article(slug, body, **members)
        return Edit(document_id, article, live.revision_id if live else None)

    def live_publications(self) -> dict[int, Publication]:
        latest = self.index.aliases.filter(name="latest").select_related("release").first()
        if latest is None:
            return {}
        rows = Publication.objects.filter(live_in(latest.release.number), domain_index=self.index)
        return {row.document_id: row for row in rows.select_related("revision")}

    def start(self, *edits: Edit, **options: Any) -> Release:
        release = start_release(domain_index_id=self.index.pk, edits=list(edits), **options)
        for row in release.edits.select_related("revision"):
            if row.revision is not None and row.document_id not in self.documents.values():
                self.documents[row.revision.slug] = row.document_id
        return release

    def stage(self, *edits: Edit, **options: Any) -> Release:
        return build_release(self.start(*edits, **options).pk)

    def publish(self, *edits: Edit, **options: Any) -> Release:
        release = self.stage(*edits, **options)
        if release.gate_state == "pending":
            record_gate(release.pk, state="passed")
        return publish_release(release.pk)

    def load(self, **bodies: str) -> Release:
        """The first release, with an article for each name (underscores become hyphens)."""
        edits = [Edit(None, make_article(name.replace("_", "-"), body)) for name, body in bodies.items()]
        return self.publish(*edits, first_load=True)

    def resolve(self, release: int | None = None, alias: str = "latest") -> ResolvedRelease:
        return resolve_release(world_id=self.world.pk, domain=self.index.domain, release=release, alias=alias)

    def bodies(self, number: int) -> dict[str, str]:
        """By slug, what the documents of a release say, as their passages have it."""
        slugs = dict(
            Publication.objects.filter(live_in(number), domain_index=self.index).values_list("document_id", "slug")
        )
        texts: dict[str, list[str]] = {slug: [] for slug in slugs.values()}
        for row in self.passages(number).select_related("chunk").order_by("chunk__ordinal"):
            texts[slugs[row.document_id]].append(row.chunk.text)
        return {slug: "\n\n".join(parts) for slug, parts in texts.items()}

    def passages(self, number: int):
        return LorePassage.objects.filter(live_in(number), domain_index=self.index)

    def lexeme_counts(self, number: int) -> dict[int, int]:
        """Document frequencies of a release, from the deltas."""
        counts: Counter[int] = Counter()
        rows = LexemeCount.objects.filter(domain_index=self.index, release_number__lte=number)
        for lexeme, delta in rows.values_list("lexeme", "delta"):
            counts[lexeme] += delta
        return {lexeme: counted for lexeme, counted in counts.items() if counted}

    def recounted_lexemes(self, number: int) -> dict[int, int]:
        """Document frequencies of a release, from its passages."""
        counts: Counter[int] = Counter()
        for lexemes in self.passages(number).values_list("lexemes", flat=True):
            counts.update(lexemes)
        return dict(counts)

    def check(self, expected: Mapping[int, Mapping[str, str]]) -> None:
        """Every release holds what it should, and its counts are those of a recount from scratch."""
        for number, bodies in expected.items():
            assert self.bodies(number) == bodies, f"release {number}"
            assert self.lexeme_counts(number) == self.recounted_lexemes(number), f"release {number}"
            release = Release.objects.get(domain_index=self.index, number=number)
            assert release.document_count == len(bodies)
            assert release.passage_count == self.passages(number).count()

    def rows(self) -> tuple[list[tuple[Any, ...]], ...]:
        """All that search can see, to compare before and after."""
        publications = Publication.objects.filter(domain_index=self.index).order_by("pk")
        passages = LorePassage.objects.filter(domain_index=self.index).order_by("pk")
        counts = LexemeCount.objects.filter(domain_index=self.index).order_by("pk")
        return (
            list(publications.values_list("pk", "slug", "revision_id", "added_in", "removed_in")),
            list(passages.values_list("pk", "chunk_id", "added_in", "removed_in", "embedding_state")),
            list(counts.values_list("lexeme", "release_number", "delta")),
        )


def make_canon(domain: str = "lore") -> Canon:
    number = next(_NUMBERS)
    tenant = ensure_tenant(slug=f"studio-{number}", name="Studio")
    world = ensure_world(tenant_id=tenant.pk, slug="selmar", name="Selmar", languages=["en"])
    return Canon(world, ensure_domain_index(world_id=world.pk, domain=domain))
