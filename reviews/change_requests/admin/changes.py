"""What an item changes, as a reviewer reads it: against what is live now, not against what its author began from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.lint import lint_article
from knowledge.canon.core.article import Article, parse_article
from knowledge.canon.models import Publication
from knowledge.canon.selectors.revisions import read_article
from knowledge.errors import InvalidArticle
from knowledge.text.diff import DiffSpan, diff_words, has_changes, new_side, old_side
from reviews.change_requests.selectors.bases import is_stale
from reviews.models import ChangeItem, ChangeState, Operation, ReviewComment
from reviews.releases.selectors.live import find_live_by_document, find_live_by_slug

LABELS = {
    "slug": "Slug",
    "title": "Title",
    "type": "Type",
    "language": "Language",
    "tags": "Tags",
    "aliases": "Aliases",
    "rule_id": "Rule id",
    "audience": "Audience",
    "source": "Source",
    "relations": "Relations",
}
CONTEXT_CHARACTERS = 240
MAX_ORIGIN_SHOWN = 2000
DONE_STATES = (ChangeState.LIVE, ChangeState.ROLLED_BACK)


@dataclass(frozen=True, slots=True)
class MetaRow:
    """One property besides the body, before and after."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item with its difference from what is live (or, once it went live, from what it replaced)."""

    item: ChangeItem
    title: str
    language: str
    against: str
    """What the difference is taken from, in words."""
    spans: Sequence[DiffSpan]
    old_side: Sequence[DiffSpan]
    new_side: Sequence[DiffSpan]
    body_changed: bool
    meta: Sequence[MetaRow]
    stale: bool
    comments: Sequence[ReviewComment]
    warnings: Sequence[str]


def describe_items(
    state: str, domain_index_id: int, items: Sequence[ChangeItem], comments: Sequence[ReviewComment]
) -> list[ItemView]:
    """The items of one request, ready to be read. Four queries at most, however many items."""
    ids = [item.document_id for item in items if item.document_id is not None]
    live = find_live_by_document(domain_index_id, ids)
    by_item: dict[int, list[ReviewComment]] = {}
    for comment in comments:
        if comment.item_id is not None:
            by_item.setdefault(comment.item_id, []).append(comment)
    articles = {item.pk: _read_content(item) for item in items}
    parsed = [article for article in articles.values() if article]
    mentioned = {slug for article in parsed for slug in article.mentions()} - {article.slug for article in parsed}
    linked = find_live_by_slug(domain_index_id, mentioned) if mentioned else {}
    unknown = mentioned - set(linked)
    others = [read_article(publication.revision) for publication in linked.values()] if state not in DONE_STATES else []
    known = [*parsed, *others]
    return [_describe(state, item, live, by_item.get(item.pk, []), articles[item.pk], unknown, known) for item in items]


def _describe(
    state: str,
    item: ChangeItem,
    live: Mapping[int, Publication],
    comments: Sequence[ReviewComment],
    after: Article | None,
    unknown: set[str],
    known: Sequence[Article],
) -> ItemView:
    done = state in DONE_STATES
    stale = not done and is_stale(item, live)
    publication = (
        None if done or item.document_id is None or item.operation == Operation.CREATE else live.get(item.document_id)
    )
    if item.operation == Operation.CREATE:
        before, against = None, "a new article"
    elif publication is not None:
        before, against = read_article(publication.revision), f"live revision {publication.revision.number}"
    elif item.base_revision is not None:
        before = read_article(item.base_revision)
        against = (
            f"revision {item.base_revision.number}, which it replaced" if done else "its base: the article is not live"
        )
    else:
        before, against = None, ""
    spans = diff_words(
        before.body if before else "", after.body if after else "", context_characters=CONTEXT_CHARACTERS
    )
    shown = after or before
    return ItemView(
        item=item,
        title=shown.title if shown else item.slug,
        language=shown.language if shown else "",
        against=against,
        spans=spans,
        old_side=old_side(spans),
        new_side=new_side(spans),
        body_changed=has_changes(spans),
        meta=_compare_meta(before, after),
        stale=stale,
        comments=comments,
        warnings=[*_find_warnings(before, after, unknown), *([] if done else _find_contradictions(after, known))],
    )


def _read_content(item: ChangeItem) -> Article | None:
    if item.operation == Operation.RETIRE:
        return None
    try:
        return parse_article(item.content)
    except InvalidArticle:
        return None


def _find_warnings(before: Article | None, after: Article | None, unknown: set[str]) -> list[str]:
    """What a reviewer should not overlook."""
    if after is None:
        return []
    warnings = []
    nowhere = [slug for slug in after.mentions() if slug in unknown]
    if nowhere:
        warnings.append(f"Links that lead nowhere: {', '.join(nowhere)}.")
    if before is None:
        return warnings
    if before.slug != after.slug:
        warnings.append(
            f"The address changes from {before.slug} to {after.slug}: links to the old one will lead nowhere."
        )
    if before.audience != after.audience:
        if "public" in after.audience:
            warnings.append("What was secret becomes public.")
        elif "public" in before.audience:
            warnings.append("What was public becomes secret.")
        else:
            warnings.append("Other characters than before may know it.")
    return warnings


@dataclass(frozen=True, slots=True)
class TextConflict:
    """What stands now beside what a writer would make of it."""

    meta: Sequence[MetaRow]
    theirs: Sequence[DiffSpan]
    yours: Sequence[DiffSpan]
    body_differs: bool


def compare_texts(theirs: Mapping[str, Any], yours: Mapping[str, Any]) -> TextConflict:
    """Both texts of a conflict, side by side. Contents need not be sound articles."""
    spans = diff_words(theirs.get("body", ""), yours.get("body", ""), context_characters=CONTEXT_CHARACTERS)
    names = [name for name in LABELS if _say(theirs.get(name)) != _say(yours.get(name))]
    meta = [MetaRow(LABELS[name], _say(theirs.get(name)), _say(yours.get(name))) for name in names]
    for name in dict.fromkeys([*theirs.get("fields", {}), *yours.get("fields", {})]):
        was, is_now = _say(theirs.get("fields", {}).get(name)), _say(yours.get("fields", {}).get(name))
        if was != is_now:
            meta.append(MetaRow(f"Field {name}", was, is_now))
    return TextConflict(meta, old_side(spans), new_side(spans), has_changes(spans))


def _find_contradictions(after: Article | None, known: Sequence[Article]) -> list[str]:
    """Sentences of the draft that deny its own fields, or an article that it links or that is changed with it."""
    if after is None:
        return []
    found = lint_article(_as_canon(after), [_as_canon(each) for each in known])
    return [
        f"“{each.quote}” – but its own field says: {each.canon_quote}."
        if each.slug == after.slug
        else f"“{each.quote}” – but {each.slug} says: “{each.canon_quote}”."
        for each in found
    ]


def _as_canon(article: Article) -> CanonArticle:
    return CanonArticle(
        slug=article.slug,
        title=article.title,
        text=article.body,
        aliases=tuple(article.aliases),
        fields=article.fields,
        field_labels=article.field_labels,
    )


def list_meta_changes(live: Publication, after: Article | None) -> list[MetaRow]:
    """What an edit changes beside the text."""
    return _compare_meta(read_article(live.revision), after) if after is not None else []


def _compare_meta(before: Article | None, after: Article | None) -> list[MetaRow]:
    old, new = _list_meta(before), _list_meta(after)
    return [
        MetaRow(name, old.get(name, ""), new.get(name, ""))
        for name in dict.fromkeys([*old, *new])
        if old.get(name, "") != new.get(name, "")
    ]


def _list_meta(article: Article | None) -> dict[str, str]:
    """All but the body, each property as one line of text."""
    if article is None:
        return {}
    content = article.as_content()
    rows = {label: _say(content.get(name)) for name, label in LABELS.items()}
    rows |= {f"Field {name}": _say(value) for name, value in article.fields.items()}
    if article.lorebook_origin:
        rows["Entry of a lorebook"] = _say_origin(article.lorebook_origin)
    rows |= {f"Words for {name}": _say(list(labels)) for name, labels in article.field_labels.items()}
    return rows


def _say_origin(origin: Mapping[str, Any]) -> str:
    """Which entry it was, and what of its file goes along; members that it merely lacks are not told."""
    kept = {name: value for name, value in origin.get("set", {}).items() if name not in ("uid", "id")}
    told = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in kept.items()]
    if file := origin.get("file"):
        told.append(f"the file around the entries = {json.dumps(file.get('document'), ensure_ascii=False)}")
    text = ", ".join([f"{origin['book']} #{origin['uid']} ({origin['dialect']})", *told])
    return text if len(text) <= MAX_ORIGIN_SHOWN else f"{text[:MAX_ORIGIN_SHOWN]} …"


def _say(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(f"{each['type']} → {each['to']}" if isinstance(each, dict) else str(each) for each in value)
    return str(value)
