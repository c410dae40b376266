"""An NPC as a character card: its public profile and what lore tells of it, as far as the reader may know it."""

from __future__ import annotations

from dataclasses import replace

from django.db.models import Q

from knowledge.canon.core.article import Article
from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import LORE, get_npc_audience
from knowledge.canon.selectors.documents import Audience, list_publications
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from knowledge.canon.selectors.revisions import read_article
from knowledge.errors import UnknownAlias, UnknownDomain
from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.card import Card
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import Converted, LoreFile, convert_file
from knowledge.lorebooks.limits import MAX_ENTRIES
from knowledge.lorebooks.losses import Loss, Outcome
from npcs.profiles.core.profiles import StaticLayer
from npcs.profiles.selectors.profiles import ProfileView
from reviews.lorebooks.core.characters import edit_card
from reviews.lorebooks.core.origins import CHARACTER_UID, join_entries
from reviews.lorebooks.core.world_books import make_book_entry
from reviews.lorebooks.selectors import find_titles

TITLE_OF_SECRETS = "What nobody else knows"
_NOT_OF_CARDS = {
    "names": "a card has one name",
    "voice_tts": "a card has no voice",
    "relations": "a card says nothing of other NPCs",
    "must_have": "a card has no marks for pictures",
    "banned": "a card has no marks for pictures",
}


def build_npc_card(profile: ProfileView, *, world_id: int, has_secrets: bool = False) -> LoreFile:
    """The card: who the NPC is, and a book of the lore that its profile or its own article names.

    Without `has_secrets` public lore alone, and none of the profile's secrets; with them what the NPC may know, and its
    secrets as entries that are always in. An article that was imported from a card gives greetings and all else that a
    profile has no place for. Six queries at most.
    """
    articles, titles = _load_articles(world_id, profile, has_secrets=has_secrets)
    own = next((each for each in articles if each.slug == profile.npc_id), None)
    told = [each for each in articles if each.lorebook_origin.get("uid") != CHARACTER_UID]
    entries = [make_book_entry(each, titles, index) for index, each in enumerate(told)]
    if has_secrets:
        entries += [
            Entry(uid=str(index), index=index, comment=TITLE_OF_SECRETS, content=secret, is_constant=True)
            for index, secret in enumerate(profile.static.secrets, len(entries))
        ]
    book = Book(entries=tuple(entries), name=profile.static.name)
    return LoreFile(FileFormat.SILLYTAVERN, book, _build_card(profile, own))


def convert_npc_card(file: LoreFile, target: FileFormat, static: StaticLayer | None = None) -> Converted:
    """The card in a version of the format; with the profile also what of it no card can say."""
    converted = convert_file(file, target)
    if static is None:
        return converted
    lost = [
        Loss(None, static.name, f"npc.{name}", Outcome.DROPPED, why)
        for name, why in _NOT_OF_CARDS.items()
        if getattr(static, name)
    ]
    return replace(converted, losses=(*lost, *converted.losses))


def _build_card(profile: ProfileView, own: Article | None) -> Card:
    static = profile.static
    card = _read_kept_card(own) or Card(tags=tuple(filter(None, (static.archetype,))))
    return replace(
        card,
        name=static.name,
        description=static.persona or card.description,
        character_version=str(profile.persona_version),
        memory37_id=profile.npc_id,
        book=None,
    )


def _read_kept_card(own: Article | None) -> Card | None:
    """The card that the NPC's article was imported from, with what was edited in the article since."""
    kept = own.lorebook_origin.get("file") if own is not None else None
    if own is None or not kept or own.lorebook_origin.get("uid") != CHARACTER_UID:
        return None
    file = join_entries(kept, [], Dialect(own.lorebook_origin["dialect"]))
    return edit_card(file.card, own.title, own.body) if file is not None and file.card is not None else None


def _load_articles(world_id: int, profile: ProfileView, *, has_secrets: bool) -> tuple[list[Article], dict[str, str]]:
    """Live lore that the profile names, the NPC's own article and its book; with secrets what it alone may know."""
    try:
        release = resolve_release(world_id=world_id, domain=LORE)
    except (UnknownDomain, UnknownAlias):
        return [], {}
    audience: Audience = (PUBLIC,)
    wanted = Q(slug__in=[*profile.static.lore_refs, profile.npc_id])
    if has_secrets:
        audience = get_npc_audience(world_id, profile.npc_id, release=release)
        wanted |= Q(audience__contains=[f"npc:{profile.npc_id}"])
    if book := _find_book(release, audience, profile.npc_id):
        wanted |= Q(revision__lorebook_origin__book=book)
    rows = list_publications(release, audience).filter(wanted).select_related("revision").order_by("slug")
    articles = [read_article(row.revision) for row in rows[:MAX_ENTRIES]]
    mentioned = {slug for article in articles for slug in article.mentions()}
    return articles, find_titles(release, audience, sorted(mentioned)) if mentioned else {}


def _find_book(release: ResolvedRelease, audience: Audience, npc_id: str) -> str:
    """The imported book that the NPC's article is the card of."""
    rows = list_publications(release, audience).filter(slug=npc_id, revision__lorebook_origin__uid=CHARACTER_UID)
    return rows.values_list("revision__lorebook_origin__book", flat=True).first() or ""
