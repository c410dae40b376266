"""Which book a reader asks for: parameters of exports, by REST and on the page."""

from __future__ import annotations

from typing import Any

from knowledge.canon.core.slugs import SLUG_PATTERN
from knowledge.lorebooks.detection import WRITTEN_FORMATS, FileFormat
from knowledge.lorebooks.files import LoreFile
from memoryproject.rest.parameters import ChoiceParameter, ListParameter, Parameters, TextParameter
from reviews.change_requests.selectors.bulk_edits import ArticleFilter
from reviews.lorebooks.selectors import export_domain
from tenancy.core.caller import WorldRef

DOMAIN = TextParameter("domain", "Which part of canon becomes the book.", "lore", 32)
NPC_ID = TextParameter("npc_id", "Read as this NPC: what it may know comes, too.", "oda-marr", 120)
LANGUAGE = TextParameter("language", "Only articles in this language, as a BCP 47 tag.", "en", 35)
TAGS = ListParameter(
    "tags", "Only articles that carry all of these tags.", "bell", 64, r"^[^\s,|\[\]\x00-\x1f\x7f-\x9f]+$"
)
TARGET = ChoiceParameter(
    "target",
    "The format of the file; left out, SillyTavern's, or with `book` that of the file.",
    "sillytavern",
    tuple(each.value for each in WRITTEN_FORMATS),
)
TYPES = ListParameter("types", "Only articles of these types.", "place", 32, r"^[a-z]+(?:_[a-z]+)*$")
SLUGS = ListParameter("slugs", "Only these articles.", "moon-bridge", 120, SLUG_PATTERN)
SECRETS = ChoiceParameter(
    "secrets", "`true`: secret articles, too. It takes a key with the scope `editor`.", "false", ("true", "false")
)
BOOK = TextParameter(
    "book", "Only the articles of this imported book, as its file had them, with later edits.", "guide-gate", 200
)
EXPORT_PARAMETERS = Parameters((TARGET, BOOK, DOMAIN, NPC_ID, TYPES, LANGUAGE, TAGS, SLUGS, SECRETS))


def read_export(world: WorldRef, values: dict[str, Any]) -> LoreFile:
    """The live articles that the parameters choose, as a book. Raises UnknownDomain, UnknownAlias."""
    chosen = ArticleFilter(
        types=tuple(values.get("types", ())),
        language=values.get("language", ""),
        tags=tuple(values.get("tags", ())),
        slugs=tuple(values.get("slugs", ())),
        book=values.get("book", ""),
    )
    return export_domain(
        world_id=world.world_id,
        world_slug=world.slug,
        domain=values.get("domain", "lore"),
        chosen=chosen,
        npc_id=values.get("npc_id", ""),
        has_secrets=values.get("secrets") == "true",
    )


def choose_target(file: LoreFile, target: str | None, *, book: str) -> FileFormat:
    """The format that was asked for; else that of the imported book, else SillyTavern's."""
    if target:
        return FileFormat(target)
    return file.format if book else WRITTEN_FORMATS[0]
