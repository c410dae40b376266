"""An entry said as another dialect says it: patterns as /…/, decorators as fields or the reverse."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from knowledge.lorebooks.core.book import ALWAYS_PERCENT, Entry
from knowledge.lorebooks.core.vocabulary import Dialect, RegexKeys
from knowledge.lorebooks.formats.decorator_fields import express_decorators, resolve_decorators
from knowledge.lorebooks.formats.registry import FORMATS

_SLASHED = re.compile(r"/(?:[^/\\]|\\.)+/[a-z]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Adapted:
    """An entry as it can be said in a dialect, and the decorators that it cannot say."""

    entry: Entry
    lost_decorators: tuple[str, ...] = ()


def adapt_entry(entry: Entry, target: Dialect) -> Adapted:
    """The entry with what it means said the target's way: patterns as /…/, decorators as fields or the reverse."""
    spelling = FORMATS[target]
    adapted = slash_patterns(entry)
    if not entry.use_probability and "use_probability" not in spelling.entry_fields:
        adapted = replace(adapted, use_probability=True, probability=ALWAYS_PERCENT)
    if target is Dialect.RISU:
        return Adapted(express_decorators(adapted))
    if spelling.knows_decorators:
        return Adapted(adapted)
    adapted, lost = resolve_decorators(adapted, keep=spelling.kept_decorators)
    return Adapted(adapted, lost)


def slash_patterns(entry: Entry) -> Entry:
    """The entry with its patterns written /…/: the form that SillyTavern, RisuAI and NovelAI all read.

    `RegexKeys.SLASHED` means that some key is one, `NONE` that none is.
    """
    keys, secondary = entry.keys, entry.secondary_keys
    if entry.regex_keys is RegexKeys.ALL:
        keys = tuple(_slash(key) for key in keys)
    has_pattern = entry.regex_keys is not RegexKeys.NONE and any(map(is_pattern, (*keys, *secondary)))
    return replace(entry, keys=keys, regex_keys=RegexKeys.SLASHED if has_pattern else RegexKeys.NONE)


def is_pattern(key: str) -> bool:
    """Whether SillyTavern takes the key for a regular expression."""
    return _SLASHED.fullmatch(key) is not None


def _slash(key: str) -> str:
    if is_pattern(key):
        return key
    return "/" + re.sub(r"(?<!\\)((?:\\\\)*)/", r"\1\\/", key) + "/"
