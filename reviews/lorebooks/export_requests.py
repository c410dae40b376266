"""Which book a reader asks for: parameters of exports, by REST and on the page."""

from __future__ import annotations

from typing import Any

from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import resolve_release
from knowledge.lorebooks.detection import WRITTEN_FORMATS
from knowledge.lorebooks.files import LoreFile
from reviews.lorebooks.selectors import ExportFilter, build_world_book
from tenancy.api.parameters import ChoiceParameter, ListParameter, Parameters, TextParameter
from tenancy.core.caller import WorldRef

_SLUG = r"^[a-z0-9]+(?:-[a-z0-9]+)*$"
DOMAIN = TextParameter("domain", "Which part of canon becomes the book.", "lore", 32)
NPC_ID = TextParameter("npc_id", "Read as this NPC: what it may know comes, too.", "oda-marr", 120)
LANGUAGE = TextParameter("language", "Only articles in this language, as a BCP 47 tag.", "en", 35)
TAGS = ListParameter(
    "tags", "Only articles that carry all of these tags.", "bell", 64, r"^[^\s,|\[\]\x00-\x1f\x7f-\x9f]+$"
)
TARGET = ChoiceParameter(
    "target", "The format of the file.", "sillytavern", tuple(each.value for each in WRITTEN_FORMATS)
)
TYPES = ListParameter("types", "Only articles of these types.", "place", 32, r"^[a-z]+(?:_[a-z]+)*$")
SLUGS = ListParameter("slugs", "Only these articles.", "moon-bridge", 120, _SLUG)
SECRETS = ChoiceParameter(
    "secrets", "`true`: secret articles, too. It takes a key with the scope `editor`.", "false", ("true", "false")
)
EXPORT_PARAMETERS = Parameters((TARGET, DOMAIN, NPC_ID, TYPES, LANGUAGE, TAGS, SLUGS, SECRETS))


def read_export(world: WorldRef, values: dict[str, Any]) -> LoreFile:
    """The live articles that the parameters choose, as a book. Raises UnknownDomain, UnknownAlias."""
    domain = values.get("domain", "lore")
    release = resolve_release(world_id=world.world_id, domain=domain)
    audience: tuple[str, ...] | None = (PUBLIC,)
    if values.get("secrets") == "true":
        audience = None
    elif npc_id := values.get("npc_id"):
        audience = get_npc_audience(world.world_id, npc_id, release=release)
    chosen = ExportFilter(
        types=tuple(values.get("types", ())),
        language=values.get("language", ""),
        tags=tuple(values.get("tags", ())),
        slugs=tuple(values.get("slugs", ())),
    )
    return build_world_book(release, name=f"{world.slug} {domain}", audience=audience, chosen=chosen)
