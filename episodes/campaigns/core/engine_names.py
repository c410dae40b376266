"""Ids by which engines name people, places and things, as names: what canon and events may call the same."""

from __future__ import annotations

import re

from knowledge.canon.core.slugs import make_slug

_PREFIX = re.compile(r"^(?:npc|loc|location|item|obj|pty|party|chr|char)[_\-:.]+(?=[^\W\d])", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[_\-:.\s]+")


def name_of_id(engine_id: str) -> str:
    """The words of an id. Worked example: `npc_LiShen` is "Li Shen", `loc_moon_bridge` "moon bridge"."""
    bare = _PREFIX.sub("", engine_id)
    return _BETWEEN.sub(" ", _CAMEL.sub(" ", bare)).strip() or engine_id


def list_slugs(engine_id: str) -> tuple[str, ...]:
    """The slugs that an article of the id may have: the id itself, and that of its words."""
    return tuple(dict.fromkeys([engine_id, make_slug(name_of_id(engine_id))]))
