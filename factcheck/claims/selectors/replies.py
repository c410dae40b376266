"""What canon holds of the articles that a speaker was told of or names: fields, names and passages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from factcheck.claims.core.ngrams import list_name_keys
from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.subject_index import ArticleFacts, build_subjects, list_references
from factcheck.claims.core.subjects import Subject
from factcheck.claims.selectors.claims import MAX_NAMED, load_articles, load_with_translations
from factcheck.core.tokens import Tokens
from factcheck.core.verdicts import Source
from knowledge.canon.models import LorePassage
from knowledge.canon.selectors.audience import live_in
from knowledge.canon.selectors.documents import list_publications
from knowledge.canon.selectors.releases import ResolvedRelease

MAX_ARTICLES = 16
"""A turn is told of about a dozen; more names in one reply are passed over."""
MAX_PASSAGES = 96


@dataclass(frozen=True, slots=True)
class ReplyPassage:
    """A passage of one of the articles."""

    id: int
    slug: str
    title: str
    text: str
    version: str


@dataclass(frozen=True, slots=True)
class ReplyCanon:
    """What a reply is held against."""

    release: ResolvedRelease
    articles: tuple[CanonArticle, ...]
    subjects: tuple[Subject, ...]
    passages: tuple[ReplyPassage, ...]

    def find_source(self, slug: str, quote: str, *, field: str | None = None) -> Source:
        """The passage that holds the quoted words, else the article's first."""
        own = [passage for passage in self.passages if passage.slug == slug]
        words = " ".join(quote.split())
        held = [passage for passage in own if words in " ".join(passage.text.split())]
        passage = next(iter([*held, *own]), None)
        title = next((article.title for article in self.articles if article.slug == slug), slug)
        return Source(
            slug=slug,
            title=title,
            passage_id=None if passage is None else passage.id,
            version="" if passage is None else passage.version,
            excerpt=quote,
            field=field,
            release=self.release.number,
        )


def load_reply_canon(
    release: ResolvedRelease, texts: Sequence[Tokens], *, told: Iterable[str], audience: Sequence[str]
) -> ReplyCanon:
    """The articles by slug that the speaker was told of, and those that the texts name, as far as `audience` may know.

    Five queries at most, whatever the texts.
    """
    slugs = list(dict.fromkeys(told))[:MAX_ARTICLES]
    keys = list(dict.fromkeys(key for text in texts for key in list_name_keys(text)))
    readable = list_publications(release, audience)
    rows = load_articles(readable.filter(Q(slug__in=slugs) | Q(names__overlap=keys)))
    if len(rows) >= MAX_NAMED:
        rows = load_articles(readable.filter(slug__in=slugs))
    rows.sort(key=lambda row: (row.slug not in slugs, row.slug))
    chosen = rows[:MAX_ARTICLES]
    articles = load_with_translations(readable, chosen) if chosen else []
    missing = list_references(articles) - {article.slug for article in articles}
    known: list[ArticleFacts] = []
    if missing:
        known = load_with_translations(readable, load_articles(readable.filter(slug__in=missing)))
    passages = _load_passages(release, chosen, audience)
    return ReplyCanon(
        release=release,
        articles=tuple(_describe(article, passages) for article in chosen),
        subjects=tuple(build_subjects(articles, known)),
        passages=tuple(passages),
    )


def _load_passages(
    release: ResolvedRelease, articles: Sequence[ArticleFacts], audience: Sequence[str]
) -> list[ReplyPassage]:
    if not articles:
        return []
    by_document = {article.document_id: article for article in articles}
    rows = (
        LorePassage.objects.filter(
            live_in(release.number),
            domain_index_id=release.domain_index_id,
            document_id__in=list(by_document),
            audience__overlap=list(audience),
        )
        .order_by("document_id", "chunk__ordinal", "id")
        .values_list("pk", "document_id", "chunk__text", "chunk__version")[:MAX_PASSAGES]
    )
    return [
        ReplyPassage(pk, by_document[document_id].slug, by_document[document_id].title, text, version)
        for pk, document_id, text, version in rows
    ]


def _describe(article: ArticleFacts, passages: Sequence[ReplyPassage]) -> CanonArticle:
    own = [passage for passage in passages if passage.slug == article.slug]
    return CanonArticle(
        slug=article.slug,
        title=article.title,
        text="\n\n".join(passage.text for passage in own),
        aliases=article.aliases,
        fields=article.fields,
        field_labels=article.field_labels,
    )
