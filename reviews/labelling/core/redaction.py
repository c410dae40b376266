"""Words of a player without what leads to them: numbers, addresses and names give way to others of their shape.

The same word becomes the same other word in all texts of a case, so that a quote still stands in its message.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+|https?://\S+|www\.\S+|(?<![\w@])@\w{2,}", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"(?:^|[.!?…:;\n\"“”«»()\-–—•*])\s*$")
_INTRODUCED: Final = re.compile(
    r"(?:my name is|call me|i am called|i'm called|this is|меня зовут|зовите меня|это|اسمي)\s+([^\W\d_]{2,12})",
    re.IGNORECASE,
)
"""What stands behind these words is a name in scripts without capitals, too."""
_INTRODUCED_CJK: Final = re.compile(r"(?:我叫|我的名字是|叫我|她叫|他叫)([\u4e00-\u9fff]{2,3})")
NAMES: Final[dict[str, tuple[str, ...]]] = {
    "LATIN": ("Robin", "Alex", "Sam", "Noa", "Kim", "Jules", "Toni", "Mika"),
    "CYRILLIC": ("Саша", "Женя", "Валя", "Слава", "Шура", "Паша"),
    "ARABIC": ("نور", "سلام", "جود", "رؤى", "شمس"),
    "CJK": ("小林", "小安", "小文", "小宁"),
}
MAX_CODE_LENGTH = 4
"""Words in capitals up to this long are sizes, currencies and the like: `XL`, `AED`, `EUR`."""
_KEPT: Final = frozenset(
    [
        "i", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december", "english", "russian", "arabic", "chinese", "ok", "god", "christmas", "ramadan", "eid",
    ]
)  # fmt: skip


@dataclass
class Redactor:
    """Redacts the texts of one case. `known` are names that the caller knows; `kept` are words that stay: of the
    proposal, without which a case says nothing.
    """

    seed: str
    known: Collection[str] = ()
    kept: Collection[str] = ()
    _names: dict[str, str] = field(default_factory=dict)
    _stay: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._stay = frozenset(word.casefold() for text in self.kept for word in _WORD.findall(text))
        for name in self.known:
            for word in _WORD.findall(name):
                self._name(word)

    def learn(self, texts: Iterable[str]) -> None:
        """Finds the names of the texts. Call it with all texts of the case before `redact`."""
        for text in texts:
            for match in (*_INTRODUCED.finditer(text), *_INTRODUCED_CJK.finditer(text)):
                if _script(match[1]) in ("ARABIC", "CJK") or match[1][0].isupper():
                    self._name(match[1])
            for match in _WORD.finditer(text):
                if self._looks_like_name(match[0], text[: match.start()]):
                    self._name(match[0])

    def redact(self, text: str) -> str:
        """The text with names, addresses and numbers of their shape."""
        text = _ADDRESS.sub(lambda match: _redact_address(match[0]), text)
        for name in sorted(self._names, key=len, reverse=True):
            text = re.sub(_bound(name), self._names[name], text, flags=re.IGNORECASE)
        return _DIGITS.sub(lambda match: self._redact_digits(match[0]), text)

    def _looks_like_name(self, word: str, before: str) -> bool:
        """Within a sentence a capital is a name's; at its start any word has one."""
        if not word[0].isupper() or _SENTENCE_END.search(before):
            return False
        return not (word.isupper() and len(word) <= MAX_CODE_LENGTH)

    def _name(self, word: str) -> None:
        lowered = word.casefold()
        if lowered in _KEPT or lowered in self._stay or lowered in self._names or len(word) < 2:
            return
        choices = NAMES.get(_script(word), NAMES["LATIN"])
        digest = hashlib.sha256(f"{self.seed}:{lowered}".encode()).digest()
        self._names[lowered] = choices[int.from_bytes(digest[:4]) % len(choices)]

    def _redact_digits(self, digits: str) -> str:
        """As many digits of the same script. Of one or two they stay: a size, an age, a day lead to nobody.

        >>> len(Redactor("x")._redact_digits("5551234"))
        7
        """
        if len(digits) <= 2:
            return digits
        digest = hashlib.sha256(f"{self.seed}:{digits}".encode()).digest()
        others = "".join(
            _same_script(sign, (digest[place % len(digest)] % 9) + 1) for place, sign in enumerate(digits[1:])
        )
        return digits[0] + others


def _same_script(sign: str, value: int) -> str:
    """The digit of that value in the sign's own script."""
    return chr(ord(sign) - unicodedata.decimal(sign) + value)


def _redact_address(text: str) -> str:
    if text.startswith("@"):
        return "@somebody"
    return "somebody@example.com" if "@" in text else "https://example.com/page"


def _bound(name: str) -> str:
    """The name as a word of its own; Chinese has no spaces."""
    escaped = re.escape(name)
    return escaped if _script(name) == "CJK" else rf"(?<!\w){escaped}(?!\w)"


def _script(word: str) -> str:
    name = unicodedata.name(word[0], "")
    return next((script for script in NAMES if name.startswith(script)), "LATIN")
