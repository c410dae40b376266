"""Rules by number, by name as people say it, and by search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.db.models import Q

from knowledge.canon.core.names import name_key, name_keys, storable_text
from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.documents import (
    Audience,
    get_document_by_id,
    list_publications,
    list_summaries,
)
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.canon.selectors.search import check_query, search_lore
from knowledge.canon.selectors.views import DocumentSummary, DocumentView
from knowledge.errors import RuleLookupNeedsOne, UnknownRule

MAX_CANDIDATES = 8
MAX_SAME_NAME = 50

MatchedBy = Literal["rule_id", "name", "search"]


@dataclass(frozen=True, slots=True)
class RuleLookup:
    """The rule that was asked for, how it was found, and others that may have been meant, best first."""

    rule: DocumentView
    matched_by: MatchedBy
    candidates: tuple[DocumentSummary, ...]
    degraded: tuple[str, ...] = ()
    """What the search had to do without, where it took a search."""


def find_rule(
    release: ResolvedRelease,
    *,
    term: str | None = None,
    rule_id: str | None = None,
    audience: Audience = (PUBLIC,),
    language: str | None = None,
) -> RuleLookup:
    """The rule of a number or a name; a name is compared by stems and without brackets, then searched for.

    `language` prefers a translation, it does not exclude the others. Raises InvalidQuery unless exactly one of `term`
    and `rule_id` is given, and UnknownRule.
    """
    term, rule_id = (term or "").strip(), (rule_id or "").strip()
    if bool(term) == bool(rule_id):
        raise RuleLookupNeedsOne("Give either a term or a rule_id.")
    degraded: tuple[str, ...] = ()
    if rule_id:
        matched_by: MatchedBy = "rule_id"
        found = _find_by_rule_id(release, storable_text(rule_id), audience, language)
    else:
        check_query(term)
        matched_by = "name"
        found = _find_by_name(release, term, audience, language)
        if not found:
            matched_by = "search"
            found, degraded = _find_by_search(release, term, audience, language)
    if not found:
        raise UnknownRule(f"There is no rule {(rule_id or term)[:100]!r} in release {release.number}.")
    rule = get_document_by_id(release, found[0].document_id, audience=audience)
    return RuleLookup(rule, matched_by, tuple(found[1 : 1 + MAX_CANDIDATES]), degraded)


def _find_by_rule_id(
    release: ResolvedRelease, rule_id: str, audience: Audience, language: str | None
) -> list[DocumentSummary]:
    rows = list_publications(release, audience).filter(rule_id__in={rule_id, rule_id.upper()})
    found = list_summaries(rows.exclude(rule_id="").order_by("slug"), MAX_SAME_NAME)
    return sorted(found, key=lambda document: (document.language != language, document.slug))


def _find_by_name(
    release: ResolvedRelease, term: str, audience: Audience, language: str | None
) -> list[DocumentSummary]:
    """Documents with that slug, title or alias, in this order; of the same rank the rules first."""
    keys = name_keys([term])
    slug = "-".join(storable_text(term).casefold().split())
    if not keys and not slug:
        return []
    rows = list_publications(release, audience).filter(Q(slug=slug) | Q(names__overlap=keys or [""]))
    found = list_summaries(rows.order_by("slug"), MAX_SAME_NAME)
    whole = name_key(term)

    def rank(document: DocumentSummary) -> tuple[bool, bool, bool, bool, str]:
        return (
            language is not None and document.language != language,
            document.slug != slug,
            not {whole, *keys} & set(name_keys([document.title])),
            document.type != "rule",
            document.slug,
        )

    return sorted(found, key=rank)


def _find_by_search(
    release: ResolvedRelease, term: str, audience: Audience, language: str | None
) -> tuple[list[DocumentSummary], tuple[str, ...]]:
    reader: Sequence[str] = (PUBLIC,) if audience is None else audience
    result = search_lore(release, term, k=MAX_CANDIDATES + 1, audience=reader, language=language, rerank=False)
    ranked = list(dict.fromkeys(hit.document_id for hit in result.hits))
    rows = list_publications(release, audience).filter(document_id__in=ranked)
    by_id = {document.document_id: document for document in list_summaries(rows, len(ranked))} if ranked else {}
    return [by_id[document_id] for document_id in ranked if document_id in by_id], result.degraded
