"""An NPC's profile as it is handed in: checked, in one form, with a stable hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memoryproject.json_schema import FormError, summarise_errors
from npcs.errors import InvalidProfile
from npcs.profiles.core.forms import list_schema_errors
from npcs.profiles.core.markers import normalise_tags
from npcs.profiles.core.relations import Relation, find_relation_errors, make_relations

SCHEMA = "npc_profile"
FORM_VERSION = "1.1.0"


@dataclass(frozen=True, slots=True)
class StaticLayer:
    """Who an NPC is."""

    name: str
    names: Mapping[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    archetype: str = ""
    voice_tts: str = ""
    persona: str = ""
    secrets: tuple[str, ...] = ()
    lore_refs: tuple[str, ...] = ()
    must_have: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()

    def as_content(self) -> dict[str, Any]:
        """The layer in the form of `schemas/npc_profile.schema.json`, members in a fixed order.

        `relations` only where there are any: profiles of before there were relations keep their hash so.
        """
        relations = {"relations": [each.as_content() for each in self.relations]} if self.relations else {}
        return {
            "name": self.name,
            "names": dict(self.names),
            "languages": list(self.languages),
            "archetype": self.archetype,
            "voice_tts": self.voice_tts,
            "persona": self.persona,
            "secrets": list(self.secrets),
            "lore_refs": list(self.lore_refs),
            "visual": {"must_have": list(self.must_have), "banned": list(self.banned)},
            **relations,
        }

    def content_hash(self) -> bytes:
        """SHA-256 of all that the layer says."""
        canonical = json.dumps(self.as_content(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).digest()


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile to be kept. Made by `parse_profile`, which checks it."""

    npc_id: str
    static: StaticLayer
    state: str = "active"


def parse_profile(content: Any, *, npc_id: str | None = None) -> Profile:
    """The profile that the content describes, of the NPC named if one is. Raises InvalidProfile with `errors`."""
    if npc_id is not None and isinstance(content, dict):
        content = {"npc_id": npc_id, **content}
    errors = list_schema_errors(SCHEMA, content)
    if not errors and npc_id not in (None, content["npc_id"]):
        errors = [{"path": "npc_id", "message": f"is not {npc_id!r}, which the address names"}]
    if not errors and "dynamic" in content:
        errors = [{"path": "dynamic", "message": "follows the ledger of dispositions and can't be written"}]
    if errors:
        raise_invalid(errors)
    static = _make_static(content["static"])
    both = [tag for tag in static.must_have if tag in static.banned]
    if both:
        raise_invalid([{"path": "static.visual.banned", "message": f"{both[0]!r} is a must-have, too"}])
    errors = find_relation_errors(content["npc_id"], static.relations)
    if errors:
        raise_invalid(errors)
    return Profile(npc_id=content["npc_id"], static=static, state=content.get("state", "active"))


def raise_invalid(errors: list[FormError]) -> None:
    """Raises InvalidProfile."""
    raise InvalidProfile(summarise_errors(errors, what="profile"), errors=errors)


def _make_static(content: Mapping[str, Any]) -> StaticLayer:
    visual = content.get("visual", {})
    return StaticLayer(
        name=content["name"].strip(),
        names={language: name.strip() for language, name in content.get("names", {}).items()},
        languages=tuple(content.get("languages", ())),
        archetype=content.get("archetype", "").strip(),
        voice_tts=content.get("voice_tts", "").strip(),
        persona=content.get("persona", "").replace("\r\n", "\n").strip(),
        secrets=tuple(content.get("secrets", ())),
        lore_refs=tuple(content.get("lore_refs", ())),
        must_have=normalise_tags(visual.get("must_have", ())),
        banned=normalise_tags(visual.get("banned", ())),
        relations=make_relations(content.get("relations", ())),
    )
