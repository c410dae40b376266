"""What an import of a lorebook would do: for each entry the article that it is, was or becomes. Writes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from django.db.models import Q

from knowledge.canon.core.article import Article, parse_article
from knowledge.canon.core.slugs import is_slug, join_slug, make_slug
from knowledge.canon.models import DomainIndex
from knowledge.canon.selectors.revisions import read_article
from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.card import Card
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.files import LoreFile
from knowledge.lorebooks.losses import Loss, Outcome, list_foreign_members
from knowledge.lorebooks.writers import ORIGINAL
from reviews.lorebooks.core.articles import (
    EntryArticle,
    ImportDefaults,
    change_article,
    clean_source,
    has_text,
    make_article,
    make_entry,
    name_entry,
    slug_of_entry,
)
from reviews.lorebooks.core.characters import Character, make_character, name_card, name_card_source
from reviews.lorebooks.core.entry_copies import find_unkept_copies, list_copies
from reviews.lorebooks.core.entry_settings import UNKEPT_FIELDS
from reviews.lorebooks.core.origins import (
    CHARACTER_UID,
    KeptOrigin,
    make_character_origin,
    make_origin,
    strip_entries,
)
from reviews.models import ChangeItem, ChangeState
from reviews.releases.selectors.live import list_live_publications

OPEN_STATES = (ChangeState.DRAFT, ChangeState.IN_REVIEW, ChangeState.APPROVED, ChangeState.STAGED)
_HASH_DIGITS = 8


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
    keeps_origin: bool = False
    """Whether what its file says beside the article is kept for exports."""


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
    planner = _Planner(index, file, defaults or ImportDefaults(), name)
    character = make_character(file.card) if file.card is not None else None
    planned = [planner.plan_character(character)] if character is not None else []
    planned += [planner.plan(entry, with_disabled=with_disabled) for entry in entries]
    return LorebookImport(tuple(planned))


class _Planner:
    """Finds for each entry the article that it is, among what is live and what is proposed."""

    def __init__(self, index: DomainIndex | None, file: LoreFile, defaults: ImportDefaults, book_name: str) -> None:
        self._dialect = file.book.dialect
        self._defaults = defaults
        self._book_name = book_name
        self._file = strip_entries(file)  # goes with the first article of the file, and then with no other
        self._copies = list_copies(file.book.raw)
        self._live = self._load_live(index, file.book.entries, file.card) if index is not None else {}
        self._titles = _load_titles(index, self._live.values())
        self._by_source = {article.source: slug for slug, article in self._live.items() if article.source}
        self._proposed = _find_proposed(index)
        self._taken: set[str] = set()

    def _load_live(self, index: DomainIndex, entries: Sequence[Entry], card: Card | None) -> dict[str, Article]:
        """The live articles that the entries may be, or whose slugs they would take; not the whole domain."""
        slugs = {slug_of_entry(entry) for entry in entries} | {entry.memory37_id for entry in entries}
        slugs |= {entry.uid for entry in entries if self._dialect is Dialect.NOVELAI}
        sources = {self._name_source(entry) for entry in entries}
        if card is not None and (name := name_card(card)):
            slugs.add(make_slug(name))
            sources.add(name_card_source(name))
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
        if slug is None:
            slug = self._free_slug(slug_of_entry(entry), source)
            made = make_article(entry, slug, source, self._defaults)
            return self._plan_article(entry.uid, self._add_origin(made, entry), title)
        self._taken.add(slug)
        made = change_article(self._live[slug], entry, self._dialect, self._titles)
        if self._live[slug].source == source:
            made = self._add_origin(made, entry)
        return self._plan_article(entry.uid, made, title)

    def plan_character(self, character: Character) -> PlannedEntry:
        """The card's own words as an article of type character."""
        source = name_card_source(character.title)
        slug = self._by_source.get(source) or self._free_slug(make_slug(character.title), source)
        self._taken.add(slug)
        known = self._live.get(slug)
        if known is not None:
            content = {**known.as_content(), "title": character.title, "body": character.body}
        else:
            entry = Entry(uid=CHARACTER_UID, comment=character.title, content=character.body)
            made = make_article(entry, slug, source, self._defaults).content
            fields = {name: value for name, value in made["fields"].items() if name != "lorebook"}
            content = {**made, "type": "character", "fields": fields}
        kept = make_character_origin(self._dialect, self._book_name, self._take_file())
        return self._plan_article(CHARACTER_UID, _keep(EntryArticle(content, {}), kept), character.title)

    def _add_origin(self, made: EntryArticle, entry: Entry) -> EntryArticle:
        """The article with what the file says beside it."""
        seen = make_entry(parse_article(made.content), self._titles, index=entry.index)
        return _keep(
            made,
            make_origin(entry, seen, self._dialect, self._book_name, self._take_file(), self._copies.get(entry.uid)),
        )

    def _take_file(self) -> dict[str, Any] | None:
        file, self._file = self._file, None
        return file

    def _plan_article(self, uid: str, made: EntryArticle, title: str) -> PlannedEntry:
        article = parse_article(made.content)
        keeps = "lorebook_origin" in made.content
        live = self._live.get(article.slug)
        proposed = self._proposed.get(article.slug)
        if live is not None and live.content_hash() == article.content_hash():
            return PlannedEntry(
                uid, title, EntryOutcome.UNCHANGED, article.slug, unkept=made.unkept, keeps_origin=keeps
            )
        if proposed is not None and article.content_hash() in proposed:
            request = proposed[article.content_hash()]
            why = f"change request {request} says so already"
            return PlannedEntry(uid, title, EntryOutcome.PENDING, article.slug, why, made.unkept, None, keeps)
        outcome = EntryOutcome.CREATED if live is None else EntryOutcome.UPDATED
        return PlannedEntry(uid, title, outcome, article.slug, "", made.unkept, article, keeps)

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


def _keep(made: EntryArticle, kept: KeptOrigin) -> EntryArticle:
    """The article with its origin; what that holds is no longer lost."""
    if not kept.content:
        return replace(made, unkept={**made.unkept, "extensions": kept.why})
    told = {name: why for name, why in made.unkept.items() if name not in UNKEPT_FIELDS}
    if kept.why:
        told["file"] = kept.why
    if kept.copy_why:
        told[ORIGINAL] = kept.copy_why
    return EntryArticle({**made.content, "lorebook_origin": kept.content}, told)


def _load_titles(index: DomainIndex | None, articles: Iterable[Article]) -> dict[str, str]:
    """Titles by slug of what the articles mention."""
    mentioned = {slug for article in articles for slug in article.mentions()}
    if index is None or not mentioned:
        return {}
    return dict(list_live_publications(index.pk).filter(slug__in=mentioned).values_list("slug", "title"))


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


def list_unkept(plan: LorebookImport, book: Book) -> list[Loss]:
    """What canon does not keep of an import: settings without a line, data of other programs, skipped entries."""
    entries = {entry.uid: entry for entry in book.entries}
    losses = []
    if why := find_unkept_copies(book.raw, entries):
        losses.append(Loss(None, book.name, ORIGINAL, Outcome.DROPPED, why))
    for each in plan.entries:
        if each.outcome is EntryOutcome.SKIPPED:
            losses.append(Loss(each.uid, each.title, "entry", Outcome.DROPPED, each.why))
            continue
        losses += [Loss(each.uid, each.title, name, Outcome.DROPPED, why) for name, why in each.unkept.items()]
        entry = entries.get(each.uid)
        for name in list_foreign_members(entry, book.dialect) if entry is not None and not each.keeps_origin else ():
            why = "data of another program: it stays in the file, canon does not keep it"
            losses.append(Loss(each.uid, each.title, name, Outcome.DROPPED, why))
    return losses
