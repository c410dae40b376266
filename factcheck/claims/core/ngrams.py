"""The names that a claim could hold, in the form in which publications keep theirs."""

from __future__ import annotations

from factcheck.core.tokens import Tokens
from knowledge.canon.core.names import name_key

MAX_NAME_WORDS = 10
MAX_NAME_CHARACTERS = 16


def list_name_keys(claim: Tokens) -> list[str]:
    """The keys of all stretches of the claim that may be a name, English ones with `the` as well."""
    words = claim.words
    keys: dict[str, None] = {}
    for start, first in enumerate(words):
        longest = MAX_NAME_CHARACTERS if first.kind == "han" else MAX_NAME_WORDS
        for end in range(start + 1, min(start + longest, len(words)) + 1):
            key = name_key(claim.text[first.start : words[end - 1].end])
            if key:
                keys[key] = None
                if "a" <= key[0] <= "z":
                    keys[f"the {key}"] = None
    return list(keys)
