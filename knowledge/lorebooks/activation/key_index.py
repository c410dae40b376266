"""Keys of a book, indexed so that one pass over a text finds them all; and how one key is told from another.

Plain keys are filed by their first three characters, and by more of them where many keys begin alike. A text is cut
into its runs of as many, those that begin a key are looked up, and only these few keys are searched for: 4,000 keys
cost about as much as 40. What is searched is counted (`work.py`).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from knowledge.lorebooks.activation.character_sets import JS_SPACES
from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.activation.regexes import (
    CompiledRegex,
    RegexAllowance,
    ScannedText,
    compile_regex_key,
    parse_regex_key,
)
from knowledge.lorebooks.activation.work import READ_STEPS, WorkMeter
from knowledge.lorebooks.core.book import Entry

Span = tuple[int, int]
Hits = dict[int, Span | None]
"""Found needles by their number, with where, if that is known."""

_GRAMS = (3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96)
"""Characters that keys are filed by: more of them while too many keys begin alike."""
_MAX_FILED = 16
_SPACE = re.compile(f"[{re.escape(JS_SPACES)}]+")
_JOINT = re.compile("[\n\x01]")


@dataclass(frozen=True, slots=True)
class Needle:
    """A key as it is searched for. `kind` is indexed, regex, always (an empty key), never, or joined (`\\n` inside)."""

    id: int
    key: str
    kind: str
    text: str = ""
    is_whole_word: bool = False
    is_lowered: bool = False
    regex: CompiledRegex | None = None


class LiteralTable:
    """Plain texts filed by their first characters.

    Worked example: `salt`, `salted` and 15 more that begin with `sal` fill the place of `sal`. Those of four characters
    and more go to the place of their first four, and a text without `salt` searches for none of them.
    """

    def __init__(self) -> None:
        self._by_gram: dict[int, dict[str, list[tuple[str, int]]]] = defaultdict(lambda: defaultdict(list))
        self._full: set[str] = set()  # beginnings whose longer texts are filed by more characters

    def add(self, text: str, value: int) -> None:
        """Files a text that is not empty."""
        self._file(text, value, 0)

    def _file(self, text: str, value: int, step: int) -> None:
        while len(text) > _GRAMS[step] and text[: _GRAMS[step]] in self._full:
            step += 1
        length = min(len(text), _GRAMS[step])
        gram = text[:length]
        filed = self._by_gram[length][gram]
        filed.append((text, value))
        if len(filed) > _MAX_FILED and length == _GRAMS[step] and step + 1 < len(_GRAMS) and gram not in self._full:
            self._full.add(gram)
            self._by_gram[length][gram] = [each for each in filed if len(each[0]) == length]
            for longer, number in filed:
                if len(longer) > length:
                    self._file(longer, number, step + 1)

    def search(self, text: str, work: WorkMeter) -> list[tuple[int, int, int]]:
        """Value, start and end of the first occurrence of each text that occurs."""
        found: list[tuple[int, int, int]] = []
        for length, filed in self._by_gram.items():
            work.spend(len(text) * length)
            grams = {text[start : start + length] for start in range(len(text) - length + 1)}
            for gram in grams & filed.keys():
                for wanted, value in filed[gram]:
                    start = text.find(wanted)
                    work.spend((len(text) if start < 0 else start) * READ_STEPS)
                    if start >= 0:
                        found.append((value, start, start + len(wanted)))
        return found


class KeyIndex(ABC):
    """The keys of a book in one dialect."""

    def __init__(self, settings: ActivationSettings, first_id: int = 0) -> None:
        self.settings = settings
        self.next_id = first_id
        self.known: dict[Any, Needle] = {}
        self.allowance = RegexAllowance()

    @abstractmethod
    def add(self, key: str, entry: Entry) -> Needle:
        """The needle of a key, indexed if it was not yet."""

    @abstractmethod
    def search(self, text: str, work: WorkMeter) -> Hits:
        """The indexed needles found in one segment. Raises ActivationTooLarge."""

    def take_id(self) -> int:
        """The next number."""
        self.next_id += 1
        return self.next_id - 1

    def intern(self, identity: Any, **members: Any) -> Needle:
        """The needle of that identity."""
        needle = self.known.get(identity)
        if needle is None:
            needle = self.known[identity] = Needle(self.take_id(), **members)
        return needle


class FaithfulKeyIndex(KeyIndex):
    """SillyTavern's keys: parts of the text, or words in ASCII's sense where whole words are asked for."""

    def __init__(self, settings: ActivationSettings, first_id: int = 0) -> None:
        super().__init__(settings, first_id)
        self._tables = {True: LiteralTable(), False: LiteralTable()}  # lowered, as written
        self._whole: dict[int, str] = {}
        self._in_use = {True: False, False: False}

    def add(self, key: str, entry: Entry) -> Needle:
        """A regular expression if the key is one, else a plain text without the spaces around it."""
        text = key.strip(JS_SPACES)
        identity = ("regex", text)
        if identity in self.known:
            return self.known[identity]
        compiled = self.compile(text)
        if compiled is not None:
            return self.intern(identity, key=key, kind="regex", text=text, regex=compiled)
        case = self.settings.case_sensitive if entry.case_sensitive is None else entry.case_sensitive
        whole = self.settings.match_whole_words if entry.match_whole_words is None else entry.match_whole_words
        if not key:
            return self.intern("never", key=key, kind="never")
        return self.add_plain(key, text, is_lowered=not case, is_whole_word=whole)

    def compile(self, text: str) -> CompiledRegex | None:
        """The text as a regular expression, None if it is plain."""
        return self.allowance.take(text, lambda: compile_regex_key(text)) if parse_regex_key(text) else None

    def add_plain(self, key: str, text: str, *, is_lowered: bool, is_whole_word: bool) -> Needle:
        """Files a plain text."""
        if is_lowered:
            text = text.lower()
        is_whole_word = is_whole_word and not _SPACE.search(text)
        identity = (text, is_lowered, is_whole_word)
        needle = self.known.get(identity)
        if needle is not None:
            return needle
        kind = "always" if not text else "joined" if _JOINT.search(text) else "indexed"
        needle = self.intern(
            identity, key=key, kind=kind, text=text, is_whole_word=is_whole_word, is_lowered=is_lowered
        )
        if kind == "indexed":
            self._tables[is_lowered].add(text, needle.id)
            self._in_use[is_lowered] = True
            if is_whole_word:
                self._whole[needle.id] = text
        return needle

    def search(self, text: str, work: WorkMeter) -> Hits:
        """Plain keys in one segment; a segment's ends are ends of words."""
        hits: Hits = {}
        for is_lowered, table in self._tables.items():
            if not self._in_use[is_lowered]:
                continue
            searched = text.lower() if is_lowered else text
            keeps_places = len(searched) == len(text)
            for needle_id, start, end in table.search(searched, work):
                span: Span | None = (start, end)
                if needle_id in self._whole:
                    work.spend((len(searched) - start) * READ_STEPS)
                    span = find_ascii_word(searched, self._whole[needle_id], start)
                    if span is None:
                        continue
                hits[needle_id] = span if keeps_places else None
        return hits


def find_ascii_word(text: str, word: str, start: int = 0) -> Span | None:
    """The word with `\\W` or an end on both sides, where every letter outside of ASCII is `\\W`."""
    start = text.find(word, start)
    while start >= 0:
        end = start + len(word)
        if not _is_ascii_word(text[start - 1 : start] if start else "") and not _is_ascii_word(text[end : end + 1]):
            return start, end
        start = text.find(word, start + 1)
    return None


def _is_ascii_word(character: str) -> bool:
    return bool(character) and character.isascii() and (character.isalnum() or character == "_")


def find_in_joined(needle: Needle, scanned: ScannedText) -> Span | None:
    """A plain key in the joined text, by SillyTavern's rule word for word: for keys that the index does not hold."""
    searched = scanned.lowered if needle.is_lowered else scanned.text
    if needle.is_whole_word:
        return find_ascii_word(searched, needle.text)
    start = searched.find(needle.text)
    return (start, start + len(needle.text)) if start >= 0 else None
