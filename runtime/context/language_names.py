"""What a language is called in a prompt."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf.locale import LANG_INFO


def name_language(language: str, words: Mapping[str, str]) -> str:
    """By the prompt's own word for it, else by its own and its English name (`español, Spanish`), else by its code."""
    own_word = words.get(f"language_{language}")
    if own_word:
        return own_word
    info = LANG_INFO.get(language, {})
    if "name_local" not in info:
        return language
    return f"{info['name_local']}, {info['name']}"
