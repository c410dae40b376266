"""Names as they are looked up: without case, word endings and what stands in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterable

from knowledge.text.analysis import analyse

MAX_KEY_LENGTH = 300
_BRACKETED = re.compile(r"\s*(?:\[[^\]]*\]|\([^)]*\)|（[^）]*）|【[^】]*】)\s*")


def storable_text(text: str) -> str:
    """A reader's words without what PostgreSQL can't compare with: NUL and halves of surrogate pairs."""
    return text.replace("\x00", "").encode("utf-8", "ignore").decode()


def list_place_slugs(location_id: str) -> tuple[str, ...]:
    """The slugs that the article on a place may have: the game's id, and for `loc_moon_bridge` also `moon-bridge`."""
    return tuple(dict.fromkeys((location_id, location_id.lower().replace("_", "-").removeprefix("loc-"))))


def name_key(name: str) -> str:
    """The form in which names are compared: stems joined by spaces; empty for a name without letters or digits."""
    return " ".join(analyse(name))[:MAX_KEY_LENGTH]


def is_named(keys: Iterable[str], lexemes: frozenset[str]) -> bool:
    """Whether a text with these lexemes says a name: all words of one of its keys."""
    return any(lexemes.issuperset(key.split()) for key in keys)


def name_keys(names: Iterable[str]) -> list[str]:
    """The keys of some names, each whole and without its brackets: `Grappled [Condition]` is found by `grappled`."""
    keys: dict[str, None] = {}
    for name in names:
        for form in (name, _BRACKETED.sub(" ", name)):
            key = name_key(form)
            if key:
                keys[key] = None
    return list(keys)
