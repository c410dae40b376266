"""Whether a message is said as a character: told from its marks where the runtime does not say."""

from __future__ import annotations

import re

OUT_OF_CHARACTER = "out_of_character"
IN_CHARACTER = "in_character"
UNKNOWN = "unknown"

_OUT = re.compile(r"\s*(?:\(\(.*\)\)|\[\[.*\]\]|(?:\[ooc\]|\(ooc\)|ooc:|оос:|//)\s*\S.*)\s*", re.IGNORECASE | re.DOTALL)
_SPOKEN_OR_ACTED = re.compile(
    r"\*\*?[^*\n]+\*\*?|(?<!\w)_[^_\n]+_(?!\w)|\"[^\"\n]+\"|«[^»\n]+»|“[^”\n]+”|„[^“”\n]+[“”]|「[^」\n]+」"
)
_REST = re.compile(r"[\w]")


def detect_narrative_mode(content: str) -> str:
    """`in_character` where all words stand in quotes or between asterisks, `out_of_character` where the whole message
    is marked as such (`((…))`, `ooc:`, `//`), else `unknown`.
    """
    if _OUT.fullmatch(content):
        return OUT_OF_CHARACTER
    rest = _SPOKEN_OR_ACTED.sub(" ", content)
    if rest != content and not _REST.search(rest):
        return IN_CHARACTER
    return UNKNOWN
