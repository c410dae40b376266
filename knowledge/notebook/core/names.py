"""Names of facts, documents and agents: which can be kept, and which look alike."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from knowledge.notebook.core.limits import (
    MAX_AGENT_LENGTH,
    MAX_KEY_LENGTH,
    MAX_PATH_BYTES,
    MAX_PATH_DEPTH,
    MAX_SEGMENT_LENGTH,
)

AGENT_PATTERN = r"^[A-Za-z0-9](?:[A-Za-z0-9 ._:@-]{0,118}[A-Za-z0-9._:@-])?$"
"""Names of agents are shown beside what they wrote: letters that look like others would let one speak as another."""
SLUG_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,119}$"
_AGENT = re.compile(AGENT_PATTERN)
_RESERVED = re.compile(
    r"(?:CON|PRN|AUX|NUL|CLOCK\$|CONIN\$|CONOUT\$|COM[0-9¹²³]|LPT[0-9¹²³])(?:\..*)?", re.IGNORECASE | re.DOTALL
)
"""Names that Windows gives to devices, whatever comes after the first dot: an archive is unpacked there, too."""
_PUNCTUATION = frozenset("-_. ")

_LOOKS = {
    **dict(zip("аеорсухіїјѕԁԛԝһӏвкмнт", "aeopcyxiïjsdqwhlbkmht", strict=True)),
    **dict(zip("αοντρυχικβεζημ", "aovtpyxikbezhm", strict=True)),
    **dict(zip("ıłøđħŧɡɑ", "ilodhtga", strict=True)),
}
"""Letters of other scripts, small, and the Latin letter that they, or their capitals, look like."""


def validate_path(path: str) -> str | None:
    """Why the path of a document can't be kept; None for one that can. Example: `decisions/typescript.md`."""
    if not path or path != unicodedata.normalize("NFC", path):
        return "A path is a text in Unicode's composed form (NFC)."
    if len(path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        return f"A path has at most {MAX_PATH_BYTES} bytes."
    segments = path.split("/")
    if len(segments) > MAX_PATH_DEPTH:
        return f"A path has at most {MAX_PATH_DEPTH} parts."
    return next((flaw for flaw in map(validate_segment, segments) if flaw), None)


def validate_segment(segment: str) -> str | None:
    """Why the name of a folder or file can't be kept. It has letters, digits, marks of any script, `-_.`, blanks."""
    if segment in ("", ".", ".."):
        return "A path has no empty parts, no '.' and no '..'."
    if len(segment) > MAX_SEGMENT_LENGTH:
        return f"A name has at most {MAX_SEGMENT_LENGTH} characters."
    if segment[0] in ". " or segment[-1] in ". ":
        return "A name neither begins nor ends with a dot or a blank."
    if _RESERVED.fullmatch(segment):
        return f"{segment!r} is a name that file systems keep for devices."
    wrong = next((each for each in segment if not _is_name_character(each)), None)
    return None if wrong is None else f"A name has letters, digits, '-', '_', '.' and blanks, not U+{ord(wrong):04X}."


def validate_key(key: str) -> str | None:
    """Why the key of a fact can't be kept; None for one that can. A key is one line without hidden characters."""
    if not key.strip() or key != key.strip() or key != unicodedata.normalize("NFC", key):
        return "A key is a text in composed form (NFC) without blanks around it."
    if len(key) > MAX_KEY_LENGTH:
        return f"A key has at most {MAX_KEY_LENGTH} characters."
    if any(unicodedata.category(each) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for each in key):
        return "A key has no control characters, line breaks or characters without a shape."
    return None


def validate_agent(agent: str) -> str | None:
    """Why an agent can't be called so; None for a name that it can have."""
    if len(agent) > MAX_AGENT_LENGTH or not _AGENT.fullmatch(agent):
        return "An agent's name has 1 to 120 Latin letters, digits, blanks and '.', '_', ':', '@', '-'."
    return None


def _is_name_character(character: str) -> bool:
    return character in _PUNCTUATION or unicodedata.category(character)[0] in "LMN"


@lru_cache(maxsize=20_000)
def fold_name(name: str) -> str:
    """What names that look alike have in common: case, width, accents left as they are; letters of other scripts that
    have the shape of a Latin one become it.

    Example: `pаssword` with a Cyrillic а, `PASSWORD` and `password` all become one.
    """
    wide = unicodedata.normalize("NFKC", name).casefold()
    shapes = "".join(_LOOKS.get(each, each) for each in wide)
    return " ".join(shapes.split()) if len(shapes) <= 2 * MAX_PATH_BYTES else shapes
