"""Reads for fact checking: the articles that a claim names, their translations, and what their fields point at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet

from factcheck.claims.core.field_comparison import MAX_WORDS
from factcheck.claims.core.ngrams import list_name_keys
from factcheck.claims.core.subject_index import ArticleFacts, build_subjects, list_references
from factcheck.claims.core.subjects import Subject
from factcheck.core.tokens import Tokens
from factcheck.core.verdicts import Source
from factcheck.models import ContradictedClaim
from knowledge.canon.models import LorePassage, Publication
from knowledge.canon.selectors.audience import live_in
from knowledge.canon.selectors.documents import list_publications
from knowledge.canon.selectors.releases import ResolvedRelease

MAX_NAMED = 200
"""A claim names few things; more rows than this mean a name that is everywhere."""

_FACTS = (
    "slug",
    "title",
    "type",
    "document_id",
    "revision__aliases",
    "revision__fields",
    "revision__field_labels",
    "revision__translation_of",
)


def list_named_subjects(release: ResolvedRelease, claim: Tokens, *, audience: Sequence[str]) -> list[Subject]:
    """What the claim names and the audience may know, with all translations and what its fields point at.

    Four queries at most, whatever the claim: names, translations, references, translations of references.
    """
    keys = list_name_keys(claim) if len(claim.words) <= MAX_WORDS else []
    if not keys:
        return []
    readable = list_publications(release, audience)
    named = load_articles(readable.filter(names__overlap=keys))
    if not named or len(named) >= MAX_NAMED:
        return []
    articles = load_with_translations(readable, named)
    missing = list_references(articles) - {article.slug for article in articles}
    known: list[ArticleFacts] = []
    if missing:
        known = load_with_translations(readable, load_articles(readable.filter(slug__in=missing)))
    return build_subjects(articles, known)


def find_source(release: ResolvedRelease, slug: str, *, field: str, value: object, audience: Sequence[str]) -> Source:
    """The article that states a field, with the first of its passages. Two queries."""
    row = list_publications(release, audience).filter(slug=slug).only("slug", "title", "document_id").get()
    passage = (
        LorePassage.objects.filter(
            live_in(release.number),
            domain_index_id=release.domain_index_id,
            document_id=row.document_id,
            audience__overlap=list(audience),
        )
        .select_related("chunk")
        .only("chunk__version")
        .order_by("chunk__ordinal", "id")
        .first()
    )
    return Source(
        slug=row.slug,
        title=row.title,
        passage_id=None if passage is None else passage.pk,
        version="" if passage is None else passage.chunk.version,
        excerpt=f"{row.title}: {field} = {_show(value)}",
        field=field,
        release=release.number,
    )


def list_contradicted_claims(domain_index_id: int) -> QuerySet[ContradictedClaim]:
    """The claims that canon contradicted, newest first."""
    return ContradictedClaim.objects.filter(domain_index_id=domain_index_id).order_by("-id")


def _show(value: object) -> str:
    return ", ".join(str(item) for item in value) if isinstance(value, list | tuple) else str(value)


def load_articles(rows: QuerySet[Publication]) -> list[ArticleFacts]:
    """What claims can be held against in the publications, by slug, at most MAX_NAMED. One query."""
    return [
        ArticleFacts(
            slug=slug,
            title=title,
            type=type_,
            aliases=tuple(aliases),
            fields=fields,
            field_labels=labels,
            translation_of=translation_of,
            document_id=document_id,
        )
        for slug, title, type_, document_id, aliases, fields, labels, translation_of in rows.order_by(
            "slug"
        ).values_list(*_FACTS)[:MAX_NAMED]
    ]


def load_with_translations(readable: QuerySet[Publication], articles: Iterable[ArticleFacts]) -> list[ArticleFacts]:
    """The articles and all readable translations of them, by slug."""
    found = {article.slug: article for article in articles}
    roots = {article.root for article in found.values()}
    if roots:
        condition = Q(slug__in=roots) | Q(mentions__overlap=list(roots), revision__translation_of__in=roots)
        for article in load_articles(readable.filter(condition)):
            found.setdefault(article.slug, article)
    return [found[slug] for slug in sorted(found)]
