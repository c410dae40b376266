"""Lorebooks into canon: always as change requests, never live at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import Q

from knowledge.canon.actions.domain_indexes import ensure_domain_index
from knowledge.canon.core.article import Article, parse_article
from knowledge.canon.core.slugs import join_slug, make_slug
from knowledge.canon.models import DomainIndex
from knowledge.canon.selectors.revisions import read_article
from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.card import Card
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.files import LoreFile
from knowledge.lorebooks.losses import Loss, Outcome, list_foreign_members
from reviews.actions.bulk import create_change_requests_from_articles
from reviews.actions.locks import get_domain_index
from reviews.actions.review import submit_change_request
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.lorebooks.core.articles import (
    EntryArticle,
    ImportDefaults,
    change_article,
    clean_source,
    has_text,
    is_slug,
    make_article,
    name_entry,
    slug_of_entry,
)
from reviews.models import ChangeItem, ChangeState
from reviews.selectors.live import list_live_publications

OPEN_STATES = (ChangeState.DRAFT, ChangeState.IN_REVIEW, ChangeState.APPROVED, ChangeState.STAGED)
_HASH_DIGITS = 8
_CARD_SECTIONS = (("description", ""), ("personality", "Personality"), ("scenario", "Scenario"))


class EntryOutcome(StrEnum):
    """What an import does with an entry."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    PENDING = "pending"  # an open change request says the same already
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """One entry of an import: the article that it becomes, or why it becomes none."""

    uid: str
    title: str
    outcome: EntryOutcome
    slug: str = ""
    why: str = ""
    unkept: Mapping[str, str] = field(default_factory=dict)
    article: Article | None = None


@dataclass(frozen=True, slots=True)
class LorebookImport:
    """What came of an import: each entry, and the change requests that were made."""

    entries: tuple[PlannedEntry, ...]
    change_request_ids: tuple[int, ...] = ()

    def count(self) -> dict[str, int]:
        """Entries by outcome."""
        return {each.value: sum(entry.outcome is each for entry in self.entries) for each in EntryOutcome}


def plan_import(
    index: DomainIndex | None,
    file: LoreFile,
    *,
    defaults: ImportDefaults | None = None,
    with_disabled: bool = False,
    book_name: str = "",
) -> LorebookImport:
    """What an import would do. Writes nothing; no index yet means an empty domain.

    An entry is known again by `extensions.memory37.id`, the slug of the article that it was exported from, else by the
    article's source: the book's name and the entry's uid.
    """
    name = book_name or file.book.name or "lorebook"
    entries = file.book.entries
    planner = _Planner(index, entries, file.book.dialect, defaults or ImportDefaults(), name, file.card)
    planned = [planner.plan(entry, with_disabled=with_disabled) for entry in entries]
    if file.card is not None and (character := _make_character(file.card)):
        planned.insert(0, planner.plan_character(character))
    return LorebookImport(tuple(planned))


def import_lorebook(
    *,
    actor: Actor,
    world_id: int,
    domain: str,
    file: LoreFile,
    title: str = "",
    description: str = "",
    defaults: ImportDefaults | None = None,
    with_disabled: bool = False,
    book_name: str = "",
    is_draft: bool = False,
) -> LorebookImport:
    """The book's entries as change requests, in review unless they are to stay drafts; none where nothing changes.

    Locks the domain index: of two imports of one book the second finds what the first proposed. Raises InvalidArticle,
    UnknownDomain, UnknownDomainIndex, and what the actions of a draft raise; then nothing is written.
    """
    require(actor, "create")
    with transaction.atomic():
        index = ensure_domain_index(world_id=world_id, domain=domain)
        get_domain_index(actor, index.pk, lock=True)
        plan = plan_import(index, file, defaults=defaults, with_disabled=with_disabled, book_name=book_name)
        articles = [
            each.article
            for each in plan.entries
            if each.article is not None and each.outcome in {EntryOutcome.CREATED, EntryOutcome.UPDATED}
        ]
        if not articles:
            return plan
        counts = create_change_requests_from_articles(
            actor=actor,
            domain_index_id=index.pk,
            articles=articles,
            title=title or f"Import of {book_name or file.book.name or 'a lorebook'}"[:200],
            description=description,
        )
        if not is_draft:
            for request_id in counts.change_request_ids:
                submit_change_request(actor=actor, change_request_id=request_id)
    return LorebookImport(plan.entries, tuple(counts.change_request_ids))


class _Planner:
    """Finds for each entry the article that it is, among what is live and what is proposed."""

    def __init__(
        self,
        index: DomainIndex | None,
        entries: Sequence[Entry],
        dialect: Dialect,
        defaults: ImportDefaults,
        book_name: str,
        card: Card | None,
    ) -> None:
        self._dialect = dialect
        self._defaults = defaults
        self._book_name = book_name
        self._live = self._load_live(index, entries, card) if index is not None else {}
        self._titles = _load_titles(index, self._live.values())
        self._by_source = {article.source: slug for slug, article in self._live.items() if article.source}
        self._proposed = _find_proposed(index)
        self._taken: set[str] = set()

    def _load_live(self, index: DomainIndex, entries: Sequence[Entry], card: Card | None) -> dict[str, Article]:
        """The live articles that the entries may be, or whose slugs they would take; not the whole domain."""
        slugs = {slug_of_entry(entry) for entry in entries} | {entry.memory37_id for entry in entries}
        slugs |= {entry.uid for entry in entries if self._dialect is Dialect.NOVELAI}
        sources = {self._name_source(entry) for entry in entries}
        if card is not None and (name := _name_card(card)):
            slugs.add(make_slug(name))
            sources.add(_name_card_source(name))
        wanted = Q(slug__in=[slug for slug in slugs if is_slug(slug)]) | Q(revision__source__in=sources)
        rows = list_live_publications(index.pk).filter(wanted)
        return {row.slug: read_article(row.revision) for row in rows}

    def _name_source(self, entry: Entry) -> str:
        """What the article says of where it came from, which is how the entry is known again."""
        return clean_source(f"lorebook {self._book_name} #{entry.uid}")

    def plan(self, entry: Entry, *, with_disabled: bool) -> PlannedEntry:
        title = name_entry(entry)
        if not has_text(entry):
            return PlannedEntry(entry.uid, title, EntryOutcome.SKIPPED, why="the entry has no text")
        if not entry.is_enabled and not with_disabled:
            return PlannedEntry(entry.uid, title, EntryOutcome.SKIPPED, why="the entry is disabled")
        source = self._name_source(entry)
        slug = self._find_live_slug(entry, source)
        if slug is not None:
            self._taken.add(slug)
            return self._plan_article(
                entry.uid, change_article(self._live[slug], entry, self._dialect, self._titles), title
            )
        slug = self._free_slug(slug_of_entry(entry), source)
        return self._plan_article(entry.uid, make_article(entry, slug, source, self._defaults), title)

    def plan_character(self, character: Mapping[str, Any]) -> PlannedEntry:
        """The card's own words as an article of type character."""
        source = _name_card_source(str(character["title"]))
        slug = self._by_source.get(source) or self._free_slug(make_slug(str(character["title"])), source)
        self._taken.add(slug)
        known = self._live.get(slug)
        entry = Entry(uid="card", comment=str(character["title"]), content=str(character["body"]))
        if known is not None:
            content = {**known.as_content(), "title": character["title"], "body": character["body"]}
            return self._plan_article("card", EntryArticle(content, {}), str(character["title"]))
        made = make_article(entry, slug, source, self._defaults).content
        fields = {name: value for name, value in made["fields"].items() if name != "lorebook"}
        return self._plan_article(
            "card", EntryArticle({**made, "type": "character", "fields": fields}, {}), str(character["title"])
        )

    def _plan_article(self, uid: str, made: EntryArticle, title: str) -> PlannedEntry:
        article = parse_article(made.content)
        live = self._live.get(article.slug)
        proposed = self._proposed.get(article.slug)
        if live is not None and live.content_hash() == article.content_hash():
            return PlannedEntry(uid, title, EntryOutcome.UNCHANGED, article.slug, unkept=made.unkept)
        if proposed is not None and article.content_hash() in proposed:
            request = proposed[article.content_hash()]
            why = f"change request {request} says so already"
            return PlannedEntry(uid, title, EntryOutcome.PENDING, article.slug, why, made.unkept)
        outcome = EntryOutcome.CREATED if live is None else EntryOutcome.UPDATED
        return PlannedEntry(uid, title, outcome, article.slug, "", made.unkept, article)

    def _find_live_slug(self, entry: Entry, source: str) -> str | None:
        brought = entry.memory37_id or (entry.uid if self._dialect is Dialect.NOVELAI else "")
        for slug in (brought if is_slug(brought) else None, self._by_source.get(source)):
            if slug in self._live and slug not in self._taken:
                return slug
        return None

    def _free_slug(self, slug: str, source: str) -> str:
        """The slug, with a hash of the source where another article has it: the same entry gets the same one again."""
        if slug in self._taken or slug in self._live:
            slug = join_slug(slug, hashlib.sha256(source.encode()).hexdigest()[:_HASH_DIGITS])
        while slug in self._taken:
            slug = join_slug(slug, hashlib.sha256(slug.encode()).hexdigest()[:_HASH_DIGITS])
        self._taken.add(slug)
        return slug


def _load_titles(index: DomainIndex | None, articles: Iterable[Article]) -> dict[str, str]:
    """Titles by slug of what the articles mention."""
    mentioned = {slug for article in articles for slug in article.mentions()}
    if index is None or not mentioned:
        return {}
    return dict(list_live_publications(index.pk).filter(slug__in=mentioned).values_list("slug", "title"))


def _name_card(card: Card) -> str:
    return " ".join(card.name.split())[:200]


def _name_card_source(name: str) -> str:
    return clean_source(f"card {name}")


def _find_proposed(index: DomainIndex | None) -> dict[str, dict[bytes, int]]:
    """What open change requests say, by slug: hash of the content to the request's id."""
    if index is None:
        return {}
    items = ChangeItem.objects.filter(
        change_request__domain_index_id=index.pk, change_request__state__in=OPEN_STATES
    ).exclude(content={})
    proposed: dict[str, dict[bytes, int]] = {}
    for slug, content, request_id in items.values_list("slug", "content", "change_request_id"):
        if content:
            proposed.setdefault(slug, {})[parse_article(content).content_hash()] = request_id
    return proposed


def _make_character(card: Card) -> dict[str, Any] | None:
    """Title and text of the article about the character; None for a card without words of its own."""
    parts = [
        f"## {heading}\n\n{getattr(card, name).strip()}" if heading else getattr(card, name).strip()
        for name, heading in _CARD_SECTIONS
        if getattr(card, name).strip()
    ]
    if not parts or not card.name.strip():
        return None
    return {"title": _name_card(card), "body": "\n\n".join(parts)}


def list_unkept(plan: LorebookImport, book: Book) -> list[Loss]:
    """What canon does not keep of an import: settings without a line, data of other programs, skipped entries."""
    entries = {entry.uid: entry for entry in book.entries}
    losses = []
    for each in plan.entries:
        if each.outcome is EntryOutcome.SKIPPED:
            losses.append(Loss(each.uid, each.title, "entry", Outcome.DROPPED, each.why))
            continue
        losses += [Loss(each.uid, each.title, name, Outcome.DROPPED, why) for name, why in each.unkept.items()]
        entry = entries.get(each.uid)
        for name in list_foreign_members(entry, book.dialect) if entry is not None else ():
            why = "data of another program: it stays in the file, canon does not keep it"
            losses.append(Loss(each.uid, each.title, name, Outcome.DROPPED, why))
    return losses
