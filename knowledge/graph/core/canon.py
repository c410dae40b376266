"""What an article says of entities: the names of its own, and its relations to others. Deterministic; no model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from knowledge.canon.core.article import TRANSLATION_OF, Article
from knowledge.canon.core.slugs import is_slug
from knowledge.graph.core.kinds import canonical_kind
from knowledge.graph.core.names import latin_key, list_trigrams, name_key
from knowledge.graph.core.predicates import MEMBER_OF, MENTIONS, canonical_predicate
from knowledge.text.markdown import find_mentions, strip_markdown

FACTIONS = "factions"
MAX_SPAN_LENGTH = 300
_BRACKETED = re.compile(r"\s*(?:\[[^\]]*\]|\([^)]*\)|（[^）]*）|【[^】]*】)\s*")
_SENTENCE_END = re.compile(r"(?<=[.!?؟。！？])\s*|\n+")


@dataclass(frozen=True, slots=True)
class NameDraft:
    """A name by which an article calls its subject."""

    text: str
    key: str
    latin: str
    grams: tuple[str, ...]
    kind: str
    language: str
    is_title: bool


@dataclass(frozen=True, slots=True)
class RelationDraft:
    """A relation that an article states, by slugs, with the place that states it."""

    src: str
    predicate: str
    dst: str
    stated_as: str
    field: str
    """`relations`, `fields.NAME` or `body`."""
    span: str


def make_name(text: str, *, kind: str, language: str, is_title: bool = False) -> NameDraft | None:
    """The name with its keys; None for one without letters or digits."""
    key = name_key(text)
    if not any(char.isalnum() for char in key):
        return None
    return NameDraft(
        text=text.strip()[:300],
        key=key,
        latin=latin_key(text),
        grams=list_trigrams(key),
        kind=kind,
        language=language,
        is_title=is_title,
    )


def list_article_names(article: Article) -> list[NameDraft]:
    """Title and aliases, each key once; a title also without what stands in brackets."""
    kind = canonical_kind(article.type)
    found: dict[str, NameDraft] = {}
    for place, text in enumerate((article.title, _BRACKETED.sub(" ", article.title), *article.aliases)):
        draft = make_name(text, kind=kind, language=article.language, is_title=place == 0)
        if draft is not None:
            found.setdefault(draft.key, draft)
    return list(found.values())


def list_article_relations(article: Article) -> list[RelationDraft]:
    """Typed relations first, then fields, then links of the body to what was not named before; each once.

    A link to the article itself says nothing. `translation_of` joins articles and is no relation of their subjects.
    """
    found: dict[tuple[str, str, str], RelationDraft] = {}
    targets: set[str] = set()
    for predicate, target, place, span in (*_list_typed(article), *_list_fields(article)):
        _add(found, article.slug, predicate, target, place, span)
        targets.add(target)
    for target, span in _list_links(article.body):
        if target not in targets:
            _add(found, article.slug, MENTIONS, target, "body", span)
    return list(found.values())


def _add(
    found: dict[tuple[str, str, str], RelationDraft], slug: str, stated_as: str, target: str, place: str, span: str
) -> None:
    if target == slug or not is_slug(target):
        return
    predicate = canonical_predicate(stated_as)
    src, dst = (target, slug) if predicate.is_turned else (slug, target)
    draft = RelationDraft(src, predicate.name, dst, stated_as[:64], place[:100], span[:MAX_SPAN_LENGTH])
    found.setdefault((src, predicate.name, dst), draft)


def _list_typed(article: Article) -> Iterator[tuple[str, str, str, str]]:
    for relation in article.relations:
        if relation.type != TRANSLATION_OF:
            yield relation.type, relation.to, "relations", f"{relation.type}: {relation.to}"


def _list_fields(article: Article) -> Iterator[tuple[str, str, str, str]]:
    for name, value in article.fields.items():
        texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        for text in texts:
            span = f"{name}: {text}"
            for mention in find_mentions(text):
                yield name if name != FACTIONS else MEMBER_OF, mention.slug, f"fields.{name}", span
            if name == FACTIONS and is_slug(text):
                yield MEMBER_OF, text, f"fields.{name}", span


def _list_links(body: str) -> Iterator[tuple[str, str]]:
    """Slugs that a text links to, each with its sentence as a reader sees it."""
    ends = [match.end() for match in _SENTENCE_END.finditer(body)] + [len(body)]
    for mention in find_mentions(body):
        start = max((end for end in ends if end <= mention.start), default=0)
        end = min((end for end in ends if end >= mention.end), default=len(body))
        yield mention.slug, strip_markdown(body[start:end]).strip()
