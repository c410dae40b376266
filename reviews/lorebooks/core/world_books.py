"""Articles as the entries of a book: each as its file had it, with what was edited since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from knowledge.canon.core.article import Article
from knowledge.lorebooks.cards import CARD_FIELDS
from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.card import Card
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import LoreFile
from reviews.lorebooks.core.articles import make_entry, show_entry
from reviews.lorebooks.core.characters import edit_card
from reviews.lorebooks.core.origins import CHARACTER_UID, join_entries, move_entry


def make_book_entry(article: Article, titles: Mapping[str, str], index: int) -> Entry:
    """The article as an entry of a SillyTavern book, known again by its slug."""
    if not article.lorebook_origin or _is_character(article):
        return make_entry(article, titles, index=index)
    shown = show_entry(article, titles, index=index)
    return move_entry(shown.entry, shown.dialect, Dialect.SILLYTAVERN, number=index, memory37_id=article.slug)


def build_imported_book(articles: Sequence[Article], titles: Mapping[str, str], name: str) -> LoreFile:
    """The articles of one imported book as its file had them, in its order, with what was edited since.

    Articles that the reader may not know are not among them. The file around the entries comes along if the article
    that keeps it does; else the entries are a book of that name.
    """
    ordered = sorted(articles, key=lambda each: (each.lorebook_origin.get("index", 0), each.slug))
    shown = [(each, show_entry(each, titles)) for each in ordered if not _is_character(each)]
    holder = next((each for each in ordered if each.lorebook_origin.get("file")), None)
    known = [each.lorebook_origin["dialect"] for each in (holder, *ordered) if each and each.lorebook_origin]
    dialect = Dialect(known[0]) if known else Dialect.SILLYTAVERN
    entries = _name_apart(
        own.entry
        if own.dialect is dialect
        else move_entry(own.entry, own.dialect, dialect, number=len(shown) + index, memory37_id=each.slug)
        for index, (each, own) in enumerate(shown)
    )
    copies = [own.copy for _, own in shown if own.copy is not None]
    file = join_entries(holder.lorebook_origin["file"], entries, dialect, copies) if holder is not None else None
    if file is None:
        format_ = FileFormat.CHARACTER_BOOK if dialect is Dialect.CHARACTER_BOOK_V3 else FileFormat(dialect.value)
        return LoreFile(format_, Book(entries=tuple(entries), name=name, dialect=dialect))
    character = next((each for each in ordered if _is_character(each)), None)
    if character is None or file.card is None:
        return file
    card = edit_card(file.card, character.title, character.body)
    return replace(file, card=card, document=_edit_copies(file.document, file.card, card))


def _edit_copies(document: Any, before: Card, card: Card) -> Any:
    """The document with edits of the card in the copies, too, that SillyTavern writes at the top for readers of V1."""
    copies = {
        name: getattr(card, field)
        for field, name in CARD_FIELDS.items()
        if getattr(card, field) != getattr(before, field) and isinstance(document.get(name), str)
    }
    return {**document, **copies} if copies else document


def _is_character(article: Article) -> bool:
    return article.lorebook_origin.get("uid") == CHARACTER_UID


def _name_apart(entries: Any) -> list[Entry]:
    """The entries, a later one of the same uid under another."""
    taken: set[str] = set()
    found = []
    for index, entry in enumerate(entries):
        uid = entry.uid if entry.uid not in taken else f"{entry.uid}~{index}"
        taken.add(uid)
        found.append(replace(entry, uid=uid, index=index))
    return found
