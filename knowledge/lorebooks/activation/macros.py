"""Macros in keys and content: `{{user}}`, `{{char}}` and whatever values the caller gives."""

from __future__ import annotations

import re
from collections.abc import Mapping

_MACRO = re.compile(r"\{\{\s*([^{}:\s]+)\s*\}\}")
_COMMENT = re.compile(r"\{\{//[\s\S]*?\}\}")
_TRIM = re.compile(r"(?:\r?\n)*\{\{trim\}\}(?:\r?\n)*", re.IGNORECASE)
_LEGACY = re.compile(r"<(USER|BOT|CHAR|GROUP|CHARIFNOTGROUP)>", re.IGNORECASE)
_LEGACY_NAMES = {"user": "user", "bot": "char", "char": "char", "group": "group", "charifnotgroup": "charifnotgroup"}
_FIXED = {"newline": "\n", "noop": ""}


def has_macros(text: str) -> bool:
    """Whether the text may hold a macro."""
    return "{{" in text or ("<" in text and _LEGACY.search(text) is not None)


def substitute_macros(text: str, values: Mapping[str, str]) -> str:
    """The text with known macros replaced, names in any case; others stay as written, `{{outlet::…}}` among them."""
    if not has_macros(text):
        return text
    known = {name.lower(): value for name, value in values.items()}
    text = _LEGACY.sub(lambda match: known.get(_LEGACY_NAMES[match[1].lower()], match[0]), text)
    text = _TRIM.sub("", _COMMENT.sub("", text))
    return _MACRO.sub(lambda match: known.get(match[1].lower(), _FIXED.get(match[1].lower(), match[0])), text)
